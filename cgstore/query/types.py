"""The type of a step's output: recorded once, when the step is added to a plan, from the types of its operands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from cgstore.query.operands import AnyRelation, Constant, Named, Names, Operand, Output, OutputKind, Word
from cgstore.query.sources import SourceScope
from cgstore.text.kinds import ValueKind

T = TypeVar("T")


@dataclass(frozen=True)
class OutputType:
    """What an output holds.

    Attributes:
        kind: nodes, rows, facts, numbers or words.
        sources: the stored names of the sources that its elements may come from.
        value_kinds: how its values are read.
        time_keys: the built-in keys whose times its elements may be.
        is_times: all elements are times.
        is_cells: the facts of all elements are those of a table's rows.
        is_ordered: it is in the order of a `sort`.
        is_unordered: the order of a `sort` before it is lost.
        columns: the names of the relations whose values it holds; None stands for elements that may be anything else.
        mixed: the searches of several sources whose elements it holds.
        number: what the number of each element is, such as `sum of goals`, if its elements have numbers of their own.
        element: what the elements with numbers are, as the program has it, if they are not the values of a relation.
        titles: of records, the names of their fields.
    """

    kind: OutputKind
    sources: frozenset[str]
    value_kinds: tuple[ValueKind, ...] = ()
    time_keys: tuple[Named, ...] = ()
    is_times: bool = False
    is_cells: bool = False
    is_ordered: bool = False
    is_unordered: bool = False
    columns: tuple[str | None, ...] = (None,)
    mixed: frozenset[int] = frozenset()
    number: str = ""
    element: str = ""
    titles: tuple[str, ...] = ()

    @property
    def has_numbers(self) -> bool:
        """Whether each element has a number of its own, from `for_each` or `group`."""
        return bool(self.number)

    @property
    def is_sorted_before(self) -> bool:
        """Whether its elements are those of a `sort`, or found by them."""
        return self.is_ordered or self.is_unordered


class Types:
    """The types of the steps so far, and of all operands.

    Args:
        scope: the sources that the program is asked of.
    """

    def __init__(self, scope: SourceScope) -> None:
        self.scope = scope  # the planner sets it to the one source of a call with `source`
        self.every_source = frozenset(scope.sources)
        self.steps: list[OutputType] = []

    def of(self, operand: Operand) -> OutputType:
        """The type of an operand."""
        match operand:
            case Output(step=step):
                return self.steps[step]
            case Names() if operand.is_of_tables:
                return OutputType(OutputKind.ROWS, operand.sources)
            case Constant():
                return OutputType(OutputKind.NUMBERS, self.every_source)
            case Word():
                return OutputType(OutputKind.WORDS, self.every_source)
        return OutputType(OutputKind.NODES, self.every_source)

    def owners(self, relation: Operand) -> frozenset[str]:
        """The sources that have a relation or key."""
        if isinstance(relation, AnyRelation) and relation.sources:
            return frozenset(relation.sources)
        return relation.sources if isinstance(relation, Names) else self.every_source


def common_kind(types: Iterable[OutputType]) -> OutputKind:
    """The kind of elements of all these types together: rows and other nodes are nodes."""
    kinds = {each.kind for each in types}
    return kinds.pop() if len(kinds) == 1 else OutputKind.NODES


def distinct(lists: Iterable[Iterable[T]]) -> tuple[T, ...]:
    """The elements of all lists in order, each once."""
    return tuple(dict.fromkeys(element for each in lists for element in each))
