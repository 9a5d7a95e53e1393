"""Answers as of an earlier change are those that the sources gave then: values, evidence, sentences and notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from cgstore.cypher.connection import Database
from cgstore.query.parse import ProgramError
from cgstore.store import Store
from tests.conftest import wipe
from tests.cypher.test_periods import AT, PROGRAMS
from tests.history import add_history
from tests.known import Known
from tests.query.corpus import REMOVED_ROWS, cases, load
from tests.query.graphs import ASKED, sources_of
from tests.query.interpreter_graph import Graph
from tests.query.interpreter_programs import programs

Asked = tuple[str, tuple[str, ...]]
"""A program and the sources asked."""

Shown = tuple[Any, ...] | str
"""All that an answer says, or the message of an error."""

SOME = [case for case in cases() if "error" not in case and REMOVED_ROWS[0] not in case["sources"]][::16]
WRITTEN: list[Asked] = [
    *((case["program"], tuple(case["sources"])) for case in SOME),
    *((of[0].replace("AT", AT[step]), (f"by_{step}",)) for step in ("day", "year") for of in PROGRAMS.values()),
]

GERMAN = "get_information(relation='flows thruogh', tail_entity='Germani')"
"""A program with names that are nearly right."""


@dataclass(frozen=True)
class Past:
    """A graph with a history: what programs gave before it had one, and the time when they gave it."""

    store: Store
    answers: dict[Asked, Shown]
    then: str

    def check(self) -> None:
        for (program, sources), before in self.answers.items():
            assert shown(self.store, program, sources, self.then) == before, (sources, program)


def with_history(store: Store, asked: Sequence[Asked], number: int) -> Past:
    answers = {each: shown(store, *each) for each in asked}
    return Past(store, answers, add_history(store.db, number))


def shown(store: Store, program: str, sources: tuple[str, ...], as_of: str | None = None) -> Shown:
    """All that an answer says, but for the note that names the time, and examples in notes, which are any."""
    try:
        answer = store.query(program, sources, as_of=as_of)
    except ProgramError as error:
        return error.message
    if as_of is not None:
        assert answer.details[0].startswith("As known on "), program
    notes = [re.sub(r"\(.*?\)+(?= and |, \d|[ .:])|\(.*\)", "", note) for note in answer.warnings]
    triples = Counter(answer.evidence)
    return answer.answer, answer.rows, answer.periods, answer.columns, answer.sentence, notes, triples


@pytest.fixture(scope="module")
def written(shared_db: Database) -> Iterator[Past]:
    """The sources of `corpus`, and programs of every kind."""
    store = load(shared_db)
    store.drop(REMOVED_ROWS[0])  # it has a history of its own
    yield with_history(store, WRITTEN, 1)
    wipe(shared_db)


def test_programs_give_what_they_gave_then(written: Past) -> None:
    written.check()


def test_unknown_names_are_mapped_to_what_had_an_answer_then(written: Past) -> None:
    answer = written.store.query(GERMAN, ["rivers"], as_of=written.then, linked=True)
    assert answer.answer == ("Danube", "Rhine")


def test_a_question_is_answered_as_of_a_time(written: Past) -> None:
    known = Known({"Which rivers flow through Germany?": GERMAN})
    answer = written.store.ask("Which rivers flow through Germany?", known, ["rivers"], as_of=written.then)
    assert answer.answer == ("Danube", "Rhine")
    assert answer.details[0].startswith("As known on ")


@pytest.mark.parametrize("number", [0, 3])
def test_drawn_programs_give_what_they_gave_then(
    shared_db: Database, tmp_path_factory: pytest.TempPathFactory, number: int
) -> None:
    wipe(shared_db)
    graph, store = sources_of(number), Store(shared_db)
    graph.load(store, tmp_path_factory.mktemp("graph"))
    with_history(store, [(drawn(graph.whole.asked(each), f"{number} {each}"), each) for each in ASKED], number).check()


def drawn(graph: Graph, which: str) -> str:
    """A program over a graph, always the same one."""
    found: list[str] = []
    once = settings(max_examples=1, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    seed(which)(once(given(program=programs(graph))(lambda program: found.append(program))))()
    return found[0]
