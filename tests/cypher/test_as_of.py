"""Answers as of an earlier change are those that the sources gave then: values, evidence, sentences and notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from cgstore.cypher.alternatives import alternative
from cgstore.cypher.connection import Database
from cgstore.query.parse import ProgramError
from cgstore.query.sources import SourceScope
from cgstore.store import Store
from tests.conftest import wipe
from tests.cypher import test_periods, test_statement
from tests.cypher.test_alternatives import assert_planned
from tests.cypher.test_plans import CASES, assert_only_seeks
from tests.history import add_history
from tests.query.graphs import ASKED, sources_of
from tests.query.interpreter_graph import Graph
from tests.query.interpreter_programs import programs
from tests.rule_cases import ASKED as WORLD
from tests.rule_cases import TABLE, TABLE_PROGRAMS, plan_of, statement_of
from tests.share import share

Asked = tuple[str, tuple[str, ...]]
"""A program and the sources asked."""

Shown = tuple[Any, ...] | str
"""All that an answer says, or the message of an error."""


@dataclass(frozen=True)
class Past:
    """A graph with a history: what programs gave before it had one, and the time when they gave it."""

    store: Store
    answers: dict[Asked, Shown]
    then: str


def with_history(store: Store, asked: Sequence[Asked], number: int) -> Past:
    answers = {each: shown(store, *each) for each in asked}
    return Past(store, answers, add_history(store.db, number))


def shown(store: Store, program: str, sources: tuple[str, ...], as_of: str | None = None) -> Shown:
    """All that an answer says, but for the note that names the time, and examples in notes, which are any."""
    try:
        answer = store.query(program, sources, as_of=as_of)
    except ProgramError as error:
        return error.message
    warnings = answer.warnings
    if as_of is not None:
        assert answer.details[0].startswith("As known on "), program
    notes = [re.sub(r"\(.*?\)+(?= and |, \d|[ .:])|\(.*\)", "", warning) for warning in warnings]
    triples = Counter(answer.evidence)
    return answer.answer, answer.rows, answer.periods, answer.columns, answer.sentence, notes, triples


def assert_as_then(past: Past) -> None:
    for (program, sources), before in past.answers.items():
        assert shown(past.store, program, sources, past.then) == before, (sources, program)


# Graphs that are written ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def players(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Past:
    """Temporal facts and two tables, and a program for every kind of step."""
    wipe(shared_db)
    store, folder = Store(shared_db), tmp_path_factory.mktemp("players")
    (folder / "players.tsv").write_text(test_statement.FACTS, encoding="utf-8")
    store.load_tkg(folder / "players.tsv", header=False)
    for name in ("clubs", "more clubs"):
        (folder / f"{name}.csv").write_text(test_statement.TABLE, encoding="utf-8")
        store.load_table(folder / f"{name}.csv")
    every = ("players", "clubs", "more clubs")
    return with_history(store, [(program, every) for program in list(test_statement.PROGRAMS.values())[::2]], 1)


def test_every_kind_of_step_gives_what_it_gave_then(players: Past) -> None:
    assert_as_then(players)


def test_unknown_names_are_mapped_to_what_had_an_answer_then(players: Past) -> None:
    program = "get_information(relation='plays fro', tail_entity='Ajaxx')"
    answer = players.store.query(program, ["players"], as_of=players.then, linked=True)
    assert answer.answer == ("Ann", "Bob")


def test_a_question_is_answered_as_of_a_time(players: Past) -> None:
    from cgstore.llm.backends import Attempt, Backend, Decision, Run
    from cgstore.llm.graph_view import GraphView

    class Fixed(Backend):
        name = "fixed"

        def decide(self, question: str, view: GraphView, run: Run) -> Decision:
            attempt: Attempt = run("get_information(relation='plays for', tail_entity='Ajax')")
            return Decision(attempt, (attempt,))

    answer = players.store.ask("Who played for Ajax?", Fixed(), ["players"], as_of=players.then)
    assert answer.answer == ("Ann", "Bob")
    assert answer.details[0].startswith("As known on ")


@pytest.fixture(scope="module")
def terms(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Past:
    """The temporal facts of `test_periods`, by day and by year."""
    wipe(shared_db)
    store, folder = Store(shared_db), tmp_path_factory.mktemp("terms")
    asked: list[Asked] = []
    for step, part in (("day", 18), ("year", 40)):
        lines = ("\t".join(fact) + "\n" for fact in test_periods.FACTS[step])
        (folder / f"{step}.tsv").write_text("".join(lines), encoding="utf-8")
        store.load_tkg(folder / f"{step}.tsv", header=False, step=step)
        written = [program for group in test_periods.PROGRAMS.values() for program in group[::part]]
        asked += [(program.replace("AT", test_periods.AT[step]), (step,)) for program in written]
    return with_history(store, asked, 2)


def test_times_are_those_of_then(terms: Past) -> None:
    assert_as_then(terms)


# Drawn graphs ---------------------------------------------------------------------------------------------------------

DRAWN = {0: 1, 3: 1}
"""Graphs by number, and how many programs are drawn for each group of sources."""


@pytest.fixture(scope="module", params=DRAWN, ids="graph {}".format)
def drawn(request: pytest.FixtureRequest, shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Past:
    wipe(shared_db)
    graph, store = sources_of(request.param), Store(shared_db)
    graph.load(store, tmp_path_factory.mktemp("graph"))
    asked = [(p, s) for s in ASKED for p in drawn_programs(graph.whole.asked(s), request.param, s)]
    return with_history(store, asked, request.param)


def drawn_programs(graph: Graph, number: int, sources: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    chosen = settings(
        max_examples=DRAWN[number], database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    seed(f"{number} {sources}")(chosen(given(program=programs(graph))(lambda program: found.append(program))))()
    return found


def test_drawn_programs_give_what_they_gave_then(drawn: Past) -> None:
    assert_as_then(drawn)


# Statements -----------------------------------------------------------------------------------------------------------


def then(scope: SourceScope) -> SourceScope:
    return replace(scope, changes=(2,) * len(scope.sources))


ALL_CASES = {name: (program, WORLD) for name, program in CASES.items()}
ALL_CASES |= {f"table {name}": (program, TABLE) for name, program in TABLE_PROGRAMS.items()}


@pytest.mark.parametrize("name", sorted(ALL_CASES))
def test_no_search_of_the_past_reads_the_present_alone(name: str) -> None:
    program, scope = ALL_CASES[name]
    text = statement_of(program, then(scope)).text
    assert_reads_both(text)
    assert_reads_both(alternative(plan_of(program, then(scope)), then(scope)).text)


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


def test_the_present_is_read_as_if_there_were_no_past() -> None:
    for program, scope in ALL_CASES.values():
        assert "CG_WAS_" not in statement_of(program, scope).text
        assert "at" not in statement_of(program, scope).parameters


@pytest.fixture(scope="module")
def indexed(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Database:
    wipe(shared_db)
    path = tmp_path_factory.mktemp("plans") / "plans.tsv"
    path.write_text("".join(f"h{n % 7}\tr{n % 3}\tt{n % 5}\t{1990 + n}\t{1995 + n}\n" for n in range(4)))
    Store(shared_db).load_tkg(path, header=False)
    shared_db.write("CALL db.clearQueryCaches()")  # what was planned for another graph is not looked at
    return shared_db


SOME = sorted(ALL_CASES)[::3]
"""Planning takes most of the time: the searches are the same in many programs."""


@pytest.mark.parametrize("name", share(SOME, 3))
def test_a_program_of_the_past_is_planned_by_index_seek_at_every_step(indexed: Database, name: str) -> None:
    program, scope = ALL_CASES[name]
    statement = statement_of(program, then(scope))
    assert_only_seeks(indexed, statement.text, statement.parameters)


@pytest.mark.parametrize("name", SOME[::3])
def test_readings_of_the_past_are_planned_by_index_seek(indexed: Database, name: str) -> None:
    program, scope = ALL_CASES[name]
    assert_planned(indexed, alternative(plan_of(program, then(scope)), then(scope)))
