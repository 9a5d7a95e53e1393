"""What the backend `demos` makes of forms near to a question: their programs as proposals, and which are the best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cgstore.llm.backends import CannotPropose, Proposal
from cgstore.llm.backends.rewrite.abstention import why_lacking, why_present, why_unknown_form
from cgstore.llm.backends.rewrite.facts import facts_in
from cgstore.llm.backends.rewrite.filling import Filled, Relations, assignments
from cgstore.llm.backends.rewrite.unknown import Lexicon, content_words
from cgstore.llm.demonstrations.forms import Form
from cgstore.llm.demonstrations.masking import Reading, readable, unmasked
from cgstore.llm.demonstrations.shot_selection import common_words
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import Mention
from cgstore.text.names import some_of

MARGIN = 0.05
"""A proposal whose score is this much below the best one is dropped: it would answer another question."""

VOTE = 0.03
"""Bonus for a program that all demonstrations of the best score agree on; less for its share of them."""

MAX_PROPOSALS = 30
"""Programs proposed for one question."""

OTHER_WORD = 0.05
"""Penalty for a different question word: "who was mayor before him" and "what was he before" are otherwise alike."""

WEAK_TAKEN = 0.05
"""Bonus for each weak mention that a reading takes as a name: usually it is one."""


MAX_LACKED = 20
"""Relations, the nearest ones, that a name is told to lack."""


@dataclass(frozen=True)
class Near:
    """A form near to a reading of the question, by cosine similarity."""

    form: Form
    reading: Reading
    similarity: float


def best(proposals: dict[str, list[tuple[Proposal, int]]]) -> list[Proposal]:
    """The best proposal of each program, by its score and by the votes of the forms that are about as good."""
    if not proposals:
        return []
    top = max(proposal.score for found in proposals.values() for proposal, _ in found)
    votes = {
        program: sum(votes for proposal, votes in found if proposal.score >= top - MARGIN)
        for program, found in proposals.items()
    }
    every = sum(votes.values())
    voted = []
    for program, found in proposals.items():
        proposal = max((proposal for proposal, _ in found), key=lambda each: each.score)
        voted.append(replace(proposal, score=proposal.score + VOTE * votes[program] / every))
    ranked = sorted(voted, key=lambda each: -each.score)[:MAX_PROPOSALS]
    return [each for each in ranked if each.score >= ranked[0].score - MARGIN]


def unknown_form(reading: Reading, forms: Sequence[Form]) -> CannotPropose:
    """The refusal of a question whose form no demonstration has."""
    if "present" in reading.signals:
        return CannotPropose(why_present(reading))
    same_size = [form for form in forms if form.size == reading.size]
    return CannotPropose(why_unknown_form(reading, forms), [closest(reading, same_size or forms)])


def closest(reading: Reading, forms: Sequence[Form]) -> str:
    """The masked question with the most words in common, for people."""
    return readable(max(forms, key=lambda form: common_words(form.masked, reading.masked)).masked)


def proposal_of(near: Near, filled: Filled) -> Proposal:
    question = near.form.demonstration.question
    because = "; ".join((f"as in '{question}' (similarity {near.similarity:.2f})", *filled.notes))
    score = near.similarity + filled.change + WEAK_TAKEN * near.reading.weak
    if near.form.word != near.reading.word:
        score -= OTHER_WORD
    words = frozenset(unmasked(near.form.masked).lower().split())
    return Proposal(filled.program, score, because, way="likeness", guesses=filled.guesses, explains=words)


def lacked(near: Sequence[Near], relations: Relations, lexicon: Lexicon, graph: GraphView) -> Iterator[str]:
    """What a name lacks, where a relation of the graph accounts for all words of the question."""
    likely = sorted(relations.similarity, key=lambda name: -relations.similarity[name])[:MAX_LACKED]
    for found in near:
        template = found.form.template
        if template is None or len(template.relations) != 1 or not content_words(found.reading.masked):
            continue  # without a word of its own, the question asks for no relation that a name may lack
        (own,) = template.relations
        known = relations.known_as(own)
        for relation in dict.fromkeys((*([known] if known in relations.similarity else []), *likely)):
            if not lexicon.unsupported(found.reading.masked, {own: relation}, {own: known}):
                filling, _, _ = next(assignments(template, found.reading))
                names = (mention for slot, mention in filling.items() if slot.kind == "entity")
                yield from why_lacking(relation, {each.name: graph.relations_of(each.key) for each in names})


def of_facts(question: str, names: Sequence[Mention], graph: GraphView, is_what: bool) -> list[Proposal]:
    """The proposals for a question in the words of the relations; neither a person nor a place is a number."""
    numbers = frozenset() if is_what else graph.relations_of_numbers
    found = facts_in(question, names, graph.relations, graph.relations_of)
    return [
        Proposal(
            fact.program,
            1.0,
            f"in the words of the relation{'s' * (len(fact.relations) > 1)} {some_of(fact.relations)}",
            way="facts",
        )
        for fact in found
        if fact.relations[-1] not in numbers or fact.asks_heads
    ]
