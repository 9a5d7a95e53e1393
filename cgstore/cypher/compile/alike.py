"""Groups and values that differ only in case, accents or blanks at their ends: what the note of them names."""

from __future__ import annotations

from cgstore.cypher.compile.context import EXAMPLES, CompileContext, call_lines
from cgstore.cypher.compile.texts import trimmed
from cgstore.query import operators as ops
from cgstore.query.operands import Output, OutputKind
from cgstore.text.kinds import ValueKind

LOOKED_AT = 1_000
"""How many groups or values are looked at."""


def alike_lines(number: int, step: ops.Step, context: CompileContext) -> list[str]:
    """The subquery that finds them: how many sets of such elements there are, and a few of these."""
    looked_at = _looked_at(number, step, context)
    if looked_at is None:
        return []
    output, _ = looked_at
    lines = [
        # Neo4j takes the elements of lists that were joined for anything, and refuses functions of texts for these.
        f"UNWIND [x IN {output}[..{LOOKED_AT}] | toStringOrNull(x)] AS x",
        f"WITH x, {trimmed('x', context)} AS form",
        "WITH form, collect(x) AS xs WHERE size(xs) > 1",
        "WITH xs ORDER BY form",
        "WITH collect(xs) AS alike",
        f"RETURN [size(alike), alike[..{EXAMPLES}]] AS alike{number + 1}",
    ]
    return call_lines([output], lines)


def alike_note(number: int, step: ops.Step, context: CompileContext) -> str | None:
    """The note of them, as of `notes.note_of`; None where elements cannot be alike."""
    looked_at = _looked_at(number, step, context)
    if looked_at is None:
        return None
    what = "groups" if isinstance(step, ops.Grouping) else "values"
    relation = context.parameter(step, "column", looked_at[1])
    return f"[{number}, 'alike', alike{number + 1}[0], alike{number + 1}[1], '{what}', {relation}]"


def _looked_at(number: int, step: ops.Step, context: CompileContext) -> tuple[str, str] | None:
    """The variable of the elements that a step takes for different ones, and the relation whose values they are."""
    match step:
        case ops.Grouping(each=each, by=Output() as by) if by != each:
            looked_at, of = number, context.plan.types[by.step]
        case ops.Aggregate(function="count" | "mode", operand=Output(step=looked_at)):
            of = context.plan.types[looked_at]
        case _:
            return None
    is_text = ValueKind.TEXT in of.value_kinds or not of.value_kinds
    is_value = of.kind is OutputKind.WORDS or (of.kind is OutputKind.NODES and is_text and not of.is_times)
    return (f"q{looked_at + 1}", of.columns[0] or "") if is_value else None
