"""The backend `demos`: no LLM; the nearest demonstration's program, rewritten with the names of the question.

As in TrustUQA (section 3.4) demonstrations are chosen by the similarity of sentence embeddings, here with names and
times masked, so that the form of the question counts and not who it asks about. It stays silent rather than guess:
every name in the question must be in the graph and in the program, and temporal signals must agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cgstore.embedding.cache import encode_cached
from cgstore.embedding.encoder import Encoder, load_encoder
from cgstore.llm.backend import CannotPropose, Decision, Graph, Proposal, Run, first_that_answers
from cgstore.llm.backends.rewrite.abstention import size, why_no_program, why_present, why_unknown_form
from cgstore.llm.backends.rewrite.doubts import with_doubts
from cgstore.llm.backends.rewrite.filling import Filled, Relations, fillings, fits
from cgstore.llm.backends.rewrite.lexicon import Lexicon
from cgstore.llm.backends.rewrite.reading import Reading, readings_of, without
from cgstore.llm.backends.rewrite.refusals import refuse_sources, refuse_times, with_other_sources
from cgstore.llm.backends.rewrite.signals import SIGNAL_OF
from cgstore.llm.backends.rewrite.template import Template, readable, template_of, unmasked
from cgstore.llm.backends.rewrite.unknown_names import phrases_of, unknown_names
from cgstore.llm.demonstrations import Demonstration, source_kinds
from cgstore.llm.demonstrations.shot_selection import common_words
from cgstore.mapping.mentions import Mention, words_of
from cgstore.source_kinds import TABLE, TKG

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors

NEAREST = 50
"""Demonstrations rewritten for one reading: many, since the nearest ones may use none of the question's words."""

MIN_SIMILARITY = 0.5
"""Least cosine similarity of a masked question and a masked demonstration."""

MARGIN = 0.05
"""Proposals this much worse than the best one are not made: they would answer another question."""

MAX_PROPOSALS = 30
"""Most programs proposed for one question."""

MAX_CLOSEST = 5
"""Most names offered for a question that holds none."""

OTHER_WORD = 0.05
"""Lost where the question words differ: "who was mayor before him" and "what was he before" are else alike."""

"""How the demonstrations ask for an end, and for a start."""

NOT_OF_TIMELESS = frozenset({"present"})
"""Signals that say nothing of sources without times, whose facts always hold."""

WEAK_TAKEN = 0.05
"""Gained for each weak mention that a reading takes: what may be a name most often is one."""


@dataclass(frozen=True)
class Near:
    """A template near to a reading of the question, by cosine similarity."""

    template: Template
    reading: Reading
    similarity: float


