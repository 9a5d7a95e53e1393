"""How sure `demos` is of its answers about graphs: a probability, a note where it is low, and what speaks for doubt."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files

import pytest

from cgstore.llm.backends import Attempt, Decision, Proposal
from cgstore.llm.backends.rewrite.confidence import (
    Basis,
    Trust,
    properties,
    shipped_trust,
    with_confidence,
    words_left,
)
from cgstore.model import Answer

PROGRAM = "Query1: \"get_information(relation='mayor of', tail_entity='York')\""
OTHER = "Query1: \"get_information(relation='born in', tail_entity='York')\""
SAME = Proposal(PROGRAM, 1.0, "as in", way="same words")
LIKE = replace(SAME, score=0.7, way="likeness")
TRUST = Trust({"always": 2.0, "unlike": -4.0, "guessed: relation": -2.0, "called doubtful": -3.0}, doubtful=0.75)


def decision(*answers: str, warnings: tuple[str, ...] = ()) -> Decision:
    attempt = Attempt(PROGRAM, Answer(answers or ("Ann",), PROGRAM))
    return Decision(attempt, "as in", (attempt,), warnings)


def basis(*proposals: Proposal, question: str = "Who was mayor of York?", put_right: int = 0) -> Basis:
    return Basis(question, has_times=False, proposals=proposals or (SAME,), put_right=put_right)


def test_an_answer_in_the_words_of_a_demonstration_has_no_property_of_doubt() -> None:
    found = properties(decision(), basis())
    assert {name for name, value in found.items() if value} == {"always", "way: same words"}


def test_a_program_that_fits_about_as_well_is_a_property() -> None:
    rivals = [replace(LIKE, program=OTHER, score=score) for score in (0.7, 0.68, 0.5)]
    near = [properties(decision(), basis(LIKE, rival))["close to another program"] for rival in rivals]
    assert near[0] == 1.0 and 0 < near[1] < 1 and near[2] == 0.0


def test_programs_before_the_chosen_one_that_gave_nothing_are_counted() -> None:
    first = replace(LIKE, program=OTHER)
    assert properties(decision(), basis(LIKE, first))["empty before"] == 0
    assert properties(decision(), basis(first, LIKE))["empty before"] > 0


def test_words_that_are_in_no_name_of_the_program_are_left() -> None:
    assert words_left("Who was elected mayor of York?", PROGRAM) == {"elected"}
    assert words_left("Who were the mayors of York?", PROGRAM) == set()


def test_the_confidence_is_a_probability_and_is_said_with_the_program() -> None:
    given = with_confidence(decision(), basis(), TRUST)
    assert given.confidence == pytest.approx(0.8808, abs=1e-4)
    assert (given.because, given.warnings) == ("as in (confidence 0.88)", ())


def test_what_lowers_a_confidence_most_is_in_the_note() -> None:
    guessed = replace(LIKE, guesses=frozenset({"relation"}))
    given = with_confidence(decision(), basis(guessed), TRUST)
    assert given.confidence is not None and given.confidence < TRUST.doubtful
    assert given.warnings == (
        "Doubtful (confidence 0.23): a relation stands in place of the one in the known question.",
    )


def test_a_doubt_that_has_a_note_already_is_not_said_again() -> None:
    given = with_confidence(decision(warnings=("Doubtful: both hold.",)), basis(), TRUST)
    assert given.warnings == ("Doubtful: both hold.", "Doubtful (confidence 0.27): see the other notes.")


def test_words_that_only_a_known_question_explains_are_named() -> None:
    trust = Trust({"words not in the program": -1.0}, doubtful=0.75)
    given = with_confidence(decision(), basis(question="Who was elected mayor of York?"), trust)
    assert given.warnings[0].endswith("understood only as a known question has them: 'elected'.")


def test_no_answer_has_no_confidence() -> None:
    refused = Decision(None, warnings=("not understood",))
    assert with_confidence(refused, basis(), TRUST) is refused


def test_the_shipped_weights_are_those_of_properties_and_say_where_they_come_from() -> None:
    trust = shipped_trust()
    guessed = replace(LIKE, guesses=frozenset({"name", "relation"}))
    ways = ("same words", "likeness", "facts", "phrases", "event", "clause", "numbers", "few words", "reduced")
    known = set(properties(decision(), basis(guessed))) | {f"way: {way}" for way in ways}
    assert trust.weights.keys() <= known
    assert trust.confidence(properties(decision(), basis())) > trust.confidence(properties(decision(), basis(guessed)))
    stored = json.loads((files("cgstore.llm.backends.rewrite") / "confidence.json").read_text("utf-8"))
    assert stored["learnt_from"] and stored["origins_left_out"]
