"""Finding the queries in what an LLM replied, or in a bare program (language page, section 4).

A reply has `Step1: ...` lines, which only serve the LLM, and `Query1: "..."` lines; a bare program is calls, one
after the other. Queries are numbered by appearance; the number written is ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from cgstore.query.ast import Literal

_QUERY_LINE = re.compile(r"^[ \t]*(?:[-*] *)?Query[ ]*+\d*+[ \t]*+[:.)][ \t]*+(?P<query>.*)$", re.MULTILINE)
_INLINE_QUERY = re.compile(r'Query\d+[ \t]*:[ \t]*"(?P<query>[^"\n]*)"')
_BARE = re.compile(r"(?<!\w)(?P<query>[A-Za-z_]\w*+\s*+\(.*)", re.DOTALL)
_TARGET = re.compile(r"\{([^{}]*)\}")
_FENCE = re.compile(r"^```\w*[ \t]*$", re.MULTILINE)
_QUOTED = re.compile(r"""["“”`]++(?P<call>.*\))\s*+["“”`]++[\s.,;)]*+""", re.DOTALL)


@dataclass(frozen=True)
class QueryText:
    """The text of one query (of all calls, in a bare program) and its offset in the reply."""

    text: str
    offset: int


@dataclass(frozen=True)
class Reply:
    """The queries of a reply, and the target type that stands before them in braces."""

    queries: tuple[QueryText, ...]
    target: Literal | None


def read_reply(text: str) -> Reply:
    """The queries in the order in which they stand; none where there are none."""
    text = _FENCE.sub(lambda m: " " * len(m[0]), text)
    matches = list(_QUERY_LINE.finditer(text)) or list(_INLINE_QUERY.finditer(text)) or list(_BARE.finditer(text))
    queries = tuple(_unquoted(m["query"], m.start("query")) for m in matches)
    first = matches[0].start() if matches else len(text)
    target = _TARGET.search(text[:first])
    name = target[1].strip().strip("'\"") if target else ""
    return Reply(queries, Literal(name, target.span(1)) if target and name else None)


def _unquoted(query: str, offset: int) -> QueryText:
    """The call within the quotes around it; a closing quote that an LLM forgot is not missed."""
    query = query.rstrip()
    if match := _QUOTED.fullmatch(query):
        return QueryText(match["call"], offset + match.start("call"))
    stripped = query.lstrip('"“”`')
    return QueryText(stripped, offset + len(query) - len(stripped))
