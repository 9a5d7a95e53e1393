"""Plan -> one parameterised Cypher statement: a subquery for each step, then the answer, then the evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cgstore.cypher.compile.context import CompileContext
from cgstore.cypher.compile.evidence import Evidence
from cgstore.cypher.compile.notes import counted_steps, looked_at_lines, note_of
from cgstore.cypher.compile.steps import carried_steps, in_order, step_lines
from cgstore.cypher.freshness import AS_MAPPED, Seen
from cgstore.query.operands import Output
from cgstore.query.operators import Plan
from cgstore.query.sources import SourceScope

ANSWER_LIMIT = 10_000
"""Most answers that a statement returns, unless asked otherwise."""

EVIDENCE_LIMIT = 1_000
"""Most triples of evidence that it returns from each step."""

SHOWN = 20
"""How many of a step's elements it returns."""


@dataclass(frozen=True)
class Statement:
    """A statement and its parameters. Its one row has `answer` (names, in order), `total` (their number before the
    limit), `steps` (a list of each step's first elements), `sizes`, `notes` (lists of a step, what is noted of it, a
    number, and more), `origins` (lists of a step and its elements' sources, where these may be several), `evidence`
    (lists of a triple's parts), and `as_mapped`, false where the graph is not as it was seen, so that the answer does
    not count."""

    text: str
    parameters: dict[str, Any]


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
    mixing = sorted(each.step for each in plan.mixing)
    scope = CompileContext(
        plan.kinds,
        asked,
        carried_steps(plan, asked),
        ordered=plan.ordered,
        counted=counted_steps(plan),
        mixing=frozenset(mixing),
    )
    lines = [line for number, step in enumerate(plan.steps) for line in step_lines(number, step, scope)]
    lines += [line for number, step in enumerate(plan.steps) for line in looked_at_lines(number, step, scope)]
    lines += _answer(plan, scope)
    answer = f"q{plan.answer + 1}"
    outputs = [f"q{n + 1}" for n in range(len(plan.steps))]
    notes = [note for number, step in enumerate(plan.steps) if (note := note_of(number, step, scope))]
    returned = [
        "answer",
        f"size({answer}) AS total",
        f"[{', '.join(f'size({q})' for q in outputs)}] AS sizes",
        f"[{', '.join(f'{q}[..$shown]' for q in outputs)}] AS steps",
        f"[{', '.join(notes)}] AS notes",
    ]
    if mixing:
        returned.append(f"[{', '.join(f'[{step}, s{step + 1}]' for step in mixing)}] AS origins")
    if evidence:
        evidence_lines, found = Evidence(plan, scope).lines()
        lines += evidence_lines
        returned.append(f"{found} AS evidence")
        scope.values["evidence_limit"] = evidence_limit
    returned.append("as_mapped")
    scope.values |= {"limit": limit, "shown": SHOWN} | seen.parameters()
    return Statement("\n".join([*lines, AS_MAPPED, "RETURN " + ", ".join(returned)]), scope.values)


def _answer(plan: Plan, scope: CompileContext) -> list[str]:
    """The names of the last output's elements, in order."""
    last = Output(plan.answer)
    body = [*in_order(last, scope), "RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found"]
    return scope.subquery(body)
