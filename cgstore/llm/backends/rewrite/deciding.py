"""From the programs for a question to a decision: the question as written, then what may have been meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from cgstore.llm.backends import CannotPropose, Decision, Proposal, Run, first_that_answers
from cgstore.llm.backends.rewrite.abstention import with_doubts
from cgstore.llm.backends.rewrite.asked_nouns import with_noun
from cgstore.llm.backends.rewrite.assemble.proposals import WAY as ASSEMBLED
from cgstore.llm.backends.rewrite.both_sides import of_both_sides
from cgstore.llm.backends.rewrite.confidence import Basis
from cgstore.llm.backends.rewrite.durations import with_unit
from cgstore.llm.backends.rewrite.inexact_times import inexact_notes
from cgstore.llm.backends.rewrite.meant import meanings, names_in_other_forms, spelt_right
from cgstore.llm.backends.rewrite.open_terms import without_open_terms
from cgstore.llm.backends.rewrite.repertoire import Knowledge
from cgstore.llm.backends.rewrite.rewording import now_of
from cgstore.llm.graph_view import GraphView
from cgstore.text.names import some_of

Propose = Callable[[str, GraphView], Iterable[Proposal]]
"""The programs for a question, the best first; raises `CannotPropose` if there are none."""


_OF_A_SLOT = re.compile(
    r"(?s)\b(?:heads\(|get_information\()relation='(?:[^'\\]|\\.)*'\)\".*set_intersection\(.*count\("
)
"""A count of what is also all that has a relation, which stands for a kind of things."""


def decided(
    question: str, graph: GraphView, run: Run, propose: Propose, knowledge: Knowledge
) -> tuple[Decision, Basis]:
    """The decision about the question as written; where it is not understood, about what may have been meant.

    With it comes what its answer rests on.
    """
    if right := spelt_right(question, graph, knowledge):
        decision, basis = _decided(right.question, graph, run, propose, knowledge)
        basis = replace(basis, put_right=basis.put_right + len(right.notes))
        return replace(decision, warnings=(*right.notes, *decision.warnings)), basis
    return _decided(question, graph, run, propose, knowledge)


def _decided(
    question: str, graph: GraphView, run: Run, propose: Propose, knowledge: Knowledge
) -> tuple[Decision, Basis]:
    """The decision about a question whose words are all known; where it is not understood, in another form."""
    decision, basis = _first_answer(question, graph, run, propose, knowledge)
    if decision.attempts or graph.exact:
        return decision, basis
    forms = names_in_other_forms(question, graph, knowledge)
    for meant in meanings(question, graph, knowledge, forms):
        again, basis = _first_answer(meant.question, graph, run, propose, knowledge)
        if again.chosen:
            basis = replace(basis, put_right=len(meant.notes))
            return replace(again, warnings=(*meant.notes, *again.warnings)), basis
    doubts = [each.note for each in forms if len(each.names) > 1]
    return replace(decision, warnings=(*doubts, *decision.warnings)), basis


def _sure(decision: Decision, proposals: Sequence[Proposal], run: Run) -> Decision:
    """The decision, or a refusal where an assembled program of the same score has another answer."""
    chosen = decision.chosen
    origin = next((each for each in proposals if chosen and each.program == chosen.program), None)
    if chosen is None or chosen.answer is None or origin is None or origin.way != ASSEMBLED:
        return decision
    if [str(value) for value in chosen.answer.answer] == ["0"] and _OF_A_SLOT.search(chosen.program):
        reason = "none of what was found is of the kind that is asked for, which the graph may not say of everything"
        return Decision(None, attempts=(), warnings=(reason,), usage=decision.usage)
    for rival in proposals:
        if rival.score != origin.score or rival.way != ASSEMBLED or rival is origin:
            continue
        attempt = run(rival.program)
        if attempt.answered and attempt.answer and set(attempt.answer.answer) != set(chosen.answer.answer):
            shown = [some_of([str(value) for value in each.answer]) for each in (chosen.answer, attempt.answer)]
            reason = f"it may mean {origin.because} ({shown[0]}), or {rival.because} ({shown[1]})"
            return Decision(None, attempts=(), warnings=(reason,), usage=decision.usage)
    return decision


def _first_answer(
    question: str, graph: GraphView, run: Run, propose: Propose, knowledge: Knowledge
) -> tuple[Decision, Basis]:
    """The decision about a question as it is written, with its doubts."""
    basis = Basis(question, graph.has_times)
    try:
        proposals = tuple(propose(question, graph))
    except CannotPropose as refusal:
        return with_doubts(Decision(None, warnings=refusal.warnings), run), basis
    found = with_doubts(
        without_open_terms(_sure(first_that_answers(proposals, run), proposals, run), run, now_of(graph)[0]), run
    )
    origin = next((each for each in proposals if found.chosen and each.program == found.chosen.program), None)
    found = of_both_sides(found, graph, run)
    decision = with_noun(found, origin, question, graph, knowledge.repertoire(graph).relation_words, run)
    decision = replace(decision, warnings=(*decision.warnings, *inexact_notes(decision, graph, run)))
    decision = with_unit(decision, origin, run)
    if decision.chosen and origin:
        proposals = tuple(replace(e, program=decision.chosen.program) if e is origin else e for e in proposals)
    return decision, replace(basis, proposals=proposals)
