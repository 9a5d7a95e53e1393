"""Readings of a question in which it has the very words of a demonstration, with other names.

Which words are names is not known beforehand: a film may be called `Her` or `The Director`, and in lower case nothing
tells a name from other words. What may be a name is taken as one where the words around it are those of a
demonstration. A trie of the demonstrations' words is walked along the question, so that the number of possible names
hardly counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cgstore.llm.demonstrations.forms import Form
from cgstore.llm.demonstrations.masking import PLACEHOLDERS, Alternatives, Reading, reading_of
from cgstore.mapping.mentions import Mention, Word, words_of
from cgstore.text.names import without_accents

MAX_READINGS = 20
"""Readings that are tried for one question."""

_END = ""
"""The key of the forms that end at a place of the trie."""

Trie = dict[str, Any]


def trie_of(forms: Iterable[Form]) -> Trie:
    """The words of forms, one below the other, with the forms below the last one."""
    root: Trie = {}
    for form in forms:
        node = root
        for word in form.words.split():
            node = node.setdefault(word, {})
        node.setdefault(_END, []).append(form)
    return root


def same_words(
    question: str, possible: Sequence[Mention], chosen: Sequence[Mention], trie: Trie
) -> list[tuple[Reading, list[Form], int]]:
    """The readings in which the question has the words of a form, with these forms.

    The number of names in it that are not among `chosen` comes with each; readings with fewer of them are first, and
    among these the ones with more letters in names.

    Args:
        question: in plain words.
        possible: see `cgstore.mapping.mentions.possible_mentions`.
        chosen: the mentions that are names by themselves.
        trie: see `trie_of`.
    """
    words = words_of(question)
    places = _places(words, possible)
    known = {(mention.start, mention.end, mention.kind) for mention in chosen if not mention.weak}
    found = []
    for names, forms in _walk(trie, words, places, 0):
        doubtful = sum((m.start, m.end, m.kind) not in known for m, *_ in names)
        found.append((reading_of(question, list(names), 0), forms, doubtful))
    found.sort(key=lambda each: (each[2], -sum(len(place[0].text) for place in each[0].places)))
    return found[:MAX_READINGS]


def _places(words: Sequence[Word], possible: Sequence[Mention]) -> dict[int, dict[tuple[int, str], list[Mention]]]:
    """The mentions by the number of their first word, then by that of the word behind them and their kind.

    An article before a name may belong to it: `the Rovers` are `Rovers`.
    """
    starts = {word.start: number for number, word in enumerate(words)}
    ends = {word.end: number + 1 for number, word in enumerate(words)}
    places: dict[int, dict[tuple[int, str], list[Mention]]] = {}
    for mention in possible:
        inside = words_of(mention.text)
        first, last = mention.start + inside[0].start, mention.start + inside[-1].end
        if first in starts and last in ends:
            number = starts[first]
            has_article = mention.kind == "entity" and number and words[number - 1].text.lower() == "the"
            for start in (number, number - 1) if has_article else (number,):
                at = places.setdefault(start, {})
                at.setdefault((ends[last], mention.kind), []).append(mention)
    return places


def _walk(
    node: Trie, words: Sequence[Word], places: dict[int, dict[tuple[int, str], list[Mention]]], at: int
) -> Iterator[tuple[tuple[Alternatives, ...], list[Form]]]:
    """The ways to the end of the question, each with its names and the forms there."""
    if at == len(words):
        if _END in node:
            yield (), node[_END]
        return
    for (behind, kind), mentions in places.get(at, {}).items():
        if (below := node.get(PLACEHOLDERS[kind])) is not None:
            for names, forms in _walk(below, words, places, behind):
                yield (tuple(mentions), *names), forms
    if (below := node.get(without_accents(words[at].text.lower()))) is not None:
        yield from _walk(below, words, places, at + 1)
