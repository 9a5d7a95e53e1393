"""Searches over a graph, made by hypothesis: every combination of the arguments of get_information.

Arguments are taken from facts that are there, so that most searches find something. Names are written exactly.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from hypothesis import strategies as st

from cgstore.query.functions import FURTHER
from tests.query.interpreter_graph import About, Fact, Graph, Node
from tests.query.interpreter_search import Sort

T = TypeVar("T")

LETTERS = ["".join(letter for place, letter in enumerate("hrtkv") if bits >> place & 1) for bits in range(1, 32)]
"""Every combination of the arguments of get_information."""


ORDER = ("<", ">", "<=", ">=")
NUMBERS = ("5", "5.0", "1,000", "-31", "1984", "1985", "0.5", "2004", "12", "50")


def forms_of(time: str) -> list[str]:
    """A time as it is named; one of day also in other forms, and the minute, the day, the month and the year of it."""
    if "T" not in time:
        return [time]
    written = [time, time.replace("T", " "), f"{time}Z", f"{time[:13]}:30+01:00"]
    return [time, *written, time[:16], time[:10], time[:7], time[:4]]


def quoted(name: str) -> str:
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


Written = tuple[str, Sort]
"""The text of a call, or of a reference to an output, and what it holds as far as can be told."""


@dataclass
class SearchWriter:
    """Draws the searches of one program.

    `numbered` are the numbers of the queries that give a set with numbers; `inside`, a call that is run for one element
    at a time, `each`, is drawn; `at`, a head whose relations it may ask for.
    """

    draw: st.DrawFn
    graph: Graph
    sorts: list[Sort] = field(default_factory=list)
    numbered: set[int] = field(default_factory=set)
    inside: bool = False
    at: Node | None = None

    def chance(self, percent: int) -> bool:
        return self.draw(st.integers(1, 100)) > 100 - percent

    def pick(self, options: Sequence[T]) -> T:
        return self.draw(st.sampled_from(options))

    @abstractmethod
    def given(self, depth: int, sorts: Sequence[Sort] = ()) -> Written:
        """An output, mostly of one of these sorts, or a nested call."""

    def search(self, depth: int) -> Written:
        fact, said = self.anchor()
        letters = self.pick(LETTERS)
        if "t" in letters and "v" in letters and "k" not in letters and not self.chance(3):
            letters = letters.replace("v", "")
        key, values, is_said = self.key(fact, said, letters)
        relation = self.relation(fact, depth)
        head = self.head(fact, depth) if "h" in letters else ""
        parts = [f"head_entity={head}"] if head else []
        parts += [f"relation={relation}"] if "r" in letters else []
        parts += self.bounds("tail_entity", [fact.tail.name], fact.relation, depth) if "t" in letters else []
        parts += [f"key={key}"] if "k" in letters else []
        parts += self.bounds("value", values, None if is_said else fact.relation, depth) if "v" in letters else []
        others = [x for x in said if x.key.name != "time" or not self.graph.steps]  # where_key takes no periods
        if is_said and "k" in letters and others and self.chance(50):
            parts += self.further(fact, others, depth)
        if len(self.graph.sources) > 1 and self.chance(15):
            parts.append(f"source={quoted(fact.source if self.chance(80) else self.pick(self.graph.sources))}")
        facts = is_said and "v" in letters and "r" not in letters and "t" not in letters and self.is_time(key)
        return f"get_information({', '.join(parts)})", Sort.FACTS if facts else Sort.NAMES

    def further(self, fact: Fact, said: list[About], depth: int) -> list[str]:
        """Another key of the same fact with a bound, mostly of the same statement, or two."""
        parts = []
        for key, compared in FURTHER[: 2 if self.chance(20) else 1]:
            about = self.pick(said)
            values = [about.value.name, *(x.value.name for x in self.graph.abouts if x.key == about.key)]
            value = self.pick(values[:1] if self.chance(70) else values)
            parts += [f"{key}={quoted(about.key.name)}", *self.bounds(compared, [value], None, depth)]
        return parts

    def is_time(self, key: str) -> bool:
        return bool(self.graph.steps) and key.strip("'").replace("_", " ") in ("time", "start time", "end time")

    def anchor(self) -> tuple[Fact, list[About]]:
        """A fact, and what is said of it."""
        fact = self.pick(self.graph.facts)
        return fact, [about for about in self.graph.abouts if about.fact == fact]

    def key(self, fact: Fact, said: list[About], letters: str) -> tuple[str, list[str], bool]:
        """A key, the values to compare with, and whether it speaks of facts."""
        if said and self.chance(70):
            about = self.pick(said)
            is_time = about.key.owner in self.graph.steps
            name = about.key.name.replace(" ", "_") if is_time else about.key.name
            return quoted(name), forms_of(about.value.name) if is_time else [about.value.name], True
        head = fact.tail if letters == "hrk" else fact.head
        others = [f for f in self.graph.facts if f.head == head] or list(self.graph.facts)
        other = self.pick(others)
        return quoted(other.relation.name), [other.tail.name], False

    def relation(self, fact: Fact, depth: int) -> str:
        if Sort.NAMES in self.sorts and self.chance(4):
            return self.given(depth, [Sort.NAMES])[0]
        return quoted(fact.relation.name if self.chance(85) else self.pick(sorted(self.graph.relations)).name)

    def head(self, fact: Fact, depth: int) -> str:
        if (self.sorts or self.inside) and self.chance(80 if self.inside else 50):
            return self.given(depth, [Sort.NAMES])[0]
        if self.chance(15):
            return quoted(fact.tail.name)
        if fact.head.is_row and self.chance(80):
            return quoted(self.pick([f.tail.name for f in self.graph.facts if f.head == fact.head]))
        return quoted(fact.head.name)

    def bounds(self, argument: str, values: Sequence[str], relation: Node | None, depth: int) -> list[str]:
        """One comparison, or two."""
        count = 2 if self.chance(15) else 1
        return [argument + self.bound(values, relation, depth) for _ in range(count)]

    def bound(self, values: Sequence[str], relation: Node | None, depth: int) -> str:
        if (self.sorts or self.inside) and self.chance(40):
            return self.pick(("=", "=", *ORDER)) + self.given(depth, [Sort.NAMES, Sort.NUMBERS])[0]
        if self.chance(55):
            return f"={quoted(self.pick(values))}"
        if self.chance(12):
            return f"{self.pick(('=', '>=', '<'))}{quoted(self.pick(('most', 'least', 'max', 'lowest')))}"
        if relation is None and self.chance(50):
            return f"{self.pick(ORDER)}{quoted(self.pick(values))}"
        reading = self.graph.reading(relation) if relation is not None else None
        tails = [f.tail.name for f in self.graph.facts if f.relation == relation]
        numbers = [t for t in tails if reading and reading.span(t) is not None] if not self.chance(3) else tails
        return f"{self.pick(('=', *ORDER))}{quoted(self.pick([*NUMBERS, *numbers, *numbers]))}"
