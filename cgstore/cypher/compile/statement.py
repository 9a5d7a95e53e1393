"""Plan -> one parameterised Cypher statement: a subquery for each step, then the answer, then the evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cgstore.cypher.compile.alike import alike_lines, alike_note
from cgstore.cypher.compile.coarse import coarse_lines, coarse_note, inexact_note, unequal_note
from cgstore.cypher.compile.context import SHOWN, CompileContext
from cgstore.cypher.compile.evidence import Evidence
from cgstore.cypher.compile.functions import in_order
from cgstore.cypher.compile.iteration import plan_lines, scanned_heads
from cgstore.cypher.compile.notes import looked_at_lines, note_of
from cgstore.cypher.compile.stretch_steps import answer_lines
from cgstore.cypher.compile.stretches import Stretched
from cgstore.cypher.compile.unmet import unmet_lines, unmet_note
from cgstore.cypher.freshness import AS_MAPPED, Seen
from cgstore.options import ANSWER_LIMIT, EVIDENCE_LIMIT
from cgstore.query.operands import Output
from cgstore.query.operators import Records
from cgstore.query.plan import Plan
from cgstore.query.sources import SourceScope


@dataclass(frozen=True)
class Statement:
    """A statement and its parameters. Its one row has these columns.

    `answer`: names, in order, and `numbers` those of a set with numbers, each with the text that it was read from.
    `total`: how many before the limit. `steps`: the first elements of each step. `sizes`: how many each step has.
    `notes`: lists of a step, what is noted of it, a number, and more. `origins`: lists of a step and the sources of its
    elements, where these may be several. `evidence`: lists of the parts of a triple. `as_mapped`: false where the graph
    is not as it was seen, so that the answer does not count.

    The other fields are what `by_block` runs it from: the lines of its subqueries, the number of steps, the step whose
    elements are counted, the expressions of its notes, the steps whose sources are returned, and those that are run
    for each element. `columns` are the names of the answer's columns, if it has several. `has_maps`: times within
    periods are maps among relationships. `stretched`: how far apart the times are of steps that give stretches of them;
    in the row, `steps` and `answer` then have the first and the last of each stretch. `answer`: the step of the answer.
    """

    text: str
    parameters: dict[str, Any]
    lines: tuple[str, ...] = ()
    steps: int = 0
    counted: int = 0
    notes: tuple[str, ...] = ()
    mixing: tuple[int, ...] = ()
    repeated: frozenset[int] = frozenset()
    columns: tuple[str, ...] = ()
    has_maps: bool = False
    stretched: Stretched = field(default_factory=dict)
    answer: int = 0


def compile_plan(
    plan: Plan,
    asked: SourceScope,
    seen: Seen,
    *,
    evidence: bool = True,
    limit: int = ANSWER_LIMIT,
    evidence_limit: int = EVIDENCE_LIMIT,
) -> Statement:
    """The statement of a whole program.

    Args:
        plan: the steps.
        asked: the sources, with all their relations for steps that name none.
        seen: what its names were mapped by.
        evidence: whether the triples that support the answer are returned too.
        limit: most answers returned.
        evidence_limit: most triples of evidence returned from each step.
    """
    context = CompileContext(plan, asked)
    steps = list(enumerate(plan.steps))
    once = [(number, step) for number, step in steps if number not in plan.repeated]
    lines = plan_lines(plan, context)
    lines += [line for number, step in once for line in looked_at_lines(number, step, context)]
    lines += [line for number, step in once for line in coarse_lines(number, step, context)]
    lines += [line for number, step in once for line in alike_lines(number, step, context)]
    lines += [line for number, step in once for line in unmet_lines(number, step, context)]
    last = plan.steps[plan.answer]
    counted = last.operand.step if isinstance(last, Records) else plan.answer  # a record for each element
    columns = "collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found"
    has_numbers = context.has_numbers(Output(plan.answer))
    columns += ", collect(number)[..$limit] AS numbers" if has_numbers else ""
    if plan.answer in context.stretched:
        lines += context.subquery(answer_lines(Output(plan.answer), context))
    else:
        lines += context.subquery([*in_order(Output(plan.answer), context), f"RETURN {columns}"])
    every_note = (note_of, coarse_note, inexact_note, unequal_note, alike_note, unmet_note)
    notes = [note for each in once for of in every_note if (note := of(*each, context))]
    sized = scanned_heads(context) | context.stretched.keys()
    whole = [f"size{number + 1}" if number in sized else f"size(q{number + 1})" for number, _ in steps]
    sizes = ["-1" if number in plan.repeated else size for number, size in enumerate(whole)]
    some = [f"{'[]' if number in plan.repeated else _some(number, context)}" for number, _ in steps]
    returned = [
        "answer",
        *(["numbers"] if has_numbers else []),
        f"{whole[counted]} AS total",
        f"[{', '.join(sizes)}] AS sizes",
        f"[{', '.join(some)}] AS steps",
        f"[{', '.join(notes)}] AS notes",
    ]
    if context.mixing:
        returned.append(f"[{', '.join(f'[{step}, s{step + 1}]' for step in sorted(context.mixing))}] AS origins")
    if evidence:
        evidence_lines, found = Evidence(plan, context).lines()
        lines += evidence_lines
        returned.append(f"{found} AS evidence")
        context.values["evidence_limit"] = evidence_limit
    returned.append("as_mapped")
    context.values |= {"limit": limit, "shown": SHOWN} | seen.parameters()
    text = "\n".join([*lines, AS_MAPPED, "RETURN " + ", ".join(returned)])
    mixing = tuple(sorted(context.mixing))
    parts = tuple(lines), len(plan.steps), counted, tuple(notes), mixing, plan.repeated, plan.columns
    return Statement(text, context.values, *parts, context.has_periods, context.stretched, plan.answer)


def _some(number: int, context: CompileContext) -> str:
    """The first elements of a step; of stretches of times the first stretches."""
    if number in context.stretched:
        return f"[s IN t{number + 1}[..$shown] | [s.first, s.last]]"
    return f"q{number + 1}[..$shown]"
