"""search_node and search_condition over a small graph that can be read."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, QueryFailed
from cgstore.store import Store
from tests.query.corpus import load

PHYSICS = ("Marie Curie", "award received", "Nobel Prize in Physics")
CHEMISTRY = ("Marie Curie", "award received", "Nobel Prize in Chemistry")
OF_PIERRE = ("Pierre Curie", *PHYSICS[1:])
SPOUSE = ("Marie Curie", "spouse", "Pierre Curie")


@pytest.fixture(scope="module")
def store(shared_db: Database) -> Store:
    return load(shared_db, "curie")


@pytest.mark.parametrize(
    ("node", "given", "found"),
    [
        ("award received", ["Marie Curie"], ["Nobel Prize in Chemistry", "Nobel Prize in Physics"]),
        ("award received", ["Nobody"], []),
        ("spouse", [], ["Pierre Curie"]),
        ("Marie Curie", [], ["award received", "spouse"]),
        ("time", [CHEMISTRY], ["1911"]),
        ("start_time", [CHEMISTRY], ["1911"]),
        ("start time", [[PHYSICS, CHEMISTRY]], ["1903", "1911"]),
        ("start_time", [(PHYSICS, CHEMISTRY)], ["1903", "1911"]),
        ("time", [[]], []),
    ],
)
def test_a_search_for_nodes_gives_what_stands_under_its_conditions(
    store: Store, node: str, given: list[object], found: list[str]
) -> None:
    assert store.search_node(node, *given, sources="curie") == found  # type: ignore[arg-type]


def test_a_scope_narrows_the_conditions(store: Store) -> None:
    assert store.search_node("time", [PHYSICS, CHEMISTRY], scope=[CHEMISTRY], sources=["curie"]) == ["1911"]
    assert store.search_node("time", scope=[CHEMISTRY], sources=["curie"]) == ["1911"]
    then = store.search_condition("time", 1911, sources=["curie"])
    for head, found in ((None, [CHEMISTRY[2]]), ("Marie Curie", [CHEMISTRY[2]]), ("Pierre Curie", [])):
        assert store.search_node("award received", head, scope=then, sources=["curie"]) == found


@pytest.mark.parametrize(
    ("key", "op", "value", "found"),
    [
        ("time", "=", "1911", [CHEMISTRY]),
        ("end_time", "=", "1911", [CHEMISTRY]),
        ("time", ">", "1906", [CHEMISTRY]),
        ("time", ">=", "1911", [CHEMISTRY]),
        ("time", "<", "1904", [PHYSICS, SPOUSE, OF_PIERRE]),
        ("time", "<=", "1894-12-31", []),
        ("time", "=", "1903-05", []),
        ("award received", "=", "Nobel Prize in Physics", [("Marie Curie",), ("Pierre Curie",)]),
        ("award received", "=", "Nothing", []),
    ],
)
def test_a_search_for_conditions_gives_heads_or_facts(
    store: Store, key: str, op: str, value: str, found: list[tuple[str, ...]]
) -> None:
    assert store.search_condition(key, value, op, sources=["curie"]) == found


@pytest.mark.parametrize(
    ("key", "value", "op", "problem"),
    [
        ("time", "1911", "!=", "not a comparison"),
        ("award received", "Nobel Prize in Physics", ">", "not a number or time"),
        ("award recieved", "Nobel Prize in Physics", "=", "'award received'"),
    ],
)
def test_a_comparison_that_means_nothing_is_refused(store: Store, key: str, value: str, op: str, problem: str) -> None:
    with pytest.raises(BadInput) as refused:
        store.search_condition(key, value, op, sources=["curie"])
    assert problem in str(refused.value)


@pytest.mark.parametrize("name", ["'; MATCH (n) DETACH DELETE n //", "`x`", "$keys", "}) RETURN 1 //", "\\u0027"])
def test_an_injection_attempt_is_a_name_like_any_other(store: Store, name: str) -> None:
    assert store.search_node("spouse", name, sources=["curie"]) == []
    assert store.search_condition("spouse", name, sources=["curie"]) == []
    with pytest.raises(BadInput, match="No relation or key is named"):
        store.search_node(name, name)
    assert store.search_node("spouse", "Marie Curie", sources=["curie"]) == ["Pierre Curie"]


def test_a_read_is_stopped_at_its_timeout(store: Store) -> None:
    with pytest.raises(QueryFailed, match="ran out of time"):
        store.db.read("UNWIND range(1, 100000000) AS x WITH x WHERE x % 7 = 8 RETURN count(x)", timeout=0.2)


def test_a_read_cannot_write(store: Store) -> None:
    with pytest.raises(QueryFailed):
        store.db.read("CREATE (n:CgNode {key: 'written'}) RETURN n")
    assert store.db.read("MATCH (n:CgNode {key: 'written'}) RETURN n") == []
