"""The engine against the second interpreter: the same answer to every program, in the same order.

Graph 0 is written in `graphs`, all others are drawn. `CGSTORE_DIFFERENTIAL=10000` compares so many programs, three of
each shape, of other graphs for about each 250 of them; `CGSTORE_DIFFERENTIAL_FIRST=1000` begins with graph 1000, and
asks other programs. A graph and its programs are always the same ones: the test of a number repeats what failed.
"""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from cgstore.cypher.connection import Database
from cgstore.cypher.run import Result, execute
from cgstore.model import Answer, Field
from cgstore.query.functions import FUNCTIONS
from cgstore.query.parse import ProgramError
from cgstore.store import Store
from tests.conftest import wipe
from tests.query import interpreter_programs
from tests.query.corpus import json_lines
from tests.query.graphs import ASKED, sources_of
from tests.query.interpreter import Result as Interpreted
from tests.query.interpreter import interpret
from tests.query.interpreter_graph import Graph
from tests.query.interpreter_programs import programs
from tests.query.interpreter_search import NoMeaning
from tests.query.interpreter_search_programs import LETTERS, quoted

WANTED = int(os.environ.get("CGSTORE_DIFFERENTIAL", "0"))
FIRST = int(os.environ.get("CGSTORE_DIFFERENTIAL_FIRST", "1"))
OF_A_GRAPH = 252

