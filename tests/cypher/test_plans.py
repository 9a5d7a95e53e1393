"""Neo4j's plan of every rule, function and primitive: an index seek at each step, never a scan or a hub expanded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cgstore.cypher.connection import Database
from cgstore.cypher.primitives import STATEMENTS
from cgstore.query.rules import FACT_RULES, RULES
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
    statement_of,
)
from tests.share import share

CASES = {
    **{f"rule {letters}": call(letters, ARGUMENTS) for letters in RULES},
    **{f"time rule {letters}": call(letters, TIME_ARGUMENTS) for letters in FACT_RULES},
    **{f"qualifier rule {letters}": call(letters, QUALIFIER_ARGUMENTS) for letters in FACT_RULES},
    **PROGRAMS,
    "compare by a number of any relation": "compare(count(get_information(tail_entity='5')), count(set='Sorbonne'))",
    "compare by a qualifier": "compare(count(get_information(key='as', value='5')), count(set='Sorbonne'))",
    "mean of numbers": "mean(set1=count(set='Sorbonne'), set2=abs(get_information(relation='spouse')))",
}

PARAMETERS = {"keys": [], "heads": [], "head": "", "sources": [], "conditions": None, "scope": None, "facts": None}
PARAMETERS |= {"node2": "", "low": 0.0, "high": 0.0}


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


@pytest.mark.parametrize("name", share(sorted(CASES), 2))
def test_a_program_is_planned_by_index_seek_at_every_step(indexed: Database, name: str) -> None:
    statement = statement_of(CASES[name], ASKED)
    assert_only_seeks(indexed, statement.text, statement.parameters)


@pytest.mark.parametrize("name", sorted(TABLE_PROGRAMS))
def test_a_program_over_a_table_is_planned_by_index_seek_at_every_step(indexed: Database, name: str) -> None:
    statement = statement_of(TABLE_PROGRAMS[name], TABLE)
    assert_only_seeks(indexed, statement.text, statement.parameters)


@pytest.mark.parametrize("name", sorted(PERIOD_PROGRAMS))
def test_a_program_over_periods_is_planned_by_index_seek_at_every_step(indexed: Database, name: str) -> None:
    statement = statement_of(PERIOD_PROGRAMS[name], step="day")
    assert_only_seeks(indexed, statement.text, statement.parameters)


@pytest.mark.parametrize("name", sorted(STATEMENTS))
def test_a_primitive_is_planned_by_index_seek(indexed: Database, name: str) -> None:
    assert_only_seeks(indexed, STATEMENTS[name], PARAMETERS)


def test_the_plan_check_sees_a_scan(indexed: Database) -> None:
    with pytest.raises(AssertionError):
        assert_only_seeks(indexed, "MATCH (n:CgNode) WHERE n.name = 'x' RETURN n", {})
    with pytest.raises(AssertionError):
        assert_only_seeks(indexed, "MATCH (n:CgNode {key: 'x'})-[r:CG_VALUE]->() RETURN r", {})
