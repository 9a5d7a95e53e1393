"""Small graphs whose names collide, as sources to load and as the interpreter has them.

Names are heads, tails, relations and numbers at once; numbers are written in several ways, or not there; values tie.
One graph is written here, all others are drawn, each from its number.
"""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from cgstore.store import Store
from cgstore.text.dates import Moment, Step, first, last, time_name
from tests.query.interpreter_graph import Graph, Statement, TemporalFact, kg, statements, table, tkg, union

PEOPLE = ["Ann", "Bob", "O'Hare", "Ω 東京", 'say "hi"', "a, b = (c)", "1984", "1,984.0", "Points", "knows", "Zoë"]
RELATIONS = ["knows", "Ann", "born 'in'", "size"]
SIZES = ["5", "5.0", "1,000", "-3", "12", "–", "0.5"]
DATES = ["1984", "2004-07-02", "July 2, 2004", "June 2005", "2004-01-01", "2004-12-31"]

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

Triple = tuple[str, str, str]


class Table(NamedTuple):
    """The cells of a table, in rows."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Sources:
    """All sources of one graph: two tables, a KG, temporal facts, and statements with qualifiers.

    The times of the temporal facts are `step` apart.
    """

    results: Table
    more: Table
    people: Sequence[Triple]
    careers: Sequence[TemporalFact]
    prizes: Sequence[Statement]
    step: Step = Step.YEAR

    @property
    def whole(self) -> Graph:
        """All sources as one graph, as the interpreter has it."""
        tables = [table("results", *self.results), table("more", *self.more)]
        careers = tkg("careers", self.careers, self.step)
        return union([*tables, kg("people", self.people), careers, statements("prizes", self.prizes)])

    def load(self, store: Store, folder: Path) -> None:
        """Loads all sources into an empty store, by files in an empty folder."""
        for name, (columns, rows) in (("results", self.results), ("more", self.more)):
            with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([columns, *rows])
            store.load_table(folder / f"{name}.csv", header=True)
        careers = ((*fact[:3], *(time_name(time, self.step) for time in fact[3:])) for fact in self.careers)
        for name, facts in (("people", self.people), ("careers", careers)):
            lines = ("\t".join(fact) + "\n" for fact in facts)
            (folder / f"{name}.tsv").write_text("".join(lines), encoding="utf-8")
        store.load_kg(folder / "people.tsv", header=False)
        store.load_tkg(folder / "careers.tsv", header=False, step=self.step.value)
        with (folder / "prizes.jsonl").open("w", encoding="utf-8") as file:
            for head, relation, tail, pairs in self.prizes:
                line = {"subject": head, "relation": relation, "object": tail, "qualifiers": [list(p) for p in pairs]}
                file.write(json.dumps(line) + "\n")
        store.load_statements(folder / "prizes.jsonl")


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


# The graph that is written here ---------------------------------------------------------------------------------------


def _names(rng: random.Random) -> Triple:
    return rng.choice(PEOPLE), rng.choice(RELATIONS), rng.choice(PEOPLE)


def random_triples(seed: int, count: int) -> list[Triple]:
    """Facts over few names; the tails of `size` are numbers, those of `born 'in'` dates."""
    rng = random.Random(seed)
    triples = []
    for _ in range(count):
        head, relation, tail = _names(rng)
        tail = rng.choice({"size": SIZES, "born 'in'": DATES}.get(relation, [tail]))
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
    """Facts with up to three qualifiers, some in several statements; `knows` and `size` are also relations."""
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
    return [*facts, *_restated(facts, random.Random(seed))]


def _restated(facts: Sequence[Statement], rng: random.Random) -> list[Statement]:
    """Every other fact once more, with the qualifiers of another one: some facts have several statements."""
    return [(*fact[:3], rng.choice(facts)[3]) for fact in facts if rng.random() < 0.5]


WRITTEN = Sources(
    Table(TABLE_COLUMNS, TABLE_ROWS),
    Table(OTHER_COLUMNS, OTHER_ROWS),
    random_triples(1, 45),
    random_temporal(2, 35),
    random_statements(3, 35),
)


# Graphs that are drawn ------------------------------------------------------------------------------------------------

NAMES = [*PEOPLE, "Reds", "Blues", "size", "Rank", "as", "2004-07-02", "–", "Zoë", "x\\y"]
RELATION_NAMES = [*RELATIONS, *TABLE_COLUMNS, "Year", "as", "when", "1984", "a, b", "Zoë", "time"]

# No two values differ by case, accents and punctuation alone: which of two such names is meant is another matter.
VALUES: list[list[str]] = [
    NAMES,
    ["5", "5.0", "1,000", "-31", "12", "–", "0.5"],
    ["5", "1984", "12", "1,000", "2004", "-31"],
    ["1990", "1991", "1984", "2004", "1985"],
    ["1st", "2nd", "T6", "4th", "12th", "21st"],
    [*DATES, "2004", "2005"],
    ["2004-07-02", "2004-01-01", "2005-03-01", "2006-02-28"],
    ["3-1", "0-2", "1-1", "2-4", "6-4"],
    ["40%", "7.5%", "40.0%", "12.5%", "0%"],
    ["1:02.5", "59.8", "2:00", "1:02.50", "1:00:01"],
    ["9:05 pm", "10:30 am", "6:00 pm"],
    ["16 km", "7 km", "1,600 km", "7.0 km"],
    ["$80", "$1,200", "$80.00", "$1.2 million"],
    ["July 2", "June 30", "September 1"],
    ["12,5", "7,25", "1.250", "1.250,75", "0,5", "3,5"],
    ["75-64 (a)", "Arena, 22,076", "20.5y", "13th (q)", "-5 at 3", "no 7, 1,234.5", "none"],
    ["red; blue", "red, green", "blue", "blue;green, red", "1; 2", "de, Bob"],
    ["2004", "2004-07", "2004-02-29", "July 2004", "July 3, 2004", "2-Jul-04", "2003-12-31", "1999"],
    ["2004-02-29", "2004-03", "1999-12", "2000-01-01", "2004"],
    ["2004-07-02T10:30", "2004-07-02 10:30:15", "2004-07-02", "2004-07-02T12:30:15+02:00", "2004-12-31T23:59:59.5"],
]
"""Values of each kind, some of them the same number written otherwise."""

MISSING = ["–", "", "Ann", "1984", "5", "DNF"]
"""What stands in a table where no value of the kind does."""


class Chance:
    """Draws all sources of a graph."""

    def __init__(self, number: int) -> None:
        self.number, self.rng = number, random.Random(number)
        few = self.rng.randint(4, len(NAMES))
        self.heads = self.rng.sample(NAMES, few)

    def sources(self) -> Sources:
        return Sources(
            self.table(self.rng.randint(2, 7), self.rng.randint(1, 9)),
            self.table(self.rng.randint(1, 5), self.rng.randint(1, 6)),
            self.triples(self.rng.randint(3, 45)),
            self.temporal(self.rng.randint(3, 35)),
            self.statements(self.rng.randint(3, 35)),
            self.step,
        )

    @property
    def step(self) -> Step:
        """Years, seconds, days, minutes and months in turn."""
        return (Step.YEAR, Step.SECOND, Step.DAY, Step.MINUTE, Step.MONTH)[self.number % 5]

    def table(self, width: int, length: int) -> Table:
        """Cells may have lines."""
        columns = self.rng.sample(RELATION_NAMES, width)
        kinds = [[*values, "red\nblue"] if "blue" in values else values for values in self.kinds(width)]
        cells = [[self.cell(values) for _ in range(length)] for values in kinds]
        return Table(columns, list(zip(*cells, strict=True)))

    def cell(self, values: Sequence[str]) -> str:
        return self.rng.choice(MISSING if self.rng.random() < 0.12 else values)

    def kinds(self, count: int) -> list[list[str]]:
        """The values of so many relations; those of every third are names."""
        return [NAMES if self.rng.random() < 0.33 else self.rng.choice(VALUES) for _ in range(count)]

    def triples(self, count: int) -> list[Triple]:
        relations = self.rng.sample(RELATION_NAMES, self.rng.randint(1, 6))
        values = dict(zip(relations, self.kinds(len(relations)), strict=True))
        triples = []
        for _ in range(count):
            relation = self.rng.choice(relations)
            tails = self.heads if values[relation] is NAMES else values[relation]
            triples.append((self.rng.choice(self.heads), relation, self.rng.choice(tails)))
        return triples

    def temporal(self, count: int) -> list[TemporalFact]:
        """Some facts hold in several periods, which may overlap."""
        year, facts = self.rng.randint(1975, 2000), list[TemporalFact]()
        begin = first(Moment(year, 2, 24), self.step)  # so that months and years end among the times
        if self.step.has_clock:  # so that minutes and days end among them
            begin = last(Moment(year, 2, 24), self.step) - 5
        for head, relation, tail in self.triples(count):
            for _ in range(self.rng.choice([1, 1, 1, 1, 2])):
                start = begin + self.rng.randint(0, 9)
                facts.append((head, relation, tail, start, start + self.rng.choice([0, 0, 1, 3])))
        return facts

    def statements(self, count: int) -> list[Statement]:
        """Facts with up to three qualifiers, in one statement or several; some keys are relations."""
        keys = self.rng.sample(RELATION_NAMES, self.rng.randint(1, 4))
        values = dict(zip(keys, self.kinds(len(keys)), strict=True))
        facts: list[Statement] = []
        for head, relation, tail in self.triples(count):
            said = self.rng.choices(keys, k=self.rng.choice([0, 1, 1, 2, 3]))
            facts.append((head, relation, tail, [(key, self.rng.choice(values[key])) for key in said]))
        return [*facts, *_restated(facts, random.Random(self.number))]


def sources_of(number: int) -> Sources:
    """The sources of a graph: 0 is the one that is written here, any other is drawn, and always the same."""
    return Chance(number).sources() if number else WRITTEN
