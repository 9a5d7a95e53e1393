"""What bounds a question in time: times, names of others, and clauses with facts of their own, in any number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cgstore.llm.backends.rewrite import clause_patterns as P
from cgstore.llm.backends.rewrite.clauses import Text
from cgstore.mapping.mentions import Mention

_T = r"(?:the )?(?:years? |month of |day of )?(?P<time>t\d+)(?: onwards?)?\b"
_BETWEEN = re.compile(
    r"\b(?:between|from) (?:the )?(?P<first>t\d+) (?:and|to|until|till|through) (?:the )?(?P<last>t\d+)"
)
_VAGUE = r"(?P<vague>around|about|circa|roughly|approximately)"
_AT = re.compile(
    rf"\b(?:back )?(?P<side>in|on|during|at|since|until|till|from|before|prior to|after|as of)(?: {_VAGUE})? {_T}"
)
_ABOUT = re.compile(rf"\b{_VAGUE} {_T}")
_SIGNS = {"since": ">=", "from": ">=", "until": "<=", "till": "<=", "before": "<", "prior to": "<"}
_SIGNS |= {"after": ">"}

_NEXT = r"(?:(?:right|straight|just|immediately|directly|shortly) )?"
_SUB = (
    r"(?P<sub>while|when|whilst|as long as|before|prior to|after|following|during|under"
    r"|at the time(?: of| when| that|(?= e\d))|in the (?:days|time|reign) of"
    r"|(?:in|on) the (?:year|day)(?: when| that)?)"
)
_BEHIND = re.compile(
    rf"(?<=[a-z0-9] )(?<!since )(?<!until )(?<!looked )(?<!look ){_NEXT}\b{_SUB} (?P<clause>(?=.*\be\d).+)$"
)
_FRONTED = re.compile(rf"^{_NEXT}{_SUB} (?P<clause>(?=.*\be\d).+?) (?P<main>{P.QUESTION_WORD} .+)$")
_NAME = re.compile(
    r"(?:the |a |an )?(?P<name>e\d+)(?:'s)?(?: (?:time|term|tenure|reign|spell|days|stint|years|period|ownership))?"
    r"(?: as (?:the |an? )?(?P<role>[a-z ]+)| (?:did|was|had|had it|did it|did so))?"
)
_SUCCEEDED = re.compile(
    r"\b(?P<side>succeeded|replaced|followed|took over from|preceded|came (?:after|before))"
    r" (?:the )?(?P<name>e\d+)\b"
)
_BEFORE = frozenset(["before", "prior to"])
_AFTER = frozenset(["after", "following"])
_SUBJECT = re.compile(r"^(?:he|she|it|they)\b")
_OBJECT = re.compile(r"\b(?:him|her|it|them)(?= |$)(?! [a-z]+ of\b)")


@dataclass(frozen=True)
class Limit:
    """A bound on the times asked about: `sign` is one of = < > <= >=.

    It has a time, or the slot of a name (with the office in which it is meant, if that is said), or a clause.
    """

    sign: str
    time: Mention | None = None
    name: str = ""
    role: str = ""
    clause: str = ""
    note: str = ""


def take_limits(left: Text) -> list[Limit]:
    """Takes the limits out of a text."""
    limits = [*_take_clause(left), *_take_neighbour(left)]
    return [*limits, *take_times(left)]


def take_times(left: Text) -> Iterator[Limit]:
    """Takes the limits that are times out of a text."""
    while match := left.find(_BETWEEN):
        yield Limit(">=", left.times[match["first"]])
        yield Limit("<=", left.times[match["last"]])
    while match := left.find(_AT) or left.find(_ABOUT):
        time, said = left.times[match["time"]], match.groupdict()
        note = f"'{said['vague']} {time.text}' is taken for {time.text}." if said.get("vague") else ""
        yield Limit(_SIGNS.get(said.get("side") or "", "="), time, note=note)


def _take_neighbour(left: Text) -> Iterator[Limit]:
    if match := left.find(_SUCCEEDED):
        yield Limit("<" if match["side"] in ("preceded", "came before") else ">", name=match["name"])


def _take_clause(left: Text) -> Iterator[Limit]:
    if match := _FRONTED.search(left.text):
        left.text = match["main"]
    elif match := _BEHIND.search(left.text):
        left.text = left.text[: match.start()].strip()
    else:
        return
    sub = match["sub"]
    sign = "<" if sub in _BEFORE else ">" if sub in _AFTER else "="
    clause, others = match["clause"], re.findall(r"\be\d+\b", left.text)
    if name := _NAME.fullmatch(clause):
        yield Limit(sign, name=name["name"], role=name["role"] or "")
        return
    if len(dict.fromkeys(others)) == 1:
        clause = _OBJECT.sub(others[0], _SUBJECT.sub(others[0], clause), count=1)
    yield Limit(sign, clause=clause)
