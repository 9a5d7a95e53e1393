"""Questions of few words about one name, over graphs without times: `Whose pupil was Ann?`, `Where is the mill?`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cgstore.llm.backends import Proposal
from cgstore.llm.backends.compose.words import stem
from cgstore.llm.backends.rewrite.clauses import marked, opened
from cgstore.llm.backends.rewrite.relation_words import in_words
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import Mention
from cgstore.query.build import numbered, quote

_WHOSE = re.compile(r"whose (?P<noun>[a-z]{3,}) (?:is|was|are|were) (?:the )?e0")
_WHERE = re.compile(r"where (?:is|was|are|were) (?:the )?e0(?: (?:located|situated|found))?")
_LYING = frozenset(["located", "lies", "lie", "stands", "stand", "situated", "location", "place"])
_JOINING = frozenset(["in", "at", "on", "is"])


def bare_programs(question: str, names: Sequence[Mention], graph: GraphView) -> list[Proposal]:
    """The program of such a question; none if it is not understood, or if several relations fit.

    Args:
        question: in plain words.
        names: its names and times.
        graph: what is asked.
    """
    if [name.kind for name in names] != ["entity"]:
        return []
    text = marked(question, names)
    opened(text)
    if match := _WHOSE.fullmatch(text.text):
        return _whose(match["noun"], names[0], graph)
    return _where(names[0], graph) if _WHERE.fullmatch(text.text) else []


def _whose(noun: str, name: Mention, graph: GraphView) -> list[Proposal]:
    """Of whom somebody is what the noun says: the tail of `pupil of`, or the head of `pupil`."""
    around = graph.relations_of(name.key)
    found = [f"head_entity={quote(name.name)}, relation={quote(r)}" for r in around.head if _is(r, [stem(noun), "of"])]
    found += [f"relation={quote(r)}, tail_entity={quote(name.name)}" for r in around.tail if _is(r, [stem(noun)])]
    return _only(found, ())


def _is(relation: str, stems: list[str]) -> bool:
    return [stem(word) if word != "of" else word for word in in_words(relation).split()] == stems


def _where(name: Mention, graph: GraphView) -> list[Proposal]:
    """Where something is: the value of its one relation that says where things lie or stand."""
    numbers = graph.relations_of_numbers
    said = {r: set(in_words(r).split()) for r in graph.relations_of(name.key).head if r not in numbers}
    lying = [r for r, words in said.items() if words & _LYING and words <= _LYING | _JOINING]
    found = [f"head_entity={quote(name.name)}, relation={quote(r)}" for r in lying]
    return _only(found, [f"'where' is taken by the relation '{r}'." for r in lying])


def _only(found: Sequence[str], notes: Sequence[str]) -> list[Proposal]:
    if len(found) != 1:
        return []
    program = numbered([f"get_information({found[0]})"])
    return [Proposal(program, 1.0, "by the words of the question", tuple(notes), way="few words")]
