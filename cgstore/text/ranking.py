"""How well a node's name fits a name in a program: by its characters, by its words, by meaning; and the best of many.

An LLM errs in ways of its own: it leaves out words or accents, swaps them, mistypes a letter, or says the same in other
words. Each way has a measure that sees it, in [0, 1]; the score joins them, and its parts stay in sight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

WORD_ALIKE = 0.74
"""Least likeness of two words that are taken for the same one, mistyped: one letter of four."""

BY_WORDS = 0.98
"""Of the likeness by words, what counts: the order of the words says something too."""

SMALL_WORDS = frozenset(
    (
        "the",
        "a",
        "an",
        "of",
        "in",
        "by",
        "to",
        "for",
        "at",
        "on",
        "from",
        "with",
        "and",
        "or",
        "is",
        "was",
        "are",
        "were",
    )
)
"""Words that hardly tell one relation from another."""

NAME_WORDS = frozenset(("the", "a", "an", "of", "in", "for"))
"""Words that hardly tell one entity from another; `from` and `to` do."""

NAMED_WHOLE = 0.7
"""The weight of the asked words that the name has, beside that of the name's words that were asked for."""

BY_MEANING = 0.03
"""The weight of meaning beside spelling, of entities: it decides between names spelt as like, since what is mistyped
means something else to an encoder."""

MEANING_ALONE = 0.9
"""Of the likeness by meaning, what counts where the spelling is another."""


RELATION_SPELLING = 0.7
"""The weight of a relation's spelling, as far as it is over a half, beside its meaning."""

SURE = 0.9
"""Likeness by spelling from which it counts as it is: a mistyped name, which means nothing."""

MEANT = 0.65
"""Least meaning of a relation that has other words than the one asked for, such as `date of death` and `cause of death`
(0.56): with less it is another relation. Measured, see docs/benchmarks.md."""

OTHER_WORDS = 0.4
"""What the score of such a relation counts for at most where a threshold is asked."""

ONE_WORD = 0.85
"""Least likeness of two relations, written as one word each, that are the same: `birthplace`, `birth place`."""

WHOLE = 0.01
"""The weight of a relation's small words: they decide between `student` and `student of`, and nothing else."""


@dataclass(frozen=True)
class Parts:
    """What a score was made of, and the score: `meaning` is the cosine of the two names' vectors, where there are.

    `same_words`: the names do not each have a word that the other lacks; always so with entities.
    """

    characters: float
    words: float
    meaning: float | None
    score: float
    same_words: bool = True

    @property
    def near(self) -> float:
        """What a threshold is compared with: the score, unless it rests on some of the words alone."""
        if self.same_words:
            return self.score
        meaning = self.meaning or 0.0
        return min(self.score, meaning if meaning >= MEANT else OTHER_WORDS)


def likeness(asked: str, name: str, meaning: float | None = None) -> Parts:
    """How well the name of an entity or value fits the one asked for, both in normal form.

    Words that serve grammar count for little: `head of government of Benin` and `head of government benin` are alike.
    """
    characters, words = _spelt(asked, name)
    words = max(words, BY_WORDS * have_same_words(asked, name))
    spelling = max(characters, words)
    if meaning is None or spelling >= 1.0:
        return Parts(characters, words, meaning, spelling)
    joined = (1 - BY_MEANING) * spelling + BY_MEANING * max(0.0, meaning)
    return Parts(characters, words, meaning, max(joined, MEANING_ALONE * meaning))


def relation_likeness(asked: Mapping[str, float], names: Mapping[str, float], meaning: float | None = None) -> Parts:
    """How well a relation or key fits the one asked for.

    People say relations in other words far more often than they mistype them, so that meaning counts more than with
    entities, and small words less.

    Args:
        asked: the forms in which it may be meant, with their weights (`cgstore.text.names.relation_styles`).
        names: those of the relation; of the two forms compared, one is a whole name.
        meaning: the cosine of the two names' vectors, where there are.
    """
    pairs = [(a, b, one * other) for a, one in asked.items() for b, other in names.items() if 1.0 in (one, other)]
    spelt = (_relation_spelt(a, b, weight) for a, b, weight in pairs)
    characters, words = max(spelt, key=max)
    spelling = max(characters, words)
    same = any(_same_words(_without_small_words(a), _without_small_words(b)) for a, b, _ in pairs)
    if meaning is None or spelling >= SURE:
        return Parts(characters, words, meaning, spelling, same)
    joined = max(0.0, meaning) + RELATION_SPELLING * max(0.0, spelling - 0.5)
    return Parts(characters, words, meaning, min(joined, SURE), same)


def _same_words(asked: str, name: str) -> bool:
    """Whether a relation has all words asked for, or nothing but at least half of them; each may be mistyped."""
    own, others = asked.split(), name.split()
    if _has_all(own, others) or (2 * len("".join(others)) >= len("".join(own)) and _has_all(others, own)):
        return True
    return OSA.normalized_similarity("".join(own), "".join(others)) >= ONE_WORD


def _has_all(words: Sequence[str], others: Sequence[str]) -> bool:
    left = list(others)
    for word in sorted(words, key=len, reverse=True):
        likes = [OSA.normalized_similarity(word, other) for other in left]
        best = max(likes, default=0.0)
        if best < WORD_ALIKE:
            return False
        left.pop(likes.index(best))
    return True


def have_same_words(asked: str, name: str) -> bool:
    """Whether two normal forms have the same words, in any order, but for `of`, `the` and the like."""
    own, others = (sorted(word for word in form.split() if word not in NAME_WORDS) for form in (asked, name))
    return own == others != []


def _relation_spelt(asked: str, name: str, weight: float) -> tuple[float, float]:
    """The likenesses of two forms without their small words, and a little of those with them."""
    characters, words = _spelt(_without_small_words(asked), _without_small_words(name))
    whole = WHOLE * OSA.normalized_similarity(asked, name)
    return weight * ((1 - WHOLE) * characters + whole), weight * ((1 - WHOLE) * words + whole)


def _spelt(asked: str, name: str) -> tuple[float, float]:
    """The likenesses by characters and by words."""
    return OSA.normalized_similarity(asked, name), BY_WORDS * _by_words(asked.split(), name.split())


def _without_small_words(form: str) -> str:
    """Without them, if there are others."""
    return " ".join(word for word in form.split() if word not in SMALL_WORDS) or form


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
