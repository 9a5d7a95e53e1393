"""Small graphs whose names collide, their sources, and programs over them, made by hypothesis.

Names are heads, tails, relations and numbers at once; numbers are written in several ways, or not there; values tie.
"""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

from cgstore.store import Store
from tests.query.interpreter_graph import Graph, Statement, TemporalFact, kg, statements, table, tkg, union

PEOPLE = ["Ann", "Bob", "O'Hare", "Ω 東京", 'say "hi"', "a, b = (c)", "1984", "1,984.0", "Points", "knows"]
RELATIONS = ["knows", "Ann", "born 'in'", "size"]

TABLE_COLUMNS = ("Player", "Team", "Points", "Rank", "Date", "Result", "Share")
TABLE_ROWS = [
    ("Ann", "Reds", "5", "1st", "2004-07-02", "3-1", "50%"),
    ("Bob", "Blues", "5.0", "2nd", "2004-01-01", "0-2", "7.5%"),
    ("O'Hare", "Reds", "1,000", "2nd", "2005-03-01", "1-1", "50.0%"),
    ("Ann", "Points", "-3", "4th", "July 2, 2004", "3-1", "–"),
    ("1984", "Blues", "–", "5th", "2005", "2-4", "12%"),
    ("Ω 東京", "", "", "T6", "2003-12-31", "1-4", "5%"),
    ("Bob", "Reds", "5", "8th", "", "6-4", "50%"),
    ('say "hi"', "Ann", "12", "–", "2006-02-28", "2-0", "0%"),
]
OTHER_COLUMNS = ("Player", "Points", "Year", "Time")
OTHER_ROWS = [
    ("Ann", "5th", "1984", "1:02.5"),
    ("Bob", "1st", "1990", "59.8"),
    ("Reds", "12th", "1984", "2:00"),
    ("Ann", "2nd", "–", "1:02.50"),
    ("Rank", "5th", "1991", "DNF"),
]


def _names(rng: random.Random) -> tuple[str, str, str]:
    return rng.choice(PEOPLE), rng.choice(RELATIONS), rng.choice(PEOPLE)


def random_triples(seed: int, count: int) -> list[tuple[str, str, str]]:
    """Facts over few names; the tails of `size` are numbers, those of `born 'in'` dates."""
    rng = random.Random(seed)
    sizes = ["5", "5.0", "1,000", "-3", "12", "–", "0.5"]
    dates = ["1984", "2004-07-02", "July 2, 2004", "June 2005", "2004-01-01", "2004-12-31"]
    triples = []
    for _ in range(count):
        head, relation, tail = _names(rng)
        tail = rng.choice({"size": sizes, "born 'in'": dates}.get(relation, [tail]))
        triples.append((head, relation, tail))
    return triples


def random_temporal(seed: int, count: int) -> list[TemporalFact]:
    """Facts of one to four years; some of them hold in several periods."""
    rng = random.Random(seed)
    facts: list[TemporalFact] = []
    for _ in range(count):
        head, relation, tail = facts[-1][:3] if facts and rng.random() < 0.1 else _names(rng)
        start = rng.randint(1981, 1990)
        facts.append((head, relation, tail, start, start + rng.choice([0, 0, 1, 3])))
    return facts


def random_statements(seed: int, count: int) -> list[Statement]:
    """Facts with up to three qualifiers; `knows` and `size` are both relations and qualifiers."""
    rng = random.Random(seed)
    values = {
        "as": ["Ann", "Bob", "captain"],
        "knows": PEOPLE[:4],
        "size": ["5", "5.0", "7", "–"],
        "when": ["1984", "1985", "2004-07-02", "2004"],
    }
    facts: list[Statement] = []
    for head, relation, tail in random_triples(seed, count):
        keys = rng.sample(sorted(values), rng.choice([0, 1, 1, 2, 3]))
        facts.append((head, relation, tail, [(key, rng.choice(values[key])) for key in keys]))
    return facts


KG = random_triples(1, 45)
TKG = random_temporal(2, 35)
STATEMENTS = random_statements(3, 35)

WHOLE: Graph = union(
    [
        table("results", TABLE_COLUMNS, TABLE_ROWS),
        table("more", OTHER_COLUMNS, OTHER_ROWS),
        kg("people", KG),
        tkg("careers", TKG),
        statements("prizes", STATEMENTS),
    ]
)
"""All sources as one graph, as the interpreter has it."""

ASKED = [
    ("results",),
    ("people",),
    ("careers",),
    ("prizes",),
    ("results", "more"),
    ("people", "careers", "prizes"),
    ("results", "people"),
]
"""Sources that are asked together: tables, a KG, temporal facts, statements, and mixtures."""


def load(store: Store, folder: Path) -> None:
    """Loads all sources into an empty store."""
    for name, columns, rows in (("results", TABLE_COLUMNS, TABLE_ROWS), ("more", OTHER_COLUMNS, OTHER_ROWS)):
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([columns, *rows])
        store.load_table(folder / f"{name}.csv", header=True)
    for name, facts in (("people", KG), ("careers", TKG)):
        lines = ("\t".join(map(str, fact)) + "\n" for fact in facts)
        (folder / f"{name}.tsv").write_text("".join(lines), encoding="utf-8")
    store.load_kg(folder / "people.tsv", header=False)
    store.load_tkg(folder / "careers.tsv", header=False)
    with (folder / "prizes.jsonl").open("w", encoding="utf-8") as file:
        for head, relation, tail, pairs in STATEMENTS:
            line = {"subject": head, "relation": relation, "object": tail, "qualifiers": [list(p) for p in pairs]}
            file.write(json.dumps(line) + "\n")
    store.load_statements(folder / "prizes.jsonl")
