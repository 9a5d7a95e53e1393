"""How well a node's name fits a name in a program: by its characters, by its words, and by meaning.

An LLM errs in ways of its own: it leaves out words or accents, swaps them, mistypes a letter, or says the same in other
words. Each way has a measure that sees it, in [0, 1]. The score joins the measures, and keeps them as its parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from cgstore.text.names import normal_form

WORD_ALIKE = 0.74
"""Least likeness of two words that count as the same word, mistyped: one letter of four."""

BY_WORDS = 0.98
"""Factor of the likeness by words: less than 1, since the order of the words says something too."""

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
"""Weight of the asked words that the name has, beside the weight of the name's words that were asked for."""

BY_MEANING = 0.03
"""Weight of meaning beside spelling, for entities. It only decides between names that are spelt equally alike, since a
mistyped name means something else to an encoder."""

MEANING_ALONE = 0.9
"""Factor of the likeness by meaning where the spelling differs."""

RELATION_SPELLING = 0.7
"""Weight of a relation's spelling, as far as it is over a half, beside its meaning."""

SURE = 0.9
"""Likeness by spelling from which meaning is not looked at: the name is mistyped, and its vector means nothing."""

MEANT = 0.65
"""Least meaning of a relation that has other words than the one asked for. With less it is another relation, as `cause
of death` (0.56) is beside `date of death`. Measured, see docs/benchmarks.md."""

OTHER_WORDS = 0.4
"""Highest score of such a relation when a threshold is compared with it."""

ONE_WORD = 0.85
"""Least likeness of two relations, written as one word each, that are the same: `birthplace`, `birth place`."""

WHOLE = 0.01
"""Weight of a relation's small words: they decide between `student` and `student of`, and nothing else."""


@dataclass(frozen=True)
class Likeness:
    """A score and its parts; `meaning` is the cosine of the two names' vectors, if both have one.

    `same_words` is false only for relations that each have a word that the other lacks.
    """

    characters: float
    words: float
    meaning: float | None
    score: float
    same_words: bool = True

    @property
    def near(self) -> float:
        """The value that a threshold is compared with: the score, unless it rests on some of the words alone."""
        if self.same_words:
            return self.score
        meaning = self.meaning or 0.0
        return min(self.score, meaning if meaning >= MEANT else OTHER_WORDS)


def likeness(asked: str, name: str, meaning: float | None = None) -> Likeness:
    """How well the name of an entity or value fits the one asked for, both in normal form.

    Words that serve grammar count for little: `head of government of Benin` and `head of government benin` are alike.
    """
    characters, words = _spelling(asked, name)
    words = max(words, BY_WORDS * have_same_words(asked, name))
    spelling = max(characters, words)
    if meaning is None or spelling >= 1.0:
        return Likeness(characters, words, meaning, spelling)
    joined = (1 - BY_MEANING) * spelling + BY_MEANING * max(0.0, meaning)
    return Likeness(characters, words, meaning, max(joined, MEANING_ALONE * meaning))


def relation_likeness(asked: Mapping[str, float], names: Mapping[str, float], meaning: float | None = None) -> Likeness:
    """How well a relation or key fits the one asked for.

    People say relations in other words far more often than they mistype them, so that meaning counts more than for
    entities, and small words count less.

    Args:
        asked: the forms in which it may be meant, with their weights (`cgstore.text.names.relation_styles`).
        names: the forms of the relation; one of two compared forms is always a whole name.
        meaning: the cosine of the two names' vectors, if both have one.
    """
    pairs = [(a, b, one * other) for a, one in asked.items() for b, other in names.items() if 1.0 in (one, other)]
    characters, words = max((_relation_spelling(a, b, weight) for a, b, weight in pairs), key=max)
    spelling = max(characters, words)
    same = any(_are_same_relation(_without_small_words(a), _without_small_words(b)) for a, b, _ in pairs)
    if meaning is None or spelling >= SURE:
        return Likeness(characters, words, meaning, spelling, same)
    joined = max(0.0, meaning) + RELATION_SPELLING * max(0.0, spelling - 0.5)
    return Likeness(characters, words, meaning, min(joined, SURE), same)


