"""Programs against a real Neo4j: every answer equals the definition's, and its evidence proves it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cgstore.model import Answer
from cgstore.query.parse import ProgramError
from cgstore.store import Store
from tests.conftest import wipe
from tests.cypher.oracle import Arguments, TemporalFact, get_information, satisfies

NAMES = ["Ann", "O'Hare", "Ω 東京", 'say "hi"', "a, b = (c)", "`x` $p1 })", "1984", "1,984.0", "time"]
RELATIONS = ["plays for", "knows", "Ann", "born 'in'"]


def random_facts(seed: int, count: int) -> list[TemporalFact]:
    """Facts over few names, so that they collide: names that are heads, tails, relations, numbers and keys at once."""
    rng = random.Random(seed)
    facts = []
    for _ in range(count):
        start = rng.randint(1990, 2000)
        end = start + rng.choice([0, 0, 1, 3])
        facts.append(TemporalFact(rng.choice(NAMES), rng.choice(RELATIONS), rng.choice(NAMES), start, end))
    return facts


FACTS = random_facts(seed=1, count=60)


@pytest.fixture(scope="module")
def store(shared_db, tmp_path_factory: pytest.TempPathFactory) -> Store:  # type: ignore[no-untyped-def]
    """A store with the random facts as source `random`, and other facts with the same names as source `noise`."""
    wipe(shared_db)
    store = Store(shared_db)
    for name, facts in (("random", FACTS), ("noise", random_facts(seed=2, count=60))):
        path = tmp_path_factory.mktemp("facts") / f"{name}.tsv"
        write_facts(path, facts)
        store.load_tkg(path, header=False)
    return store


def write_facts(path: Path, facts: list[TemporalFact]) -> None:
    path.write_text("".join("\t".join(map(str, fact)) + "\n" for fact in facts), encoding="utf-8")


def quoted(name: str) -> str:
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def program_of(a: Arguments) -> str:
    parts = [f"head_entity={quoted(a.head)}"] if a.head else []
    parts += [f"relation={quoted(a.relation)}"] if a.relation else []
    parts += [f"tail_entity{op}{quoted(text)}" for op, text in a.tail]
    parts += [f"key='{a.key}'"] if a.key else []
    parts += [f"value{op}{quoted(text)}" for op, text in a.value]
    return f"get_information({', '.join(parts)})"


def gives_facts(a: Arguments) -> bool:
    return bool(a.key and a.value) and not (a.relation or a.tail)


def nodes(a: Arguments) -> set[tuple[str, bool]]:
    """The answer with whether it is relations: an entity and a relation of one name are two nodes."""
    relations = a.head is not None and a.relation is None and not (a.key and (not a.value or not a.tail))
    return {(name, relations) for name in get_information(FACTS, a)}


OPS = st.sampled_from(["=", "<", ">", "<=", ">="])
YEARS = st.integers(1988, 2005).map(str)
TAILS = st.tuples(st.just("="), st.sampled_from(NAMES)) | st.tuples(OPS, st.sampled_from(["1984", "1,000", "2000"]))
KEYS = st.sampled_from(["time", "start_time", "end_time"])


@st.composite
def arguments(draw: st.DrawFn) -> Arguments:
    """Any combination of arguments that has a rule."""
    key = draw(st.none() | KEYS)
    value = tuple(draw(st.lists(st.tuples(OPS, YEARS), max_size=2))) if key else ()
    head = draw(st.none() | st.sampled_from(NAMES))
    relation = draw(st.none() | st.sampled_from(RELATIONS))
    tail = tuple(draw(st.lists(TAILS, max_size=1)))
    if not (head or relation or tail or key):
        relation = draw(st.sampled_from(RELATIONS))
    return Arguments(head, relation, tail, key, value)


def facts_of(answer: Answer) -> list[TemporalFact]:
    """The facts that the evidence speaks of, each with one year that it shows."""
    return [
        TemporalFact(*triple.condition, start=int(triple.node2), end=int(triple.node2))  # type: ignore[misc]
        for triple in answer.evidence
        if triple.node1 == "time"
    ]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arguments())
def test_get_information_equals_its_definition(store: Store, a: Arguments) -> None:
    answer = store.query(program_of(a), ["random"])
    assert set(answer.answer) == get_information(FACTS, a)
    assert len(set(answer.answer)) == len(answer.answer)
    assert {triple.source for triple in answer.evidence} <= {"random"}
    assert bool(answer.evidence) == bool(answer.answer)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arguments().filter(lambda a: a.key == "time"))
def test_the_evidence_alone_gives_the_same_answer(store: Store, a: Arguments) -> None:
    answer = store.query(program_of(a), ["random"])
    assert get_information(facts_of(answer), a) == set(answer.answer)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arguments(), arguments(), st.sampled_from(["set_union", "set_intersection", "set_difference"]))
def test_set_operations_equal_their_definition(store: Store, a: Arguments, b: Arguments, function: str) -> None:
    program = f"{program_of(a)}\n{program_of(b)}\n{function}(set1='output_of_query1', set2='output_of_query2')"
    if gives_facts(a) != gives_facts(b):
        with pytest.raises(ProgramError, match="of facts and nodes is not defined"):
            store.query(program)
        return
    left, right = nodes(a), nodes(b)
    expected = {"set_union": left | right, "set_intersection": left & right, "set_difference": left - right}
    assert set(store.query(program, ["random"]).answer) == {name for name, _ in expected[function]}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arguments().filter(lambda a: a.key and not a.value), st.sampled_from(["min", "max", "count", "sum", "mean"]))
def test_aggregates_equal_their_definition(store: Store, a: Arguments, function: str) -> None:
    years = [int(year) for year in get_information(FACTS, a)]
    answer = store.query(f"{program_of(a)}\n{function}(set='output_of_query1')", ["random"]).answer
    if function in ("min", "max"):
        assert answer == ((str({"min": min, "max": max}[function](years)),) if years else ())
    elif function == "mean":
        assert answer == (pytest.approx(sum(years) / len(years)),) if years else answer == ()
    else:
        assert answer == ({"count": len, "sum": sum}[function](years),)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arguments().filter(lambda a: a.key and not a.value), OPS, YEARS)
def test_keep_equals_its_definition(store: Store, a: Arguments, op: str, year: str) -> None:
    kept = {y for y in get_information(FACTS, a) if satisfies(y, [(op, year)], time=True)}
    answer = store.query(f"{program_of(a)}\nkeep(set='output_of_query1', value{op}'{year}')", ["random"])
    assert set(answer.answer) == kept


def test_negation_gives_all_other_heads(store: Store) -> None:
    answer = store.query("set_negation(set=get_information(relation='knows', key='time', value='1995'))", ["random"])
    knowing = {f.head for f in FACTS if f.relation == "knows" and f.start <= 1995 <= f.end}
    assert set(answer.answer) == {f.head for f in FACTS} - knowing


def test_a_name_in_several_sources_means_all_of_them(store: Store) -> None:
    both = store.query("get_information(relation='knows')").answer
    apart = [store.query("get_information(relation='knows')", [s]).answer for s in ("random", "noise")]
    assert set(both) == set(apart[0]) | set(apart[1])


def test_a_bound_may_be_an_earlier_output(store: Store) -> None:
    program = (
        "get_information(head_entity='Ann', key='time')\nmax(set='output_of_query1')\n"
        "get_information(relation='knows', key='start_time', value>='output_of_query2')"
    )
    last = max(f.end for f in FACTS if f.head == "Ann")
    expected = {f.head for f in FACTS if f.relation == "knows" and f.start >= last}
    assert set(store.query(program, ["random"]).answer) == expected


def test_a_count_may_be_compared_with(store: Store) -> None:
    program = (
        "count(set=get_information(relation='knows'))\nkeep(set=get_information(key='time'), value>'output_of_query1')"
    )
    assert set(store.query(program, ["random"]).answer) == {str(y) for f in FACTS for y in range(f.start, f.end + 1)}


def test_answers_are_in_order(store: Store) -> None:
    years = store.query("get_information(key='time')", ["random"]).answer
    assert list(years) == sorted(years, key=int)


@pytest.mark.parametrize(("op", "year"), [("=", "1995"), (">=", "1995"), (">", "1996")])
def test_a_day_asked_of_years_is_taken_for_its_year_with_a_note(store: Store, op: str, year: str) -> None:
    program = "get_information(relation='knows', key='start_time', value{}'{}')"
    answer = store.query(program.format(op, "1995-11-30"), ["random"])
    assert answer.answer == store.query(program.format(op if op == "=" else ">=", year), ["random"]).answer
    assert "In 'random', whose times are years, '1995-11-30' was read as 1995." in answer.warnings


def test_a_year_asked_of_years_has_no_note(store: Store) -> None:
    assert store.query("get_information(relation='knows', key='time', value='1995')", ["random"]).warnings == ()


def test_a_limit_says_that_it_cuts(store: Store) -> None:
    answer = store.query("get_information(key='time')", ["random"], limit=2, evidence_limit=3)
    assert len(answer.answer) == 2
    assert any("the first 2 are given" in warning for warning in answer.warnings)
    assert answer.evidence_cut
