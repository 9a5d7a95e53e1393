"""The rules: every combination of arguments has one, and names never reach the text of a statement."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from cgstore.cypher.compile.statement import compile_plan
from cgstore.query.parse import ProgramError, parse
from cgstore.query.planner import make_plan
from tests.rule_cases import ARGUMENTS, ASKED, TIME_ARGUMENTS, call, names_of, statement_of


def test_every_combination_of_arguments_has_a_rule_or_an_error() -> None:
    for count, arguments in itertools.product(range(1, 6), (ARGUMENTS, TIME_ARGUMENTS)):
        for letters in itertools.combinations("hrtkv", count):
            text = call("".join(letters), arguments)
            try:
                assert "RETURN answer" in statement_of(text).text
            except ProgramError as error:
                assert "needs its key" in error.message
                assert {"t", "v"} <= set(letters)
                assert "k" not in letters, letters


def test_programs_of_one_shape_share_one_text() -> None:
    def text_of(head: str, year: str) -> str:
        arguments = f"head_entity='{head}', relation='spouse', key='time', value='{year}'"
        return statement_of(f"get_information({arguments})").text

    assert text_of("Marie Curie", "1900") == text_of("spouse", "1895-04") == text_of("x'}) DELETE r //", "1")


@pytest.mark.parametrize("name", ["Robert'); DROP", "`n`", "$p1", "}) DETACH DELETE n //", "\\u0027", "\n"])
def test_a_name_never_reaches_the_text_of_a_statement(name: str) -> None:
    text = "get_information(head_entity='x', relation='spouse', tail_entity='t', key='time', value='1900')"
    names = names_of(text)
    hostile = {
        place: replace(
            n, nodes=tuple(node._replace(key=name, name=node.name if node.built_in else name) for node in n.nodes)
        )
        for place, n in names.items()
    }
    texts = [compile_plan(make_plan(parse(text), n, ASKED), ASKED).text for n in (names, hostile)]
    assert texts[0] == texts[1]
