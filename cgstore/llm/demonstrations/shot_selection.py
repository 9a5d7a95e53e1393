"""The choice of the demonstrations nearest to a question, for an LLM's prompt (TrustUQA, section 3.4)."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from cgstore.catalog.kinds import kind_named
from cgstore.cypher.connection import Database
from cgstore.embedding.encoder import Encoder, SharedEncoder, cosines, encode_cached
from cgstore.errors import BadInput, NoModel
from cgstore.llm import SHOTS
from cgstore.llm.demonstrations import Demonstration, source_kinds
from cgstore.llm.demonstrations.masking import masked_by_mentions, masked_by_program
from cgstore.llm.demonstrations.stored import (
    State,
    StoredDemonstration,
    any_about,
    any_corrected,
    nearest_corrected,
    nearest_stored,
)
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import words_of
from cgstore.query.name_uses import NameRole, name_uses
from cgstore.query.parse import parse
from cgstore.text.names import normal_form, source_name

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors

NEAREST = 15
"""Demonstrations of the graph that are considered for a question (TrustUQA's m)."""


MOST_CORRECTIONS = 2
"""Corrections that an LLM sees with one question."""


class Shots(Protocol):
    """A way to choose the demonstrations of a prompt."""

    def nearest(self, question: str, graph: GraphView) -> list[Demonstration]:
        """Demonstrations for a question over these sources, the nearest last, where an LLM attends to it most.

        The question itself is never chosen, whatever its case, accents and punctuation. Several threads may call this.
        """
        ...


class ShippedShots:
    """The nearest in a fixed set, among those about any kind of source or a kind that is asked.

    Nearness is the cosine of the vectors of masked questions; if no encoder is available, the share of words in common.
    Among equally near ones, those that come first in the set win.

    Args:
        demonstrations: the set.
        encoder: makes the vectors; loaded at the first question if None.
        count: how many demonstrations to choose.
    """

    def __init__(
        self, demonstrations: Sequence[Demonstration], encoder: Encoder | None = None, count: int = SHOTS
    ) -> None:
        self._demonstrations = list(demonstrations)
        self._encoder = SharedEncoder(encoder)
        self._count = count

    def nearest(self, question: str, graph: GraphView) -> list[Demonstration]:
        """See `Shots.nearest`."""
        kinds, itself = source_kinds(graph.kinds), normal_form(question)
        ranked = self._ranked(masked_by_mentions(question, graph.mentions(question)))
        fitting = [d for d in ranked if (not d.source or d.source in kinds) and normal_form(d.question) != itself]
        return fitting[: self._count][::-1]

    def _ranked(self, masked_question: str) -> list[Demonstration]:
        try:
            scores = cosines(self._vectors, self._encoder.encode([masked_question])[0])
        except NoModel:
            scores = [common_words(masked_question, text) for text in self._masked]
        order = sorted(range(len(scores)), key=lambda place: -scores[place])
        return [self._demonstrations[place] for place in order]

    @cached_property
    def _masked(self) -> list[str]:
        return [masked_by_program(d.question, d.program) for d in self._demonstrations]

    @cached_property
    def _vectors(self) -> Vectors:
        return encode_cached(self._encoder, self._masked)


class StoredShots:
    """The right ones among the nearest demonstrations of the graph, completed by other shots.

    Those that are stored for other sources than those asked come after all others, and only if they fit; see `fitting`.

    As in TrustUQA, up to `k` of the `m` nearest questions tried are chosen if their program gave the right answer; the
    rest comes from the initial set.

    Args:
        db: holds the demonstrations (see `cgstore.llm.demonstrations.stored`).
        encoder: makes the vectors; if None, loaded once there are demonstrations in the graph.
        initial: chooses the rest.
        m: questions considered.
        k: demonstrations chosen.
        masked: whether masked questions are compared.
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

    def nearest(self, question: str, graph: GraphView) -> list[Demonstration]:
        """See `Shots.nearest`.

        Raises:
            NoModel: the graph has demonstrations, but there is no encoder to compare the question with them.
        """
        stored = self._stored(question, graph)
        taken = {normal_form(text) for text in (question, *(d.question for d in stored))}
        initial = [d for d in self._initial.nearest(question, graph) if normal_form(d.question) not in taken]
        missing = self._k - len(stored)
        return [*initial[max(0, len(initial) - missing) :], *reversed(stored)]

    def _stored(self, question: str, graph: GraphView) -> list[Demonstration]:
        kinds = source_kinds(graph.kinds)
        if not any_about(self._db, kinds):
            return []
        masked = masked_by_mentions(question, graph.mentions(question)) if self._masked else None
        sources = [source_name(source) for source in graph.sources]
        near = nearest_stored(self._db, self._encoder, question, kinds, self._m, masked=masked, sources=sources)
        right = [stored for stored in near if stored.state == State.RIGHT]
        return [stored.demonstration for stored in fitting(right, graph)][: self._k]


def fitting(stored: Sequence[StoredDemonstration], graph: GraphView) -> list[StoredDemonstration]:
    """The demonstrations that may teach something about these sources.

    One made for another graph teaches relations that these sources lack; then shipped ones are better. The columns of
    tables differ from table to table anyway.
    """
    asked = {source_name(source) for source in graph.sources}
    others = [each for each in stored if each.sources and asked.isdisjoint(each.sources)]
    if not others or all(kind_named(kind).has_rows for kind in graph.kinds):
        return list(stored)
    known = {normal_form(relation) for relation in graph.relations}
    return [each for each in stored if each not in others or _has_relations(each.program, known)]


def _has_relations(program: str, known: Set[str]) -> bool:
    """Whether all relations of a program are among these, in normal form; not if it cannot be read."""
    try:
        uses = name_uses(parse(program, undefined=True))
    except BadInput:
        return False
    return all(normal_form(use.literal.text) in known for use in uses if use.role is NameRole.RELATION)


class Corrections:
    """The corrections of users that are nearest to a question.

    Args:
        db: holds them (see `cgstore.llm.demonstrations.stored`).
        encoder: makes the vectors; used only if there are corrections.
    """

    def __init__(self, db: Database, encoder: Encoder) -> None:
        self._db, self._encoder = db, encoder

    def nearest(self, question: str, graph: GraphView) -> list[StoredDemonstration]:
        """At most `MOST_CORRECTIONS` about kinds of sources that are asked, the nearest first; none without an encoder.

        They may be of the question itself.
        """
        kinds = source_kinds(graph.kinds)
        if not any_corrected(self._db, kinds):
            return []
        sources = [source_name(source) for source in graph.sources]
        try:
            return nearest_corrected(self._db, self._encoder, question, kinds, sources, MOST_CORRECTIONS)
        except NoModel:
            return []


def common_words(one: str, other: str) -> float:
    """The share of two texts' words that they have in common (Jaccard)."""
    words, others = ({w.text.lower() for w in words_of(text)} for text in (one, other))
    return len(words & others) / max(1, len(words | others))
