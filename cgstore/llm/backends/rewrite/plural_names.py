"""Names that a question has in the plural: `how many prime ministers were there` counts who was Prime Minister."""

from __future__ import annotations

import re

from cgstore.llm.backends.rewrite.rewording import Reworded
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import GRAMMAR_WORDS, Mention, words_of

SHORTEST = 5
"""Letters of the shortest word that is taken for a plural."""

_SINGULAR = ((re.compile(r"ies$"), "y"), (re.compile(r"women$"), "woman"), (re.compile(r"men$"), "man"))


def in_singular(question: str, graph: GraphView) -> Reworded | None:
    """The question with the names that it has in the plural as the graph has them; None if there are none."""
    notes: list[str] = []
    for word in reversed(words_of(question)):
        if len(word.text) < SHORTEST or word.text.lower() in GRAMMAR_WORDS:
            continue
        if (one := _one_of(word.text)) == word.text or _name_at(question, word.start, graph):
            continue
        meant = question[: word.start] + one + question[word.end :]
        if name := _name_at(meant, word.start, graph):
            question = meant
            notes.append(f"'{word.text}' is taken for '{name.name}'.")
    return Reworded(question, tuple(notes)) if notes else None


def _one_of(word: str) -> str:
    for ending, instead in _SINGULAR:
        if ending.search(word):
            return ending.sub(instead, word)
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _name_at(question: str, place: int, graph: GraphView) -> Mention | None:
    """The name of several words that has the word at a place."""
    found = (each for each in graph.mentions(question) if each.start <= place < each.end and " " in each.text)
    return next((each for each in found if each.kind == "entity" and not each.weak), None)
