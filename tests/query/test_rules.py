"""Every rule as a file that can be read: the arguments, the execution query, and the Cypher that it compiles to."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from cgstore.cypher.compile.statement import compile_plan
from cgstore.query.parse import ProgramError, parse
from cgstore.query.planner import make_plan
from cgstore.query.rules import FACT_RULES, RULES
from cgstore.query.sources import SourceScope
from tests.rule_cases import (
    ARGUMENTS,
    ASKED,
    PERIOD_PROGRAMS,
    PROGRAMS,
    QUALIFIER_ARGUMENTS,
    TABLE,
    TABLE_PROGRAMS,
    TIME_ARGUMENTS,
    call,
    names_of,
    plan_of,
    statement_of,
)


def compiled(text: str, asked: SourceScope = ASKED, *, step: str = "year") -> str:
    """The program, its execution query, its statement and parameters as one text."""
    plan, statement = (of(text, asked, step=step) for of in (plan_of, statement_of))
    steps = enumerate(zip(plan.steps, plan.types, strict=True), start=1)
    parts = [
        *(f"// {line}" for line in text.splitlines()),
        "//",
        *(f"// step {number}: {step}  [{output.kind}]" for number, (step, output) in steps),
        "",
        statement.text,
        "",
        *(f"// ${name} = {value!r}" for name, value in statement.parameters.items()),
    ]
    return "\n".join(parts) + "\n"


class CypherFiles(SingleFileSnapshotExtension):
    """One text file a snapshot, named after its rule."""

    _write_mode = WriteMode.TEXT
    file_extension = "cypher"


@pytest.fixture
def cypher_file(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(CypherFiles)


@pytest.mark.parametrize("letters", sorted(RULES))
def test_rule(letters: str, cypher_file: SnapshotAssertion) -> None:
    assert compiled(call(letters, ARGUMENTS)) == cypher_file


@pytest.mark.parametrize("letters", sorted(FACT_RULES))
def test_time_rule(letters: str, cypher_file: SnapshotAssertion) -> None:
    assert compiled(call(letters, TIME_ARGUMENTS)) == cypher_file


@pytest.mark.parametrize("letters", ["kv", "hkv", "hrk", "rtkv", "htkv"])
def test_rule_with_a_qualifier(letters: str, cypher_file: SnapshotAssertion) -> None:
    assert compiled(call(letters, QUALIFIER_ARGUMENTS)) == cypher_file


@pytest.mark.parametrize("name", sorted(TABLE_PROGRAMS))
def test_table_program(name: str, cypher_file: SnapshotAssertion) -> None:
    assert compiled(TABLE_PROGRAMS[name], TABLE) == cypher_file


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_program(name: str, cypher_file: SnapshotAssertion) -> None:
    assert compiled(PROGRAMS[name]) == cypher_file


@pytest.mark.parametrize("name", sorted(PERIOD_PROGRAMS))
def test_program_over_periods(name: str, cypher_file: SnapshotAssertion) -> None:
    assert compiled(PERIOD_PROGRAMS[name], step="day") == cypher_file


def test_every_combination_of_arguments_has_a_rule_or_an_error() -> None:
    for count, arguments in itertools.product(range(1, 6), (ARGUMENTS, TIME_ARGUMENTS)):
        for letters in itertools.combinations("hrtkv", count):
            text = call("".join(letters), arguments)
            try:
                assert "RETURN answer" in compiled(text)
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
