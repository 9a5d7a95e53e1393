"""Groups and values that differ only in case, accents or blanks at their ends: what the note of them names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from cgstore.cypher.compile.context import EXAMPLES, CompileContext
from cgstore.query import operators as ops
from cgstore.query.operands import Output, OutputKind
from cgstore.query.settings import BLANKS, without_accents
from cgstore.text.kinds import ValueKind

LOOKED_AT = 1_000
"""How many groups or values are looked at."""


class ToldApart(NamedTuple):
    """A step that takes elements for different ones: the step that has them, and the relation whose values they are."""

    elements: int
    what: str
    relation: str

    def note(self, elements: Sequence[Any]) -> tuple[Any, ...]:
        """What the note tells (`notes.note_text`), given the first elements: how many sets of them are alike, and some.

        A number of 0 says that there are none.
        """
        forms: dict[str, list[str]] = {}
        for name in elements[:LOOKED_AT]:
            if isinstance(name, str):
                forms.setdefault(without_accents(name).strip(BLANKS), []).append(name)
        found = [names for _, names in sorted(forms.items()) if len(names) > 1]
        return "alike", len(found), found[:EXAMPLES], self.what, self.relation


def told_apart(number: int, step: ops.Step, context: CompileContext) -> ToldApart | None:
    """What a step takes for different elements, where these are texts."""
    match step:
        case ops.Grouping(each=each, by=Output() as by) if by != each:
            elements, of, what = number, context.plan.types[by.step], "groups"
        case ops.Aggregate(function="count" | "mode", operand=Output(step=elements)):
            of, what = context.plan.types[elements], "values"
        case _:
            return None
    is_text = ValueKind.TEXT in of.value_kinds or not of.value_kinds
    is_value = of.kind is OutputKind.WORDS or (of.kind is OutputKind.NODES and is_text and not of.is_times)
    return ToldApart(elements, what, of.columns[0] or "") if is_value else None
