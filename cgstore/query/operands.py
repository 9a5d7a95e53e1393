"""What the steps of an execution query work on: names mapped to nodes, outputs of earlier steps, and comparisons."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import StrEnum
from functools import cache
from typing import ClassVar, NamedTuple, TypeVar

from cgstore.model import TimeKey
from cgstore.text.kinds import ValueKind
from cgstore.text.names import SEPARATOR

T = TypeVar("T")


class Shown:
    """Something with a text for users: `shown`, with its fields in braces."""

    shown: ClassVar[str] = ""

    def __str__(self) -> str:
        return self.shown.format_map(vars(self))


class OutputKind(StrEnum):
    """What a step's output holds: node keys, those of a table's rows, facts as lists of names, numbers or words.

    Numbers are computed, words the program's own, such as the `yes` of a comparison. Records have a field for each
    column of a `select`.
    """

    NODES = "nodes"
    ROWS = "rows"
    FACTS = "facts"
    NUMBERS = "numbers"
    WORDS = "words"
    RECORDS = "records"

    @property
    def in_words(self) -> str:
        """What a message calls such elements."""
        return "names or values" if self is OutputKind.NODES else self.value


class Named(NamedTuple):
    """A node by its key and its name; most fields are about relations and keys.

    Attributes:
        key: the key of the node.
        name: its name.
        kind: what the values of a relation or key are read as.
        role: what the values of a relation are for (see `cgstore.text.roles`); empty if nothing says it.
        step: the time step (year, month, day) of a built-in key.
        column: it is a table's column, or a table's row.
        of_heads: it is a relation: its conditions are heads.
        of_facts: it is a qualifier: its conditions are whole facts. A node may be both.
        built_in: it is one of the keys of temporal facts.
    """

    key: str
    name: str
    kind: ValueKind = ValueKind.TEXT
    step: str | None = None
    column: bool = False
    of_heads: bool = True
    of_facts: bool = False
    built_in: bool = False
    role: str = ""

    @property
    def source(self) -> str:
        """The stored name of the source of a relation, key or row."""
        return self.key.partition(SEPARATOR)[0]

    @property
    def periods(self) -> bool:
        """Whether its values are the times at which facts hold, which are kept as periods."""
        return self.built_in and self.name == TimeKey.TIME


@dataclass(frozen=True)
class Names:
    """The nodes that a name was mapped to, several where several sources have it.

    `of_facts`: they are keys, of which the conditions that are whole facts count; `time_key`: they are built-in keys.
    `exact`: they have the name as written; else the name was taken for them.
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

    @property
    def is_of_tables(self) -> bool:
        """Whether all of them are of tables: columns, or rows."""
        return bool(self.nodes) and all(node.column for node in self.nodes)

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
class Constant(Shown):
    """A number written in the program."""

    shown = "{number:g}"
    number: float


@dataclass(frozen=True)
class Word(Shown):
    """A text of the program's own, which does not name anything."""

    shown = "{text!r}"
    text: str


@dataclass(frozen=True)
class Output:
    """The output of an earlier step, counted from 0."""

    step: int

    def __str__(self) -> str:
        return f"step {self.step + 1}"


Operand = Names | AnyRelation | Constant | Word | Output


@dataclass(frozen=True)
class NodeEquality(Shown):
    """node2 is one of these nodes."""

    shown = "= {operand}"
    operand: Operand


@dataclass(frozen=True)
class NumberEquality(Shown):
    """node2 is an element of an earlier output, or reads as the same number as one: `5` is `5.0` (language page, 2)."""

    shown = "= {operand}"
    operand: Output


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
class OrderComparison(Shown):
    """node2 compares so with any element of an earlier output (language page, 3.2: "greater than any of them")."""

    shown = "{op} {operand}"
    op: str
    operand: Output


@dataclass(frozen=True)
class Superlative:
    """node2 is a most frequent value under node1, or its greatest number; ties all count (language page, 3.2).

    `least`: a least frequent value, or the least number.
    """

    of_numbers: bool = False
    least: bool = False

    def __str__(self) -> str:
        if self.of_numbers:
            return "the least" if self.least else "the greatest"
        return "least often" if self.least else "most often"


@dataclass(frozen=True)
class TextTest(Shown):
    """The text of an element contains, starts with or ends with another, without regard to case and accents."""

    shown = "{test} {text!r}"
    test: str
    text: str


Comparison = NodeEquality | NumberEquality | Range | OrderComparison | Superlative | TextTest


def parts_of(whole: object, wanted: type[T]) -> Iterator[T]:
    """The operands or comparisons of a type within a step."""
    if isinstance(whole, wanted):
        yield whole
    elif isinstance(whole, tuple):
        for part in whole:
            yield from parts_of(part, wanted)
    else:
        for name in _fields_with_parts(type(whole)):  # type: ignore[arg-type]  # a type can be hashed
            yield from parts_of(getattr(whole, name), wanted)


@cache
def _fields_with_parts(of: type) -> tuple[str, ...]:
    """The fields of a type in which operands may stand: each step of each program is looked through many times."""
    return tuple(field.name for field in fields(of)) if is_dataclass(of) and of not in (Names, AnyRelation) else ()
