"""Demonstrations made from training questions: which are tried, what is kept, and going on after an interruption."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, NoModel, QueryFailed
from cgstore.llm.backends.replay import ReplayBackend
from cgstore.llm.chat.batch import NotYet
from cgstore.llm.demonstrations.build import BuildOptions, BuildReport, TrainingQuestion, build
from cgstore.llm.demonstrations.stored import State, all_stored
from cgstore.model import Answer
from cgstore.store import Store
from tests.conftest import wipe
from tests.embedding.test_vectors import Trigrams

PROGRAM = "get_information(head_entity='Ann', relation='spouse')"


class Asking:
    """Answers by a table: a question that is not in it is answered wrong; an error in it is raised."""

    def __init__(self, answers: dict[str, str | BaseException] | None = None) -> None:
        self.answers = answers or {}
        self.asked: list[str] = []
        self.sources: list[Sequence[str] | None] = []

    def __call__(self, question: str, sources: Sequence[str] | None) -> Answer:
        self.asked.append(question)
        self.sources.append(sources)
        came = self.answers.get(question, "wrong")
        if isinstance(came, BaseException):
            raise came
        return Answer((came,), PROGRAM)


@pytest.fixture(scope="module")
def loaded(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Database:
    """Triples, and a table."""
    wipe(shared_db)
    folder = tmp_path_factory.mktemp("build")
    (folder / "people.csv").write_text("Ann,spouse,Bob\nBob,spouse,Ann\nCleo,spouse,Dan\n", encoding="utf-8")
    (folder / "towns.csv").write_text("Town,Mayor\nGraz,Ann\nLinz,Bob\n", encoding="utf-8")
    store = Store(shared_db)
    store.load_kg(folder / "people.csv", header=False)
    store.load_table(folder / "towns.csv")
    return shared_db


@pytest.fixture
def graph(loaded: Database) -> Iterator[Database]:
    yield loaded
    loaded.write("MATCH (d:CgDemonstration) DELETE d")


def training(*texts: str, gold: str = "right") -> list[TrainingQuestion]:
    return [TrainingQuestion(text, (gold,), ("people",)) for text in texts]


def made(
    db: Database, questions: Sequence[TrainingQuestion], ask: Callable[..., Answer], **options: Any
) -> BuildReport:
    how = {each.name: options.pop(each.name) for each in fields(BuildOptions) if each.name in options}
    return build(db, questions, ask, Trigrams(), options=BuildOptions(in_flight=1, **how), **options)


def states(db: Database) -> dict[str, State]:
    return {one.question: one.state for one in all_stored(db)}


def test_what_is_answered_right_is_kept_with_its_program_and_what_is_wrong_as_wrong(graph: Database) -> None:
    ask = Asking({"Who wed Ann?": "right"})
    report = made(graph, training("Who wed Ann?", "Who wed Bob?"), ask)
    assert (report.questions, report.right, report.wrong, report.there) == (2, 1, 1, 0)
    right, wrong = all_stored(graph)
    assert (right.question, right.state, right.program) == ("Who wed Ann?", State.RIGHT, PROGRAM)
    assert (wrong.question, wrong.state, wrong.program) == ("Who wed Bob?", State.WRONG, PROGRAM)
    assert (right.source_kind, right.gold, right.sources) == ("kg", ("right",), ("people",))


def test_a_question_with_a_program_has_it_run_and_no_backend_asked(graph: Database) -> None:
    ask, ran = Asking({"Who wed Bob?": "right"}), []

    def run(program: str, sources: Sequence[str] | None) -> Answer:
        ran.append((program, sources))
        return Answer(("right",), program)

    with_program = TrainingQuestion("Who wed Ann?", ("right",), ("people",), PROGRAM)
    report = made(graph, [with_program, *training("Who wed Bob?")], ask, run=run)
    assert (report.right, ask.asked, ran) == (2, ["Who wed Bob?"], [(PROGRAM, ["people"])])


def test_what_was_tried_is_not_tried_again_unless_that_is_asked_for(graph: Database) -> None:
    questions = training("Who wed Ann?", "Who wed Bob?")
    made(graph, questions, Asking({"Who wed Ann?": "right"}))
    second, third = Asking(), Asking()
    assert made(graph, questions, second).there == 2
    made(graph, questions, third, again=True)
    assert (second.asked, third.asked) == ([], ["Who wed Bob?"])


def test_a_build_that_is_interrupted_keeps_what_came_and_goes_on(graph: Database) -> None:
    questions = training(*(f"Who wed {name}?" for name in ("Ann", "Bob", "Cleo", "Dan")))
    ask = Asking({"Who wed Ann?": "right", "Who wed Cleo?": KeyboardInterrupt()})
    with pytest.raises(KeyboardInterrupt) as caught:
        made(graph, questions, ask)
    assert "give the command again" in caught.value.__notes__[0]
    came = states(graph)
    assert (came["Who wed Ann?"], came["Who wed Bob?"]) == (State.RIGHT, State.WRONG)
    second = Asking()
    made(graph, questions, second)
    assert second.asked == [question.text for question in questions if came[question.text] == State.UNTRIED]
    assert "Who wed Cleo?" in second.asked


def test_an_llm_that_cannot_be_reached_ends_the_build_and_keeps_what_came(graph: Database) -> None:
    ask = Asking({"Who wed Ann?": "right", "Who wed Bob?": NoModel("gone")})
    with pytest.raises(NoModel):
        made(graph, training("Who wed Ann?", "Who wed Bob?"), ask)
    assert states(graph) == {"Who wed Ann?": State.RIGHT, "Who wed Bob?": State.UNTRIED}


def test_a_question_whose_reply_is_not_there_yet_waits_and_the_others_go_on(graph: Database, tmp_path: Path) -> None:
    questions = training("Who wed Ann?", "Who wed Bob?")
    report = made(graph, questions, Asking({"Who wed Ann?": NotYet((), tmp_path / "r.jsonl"), "Who wed Bob?": "right"}))
    assert (report.waiting, report.right) == (1, 1)
    assert made(graph, questions, Asking({"Who wed Ann?": "right"})).right == 1


@pytest.mark.parametrize("error", [BadInput("too long"), QueryFailed("out of time")])
def test_a_question_that_fails_is_told_and_stays_untried(graph: Database, error: Exception) -> None:
    report = made(graph, training("Who wed Ann?", "Who wed Bob?"), Asking({"Who wed Ann?": error}))
    assert (report.failed, report.wrong) == (1, 1)
    assert report.failures == (f"Who wed Ann?: {error}",)
    assert states(graph)["Who wed Ann?"] == State.UNTRIED


def test_questions_without_gold_or_that_stand_twice_are_left_out(graph: Database) -> None:
    ask = Asking()
    questions = [*training("Who wed Ann?", "Who wed Ann?"), TrainingQuestion("Who wed Bob?", (), ("people",))]
    assert made(graph, questions, ask).left_out == 2
    assert ask.asked == ["Who wed Ann?"]


def test_each_question_is_asked_of_its_own_sources_and_kept_for_their_kind(graph: Database) -> None:
    ask = Asking()
    questions = [
        TrainingQuestion("Who is mayor of Graz?", ("Ann",), ("towns",)),
        TrainingQuestion("Who wed Ann?", ("Bob",)),
    ]
    made(graph, questions, ask, sources=["people"])
    assert ask.sources == [["towns"], ["people"]]
    assert {one.question: one.source_kind for one in all_stored(graph)} == {
        "Who is mayor of Graz?": "table",
        "Who wed Ann?": "kg",
    }


@pytest.mark.parametrize(("sources", "problem"), [((), "several kinds"), (("peple",), "peple")])
def test_a_question_of_no_kind_is_refused_before_anything_is_asked(
    graph: Database, sources: tuple[str, ...], problem: str
) -> None:
    ask = Asking()
    with pytest.raises(BadInput, match=problem):
        made(graph, [*training("Who wed Ann?"), TrainingQuestion("Who wed Bob?", ("Ann",), sources)], ask)
    assert ask.asked == []


def test_programs_of_a_backend_are_run_and_compared(graph: Database, tmp_path: Path) -> None:
    replies = [
        {"question": "Who wed Ann?", "reply": PROGRAM},
        {"question": "Who wed Cleo?", "reply": "get_information(head_entity='Bob', relation='spouse')"},
    ]
    path = tmp_path / "replies.jsonl"
    path.write_text("\n".join(map(json.dumps, replies)), encoding="utf-8")
    store, backend = Store(graph), ReplayBackend([path])
    questions = [*training("Who wed Ann?", gold="bob"), *training("Who wed Cleo?", "Who wed Dan?", gold="Dan")]
    report = build(graph, questions, lambda q, sources: store.ask(q, backend, sources), Trigrams())
    assert (report.right, report.wrong) == (1, 2)
    right = next(one for one in all_stored(graph) if one.state == State.RIGHT)
    assert store.query(right.program, ["people"]).answer == ("Bob",)
