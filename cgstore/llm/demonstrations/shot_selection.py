"""The choice of the demonstrations nearest to a question, for an LLM's prompt (TrustUQA, section 3.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from cgstore.catalog.kinds import kind_named
from cgstore.cypher.connection import Database
from cgstore.embedding.encoder import Encoder, SharedEncoder, cosines, encode_cached
from cgstore.errors import BadInput, NoModel
from cgstore.llm.demonstrations import SHOTS, Demonstration, source_kinds
from cgstore.llm.demonstrations.stored import State, StoredDemonstration, are_any, nearest_stored
from cgstore.llm.graph_view import GraphView
from cgstore.llm.masking import masked_by_mentions, masked_by_program
from cgstore.mapping.mentions import words_of
from cgstore.query.name_uses import NameRole, name_uses
from cgstore.query.parse import parse
from cgstore.text.names import normal_form, source_name

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors

NEAREST = 15
"""Demonstrations of the graph that are considered for a question (TrustUQA's m)."""

MORE = 3
"""Times as many demonstrations as wanted that are looked at, since some have no counterpart in a language."""

MOST_CORRECTIONS = 2
"""Corrections that an LLM sees with one question."""


class Shots:
    """The right ones among the nearest demonstrations of the graph, completed by the nearest of a fixed set.

    As in TrustUQA, the `m` nearest questions tried are considered, and those whose program gave the right answer are
    chosen; see `fitting` for those of other sources. Of the fixed set, those about any kind of source or a kind that is
    asked are ranked by the cosine of masked questions, without an encoder by the share of words in common; of equally
    near ones, the first of the set wins.

    Args:
        demonstrations: the fixed set.
        count: how many demonstrations to choose.
        db: the graph that has demonstrations; None: only the fixed set is used.
        spell: a program in the language of the prompt; raises BadInput where it has no counterpart.
    """

    def __init__(
        self,
        demonstrations: Sequence[Demonstration],
        encoder: Encoder | None = None,
        count: int = SHOTS,
        *,
        db: Database | None = None,
        m: int = NEAREST,
        spell: Callable[[str], str] = str,
    ) -> None:
        self._demonstrations, self._encoder, self._count = list(demonstrations), SharedEncoder(encoder), count
        self._db, self._m, self._spell = db, m, spell

    def nearest(self, question: str, graph: GraphView) -> list[Demonstration]:
        """Demonstrations for a question over these sources, the nearest last, where an LLM attends to it most.

        The question itself is never chosen, whatever its case, accents and punctuation. Several threads may call this.

        Raises:
            NoModel: the graph has demonstrations, but there is no encoder to compare the question with them.
        """
        candidates = islice(self._candidates(question, graph), MORE * self._count)
        spelt = (each for candidate in candidates for each in self._spelt(candidate))
        return list(islice(spelt, self._count))[::-1]

    def corrections(self, question: str, graph: GraphView) -> list[StoredDemonstration]:
        """At most `MOST_CORRECTIONS` of users, the nearest first, about kinds of sources that are asked.

        They may be of the question itself. There are none without an encoder.
        """
        kinds = source_kinds(graph.kinds)
        if self._db is None or not are_any(self._db, kinds, corrected=True):
            return []
        sources = [source_name(source) for source in graph.sources]
        try:
            return nearest_stored(
                self._db, self._encoder, question, kinds, MOST_CORRECTIONS, sources=sources, corrected=True
            )
        except NoModel:
            return []

    def _candidates(self, question: str, graph: GraphView) -> Iterator[Demonstration]:
        """All of them, the nearest first."""
        stored, kinds = self._stored(question, graph), source_kinds(graph.kinds)
        yield from stored
        taken = {normal_form(text) for text in (question, *(d.question for d in stored))}
        for each in self._ranked(masked_by_mentions(question, graph.mentions(question))):
            if (not each.source or each.source in kinds) and normal_form(each.question) not in taken:
                yield each

    def _spelt(self, shot: Demonstration) -> list[Demonstration]:
        try:
            return [replace(shot, program=self._spell(shot.program))]
        except BadInput:
            return []

    def _stored(self, question: str, graph: GraphView) -> list[Demonstration]:
        kinds = source_kinds(graph.kinds)
        if self._db is None or not are_any(self._db, kinds):
            return []
        sources = [source_name(source) for source in graph.sources]
        near = nearest_stored(self._db, self._encoder, question, kinds, self._m, sources=sources)
        return [each.demonstration for each in fitting([each for each in near if each.state == State.RIGHT], graph)]

    def _ranked(self, masked_question: str) -> list[Demonstration]:
        try:
            scores = cosines(self._vectors, self._encoder.encode([masked_question])[0])
        except NoModel:
            scores = [_common_words(masked_question, text) for text in self._masked]
        order = sorted(range(len(scores)), key=lambda place: -scores[place])
        return [self._demonstrations[place] for place in order]

    @cached_property
    def _masked(self) -> list[str]:
        return [masked_by_program(d.question, d.program) for d in self._demonstrations]

    @cached_property
    def _vectors(self) -> Vectors:
        return encode_cached(self._encoder, self._masked)


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


def _common_words(one: str, other: str) -> float:
    """The share of two texts' words that they have in common (Jaccard)."""
    words, others = ({w.text.lower() for w in words_of(text)} for text in (one, other))
    return len(words & others) / max(1, len(words | others))
