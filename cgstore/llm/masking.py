"""Questions with their names and times taken out, so that questions of one form are near, whoever they ask about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cgstore.errors import BadInput
from cgstore.llm.reading import readings_of
from cgstore.llm.template import NO_NAMES, is_time, literals_of, mask
from cgstore.mapping.mentions import Mention
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
    names = {literal.text for argument, literal, _ in literals_of(calls) if argument.name not in NO_NAMES}
    for text in sorted(names, key=lambda text: (-len(text), text)):
        found = re.search(rf"(?<!\w){re.escape(text)}(?!\w)", question, re.IGNORECASE)
        if found and not any(found.start() < end and start < found.end() for start, end, _ in spans):
            spans.append((*found.span(), "time" if is_time(text) else "entity"))
    return mask(question, spans)
