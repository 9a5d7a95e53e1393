"""The backend `demos`, without an LLM: it rewrites the nearest demonstration's program with the names of the question.

As in TrustUQA (section 3.4), demonstrations are chosen by the similarity of sentence embeddings, here of masked
questions, so that the form of a question counts and not who it is about. The backend abstains rather than guesses:
every name in the question must be in the graph and in the program, and temporal signals must agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, permutations, product
from typing import TYPE_CHECKING

from cgstore.embedding.encoder import Encoder, SharedEncoder, cosines, encode_cached
from cgstore.errors import NoModel
from cgstore.llm.backends import CannotPropose, Decision, Proposal, Run, first_that_answers
from cgstore.llm.backends.compose import ComposeBackend
from cgstore.llm.backends.rewrite.abstention import (
    refuse_sources,
    refuse_times,
    why_lacking,
    why_no_program,
    why_present,
    why_unknown_form,
    with_doubts,
    with_other_sources,
)
from cgstore.llm.backends.rewrite.faults import fault_of
from cgstore.llm.backends.rewrite.unknown import Lexicon
from cgstore.llm.demonstrations import Demonstration, source_kinds
from cgstore.llm.demonstrations.masking import (
    Reading,
    Slot,
    Template,
    fill,
    readable,
    readings_of,
    template_of,
    unmasked,
)
from cgstore.llm.demonstrations.shot_selection import common_words
from cgstore.llm.demonstrations.signals import SIGNAL_OF
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import Mention, words_of
from cgstore.mapping.unknown_mentions import phrases_of, unknown_names
from cgstore.source_kinds import TABLE, TKG, kind_named
from cgstore.text.names import relation_forms, spaced

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors

NEAREST = 50
"""Demonstrations rewritten for one reading: many, since the nearest ones may use none of the question's words."""

MIN_SIMILARITY = 0.5
"""Least cosine similarity of a masked question and a masked demonstration."""

MARGIN = 0.05
"""A proposal whose score is this much below the best one is dropped: it would answer another question."""

MAX_PROPOSALS = 30
"""Programs proposed for one question."""

MAX_CLOSEST = 5
"""Names offered for a question that contains no known name."""

OTHER_WORD = 0.05
"""Penalty for a different question word: "who was mayor before him" and "what was he before" are otherwise alike."""

IGNORED_IF_TIMELESS = frozenset({"present"})
"""Signals that say nothing about sources without times, whose facts always hold."""

WEAK_TAKEN = 0.05
"""Bonus for each weak mention that a reading takes as a name: usually it is one."""


@dataclass(frozen=True)
class Near:
    """A template near to a reading of the question, by cosine similarity."""

    template: Template
    reading: Reading
    similarity: float


