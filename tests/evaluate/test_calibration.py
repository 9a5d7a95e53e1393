"""How well a backend knows how sure it may be."""

from __future__ import annotations

from dataclasses import replace

from cgstore.evaluate.benchmarks.benchmark import Question, Reason
from cgstore.evaluate.calibration import calibration, calibration_lines
from cgstore.evaluate.outcome import Outcome, without_answer


def outcome(confidence: float | None, correct: bool) -> Outcome:
    """An outcome; without a confidence one without an answer."""
    nothing = without_answer(Question("1", "Who?", ("Ann",), "", ("s",)), Reason("nothing"))
    program = "" if confidence is None else "count(set='a')"
    return replace(nothing, program=program, confidence=confidence, correct=correct)


def test_accuracy_is_that_of_answers_and_of_the_surest_questions() -> None:
    given = [outcome(0.95, True), outcome(0.91, True), outcome(0.65, False), outcome(0.7, True), outcome(None, False)]
    figures = calibration(given)
    assert figures is not None
    assert (figures["coverage"], figures["accuracy"], figures["accuracy_at_80"]) == (0.8, 0.75, 0.75)
    assert [(each["from"], each["answers"], each["accuracy"]) for each in figures["reliability"]] == [
        (0.6, 1, 0.0),
        (0.7, 1, 1.0),
        (0.9, 2, 1.0),
    ]
    assert len(calibration_lines(figures)) == 5


def test_a_question_without_an_answer_is_wrong_among_the_surest() -> None:
    figures = calibration([outcome(0.9, True), *[outcome(None, False)] * 4])
    assert figures is not None
    assert figures["accuracy_at_80"] == 0.25


def test_a_backend_without_confidences_has_no_figures() -> None:
    assert calibration([outcome(None, True)]) is None
