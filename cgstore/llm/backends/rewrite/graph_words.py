"""A question over times in plainer words, or in the graph's own, where it is not understood as written.

`CEO` is what a relation calls `chief executive`, `Abbot John Cawston` is John Cawston where a relation says that he was
abbot, and `the abbey` the name that ends with this noun (`partial_names`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from cgstore.llm.backends.rewrite.limits_of_time import marked
from cgstore.llm.backends.rewrite.partial_names import partial_names, readings
from cgstore.llm.backends.rewrite.plural_names import in_singular
from cgstore.llm.backends.rewrite.relation_words import RelationWords
from cgstore.llm.backends.rewrite.rewording import Reworded, reworded
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import Mention
from cgstore.text.names import in_words, name_of_key
from cgstore.text.thesaurus import PREPOSITIONS, phrases_of

_ACRONYM = re.compile(r"\b(?P<short>[A-Z]{2,5}|[a-z]{3,4})(?P<plural>s?)\b")
_TITLE = re.compile(r"(?:\b[Tt]he )?\b(?P<title>[A-Z][a-z]{2,}) $")


def in_plainer_words(
    question: str, names: Sequence[Mention], graph: GraphView, names_in: Callable[[str], list[Mention]]
) -> Iterator[Reworded]:
    """The question in plainer words, as far as it is not plain already, and with its names in the singular."""
    if meant := reworded(marked(question, names), graph):
        yield meant
    if one := in_singular(question, graph):
        yield one
        if meant := reworded(marked(one.question, names_in(one.question)), graph):
            yield Reworded(meant.question, (*one.notes, *meant.notes))


class _Instead(NamedTuple):
    """What stands for a stretch of the question."""

    start: int
    end: int
    text: str
    note: str


def in_words_of_graph(
    question: str, names: Sequence[Mention], unknown: Sequence[str], graph: GraphView, words: RelationWords
) -> list[Reworded]:
    """The question with what the graph calls otherwise as it calls it, in each way in which it may; mostly in none.

    Args:
        question: as it is written.
        names: its names and times.
        unknown: what it names and the graph lacks.
        graph: what is asked.
        words: how people speak of its relations.
    """
    taken = [(name.start, name.end) for name in names]
    plain = [*_titles(question, names, graph), *_acronyms(question, graph.relations), *_offices(question, graph)]
    plain = [each for each in plain if not any(each.start < end and start < each.end for start, end in taken)]
    parts = partial_names(question, names, unknown, graph, words)
    parts = [part for part in parts if not any(part.start < each.end and each.start < part.end for each in plain)]
    ways = []
    for meant in readings(parts) if plain or parts else ():
        named = (_Instead(each.start, each.end, name, each.note(name)) for each, name in zip(parts, meant, strict=True))
        ways.append(_reworded(question, sorted([*plain, *named])))
    return ways


def _reworded(question: str, found: Sequence[_Instead]) -> Reworded:
    """The question with what stands for its stretches, which are in order."""
    for each in reversed(found):
        question = f"{question[: each.start]}{each.text}{question[each.end :]}"
    return Reworded(question, tuple(dict.fromkeys(each.note for each in found)))


def _acronyms(question: str, relations: Sequence[str]) -> Iterator[_Instead]:
    """The names of offices and relations for their initials, `O` at the end being that of an officer."""
    for match in _ACRONYM.finditer(question):
        meant = {noun for each in relations if (noun := _noun(each)) and _is_short(match["short"], noun)}
        if len(meant) == 1:
            (noun,) = meant
            plural = "s" if match["plural"] else ""
            yield _Instead(*match.span(), noun + plural, f"'{match[0]}' is taken for '{noun}{plural}'.")


def _noun(relation: str) -> str:
    """The words of a relation without the prepositions behind them."""
    own = in_words(relation).split()
    while own and own[-1] in PREPOSITIONS:
        own.pop()
    return " ".join(own)


def _is_short(short: str, noun: str) -> bool:
    """Whether letters stand for a noun: as its initials, or as the thesaurus has it."""
    initials = "".join(word[0] for word in noun.split())
    is_initials = " " in noun and short.isupper() and short.lower() in (initials, f"{initials}o")
    return is_initials or any(short.lower() == phrase.text.lower() for phrase in phrases_of(noun) if not phrase.inverse)


def _offices(question: str, graph: GraphView) -> Iterator[_Instead]:
    """The office of the only name that has one and ends with the noun before it: the `lodge secretary`."""
    for relation in graph.relations:
        noun = in_words(relation).removesuffix(" of")
        match = re.search(rf"\b(?P<of>[a-z]{{3,}})(?:['’]s)? {re.escape(noun)}\b(?! of\b)", question)
        if match is None or noun == in_words(relation):
            continue
        linked = {name_of_key(tail) for _, tail in graph.linked_by([relation])[relation]}
        meant = [name for name in linked if name.lower().split()[-1] == match["of"] != name.lower()]
        if len(meant) == 1:
            note = f"'{match[0]}' is taken for the {noun} of '{meant[0]}', the only one with such a name."
            yield _Instead(*match.span(), f"{noun} of {meant[0]}", note)


def _titles(question: str, names: Sequence[Mention], graph: GraphView) -> Iterator[_Instead]:
    """Nothing for the title of somebody who has the office in the graph."""
    for name in names:
        match = _TITLE.search(question[: name.start])
        if match is None or name.kind != "entity" or name.name.startswith(match["title"]):
            continue
        near, title = graph.relations_of(name.key), match["title"].lower()
        if any(title == in_words(each).removesuffix(" of").split()[-1] for each in (*near.head, *near.tail)):
            yield _Instead(
                match.start(), name.start, "", f"'{match['title']}' is taken for the title of '{name.name}'."
            )