class RewriteBackend:
    """Rewrites demonstrations without an LLM.

    The encoder is loaded at the first question. Where none is available, questions are compared by the words that they
    have in common, and a note of the answer says so.
    """

    name = "demos"
    asks_each_source = True

    def __init__(self, demonstrations: Sequence[Demonstration], encoder: Encoder | None = None) -> None:
        self._templates = [template_of(d) for d in demonstrations]
        self._encoder = SharedEncoder(encoder)
        self._lexicon = Lexicon(self._templates)
        words = {word.text.lower() for t in self._templates for word in words_of(unmasked(t.masked))}
        self.vocabulary = frozenset(words | SIGNAL_OF.keys())

    @cached_property
    def _vectors(self) -> Vectors:
        return encode_cached(self._encoder, [template.masked for template in self._templates])

    def warm(self) -> None:
        """Loads the encoder, if there is one, and encodes the demonstrations: the first question would wait for it."""
        with suppress(NoModel):
            self._encoder.encode([self._templates[0].masked])
            assert self._vectors is not None

    def decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        """See `Backend.decide`: the proposals are run in order until one answers."""
        if set(graph.kinds) == {TABLE.name} and not self._templates_for(graph):
            return self._decide_over_tables(question, graph, run)
        decision = with_doubts(first_that_answers(self.propose(question, graph), run), run)
        failure = self._encoder.failure
        if failure is None or not decision.attempts:
            return decision
        note = f"Demonstrations were compared by their words only: {failure.message} {failure.hint or ''}".strip()
        return replace(decision, warnings=(*decision.warnings, note))

    def _decide_over_tables(self, question: str, graph: GraphView, run: Run) -> Decision:
        """The decision of `compose`; with what would help where it has none."""
        decision = ComposeBackend().decide(question, graph, run)
        if decision.attempts:
            return decision
        then = refuse_sources(graph.mentions(question), graph).then
        return replace(decision, warnings=(*decision.warnings, *then))

    def propose(self, question: str, graph: GraphView) -> Iterator[Proposal]:
        """Programs for a question, the best first, at most `MAX_PROPOSALS`.

        Raises:
            CannotPropose: there is no trustworthy program (raised by the first `next`).
        """
        mentions = graph.mentions(question)
        templates = self._templates_for(graph)
        if not templates:
            raise refuse_sources(mentions, graph)
        try:
            yield from self._proposals(question, mentions, templates, graph)
        except CannotPropose as refusal:
            raise with_other_sources(refusal, mentions, graph) from None

    def _proposals(
        self, question: str, mentions: Sequence[Mention], templates: Sequence[Template], graph: GraphView
    ) -> list[Proposal]:
        """The programs, the best first; checks that need no encoder come before it is loaded."""
        ignored = frozenset() if any(kind_named(kind).has_times for kind in graph.kinds) else IGNORED_IF_TIMELESS
        readings = [replace(r, signals=r.signals - ignored) for r in readings_of(question, mentions, self.vocabulary)]
        if refusal := refuse_times(question, readings[0], graph):
            raise refusal
        self._refuse_unknown_names(question, mentions, graph)
        fitting = [(t, reading) for reading in readings for t in templates if fits(t, reading, ignored)]
        if not fitting:
            raise _unknown_form(readings[0], templates)
        masked = dict.fromkeys(reading.masked for _, reading in fitting)
        if all(unknown := [self._lexicon.unknown(text, graph.relations) for text in masked]):
            raise CannotPropose(why_no_program(unknown), [_closest(readings[0], [t for t, _ in fitting])])
        near = self._near(fitting)
        if near[0].similarity < MIN_SIMILARITY:
            reason = "the question is not understood without an LLM: it is too unlike those that are known"
            if failure := self._encoder.failure:
                reason += f" by its words. {failure.message} {failure.hint or ''}".rstrip()
            raise CannotPropose(reason, [readable(near[0].template.masked)])
        relations = self._relations(readings[0], mentions, graph)
        return self._ranked([n for n in near if n.similarity >= MIN_SIMILARITY], graph, relations)

    def _ranked(self, near: Sequence[Near], graph: GraphView, relations: Relations) -> list[Proposal]:
        """The programs that can be made from the templates and that account for all words, the best first."""
        proposals: dict[str, Proposal] = {}
        unknown_words: list[set[str]] = []
        faults: list[str] = []
        for found in near:
            for filled in fillings(found.template, found.reading, graph, relations):
                known = {own: relations.known_as(own) for own in filled.relations}
                if words := self._lexicon.unsupported(found.reading.masked, filled.relations, known):
                    unknown_words.append(words)
                    continue
                if filled.fault:
                    faults.append(filled.fault)
                    continue
                proposal = _proposal(found, filled)
                best = proposals.get(proposal.program)
                if best is None or best.score < proposal.score:
                    proposals[proposal.program] = proposal
        if not proposals:
            if not faults and (lacking := next(self._lacking(near, graph, relations), "")):
                raise CannotPropose(lacking)
            reason = faults[0] if faults else why_no_program(unknown_words)
            raise CannotPropose(reason, [readable(near[0].template.masked)])
        ranked = sorted(proposals.values(), key=lambda p: -p.score)[:MAX_PROPOSALS]
        return [p for p in ranked if p.score >= ranked[0].score - MARGIN]

    def _lacking(self, near: Sequence[Near], graph: GraphView, relations: Relations) -> Iterator[str]:
        """What a name lacks, where a relation of the graph accounts for all words of the question."""
        likely = sorted(relations.similarity, key=lambda name: -relations.similarity[name])[:MAX_LACKED]
        for found in near:
            if len(found.template.relations) != 1:
                continue
            (own,) = found.template.relations
            known = relations.known_as(own)
            for relation in dict.fromkeys((*([known] if known in relations.similarity else []), *likely)):
                if not self._lexicon.unsupported(found.reading.masked, {own: relation}, {own: known}):
                    filling, _, _ = next(_assignments(found.template, found.reading))
                    names = (mention for slot, mention in filling.items() if slot.kind == "entity")
                    yield from why_lacking(relation, {each.name: graph.relations_of(each.key) for each in names})

    def _refuse_unknown_names(self, question: str, mentions: Sequence[Mention], graph: GraphView) -> None:
        if unknown := unknown_names(question, mentions, self.vocabulary):
            names = ", ".join(f"'{name}'" for name in unknown)
            closest = list(dict.fromkeys(c for name in unknown for c in graph.closest(name)))
            raise CannotPropose(f"the graph has no node named {names}", closest)
        if not any(m.kind == "entity" for m in mentions):
            known = self.vocabulary | {word.text.lower() for name in graph.relations for word in words_of(name)}
            phrases = phrases_of(question, known) or phrases_of(question, self.vocabulary)
            likely = (c for phrase in phrases for c in graph.closest(phrase))
            raise CannotPropose("the question holds no name of the graph", list(dict.fromkeys(likely))[:MAX_CLOSEST])

    def _templates_for(self, graph: GraphView) -> list[Template]:
        """The templates about the kinds of sources asked, or about any.

        Graphs without times also get the templates of temporal graphs that ask for no time.
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
        """The nearest templates that fit each reading, the most similar first."""
        places = {id(template): place for place, template in enumerate(self._templates)}
        readings = list({id(reading): reading for _, reading in fitting}.values())
        similarities = self._similarities([reading.masked for reading in readings])
        near: list[Near] = []
        for reading, row in zip(readings, similarities, strict=True):
            found = [Near(t, r, row[places[id(t)]]) for t, r in fitting if r is reading]
            near += sorted(found, key=lambda n: -n.similarity)[:NEAREST]
        return sorted(near, key=lambda n: -n.similarity)

    def _similarities(self, asked: Sequence[str]) -> list[list[float]]:
        """The similarity of each text to each template: by vectors, or by words where no encoder is available."""
        try:
            return [cosines(self._vectors, each) for each in self._encoder.encode(asked)]
        except NoModel:
            return [[common_words(text, template.masked) for template in self._templates] for text in asked]

    def _relations(self, reading: Reading, mentions: Sequence[Mention], graph: GraphView) -> Relations:
        text, names = unmasked(reading.masked), [spaced(relation) for relation in graph.relations]
        try:
            similarity = cosines(encode_cached(self._encoder, names), self._encoder.encode([text])[0])
        except NoModel:
            similarity = [common_words(text, name) for name in names]
        named = frozenset(m.name for m in mentions if m.kind == "relation")
        return Relations(dict(zip(graph.relations, similarity, strict=True)), named)


def _unknown_form(reading: Reading, templates: Sequence[Template]) -> CannotPropose:
    """The refusal of a question whose form no template has."""
    if "present" in reading.signals:
        return CannotPropose(why_present(reading))
    same_size = [t for t in templates if t.size == reading.size]
    return CannotPropose(why_unknown_form(reading, templates), [_closest(reading, same_size or templates)])


def _closest(reading: Reading, templates: Sequence[Template]) -> str:
    """The masked question with the most words in common, for people."""
    return readable(max(templates, key=lambda t: common_words(t.masked, reading.masked)).masked)


def _proposal(near: Near, filled: Filled) -> Proposal:
    question = near.template.demonstration.question
    because = "; ".join((f"as in '{question}' (similarity {near.similarity:.2f})", *filled.notes))
    score = near.similarity + filled.change + WEAK_TAKEN * near.reading.weak
    if near.template.word != near.reading.word:
        score -= OTHER_WORD
    return Proposal(filled.program, score, because)


# Filling a template's slots with a question's mentions, and its relations with the graph's


MAX_FILLINGS = 48
"""Ways to put a reading's names into one template's slots."""

MAX_ALTERNATIVES = 3
"""Nodes considered for one name."""

MAX_RELATIONS = 3
"""Relations considered in place of one of a template."""

MAX_LACKED = 20
"""Relations, the nearest ones, that a name is told to lack."""

MIN_RELATION = 0.25
"""Least cosine similarity to the question of a relation that replaces one of a template."""

OUT_OF_ORDER = 0.03
"""Penalty for names in another order than in the demonstration."""

ALTERNATIVE = 0.02
"""Penalty for each better connected node of the same name that is passed over."""

OTHER_RELATION = 0.15
"""Penalty for replacing a relation; how well the new one fits the question counts as well."""

NOT_AN_EVENT = 0.1
"""Penalty for asking an entity's own time if it has the relation asked about, like the holder of an office."""

