"""Reasons: a class for every way in which a recorded program does not give the gold answers."""

from __future__ import annotations

import pytest
from outcome_sample import outcome

from cgstore.errors import BadInput, QueryFailed
from cgstore.evaluate.benchmarks.benchmark import Reason
from cgstore.evaluate.known_programs import ReplyClass, reason_of_answer, reason_of_error, reasons_table
from cgstore.mapping.fuzzy import UnmappedName
from cgstore.model import Answer
from cgstore.query.parse import ProgramError, parse

GOOD = "get_information(relation='Team')"


def _error_of(reply: str) -> BadInput:
    with pytest.raises(BadInput) as caught:
        parse(reply)
    return caught.value


def test_an_unknown_function_is_named() -> None:
    reply = f"dance(set={GOOD})"
    reason = reason_of_error(_error_of(reply), reply)
    assert (reason.kind, reason.detail) == (ReplyClass.FUNCTION, "dance")
    assert str(reason) == "unknown function dance"


@pytest.mark.parametrize("reply", ["I cannot tell.", "get_information(relation='Team'", f"count(sets=1, {GOOD})"])
def test_what_cannot_be_parsed_is_malformed(reply: str) -> None:
    assert reason_of_error(_error_of(reply), reply).kind is ReplyClass.MALFORMED


def test_a_name_without_a_node_is_unmapped() -> None:
    assert reason_of_error(UnmappedName("no entity is named 'x'", GOOD, (0, 1)), GOOD).kind is ReplyClass.UNMAPPED


def test_an_output_without_meaning_there_is_a_matter_of_kinds() -> None:
    reason = reason_of_error(ProgramError("set cannot be facts", GOOD, (0, 1)), GOOD)
    assert reason.kind is ReplyClass.KINDS
    assert "set cannot be facts" in reason.detail


def test_a_statement_that_was_stopped_has_failed() -> None:
    assert reason_of_error(QueryFailed("out of time"), GOOD) == Reason(ReplyClass.FAILED, "out of time")


def test_an_error_that_is_not_the_programs_is_raised() -> None:
    with pytest.raises(BadInput, match="no source"):
        reason_of_error(BadInput("There is no source 'eval/wtq/1'."), GOOD)


@pytest.mark.parametrize(
    ("gold", "answer", "reason"),
    [
        (("a",), Answer((), GOOD, warnings=("x", "y")), Reason(ReplyClass.NOTHING, "x; y")),
        (("a",), Answer(("a", "b", "c"), GOOD), Reason(ReplyClass.SUPERSET, "3 answers, 1 of them gold")),
        (("a", "d"), Answer(("a", "b"), GOOD), Reason(ReplyClass.OTHER, "f1 0.50")),
        (("a",), Answer(("b",), GOOD, warnings=("x",)), Reason(ReplyClass.OTHER, "none of them gold; x")),
        ((), Answer(("b",), GOOD), Reason(ReplyClass.OTHER, "none of them gold")),
    ],
    ids=["nothing", "superset", "in part", "wrong", "no gold"],
)
def test_an_answer_that_is_not_right_is_of_one_class(gold: tuple[str, ...], answer: Answer, reason: Reason) -> None:
    assert reason_of_answer(gold, answer, right=False) == reason


def test_a_right_answer_needs_no_detail() -> None:
    assert str(reason_of_answer(("a",), Answer(("a",), GOOD, warnings=("x",)), right=True)) == "right"


def test_the_table_counts_classes_and_names_unknown_functions() -> None:
    names = ["dance", "sing", "sing"]
    reasons = [(ReplyClass.NOTHING, "no answer: x"), *((ReplyClass.FUNCTION, f"unknown function {n}") for n in names)]
    reasons += [(ReplyClass.RIGHT, "right")] * 4
    lines = reasons_table([outcome("1", reason_class=kind, reason=text) for kind, text in reasons]).splitlines()
    assert [line.split() for line in lines] == [
        ["reason", "n", "share"],
        ["right", "4", "0.500"],
        ["no", "answer", "1", "0.125"],
        ["unknown", "function", "3", "0.375"],
        ["unknown", "function", "n"],
        ["sing", "2"],
        ["dance", "1"],
    ]