def have_same_words(asked: str, name: str) -> bool:
    """Whether two normal forms have the same words, in any order, but for `of`, `the` and the like."""
    own, others = (sorted(word for word in form.split() if word not in NAME_WORDS) for form in (asked, name))
    return own == others != []


def _are_same_relation(asked: str, name: str) -> bool:
    """Whether one relation has all words of the other, if need be mistyped; the name may lack up to half of them."""
    own, others = asked.split(), name.split()
    one, other = "".join(own), "".join(others)
    if _has_all(own, others) or (2 * len(other) >= len(one) and _has_all(others, own)):
        return True
    return OSA.normalized_similarity(one, other) >= ONE_WORD


def _has_all(words: Sequence[str], others: Sequence[str]) -> bool:
    return all(best for _, best in _best_matches(words, others))


def _relation_spelling(asked: str, name: str, weight: float) -> tuple[float, float]:
    """The likenesses of two forms without their small words, and a little of those with them."""
    spelling = _spelling(_without_small_words(asked), _without_small_words(name))
    whole = WHOLE * OSA.normalized_similarity(asked, name)
    characters, words = (weight * ((1 - WHOLE) * part + whole) for part in spelling)
    return characters, words


def _spelling(asked: str, name: str) -> tuple[float, float]:
    """The likenesses by characters and by words."""
    own, others = asked.split(), name.split()
    named = _share_found(own, others)
    words = NAMED_WHOLE * named + (1 - NAMED_WHOLE) * _share_found(others, own) if named else 0.0
    return OSA.normalized_similarity(asked, name), BY_WORDS * words


def _without_small_words(form: str) -> str:
    return " ".join(word for word in form.split() if word not in SMALL_WORDS) or form


def _share_found(words: Sequence[str], others: Sequence[str]) -> float:
    """The share of the words' letters that stands in the other words."""
    total = sum(map(len, words))
    return sum(best * len(word) for word, best in _best_matches(words, others)) / total if total else 0.0


def _best_matches(words: Sequence[str], others: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Each word, the longest first, with its likeness to one of the other words, each of which serves once; else 0."""
    left = list(others)
    for word in sorted(words, key=len, reverse=True):
        likes = [OSA.normalized_similarity(word, other, score_cutoff=WORD_ALIKE) for other in left]
        best = max(likes, default=0.0)
        if best > 0:
            left.pop(likes.index(best))
        yield word, best


# Names that resemble a text


def trigrams(text: str) -> frozenset[str]:
    """The runs of three characters of a text's normal form, with a blank before it and after."""
    form = f" {normal_form(text)} "
    return frozenset(form[at : at + 3] for at in range(max(1, len(form) - 2)))


def nearest(text: str, names: Iterable[str]) -> tuple[str, float] | None:
    """The name that shares most trigrams with a text, and how many (Dice's coefficient); the first one of equals."""
    wanted = trigrams(text)
    scores = ((name, 2 * len(wanted & own) / (len(wanted) + len(own))) for name in names for own in [trigrams(name)])
    return max(scores, key=lambda scored: scored[1], default=None)


def similar(text: str, names: Iterable[str], count: int = 1, least: float = 0.6) -> list[str]:
    """The names that a mistyped text may stand for, the most similar first: those to offer in an error."""
    found = process.extract(text, list(names), scorer=fuzz.ratio, limit=count, score_cutoff=100 * least)
    return [name for name, *_ in found]


def did_you_mean(text: str, names: Iterable[str], otherwise: str) -> str:
    """A hint that offers the name most similar to a mistyped text, or says something else if there is none."""
    found = similar(text, names)
    return f"Did you mean '{found[0]}'?" if found else otherwise
