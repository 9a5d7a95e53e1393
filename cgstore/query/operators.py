"""The execution query: what a program means on the condition graph (TrustUQA, section 3.2, "Execution Query").

`search_node` and `search_condition` are the paper's two searching functions. They are told here, beside the paper,
which facts count (`scope`), since a temporal fact's times hang on the whole fact and not on its head alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, is_dataclass
from enum import StrEnum
from typing import NamedTuple

from cgstore.query.operands import AnyRelation, Comparison, FactPattern, Operand, Output, OutputKind


@dataclass(frozen=True)
class SearchCondition:
    """The conditions of the triples (node1, node2, ?) whose node2 satisfies every comparison.

    For a relation they are the heads, for a key of facts the facts, or with `heads` their heads. `condition` narrows
    the facts to those of a pattern, `scope` narrows the heads to those of facts that a search for a key finds.
    """

    node1: Operand
    value: tuple[Comparison, ...] = ()
    condition: FactPattern | None = None
    scope: SearchCondition | None = None
    heads: bool = False

    def __str__(self) -> str:
        parts = [f"node1={self.node1}", *(f"node2 {c}" for c in self.value)]
        parts += [f"condition={self.condition}"] if self.condition else []
        parts += [f"scope={self.scope}"] if self.scope else []
        return f"search_condition({', '.join(parts)}){'.head' if self.heads else ''}"


@dataclass(frozen=True)
class SearchNode:
    """node2 of the triples (node1, ?, condition); without a condition, of all triples of node1.

    A condition that is a FactPattern stands for the whole fact [head, relation, tail]. `scope` keeps the triples whose
    fact is among those of a search for a key. `covalues`: where no element of the condition is a head of node1 at all,
    those that are heads of nothing stand for the heads that have them under node1 (language page, 3.1). `sources`:
    heads of nothing in these alone, if any.
    """

    node1: Operand
    condition: Operand | FactPattern | None = None
    scope: SearchCondition | None = None
    covalues: bool = False
    sources: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [f"node1={self.node1}"]
        parts += [f"condition={self.condition}"] if self.condition else []
        parts += [f"scope={self.scope}"] if self.scope else []
        return f"search_node({', '.join(parts)})"


@dataclass(frozen=True)
class SearchHead:
    """node2 of (node1, ?, []) where node1 is a head: the relations that it has; `sources`: in these alone, if any."""

    head: Operand
    sources: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"search_node(node1={self.head})"


@dataclass(frozen=True)
class SearchRelation:
    """node1 of the triples (?, node2, [head]): how head and tail are linked. The paper's Table 1 leaves this out."""

    head: Operand
    value: tuple[Comparison, ...]
    scope: SearchCondition | None = None
    relations: Operand = field(default_factory=AnyRelation)

    def __str__(self) -> str:
        value = " and ".join(f"node2 {c}" for c in self.value)
        parts = [f"condition={self.head}, {value}", *([f"scope={self.scope}"] if self.scope else [])]
        parts += [f"node1={self.relations}"] if self.relations != AnyRelation() else []
        return f"search_relation({', '.join(parts)})"


class SetFunction(StrEnum):
    """The set operations of the language."""

    UNION = "set_union"
    INTERSECTION = "set_intersection"
    DIFFERENCE = "set_difference"


@dataclass(frozen=True)
class SetOperation:
    """A set operation; difference takes from the first operand all that the second holds."""

    function: SetFunction
    operands: tuple[Operand, ...]

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.operands))})"


@dataclass(frozen=True)
class Negation:
    """All heads of the sources asked that are not in the operand (all facts, where the operand holds facts)."""

    operand: Operand

    def __str__(self) -> str:
        return f"set_negation({self.operand})"


@dataclass(frozen=True)
class Beside:
    """The rows before or after rows, each in its own table (`step` is -1 or 1)."""

    operand: Operand
    step: int

    def __str__(self) -> str:
        return f"{'next' if self.step > 0 else 'previous'}_row({self.operand})"


@dataclass(frozen=True)
class Keep:
    """The elements that satisfy every comparison, read as numbers or times."""

    operand: Operand
    value: tuple[Comparison, ...]

    def __str__(self) -> str:
        return f"keep({self.operand}, {' and '.join(f'value {c}' for c in self.value)})"


@dataclass(frozen=True)
class Sorted:
    """The elements in an order of their own, which the answer, first and last keep.

    By number, where each element has one or is a value of a relation that is read as numbers; what has none is then
    passed over. Else by name.
    """

    operand: Operand
    descending: bool = False

    def __str__(self) -> str:
        return f"sort({self.operand}{', the greatest first' if self.descending else ''})"