NAMED_RELATION = 0.2
"""Bonus for a relation whose name is in the question."""


@dataclass(frozen=True)
class Filled:
    """A program made from a template, with the chosen relations, the change of its score, and notes that explain it.

    `fault` says why it is not what is asked, if it is not.
    """

    program: str
    relations: Mapping[str, str]
    change: float
    notes: tuple[str, ...]
    fault: str


@dataclass(frozen=True)
class Relations:
    """The similarity of each relation's name to the question, and the relations that the question names."""

    similarity: Mapping[str, float]
    named: frozenset[str]

    def known_as(self, name: str) -> str:
        """The graph's spelling of a relation's name, or the name itself."""
        if name in self.similarity:
            return name
        places = [self._by_form[form] for form in relation_forms(name) if form in self._by_form]
        return min(places)[1] if places else name

    @cached_property
    def _by_form(self) -> dict[str, tuple[int, str]]:
        """The first relation of each form, with its place."""
        first: dict[str, tuple[int, str]] = {}
        for place, name in enumerate(self.similarity):
            for form in relation_forms(name):
                first.setdefault(form, (place, name))
        return first


def fits(template: Template, reading: Reading, ignored: Set[str] = frozenset()) -> bool:
    """Whether template and reading have the same numbers of names and times, the same signals and type of answer.

    `ignored` are signals of the template that do not count.
    """
    return (
        template.signals - ignored == reading.signals
        and template.answer == reading.answer
        and template.size == reading.size
        and reading.entities != ()
    )


