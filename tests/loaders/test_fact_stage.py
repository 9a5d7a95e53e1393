"""Staged statements against the definition: the same condition triples, each once."""

from __future__ import annotations

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


def test_the_same_statements_have_the_same_fingerprint_and_others_another() -> None:
    one, other = Statement("a", "r", "b"), Statement("a", "r", "c")
    prints = [staged(some).fingerprint for some in ([one], [one], [other], [one, other])]
    assert prints[0] == prints[1]
    assert len(set(prints)) == 3


def test_values_of_a_column_are_read_as_its_kind() -> None:
    cells = ["50%", "7.5%", "–", "12%", "3%", "99%"]
    lines = [Statement(f"[line_{i}]", "share", cell, (), Role.LINE, Role.VALUE) for i, cell in enumerate(cells, 1)]
    with staged(lines) as stage:
        (relation,) = stage.nodes(Role.RELATION)
        assert relation.kind == "percent"
        numbers = {
            stage.name_of(node): about.num
            for group in stage.groups()
            if group.condition and group.about
            for node, about in zip(group.node2, group.about, strict=True)
        }
    assert numbers == {"50%": 50, "7.5%": 7.5, "12%": 12, "3%": 3, "99%": 99}


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


def test_what_is_told_of_qualifiers_changes_the_fingerprint() -> None:
    plain = Statement("a", "r", "b", (("q", "v"),))
    prints = {staged([one]).fingerprint for one in (plain, plain._replace(terms=(QualifierTerms("http://e/q"),)))}
    assert len(prints) == 2


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


def _conditions(*statements: tuple[str, ...]) -> dict[tuple[str, ...], list[str]]:
    """The qualifiers of a fact that is stated with these, by their condition without the fact."""
    pairs = [tuple(zip(keys[::2], keys[1::2], strict=True)) for keys in statements]
    found: dict[tuple[str, ...], list[str]] = {}
    with staged([Statement("Ann", "RATED", "Up", each) for each in pairs]) as stage:
        for group in stage.groups():
            if len(group.condition) >= 3:
                said = [f"{stage.name_of(group.node1)} {stage.name_of(value)}" for value in group.node2]
                found.setdefault(group.condition[3:], []).extend(said)
    return found


def test_sets_of_qualifiers_are_statements_of_their_own_in_the_order_of_the_input() -> None:
    ratings = ("stars", "5", "on", "2020"), ("stars", "1", "on", "2021"), ("stars", "5", "on", "2019")
    assert _conditions(*ratings) == {
        (): ["stars 5", "on 2020"],
        ("#2",): ["stars 1", "on 2021"],
        ("#3",): ["stars 5", "on 2019"],
    }
    assert _conditions(("stars", "5"), ("on", "2020")) == {(): ["stars 5"], ("#2",): ["on 2020"]}


def test_statements_of_a_fact_are_noted() -> None:
    with staged(
        [
            Statement("Ann", "RATED", "Up", (("stars", "5"), ("on", "2020"))),
            Statement("Ann", "RATED", "Up", (("stars", "1"), ("on", "2021"))),
        ]
    ) as stage:
        assert stage.parallel == 1
        assert tuple(stage.notes()) == (
            "1 fact is stated several times with different qualifiers, and each statement keeps its own. "
            "Such as (Ann, RATED, Up) with stars 5, on 2020; or stars 1, on 2021.",
        )


def test_a_set_that_another_one_contains_is_not_a_statement() -> None:
    for statements in (
        [("stars", "5", "on", "2020"), ("on", "2020", "stars", "5")],
        [("stars", "5", "on", "2020"), ("stars", "5")],
        [(), ("stars", "5", "on", "2020")],
    ):
        assert list(_conditions(*statements)) == [()]
    others = ("stars", "1", "on", "2021"), ("stars", "5"), ("stars", "5", "on", "2020")
    assert _conditions(*others) == {(): ["stars 1", "on 2021"], ("#2",): ["stars 5", "on 2020"]}


def test_values_of_one_key_are_one_statement() -> None:
    assert _conditions(("on", "2020"), ("on", "2021")) == {(): ["on 2020", "on 2021"]}


def test_only_sources_with_several_statements_of_a_fact_have_another_fingerprint_than_before() -> None:
    ratings = [Statement("Ann", "RATED", "Up", (("stars", n), ("on", f"202{n}"))) for n in "12"]
    with staged([ratings[0], ratings[1]._replace(tail="Alien")]) as stage:
        assert stage.parallel is None
        assert stage.fingerprint.startswith("62dc55ae4b78f1")
    with staged(ratings) as stage:
        assert not stage.fingerprint.startswith("2afb7a36a06e39")
