"""The execution query: what a program means on the condition graph (TrustUQA, section 3.2, "Execution Query").

`search_node` and `search_condition` are the paper's two searching functions. They are told here, beside the paper,
which facts count (`scope`), since a temporal fact's times hang on the whole fact and not on its head alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, is_dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from cgstore.model import ROW_NUMBER
from cgstore.text.kinds import Kind as ValueKind
from cgstore.text.names import SEPARATOR, source_name


class Kind(StrEnum):
    """What a step's output holds: node keys, those of a table's rows, facts as lists of names, numbers or words.

    Numbers are computed, words the program's own, such as the `yes` of a comparison.
    """

    NODES = "nodes"
    ROWS = "rows"
    FACTS = "facts"
    NUMBERS = "numbers"
    WORDS = "words"


class Named(NamedTuple):
    """A node by its key and its name.

    Of a relation or key: what its values are read as, the time step (year, month, day) of a built-in key, whether it
    is a table's column, and whether its conditions are heads (a relation) or whole facts (a qualifier); it may be both.
    `built_in`: it is one of the keys of temporal facts.
    """

    key: str
    name: str
    kind: ValueKind = ValueKind.TEXT
    step: str | None = None
    column: bool = False
    of_heads: bool = True
    of_facts: bool = False
    built_in: bool = False

    @property
    def source(self) -> str:
        """The stored name of the source of a relation, key or row."""
        return self.key.partition(SEPARATOR)[0]


@dataclass(frozen=True)
class Names:
    """The nodes that a name was mapped to, several where several sources have it.

    `of_facts`: they are keys, and their conditions that count are whole facts; `time_key`: built-in ones. `exact`: the
    name as written is theirs; else it was taken for them.
    """

    nodes: tuple[Named, ...]
    of_facts: bool = False
    time_key: bool = False
    exact: bool = True

    @property
    def keys(self) -> tuple[str, ...]:
        """The nodes' keys."""
        return tuple(node.key for node in self.nodes)

    @property
    def names(self) -> tuple[str, ...]:
        """The nodes' names, parallel to `keys`."""
        return tuple(node.name for node in self.nodes)

    @property
    def sources(self) -> frozenset[str]:
        """The stored names of the sources of relations, keys or rows."""
        return frozenset(node.source for node in self.nodes)

    def of(self, sources: Collection[str]) -> Names:
        """Those relations, keys or rows that belong to these sources."""
        return replace(self, nodes=tuple(node for node in self.nodes if node.source in sources))

    def __str__(self) -> str:
        return " | ".join(dict.fromkeys(repr(name) for name in self.names)) or "nothing"


@dataclass(frozen=True)
class AnyRelation:
    """Every relation of the sources asked; `columns`: of the tables among them; `sources`: of these alone, if any."""

    columns: bool = False
    sources: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "any column" if self.columns else "any"


@dataclass(frozen=True)
class Constant:
    """A number written in the program."""

    number: float

    def __str__(self) -> str:
        return f"{self.number:g}"


@dataclass(frozen=True)
class Word:
    """A text of the program's own, which is no name of anything."""

    text: str

    def __str__(self) -> str:
        return repr(self.text)


@dataclass(frozen=True)
class Output:
    """The output of an earlier step, counted from 0."""

    step: int

    def __str__(self) -> str:
        return f"step {self.step + 1}"


Operand = Names | AnyRelation | Constant | Word | Output


@dataclass(frozen=True)
class Among:
    """node2 is one of these nodes."""

    operand: Operand

    def __str__(self) -> str:
        return f"= {self.operand}"


@dataclass(frozen=True)
class Same:
    """node2 is an element of an earlier output, or reads as the same number as one: `5` is `5.0` (language page, 2)."""

    operand: Output

    def __str__(self) -> str:
        return f"= {self.operand}"


@dataclass(frozen=True)
class Range:
    """node2 reads as a number or time between the bounds, in units of `text.values`; an open bound is excluded."""

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


@dataclass(frozen=True)
class Frequent:
    """node2 is a value that stands most often under node1, or least often; ties all count (language page, 3.2)."""

    least: bool = False

    def __str__(self) -> str:
        return "least often" if self.least else "most often"


@dataclass(frozen=True)
class Extreme:
    """node2 reads as the greatest number under node1, or as the least; ties all count."""

    least: bool = False

    def __str__(self) -> str:
        return "the least" if self.least else "the greatest"


Comparison = Among | Same | Range | Against | Frequent | Extreme


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
    relations: Operand = AnyRelation()

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


@dataclass(frozen=True)
class Asked:
    """The sources that a program is asked of: their names as the graph has them, and their relations.

    `only_tables`: there is nothing but tables among them.
    """

    sources: tuple[str, ...]
    relations: Names
    only_tables: bool = False

    def stored(self, name: str) -> str | None:
        """The stored name of a source asked, by the one that users know; None where no such source is asked."""
        return next((source for source in self.sources if source_name(source) == name), None)

    def only(self, source: str) -> Asked:
        """As if this source alone were asked."""
        relations = self.relations.of({source})
        tables = {node.source for node in self.relations.nodes if node.column}
        return Asked((source,), relations, only_tables=source in tables or self.only_tables)

    @property
    def columns(self) -> Names:
        """The relations that are columns of tables, row numbers left out."""
        return Names(tuple(node for node in self.relations.nodes if node.column and node.name != ROW_NUMBER))

    @property
    def row_numbers(self) -> Names:
        """The relations between a table's rows and their numbers."""
        return Names(tuple(node for node in self.relations.nodes if node.column and node.name == ROW_NUMBER))


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
    kinds: tuple[Kind, ...]
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
