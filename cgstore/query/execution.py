"""The execution query: what a program means on the condition graph (TrustUQA, section 3.2, "Execution Query").

`search_node` and `search_condition` are the paper's two searching functions. They are told here, beside the paper,
which facts count (`scope`), since a temporal fact's times hang on the whole fact and not on its head alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a step's output holds: node keys, facts as lists of names, or computed numbers."""

    NODES = "nodes"
    FACTS = "facts"
    NUMBERS = "numbers"


@dataclass(frozen=True)
class Names:
    """The nodes that a name was mapped to, several where several sources have it; `keys` and `names` are parallel.

    `time_key`: they are built-in keys of temporal facts, whose conditions are whole facts; `steps` are then their
    sources' time steps (year, month, day).
    """

    keys: tuple[str, ...]
    names: tuple[str, ...]
    time_key: bool = False
    steps: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " | ".join(dict.fromkeys(repr(name) for name in self.names)) or "nothing"


@dataclass(frozen=True)
class AnyRelation:
    """Every relation of the sources asked."""

    def __str__(self) -> str:
        return "any"


@dataclass(frozen=True)
class Output:
    """The output of an earlier step, counted from 0."""

    step: int

    def __str__(self) -> str:
        return f"step {self.step + 1}"


Operand = Names | AnyRelation | Output


@dataclass(frozen=True)
class Among:
    """node2 is one of these nodes."""

    operand: Operand

    def __str__(self) -> str:
        return f"= {self.operand}"


@dataclass(frozen=True)
class Range:
    """node2 reads as a number or time between the bounds, in units of `cgstore.values`; an open bound is excluded."""

    low: float | None = None
    low_open: bool = False
    high: float | None = None
    high_open: bool = False
    shown: str = ""

    def __str__(self) -> str:
        return self.shown


@dataclass(frozen=True)
class Against:
    """node2 compares so with any element of an earlier output (language page, 3.2: "greater than any of them")."""

    op: str
    operand: Output

    def __str__(self) -> str:
        return f"{self.op} {self.operand}"


Comparison = Among | Range | Against


@dataclass(frozen=True)
class FactPattern:
    """A fact as a condition [head, relation, tail], of which some parts are given; tail None means any."""

    head: Operand | None = None
    relation: Operand | None = None
    tail: tuple[Comparison, ...] = ()

    def __str__(self) -> str:
        tail = " and ".join(str(c).removeprefix("= ") for c in self.tail) or "?"
        return f"[{self.head or '?'}, {self.relation or '?'}, {tail}]"


@dataclass(frozen=True)
class SearchCondition:
    """The conditions of the triples (node1, node2, ?) whose node2 satisfies every comparison.

    For a relation they are the heads, for a time key the facts. `condition` narrows the facts to those of a pattern,
    `scope` narrows the heads to those of facts that hold then.
    """

    node1: Operand
    value: tuple[Comparison, ...] = ()
    condition: FactPattern | None = None
    scope: SearchCondition | None = None

    def __str__(self) -> str:
        parts = [f"node1={self.node1}", *(f"node2 {c}" for c in self.value)]
        parts += [f"condition={self.condition}"] if self.condition else []
        parts += [f"scope={self.scope}"] if self.scope else []
        return f"search_condition({', '.join(parts)})"


@dataclass(frozen=True)
class SearchNode:
    """node2 of the triples (node1, ?, condition); without a condition, of the triples whose condition is empty.

    A condition that is a FactPattern stands for the whole fact [head, relation, tail]. `scope` keeps the triples whose
    fact is among those of a search for a time.
    """

    node1: Operand
    condition: Operand | FactPattern | None = None
    scope: SearchCondition | None = None

    def __str__(self) -> str:
        parts = [f"node1={self.node1}"]
        parts += [f"condition={self.condition}"] if self.condition else []
        parts += [f"scope={self.scope}"] if self.scope else []
        return f"search_node({', '.join(parts)})"


@dataclass(frozen=True)
class SearchHead:
    """node2 of (node1, ?, []) where node1 is a head: the relations that it has."""

    head: Operand

    def __str__(self) -> str:
        return f"search_node(node1={self.head})"


@dataclass(frozen=True)
class SearchRelation:
    """node1 of the triples (?, node2, [head]): how head and tail are linked. The paper's Table 1 leaves this out."""

    head: Operand
    value: tuple[Comparison, ...]
    scope: SearchCondition | None = None

    def __str__(self) -> str:
        value = " and ".join(f"node2 {c}" for c in self.value)
        return f"search_relation(condition={self.head}, {value}{f', scope={self.scope}' if self.scope else ''})"


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
class Keep:
    """The elements that satisfy every comparison, read as numbers or times."""

    operand: Operand
    value: tuple[Comparison, ...]

    def __str__(self) -> str:
        return f"keep({self.operand}, {' and '.join(f'value {c}' for c in self.value)})"


class AggregateFunction(StrEnum):
    """The aggregates of the language."""

    MIN = "min"
    MAX = "max"
    MEAN = "mean"
    SUM = "sum"
    COUNT = "count"


@dataclass(frozen=True)
class Aggregate:
    """min and max give the element as written, the first by name among equals; the others give a number."""

    function: AggregateFunction
    operand: Operand

    def __str__(self) -> str:
        return f"{self.function}({self.operand})"


Search = SearchNode | SearchCondition | SearchHead | SearchRelation
Step = Search | SetOperation | Negation | Keep | Aggregate


@dataclass(frozen=True)
class Plan:
    """The steps in order; a step uses only outputs of steps before it. The last step's output is the answer.

    `kinds` runs parallel to `steps`; `queries` gives for each query of the program the step that is its output.
    """

    steps: tuple[Step, ...]
    kinds: tuple[Kind, ...]
    queries: tuple[int, ...]
