"""The time to plan a program grows with its length, and not with the number of ways through its steps."""

from __future__ import annotations

import pytest

from cgstore.query.operands import OutputKind
from cgstore.query.parse import MAX_QUERIES
from tests.rule_cases import ASKED, TABLE, plan_of, statement_of

TWICE = {
    "set_union": "set_union(set1='{0}', set2='{0}')",
    "set_intersection": "set_intersection(set1='{0}', set2='{0}')",
    "if": "if(value1='1', value2='0', then='{0}', else='{0}')",
    "keep": "keep(set='{0}', value='{0}')",
    "max": "max(set1='{0}', set2='{0}')",
}
"""Calls that use one output twice: a walk over the steps before would double with each."""


def chain(first: str, call: str, last: str) -> str:
    """As many queries as are allowed, each of which uses the one before twice."""
    lines = [first, *(call.format(f"output_of_query{number}") for number in range(1, MAX_QUERIES - 1))]
    return "\n".join([*lines, last.format(f"output_of_query{MAX_QUERIES - 1}")])


@pytest.mark.parametrize("call", sorted(TWICE))
def test_a_chain_that_uses_each_output_twice_is_planned(call: str) -> None:
    times = "get_information(relation='spouse', key='time')"
    plan = plan_of(chain(times, TWICE[call], "mean(set='{}')"), ASKED)
    assert plan.types[plan.answer].kind is OutputKind.NUMBERS
    program = chain("get_information(relation='Points')", TWICE[call], "argmax(set='{}')")
    assert plan_of(program, TABLE).types[-1].kind is OutputKind.ROWS
    assert len(statement_of(program, TABLE).text) < 100_000
