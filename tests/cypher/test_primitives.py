"""search_node and search_condition over a small graph that can be read."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, QueryFailed
from cgstore.store import Store
from tests.conftest import wipe

FACTS = """\
Marie Curie\tspouse\tPierre Curie\t1895\t1906
Marie Curie\taward received\tNobel Prize in Physics\t1903\t1903
Marie Curie\taward received\tNobel Prize in Chemistry\t1911\t1911
Pierre Curie\taward received\tNobel Prize in Physics\t1903\t1903
"""

PHYSICS = ("Marie Curie", "award received", "Nobel Prize in Physics")
CHEMISTRY = ("Marie Curie", "award received", "Nobel Prize in Chemistry")


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    path = tmp_path_factory.mktemp("curie") / "curie.tsv"
    path.write_text(FACTS)
    store = Store(shared_db)
    store.load_tkg(path, header=False)
    return store


def test_a_relation_under_a_head_gives_its_tails(store: Store) -> None:
    assert store.search_node("award received", "Marie Curie") == ["Nobel Prize in Chemistry", "Nobel Prize in Physics"]


def test_a_key_under_a_fact_gives_its_values(store: Store) -> None:
    assert store.search_node("time", CHEMISTRY) == ["1911"]


def test_several_conditions_give_the_union(store: Store) -> None:
    assert store.search_node("start time", [PHYSICS, CHEMISTRY]) == ["1903", "1911"]


def test_a_scope_narrows_the_conditions(store: Store) -> None:
    assert store.search_node("time", [PHYSICS, CHEMISTRY], scope=[CHEMISTRY]) == ["1911"]
    assert store.search_node("time", scope=[CHEMISTRY]) == ["1911"]


def test_a_head_without_condition_gives_its_relations(store: Store) -> None:
    assert store.search_node("Marie Curie") == ["award received", "spouse"]


def test_a_relation_without_condition_gives_all_its_values(store: Store) -> None:
    assert store.search_node("spouse") == ["Pierre Curie"]


def test_an_empty_condition_set_gives_nothing(store: Store) -> None:
    assert store.search_node("time", []) == []


def test_a_tail_gives_its_heads(store: Store) -> None:
    assert store.search_condition("award received", "Nobel Prize in Physics") == [("Marie Curie",), ("Pierre Curie",)]


@pytest.mark.parametrize(
    ("op", "year", "found"),
    [
        ("=", "1911", [CHEMISTRY]),
        (">", "1903", [CHEMISTRY]),
        (">=", "1911", [CHEMISTRY]),
        ("<", "1904", [PHYSICS, ("Pierre Curie", *PHYSICS[1:])]),
        ("<=", "1902-12-31", []),
        ("=", "1903-05", []),
    ],
)
def test_an_order_comparison_gives_facts(store: Store, op: str, year: str, found: list[tuple[str, ...]]) -> None:
    awards = [c for c in store.search_condition("time", year, op) if c[1] == "award received"]
    assert awards == found


def test_an_unknown_name_gives_nothing(store: Store) -> None:
    assert store.search_node("award received", "Nobody") == []
    assert store.search_condition("award received", "Nothing") == []


def test_an_unknown_operator_is_refused(store: Store) -> None:
    with pytest.raises(BadInput, match="not a comparison"):
        store.search_condition("time", "1911", "!=")


def test_an_order_comparison_with_a_name_is_refused(store: Store) -> None:
    with pytest.raises(BadInput, match="not a number or time"):
        store.search_condition("award received", "Nobel Prize in Physics", ">")


def test_a_read_is_stopped_at_its_timeout(store: Store) -> None:
    with pytest.raises(QueryFailed, match="ran out of time"):
        store.db.read("UNWIND range(1, 100000000) AS x WITH x WHERE x % 7 = 8 RETURN count(x)", timeout=0.2)


def test_a_read_cannot_write(store: Store) -> None:
    with pytest.raises(QueryFailed):
        store.db.read("CREATE (n:CgNode {key: 'written'}) RETURN n")
    assert store.db.read("MATCH (n:CgNode {key: 'written'}) RETURN n") == []


@pytest.mark.parametrize("name", ["'; MATCH (n) DETACH DELETE n //", "`x`", "$keys", "}) RETURN 1 //", "\\u0027"])
def test_an_injection_attempt_is_a_name_like_any_other(store: Store, name: str) -> None:
    assert store.search_node("spouse", name) == []
    assert store.search_condition("spouse", name) == []
    with pytest.raises(BadInput, match="No relation or key is named"):
        store.search_node(name, name)
    assert store.search_node("spouse", "Marie Curie") == ["Pierre Curie"]


def test_facts_found_by_time_are_a_scope_for_their_relation(store: Store) -> None:
    then = store.search_condition("time", 1911)
    assert store.search_node("award received", scope=then) == ["Nobel Prize in Chemistry"]
    assert store.search_node("award received", "Marie Curie", scope=then) == ["Nobel Prize in Chemistry"]
    assert store.search_node("award received", "Pierre Curie", scope=then) == []
    assert store.search_node("start_time", tuple(then)) == ["1911"]


def test_a_key_is_found_by_its_normalised_name(store: Store) -> None:
    assert store.search_node("start_time", CHEMISTRY) == store.search_node("start time", CHEMISTRY) == ["1911"]
    assert store.search_condition("end_time", "1911") == [CHEMISTRY]


def test_one_source_may_be_given_as_a_text(store: Store) -> None:
    assert store.search_node("spouse", "Marie Curie", sources="curie") == ["Pierre Curie"]


def test_an_unknown_relation_suggests_the_nearest(store: Store) -> None:
    with pytest.raises(BadInput) as caught:
        store.search_node("award recieved", "Marie Curie")
    assert "'award received'" in str(caught.value)
