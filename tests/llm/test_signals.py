"""Temporal signals and answer types of masked questions."""

from __future__ import annotations

import pytest

from cgstore.llm.demonstrations.signals import answer_type, signals_of, words_behind


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
        ("Who joined {entity} in {time}?", {"start"}),
        ("How many years was {entity} {entity}?", {"count", "duration"}),
        ("How long was {entity} {entity}?", {"duration"}),
        ("Who was {entity} in {time}?", set()),
        ("Who became {entity} in {time}?", {"start"}),
        ("Who was elected {entity} after {entity}?", {"after", "start"}),
        ("What was {entity} before he became {entity}?", {"before"}),
        ("Who was {entity} when {entity} became {entity}?", {"start there"}),
        ("When {entity} became {entity}, who was {entity}?", {"start there"}),
        ("Who married {entity} in {time}?", {"start"}),
        ("Who was married to {entity} in {time}?", set()),
        ("Who did {entity} succeed as {entity}?", {"before"}),
        ("Who was preceded by {entity}?", {"after"}),
        ("{entity} was the successor of whom?", {"after", "inverted"}),
        ("Which teams did {entity} play for before {entity}?", {"before", "several"}),
        ("Who was {entity} most recently?", {"last"}),
        ("Who was {entity} recently?", {"now"}),
        ("Who is {entity}?", {"present"}),
        ("Where does {entity} work?", {"present"}),
        ("Who is {entity} in {time}?", set()),
        ("What is the first team of {entity}?", {"first"}),
        ("Since when was {entity} {entity}?", {"start"}),
        ("Until when is {entity} {entity}?", {"end"}),
        ("Who was {entity} since {time}?", {"since"}),
        ("Who was {entity} until {time}?", {"until"}),
        ("Who was {entity} from {time} to {time}?", {"between", "and"}),
        ("Who was {entity} from {time}?", {"from then"}),
        ("Who was {entity} by {time}?", {"by then"}),
        ("Who was {entity} in {time} or {time}?", {"or"}),
        ("Who was {entity} at the beginning of {time}?", {"edge"}),
        ("How many times was {entity} {entity}?", {"count", "times"}),
        ("Can you tell me who was {entity} in {time}?", set()),
        ("And who was {entity} in {time}?", set()),
    ],
)
def test_signals_tell_programs_apart(masked: str, signals: set[str]) -> None:
    assert signals_of(masked) == signals


@pytest.mark.parametrize(
    "word",
    ["only", "other", "than", "all", "some", "why", "how", "whose", "will", "could", "about", "through", "if"],
)
def test_a_word_of_grammar_that_is_not_known_to_be_harmless_is_a_signal(word: str) -> None:
    assert word in signals_of(f"Who was {word} {{entity}} in {{time}}?")


@pytest.mark.parametrize(
    ("masked", "words"),
    [
        ("Who became {entity} in {time}?", ["became"]),
        ("Who was only {entity}?", ["only"]),
        ("Who married {entity} in {time}?", ["married"]),
        ("Who is {entity}?", ["is"]),
        ("Who was {entity} by {time}?", ["by"]),
        ("Who was {entity} at the beginning of {time}?", ["beginning of"]),
    ],
)
def test_the_words_behind_signals_are_those_of_the_question(masked: str, words: list[str]) -> None:
    assert words_behind(masked, signals_of(masked)) == words


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
