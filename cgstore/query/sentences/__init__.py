"""An answer in a sentence: made from the program and its answer by rules, without an LLM, so that it cannot differ.

    The Ship of the rows with Route = "South Line": Bela, Dena (all 2 shown).

`phrases` are noun phrases, `searches` puts get_information into words, `wording` all other functions. A program that is
too deep for one sentence gets several, with numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.model import Field, field_text
from cgstore.query.ast import Program
from cgstore.query.sentences.phrases import Phrase
from cgstore.query.sentences.searches import Vocabulary
from cgstore.query.sentences.wording import Wording, sentence

SHOWN = 10
"""Values that a sentence lists."""

LONGEST_VALUE = 120
"""Characters of a value in a sentence."""


def sentence_of(
    program: Program,
    words: Vocabulary,
    answer: Sequence[str | int | float],
    rows: Sequence[tuple[Field, ...]] = (),
    total: int | None = None,
) -> str:
    """What a program asked and what it gave, in plain English.

    Args:
        program: what was parsed.
        words: what its names mean.
        answer: the values of the answer.
        rows: its rows, where it has several columns.
        total: how many values there are, if more than are given.
    """
    wording = Wording(program, words)
    phrase = wording.answer()
    values = [" | ".join(field_text(field) or '""' for field in row) for row in rows] or [
        str(value) for value in answer
    ]
    return " ".join([*wording.steps, sentence(_said(phrase, values, total or len(values)))])


def meaning_of(program: Program, words: Vocabulary) -> str:
    """What a program asks, in plain English, without an answer."""
    wording = Wording(program, words)
    phrase = wording.answer()
    return " ".join([*wording.steps, sentence(f"whether {phrase.holds}" if phrase.holds else phrase.text)])


def _said(phrase: Phrase, values: Sequence[str], total: int) -> str:
    """The last sentence."""
    if phrase.holds and values in (["yes"], ["no"]):
        return f"yes: {phrase.holds}" if values == ["yes"] else f"no: {phrase.fails}"
    if not values:
        return _nothing(phrase)
    shown = [_short(value) for value in values[:SHOWN]]
    if total == 1 and not phrase.plural:
        return f"{phrase.text} is {shown[0]}"
    between = "; " if any(", " in value or " | " in value for value in shown) else ", "
    if total == 1:
        return f"{phrase.text}: {shown[0]} (the only one)"
    all_of_them = f"all {total:,} shown" if len(shown) == total else f"{len(shown)} of {total:,} shown"
    return f"{phrase.text}: {between.join(shown)} ({all_of_them})"


def _nothing(phrase: Phrase) -> str:
    if phrase.nothing:
        return phrase.nothing
    if phrase.text.startswith("the "):
        return f"no {phrase.bare} {phrase.are} known"
    return f"nothing is known of {phrase.text}"


def _short(value: str) -> str:
    """A value on one line."""
    text = " ".join(value.split()) or '""'
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}..."
