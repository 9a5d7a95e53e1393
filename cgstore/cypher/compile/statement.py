"""Plan -> parameterised Cypher: a statement for the answer, with or without its evidence, and one for its notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from cgstore.cypher.compile.context import SHOWN, Block, CompileContext
from cgstore.cypher.compile.evidence import Evidence
from cgstore.cypher.compile.functions import NUMBER_OF_ALL, in_order
from cgstore.cypher.compile.iteration import lines_of, plan_blocks, scanned_heads
from cgstore.cypher.compile.notes import Note, notes_looked_up, notes_of, unmet_blocks
from cgstore.cypher.compile.stretch_steps import answer_lines
from cgstore.cypher.compile.stretches import Stretched
from cgstore.cypher.freshness import VERSION
from cgstore.options import ANSWER_LIMIT, EVIDENCE_LIMIT
from cgstore.query.operands import Output
from cgstore.query.operators import Aggregate, Records
from cgstore.query.plan import Plan
from cgstore.query.sources import SourceScope


@dataclass(frozen=True)
class Statement:
    """A statement and its parameters. Its one row has these columns.

    `answer`: names, in order, and `numbers` those of a set with numbers, each with the text that it was read from.
    `steps`: the first elements of each step. `sizes`: how many each step has. `notes`: a list for each note. `origins`:
    lists of a step and the sources of its elements, where these may be several. `evidence`: for each step a list of
    triples, as lists of their parts. `version`: of the graph, once all was read.

    Attributes:
        look_up: the statement that looks up what more notes tell, whose one row has them; None where there are none.
        counted: the step whose elements are the answers.
        columns: the names of the answer's columns, if it has several.
        stretched: how far apart the times are of steps that give stretches of them; in the row, `steps` and `answer`
            then have the first and the last of each stretch.
        answer: the step of the answer.
        notes: what the lists of `notes` tell.
        limit: most answers returned.
    """

    text: str
    parameters: dict[str, Any]
    look_up: Statement | None = None
    counted: int = 0
    columns: tuple[str, ...] = ()
    stretched: Stretched = field(default_factory=dict)
    answer: int = 0
    notes: tuple[Note, ...] = ()
    limit: int = ANSWER_LIMIT


def compile_plan(
    plan: Plan,
    asked: SourceScope,
    *,
    evidence: bool = True,
    limit: int = ANSWER_LIMIT,
    evidence_limit: int = EVIDENCE_LIMIT,
) -> Statement:
    """The statement of a whole program.

    Args:
        plan: the steps.
        asked: the sources, with all their relations for steps that name none.
        evidence: whether the triples that support the answer are returned too. They are found in the same statement:
            one more would cost a round trip, which takes longer than most programs.
        limit: most answers returned.
        evidence_limit: most triples of evidence returned from each step.
    """
    context = CompileContext(plan, asked)
    once = [(number, step) for number, step in enumerate(plan.steps) if number not in plan.repeated]
    blocks = plan_blocks(plan, context)
    blocks += [block for number, step in once for block in unmet_blocks(number, step, context)]
    answer, elements = _answer(plan, context, blocks)
    notes = tuple(note for number, step in once for note in notes_of(number, step, context))
    returned = [answer, *_sizes_and_elements(plan, context)]
    returned += [_of_notes(notes)] if notes else []
    if context.mixing:
        returned.append(f"[{', '.join(f'[{step}, s{step + 1}]' for step in sorted(context.mixing))}] AS origins")
    if evidence:
        of_evidence, triples = Evidence(plan, context, {plan.answer: [elements]}).blocks()
        blocks += of_evidence
        returned.append(f"{triples} AS evidence")
        context.values["evidence_limit"] = evidence_limit
    text = "\n".join([*_lines(blocks), VERSION, f"RETURN {', '.join(returned)}, graph.version AS version"])
    names = {"limit": limit, "shown": SHOWN}
    parameters = context.values | {name: value for name, value in names.items() if f"${name}" in text}
    last = plan.steps[plan.answer]
    counted = last.operand.step if isinstance(last, Records) else plan.answer  # a record for each element
    look_up = _look_up(plan, asked)
    return Statement(text, parameters, look_up, counted, plan.columns, context.stretched, plan.answer, notes, limit)


def _answer(plan: Plan, context: CompileContext, blocks: list[Block]) -> tuple[str, str]:
    """The columns of the answer, and the variable with the elements that its evidence supports; adds a block."""
    answer = Output(plan.answer)
    if plan.answer in context.stretched:
        blocks.append(context.block(answer_lines(answer, context)))
        return "answer", "found"
    match plan.steps[plan.answer]:
        case Aggregate(function=function) if function in (*NUMBER_OF_ALL, "count", "exists"):  # one value, or none
            elements = context.elements_of_step(plan.answer)
            return f"{elements} AS answer", elements
    columns = "collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found"
    has_numbers = context.has_numbers(answer)
    columns += ", collect(number)[..$limit] AS numbers" if has_numbers else ""
    blocks.append(context.block([*in_order(answer, context), f"RETURN {columns}"]))
    return f"answer{', numbers' if has_numbers else ''}", "found"


def _sizes_and_elements(plan: Plan, context: CompileContext) -> Iterator[str]:
    """The columns with the size and the first elements of each step."""
    sized = scanned_heads(context) | context.stretched.keys()
    sizes, some = [], []
    for number in range(len(plan.steps)):
        elements = f"q{number + 1}"
        size, first = f"size({elements})", f"{elements}[..$shown]"
        if number in sized:
            size = f"size{number + 1}"
        if number in context.stretched:
            first = f"[s IN t{number + 1}[..$shown] | [s.first, s.last]]"
        is_repeated = number in plan.repeated
        sizes.append("-1" if is_repeated else size)
        some.append("[]" if is_repeated else first)
    yield f"[{', '.join(sizes)}] AS sizes"
    yield f"[{', '.join(some)}] AS steps"


def _lines(blocks: Iterable[Block]) -> Iterator[str]:
    """The lines of blocks: of the first one, and of those that are a single RETURN, as a person writes them."""
    for place, block in enumerate(blocks):
        *before, last = block.body
        is_plain = last.startswith("RETURN ") and not any(line.startswith("UNION") for line in before)
        if is_plain and not place and not block.imports:
            yield from [*before, last.replace("RETURN", "WITH", 1)]
        elif is_plain and not before and "collect(" not in last:
            yield last.replace("RETURN", "WITH *,", 1)
        else:
            yield from block.lines


def _of_notes(notes: Iterable[Note]) -> str:
    return f"[{', '.join(note.found for note in notes)}] AS notes"


def _look_up(plan: Plan, asked: SourceScope) -> Statement | None:
    """The statement that looks up what notes tell of the values that a program compares, if there is any."""
    context = CompileContext(plan, asked)
    once = ((number, step) for number, step in enumerate(plan.steps) if number not in plan.repeated)
    found = [each for number, step in once for each in notes_looked_up(number, step, context)]
    if not found:
        return None
    blocks, notes = zip(*found, strict=True)
    return Statement("\n".join([*lines_of(blocks), f"RETURN {_of_notes(notes)}"]), context.values, notes=notes)
