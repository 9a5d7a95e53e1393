"""Which of many sources a question is asked of, and which answer stands; the decisions themselves are given here."""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.ask.choosing import decide_among, source_note
from cgstore.llm.backends import Attempt, Decision
from cgstore.mapping.source_choice import SourceCandidate
from cgstore.model import Answer, ChosenSource


def candidate(name: str, probability: float) -> SourceCandidate:
    return SourceCandidate(name, name, probability, probability)


LIKELY = [candidate("a", 0.6), candidate("b", 0.3), candidate("c", 0.08), candidate("d", 0.01)]


class Deciding:
    """Answers of given confidence by source, and which sources were asked, in turn."""

    def __init__(self, **confidence: float | None) -> None:
        self.confidence, self.asked = confidence, list[tuple[str, ...]]()
        self.answers: dict[str, str] = {}
        self.unused: dict[str, tuple[str, ...]] = {}

    def __call__(self, stored: Sequence[str], names: Sequence[str]) -> Decision:
        self.asked.append(tuple(names))
        if names[0] not in self.confidence:
            return Decision(None, warnings=(f"not in {names[0]}",))
        attempt = Attempt("program", Answer((self.answers.get(names[0], names[0]),), "program"))
        return Decision(
            attempt, attempts=(attempt,), confidence=self.confidence[names[0]], unused=self.unused.get(names[0], ())
        )


def used(deciding: Deciding, *, each: bool = True) -> list[str]:
    return [chosen.name for chosen in decide_among(LIKELY, deciding, each=each)[1]]


def test_a_sure_answer_of_the_likeliest_source_ends_the_asking() -> None:
    deciding = Deciding(a=0.9, b=1.0)
    assert used(deciding) == ["a"] and deciding.asked == [("a",)]


def test_the_answer_of_another_source_stands_where_the_likeliest_has_none() -> None:
    deciding = Deciding(b=0.9)
    assert used(deciding) == ["b"] and deciding.asked == [("a",), ("b",)]


def test_an_answer_that_does_not_use_a_word_counts_less() -> None:
    deciding = Deciding(a=0.9, b=0.9)
    deciding.unused = {"a": ("not", "now")}
    assert used(deciding) == ["b"]


def test_answers_of_sources_that_are_as_likely_are_all_shown_and_none_is_given() -> None:
    likely = [candidate("a", 0.4), candidate("b", 0.4)]
    decision, chosen = decide_among(likely, Deciding(a=0.9, b=0.9), each=True)
    assert decision.chosen is None and chosen == ()
    assert decision.warnings == (
        "sources that are as likely to be meant have different answers: 'a': 'a'; 'b': 'b'",
        "Name the source, or ask with more of the names that are in it.",
    )


def test_sources_that_give_the_same_answer_count_together() -> None:
    deciding = Deciding(a=0.9, b=0.8, c=0.9)
    deciding.answers = {"b": "same", "c": "same"}
    likely = [candidate("a", 0.3), candidate("b", 0.29), candidate("c", 0.28)]
    decision, chosen = decide_among(likely, deciding, each=True)
    assert decision.chosen and decision.chosen.answer and decision.chosen.answer.answer == ("same",)
    assert [each.name for each in chosen] == ["b", "c"]


def test_where_none_answers_the_reasons_are_those_of_the_likeliest() -> None:
    deciding = Deciding()
    decision, chosen = decide_among(LIKELY, deciding, each=True)
    assert decision.warnings == ("not in a",) and [each.name for each in chosen] == ["a"]
    assert deciding.asked == [("a",), ("b",), ("c",)]  # `d` is not likely enough


def test_an_answer_that_is_not_sure_enough_is_not_given() -> None:
    deciding = Deciding(a=0.3)
    decision, chosen = decide_among(LIKELY, deciding, each=True)
    assert decision.chosen is None and decision.attempts == () and chosen == ()
    assert decision.warnings == (
        "it is not clear enough which source is meant; most likely: 'a' (60%), 'b' (30%), 'c' (8%)",
        "Name the source, or ask with more of the names that are in it.",
    )


def test_nothing_is_asked_where_no_source_is_likely_enough() -> None:
    deciding = Deciding(a=1.0)
    assert decide_among([candidate("a", 0.04)], deciding, each=True)[1] == () and deciding.asked == []


def test_a_backend_that_sees_all_is_asked_once() -> None:
    deciding = Deciding(a=None)
    assert used(deciding, each=False) == ["a", "b", "c", "d"] and deciding.asked == [("a", "b", "c", "d")]


def test_the_note_says_how_sure_the_choice_is_and_what_else_it_may_be() -> None:
    note = source_note([ChosenSource("a", 0.6)], LIKELY, 3_800)
    assert note == (
        "Asked of 'a', chosen among 3,800 sources by the words of the question (60% sure; it may be about "
        "'b', 'c', 'd' instead)."
    )


def test_a_choice_that_is_more_likely_wrong_is_said_to_be_doubtful() -> None:
    assert "(40% sure, which is doubtful)" in source_note([ChosenSource("a", 0.4)], [], 3_800)
