"""The operators of an execution query: what a program means on the condition graph (TrustUQA, section 3.2).

Each operator says its operands, what it takes of them, and the type of its output. Beside the paper, a search has a key
of statements, since the times of a temporal fact belong to the whole fact and not to its head alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum, auto
from typing import ClassVar, NamedTuple

from cgstore.query.functions import FUNCTIONS, Gives
from cgstore.query.operands import (
    AnyRelation,
    Comparison,
    Names,
    Operand,
    Output,
    OutputKind,
    Shown,
    TextTest,
)
from cgstore.query.types import OutputType, Types, common_kind, distinct


class Operator(Shown):
    """A step of a plan.

    Attributes:
        kind: what its output holds, unless `output_type` says more.
        measures: the fields with operands whose numbers, facts or order it needs, and not their elements alone.
        passes_on: the fields with operands whose elements are its own, with their facts.
    """

    kind: ClassVar[OutputKind] = OutputKind.NODES
    measures: ClassVar[tuple[str, ...]] = ()
    passes_on: ClassVar[tuple[str, ...]] = ()

    @property
    def measured(self) -> tuple[Operand, ...]:
        """The operands of `measures`."""
        return tuple(getattr(self, name) for name in self.measures)

    @property
    def passed_on(self) -> tuple[Operand, ...]:
        """The operands of `passes_on`."""
        return tuple(getattr(self, name) for name in self.passes_on)

    def output_type(self, types: Types) -> OutputType:
        """The type of its output."""
        return OutputType(self.kind, types.every_source)


# Searches -------------------------------------------------------------------------------------------------------------


class Part(StrEnum):
    """What a search asks for: a part of the facts, or of the statements about facts, that it finds."""

    HEAD = auto()
    RELATION = auto()
    TAIL = auto()
    SUBJECT = auto()
    """The heads of the facts that statements are about."""
    FACT = auto()
    """These facts themselves."""
    VALUE = auto()
    """What statements say."""
    RELATIONS = auto()
    """The relations and keys that a head has."""


OF_STATEMENTS = (Part.SUBJECT, Part.FACT, Part.VALUE)
"""Parts of statements."""


class Said(NamedTuple):
    """What else a statement says: a value under another key."""

    key: Operand
    value: tuple[Comparison, ...]

    def __str__(self) -> str:
        parts = [f"node1={self.key}", *(f"node2 {comparison}" for comparison in self.value)]
        return f"search_condition({', '.join(parts)})"


@dataclass(frozen=True)
class Search(Operator):
    """One part of what agrees with all that is given: the paper's two searching functions.

    `head`, `relation` and `tail` are about facts; `key` and `value` about statements of facts, of which `further` says
    more. `covalues`: where no head given has the relation, those that are heads of nothing stand for the heads that
    have them under it (language page, 3.1). `sources`: heads of nothing in these alone, if any. `alone`: a statement
    without its fact, which the compiler sets.
    """

    asked: Part
    head: Operand | None = None
    relation: Operand | None = None
    tail: tuple[Comparison, ...] = ()
    key: Operand | None = None
    value: tuple[Comparison, ...] = ()
    further: tuple[Said, ...] = ()
    covalues: bool = False
    sources: tuple[str, ...] = ()
    alone: bool = False

    @property
    def node1(self) -> Operand:
        """The relation or key whose triples are asked for."""
        node1 = self.key if self.asked in OF_STATEMENTS else self.relation
        assert node1 is not None, "a search for the relations of a head has none"
        return node1

    @property
    def compared(self) -> tuple[Comparison, ...]:
        """All comparisons."""
        return (*self.tail, *self.value, *(comparison for said in self.further for comparison in said.value))

    def output_type(self, types: Types) -> OutputType:
        is_unordered = self.head is not None and types.of(self.head).is_sorted_before
        if self.asked is Part.RELATIONS:
            sources = frozenset(self.sources) or types.every_source
            return OutputType(OutputKind.NODES, sources, is_unordered=is_unordered)
        node1, sources, kind = self.node1, types.owners(self.node1), OutputKind.NODES
        if self.asked is Part.FACT:
            kind = OutputKind.FACTS
        elif self.asked is Part.HEAD:
            is_any_row = isinstance(node1, AnyRelation) and (node1.columns or types.scope.only_tables)
            is_row = is_any_row or (isinstance(node1, Names) and node1.is_of_tables)
            kind = OutputKind.ROWS if is_row else OutputKind.NODES
        elif self.asked is Part.TAIL and isinstance(self.head, Output):
            of = types.of(self.head)
            sources &= of.sources if of.kind is OutputKind.ROWS else sources
        found = OutputType(kind, sources, is_unordered=is_unordered)
        if self.asked not in (Part.TAIL, Part.VALUE) or not isinstance(node1, Names):
            return found
        return replace(
            found,
            value_kinds=tuple(dict.fromkeys(node.kind for node in node1.nodes)),
            time_keys=node1.nodes if node1.time_key else (),
            is_times=node1.time_key,
            is_cells=node1.is_of_tables,
            columns=tuple(dict.fromkeys(node1.names)),
        )

    def __str__(self) -> str:
        """As the paper writes it."""
        if self.asked is Part.RELATIONS:
            return f"search_node(node1={self.head})"
        of_statements, condition, compared = self.asked in OF_STATEMENTS, str(self.head or ""), self.tail
        if of_statements:
            tail = " and ".join(str(comparison).removeprefix("= ") for comparison in self.tail)
            given = (self.head, self.relation, tail)
            condition, compared = f"[{', '.join(str(part or '?') for part in given)}]" if any(given) else "", self.value
        parts = [f"node1={self.node1}", *(f"node2 {comparison}" for comparison in compared)]
        parts += [f"condition={condition}"] if condition else []
        parts += [f"scope={Said(self.key, self.value)}"] if self.key is not None and not of_statements else []
        parts += [f"further={said}" for said in self.further]
        names = {Part.TAIL: "node", Part.VALUE: "node", Part.RELATION: "relation"}
        found = f"search_{names.get(self.asked, 'condition')}({', '.join(parts)})"
        return f"{found}.head" if self.asked is Part.SUBJECT else found


# Sets and rows --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SetOperation(Operator):
    """`set_union`, `set_intersection`, or `set_difference`, which takes all that the second holds from the first."""

    function: str
    operands: tuple[Operand, ...]

    @property
    def passed_on(self) -> tuple[Operand, ...]:
        return self.operands

    def output_type(self, types: Types) -> OutputType:
        given = [types.of(operand) for operand in self.operands]
        has_rows = any(each.kind is OutputKind.ROWS for each in given)
        return OutputType(
            OutputKind.ROWS if has_rows and self.function == "set_intersection" else common_kind(given),
            frozenset().union(*(each.sources for each in given)),
            value_kinds=distinct(each.value_kinds for each in given),
            time_keys=distinct(each.time_keys for each in given),
            is_times=all(each.is_times for each in given),
            is_cells=all(each.is_cells for each in given),
            is_unordered=any(each.is_sorted_before for each in given),
            columns=distinct(each.columns for each in given),
            mixed=frozenset().union(*(each.mixed for each in given)),
        )

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.operands))})"


@dataclass(frozen=True)
class Negation(Operator):
    """All heads of the sources that are not in the operand; where the operand holds facts, all other facts."""

    shown = "set_negation({operand})"
    operand: Operand

    def output_type(self, types: Types) -> OutputType:
        of = types.of(self.operand)
        return OutputType(of.kind, types.every_source, is_unordered=of.is_sorted_before)


@dataclass(frozen=True)
class RowsBeside(Operator):
    """The rows before or after rows, each in its own table (`step` is -1 or 1)."""

    operand: Operand
    step: int

    def output_type(self, types: Types) -> OutputType:
        return OutputType(OutputKind.ROWS, types.of(self.operand).sources)

    def __str__(self) -> str:
        return f"{'next' if self.step > 0 else 'previous'}_row({self.operand})"


@dataclass(frozen=True)
class Selection(Operator):
    """The elements that satisfy every comparison, read as numbers, times or texts."""

    measures = ("operand",)
    operand: Operand
    value: tuple[Comparison, ...]

    def output_type(self, types: Types) -> OutputType:
        return types.of(self.operand)

    def __str__(self) -> str:
        tests = (f"{'text' if isinstance(c, TextTest) else 'value'} {c}" for c in self.value)
        return f"keep({self.operand}, {' and '.join(tests)})"


@dataclass(frozen=True)
class Sorting(Operator):
    """The elements in an order of their own, which the answer, first and last keep.

    By number, where each element has one or is a value of a relation that is read as numbers; elements without a number
    are then left out. Else, or with `by_name`, by name.
    """

    measures = ("operand",)
    operand: Operand
    descending: bool = False
    by_name: bool = False

    def output_type(self, types: Types) -> OutputType:
        return replace(types.of(self.operand), is_ordered=True, is_unordered=False)

    def __str__(self) -> str:
        by_name = ", by name" if self.by_name else ""
        last = "last" if self.by_name else "greatest"
        return f"sort({self.operand}{by_name}{f', the {last} first' if self.descending else ''})"


@dataclass(frozen=True)
class Items(Operator):
    """The parts of each text as words, in the order of the texts; `separators` stand between them."""

    measures = ("operand",)
    operand: Operand
    separators: tuple[str, ...]

    def output_type(self, types: Types) -> OutputType:
        return OutputType(OutputKind.WORDS, types.every_source, is_ordered=True, mixed=types.of(self.operand).mixed)

    def __str__(self) -> str:
        separator = f", separator={self.separators[0]!r}" if len(self.separators) == 1 else ""
        return f"items({self.operand}{separator})"


@dataclass(frozen=True)
class Reached(Operator):
    """The elements of `operand`, all that some steps along a relation reach; `beyond`: what one more step reaches.

    They come without the facts that led to them.
    """

    passes_on = ("operand",)
    shown = "reach({operand})"
    operand: Output
    beyond: Output

    def output_type(self, types: Types) -> OutputType:
        of = types.of(self.operand)
        return OutputType(
            OutputKind.NODES, of.sources, is_unordered=of.is_unordered, columns=of.columns, mixed=of.mixed
        )


@dataclass(frozen=True)
class WrittenValues(Operator):
    """Numbers or words that the program itself gives."""

    values: tuple[float, ...] | tuple[str, ...]

    def output_type(self, types: Types) -> OutputType:
        are_numbers = all(isinstance(value, float) for value in self.values)
        return OutputType(OutputKind.NUMBERS if are_numbers else OutputKind.WORDS, types.every_source)

    def __str__(self) -> str:
        return " | ".join(map(repr, self.values)) or "nothing"


@dataclass(frozen=True)
class TargetValues(Operator):
    """The type in braces: elements that have values under the relation are replaced by these, the others stay."""

    passes_on = ("operand",)
    shown = "values({operand}, {relation})"
    operand: Operand
    relation: Names

    def output_type(self, types: Types) -> OutputType:
        of = types.of(self.operand)
        return OutputType(
            OutputKind.NODES,
            self.relation.sources,
            value_kinds=tuple(dict.fromkeys(node.kind for node in self.relation.nodes)),
            is_ordered=of.is_ordered,
            is_unordered=of.is_unordered,
        )


# For each element -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class EachElement(Operator):
    """The element at hand of the operand; the steps from here to the iteration that uses it are run for each."""

    passes_on = ("operand",)
    shown = "each of {operand}"
    operand: Output

    def output_type(self, types: Types) -> OutputType:
        return replace(types.of(self.operand), is_ordered=False, is_unordered=False, mixed=frozenset())


@dataclass(frozen=True)
class Iteration(Operator):
    """Takes the elements of `operand`, with what the steps of `each` give for one at a time."""

    operand: Output
    each: Output

    @property
    def results(self) -> tuple[Output, ...]:
        """The outputs that it takes for each element."""
        return ()


@dataclass(frozen=True)
class ForEach(Iteration):
    """Each element with the one number that `value` gives for it; elements without are left out."""

    measures = ("value",)
    shown = "for_each({operand}, {value})"
    value: Output
    title: str = "number"

    @property
    def results(self) -> tuple[Output, ...]:
        return (self.value,)

    def output_type(self, types: Types) -> OutputType:
        return _with_numbers(types.of(self.operand), self.title, types.of(self.operand))


@dataclass(frozen=True)
class Grouping(Iteration):
    """The elements of `by`, each with an aggregate of `of` over the elements of the operand that it is given for.

    Without `of`, `count` counts the elements of the operand.
    """

    by: Output
    of: Output | None
    function: str
    title: str = "number"
    element: str = ""

    @property
    def measures_numbers(self) -> bool:
        """Whether it needs the numbers of `of`."""
        return self.function != "count"

    @property
    def measured(self) -> tuple[Operand, ...]:
        return (self.of,) if self.of is not None and self.measures_numbers else ()

    @property
    def results(self) -> tuple[Output, ...]:
        return (self.by,) if self.of is None else (self.by, self.of)

    def output_type(self, types: Types) -> OutputType:
        grouped = _with_numbers(types.of(self.by), self.title, types.of(self.operand))
        return replace(grouped, element=self.element)

    def __str__(self) -> str:
        of = f", of={self.of}" if self.of else ""
        return f"group({self.operand}, by={self.by}{of}, function={self.function})"


@dataclass(frozen=True)
class Records(Iteration):
    """A record for each element of the operand: what each of the columns gives for it."""

    kind = OutputKind.RECORDS
    columns: tuple[Output, ...]
    titles: tuple[str, ...]

    @property
    def measured(self) -> tuple[Operand, ...]:
        return (self.operand, *self.columns)

    @property
    def results(self) -> tuple[Output, ...]:
        return self.columns

    def output_type(self, types: Types) -> OutputType:
        return OutputType(self.kind, types.of(self.operand).sources, is_ordered=True, titles=self.titles)

    def __str__(self) -> str:
        return f"select({self.operand}, {', '.join(map(str, self.columns))})"


def _with_numbers(of: OutputType, number: str, operand: OutputType) -> OutputType:
    """The type of elements that have numbers of their own."""
    return OutputType(of.kind, of.sources, columns=of.columns, number=number, is_unordered=operand.is_sorted_before)


# Numbers --------------------------------------------------------------------------------------------------------------


OF_ELEMENTS = ("count", "exists", "longest_run")
"""Aggregates that need nothing of a set but its elements."""


@dataclass(frozen=True)
class Aggregate(Operator):
    """An aggregate of a set; the row of its function in `FUNCTIONS` says what it gives.

    min and max give the element as written, the first by name among equals; first, last and nth those at a place in the
    order of the answer. mode gives the elements that stand in most facts, argmin and argmax the heads of the facts with
    the least or the greatest value; mean, sum and count give a number. `once`: the keys whose values mean and sum take
    once, and not once a fact. `n`: how many elements first and last give, one if None; the place of nth.
    """

    function: str
    operand: Operand
    once: tuple[str, ...] = ()
    n: int | None = None

    @property
    def measured(self) -> tuple[Operand, ...]:
        return () if self.function in OF_ELEMENTS else (self.operand,)

    def output_type(self, types: Types) -> OutputType:
        of = types.of(self.operand)
        is_ordered = of.is_ordered and self.function in ("first", "last") and self.n is not None
        is_unordered = self.function == "longest_run" and of.is_sorted_before
        of = replace(of, is_ordered=is_ordered, is_unordered=is_unordered, mixed=frozenset())
        match FUNCTIONS[self.function].gives:
            case Gives.ELEMENTS:
                return of
            case Gives.HEADS if of.has_numbers:
                return of
            case Gives.HEADS:
                are_rows = of.is_cells or of.kind is OutputKind.ROWS
                return replace(of, kind=OutputKind.ROWS if are_rows else OutputKind.NODES, columns=(None,))
            case Gives.WORDS:
                return OutputType(OutputKind.WORDS, of.sources)
        is_times = of.is_times and bool(self.measured)  # the mean of times is a time, and their count is none
        return replace(of, kind=OutputKind.NUMBERS, columns=(None,), number="", is_times=is_times)

    def __str__(self) -> str:
        return f"{self.function}({self.operand}{'' if self.n is None else f', {self.n}'})"


@dataclass(frozen=True)
class Arithmetic(Operator):
    """A number from the single numbers of two operands; there is none where an operand has several numbers."""

    measures = ("left", "right")
    shown = "{function}({left}, {right})"
    kind = OutputKind.NUMBERS
    function: str
    left: Operand
    right: Operand


GIVING_WORDS = ("extract_year_month", "extract_weekday", "fold")
"""Functions of each element that give words."""


@dataclass(frozen=True)
class EachNumber(Operator):
    """A number, or a word, from each number, date or text of the operand; elements that have none are left out.

    `place`: of the numbers inside a text, the one to take: 0 for the first, -1 for the last.
    """

    measures = ("operand",)
    function: str
    operand: Operand
    place: int = 0

    def output_type(self, types: Types) -> OutputType:
        of = types.of(self.operand)
        kind = OutputKind.WORDS if self.function in GIVING_WORDS else OutputKind.NUMBERS
        return OutputType(kind, types.every_source, is_unordered=of.is_sorted_before, mixed=of.mixed)

    def __str__(self) -> str:
        return f"{self.function}({self.operand}{f', which={self.place}' if self.place else ''})"


@dataclass(frozen=True)
class Equality(Operator):
    """`yes` where both sides hold the same numbers, or where neither holds any the same elements; else `no`."""

    measures = ("left", "right")
    shown = "equals({left}, {right})"
    kind = OutputKind.WORDS
    left: Operand
    right: Operand


@dataclass(frozen=True)
class Choice(Operator):
    """`left` where the greatest number of `one` compares so with that of `other`, else `right`.

    `<` and `<=` compare the least numbers. Where a side has no number, the output is empty. `both`: where they tie, the
    elements of both.
    """

    passes_on = ("left", "right")
    measures = ("one", "other")
    shown = "{left} if {one} {op} {other} else {right}"
    op: str
    one: Operand
    other: Operand
    left: Operand
    right: Operand
    both: bool = False

    def output_type(self, types: Types) -> OutputType:
        sides = [types.of(side) for side in self.passed_on if side != Names(())]
        is_ordered = not self.both and all(side.is_ordered for side in sides)
        return OutputType(
            common_kind(sides),
            types.every_source,
            value_kinds=distinct(side.value_kinds for side in sides),
            time_keys=distinct(side.time_keys for side in sides),
            is_cells=not self.both and all(side.is_cells for side in sides),
            is_ordered=is_ordered,
            is_unordered=not self.both and not is_ordered and any(side.is_sorted_before for side in sides),
        )


Computed = Selection | Sorting | Items | WrittenValues | Aggregate | Arithmetic | EachNumber | Equality | Choice
Step = Search | SetOperation | Negation | RowsBeside | TargetValues | Reached | EachElement | Iteration | Computed
