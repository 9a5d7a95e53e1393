"""Readings of a question: which of its mentions are taken for names, and the question with those masked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from cgstore.llm.backends.rewrite.signals import answer_type, question_word, signals_of
from cgstore.llm.backends.rewrite.template import mask
from cgstore.mapping.mentions import Mention

MAX_WEAK = 3
"""Most weak mentions considered in one question: each doubles the readings."""

Alternatives = tuple[Mention, ...]
"""The mentions that share one place: nodes with one normal form, the best first."""


@dataclass(frozen=True)
class Reading:
    """One way to take a question; `entities` and `times` are its distinct ones, in the order of the question."""

    entities: tuple[Alternatives, ...]
    times: tuple[Mention, ...]
    masked: str
    signals: frozenset[str]
    answer: str
    word: str
    weak: int


def readings_of(question: str, mentions: Sequence[Mention], vocabulary: frozenset[str]) -> list[Reading]:
    """The readings that take every mention but weak ones, which may be left out; those that take more come first.

    A weak mention that is a word of `vocabulary`, the words that questions are made of, is never taken.
    """
    places = [p for p in _places(mentions) if not (p[0].weak and p[0].text.lower() in vocabulary)]
    strong = [p for p in places if not p[0].weak]
    weak = [p for p in places if p[0].weak][:MAX_WEAK]
    return [
        _reading(question, [*strong, *chosen], len(chosen))
        for count in range(len(weak), -1, -1)
        for chosen in combinations(weak, count)
    ]


def masked_by_mentions(question: str, mentions: Sequence[Mention]) -> str:
    """The question with a placeholder for each mention but the weak ones, which may be no names."""
    return readings_of(question, mentions, frozenset())[-1].masked


def without(signals: frozenset[str], reading: Reading) -> Reading:
    """A reading without some signals."""
    return replace(reading, signals=reading.signals - signals)


def _reading(question: str, places: list[Alternatives], weak: int) -> Reading:
    places = sorted(places, key=lambda p: p[0].start)
    masked = mask(question, [(p[0].start, max(m.end for m in p), p[0].kind) for p in places])
    entities = {p[0].key: p for p in reversed(places) if p[0].kind == "entity"}
    times = {p[0].key: p[0] for p in reversed(places) if p[0].kind == "time"}
    return Reading(
        tuple(sorted(entities.values(), key=lambda p: p[0].start)),
        tuple(sorted(times.values(), key=lambda m: m.start)),
        masked,
        signals_of(masked),
        answer_type(masked),
        question_word(masked),
        weak,
    )


def _places(mentions: Sequence[Mention]) -> Iterator[Alternatives]:
    """Mentions of entities and times, those that overlap (alternatives) together."""
    group: list[Mention] = []
    for mention in mentions:
        if mention.kind == "relation":
            continue
        if group and mention.start >= max(m.end for m in group):
            yield tuple(group)
            group = []
        group.append(mention)
    if group:
        yield tuple(group)
