"""Questions with their names and times masked: those of the same form are near each other.

A demonstration's names are those of its program, a user's question's those that the graph has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from cgstore.errors import BadInput
from cgstore.mapping.mentions import Mention
from cgstore.query.ast import Call, Literal
from cgstore.query.functions import FURTHER
from cgstore.query.parse import parse

PLACEHOLDERS = {"entity": "{entity}", "time": "{time}"}
"""What stands for a name or a time in a masked question."""

_NO_NAMES = ("relation", "key", "source", *(key for key, _ in FURTHER))
"""Arguments whose literals are neither names of entities nor times."""

_TIME = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}.*)?)?)?")
"""A year of four digits, an ISO month or day, or a day with a time of day."""

Span = tuple[int, int, str]
"""Where a name or a time stands in a question, and which of them it is."""


def masked_by_mentions(question: str, mentions: Sequence[Mention]) -> str:
    """The question with its mentions masked, except weak ones, which may not be names."""
    groups: list[tuple[int, int, str, bool]] = []
    for mention in mentions:
        if mention.kind == "relation":
            continue
        if groups and mention.start < groups[-1][1]:  # another node at the same place
            start, end, kind, weak = groups[-1]
            groups[-1] = (start, max(end, mention.end), kind, weak)
        else:
            groups.append((mention.start, mention.end, mention.kind, mention.weak))
    return _masked(question, [(start, end, kind) for start, end, kind, weak in groups if not weak])


@lru_cache(2_000)
def masked_by_program(question: str, program: str) -> str:
    """The question with the names and times of the program masked, in any case; unchanged if that cannot be parsed."""
    try:
        calls = parse(program, undefined=True).queries
    except BadInput:
        return question
    spans: list[Span] = []
    for text in sorted(set(_names_in(calls)), key=lambda text: (-len(text), text)):
        found = re.search(rf"(?<!\w){re.escape(text)}(?!\w)", question, re.IGNORECASE)
        if found and not any(found.start() < end and start < found.end() for start, end, _ in spans):
            spans.append((*found.span(), "time" if _TIME.fullmatch(text) else "entity"))
    return _masked(question, spans)


def _masked(question: str, spans: Iterable[Span]) -> str:
    """The question with a placeholder in every span; spans do not overlap."""
    for start, end, kind in sorted(spans, reverse=True):
        question = question[:start] + PLACEHOLDERS[kind] + question[end:]
    return question


def _names_in(calls: Iterable[Call]) -> Iterator[str]:
    """The literals of calls that are names or times, nested calls included."""
    for call in calls:
        for argument in call.arguments:
            if isinstance(argument.value, Call):
                yield from _names_in([argument.value])
            elif isinstance(argument.value, Literal) and argument.name not in _NO_NAMES:
                yield argument.value.text
