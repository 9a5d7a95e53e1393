"""Choosing the demonstrations nearest to a question, for an LLM's prompt (TrustUQA, section 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from cgstore.cypher.connection import Database
from cgstore.embedding.cache import encode_cached
from cgstore.embedding.encoder import Encoder, SharedEncoder
from cgstore.errors import NoModel
from cgstore.llm.backend import Graph
from cgstore.llm.backends.rewrite.reading import masked_by_mentions
from cgstore.llm.backends.rewrite.template import masked_by_program
from cgstore.llm.demonstrations import SHOTS, Demonstration, source_kinds
from cgstore.llm.demonstrations.stored import State, any_about, nearest_stored
from cgstore.mapping.mentions import words_of
from cgstore.text.names import normal_form

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors

NEAREST = 15
"""Demonstrations of the graph looked at for one question, as TrustUQA has it (m)."""


class Shots(Protocol):
    """A way to choose the demonstrations of a prompt."""

    def nearest(self, question: str, graph: Graph) -> list[Demonstration]:
        """Demonstrations for a question over these sources, the nearest last, where an LLM attends to it most.

        The question itself is never among them, whatever its case, accents and punctuation. May be called by several
        threads.
        """
        ...


class ShippedShots:
    """The nearest of a fixed set, of those that are about a kind of source that is asked, or about any.

    Likeness is the cosine of the questions' sentence vectors, names and times masked; where no encoder can be had, the
    share of words in common (Jaccard). Of equally near ones, the first of the set is the nearest.

    Args:
        demonstrations: the set.
        encoder: makes the vectors; loaded at the first question if None.
        count: most demonstrations chosen.
    """

    def __init__(
        self, demonstrations: Sequence[Demonstration], encoder: Encoder | None = None, count: int = SHOTS
    ) -> None:
        self._demonstrations = list(demonstrations)
        self._encoder = SharedEncoder(encoder)
        self._count = count

    def nearest(self, question: str, graph: Graph) -> list[Demonstration]:
        """See `Shots.nearest`; `count` at most."""
        kinds = source_kinds(graph.kinds)
        ranked = self._ranked(masked_by_mentions(question, graph.mentions(question)))
        fitting = [d for d in ranked if (not d.source or d.source in kinds) and not _same(d.question, question)]
        return fitting[: self._count][::-1]

    def _ranked(self, asked: str) -> list[Demonstration]:
        """All demonstrations, the nearest to a masked question first."""
        try:
            scores: list[float] = (self._vectors @ self._encoder.encode([asked])[0]).tolist()
        except NoModel:
            scores = [common_words(asked, text) for text in self._masked]
        order = sorted(range(len(scores)), key=lambda place: -scores[place])
        return [self._demonstrations[place] for place in order]

    @cached_property
    def _masked(self) -> list[str]:
        return [masked_by_program(d.question, d.program) for d in self._demonstrations]

    @cached_property
    def _vectors(self) -> Vectors:
        return encode_cached(self._encoder, self._masked)


class StoredShots:
    """Of the graph's demonstrations nearest to a question those that are right; what is missing by other shots.

    As TrustUQA has it: of the `m` nearest questions that were tried, up to `k` whose program gave the right answer, and
    the rest from the initial set. Likeness is the cosine of the sentence vectors; equally near ones stand in the order
    of their texts.

    Args:
        db: holds the demonstrations (see `cgstore.llm.demonstrations.stored`).
        encoder: makes the vectors; loaded if None, once there are demonstrations in the graph.
        initial: chooses the rest.
        m: questions looked at.
        k: demonstrations chosen.
        masked: whether names and times are masked in what is compared.
    """

    def __init__(
        self,
        db: Database,
        encoder: Encoder | None,
        initial: Shots,
        m: int = NEAREST,
        k: int = SHOTS,
        masked: bool = False,
    ) -> None:
        self._db, self._initial = db, initial
        self._encoder = SharedEncoder(encoder)
        self._m, self._k, self._masked = m, k, masked

    def nearest(self, question: str, graph: Graph) -> list[Demonstration]:
        """See `Shots.nearest`; `k` at most.

        Raises:
            NoModel: the graph has demonstrations, and there is no encoder to compare the question with them.
        """
        stored = self._stored(question, graph)
        taken = {normal_form(text) for text in (question, *(d.question for d in stored))}
        initial = [d for d in self._initial.nearest(question, graph) if normal_form(d.question) not in taken]
        missing = self._k - len(stored)
        return [*initial[max(0, len(initial) - missing) :], *reversed(stored)]

    def _stored(self, question: str, graph: Graph) -> list[Demonstration]:
        """The right ones of the graph's `m` nearest, the nearest first, `k` at most."""
        kinds = source_kinds(graph.kinds)
        if not any_about(self._db, kinds):
            return []
        masked = masked_by_mentions(question, graph.mentions(question)) if self._masked else None
        near = nearest_stored(self._db, self._encoder, question, kinds, self._m, masked=masked)
        return [stored.demonstration for stored in near if stored.state == State.RIGHT][: self._k]


def _same(one: str, other: str) -> bool:
    """Whether two questions are the same but for case, accents and punctuation."""
    return normal_form(one) == normal_form(other)


def common_words(one: str, other: str) -> float:
    """The share of two texts' words that they have in common (Jaccard)."""
    words, others = ({w.text.lower() for w in words_of(text)} for text in (one, other))
    return len(words & others) / max(1, len(words | others))
