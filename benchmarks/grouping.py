"""Groups over a large table: latency beside hand-written Cypher over the same condition graph.

    python benchmarks/grouping.py --rows 100000

The table is drawn: orders with one of 500 clubs, one of 40 cities, an amount and a day. Both answers are compared
before the clock starts. Each question is asked by hand, without evidence and with it, in turn.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.servers import fresh_server
from cgstore.cypher.run import execute
from cgstore.store import Store
from cgstore.text.names import owned_key

OF_CLUB = "MATCH ()-[f:CG_VALUE {node1: $club}]->() WHERE f.node2 IS NOT NULL "
AMOUNT = "MATCH ()-[g:CG_VALUE {node1: $amount, head: f.head}]->() "

QUESTIONS = {
    "how many rows has each club": (
        "group(by='club')",
        f"{OF_CLUB} RETURN f.node2 AS name, count(DISTINCT f.head) AS number",
    ),
    "the sum of amounts for each club": (
        "group(by='club', of='amount', function='sum')",
        f"{OF_CLUB} {AMOUNT} RETURN f.node2 AS name, sum(g.num) AS number",
    ),
    "the club with the greatest sum": (
        "max(set=group(by='club', of='amount', function='sum'))",
        f"{OF_CLUB} {AMOUNT} WITH f.node2 AS name, sum(g.num) AS number "
        "RETURN name, number ORDER BY number DESC LIMIT 1",
    ),
    "the sum of amounts for each club, in one city": (
        "group(by='club', of='amount', function='sum', set=get_information(relation='city', tail_entity='city 7'))",
        "MATCH ()-[c:CG_VALUE {node1: $city, node2: 'city 7'}]->() "
        "MATCH ()-[f:CG_VALUE {node1: $club, head: c.head}]->() "
        f"{AMOUNT} RETURN f.node2 AS name, sum(g.num) AS number",
    ),
    "how many rows has each year": (
        "group(set=heads(relation='day'), by=extract_year(get_information(head_entity=each, relation='day')))",
        "MATCH ()-[f:CG_VALUE {node1: $day}]->() WHERE f.node2 IS NOT NULL "
        "RETURN floor(f.num) AS name, count(DISTINCT f.head) AS number",
    ),
    "a number for each row of one city": (
        "sum(set=for_each(set=get_information(relation='city', tail_entity='city 7'), value=multiply('amount', '2')))",
        "MATCH ()-[f:CG_VALUE {node1: $city, node2: 'city 7'}]->() "
        f"{AMOUNT} RETURN 'sum' AS name, sum(2 * g.num) AS number",
    ),
    "a number for each row": (
        "sum(set=for_each(set=heads(relation='amount'), value=multiply('amount', '2')))",
        "MATCH ()-[g:CG_VALUE {node1: $amount}]->() WHERE g.node2 IS NOT NULL "
        "RETURN 'sum' AS name, sum(2 * g.num) AS number",
    ),
}
"""Programs, and what one would write by hand for each."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, fresh_server() as (_, db):
        path = Path(folder) / "orders.csv"
        write_orders(path, options.rows)
        store = Store(db)
        report = store.load_table(path, name="orders")
        print(f"{report.facts:,} facts, {report.triples:,} condition triples\n")
        print(f"{'milliseconds at the median':<48} {'by hand':>8} {'without evidence':>17} {'with evidence':>15}")
        for question, (program, cypher) in QUESTIONS.items():
            print_ratios(store, question, program, cypher, options.runs)


def write_orders(path: Path, rows: int) -> None:
    """A table of orders by chance."""
    chance = Random(1)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["order", "club", "city", "amount", "day"])
        for number in range(rows):
            day = f"{chance.randrange(2000, 2020)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"
            amount = chance.randrange(1, 9000) / 100
            writer.writerow(
                [f"o{number}", f"club {chance.randrange(500)}", f"city {chance.randrange(40)}", amount, day]
            )


def print_ratios(store: Store, question: str, program: str, cypher: str, runs: int) -> None:
    """One line: the medians, and the ratio of ours to that by hand."""
    keys = {column: owned_key("orders", column) for column in ("club", "city", "amount", "day")}
    plain, proved = (store.compile(program, ["orders"], evidence=given).statement for given in (False, True))
    ways: list[Callable[[], Any]] = [
        lambda: store.db.read(cypher, keys, 120),
        lambda: execute(store.db, plain, 120),
        lambda: execute(store.db, proved, 120),
    ]
    by_hand, ours, _ = (way() for way in ways)
    found = {str(name): float(number) for name, number in ours.rows} or {"sum": float(ours.answer[0])}
    right = {_name(row["name"]): row["number"] for row in by_hand}
    assert found.keys() == right.keys() and all(abs(found[k] - right[k]) < 1e-6 * abs(right[k]) for k in right), (
        question
    )
    times: list[list[float]] = [[], [], []]
    for number in range(runs):
        for way in range(3):
            chosen = (number + way) % 3
            began = time.perf_counter()
            ways[chosen]()
            times[chosen].append(1000 * (time.perf_counter() - began))
    hand, without, evidence = map(statistics.median, times)
    print(
        f"{question:<48} {hand:>8.0f} {without:>10.0f} {without / hand:>6.2f} {evidence:>8.0f} {evidence / hand:>6.2f}",
        flush=True,
    )


def _name(value: str | float) -> str:
    return f"{value:.0f}" if isinstance(value, float) else value


if __name__ == "__main__":
    main()
