"""How well a node's name fits a name in a program: by its characters, by its words, by meaning; and the best of many.

An LLM errs in ways of its own: it leaves out words or accents, swaps them, mistypes a letter, or says the same in other
words. Each way has a measure that sees it, in [0, 1]; the score joins them, and its parts stay in sight.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from cgstore.names import normal_form

WORD_ALIKE = 0.74
"""Least likeness of two words that are taken for the same one, mistyped: one letter of four."""

BY_WORDS = 0.98
"""Of the likeness by words, what counts: the order of the words says something too."""

NAMED_WHOLE = 0.7
"""The weight of the asked words that the name has, beside that of the name's words that were asked for."""

BY_MEANING = 0.35
"""The weight of meaning, beside that of spelling."""

MEANING_ALONE = 0.9
"""Of the likeness by meaning, what counts where the spelling is another."""


@dataclass(frozen=True)
class Parts:
    """What a score was made of; `meaning` is the cosine of the two names' vectors, None where there is none."""

    characters: float
    words: float
    meaning: float | None = None

    @property
    def spelling(self) -> float:
        """The better of the two likenesses by spelling."""
        return max(self.characters, BY_WORDS * self.words)

    @property
    def score(self) -> float:
        """All in one number: 1 for the same spelling."""
        if self.meaning is None or self.spelling >= 1.0:
            return self.spelling
        joined = (1 - BY_MEANING) * self.spelling + BY_MEANING * max(0.0, self.meaning)
        return max(joined, MEANING_ALONE * self.meaning)


def likeness(asked: str, name: str, meaning: float | None = None) -> Parts:
    """How well a name fits the one asked for, both in normal form."""
    return Parts(OSA.normalized_similarity(asked, name), _by_words(asked.split(), name.split()), meaning)


def best_likeness(asked: Iterable[str], names: Iterable[str], meaning: float | None = None) -> Parts:
    """The best of several forms of both, such as a relation in CamelCase has."""
    others = list(names)
    return max((likeness(a, b, meaning) for a in asked for b in others), key=lambda parts: parts.score)


def normal_likeness(asked: str, name: str, meaning: float | None = None) -> Parts:
    """As `likeness`, of names as they are written."""
    return likeness(normal_form(asked), normal_form(name), meaning)


def _by_words(asked: Sequence[str], name: Sequence[str]) -> float:
    """The share of the asked words that the name has, and of the name's that were asked, by their letters."""
    found = _covered(asked, name)
    if not found:
        return 0.0
    return NAMED_WHOLE * found + (1 - NAMED_WHOLE) * _covered(name, asked)


def _covered(words: Sequence[str], others: Sequence[str]) -> float:
    """How much of the words' letters stands in the others, each of which serves for one word."""
    left = list(others)
    total = found = 0.0
    for word in sorted(words, key=len, reverse=True):
        total += len(word)
        likes = [OSA.normalized_similarity(word, other, score_cutoff=WORD_ALIKE) for other in left]
        best = max(likes, default=0.0)
        if best > 0:
            found += best * len(word)
            left.pop(likes.index(best))
    return found / total if total else 0.0
