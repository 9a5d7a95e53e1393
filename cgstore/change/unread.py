"""Values that a change adds and that do not read as the others of their relation: they have no number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from cgstore.change.stated import AnyFact
from cgstore.loaders.fact_stage import number_in
from cgstore.loaders.readers.records import Statement
from cgstore.text.columns import ColumnFormat, is_missing
from cgstore.text.kinds import ValueKind

SHOWN = 3
"""Values that a note names."""


def unread_notes(formats: Mapping[str, ColumnFormat], added: Iterable[AnyFact]) -> Iterator[str]:
    """A sentence for each relation of which values have no number, though its kind is one of numbers or times.

    Empty cells and placeholders, such as `-`, are not meant to have one.
    """
    unread: dict[str, list[str]] = defaultdict(list)
    for fact in added:
        column = formats.get(fact.relation)
        if column is None or column.kind is ValueKind.TEXT or not isinstance(fact, Statement) or is_missing(fact.tail):
            continue
        if number_in(column, fact.tail) is None:
            unread[fact.relation].append(fact.tail)
    for relation, values in unread.items():
        kind = formats[relation].kind.partition(",")[0]
        shown = ", ".join(f"'{value[:60]}'" for value in dict.fromkeys(values[:SHOWN]))
        if len(values) == 1:
            yield f"{shown} is not read as {kind}, as the values of '{relation}' are, and has no number."
        else:
            more = " ..." if len(values) > SHOWN else ""
            yield f"{len(values):,} values of '{relation}' are not read as {kind}, and have no number: {shown}{more}."