def fillings(template: Template, reading: Reading, graph: GraphView, relations: Relations) -> Iterator[Filled]:
    """The programs that use every name of the reading, with relations that its entities have."""
    for filling, loss, notes in islice(_assignments(template, reading), MAX_FILLINGS):
        for chosen, gain, more in _relation_choices(template, filling, graph, relations):
            event = _event_loss(filling, chosen, graph)
            if event is not None:
                program = fill(template, {slot: mention.name for slot, mention in filling.items()}, chosen)
                fault = fault_of(reading, filling, chosen)
                yield Filled(program, chosen, gain - loss - event, (*notes, *more), fault)


def _assignments(template: Template, reading: Reading) -> Iterator[tuple[dict[Slot, Mention], float, tuple[str, ...]]]:
    """Mentions for all slots, with the penalty: the question's own order and the best nodes come first."""
    slots = template.of_kind("entity")
    times = dict(zip(template.of_kind("time"), reading.times, strict=True))
    for position, order in enumerate(permutations(reading.entities)):
        for chosen in product(*(range(min(len(place), MAX_ALTERNATIVES)) for place in order)):
            mentions = [place[rank] for place, rank in zip(order, chosen, strict=True)]
            loss = (OUT_OF_ORDER if position else 0.0) + ALTERNATIVE * sum(chosen)
            notes = tuple(
                _taken(place, rank)
                for place, rank in zip(order, chosen, strict=True)
                if len(place) > 1 or place[rank].how in ("words", "alias")
            )
            yield {**dict(zip(slots, mentions, strict=True)), **times}, loss, notes


def _taken(place: tuple[Mention, ...], rank: int) -> str:
    others = ", ".join(f"'{m.name}'" for i, m in enumerate(place) if i != rank)
    note = f"'{place[rank].text}' is taken for '{place[rank].name}'"
    return f"{note}, though it may be {others}" if others else note


def _relation_choices(
    template: Template, filling: Mapping[Slot, Mention], graph: GraphView, relations: Relations
) -> Iterator[tuple[dict[str, str], float, tuple[str, ...]]]:
    """Relations of the graph for those of the template, with the change of the score and notes."""
    ranked = []
    for own in template.relations:
        possible = _possible(own, filling, graph, relations)
        scored = sorted(((_fit(own, r, relations), r) for r in possible), key=lambda pair: (-pair[0], pair[1]))
        ranked.append([(own, r, score) for score, r in scored if score > -1.0][:MAX_RELATIONS])
    for choice in product(*ranked):
        chosen = {own: relation for own, relation, _ in choice}
        notes = tuple(f"relation '{r}' in place of '{o}'" for o, r, _ in choice if r != relations.known_as(o))
        yield chosen, sum(score for *_, score in choice), notes


def _possible(own: str, filling: Mapping[Slot, Mention], graph: GraphView, relations: Relations) -> set[str]:
    """The relations that all entities in this relation's slots have, each on its side."""
    possible = set(relations.similarity)
    for slot, mention in filling.items():
        for use in slot.uses:
            if slot.kind == "entity" and use.relation == own and use.side in ("head", "tail"):
                around = graph.relations_of(mention.key)
                possible &= set(around.head if use.side == "head" else around.tail)
    return possible


def _fit(own: str, relation: str, relations: Relations) -> float:
    """The change of the score if this relation replaces the template's own; -1 rules it out."""
    named = NAMED_RELATION if relation in relations.named else 0.0
    known = relations.known_as(own)
    if relation == known:
        return named
    similarity = relations.similarity[relation]
    if similarity < MIN_RELATION and not named:
        return -1.0
    return named - OTHER_RELATION + 0.5 * (similarity - relations.similarity.get(known, similarity))


def _event_loss(filling: Mapping[Slot, Mention], chosen: Mapping[str, str], graph: GraphView) -> float | None:
    """The penalty if a slot that asks for an entity's own time is filled by a participant of a fact.

    None rules the filling out: the entity is the head of no fact, so it has no time of its own.
    """
    loss = 0.0
    for slot, mention in filling.items():
        if slot.kind == "entity" and any(use.side == "head" and use.relation is None for use in slot.uses):
            heads = graph.relations_of(mention.key).head
            if not heads:
                return None
            loss += NOT_AN_EVENT if set(heads) & set(chosen.values()) else 0.0
    return loss
