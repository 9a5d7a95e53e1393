"""The abstract syntax of an LLM query program (TrustUQA, section 3.2): a list of calls, each using earlier outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

Place = tuple[int, int]
"""Start and end offsets in the program's text."""

PARTS = ("head_entity", "relation", "tail_entity", "key", "value")
"""The arguments of get_information that Table 1 is about."""


@dataclass(frozen=True)
class Literal:
    """A quoted or bare text: a name, a number or a time.

    Attributes:
        text: what it says.
        place: where it stands.
        optional: it is the relation of a time constraint, which holds for all if no fact has the relation.
        implied: it does not stand in the text, so that no near name is sought for it.
    """

    text: str
    place: Place = (0, 0)
    optional: bool = False
    implied: bool = False


@dataclass(frozen=True)
class OutputRef:
    """`output_of_queryN`, N counted from 1 in order of appearance."""

    number: int
    place: Place = (0, 0)


@dataclass(frozen=True)
class Each:
    """`each`: the element at hand, in a call that is run for one element at a time."""

    place: Place = (0, 0)


@dataclass(frozen=True)
class Call:
    """A function applied to named arguments; an argument may stand twice (two bounds on one value)."""

    function: str
    arguments: tuple[Argument, ...]
    place: Place = (0, 0)

    def given(self, name: str) -> tuple[Argument, ...]:
        """The arguments of that name, in the order written."""
        return tuple(a for a in self.arguments if a.name == name)

    def argument_text(self, name: str) -> str:
        """The text of an argument; empty where it is not given, or not written out."""
        return next((a.text for a in self.given(name) if isinstance(a.value, Literal)), "")

    def with_values(self, value_of: Callable[[Argument], Value]) -> Call:
        """The call with other values."""
        return replace(self, arguments=tuple(replace(a, value=value_of(a)) for a in self.arguments))

    @property
    def letters(self) -> str:
        """Which of head, relation, tail, key and value are given, as a subset of `hrtkv` in that order (Table 1)."""
        return "".join(name[0] for name in PARTS if self.given(name))

    @property
    def is_of_each(self) -> bool:
        """Whether it depends on the element at hand."""
        return any(isinstance(a.value, Each) for call in self.all_calls() for a in call.arguments)

    def all_calls(self) -> Iterator[Call]:
        """The call and all within it, in the order of their outputs."""
        for argument in self.arguments:
            if isinstance(argument.value, Call):
                yield from argument.value.all_calls()
        yield self


Value = Literal | OutputRef | Each | Call


@dataclass(frozen=True)
class Argument:
    """`name op value`; op is one of = < > <= >=."""

    name: str
    op: str
    value: Value
    place: Place = (0, 0)

    @property
    def text(self) -> str:
        """The text of a literal; empty for any other value."""
        return self.value.text if isinstance(self.value, Literal) else ""


@dataclass(frozen=True)
class Program:
    """The calls in order, of which the last one gives the answer.

    Attributes:
        queries: the calls.
        text: the text that they were read from.
        target: the type in braces, if any.
        covalues: whether a tail may stand in the place of a head where a step finds nothing (language page).
        notes: sentences for the answer about how the text was understood.
    """

    queries: tuple[Call, ...]
    text: str
    target: Literal | None = None
    covalues: bool = True
    notes: tuple[str, ...] = ()


def output_number(digits: str) -> int:
    """The number of a query; beyond nine digits, a number that no query has."""
    return int(digits) if len(digits) < 10 else 10**9
