"""Periods by day: loading them beside the plain driver, and how those that hold at a time are found.

    python -m benchmarks.periods load --periods 100000
    python -m benchmarks.periods find --periods 10000 100000
    python -m benchmarks.periods points --data .data/multitq/facts.tsv --facts 461329

The facts are drawn: people with contracts at companies, from 1950 to 2020, most of them of years, some of weeks. `load`
loads them by `cgstore load tkg`, and by the plain driver the same nodes and relationships, each into an empty server.
`find` asks by hand-written Cypher, over periods in the form of cgstore's own, with a plain range index and by levels of
length; each answer is compared with one worked out in Python. `points` loads facts of one day each, those of a file and
more like them.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.plain_driver import create_all, in_memory
from benchmarks.servers import disk, fresh_server, run_cgstore
from cgstore import server
from cgstore.cypher.connection import Database
from cgstore.loaders.tkg import read_tkg
from cgstore.loaders.tkg_stage import Fact, TkgStage
from cgstore.text.dates import LEVELS, Moment, Step, first, level_of, time_name

BEGIN, END = first(Moment(1950), Step.DAY), first(Moment(2020), Step.DAY)
RUNS = 9


class Period(NamedTuple):
    """A drawn fact with its first and last day."""

    head: str
    relation: str
    tail: str
    first: int
    last: int


def drawn(count: int, companies: int = 1000) -> Iterator[Period]:
    """Facts by chance: the first relation has some 40% of them, the tenth 1%."""
    chance = random.Random(1)
    for _ in range(count):
        begin = chance.randrange(BEGIN, END)
        days = chance.expovariate(1 / (4 * 365 if chance.random() < 0.7 else 60))
        relation = min(9, int(chance.expovariate(0.5)))
        names = (
            f"person {chance.randrange(count // 2)}",
            f"contract {relation}",
            f"company {chance.randrange(companies)}",
        )
        yield Period(*names, begin, min(END, begin + int(days)))


# Loading --------------------------------------------------------------------------------------------------------------


def measure_load(count: int) -> None:
    """Prints what both ways of loading take."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "contracts.tsv"
        lines = (
            "\t".join((*each[:3], time_name(each.first, Step.DAY), time_name(each.last, Step.DAY)))
            for each in drawn(count)
        )
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        with fresh_server() as (home, _):
            ran = run_cgstore(home, "load", "tkg", str(path), "--name", "contracts", "--no-header", "--json")
            server.stop(home=home)
            store, _ = disk(home)
        report = ran.report
        facts, stored = report["facts"], report["stored"]
        print(
            f"cgstore: {facts:,} periods, {report['triples']:,} triples by definition, {stored:,} stored "
            f"({stored / facts:.2f} a period), {ran.seconds:.1f} s, {ran.peak_mb:.0f} MB of client memory, store "
            f"{store:.0f} MB ({1e6 * store / facts:.0f} bytes a period)",
            flush=True,
        )
        with TkgStage("contracts") as stage, fresh_server() as (_, db):
            for fact in read_tkg(path):
                assert isinstance(fact, Fact)
                stage.add(fact)
            stage.settle()
            seconds = create_all(db, in_memory(stage), by_row=False)["all"]
    print(f"plain driver: {seconds:.1f} s, cgstore takes {ran.seconds / seconds:.2f} times as long", flush=True)


