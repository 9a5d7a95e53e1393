"""Questions with their names and times taken out, so that questions of one form are near, whoever they ask about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from cgstore.errors import BadInput
from cgstore.llm.reading import readings_of
from cgstore.llm.template import is_time, mask
from cgstore.mapping.mentions import Mention
from cgstore.query.ast import Call, Literal
from cgstore.query.parse import parse


def masked_by_mentions(question: str, mentions: Sequence[Mention]) -> str:
    """The question with a placeholder for each mention but the weak ones, which may be no names."""
    return readings_of(question, mentions, frozenset())[-1].masked


def masked_by_program(question: str, program: str) -> str:
    """The question with a placeholder for each name and time of the program that stands in it, whatever its case.

    A program that cannot be parsed masks nothing. As `Template.masked`, but names that the question lacks are let be.
    """
    try:
        calls = parse(program, undefined=True).queries
    except BadInput:
        return question
    spans: list[tuple[int, int, str]] = []
    for text in sorted(set(_names(calls)), key=lambda text: (-len(text), text)):
        found = re.search(rf"(?<!\w){re.escape(text)}(?!\w)", question, re.IGNORECASE)
        if found and not any(found.start() < end and start < found.end() for start, end, _ in spans):
            spans.append((*found.span(), "time" if is_time(text) else "entity"))
    return mask(question, spans)


def _names(calls: Iterable[Call]) -> Iterator[str]:
    """The literals that may be names or times, nested calls included."""
    for call in calls:
        for argument in call.arguments:
            if isinstance(argument.value, Call):
                yield from _names([argument.value])
            elif isinstance(argument.value, Literal) and argument.name not in ("relation", "key"):
                yield argument.value.text
