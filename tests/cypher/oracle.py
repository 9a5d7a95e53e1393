"""get_information over a list of temporal facts, by the definition alone: what the compiled Cypher must equal.

Written from the language page, not from the compiler: facts that agree with every part given, then the part asked for.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import NamedTuple

from cgstore.text.dates import number_of, read_span, read_time_span

COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}


class TemporalFact(NamedTuple):
    """A fact that holds in every year from start to end."""

    head: str
    relation: str
    tail: str
    start: int
    end: int

    @property
    def triple(self) -> tuple[str, str, str]:
        return self.head, self.relation, self.tail


class Arguments(NamedTuple):
    """The arguments of get_information; tail and value are (op, text) pairs, all of which must hold."""

    head: str | None = None
    relation: str | None = None
    tail: tuple[tuple[str, str], ...] = ()
    key: str | None = None
    value: tuple[tuple[str, str], ...] = ()


def satisfies(text: str, comparisons: Iterable[tuple[str, str]], time: bool) -> bool:
    """Whether a stored text satisfies every comparison."""
    for op, other in comparisons:
        span = read_time_span(other) if time else read_span(other)
        number = number_of(text)
        if op == "=" and span is None:
            if text != other:
                return False
        elif span is None or number is None:
            return False
        elif op == "=":
            if not span.lo <= number <= span.hi:
                return False
        elif not COMPARE[op](number, span.hi if op in (">", "<=") else span.lo):
            return False
    return True


def times(fact: TemporalFact, key: str) -> set[str]:
    """The values of a time key for one fact."""
    match key:
        case "start_time":
            return {str(fact.start)}
        case "end_time":
            return {str(fact.end)}
    return {str(year) for year in range(fact.start, fact.end + 1)}


def get_information(facts: Iterable[TemporalFact], a: Arguments) -> set[str]:
    """The answer as a set of names; facts as `head | relation | tail`."""
    found = [
        f
        for f in facts
        if a.head in (None, f.head) and a.relation in (None, f.relation) and satisfies(f.tail, a.tail, False)
    ]
    if a.key and not a.value:
        return {year for f in found for year in times(f, a.key)}
    if a.key:
        found = [f for f in found if any(satisfies(year, a.value, True) for year in times(f, a.key))]
    return {_asked(f, a) for f in found}


def _asked(fact: TemporalFact, a: Arguments) -> str:
    """The part of the fact that is not given: the tail, the relation, or else the head; the whole fact if none is."""
    given = (a.head is not None, a.relation is not None, bool(a.tail))
    match given:
        case (True, True, False):
            return fact.tail
        case (True, False, True):
            return fact.relation
        case (True, False, False):
            return " | ".join(fact.triple) if a.key else fact.relation
        case (False, True, False):
            return fact.head if a.key else fact.tail
        case (False, False, False):
            return " | ".join(fact.triple)
    return fact.head
