"""The runner: outcomes as they come, errors as outcomes, waiting questions, and the end where no LLM is there."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cgstore.errors import BadInput, NoDatabase, NoModel, QueryFailed, RequestRefused
from cgstore.evaluate.benchmarks.benchmark import Question
from cgstore.evaluate.outcome import (
    ABSTAINED,
    FAILED,
    MORE,
    NO_PROGRAM,
    NO_REPLY,
    NO_SOURCE,
    NOTHING,
    OTHER,
    PART,
    REFUSED,
    RIGHT,
    UNREACHABLE,
    Outcome,
    answered,
)
from cgstore.evaluate.run import IN_A_ROW, Asking, Price
from cgstore.evaluate.scoring import Judge
from cgstore.llm.backends import Attempt
from cgstore.llm.chat.batch import NotYet
from cgstore.model import Answer, Mapping
from tests.evaluate.outcome_sample import question
from tests.moments import Together

JUDGE = Judge()


@dataclass(frozen=True)
class TracedAnswer(Answer):
    """An answer with the programs that were run for it."""

    tried: tuple[Attempt, ...] = ()


def run(ask: Any, questions: list[Question], price: Price | None = None, **options: Any) -> Asking:
    """Asks a function from a question to an answer."""

    def backend(question: Question) -> Outcome:
        answer = ask(question)
        return judge(question, answer, price.of(answer.usage) if price else None)

    asking = Asking(backend, **options)
    asking.ask_all(questions)
    return asking


def raising(errors: dict[str, Exception | None], calls: list[str] | None = None) -> Any:
    """Answers `a` to every question but those whose errors are given; `*` stands for all others."""

    def ask(asked: Question) -> Answer:
        if calls is not None:
            calls.append(asked.id)
        if error := errors.get(asked.id, errors.get("*")):
            raise error
        return Answer(("a",), "p")

    return ask


def numbered(count: int) -> list[Question]:
    """Questions with the ids 1, 2 ..."""
    return [question(str(number)) for number in range(1, count + 1)]


def judge(question: Question, answer: Answer, cost: float | None = None) -> Outcome:
    return answered(question, answer, getattr(answer, "tried", ()), JUDGE, cost)


def asked(given: tuple[Any, ...], *gold: str, tried: tuple[Attempt, ...] = (), **others: Any) -> Outcome:
    answer = TracedAnswer(given, "p", tried=tried or (Attempt("p", Answer(given, "p")),))
    return judge(question("1", *gold, **others), answer)


def test_an_outcome_has_all_that_tells_why() -> None:
    mapping = Mapping("ulm", "entity", "Ulm", 1.0, "normalised")
    answer = TracedAnswer(
        ("b",),
        "p2",
        cypher=("RETURN 1", "RETURN 2"),
        mappings=(mapping,),
        warnings=("odd",),
        because="as in ...",
        browser="http://x",
        usage={"requests": 2, "prompt_tokens": 2_000_000, "completion_tokens": 1_000_000},
        tried=(Attempt("p1", error="no node"), Attempt("p2", Answer(("b",), "p2"))),
    )
    line = run(lambda _: answer, [question("1")], price=Price(0.5, 2)).outcomes[0].to_json()
    assert line["tried"] == [{"program": "p1", "error": "no node"}, {"program": "p2", "answer": ["b"]}]
    assert line["mappings"][0]["node"] == "Ulm" and line["statements"] == 2
    assert (line["warnings"], line["because"], line["browser"]) == (["odd"], "as in ...", "http://x")
    assert (line["cost"], line["tokens"]["requests"]) == (3.0, 2)
    assert (line["correct"], line["scores"]["accuracy"], line["reason_class"]) == (False, 0.0, OTHER)


@pytest.mark.parametrize(
    ("given", "gold", "expected"),
    [
        (("a",), ("a",), RIGHT),
        (("a", "b"), ("a",), MORE),
        (("a", "b"), ("a", "c"), PART),
        (("b",), ("a",), OTHER),
        ((), ("a",), NOTHING),
        ((0.30000000000000004,), ("0.3",), RIGHT),
    ],
)
def test_each_answer_has_the_class_of_its_reason(given: tuple[Any, ...], gold: tuple[str, ...], expected: str) -> None:
    assert asked(given, *gold).reason_class == expected


def test_no_program_and_programs_that_cannot_be_run_are_told_apart() -> None:
    silent = judge(question("1"), TracedAnswer((), ""))
    refused = asked((), tried=(Attempt("p", error="no node"),))
    assert (silent.reason_class, refused.reason_class) == (NO_PROGRAM, REFUSED)


def test_an_llm_that_says_that_the_data_do_not_have_it_has_a_class_of_its_own() -> None:
    abstained = judge(question("1"), TracedAnswer((), "", declined="no prices"))
    assert (abstained.reason_class, abstained.reason) == (ABSTAINED, f"{ABSTAINED}: no prices")
    assert judge(Question("1", "who?", (), "one", ("s",)), TracedAnswer((), "", declined="no prices")).correct


def test_no_answer_is_right_where_gold_is_empty_only_if_a_program_ran() -> None:
    empty = Question("1", "who?", (), "one", ("s",))
    ran = judge(empty, TracedAnswer((), "p", tried=(Attempt("p", Answer((), "p")),)))
    refused = judge(empty, TracedAnswer((), "p", tried=(Attempt("p", error="no node"),)))
    assert (ran.correct, refused.correct, refused.scores["accuracy"]) == (True, False, 0.0)


def test_what_no_program_can_give_is_its_own_class_unless_right() -> None:
    wrong = asked(("b",), reachable=False)
    assert (wrong.reason_class, wrong.reason) == (UNREACHABLE, f"{UNREACHABLE}: {OTHER}, none of them gold")
    assert asked(("a",), reachable=False).reason_class == RIGHT


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (BadInput("bad"), FAILED),
        (QueryFailed("slow"), FAILED),
        (ValueError("odd"), FAILED),
        (NoModel("lost"), NO_REPLY),
    ],
)
def test_an_error_of_one_question_is_its_outcome(error: Exception, kind: str) -> None:
    outcomes = run(raising({"2": error}), numbered(4), in_flight=1).outcomes
    assert [one.reason_class for one in outcomes] == [RIGHT, kind, RIGHT, RIGHT]
    assert str(error) in outcomes[1].reason


def test_a_question_without_a_source_is_not_asked() -> None:
    (one,) = run(raising({"*": AssertionError()}), [Question("1", "who?", ("a",), "one", ())]).outcomes
    assert (one.reason_class, one.correct) == (NO_SOURCE, False)


def test_a_question_that_waits_has_no_outcome() -> None:
    waiting: list[str] = []
    ask = raising({"1": NotYet((), Path("requests-1.jsonl"))})
    asking = run(ask, numbered(2), on_waiting=lambda asked: waiting.append(asked.id))
    assert ([one.id for one in asking.outcomes], waiting, len(asking.waiting)) == (["2"], ["1"], 1)


@pytest.mark.parametrize("error", [NoModel("There is no key."), NoDatabase("nothing answers")])
def test_no_reply_at_all_and_no_database_end_the_run_and_nothing_is_told(error: Exception) -> None:
    told: list[Outcome] = []
    with pytest.raises(type(error), match=str(error)):
        run(raising({"*": error}), numbered(2), on_outcome=told.append)
    assert told == []


def test_an_llm_that_goes_away_ends_the_run_and_the_answers_before_it_are_told() -> None:
    told: list[str] = []
    calls: list[str] = []
    ask = raising({"1": None, "2": None, "*": NoModel("gone")}, calls)
    with pytest.raises(NoModel, match="gone"):
        run(ask, numbered(99), in_flight=1, on_outcome=lambda one: told.append(one.id))
    assert (told, len(calls)) == (["1", "2"], 2 + IN_A_ROW)


def test_requests_that_an_llm_refuses_once_it_took_others_are_outcomes() -> None:
    ask = raising({"1": None, "*": RequestRefused("too long")})
    outcomes = run(ask, numbered(3 * IN_A_ROW), in_flight=1).outcomes
    assert [one.reason_class for one in outcomes] == [RIGHT] + [NO_REPLY] * (3 * IN_A_ROW - 1)


def test_as_many_questions_are_under_way_as_said_and_no_more() -> None:
    at_work, barrier = Together(moment=0), threading.Barrier(3, timeout=20)

    def ask(_: Question) -> Answer:
        with at_work:
            barrier.wait()
        return Answer(("a",), "p")

    assert len(run(ask, numbered(9), in_flight=3).outcomes) == 9
    assert at_work.most == 3


def test_on_ctrl_c_what_is_under_way_is_told() -> None:
    told: list[str] = []
    started = threading.Event()

    def ask(asked: Question) -> Answer:
        if asked.id == "2":
            started.wait(20)
        return Answer(("a",), "p")

    def note(one: Outcome) -> None:
        told.append(one.id)
        if one.id == "1":
            started.set()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(ask, numbered(2), in_flight=2, on_outcome=note)
    assert told == ["1", "2"]


def test_in_order_outcomes_are_in_the_order_of_the_questions_and_the_first_error_ends_the_run() -> None:
    first = threading.Event()

    def ask(asked: Question) -> Answer:
        if asked.id == "1":
            first.wait(20)
        elif asked.id == "2":
            first.set()
        elif asked.id == "4":
            raise BadInput("bad")
        return Answer(("a",), "p")

    told: list[str] = []
    with pytest.raises(BadInput):
        run(ask, numbered(5), in_order=True, on_outcome=lambda one: told.append(one.id))
    assert told == ["1", "2", "3"]


def test_in_order_an_interruption_ends_the_run_at_once() -> None:
    told: list[Outcome] = []

    def interrupt(one: Outcome) -> None:
        told.append(one)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(raising({}), numbered(50), in_order=True, on_outcome=interrupt)
    assert len(told) == 1
