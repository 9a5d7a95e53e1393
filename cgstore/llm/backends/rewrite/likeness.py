"""Programs from the demonstrations that are like a question: in the same words with other names, or near to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cgstore.embedding.encoder import SharedEncoder
from cgstore.llm.backends import CannotPropose, Proposal
from cgstore.llm.backends.rewrite import clause_patterns as P
from cgstore.llm.backends.rewrite.abstention import refuse_unknown_names, why_no_program
from cgstore.llm.backends.rewrite.filling import Relations, fillings
from cgstore.llm.backends.rewrite.proposals import Near, best, closest, lacked, proposal_of, unknown_form
from cgstore.llm.backends.rewrite.repertoire import Knowledge, Repertoire, fits
from cgstore.llm.backends.rewrite.rewording import asks_years_of_days
from cgstore.llm.backends.rewrite.same_words import same_words
from cgstore.llm.backends.rewrite.similarity import relations_like, similarities
from cgstore.llm.demonstrations.forms import Form
from cgstore.llm.demonstrations.masking import Reading, readable, readings_of, unmasked
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import Mention

NEAREST = 50
"""Demonstrations rewritten for one reading: many, since the nearest ones may use none of the question's words."""

MIN_SIMILARITY = 0.5
"""Least cosine similarity of a masked question and a masked demonstration."""

MIN_ALIKE = 0.2
"""The same by words, where no encoder is available: what a word asks for is looked at anyway (see `Lexicon`)."""

IGNORED_IF_TIMELESS = frozenset({"present"})
"""Signals that say nothing about sources without times, whose facts always hold."""

NOT_A_NAME = 0.02
"""Penalty for each name of a reading that is one only by the words around it."""


@dataclass(frozen=True)
class Teaching:
    """What all demonstrations teach, those that a graph can answer, and what compares a question with them."""

    knowledge: Knowledge
    repertoire: Repertoire
    encoder: SharedEncoder