@dataclass(frozen=True)
class Written:
    """Numbers or words that the program itself gives."""

    values: tuple[float, ...] | tuple[str, ...]

    def __str__(self) -> str:
        return " | ".join(map(repr, self.values)) or "nothing"


@dataclass(frozen=True)
class Retyped:
    """The elements that have values under a relation are replaced by these, the others stay (a type in braces)."""

    operand: Operand
    relation: Operand

    def __str__(self) -> str:
        return f"values({self.operand}, {self.relation})"


class AggregateFunction(StrEnum):
    """The aggregates of the language."""

    MIN = "min"
    MAX = "max"
    FIRST = "first"
    LAST = "last"
    MODE = "mode"
    MEAN = "mean"
    SUM = "sum"
    COUNT = "count"
    ARGMIN = "argmin"
    ARGMAX = "argmax"


@dataclass(frozen=True)
class Aggregate:
    """min and max give the element as written, the first by name among equals; first and last that of the source.

    mode gives the elements that stand in most facts, argmin and argmax the heads of the facts with the least or the
    greatest value; mean, sum and count give a number. What reads as no number is passed over. `once`: of these keys'
    values mean and sum take each once, and not once a fact.
    """

    function: AggregateFunction
    operand: Operand
    once: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.function}({self.operand})"


class NumberFunction(StrEnum):
    """Arithmetic over the single numbers of one or two operands; of an operand with several numbers there is none."""

    SUBTRACT = "subtract"
    DIFFERENCE = "difference"
    ADD = "add"
    MULTIPLY = "multiply"
    DIVIDE = "divide"


@dataclass(frozen=True)
class Arithmetic:
    """A number from two: `difference` is without its sign."""

    function: NumberFunction
    left: Operand
    right: Operand

    def __str__(self) -> str:
        return f"{self.function}({self.left}, {self.right})"


class EachFunction(StrEnum):
    """A number from each number."""

    ABS = "abs"
    NUMBER = "to_number"
    INTEGER = "to_integer"
    YEAR = "extract_year"
    PREVIOUS = "previous_row"
    NEXT = "next_row"


@dataclass(frozen=True)
class Each:
    """A function of each number in the operand; what reads as none is passed over."""

    function: EachFunction
    operand: Operand

    def __str__(self) -> str:
        return f"{self.function}({self.operand})"


@dataclass(frozen=True)
class Equality:
    """`yes` where both sides hold the same numbers, or where neither holds any the same elements; else `no`."""

    left: Operand
    right: Operand

    def __str__(self) -> str:
        return f"equals({self.left}, {self.right})"


@dataclass(frozen=True)
class Choice:
    """`left` where the greatest number of `one` compares so with that of `other`, else `right`.

    Of `<` and `<=`, the least numbers are compared. A side without a number gives nothing. `both`: where they tie, the
    elements of both.
    """

    op: str
    one: Operand
    other: Operand
    left: Operand
    right: Operand
    both: bool = False

    def __str__(self) -> str:
        return f"{self.left} if {self.one} {self.op} {self.other} else {self.right}"


Search = SearchNode | SearchCondition | SearchHead | SearchRelation
Computed = (
    SetOperation | Negation | Keep | Sorted | Written | Retyped | Aggregate | Arithmetic | Each | Equality | Choice
)
Step = Search | Computed | Beside


class CallOutput(NamedTuple):
    """A search whose elements may come from several sources.

    `query` is the number of the query that the call stands in (0 for the type in braces), `call` the last of the
    searches that the call is, and `summed` the aggregate that takes its elements together, if one does.
    """

    step: int
    query: int
    call: int
    summed: AggregateFunction | None = None


@dataclass(frozen=True)
class Plan:
    """The steps in order; a step uses only outputs of steps before it. The output of step `answer` is the answer.

    `kinds` runs parallel to `steps`. `ordered`: the steps whose outputs are lists in the order of a `Sorted`. `notes`:
    sentences about how the program was understood, whatever it finds. `mixing`: the searches of which is to be told
    where their elements come from.
    """

    steps: tuple[Step, ...]
    kinds: tuple[OutputKind, ...]
    answer: int
    ordered: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()
    mixing: tuple[CallOutput, ...] = ()

    def why_empty(self, sizes: Sequence[int]) -> int:
        """The first step for whose lack of elements the answer has none, given how many each step has."""
        step = self.answer
        while empty := [number for number in _inputs(self.steps[step]) if not sizes[number]]:
            step = empty[0]
        return step


def _inputs(part: object) -> Iterator[int]:
    """The earlier steps whose outputs a step uses."""
    if isinstance(part, Output):
        yield part.step
    elif isinstance(part, tuple):
        for each in part:
            yield from _inputs(each)
    elif is_dataclass(part):
        for each in vars(part).values():
            yield from _inputs(each)
