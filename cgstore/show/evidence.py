"""The evidence of an answer: condition triples by names, and the facts that they state."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from cgstore.text.names import FACT_PARTS, statement_number

_ROW = re.compile(r"\[line_(\d+)\]")


@dataclass(frozen=True)
class Evidence:
    """A condition triple that supports an answer, by names, with the source that holds it.

    The condition is empty, a head, a fact, or a fact and the number of a statement about it, such as `#2`.
    """

    node1: str
    node2: str
    condition: tuple[str, ...]
    source: str


@dataclass
class Fact:
    """A fact that condition triples state: head entity, relation, tail entity, and its qualifiers.

    A fact with several statements, each with qualifiers of its own, is one of these for each: `number` is that of the
    statement.
    `qualifiers` are keys with their values, such as `("time", "1970")`. The head of a table's fact is its row. `tail`
    is None where the triples say only that the head has the relation.
    """

    head: str
    relation: str
    tail: str | None
    source: str
    qualifiers: list[tuple[str, str]] = field(default_factory=list)
    number: int = 1

    @property
    def row(self) -> int | None:
        """The number of the table's row that the fact is a cell of; None in other sources."""
        found = _ROW.fullmatch(self.head)
        return int(found[1]) if found else None

    @property
    def words(self) -> str:
        """The fact on one line: `Paul VI, position held: pope (time 1970), in world`."""
        about = ", ".join(f"{key} {value}" for key, value in self.qualifiers)
        tail = "" if self.tail is None else f": {self.tail}"
        return f"{self.head}, {self.relation}{tail}{f' ({about})' if about else ''}, in {self.source}"


def in_row_order(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The evidence of an answer, each step's sorted by names, with a table's rows in their order: row 2 before 10."""
    steps: list[list[Evidence]] = [[]]
    for triple in evidence:
        if steps[-1] and _by_names(triple) < _by_names(steps[-1][-1]):
            steps.append([])
        steps[-1].append(triple)
    ordered = (sorted(step, key=lambda triple: (triple.condition != (), _row_of(triple))) for step in steps)
    return tuple(triple for step in ordered for triple in step)


def _by_names(triple: Evidence) -> tuple[tuple[str, ...], str, str]:
    return triple.condition, triple.node1, triple.node2


def _row_of(triple: Evidence) -> int:
    found = _ROW.fullmatch(triple.condition[0] if triple.condition else triple.node1)
    return int(found[1]) if found else 0


def facts_of(evidence: Iterable[Evidence]) -> list[Fact]:
    """The facts that condition triples state, in the order in which they first appear.

    (r, t, [h]) is a fact, (q, v, [h, r, t]) a qualifier of one, (q, v, [h, r, t, #2]) a qualifier of its second
    statement, and (h, r, []) a fact without its tail. What says less than another triple is left out: a fact without
    its tail where there is one with it, and one without qualifiers where there are statements about it.
    """
    facts: dict[tuple[str, str, str | None, str, int], Fact] = {}

    def fact(head: str, relation: str, tail: str | None, source: str, number: int = 1) -> Fact:
        made = Fact(head, relation, tail, source, number=number)
        return facts.setdefault((head, relation, tail, source, number), made)

    for triple in evidence:
        if len(triple.condition) >= FACT_PARTS:
            head, relation, tail = triple.condition[:FACT_PARTS]
            qualifiers = fact(head, relation, tail, triple.source, statement_number(triple.condition)).qualifiers
            if (triple.node1, triple.node2) not in qualifiers:
                qualifiers.append((triple.node1, triple.node2))
        elif triple.condition:
            fact(triple.condition[0], triple.node1, triple.node2, triple.source)
        else:
            fact(triple.node1, triple.node2, None, triple.source)
    with_tail = {(each.head, each.relation, each.source) for each in facts.values() if each.tail is not None}
    qualified = {place[:4] for place, each in facts.items() if each.qualifiers}
    return [
        each
        for place, each in facts.items()
        if (each.qualifiers or place[:4] not in qualified)
        and (each.tail is not None or (each.head, each.relation, each.source) not in with_tail)
    ]
