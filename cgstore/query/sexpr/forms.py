"""The abstract syntax of S-expressions (GrailQA, Gu et al. 2021, section 4; time constraints as in ChatKBQA).

A form stands for a set of nodes. A fact is (head, relation, tail).

    (JOIN r x)          the heads that have a tail in x under r
    (JOIN (R r) x)      the tails of x under r
    (AND x y), (OR x y), (DIFF x y)
    (COUNT x)
    (ARGMAX x r)        the elements of x with the greatest value under r; r may be a path, (JOIN r1 r2)
    (LT r v)            the heads that have a value less than v under r; LE, GT and GE likewise
    (TC x r t)          the elements of x whose time from r, and until the relation that belongs to r, holds t

OR and DIFF are additions of cgstore: the published forms have no union and no difference.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cgstore.query.ast import Place

NOWHERE: Place = (0, 0)


@dataclass(frozen=True)
class Name:
    """An entity or a value, by its name or its identifier."""

    text: str
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class TypedLiteral:
    """A value with its type: `"1999"^^xsd:integer`. `datatype` is the local name, such as `integer`."""

    text: str
    datatype: str
    place: Place = field(default=NOWHERE, compare=False)


Value = Name | TypedLiteral
"""What comparisons compare with: a name or a value as it is written."""


@dataclass(frozen=True)
class ClassName:
    """All instances of a class, such as `film.film`."""

    text: str
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Step:
    """A relation, from heads to tails; `inverse` is `(R relation)`, from tails to heads."""

    relation: str
    inverse: bool = False
    place: Place = field(default=NOWHERE, compare=False)

    @property
    def inverted(self) -> Step:
        return Step(self.relation, not self.inverse, self.place)


Path = tuple[Step, ...]
"""Relations one after the other, at least one."""


@dataclass(frozen=True)
class Join:
    """The nodes from which one step leads to the operand."""

    step: Step
    operand: Form
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Combination:
    """AND, OR or DIFF of at least two operands; DIFF has exactly two."""

    function: str
    operands: tuple[Form, ...]
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Count:
    """The number of elements."""

    operand: Form
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class Extreme:
    """ARGMAX or ARGMIN: the elements of the operand with the greatest or the least value at the end of a path."""

    function: str
    operand: Form
    path: Path
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True)
class OrderComparison:
    """LT, LE, GT or GE: the nodes with such a value at the end of a path."""

    function: str
    path: Path
    value: Value
    place: Place = field(default=NOWHERE, compare=False)

    @property
    def sign(self) -> str:
        return SIGNS[self.function]


@dataclass(frozen=True)
class TimeConstraint:
    """TC: the elements that hold at a time, which is a year, a month, a day, or NOW."""

    operand: Form
    relation: Step
    time: Name
    place: Place = field(default=NOWHERE, compare=False)


Form = Name | TypedLiteral | ClassName | Join | Combination | Count | Extreme | OrderComparison | TimeConstraint

EXTREMES = ("ARGMAX", "ARGMIN")
SIGNS = {"LT": "<", "LE": "<=", "GT": ">", "GE": ">="}

NOW = "NOW"
"""The time of a constraint that means the moment of asking."""
