"""The order of an answer, and how its elements are shown."""

from __future__ import annotations

import math

from tests.query.interpreter_graph import About, Fact, Graph, Node
from tests.query.interpreter_search import Element, Found, Output, line_of

Shown = str | float
Rows = tuple[tuple[tuple[Shown, ...], ...], ...]
"""The rows of an answer of several columns, each field with its values."""


def shown(element: Element) -> Shown:
    """An element as an answer has it."""
    if isinstance(element, Node):
        return element.name
    return str(element) if isinstance(element, Fact) else element


def in_order(graph: Graph, output: Output) -> list[Element]:
    """That of a sort; of tables in the order of the rows, else by the number or time that is written, then by name.

    Of a set with numbers, only rows stand in the order of the rows.
    """
    if output.order is not None:
        return [element for element in output.order if element in output.elements]
    by_rows = output.rows or (graph.only_tables and not output.numbered)
    best: dict[Element, tuple[str | float, ...]] = {}
    for found in output.found:
        rank = rank_in_tables(found) if by_rows else rank_by_number(found.element)
        best[found.element] = min(rank, best.get(found.element, rank))
    return sorted(best, key=lambda element: best[element])


LAST = "\uffff"


def rank_in_tables(found: Found) -> tuple[str | float, ...]:
    """By source, then by row; what has no row comes last."""
    fact = found.origin.fact if isinstance(found.origin, About) else found.origin
    at = found.element if fact is None else fact.head
    if isinstance(at, Node) and at.is_row:
        return at.owner, float(line_of(at)), str(shown(found.element))
    if isinstance(at, Node):
        return (at.owner, math.inf, at.name) if at.owner else (LAST, *rank_by_number(at))
    return rank_by_number(at)


def rank_by_number(element: Element) -> tuple[str | float, ...]:
    if isinstance(element, Fact):
        return tuple(element.names)
    if isinstance(element, str):
        return (element,)
    if isinstance(element, float):
        return (element,)
    number = Found(element).number
    return (math.inf if number is None else number), element.name


def rows_of(graph: Graph, output: Output) -> Rows | None:
    """The rows of an answer of several columns: records, or elements with their numbers."""
    records = output.records
    if records is None and output.numbered:
        numbers = {found.element: (found.own or 0.0) if found.text is None else found.text for found in output.found}
        records = tuple(((element,), (numbers[element],)) for element in in_order(graph, output))
    if records is None:
        return None
    return tuple(tuple(tuple(dict.fromkeys(map(shown, field))) for field in record) for record in records)
