"""Comparisons and sums that are written out: `output_of_query2 > output_of_query4`, `if ... then ... else ...`.

LLMs write these in place of a call. Each is the call that says the same: `compare`, `if`, `subtract`, `add`.
"""

from __future__ import annotations

import re

from cgstore.query.ast import Argument, Call, Literal, OutputRef, Value, output_number
from cgstore.query.reply import QueryText

MAX_LENGTH = 500
"""Longest comparison or sum that is written out, in characters."""

# Blanks are taken all at once, `\s*+`: a pattern that could give some back would try every way to share a thousand.
_OPERAND = r"""(?:count\(\s*+(?:set\s*+=\s*+)?)?['"]?output_of_query_?\s*+\d+['"]?\s*+\)?|-?\d[\d,]*(?:\.\d+)?"""
_BRANCH = r"""'[^']*'|"[^"]*"|output_of_query_?\s*+\d+|[^'":?,()]+?"""
_COMPARISON = rf"\(?\s*+(?P<a>{_OPERAND})\s*+(?P<op><=|>=|==|=|<|>)\s*+(?P<b>{_OPERAND})\s*+\)?"

_FORMS = (
    rf"if[\s_]*+\(?\s*+{_COMPARISON}\s*+(?:then\b|[,:]|\)\s*+:?)\s*+(?:return\s+)?(?P<x>{_BRANCH})\s*+[,;]?\s*+"
    rf"(?:else\s*+:?|,)\s*+(?:return\s+)?(?P<y>{_BRANCH})\s*+(?:\bend)?\s*+\)?",
    rf"\(?\s*+{_COMPARISON}\s*+\?\s*+(?P<x>{_BRANCH})\s*+:\s*+(?P<y>{_BRANCH})\s*+\)?",
    rf"(?P<x>{_BRANCH})\s++if\s+{_COMPARISON}\s+else\s+(?P<y>{_BRANCH})",
    rf"if[\s_]*+{_COMPARISON}",
    _COMPARISON,
    rf"(?P<a>{_OPERAND})\s*+(?P<sum>[-−+*/])\s*+(?P<b>{_OPERAND})",
)
_PATTERNS = tuple(re.compile(form, re.IGNORECASE) for form in _FORMS)
_OUTPUT = re.compile(r"output_of_query_?\s*(\d+)")
_SUMS = {"-": "subtract", "−": "subtract", "+": "add", "*": "multiply", "/": "divide"}


def read_infix(query: QueryText) -> Call | None:
    """The call that a written-out comparison or sum stands for, or None where the query is none."""
    text = query.text.strip().rstrip('"”` .;')
    if len(text) > MAX_LENGTH:
        return None
    for pattern in _PATTERNS:
        if match := pattern.fullmatch(text):
            break
    else:
        return None
    offset = query.offset + len(query.text) - len(query.text.lstrip())
    place = (offset, offset + len(match[0]))

    def argument(name: str, group: str) -> Argument:
        start, end = match.span(group)
        at = (offset + start, offset + end)
        return Argument(name, "=", _value(match[group].strip(), at), at)

    operands = (argument("value1", "a"), argument("value2", "b"))
    groups = match.groupdict()
    if groups.get("sum"):
        return Call(_SUMS[match["sum"]], operands, place)
    op = Argument("operator", "=", Literal(match["op"]), place)
    if groups.get("x") is None:
        return Call("compare", (*operands, op), place)
    return Call("if", (*operands, op, argument("then", "x"), argument("else", "y")), place)


def _value(text: str, place: tuple[int, int]) -> Value:
    plain = text.strip("'\"")
    output = _OUTPUT.search(text)
    if output and text.lower().startswith("count"):
        return Call("count", (Argument("set", "=", OutputRef(output_number(output[1]), place), place),), place)
    return OutputRef(output_number(output[1]), place) if output and output[0] == plain else Literal(plain, place)
