"""Which of many readings of a program answers: all that compile to one text are run by one statement, in order.

A reading differs from another in what its names were taken for, so mostly in parameters alone. The text is the one of
`compile.statement`, run once for each row of `$readings`: what is a parameter there is a property of the row here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cgstore.cypher.compile.context import CompileContext
from cgstore.cypher.compile.iteration import lines_of, plan_blocks
from cgstore.cypher.compile.statement import Statement
from cgstore.cypher.connection import Database
from cgstore.query import operators as ops
from cgstore.query.operands import Output, parts_of
from cgstore.query.plan import Plan
from cgstore.query.sources import SourceScope

_OWN = re.compile(r"\$(p\d+)\b")
_SUBQUERY = re.compile(r"\bCALL \((?!\*)(?=(\)?))")


@dataclass(frozen=True)
class Alternative:
    """A program's steps as a text for many readings, the parameters of all, and those of this one."""

    text: str
    shared: dict[str, object]
    own: dict[str, object]


def alternative(plan: Plan, asked: SourceScope) -> Alternative:
    """A plan as one of many: it answers if its answer has elements, and every search in it finds something.

    Searches that only say what a difference takes away may find nothing, as those of a time constraint do.
    """
    context = CompileContext(plan, asked, noted=False)
    lines = lines_of(plan_blocks(plan, context))
    searches = {number for number, step in enumerate(plan.steps) if isinstance(step, ops.Search)} - plan.repeated
    wanted = {plan.answer, *(searches - _only_taken_away(plan))}
    found = " AND ".join(f"size({context.elements_of_step(number)}) > 0" for number in sorted(wanted))
    text = "\n".join(
        ["UNWIND $readings AS reading", *map(_of_row, lines), f"WITH * WHERE {found}", "RETURN reading.place AS place"]
    )
    own = {name: value for name, value in context.values.items() if _OWN.fullmatch(f"${name}")}
    shared = {name: value for name, value in context.values.items() if name not in own}
    return Alternative(f"{text} LIMIT 1", shared, own)


def _only_taken_away(plan: Plan) -> set[int]:
    """The steps whose elements reach the answer only as what a difference takes away."""
    kept, reached = set[int](), set[int]()
    waiting = [(plan.answer, True)]
    while waiting:
        number, is_kept = waiting.pop()
        seen = kept if is_kept else reached
        if number in seen:
            continue
        seen.add(number)
        step = plan.steps[number]
        differs = isinstance(step, ops.SetOperation) and step.function == "set_difference"
        for place, operand in enumerate(step.operands if isinstance(step, ops.SetOperation) else (step,)):
            stays = is_kept and not (differs and place)
            waiting += [(output.step, stays) for output in parts_of(operand, Output)]
    return reached - kept


def _of_row(line: str) -> str:
    """A line of a statement for one program as one for a row: nothing but identifiers of our own is in the text."""
    imported = _SUBQUERY.sub(lambda found: "CALL (reading" + ("" if found[1] else ", "), line)
    return _OWN.sub(r"reading.\1", imported)


def first_answering(
    db: Database, readings: Sequence[Alternative], timeout: float
) -> tuple[int | None, tuple[Statement, ...]]:
    """The place of the first reading that answers, or None, and the statements that were run: one for each text.

    Raises:
        QueryFailed: time or memory ran out.
    """
    by_text: dict[str, list[int]] = {}
    for place, each in enumerate(readings):
        by_text.setdefault(each.text, []).append(place)
    first: int | None = None
    tried = []
    for text, places in by_text.items():
        rows = [{"place": place, **readings[place].own} for place in places if first is None or place < first]
        if not rows:
            continue
        statement = Statement(text, {**readings[places[0]].shared, "readings": rows})
        tried.append(statement)
        found = db.read(statement.text, statement.parameters, timeout)
        if found:
            first = found[0]["place"]
    return first, tuple(tried)
