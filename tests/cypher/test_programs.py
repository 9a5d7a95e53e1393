"""Programs against a real Neo4j: every answer equals the definition's, and its evidence proves it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, product
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


OPS = ("=", "<", ">", "<=", ">=")
YEARS = st.integers(1988, 2005).map(str)
NUMBERS = st.sampled_from(["1984", "1,000", "2000"])
KEYS = ("time", "start_time", "end_time")


@dataclass(frozen=True)
class Shape:
    """What of `get_information` decides the Cypher: which arguments there are, and how they are compared."""

    head: bool
    relation: bool
    tail: tuple[str, ...]
    key: str | None
    value: tuple[str, ...]

    def arguments(self) -> st.SearchStrategy[Arguments]:
        """This shape with any names, numbers and years."""
        tails = [st.tuples(st.just(op), st.sampled_from(NAMES) | NUMBERS if op == "=" else NUMBERS) for op in self.tail]
        return st.builds(
            Arguments,
            st.sampled_from(NAMES) if self.head else st.none(),
            st.sampled_from(RELATIONS) if self.relation else st.none(),
            st.tuples(*tails),
            st.just(self.key),
            st.tuples(*(st.tuples(st.just(op), YEARS) for op in self.value)),
        )


@st.composite
def any_shapes(draw: st.DrawFn) -> Shape:
    """Any combination of arguments that has a rule."""
    key = draw(st.none() | st.sampled_from(KEYS))
    value = tuple(draw(st.lists(st.sampled_from(OPS), max_size=2))) if key else ()
    tail = tuple(draw(st.lists(st.sampled_from(OPS), max_size=1)))
    head, relation = draw(st.booleans()), draw(st.booleans())
    return Shape(head, relation or not (head or tail or key), tail, key, value)


def some_shapes() -> list[Shape]:
    """Every combination of arguments, with each key and comparison in some of them."""
    ops, keys, shapes = cycle(OPS), cycle(KEYS), []
    for head, relation, tail, key, values in product(*[(False, True)] * 4, (0, 1, 2)):
        if (head or relation or tail or key) and (key or not values):
            value = tuple(next(ops) for _ in range(values))
            shapes.append(Shape(head, relation, (next(ops),) if tail else (), next(keys) if key else None, value))
    return shapes


SHAPES = some_shapes()
SET_FUNCTIONS = ("set_union", "set_intersection", "set_difference")
FEW_PAIRS = [
    (shape, SHAPES[(7 * place + 3) % len(SHAPES)], SET_FUNCTIONS[place % 3]) for place, shape in enumerate(SHAPES[::4])
]

shapes = pytest.mark.parametrize("shapes", ["few", pytest.param("any", marks=pytest.mark.long)])
"""The database plans every shape anew, which takes most of the time: `make test` draws within few of them."""


def drawn(data: st.DataObject, shapes: str, fits: Callable[[Shape], bool] = lambda shape: True) -> Arguments:
    few = st.sampled_from([shape for shape in SHAPES if fits(shape)])
    shape: Shape = data.draw(few if shapes == "few" else any_shapes().filter(fits))
    return data.draw(shape.arguments())


def drawn_with(data: st.DataObject, shapes: str, functions: Sequence[str]) -> tuple[Arguments, str]:
    """Arguments that give years, and a function of them; each of few shapes has its own function."""
    if shapes == "any":
        return drawn(data, shapes, gives_years), data.draw(st.sampled_from(functions))
    giving_years = [shape for shape in SHAPES if gives_years(shape)]
    pairs = [(shape, functions[place % len(functions)]) for place, shape in enumerate(giving_years)]
    shape, function = data.draw(st.sampled_from(pairs))
    return data.draw(shape.arguments()), function


def gives_years(shape: Shape) -> bool:
    return bool(shape.key and not shape.value)


def facts_of(answer: Answer) -> list[TemporalFact]:
    """The facts that the evidence speaks of, each with one year that it shows."""
    return [
        TemporalFact(*triple.condition, start=int(triple.node2), end=int(triple.node2))  # type: ignore[misc]
        for triple in answer.evidence
        if triple.node1 == "time"
    ]


@shapes
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_get_information_equals_its_definition(store: Store, shapes: str, data: st.DataObject) -> None:
    a = drawn(data, shapes)
    answer = store.query(program_of(a), ["random"])
    assert set(answer.answer) == get_information(FACTS, a)
    assert len(set(answer.answer)) == len(answer.answer)
    assert {triple.source for triple in answer.evidence} <= {"random"}
    assert bool(answer.evidence) == bool(answer.answer)


@shapes
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_the_evidence_alone_gives_the_same_answer(store: Store, shapes: str, data: st.DataObject) -> None:
    a = drawn(data, shapes, lambda shape: shape.key == "time")
    answer = store.query(program_of(a), ["random"])
    assert get_information(facts_of(answer), a) == set(answer.answer)


@shapes
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_set_operations_equal_their_definition(store: Store, shapes: str, data: st.DataObject) -> None:
    if shapes == "few":
        of_a, of_b, function = data.draw(st.sampled_from(FEW_PAIRS))
        a, b = data.draw(of_a.arguments()), data.draw(of_b.arguments())
    else:
        a, b, function = drawn(data, shapes), drawn(data, shapes), data.draw(st.sampled_from(SET_FUNCTIONS))
    program = f"{program_of(a)}\n{program_of(b)}\n{function}(set1='output_of_query1', set2='output_of_query2')"
    if gives_facts(a) != gives_facts(b):
        with pytest.raises(ProgramError, match="of facts and nodes is not defined"):
            store.query(program)
        return
    left, right = nodes(a), nodes(b)
    expected = {"set_union": left | right, "set_intersection": left & right, "set_difference": left - right}
    assert set(store.query(program, ["random"]).answer) == {name for name, _ in expected[function]}


@shapes
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_aggregates_equal_their_definition(store: Store, shapes: str, data: st.DataObject) -> None:
    a, function = drawn_with(data, shapes, ("min", "max", "count", "sum", "mean"))
    years = [int(year) for year in get_information(FACTS, a)]
    answer = store.query(f"{program_of(a)}\n{function}(set='output_of_query1')", ["random"]).answer
    if function in ("min", "max"):
        assert answer == ((str({"min": min, "max": max}[function](years)),) if years else ())
    elif function == "mean":
        assert answer == (pytest.approx(sum(years) / len(years)),) if years else answer == ()
    else:
        assert answer == ({"count": len, "sum": sum}[function](years),)


@shapes
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_keep_equals_its_definition(store: Store, shapes: str, data: st.DataObject) -> None:
    (a, op), year = drawn_with(data, shapes, OPS), data.draw(YEARS)
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
