"""The report: figures by type, a line a question, and errors that are a question's own."""

from __future__ import annotations

import pytest

from cgstore.errors import BadInput, NoDatabase
from cgstore.evaluate.cronquestions import Question
from cgstore.evaluate.report import METRICS, Outcome, evaluate, evaluate_each
from cgstore.model import Answer


def _right(question: Question) -> Answer:
    return Answer(question.gold, "the program", cypher=("RETURN 1",))


def test_right_answers_have_every_metric_at_1(questions: list[Question]) -> None:
    report = evaluate_each(_right, questions)
    assert report.metrics() == dict.fromkeys(METRICS, 1.0)
    assert all(outcome.correct and outcome.reason.startswith("right") for outcome in report.outcomes)


def test_types_are_in_the_benchmarks_order_and_incomplete_ones_apart(questions: list[Question]) -> None:
    groups = evaluate_each(_right, reversed(questions)).groups
    sizes = [(name, len(group)) for name, group in groups.items()]
    assert sizes == [
        ("simple_entity", 2),
        ("simple_time", 1),
        ("first_last", 5),
        ("before_after", 3),
        ("time_join", 2),
        ("time_join (incomplete)", 1),
    ]


def test_texts_are_asked_as_chosen(questions: list[Question]) -> None:
    asked: list[str] = []

    def ask(text: str) -> Answer:
        asked.append(text)
        return Answer((), "")

    evaluate(ask, questions)
    assert asked == [question.text for question in questions]
    asked.clear()
    evaluate(ask, questions, text_of=lambda question: question.canonical_text)
    assert asked == [question.canonical_text for question in questions]


def test_line_of_a_question_has_the_fields_that_others_rely_on(questions: list[Question]) -> None:
    (outcome,) = evaluate_each(_right, questions[2:3]).outcomes
    assert outcome.to_json() == {
        "id": "3",
        "question": "When was Ada Brook Reeve of Bexley?",
        "gold": ["1958", "1959"],
        "answer": ["1958", "1959"],
        "correct": True,
        "program": "the program",
        "reason": "right",
    }


def test_last_line_has_the_fields_that_others_rely_on(questions: list[Question]) -> None:
    line = evaluate_each(_right, questions).to_json("cronquestions", "sample")
    assert list(line)[:6] == ["benchmark", "set", "n", "metrics", "seconds", "statements"]
    assert (line["n"], line["statements"]) == (len(questions), len(questions))
    assert set(line["metrics"]) == {"accepted", "accuracy", "hits_at_1", "f1", "exact_match"}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer((), "p", warnings=("nothing holds then",)), "no answer: nothing holds then"),
        (Answer(("1900",), "p"), "wrong: no gold answer is among the answers"),
        (Answer(("1958",), "p"), "in part: f1 0.67"),
    ],
    ids=["nothing", "wrong", "in part"],
)
def test_reason_says_what_is_wrong(questions: list[Question], answer: Answer, reason: str) -> None:
    (outcome,) = evaluate_each(lambda _: answer, questions[2:3]).outcomes
    assert (outcome.correct, outcome.reason) == (False, reason)


def test_program_that_cannot_be_read_is_that_questions_failure(questions: list[Question]) -> None:
    def ask(question: Question) -> Answer:
        if question.id == "2":
            raise BadInput("no such relation")
        return _right(question)

    report = evaluate_each(ask, questions)
    assert [(o.question.id, o.reason) for o in report.outcomes if not o.correct] == [("2", "no such relation")]


def test_no_database_ends_the_evaluation(questions: list[Question]) -> None:
    def ask(question: Question) -> Answer:
        raise NoDatabase("no Neo4j answers")

    with pytest.raises(NoDatabase):
        evaluate_each(ask, questions)


def test_every_outcome_is_told_at_once(questions: list[Question]) -> None:
    told: list[Outcome] = []
    report = evaluate_each(_right, questions, on_outcome=told.append)
    assert tuple(told) == report.outcomes


def test_table_has_a_row_a_type_and_one_for_all(questions: list[Question]) -> None:
    lines = evaluate_each(_right, questions).table().splitlines()
    assert lines[0].split() == ["type", "n", *METRICS]
    assert lines[-1].split() == ["all", "14", *["1.000"] * len(METRICS)]
    assert len(lines) == 8
    assert len({len(line) for line in lines}) == 1


def test_no_questions_give_an_empty_report() -> None:
    report = evaluate_each(_right, [])
    assert report.metrics() == dict.fromkeys(METRICS, 0.0)
    assert report.to_json("cronquestions", "none")["n"] == 0