class RewriteBackend:
    """Rewrites demonstrations; needs an encoder (loaded at the first question) and no LLM."""

    name = "demos"

    def __init__(self, demonstrations: Sequence[Demonstration], encoder: Encoder | None = None) -> None:
        self._templates = [template_of(d) for d in demonstrations]
        self._given_encoder = encoder
        self._lexicon = Lexicon(self._templates)
        asked = [word.text.lower() for t in self._templates for word in words_of(unmasked(t.masked))]
        self.vocabulary = frozenset(asked) | SIGNAL_OF.keys()

    @cached_property
    def _encoder(self) -> Encoder:
        return self._given_encoder or load_encoder()

    @cached_property
    def _vectors(self) -> Vectors:
        return encode_cached(self._encoder, [template.masked for template in self._templates])

    def decide(self, question: str, graph: Graph, run: Run) -> Decision:
        """See `Backend.decide`: the proposals are run in order until one answers."""
        return with_doubts(first_that_answers(self.propose(question, graph), run), run)

    def propose(self, question: str, graph: Graph) -> Iterator[Proposal]:
        """Programs for a question, best first, at most `MAX_PROPOSALS`.

        Raises:
            CannotPropose: there is none that it would trust (at the first `next`).
            NoModel: there is no encoder.
        """
        mentions = graph.mentions(question)
        templates = self._about(graph)
        if not templates:
            raise refuse_sources(mentions, graph)
        try:
            yield from self._proposals(question, mentions, templates, graph)
        except CannotPropose as refused:
            raise with_other_sources(refused, mentions, graph) from None

    def _proposals(
        self, question: str, mentions: Sequence[Mention], templates: Sequence[Template], graph: Graph
    ) -> list[Proposal]:
        """The programs, best first; what can be refused without the encoder is refused before it is loaded."""
        ignored = frozenset() if TKG.name in graph.kinds else NOT_OF_TIMELESS
        readings = [without(ignored, reading) for reading in readings_of(question, mentions, self.vocabulary)]
        if refused := refuse_times(question, readings[0], graph):
            raise refused
        self._refuse_unknown(question, mentions, graph)
        fitting = [(t, reading) for reading in readings for t in templates if fits(t, reading, ignored)]
        if not fitting:
            raise _no_form(readings[0], templates)
        masked = dict.fromkeys(reading.masked for _, reading in fitting)
        if all(strange := [self._lexicon.unknown(text, graph.relations()) for text in masked]):
            raise CannotPropose(why_no_program(strange), [readable(_closest(readings[0], [t for t, _ in fitting]))])
        near = self._near(fitting)
        if near[0].similarity < MIN_SIMILARITY:
            reason = "the question is not understood without an LLM: it is too unlike those that are known"
            raise CannotPropose(reason, [readable(near[0].template.masked)])
        relations = self._relations(readings[0], mentions, graph)
        return self._ranked([n for n in near if n.similarity >= MIN_SIMILARITY], graph, relations)

    def _ranked(self, near: Sequence[Near], graph: Graph, relations: Relations) -> list[Proposal]:
        """The programs that can be made from the templates and whose words are all understood, best first."""
        proposals: dict[str, Proposal] = {}
        not_understood: list[set[str]] = []
        for found in near:
            for filled in fillings(found.template, found.reading, graph, relations):
                known = {own: relations.known_as(own) for own in filled.relations}
                if words := self._lexicon.unsupported(found.reading.masked, filled.relations, known):
                    not_understood.append(words)
                else:
                    _keep_best(proposals, _proposal(found, filled))
        if not proposals:
            raise CannotPropose(why_no_program(not_understood), [readable(near[0].template.masked)])
        ranked = sorted(proposals.values(), key=lambda p: -p.score)[:MAX_PROPOSALS]
        return [p for p in ranked if p.score >= ranked[0].score - MARGIN]

    def _refuse_unknown(self, question: str, mentions: Sequence[Mention], graph: Graph) -> None:
        unknown = unknown_names(question, mentions, self.vocabulary)
        if unknown:
            names = ", ".join(f"'{name}'" for name in unknown)
            closest = list(dict.fromkeys(c for name in unknown for c in graph.closest(name)))
            raise CannotPropose(f"the graph has no node named {names}", closest)
        if not any(m.kind == "entity" for m in mentions):
            likely = (c for phrase in phrases_of(question, self.vocabulary) for c in graph.closest(phrase))
            raise CannotPropose("the question holds no name of the graph", list(dict.fromkeys(likely))[:MAX_CLOSEST])

    def _about(self, graph: Graph) -> list[Template]:
        """The templates that are about the kinds of sources asked, or about any.

        For graphs without times those of temporal ones that ask for none; tables have none but the user's own.
        """
        kinds = set(source_kinds(graph.kinds))
        timeless = kinds - {TABLE.name}
        return [
            t
            for t in self._templates
            if not (source := t.demonstration.source)
            or source in kinds
            or (source == TKG.name and timeless and not t.temporal)
        ]

    def _near(self, fitting: Sequence[tuple[Template, Reading]]) -> list[Near]:
        """The nearest of the templates that fit each reading, the most similar first."""
        places = {id(template): place for place, template in enumerate(self._templates)}
        readings = list({id(reading): reading for _, reading in fitting}.values())
        similarities = self._encoder.encode([r.masked for r in readings]) @ self._vectors.T
        near: list[Near] = []
        for reading, row in zip(readings, similarities, strict=True):
            found = [Near(t, r, float(row[places[id(t)]])) for t, r in fitting if r is reading]
            near += sorted(found, key=lambda n: -n.similarity)[:NEAREST]
        return sorted(near, key=lambda n: -n.similarity)

    def _relations(self, reading: Reading, mentions: Sequence[Mention], graph: Graph) -> Relations:
        names = graph.relations()
        asked = self._encoder.encode([unmasked(reading.masked)])[0]
        similarity = encode_cached(self._encoder, names) @ asked
        named = frozenset(m.name for m in mentions if m.kind == "relation")
        return Relations({name: float(s) for name, s in zip(names, similarity, strict=True)}, named)


def _no_form(reading: Reading, templates: Sequence[Template]) -> CannotPropose:
    """For a question whose form no template has."""
    if "present" in reading.signals:
        return CannotPropose(why_present(reading))
    alike = [t for t in templates if size(t) == (len(reading.entities), len(reading.times))] or templates
    return CannotPropose(why_unknown_form(reading, templates), [readable(_closest(reading, alike))])


def _closest(reading: Reading, templates: Sequence[Template]) -> str:
    """The masked question with the most words in common."""
    return max(templates, key=lambda t: common_words(t.masked, reading.masked)).masked


def _keep_best(proposals: dict[str, Proposal], proposal: Proposal) -> None:
    known = proposals.get(proposal.program)
    if known is None or known.score < proposal.score:
        proposals[proposal.program] = proposal


def _proposal(near: Near, filled: Filled) -> Proposal:
    question = near.template.demonstration.question
    because = "; ".join((f"as in '{question}' (similarity {near.similarity:.2f})", *filled.notes))
    score = near.similarity + filled.change + WEAK_TAKEN * near.reading.weak
    if near.template.word != near.reading.word:
        score -= OTHER_WORD
    return Proposal(filled.program, score, because, question)