class Likeness:
    """One question beside the demonstrations.

    Args:
        question: in plain words.
        mentions: its names and times.
        graph: where it is asked.
        teaching: the demonstrations; the encoder is loaded only if it compares.
    """

    def __init__(self, question: str, mentions: Sequence[Mention], graph: GraphView, teaching: Teaching) -> None:
        self._question, self._mentions, self._graph = question, mentions, graph
        self._knowledge, self._repertoire = teaching.knowledge, teaching.repertoire
        self._encoder = teaching.encoder
        self._ignored = frozenset() if graph.has_times else IGNORED_IF_TIMELESS
        self.readings = [
            replace(reading, signals=reading.signals - self._ignored)
            for reading in readings_of(question, mentions, self._knowledge.vocabulary)
        ]
        """The question with its names masked, the likeliest reading first."""

    def in_the_same_words(self) -> list[Proposal]:
        """The programs of demonstrations that differ from the question in names alone."""
        possible = self._graph.possible_mentions(self._question)
        found = same_words(self._question, possible, self._mentions, self._repertoire.trie)
        if not found or asks_years_of_days(self._question, self._graph):
            return []
        near = [
            Near(form, each, 1.0 - NOT_A_NAME * doubtful)
            for reading, forms, doubtful in found
            for form in forms
            if fits(form, each := replace(reading, signals=reading.signals - self._ignored), self._ignored)
        ]
        keys = [mention.key for each in near for place in each.reading.entities for mention in place]
        self._graph.read_around(keys)
        relations = Relations(dict.fromkeys(self._graph.relations, 0.0), self._named)
        proposals, _, _ = self._filled(near, relations, in_same_words=True)
        return [replace(each, way="same words") for each in best(proposals)]

    def by_likeness(self) -> list[Proposal]:
        """The programs of the demonstrations that are most like the question.

        Raises:
            CannotPropose: none is like it, or none accounts for all its words.
        """
        if P.OWNING.search(self._question):
            raise CannotPropose(why_no_program([{"own"}]))
        if asks_years_of_days(self._question, self._graph):
            raise CannotPropose("the times of the sources are days, and years are asked for")
        refuse_unknown_names(self._question, self._mentions, self._graph, self._knowledge.vocabulary)
        self._graph.read_around([m.key for m in self._mentions if m.kind == "entity"])
        forms, readings, lexicon = self._repertoire.forms, self.readings, self._knowledge.lexicon
        fitting = [(form, reading) for reading in readings for form in forms if fits(form, reading, self._ignored)]
        if not fitting:
            raise unknown_form(readings[0], forms)
        masked = dict.fromkeys(reading.masked for _, reading in fitting)
        if all(unknown := [lexicon.unknown(text, self._graph.relations) for text in masked]):
            raise CannotPropose(why_no_program(unknown), [closest(readings[0], [form for form, _ in fitting])])
        near = self._near(fitting)
        least = MIN_ALIKE if self._encoder.failure else MIN_SIMILARITY
        if near[0].similarity < least:
            reason = "the question is not understood without an LLM: it is too unlike those that are known"
            if failure := self._encoder.failure:
                reason += f" by its words. {failure.message} {failure.hint or ''}".rstrip()
            raise CannotPropose(reason, [readable(near[0].form.masked)])
        return self._ranked([n for n in near if n.similarity >= least], self._relations())

    def _ranked(self, near: Sequence[Near], relations: Relations) -> list[Proposal]:
        """The programs that can be made from the forms and that account for all words, the best first."""
        proposals, unknown_words, faults = self._filled(near, relations)
        if not proposals:
            if not faults and (lacking := next(lacked(near, relations, self._knowledge.lexicon, self._graph), "")):
                raise CannotPropose(lacking)
            reason = faults[0] if faults else why_no_program(unknown_words)
            raise CannotPropose(reason, [readable(near[0].form.masked)])
        return best(proposals)

    def _filled(
        self, near: Sequence[Near], relations: Relations, in_same_words: bool = False
    ) -> tuple[dict[str, list[tuple[Proposal, int]]], list[set[str]], list[str]]:
        """The programs made from the forms, each by its text with the votes of its forms; and why others are not."""
        proposals: dict[str, list[tuple[Proposal, int]]] = {}
        unknown_words: list[set[str]] = []
        faults: list[str] = []
        numbers = frozenset() if in_same_words else self._graph.relations_of_numbers
        for found in near:
            if (template := found.form.template) is None:
                continue
            for filled in fillings(template, found.reading, self._graph, relations, in_same_words):
                known = {own: relations.known_as(own) for own in filled.relations}
                if found.form.stored and known != filled.relations:
                    continue  # it was made for this graph, and means its own relations
                if found.reading.word != "what" and not numbers.isdisjoint(filled.relations.values()):
                    continue  # neither a person nor a place is a number
                words = self._knowledge.lexicon.unsupported(found.reading.masked, filled.relations, known)
                if words:
                    unknown_words.append(words)
                elif filled.fault:
                    faults.append(filled.fault)
                else:
                    proposal = proposal_of(found, filled)
                    proposals.setdefault(proposal.program, []).append((proposal, found.form.votes))
        return proposals, unknown_words, faults

    def _near(self, fitting: Sequence[tuple[Form, Reading]]) -> list[Near]:
        """The nearest forms that fit each reading, the most similar first."""
        readings = list({id(reading): reading for _, reading in fitting}.values())
        rows = similarities([reading.masked for reading in readings], self._knowledge, self._encoder)
        near: list[Near] = []
        for reading, row in zip(readings, rows, strict=True):
            found = [Near(form, r, row[self._knowledge.place_of(form)]) for form, r in fitting if r is reading]
            near += sorted(found, key=lambda n: -n.similarity)[:NEAREST]
        return sorted(near, key=lambda n: -n.similarity)

    def _relations(self) -> Relations:
        like = relations_like(unmasked(self.readings[0].masked), self._graph.relations, self._encoder)
        return Relations(like, self._named)

    @property
    def _named(self) -> frozenset[str]:
        """The relations that the question names."""
        return frozenset(m.name for m in self._mentions if m.kind == "relation")
