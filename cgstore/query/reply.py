"""Finding the queries in the reply of an LLM, or in a bare program (language page, section 4).

A reply has `Step1: ...` lines, which only serve the LLM, and `Query1: "..."` lines; a bare program is calls, one
after the other. Queries are numbered by appearance; the number written is ignored.

LLMs also write out comparisons and sums: `output_of_query2 > output_of_query4`, `if ... then ... else ...`. Each is
read as the call that says the same: `compare`, `if`, `subtract`, `add`. So is a list of sets, `set_union([...])`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from cgstore.query.ast import Argument, Call, Literal, OutputRef, Place, Value, output_number

_QUERY_LINE = re.compile(r"^[ \t]*(?:[-*] *)?Query[ ]*+\d*+[ \t]*+[:.)][ \t]*+(?P<query>.*)$", re.MULTILINE)
_INLINE_QUERY = re.compile(r'Query\d+[ \t]*:[ \t]*"(?P<query>[^"\n]*)"')
_BARE = re.compile(r"(?<!\w)(?P<query>[A-Za-z_]\w*+\s*+\(.*)", re.DOTALL)
_LONE_CALL = re.compile(
    r"""^[ \t]*(?:[-*][ ]*|\d+[.)][ ]*)?["'“`]?"""
    r"""(?P<call>(?P<name>[A-Za-z_]\w*)\((?=[^\n]*(?:=|output_of_query))[^\n]*\))["'”`]?[.,;]?[ \t]*$""",
    re.MULTILINE,
)
_TARGET = re.compile(r"\{([^{}]*)\}")
_FENCE = re.compile(r"^```\w*[ \t]*$", re.MULTILINE)
_QUOTED = re.compile(r"""["“”`]++(?P<call>.*\))\s*+["“”`]++[\s.,;)]*+""", re.DOTALL)


@dataclass(frozen=True)
class QueryText:
    """The text of one query (of all calls, in a bare program) and its offset in the reply."""

    text: str
    offset: int


def read_reply(text: str) -> tuple[tuple[QueryText, ...], Literal | None]:
    """The queries in the order in which they stand, and the target type that stands before them in braces."""
    text = _FENCE.sub(lambda m: " " * len(m[0]), text)
    matches = list(_QUERY_LINE.finditer(text)) or list(_INLINE_QUERY.finditer(text)) or list(_BARE.finditer(text))
    queries = tuple(_unquoted(m["query"], m.start("query")) for m in matches)
    first = matches[0].start() if matches else len(text)
    target = _TARGET.search(text[:first])
    name = target[1].strip().strip("'\"") if target else ""
    return queries, Literal(name, target.span(1)) if target and name else None


def lone_calls(text: str) -> Iterator[tuple[str, Place]]:
    """The lines that are wholly a call, in a reply with `Query1: ...` lines: their functions and places."""
    if (first := _QUERY_LINE.search(text)) is not None:
        yield from ((match["name"], match.span("call")) for match in _LONE_CALL.finditer(text, first.end()))


def _unquoted(query: str, offset: int) -> QueryText:
    """The call within the quotes around it, also where an LLM forgot the closing quote."""
    query = query.rstrip()
    if match := _QUOTED.fullmatch(query):
        return QueryText(match["call"], offset + match.start("call"))
    stripped = query.lstrip('"“”`')
    return QueryText(stripped, offset + len(query) - len(stripped))


_ITEM = r"""\s*+(?:'[^'\[\]\n]*+'|"[^"\[\]\n]*+"|output_of_query_?\s*+\d++)\s*+"""
_LIST = re.compile(
    rf"(?<!\w)(?P<call>(?:(?:set_)?(?:union|intersection)|intersect)\()(?P<open>\s*+(?:sets?\s*+=\s*+)?\[)"
    rf"(?P<items>{_ITEM}(?:,{_ITEM})*+)\](?=\s*+\))"
)


def without_brackets(query: QueryText) -> QueryText:
    """The query where a union or an intersection of a list, `set_union([...])`, has the elements for its arguments."""
    return replace(query, text=_LIST.sub(lambda m: f"{m['call']}{' ' * len(m['open'])}{m['items']} ", query.text))


# Comparisons and sums that are written out ----------------------------------------------------------------------------

MAX_WRITTEN_OUT = 500
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
OUTPUT = re.compile(r"output_of_query_?\s*(\d+)")
_SUMS = {"-": "subtract", "−": "subtract", "+": "add", "*": "multiply", "/": "divide"}


def read_infix(query: QueryText) -> Call | None:
    """The call that a written-out comparison or sum stands for; None where the query is neither."""
    text = query.text.strip().rstrip('"”` .;')
    matches = (pattern.fullmatch(text) for pattern in _PATTERNS if len(text) <= MAX_WRITTEN_OUT)
    match = next(filter(None, matches), None)
    if match is None:
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
    output = OUTPUT.search(text)
    if output and text.lower().startswith("count"):
        return Call("count", (Argument("set", "=", OutputRef(output_number(output[1]), place), place),), place)
    return OutputRef(output_number(output[1]), place) if output and output[0] == plain else Literal(plain, place)
