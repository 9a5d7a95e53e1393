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
    "past": "the time that was asked about, as the sources have it",
    "prefix": "a name is the end of an IRI",
    "reading": "which reading the user chose",
    "source": "a source was chosen among many, and the choice is sure",
    "type": "a type in braces was not needed",
    "units": "how years and months of dates are counted",
}
"""The kinds of notes that leave an answer as sure as it was: `--explain` shows them. All other notes are doubts."""


class Detail(str):
    """A note of one of these kinds."""

    kind: str

    def __new__(cls, kind: str, text: str) -> Detail:
        assert kind in DETAILS, kind
        note = super().__new__(cls, text)
        note.kind = kind
        return note


def placed(place: str, note: str) -> str:
    """A note that says its place in the program."""
    text = f"{place}: {note}"
    return Detail(note.kind, text) if isinstance(note, Detail) else text


class Ranked(NamedTuple):
    """The fields of an answer that hold its notes."""

    warnings: tuple[str, ...]
    details: tuple[str, ...]


def ranked(notes: Iterable[str]) -> Ranked:
    """Parts notes, each once, into those that make an answer doubtful and the others."""
    every = dict.fromkeys(notes)
    details = tuple(str(note) for note in every if isinstance(note, Detail))
    return Ranked(tuple(note for note in every if not isinstance(note, Detail)), details)
