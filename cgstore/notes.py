"""The notes of an answer, and which of them make it doubtful."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

DETAILS = {
    "beyond": "what one more step would reach",
    "cut evidence": "the evidence has a limit",
    "empty": "a column of the answer without a value, which the answer shows",
    "empty cells": "cells without a value were left out",
    "grammar": "the endpoint took no grammar",
    "order": "the answer is a set: a sort has no effect on it",
    "others": "how many other programs gave nothing",
    "reading": "which reading the user chose",
    "past": "the time that was asked about, as the sources have it",
    "prefix": "a name is the end of an IRI",
    "source": "a source was chosen among many, and the choice is sure",
    "type": "a type in braces was not needed",
    "units": "how years and months of dates are counted",
}
"""The kinds of notes that leave an answer as sure as it was: they are shown with `--explain`. All others are doubts."""


class Note(str):
    """A note with its kind: one of `DETAILS`, or a word for what makes the answer doubtful."""

    kind: str

    def __new__(cls, kind: str, text: str) -> Note:
        note = super().__new__(cls, text)
        note.kind = kind
        return note


class Ranked(NamedTuple):
    """The fields of an answer that hold its notes."""

    warnings: tuple[str, ...]
    details: tuple[str, ...]


def ranked(notes: Iterable[str]) -> Ranked:
    """Parts notes, each once, into those that make an answer doubtful and the others. A mere text is a doubt."""
    doubts, details = dict[str, None](), dict[str, None]()
    for note in notes:
        is_detail = isinstance(note, Note) and note.kind in DETAILS
        (details if is_detail else doubts)[str(note)] = None
    return Ranked(tuple(doubts), tuple(details))
