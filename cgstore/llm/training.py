"""Training questions: a question with its gold answer, from which demonstrations are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput
from cgstore.model import Answer
from cgstore.text.json_text import read_json, reason
from cgstore.text.names import is_unicode
from cgstore.text.numbers import denotation

_FORM = 'A line looks like {"question": "...", "answer": ["..."], "source": "..."}'


@dataclass(frozen=True)
class Question:
    """A question, its gold answer, if known, and the names of the sources that it is about; none: those asked."""

    text: str
    gold: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


def read_questions(path: Path) -> list[Question]:
    """A file of JSON Lines `{"question", "answer", "source"}`.

    The answer, a value or a list of values, and the source, a name or a list of names, may be missing.

    Raises:
        BadInput: the file cannot be read, or a line is no question; with its number.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The questions {path} cannot be read: {error}") from error
    return [_question(line, f"{path}, line {number}") for number, line in enumerate(lines, 1) if line.strip()]


def is_right(gold: Sequence[str], answer: Answer) -> bool:
    """Whether an answer has the values of the gold one, as a set: numbers by value, texts whatever their case."""
    return not answer.abstained and denotation(answer.answer) == denotation(gold)


def _question(line: str, where: str) -> Question:
    try:
        fields = read_json(line)
        text, gold, sources = fields["question"], _texts(fields.get("answer")), _texts(fields.get("source"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadInput(f"{where}: this is no question{reason(error)}.", _FORM) from error
    if not isinstance(text, str) or not text.strip() or not all(map(is_unicode, (text, *gold, *sources))):
        raise BadInput(f"{where}: the question must be a text.", _FORM)
    return Question(text.strip(), gold, sources)


def _texts(given: Any) -> tuple[str, ...]:
    values = [] if given is None else given if isinstance(given, list) else [given]
    if not all(isinstance(value, str | int | float) for value in values):
        raise TypeError("a value is a text or a number")
    return tuple(str(value) for value in values)
