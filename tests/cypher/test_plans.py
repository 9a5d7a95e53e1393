"""Neo4j's plan of every rule and function: an index seek at each step, never a scan or a hub expanded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from cgstore.cypher.alternatives import Alternative, alternative
from cgstore.cypher.compile.statement import compile_plan
from cgstore.cypher.connection import Database
from cgstore.query.plan import Plan
from cgstore.query.rules import FACT_RULES, RULES
from cgstore.query.sources import SourceScope
from cgstore.store import Store
from tests.conftest import wipe
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
    plan_of,
)
from tests.share import share


class Case(NamedTuple):
    """A program, what is asked, and how far the times of its source are apart."""

    program: str
    asked: SourceScope = ASKED
    step: str = "year"

    def plan(self, asked: SourceScope | None = None) -> Plan:
        return plan_of(self.program, asked or self.asked, step=self.step)

    @property
    def then(self) -> SourceScope:
        """What is asked, as of an earlier change."""
        return replace(self.asked, changes=(2,) * len(self.asked.sources))


CASES = {
    **{f"rule {letters}": Case(call(letters, ARGUMENTS)) for letters in RULES},
    **{f"time rule {letters}": Case(call(letters, TIME_ARGUMENTS)) for letters in FACT_RULES},
    **{f"qualifier rule {letters}": Case(call(letters, QUALIFIER_ARGUMENTS)) for letters in FACT_RULES},
    **{name: Case(program) for name, program in PROGRAMS.items()},
    **{f"table {name}": Case(program, TABLE) for name, program in TABLE_PROGRAMS.items()},
    **{f"period {name}": Case(program, step="day") for name, program in PERIOD_PROGRAMS.items()},
    "compare by a number of any relation": Case("compare(count(get_information(tail_entity='5')), count('Sorbonne'))"),
    "compare by a qualifier": Case("compare(count(get_information(key='as', value='5')), count('Sorbonne'))"),
    "mean of numbers": Case("mean(set1=count('Sorbonne'), set2=abs(get_information(relation='spouse')))"),
}


@pytest.fixture(scope="module")
def indexed(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Database:
    """A database with the schema and few facts: with fewer rows than an index is worth, the planner would scan."""
    wipe(shared_db)
    path = tmp_path_factory.mktemp("plans") / "plans.tsv"
    path.write_text("".join(f"h{n % 7}\tr{n % 3}\tt{n % 5}\t{1990 + n}\t{1995 + n}\n" for n in range(4)))
    Store(shared_db).load_tkg(path, header=False)
    shared_db.write("CALL db.clearQueryCaches()")  # what was planned for another graph is not looked at
    return shared_db


def operators(plan: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every operator of a plan with its details."""
    yield plan["operatorType"].split("@")[0], plan["args"].get("Details", "")
    for child in plan.get("children", ()):
        yield from operators(child)


def assert_only_seeks(db: Database, text: str, parameters: dict[str, Any]) -> None:
    with db.session() as session:
        plan = session.run(f"EXPLAIN {text}", parameters).consume().plan
    assert plan is not None
    found = list(operators(plan))
    for operator, details in found:
        assert "Scan" not in operator, (operator, details)
        assert operator not in ("CartesianProduct", "NodeHashJoin", "ValueHashJoin") or "MATCH" not in details
        if operator.startswith(("Expand", "VarLengthExpand", "OptionalExpand")):
            # the relations of a head, and those of a tail in fewer relationships than there are relations
            assert any(name in details for name in ("has:CG_HAS", "h:CG_HAS", "few:CG_VALUE")), (operator, details)
    seeks = [details for operator, details in found if operator.endswith("IndexSeek")]
    assert seeks or not any("VALUE" in details for _, details in found)


def assert_readings_only_seek(db: Database, readings: Alternative) -> None:
    assert "$p" not in readings.text
    assert_only_seeks(db, readings.text, {**readings.shared, "readings": [{"place": 0, **readings.own}]})


# Planning takes most of the time, and the searches are the same in many programs: few of the past are planned.


@pytest.mark.parametrize("name", share(sorted(CASES), 2))
def test_a_program_is_planned_by_index_seek_at_every_step(indexed: Database, name: str) -> None:
    statement = compile_plan(CASES[name].plan(), CASES[name].asked)
    assert_only_seeks(indexed, statement.text, statement.parameters)


@pytest.mark.parametrize("name", share(sorted(CASES), 3))
def test_readings_are_planned_by_index_seek_at_every_step(indexed: Database, name: str) -> None:
    assert_readings_only_seek(indexed, alternative(CASES[name].plan(), CASES[name].asked))


@pytest.mark.parametrize("name", share(sorted(CASES), 9))
def test_a_program_of_the_past_and_its_readings_are_planned_by_index_seek(indexed: Database, name: str) -> None:
    plan, then = CASES[name].plan(CASES[name].then), CASES[name].then
    statement = compile_plan(plan, then)
    assert_only_seeks(indexed, statement.text, statement.parameters)
    assert_readings_only_seek(indexed, alternative(plan, then))


def test_the_plan_check_sees_a_scan(indexed: Database) -> None:
    with pytest.raises(AssertionError):
        assert_only_seeks(indexed, "MATCH (n:CgNode) WHERE n.name = 'x' RETURN n", {})
    with pytest.raises(AssertionError):
        assert_only_seeks(indexed, "MATCH (n:CgNode {key: 'x'})-[r:CG_VALUE]->() RETURN r", {})


@pytest.mark.parametrize("name", sorted(CASES))
def test_searches_of_the_past_read_the_past_too_and_those_of_the_present_do_not(name: str) -> None:
    case = CASES[name]
    assert_reads_both(compile_plan(case.plan(case.then), case.then).text)
    assert_reads_both(alternative(case.plan(case.then), case.then).text)
    present = compile_plan(case.plan(), case.asked)
    assert "CG_WAS_" not in present.text
    assert "at" not in present.parameters


def assert_reads_both(text: str) -> None:
    """Every line that reads a relationship reads both types, or has its twin that reads what was removed."""
    lines = [line for line in text.splitlines() if re.search(r"\bCG_(WAS_)?(HAS|VALUE|PERIOD)\b", line)]
    alone = [line for line in lines if "|CG_WAS_" not in line]
    of_now = Counter(line for line in alone if "CG_WAS_" not in line)
    of_then = Counter(line.replace("CG_WAS_", "CG_") for line in alone if "CG_WAS_" in line)
    assert of_now == of_then
    matches = sum("MATCH" in line and "COUNT {" not in line for line in lines)
    assert text.count(".added, 0) <= $at[") >= matches
    assert text.count(".removed > $at[") >= matches / 2
