"""Names of the graph that a question says in part: `Ellerby Moor` for the colliery there, `the miners' lodge`.

A noun with an article stands for a name that ends with it, other words for a name that begins or ends with them. Where
several names do, the question is read with each of them, and the relation that it asks for must leave one alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from cgstore.llm.backends.rewrite.relation_words import RelationWords
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import GRAMMAR_WORDS, Mention, words_of
from cgstore.text.names import in_words, some_of
from cgstore.text.thesaurus import PREPOSITIONS

MAX_LOOKED_UP = 10
"""Most texts of a question that are looked up as parts of names."""

MAX_NAMES = 5
"""Most names that one text may stand for."""

MAX_READINGS = 6
"""Most combinations of names with which a question is read."""

_WORDS = 4
"""Most words of a part of a name in lower case."""

_ARTICLE = re.compile(r"\b(?:the|our|this|that) $", re.IGNORECASE)
_ONE_NAME = re.compile(r"[\w '’-]+")
_QUALIFIED = re.compile(r"\w \([^()]+\)$")
_OF_ANOTHER = re.compile(r" of (?:the )?[A-Z]| [A-Z]")
"""What follows a noun that is said of a name."""
_THING_THERE = re.compile(r"\bthe (?P<noun>[a-z]+) (?:at|of|in) (?:the )?$", re.IGNORECASE)


class Partial(NamedTuple):
    """A stretch of the question that says names in part."""

    start: int
    end: int
    text: str
    names: tuple[str, ...]

    def note(self, name: str) -> str:
        """Which of the names is meant."""
        only = "the only one" if len(self.names) == 1 else f"the only one of {some_of(self.names)} that can be asked it"
        return f"'{self.text}' is taken for '{name}', {only}."


def partial_names(
    question: str, taken: Sequence[Mention], unknown: Sequence[str], graph: GraphView, words: RelationWords
) -> list[Partial]:
    """The parts of names that a question has, in order.

    Args:
        question: in plain words.
        taken: its names and times.
        unknown: what it names and the graph lacks; each is a part as a whole, or none.
        graph: what is asked.
        words: how people speak of its relations.
    """
    found: list[Partial] = []
    for start, end in [*_texts(question, taken, unknown, words)][:MAX_LOOKED_UP]:
        if any(each.start < end and start < each.end for each in found):
            continue
        text, looked_up = question[start:end], graph.look_ups.names_with(question[start:end])
        is_noun = text.islower() and len(words_of(text)) == 1
        names = tuple(each for each in looked_up.entities if _is_part(text, each, is_noun))
        if any(map(_QUALIFIED.search, names)):
            continue  # `Paris` is the whole name of `Paris (Texas)`, and of the others that are called so
        if names and looked_up.count == len(looked_up.entities) and len(names) <= MAX_NAMES:
            found.append(_with_thing(question, Partial(start, end, text, names)))
    return sorted(_with_article(question, each) for each in found)


def readings(found: Sequence[Partial]) -> list[tuple[str, ...]]:
    """The combinations of names for which parts may stand; none if there are too many."""
    every = [*product(*(each.names for each in found))]
    return every if len(every) <= MAX_READINGS else []


def _texts(
    question: str, taken: Sequence[Mention], unknown: Sequence[str], words: RelationWords
) -> Iterator[tuple[int, int]]:
    """The stretches that may be a part of a name: the longest ones in lower case first, nouns with an article last."""
    for text in unknown:
        if not text.islower():
            yield question.find(text), question.find(text) + len(text)
    every = words_of(question)
    is_free = [
        word.text.islower()
        and word.text not in GRAMMAR_WORDS | PREPOSITIONS
        and not any(each.start < word.end and word.start < each.end for each in taken)
        for word in every
    ]
    for size in range(_WORDS, 1, -1):
        for first in range(len(every) - size + 1):
            some = every[first : first + size]
            if all(is_free[first : first + size]) and _ONE_NAME.fullmatch(question, some[0].start, some[-1].end):
                yield some[0].start, some[-1].end
    for word, free in zip(every, is_free, strict=True):
        is_definite = _ARTICLE.search(question[: word.start]) and not _OF_ANOTHER.match(question, word.end)
        if free and len(word.text) > 2 and is_definite and not _names_relation(word.text, words):
            yield word.start, word.end


def _names_relation(noun: str, words: RelationWords) -> bool:
    """Whether a noun says a relation; the `lodge` is none with whom somebody `lodged`."""
    is_verb = any({f"{noun}d", f"{noun}ed"} & set(in_words(each).split()) for each in words.relations)
    return words.is_own(noun) and not is_verb


def _is_part(text: str, name: str, is_noun: bool) -> bool:
    """Whether a name has more words, and begins or ends with these; with a noun it ends."""
    part, whole = ([word.text.lower() for word in words_of(each)] for each in (text, name))
    is_there = whole[-len(part) :] == part or (not is_noun and whole[: len(part)] == part)
    return len(part) < len(whole) and is_there


def _with_thing(question: str, part: Partial) -> Partial:
    """The part with the noun before it that its names end with: `the colliery at Ellerby Moor`."""
    match = _THING_THERE.search(question[: part.start])
    names = tuple(name for name in part.names if match and name.lower().endswith(f" {match['noun'].lower()}"))
    if match is None or not names:
        return part
    return Partial(match.start(), part.end, question[match.start() : part.end], names)


def _with_article(question: str, part: Partial) -> Partial:
    """The part with the article before it."""
    start = match.start() if (match := _ARTICLE.search(question[: part.start])) else part.start
    return Partial(start, part.end, question[start : part.end], part.names)
