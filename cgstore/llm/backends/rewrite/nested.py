"""Questions about what a phrase names, over graphs without times: `Where was the designer of the Dovetail born?`

The phrase (`the designer of ...`, `the company that makes ...`, `instruments designed by ...`) is read as a question of
its own. What it gives takes the place of a name, and the graph tells on which side of the other relation that stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from cgstore.llm.backends.rewrite.clause_programs import (
    ClauseProgram,
    facts_of,
    fits_values,
    timeless_program,
)
from cgstore.llm.backends.rewrite.clauses import (
    NotUnderstood,
    QuestionParts,
    Text,
    clause_of,
    marked,
    opened,
    read_opened,
)
from cgstore.llm.backends.rewrite.fact_asked import Asked, found_within
from cgstore.llm.backends.rewrite.relation_words import RelationWords
from cgstore.llm.graph_view import GraphView, Neighbourhood
from cgstore.mapping.mentions import Mention
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
            parts = read_opened(outer, listing) if inner else None
            if inner and parts and (found := _programs(inner, parts, words, graph, numeric)):
                return found
    return []


def _inner(rest: str, left: Text, words: RelationWords, graph: GraphView) -> Asked | None:
    """The fact that a phrase speaks of, if it is one."""
    try:
        clause = clause_of(Text(f"qq {rest}", left.names, {}), "time")
    except NotUnderstood:
        return None
    found = list(facts_of(clause, None, words, graph.relations_of))
    return found[0] if len(found) == 1 else None


def _programs(
    inner: Asked, parts: QuestionParts, words: RelationWords, graph: GraphView, numeric: Set[str]
) -> list[ClauseProgram]:
    middle, begun = _around_what(inner, graph), found_within(inner, ())
    found = []
    for fact in facts_of(parts.core, parts, words, lambda _: middle):
        if fact.relation == inner.relation or not fits_values(parts, fact.relation in numeric):
            continue
        if program := timeless_program(parts, fact, begun):
            said = f"{inner.relation}' and '{fact.relation}"
            found.append(ClauseProgram(program, said, parts.core.words or (parts.kind,)))
    return found


def _around_what(fact: Asked, graph: GraphView) -> Neighbourhood:
    """The relations of what a fact gives, as far as examples tell."""
    links = [each for each in graph.links_of(fact.head or fact.tail) if each.relation == fact.relation]
    keys = [shared_key(other) for link in links if link.as_head == bool(fact.head) for other in link.names]
    graph.read_around(keys)
    near = [graph.relations_of(key) for key in keys]
    return Neighbourhood(*(tuple({r for each in near for r in getattr(each, side)}) for side in ("head", "tail")))