def measure_points(data: Path, count: int) -> None:
    """Prints what loading facts of one day takes: those of a file, then facts of it on other days by chance."""
    facts = [line.rsplit("\t", 1) for line in data.read_text(encoding="utf-8").splitlines()]
    days, chance = sorted({day for _, day in facts}), random.Random(1)
    more = ((chance.choice(facts)[0], chance.choice(days)) for _ in range(count - len(facts)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.tsv"
        path.write_text("".join(f"{fact}\t{day}\n" for fact, day in chain(facts, more)), encoding="utf-8")
        with fresh_server() as (home, _):
            ran = run_cgstore(home, "load", "tkg", str(path), "--no-header", "--json")
            server.stop(home=home)
            store, _ = disk(home)
        loaded, report = ran.report["facts"], ran.report
        print(
            f"{loaded:,} facts, {report['triples']:,} triples, {report['stored']:,} stored, {ran.seconds:.1f} s, "
            f"{ran.peak_mb:.0f} MB of client memory, store {store:.0f} MB ({1e6 * store / loaded:.0f} bytes a fact)",
            flush=True,
        )


# Finding --------------------------------------------------------------------------------------------------------------

_CREATE = """
UNWIND $rows AS row
MATCH (k:CgNode {key: 'time'}), (v:CgNode {key: row.tail})
CREATE (k)-[:CG_PERIOD {node1: 'time', head: row.head, relation: row.relation, first: row.first, last: row.last,
  level: row.level}]->(v)
"""

INDEXES = {
    "range": ("(r.node1, r.first)", "(r.node1, r.relation, r.first)"),
    "levels": ("(r.node1, r.level, r.first)", "(r.node1, r.relation, r.level, r.first)"),
}

_RANGE = """
MATCH ()-[p:CG_PERIOD {{{given}}}]->() USING INDEX SEEK p:CG_PERIOD({by}, first)
WHERE p.first <= $high AND p.last >= $low
RETURN count(*) AS n
"""

_LEVELS = f"""
UNWIND range(0, {LEVELS - 1}) AS level
MATCH ()-[p:CG_PERIOD {{{{{{given}}, level: level}}}}]->() USING INDEX SEEK p:CG_PERIOD({{by}}, level, first)
WHERE p.first > $low - toInteger(4 ^ level) AND p.first <= $high AND p.last >= $low
RETURN count(*) AS n
"""

QUESTIONS: dict[str, tuple[str | None, Callable[[random.Random], tuple[int, int]]]] = {
    "all facts on a day": (None, lambda chance: _day(chance, 0.5)),
    "facts of the commonest relation on a day": ("contract 0", lambda chance: _day(chance, 0.5)),
    "facts of a rare relation on a day": ("contract 9", lambda chance: _day(chance, 0.5)),
    "facts of a rare relation on one of the last days": ("contract 9", lambda chance: _day(chance, 0.99)),
    "facts of a rare relation in a year": ("contract 9", lambda chance: _year(chance)),
}
"""The relation, and the days asked for."""


def _day(chance: random.Random, share: float) -> tuple[int, int]:
    day = BEGIN + int(share * (END - BEGIN)) + chance.randrange(100)
    return day, day


def _year(chance: random.Random) -> tuple[int, int]:
    low = BEGIN + (END - BEGIN) // 2 + chance.randrange(100)
    return low, low + 364


def measure_find(count: int) -> None:
    """Prints the medians of both indexes, in milliseconds."""
    periods = list(drawn(count))
    print(f"{count:,} periods, milliseconds", flush=True)
    for way, indexes in INDEXES.items():
        with fresh_server() as (_, db):
            seconds = _create(db, periods, indexes)
            print(f"  {way}: written in {seconds:.1f} s")
            for question, (relation, days) in QUESTIONS.items():
                median, found = _ask(db, way, periods, relation, days)
                print(f"    {question}: {median:.1f} ({found:,.0f} found)", flush=True)


def _create(db: Database, periods: list[Period], indexes: tuple[str, ...]) -> float:
    db.write("CREATE CONSTRAINT FOR (n:CgNode) REQUIRE n.key IS UNIQUE")
    for number, properties in enumerate(indexes):
        db.write(f"CREATE INDEX period_{number} FOR ()-[r:CG_PERIOD]-() ON {properties}")
    db.write("UNWIND $keys AS key CREATE (:CgNode {key: key})", {"keys": ["time", *{each.tail for each in periods}]})
    began = time.monotonic()
    for place in range(0, len(periods), 10_000):
        rows = [each._asdict() | {"level": level_of(each.first, each.last)} for each in periods[place : place + 10_000]]
        db.write(_CREATE, {"rows": rows})
    seconds = time.monotonic() - began
    db.write("CALL db.prepareForReplanning(60)")
    return seconds


def _ask(
    db: Database,
    way: str,
    periods: list[Period],
    relation: str | None,
    days: Callable[[random.Random], tuple[int, int]],
) -> tuple[float, float]:
    """The median of the milliseconds, and of how many were found."""
    given, by = ("node1: 'time', relation: $relation", "node1, relation") if relation else ("node1: 'time'", "node1")
    text = (_RANGE if way == "range" else _LEVELS).format(given=given, by=by)
    chance, took, found = random.Random(2), list[float](), list[int]()
    for number in range(RUNS + 2):
        low, high = days(chance)
        parameters: dict[str, Any] = {"low": low, "high": high, **({"relation": relation} if relation else {})}
        began = time.perf_counter()
        count = db.read(text, parameters)[0]["n"]
        took.append(1000 * (time.perf_counter() - began))
        found.append(count)
        if number < 2:
            fits = (each for each in periods if relation in (None, each.relation))
            assert count == sum(each.first <= high and each.last >= low for each in fits), (way, relation)
    return statistics.median(took[2:]), statistics.median(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["load", "find", "points"])
    parser.add_argument("--periods", type=int, nargs="+", default=[100_000])
    parser.add_argument("--data", type=Path, default=Path(".data/multitq/facts.tsv"))
    parser.add_argument("--facts", type=int, default=461_329)
    options = parser.parse_args()
    if options.what == "points":
        measure_points(options.data, options.facts)
        return
    for count in options.periods:
        (measure_load if options.what == "load" else measure_find)(count)


if __name__ == "__main__":
    main()
