"""Staged statements against the definition: the same condition triples, each once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.loaders.fact_stage import FactStage
from cgstore.loaders.readers.records import PLAIN, QualifierTerms, Statement
from cgstore.model import Role
from tests.loaders.definition import condition_triples

NAMES = st.text(max_size=3)
STATEMENTS = st.builds(
    Statement,
    head=NAMES,
    relation=NAMES,
    tail=NAMES,
    qualifiers=st.lists(st.tuples(NAMES, NAMES), max_size=3).map(tuple),
    head_role=st.just(Role.ENTITY),  # a source has heads of one role
    tail_role=st.sampled_from([Role.ENTITY, Role.VALUE]),
)
OF_ONE_FACT = st.builds(
    Statement,
    head=st.just("h"),
    relation=st.just("r"),
    tail=st.just("t"),
    qualifiers=st.lists(st.tuples(st.sampled_from("pq"), st.sampled_from("xyz")), max_size=4).map(tuple),
    head_role=st.just(Role.ENTITY),
    tail_role=st.just(Role.ENTITY),
)
"""Few enough that sets of qualifiers contain one another."""

Plain = tuple[str, str, tuple[str, ...]]


def staged(statements: list[Statement]) -> FactStage:
    stage = FactStage("s", in_memory=True)
    for statement in statements:
        stage.add(statement)
    stage.settle()
    return stage


def triples(stage: FactStage) -> list[Plain]:
    keys = {node.id: node.key for role in Role for node in stage.nodes(role)}
    return sorted((keys[g.node1], keys[node], g.condition) for g in stage.groups() for node in g.node2)


def defined(statements: list[Statement]) -> list[Plain]:
    every = condition_triples(statements, "s")
    return sorted({(t.node1.key, t.node2.key, tuple(node.name for node in t.condition)) for t in every})


@given(st.lists(STATEMENTS | OF_ONE_FACT, max_size=12))
def test_the_triples_are_those_of_the_definition(statements: list[Statement]) -> None:
    with staged(statements) as stage:
        assert triples(stage) == defined(statements)
        assert stage.has + stage.value == len(triples(stage))
        assert stage.fact_count == len({statement[:3] for statement in statements})


def test_iris_and_the_suffixes_of_literals_are_kept() -> None:
    about = {"iris": ("http://e/a", "http://e/r", "")}
    statements = [
        Statement("a", "r", "x", tail_role=Role.VALUE, language="en", **about),  # type: ignore[arg-type]
        Statement("a", "r", "x", tail_role=Role.VALUE, **about),  # type: ignore[arg-type]
        Statement("a", "s", "b", iris=("http://e/a", "http://e/s", "http://e/b")),
    ]
    with staged(statements) as stage:
        groups = list(stage.groups())
    assert {group.iri for group in groups if not group.condition} == {"http://e/a"}
    told = [about for group in groups if group.condition for about in group.about or ()]
    assert sorted((a.iri or "", a.literal or []) for a in told) == [("", [PLAIN, "@en"]), ("http://e/b", [])]


def test_relations_and_keys_keep_their_iris_and_values_of_qualifiers_what_they_were() -> None:
    told = (
        QualifierTerms("http://e/q", "http://e/v"),
        QualifierTerms("http://e/q", "", "@en"),
        QualifierTerms("http://e/q", "", PLAIN),
    )
    pairs = (("q", "v"), ("q", "v"), ("q", "w"))
    with staged([Statement("a", "r", "b", pairs, iris=("http://e/a", "http://e/r", ""), terms=told)]) as stage:
        owned = {node.name: node.iri for role in (Role.RELATION, Role.KEY) for node in stage.nodes(role)}
        (about,) = (group.about for group in stage.groups() if len(group.condition) == 3)
    assert owned == {"r": "http://e/r", "q": "http://e/q"}
    assert [(one.iri, one.literal) for one in about or ()] == [("http://e/v", ["<>", "@en"]), (None, [PLAIN])]


def test_an_iri_and_a_literal_of_one_name_are_told_apart() -> None:
    iris = ("http://e/a", "http://e/r", "http://e/x")
    literal = Statement("a", "r", "x", tail_role=Role.VALUE, iris=(*iris[:2], ""))
    for statements, expected in (
        ([literal], [PLAIN]),
        ([literal, Statement("a", "r", "x", iris=iris)], [PLAIN, "<>"]),
    ):
        with staged(statements) as stage:
            (about,) = (group.about for group in stage.groups() if group.condition)
        assert about and about[0].literal == expected


def _reads(relations: int) -> int:
    """Statements that SQLite runs to settle facts of so many relations."""
    with FactStage("s", in_memory=True) as stage:
        for number in range(300):
            stage.add(Statement(f"h{number}", f"r{number % relations}", f"t{number}"))
        run: list[str] = []
        stage.sql.set_trace_callback(run.append)
        stage.settle()
        return len(run)


def test_many_relations_do_not_make_more_passes_over_the_facts() -> None:
    assert _reads(200) == _reads(2)


def test_a_fingerprint_is_that_of_the_statements_and_the_same_in_every_version() -> None:
    one, other = Statement("a", "r", "b", (("q", "v"),)), Statement("a", "r", "c")
    told = one._replace(terms=(QualifierTerms("http://e.org/q"),))
    prints = [staged(some).fingerprint for some in ([one], [one], [other], [one, other], [told])]
    assert prints[0] == prints[1] and len(set(prints)) == 4
    ratings = [
        Statement("Ann", "RATED", tail, (("stars", n), ("on", f"202{n}"))) for tail, n in (("Up", "1"), ("Alien", "2"))
    ]
    with staged(ratings) as stage:
        assert stage.parallel is None and stage.fingerprint.startswith("62dc55ae4b78f1")


@pytest.mark.parametrize(
    ("stated", "kept"),
    [
        (["stars=5 on=20", "stars=1 on=21", "stars=5 on=19"], ["stars=5 on=20", "stars=1 on=21", "stars=5 on=19"]),
        (["stars=5", "on=2020"], ["stars=5", "on=2020"]),
        (["stars=5 on=2020", "on=2020 stars=5"], ["stars=5 on=2020"]),
        (["stars=5 on=2020", "stars=5"], ["stars=5 on=2020"]),
        (["", "stars=5 on=2020"], ["stars=5 on=2020"]),
        (["stars=1 on=2021", "stars=5", "stars=5 on=2020"], ["stars=1 on=2021", "stars=5 on=2020"]),
        (["on=2020", "on=2021"], ["on=2020 on=2021"]),
    ],
)  # fmt: skip
def test_sets_of_qualifiers_are_statements_in_the_order_of_the_input(stated: list[str], kept: list[str]) -> None:
    """Those that another one contains are none, and the values of one key are one statement."""
    pairs = [tuple((key, value) for key, _, value in (q.partition("=") for q in each.split())) for each in stated]
    found: dict[tuple[str, ...], list[str]] = {}
    with staged([Statement("Ann", "RATED", "Up", each) for each in pairs]) as stage:
        for group in stage.groups():
            if len(group.condition) >= 3:
                said = [f"{stage.name_of(group.node1)}={stage.name_of(value)}" for value in group.node2]
                found.setdefault(group.condition[3:], []).extend(said)
    assert list(found) == [(), *((f"#{number}",) for number in range(2, len(kept) + 1))]
    assert [" ".join(each) for each in found.values()] == kept
