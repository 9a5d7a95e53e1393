"""Functions that nobody defined go to the LLM, with their name, their arguments and the values of these.

TrustUQA, section 3.4; language page, section 9. What it gives is no evidence, and the answer says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from cgstore.llm.chat import Chat, Message, Request
from cgstore.llm.templates import Templates
from cgstore.query.external_functions import Evaluator, Values

MAX_SHOWN = 200
"""Most values of one argument that the LLM is shown."""

LONGEST = 300
"""Characters of one value."""

MAX_TOKENS = 500

_FENCE = re.compile(r"```\w*")
_MARK = re.compile(r"^[-*•]\s+")
_QUOTED = re.compile(r"""^(['"`]|\*\*)(.*)\1$""")

NOTHING = "nothing"
"""What the LLM is told to reply where the function has no value."""


def llm_function(chat: Chat, templates: Templates) -> Evaluator:
    """What evaluates a function by asking an LLM."""

    def evaluate(name: str, arguments: Sequence[tuple[str, Values]]) -> list[str | int | float]:
        text = templates.render("function", function=json.dumps(name), arguments="\n".join(map(_shown, arguments)))
        reply = chat.complete(Request((Message("user", text),), max_tokens=MAX_TOKENS))
        return list(values_of(reply.choices[0].content))

    return evaluate


def values_of(reply: str) -> list[str]:
    """The values in a reply: one a line, without the marks of a list, quotes around one, or a fence around all."""
    lines = [line.strip() for line in reply.splitlines() if line.strip() and not _FENCE.fullmatch(line.strip())]
    values = [_QUOTED.sub(r"\2", _MARK.sub("", line)).strip() for line in lines]
    return [] if [value.casefold().rstrip(".") for value in values] == [NOTHING] else values


def _shown(argument: tuple[str, Values]) -> str:
    """An argument as a line of JSON, so that what stands in a cell stays a text in quotes."""
    name, values = argument
    more = f" and {len(values) - MAX_SHOWN:,} more" if len(values) > MAX_SHOWN else ""
    shown = [value[:LONGEST] if isinstance(value, str) else value for value in values[:MAX_SHOWN]]
    return f"{name or 'argument'} = {json.dumps(shown, ensure_ascii=False)}{more}"
