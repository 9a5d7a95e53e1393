"""Filling a template's slots with a question's mentions, and its relations with the graph's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, permutations, product

from cgstore.llm.backends.rewrite.faults import fault_of
from cgstore.llm.backends.rewrite.unknown import content_words
from cgstore.llm.demonstrations.masking import Reading, Slot, Template, fill
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import Mention
from cgstore.text.names import relation_forms, some_of

MAX_FILLINGS = 48
"""Ways to put a reading's names into one template's slots."""

MAX_ALTERNATIVES = 3
"""Nodes considered for one name."""

MAX_RELATIONS = 3
"""Relations considered in place of one of a template."""

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

    `fault` says why it is not what is asked, if it is not; `guesses` what of it is a guess.
    """

    program: str
    relations: Mapping[str, str]
    change: float
    notes: tuple[str, ...]
    fault: str
    guesses: frozenset[str]


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


def fillings(
    template: Template, reading: Reading, graph: GraphView, relations: Relations, in_same_words: bool = False
) -> Iterator[Filled]:
    """The programs that use every name of the reading, with relations that its entities have.

    `in_same_words`: the demonstration has the words of the question.
    """
    for filling, loss, notes in islice(assignments(template, reading), MAX_FILLINGS):
        for chosen, gain, more in _relation_choices(template, filling, graph, relations):
            event = _event_loss(filling, chosen, graph)
            if event is not None:
                program = fill(template, {slot: mention.name for slot, mention in filling.items()}, chosen)
                fault = fault_of(reading, filling, chosen, in_same_words)
                fault = fault or _left_open(reading, filling, chosen, graph, relations)
                guesses = frozenset([*["name"] * bool(notes), *["relation"] * bool(more)])
                yield Filled(program, chosen, gain - loss - event, (*notes, *more), fault, guesses)


def assignments(template: Template, reading: Reading) -> Iterator[tuple[dict[Slot, Mention], float, tuple[str, ...]]]:
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


def _left_open(
    reading: Reading,
    filling: Mapping[Slot, Mention],
    chosen: Mapping[str, str],
    graph: GraphView,
    relations: Relations,
) -> str:
    """Why one relation was chosen for another though no word says which: `who was in the guild`; empty if one fits."""
    if content_words(reading.masked):
        return ""
    for own, relation in chosen.items():
        if relation == relations.known_as(own) or relation in relations.named:
            continue
        if len(possible := sorted(_possible(own, filling, graph, relations))) > 1:
            return f"no word says which relation is meant: {some_of(possible)}"
    return ""


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
