"""Why an answer is not SQL's: each class by its smallest case."""

from __future__ import annotations

import pytest

from cgstore.errors import QueryFailed
from cgstore.evaluate.benchmarks.benchmark import Question
from cgstore.evaluate.benchmarks.wikisql import Annotation, Condition, Query, Table, explain
from cgstore.mapping.fuzzy import UnmappedName
from cgstore.model import Answer, Mapping


def table(*cells: str) -> Table:
    return Table("1-1", ("Name", "Size"), tuple((str(n), cell) for n, cell in enumerate(cells)), "")


def asked(gold: str, query: Query, *cells: str) -> Question:
    return Question("1", "?", (gold,), annotation=Annotation(query, table(*cells)))


def kind_of_reason(
    cells: tuple[str, ...], value: str, nodes: tuple[str, ...] = (), op: str = "=", aggregate: str = "", select: int = 0
) -> str:
    question = asked("gold", Query(select, aggregate, (Condition(1, op, value),)), *cells)
    mappings = tuple(Mapping(value, "entity", node, 1.0, "exact") for node in nodes)
    return explain(question, Answer(("x",), "p", mappings=mappings), None).kind


@pytest.mark.parametrize(
    ("cells", "value", "nodes", "expected"),
    [
        (("Ulm", "ulm"), "Ulm", ("Ulm",), "cells that differ in case only"),
        (("Ulm", "Graz"), "ulm", ("ulm",), "which another source has exactly"),
        (("Ulm", "Ulm!"), "ulm", ("Ulm", "Ulm!"), "differ in punctuation"),
        (("60 minutes", "1 hour", "2 hours"), "60 Minutes", ("60 minutes",), "read as one number"),
    ],
)
def test_what_is_equal(cells: tuple[str, ...], value: str, nodes: tuple[str, ...], expected: str) -> None:
    assert expected in kind_of_reason(cells, value, nodes)


def test_texts_are_ordered_by_letters_in_sql() -> None:
    assert "SQL compares the letters" in kind_of_reason(("$5", "$40", "x"), "6", op=">")


@pytest.mark.parametrize(
    ("aggregate", "expected"), [("SUM", "computes with the digits"), ("MAX", "first or last by letters")]
)
def test_aggregates_of_texts(aggregate: str, expected: str) -> None:
    assert expected in kind_of_reason(("$5", "$40"), "$5", ("$5",), aggregate=aggregate, select=1)


def test_what_none_of_these_is_stays_unexplained() -> None:
    assert kind_of_reason(("Ulm", "Graz"), "Ulm", ("Ulm",)) == "not explained"


def test_refused_programs_say_why() -> None:
    query = Query(0, "", (Condition(1, "=", "mcrae"),))
    unmapped = UnmappedName("no entity is named 'mcrae'", "mcrae", (0, 5))
    nothing = Answer((), "")
    assert explain(asked("0", query, "McRae"), nothing, unmapped).kind == "a name in other case is not found"
    assert "no cell has the name" in explain(asked("0", query, "Roe"), nothing, unmapped).kind
    failed = explain(asked("0", query, "McRae"), nothing, QueryFailed("It took too long."))
    assert str(failed) == "the program is refused: It took too long."
