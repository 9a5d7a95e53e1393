"""Temporal signals and answer types of masked questions."""

from __future__ import annotations

import pytest

from cgstore.llm.signals import answer_type, signals_of


@pytest.mark.parametrize(
    ("masked", "signals"),
    [
        ("Who was {entity} before {time}?", {"before"}),
        ("Who succeeded {entity}?", {"after"}),
        ("What was the most recent team of {entity}?", {"last"}),
        ("Which was the 1st team of {entity}?", {"first"}),
        ("Which was the second team of {entity}?", {"ordinal"}),
        ("Who was not {entity}?", {"negation"}),
        ("When did {entity} become {entity}?", {"start"}),
        ("When did {entity} first become {entity}?", {"first"}),
        ("In which year did {entity} marry {entity}?", {"start"}),
        ("When did {entity} first marry {entity}?", {"first"}),
        ("When was {entity} married to {entity}?", set()),
        ("When did {entity} take office as {entity}?", {"start"}),
        ("When did {entity} step down as {entity}?", {"end"}),
        ("Who joined {entity} in {time}?", set()),
        ("How many years was {entity} {entity}?", {"count", "duration"}),
        ("How long was {entity} {entity}?", {"duration"}),
        ("Who was {entity} in {time}?", set()),
    ],
)
def test_signals_tell_programs_apart(masked: str, signals: set[str]) -> None:
    assert signals_of(masked) == signals


@pytest.mark.parametrize(
    ("masked", "answer"),
    [
        ("When was {entity} {entity}?", "time"),
        ("In which year did {entity} win?", "time"),
        ("What is the last time {entity} was {entity}?", "time"),
        ("Who was {entity} when {entity} was {entity}?", "entity"),
        ("Which team did {entity} play for when {entity} was {entity}?", "entity"),
        ("What did {entity} win in the year {time}?", "entity"),
        ("Who won the {entity} in the same year as {entity}?", "entity"),
        ("How many years was {entity} {entity}?", "number"),
        ("Did {entity} receive the {entity}?", "truth"),
        ("was {entity} {entity} when {entity} was {entity}?", "truth"),
        ("Wasn't {entity} the {entity}?", "truth"),
        ("In {time}, was {entity} {entity}?", "truth"),
        ("And is {entity} {entity}?", "truth"),
        ("In {time}, who was {entity}?", "entity"),
        ("Can you tell me when {entity} was {entity}?", "time"),
        ("Do you know who was {entity}?", "entity"),
        ("{entity} was on which team?", "entity"),
    ],
)
def test_the_answer_type_follows_the_question_word(masked: str, answer: str) -> None:
    assert answer_type(masked) == answer
