"""Questions about what a phrase names, over graphs without times: `Where was the designer of the Dovetail born?`

The phrase (`the designer of ...`, `the company that makes ...`, `instruments designed by ...`) is read as a question of
its own. What it gives takes the place of a name, and the graph tells on which side of the other relation that stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from cgstore.llm.backends.rewrite.clause_programs import (
    Calls,
    ClauseProgram,
    FactAsked,
    facts_of,
    fits_values,
    timeless_calls,
)
from cgstore.llm.backends.rewrite.clauses import Asked, NotUnderstood, Text, clause_of, marked, opened, read_opened
from cgstore.llm.backends.rewrite.relation_words import RelationWords
from cgstore.llm.graph_view import GraphView, Neighbourhood
from cgstore.mapping.mentions import Mention
from cgstore.query.build import numbered
from cgstore.text.names import shared_key

_PLACE = "e99"
_MIDDLE = Mention(0, 0, "", "output_of_query1", "output_of_query1", "entity", "exact")
"""What the phrase gives, as a name of the question around it."""

_NAME = r"(?:the )?e\d+"
_THING = r"\b(?:the |a |an )?(?P<noun>[a-z]{3,}) "
_PHRASES = (
    re.compile(rf"\bthe (?P<rest>[a-z]{{3,}} of {_NAME})(?= |$)"),
    re.compile(rf"{_THING}(?:that|which|who) (?P<rest>(?:[a-z]+ )*{_NAME}(?: [a-z]+)*)$"),
    re.compile(rf"{_THING}(?:that|which|who) (?P<rest>(?:[a-z]+ )*{_NAME})(?= |$)"),
    re.compile(rf"{_THING}where (?P<rest>{_NAME} (?:was |is )?[a-z]+)(?= |$)"),
    re.compile(rf"{_THING}(?P<rest>[a-z]+ (?:by|in|from|for|at) {_NAME})(?= |$)"),
    re.compile(rf"{_THING}(?P<rest>{_NAME} [a-z]+(?: (?:for|in|at|by|from|of))?)$"),
)
"""Phrases with one name that say what something is; `noun` is its kind."""


def nested_programs(
    question: str, names: Sequence[Mention], words: RelationWords, graph: GraphView, numeric: Set[str]
) -> list[ClauseProgram]:
    """The programs of a question with one name, which stands in a phrase; none if it is not understood.

    Args:
        question: in plain words.
        names: its names and times.
        words: how people speak of the relations.
        graph: what is asked.
        numeric: relations whose values are numbers or times.
    """
    if [name.kind for name in names] != ["entity"]:
        return []
    left = marked(question, names)
    listing = opened(left)
    for pattern in _PHRASES:
        if match := pattern.search(left.text):
            inner = _inner(match["rest"], left, words, graph)
            outer = Text(f"{left.text[: match.start()]}{_PLACE}{left.text[match.end() :]}", {_PLACE: _MIDDLE}, {})
            asked = read_opened(outer, listing) if inner else None
            if inner and asked and (found := _programs(inner, asked, words, graph, numeric)):
                return found
    return []


def _inner(rest: str, left: Text, words: RelationWords, graph: GraphView) -> FactAsked | None:
    """The fact that a phrase speaks of, if it is one."""
    try:
        clause = clause_of(Text(f"qq {rest}", left.names, {}), "time")
    except NotUnderstood:
        return None
    found = list(facts_of(clause, None, words, graph.relations_of))
    return found[0] if len(found) == 1 else None


def _programs(
    inner: FactAsked, asked: Asked, words: RelationWords, graph: GraphView, numeric: Set[str]
) -> list[ClauseProgram]:
    middle = _around_what(inner, graph)
    found = []
    for fact in facts_of(asked.core, asked, words, lambda _: middle):
        if fact.relation != inner.relation and fits_values(asked, fact.relation in numeric):
            for calls in timeless_calls(asked, fact, _first(inner)):
                said = f"{inner.relation}' and '{fact.relation}"
                found.append(ClauseProgram(numbered(calls.made), said, asked.core.words or (asked.kind,)))
    return found


def _first(fact: FactAsked) -> Calls:
    calls = Calls()
    calls.search(fact)
    return calls


def _around_what(fact: FactAsked, graph: GraphView) -> Neighbourhood:
    """The relations of what a fact gives, as far as examples tell."""
    name = fact.head or fact.tail
    assert name
    links = [each for each in graph.links_of(name.name) if each.relation == fact.relation]
    keys = [shared_key(other) for link in links if link.as_head == (fact.head is not None) for other in link.names]
    graph.read_around(keys)
    near = [graph.relations_of(key) for key in keys]
    return Neighbourhood(*(tuple({r for each in near for r in getattr(each, side)}) for side in ("head", "tail")))
