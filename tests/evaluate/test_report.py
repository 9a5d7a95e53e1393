"""The report: groups in their order, figures over all, and a line a question."""

from __future__ import annotations

from cgstore.evaluate.cronquestions import Question
from cgstore.evaluate.report import METRICS, Outcome, Report, scores_of
from cgstore.model import Answer


def _outcome(question: Question, *values: str, group: str = "", judged_by: tuple[str, ...] = ("accuracy",)) -> Outcome:
    answer = Answer(values, "the program", cypher=("RETURN 1",))
    return Outcome(question, answer, scores_of(question.gold, answer), "why", group, judged_by)


def _right(question: Question) -> Outcome:
    return _outcome(question, *question.gold)


def test_right_answers_have_every_metric_at_1(questions: list[Question]) -> None:
    report = Report(tuple(map(_right, questions)))
    assert report.metrics() == dict.fromkeys(METRICS, 1.0)
    assert all(outcome.correct for outcome in report.outcomes)


def test_metrics_are_means_over_all_questions(questions: list[Question]) -> None:
    report = Report((_right(questions[0]), _outcome(questions[1], "nobody")))
    assert report.metrics() == dict.fromkeys(METRICS, 0.5)


def test_a_benchmark_has_its_own_scorer(questions: list[Question]) -> None:
    scores = scores_of(questions[0].gold, Answer(("nobody",), ""), lambda gold, answer: 1.0)
    assert scores == dict.fromkeys(METRICS, 0.0) | {"accepted": 1.0}


def test_an_outcome_is_right_if_any_measure_that_judges_it_says_so(questions: list[Question]) -> None:
    more = (*questions[2].gold, "nobody")
    assert not _outcome(questions[2], *more).correct
    assert _outcome(questions[2], *more, judged_by=("accuracy", "hits_at_1")).correct


def test_groups_are_in_the_order_given_and_others_last_by_name(questions: list[Question]) -> None:
    groups = ["b", "other", "a", "b", "more"]
    outcomes = [_outcome(question, group=group) for question, group in zip(questions, groups, strict=False)]
    report = Report(tuple(outcomes), order=("b", "a"))
    assert list(report.groups) == ["b", "a", "more", "other"]
    assert [outcome.question.id for outcome in report.groups["b"]] == ["1", "4"]


def test_line_of_a_question_has_the_fields_that_others_rely_on(questions: list[Question]) -> None:
    assert _right(questions[2]).to_json() == {
        "id": "3",
        "question": "When was Ada Brook Reeve of Bexley?",
        "gold": ["1958", "1959"],
        "answer": ["1958", "1959"],
        "correct": True,
        "program": "the program",
        "reason": "why",
    }


def test_last_line_has_the_fields_that_others_rely_on(questions: list[Question]) -> None:
    line = Report(tuple(map(_right, questions)), 1.23456).headline("replay", "sample")
    assert list(line) == ["benchmark", "set", "n", "metrics", "seconds", "statements"]
    assert (line["n"], line["seconds"], line["statements"]) == (len(questions), 1.235, len(questions))
    assert set(line["metrics"]) == {"accepted", "accuracy", "hits_at_1", "f1", "exact_match"}


def test_no_questions_give_an_empty_report() -> None:
    report = Report(())
    assert report.metrics() == dict.fromkeys(METRICS, 0.0)
    assert report.headline("replay", "none")["n"] == 0