GRAPHS = [0, *range(FIRST, FIRST + (max(1, WANTED // OF_A_GRAPH) if WANTED else 2))]
"""The numbers of the graphs that are asked."""

OF_A_SHAPE = 3
"""Programs of one shape, which differ in their literals. Planning a new shape takes most of the time."""

REFUSED = "refused"

COMPARED: Counter[str] = Counter()
"""How many programs were compared, and how many of them both refused. With many wanted, `pytest -s` shows them."""

FACT = ("head", "relation", "tail")
"""The columns of an answer that has facts."""

Answers = list[Any] | str
"""An answer, or the rows of one of several columns, each with the list of values of every field."""


@dataclass(frozen=True)
class Loaded:
    """A graph in the store, and as the interpreter has it."""

    number: int
    store: Store
    whole: Graph


@pytest.fixture(scope="module", params=GRAPHS, ids="graph {}".format)
def loaded(
    request: pytest.FixtureRequest, shared_db: Database, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Loaded]:
    sources, store = sources_of(request.param), Store(shared_db)
    wipe(shared_db)
    sources.load(store, tmp_path_factory.mktemp("graph"))
    yield Loaded(request.param, store, sources.whole)
    if WANTED:
        print(f" graph {request.param}: {COMPARED['programs']} programs compared, {COMPARED[REFUSED]} refused by both")


def interpreted(graph: Graph, program: str) -> Answers:
    try:
        return elements_of(interpret(graph, program))
    except (NoMeaning, ProgramError):
        return REFUSED


def elements_of(result: Interpreted) -> list[Any]:
    """The elements of an answer of the interpreter, or its rows."""
    if result.rows is None:
        return [rounded(value) for value in result.answer]
    return [[[rounded(value) for value in field] for field in row] for row in result.rows]


def answered(store: Store, program: str, sources: tuple[str, ...]) -> Answers:
    """What the engine answers."""
    try:
        answer = store.query(program, sources, exact=True, evidence=False)
    except ProgramError:
        return REFUSED
    return shown_of(answer, has_rows(answer))


def has_rows(answer: Answer) -> bool:
    """Whether an answer has several columns, other than those of facts."""
    return answer.columns not in ((), FACT)


def shown_of(answer: Answer | Result, rows: bool) -> list[Any]:
    """The elements of an answer, or its rows."""
    if not rows:
        return [rounded(value) for value in answer.answer]
    return [[list(map(rounded, fields_of(field))) for field in row] for row in answer.rows]


def fields_of(field: Field) -> Sequence[str | float]:
    return () if field is None else field if isinstance(field, (list, tuple)) else (field,)


def rounded(value: str | float) -> str | float:
    """To nine digits: sums are added in another order by the two."""
    return value if isinstance(value, str) else float(f"{value:.9g}")


LITERAL = re.compile(r"((?:head_entity|tail_entity|value)[<>=]+)'((?:[^'\\\\]|\\\\.)*)'")


def with_other_literals(program: str, graph: Graph, number: int) -> str:
    """The same program of other names and numbers, each a head or a tail of a relation that has the old one so too."""
    choose = random.Random(f"{number} {program}")
    groups: dict[tuple[str, str], set[str]] = {}
    for fact in graph.facts:
        groups.setdefault(("head", fact.relation.name), set()).add(quoted(fact.head.name))
        groups.setdefault(("tail", fact.relation.name), set()).add(quoted(fact.tail.name))

    def other(found: re.Match[str]) -> str:
        fitting = [sorted(group) for group in groups.values() if f"'{found[2]}'" in group]
        return found[1] + choose.choice(choose.choice(fitting)) if fitting else found[0]

    return LITERAL.sub(other, program)


def for_programs(loaded: Loaded, sources: tuple[str, ...], of_written: int, check: Callable[[str], None]) -> None:
    """Checks programs: of the written graph so many, of a drawn one a twelfth; so many of each where many are wanted.

    Shrinking asks the database again and again: without many wanted, a program that fails is shown as it was found.
    """
    few = of_written if not loaded.number else max(1, of_written // 12)
    count = -(-WANTED // (len(GRAPHS) * len(ASKED) * OF_A_SHAPE)) or few
    drawn = given(program=programs(loaded.whole.asked(sources)))(lambda program: check(program))
    chosen = settings(
        max_examples=count,
        database=None,
        phases=[Phase.generate] if not WANTED else [Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )(drawn)
    seed(f"{loaded.number} {FIRST} {sources}")(chosen)()


@pytest.mark.parametrize("sources", ASKED, ids="+".join)
def test_the_engine_answers_as_the_interpreter_does(loaded: Loaded, sources: tuple[str, ...]) -> None:
    def check(program: str) -> None:
        graph = loaded.whole.asked(sources)
        for one in [program, *(with_other_literals(program, graph, number) for number in range(OF_A_SHAPE - 1))]:
            shown = f"graph {loaded.number}, {sources}\n{one}"
            answer = answered(loaded.store, one, sources)
            assert answer == interpreted(graph, one), shown
            COMPARED.update(["programs", *([REFUSED] if answer == REFUSED else [])])

    for_programs(loaded, sources, 15 // OF_A_SHAPE, check)


@pytest.mark.parametrize("loaded", [0], indirect=True)
@pytest.mark.parametrize("source", ["careers", "prizes"])
def test_every_combination_of_arguments_answers_as_the_interpreter_does(loaded: Loaded, source: str) -> None:
    graph = loaded.whole.asked([source])
    for place, letters in enumerate(LETTERS):
        said = graph.abouts[7 * place % len(graph.abouts)]
        key = said.key.name.replace(" ", "_") if source == "careers" else said.key.name
        given = [("h", "head_entity", said.fact.head.name), ("r", "relation", said.fact.relation.name)]
        given += [("t", "tail_entity", said.fact.tail.name), ("k", "key", key), ("v", "value", said.value.name)]
        parts = (f"{name}={quoted(text)}" for letter, name, text in given if letter in letters)
        program = f"get_information({', '.join(parts)})"
        assert answered(loaded.store, program, (source,)) == interpreted(graph, program), program


@pytest.mark.parametrize("loaded", [0], indirect=True)
@pytest.mark.parametrize("case", json_lines(Path(__file__).with_name("once_otherwise.jsonl")))
def test_what_once_differed_or_the_database_refused_is_the_same(loaded: Loaded, case: dict[str, Any]) -> None:
    program, sources = case["program"], tuple(case["sources"])
    assert answered(loaded.store, program, sources) == interpreted(loaded.whole.asked(sources), program)


@pytest.mark.parametrize("loaded", [2023], indirect=True)
def test_a_union_whose_elements_cypher_cannot_type_runs(loaded: Loaded) -> None:
    program = (
        "set_union(set1=get_information(head_entity='–', tail_entity='1.250'), "
        "set2=get_information(tail_entity='1.250', key='time', value='1978-02-24T23:54', where_key='start time', "
        "where_value='1978-02-24T23:54'), "
        "set3=get_information(head_entity='Rank', relation='Zoë', tail_entity='1984', key='Zoë', value='1984'))"
    )
    statement = loaded.store.compile(program, ("careers",), exact=True, evidence=False).statement
    found = [rounded(value) for value in execute(loaded.store.db, statement).answer]
    assert found == interpreted(loaded.whole.asked(("careers",)), program)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_programs_are_drawn_with_every_function(function: str) -> None:
    source = Path(interpreter_programs.__file__).read_text(encoding="utf-8")
    assert re.search(rf'"{function}["(]', source), "the differential test never calls it"
