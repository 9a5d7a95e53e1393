"""Which literals of a program are names to be mapped to nodes, and in what role."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from cgstore.query.ast import Argument, Call, Literal, Program
from cgstore.query.functions import FURTHER, LITERALS
from cgstore.text.names import relation_forms
from cgstore.text.numbers import read_number


class NameRole(StrEnum):
    """Where a name is searched: relations and keys of the sources asked, or else the shared nodes."""

    RELATION = "relation"
    KEY = "key"
    ENTITY = "entity"


@dataclass(frozen=True)
class NameUse:
    """A literal and the role that it has where it stands.

    Attributes:
        literal: the name.
        role: where it is searched.
        compared: it stands for a tail or a value, so that a number or time need not be a node.
        column: the name of the relation or key whose values it is compared with.
        optional: the program has a meaning without it.
        of_time_key: it is the value of a key that has the name of a built-in one, and a time if that key is meant.
        source: the name of the one source that its call is asked of.
    """

    literal: Literal
    role: NameRole
    compared: bool = False
    column: Literal | None = None
    optional: bool = False
    of_time_key: bool = False
    source: Literal | None = None

    @property
    def is_sought(self) -> bool:
        """Whether near names are sought if no node has this one."""
        return not self.optional or (self.literal.optional and not self.literal.implied)


_ROLES = {"relation": NameRole.RELATION, "key": NameRole.KEY, **{key: NameRole.KEY for key, _ in FURTHER}}

_COLUMNS = {
    "tail_entity": ("relation", "key"),
    "value": ("key", "relation"),
    **{value: (key,) for key, value in FURTHER},
}
"""The arguments that are compared, and those that name the relation or key whose values they are compared with."""

TIME_NAMES = frozenset({"time", "start time", "end time"})
"""Normal forms of the built-in keys: `time`, `start_time` and `end_time` in programs."""


def is_time_name(text: str) -> bool:
    """Whether a key is written as one of the built-in keys of temporal facts."""
    return not TIME_NAMES.isdisjoint(relation_forms(text))


def name_uses(program: Program) -> list[NameUse]:
    """Every literal that names a node, in the order of the text.

    Literals that are compared by order are left out: they are numbers or times.
    """
    uses = [use for call in program.queries for use in _uses(call)]
    return [*uses, NameUse(program.target, NameRole.RELATION, optional=True)] if program.target else uses


def _uses(call: Call) -> Iterator[NameUse]:
    source = next((a.value for a in call.given("source") if isinstance(a.value, Literal)), None)
    of_times = {value for key, value in (("key", "value"), *FURTHER) if is_time_name(call.argument_text(key))}
    for argument in call.arguments:
        if isinstance(argument.value, Call):
            yield from _uses(argument.value)
        elif isinstance(argument.value, Literal) and not _is_quantity(call, argument):
            role = _ROLES.get(argument.name, NameRole.ENTITY)
            compared = argument.name in _COLUMNS
            of_time_key = argument.name in of_times
            optional = call.function in ("keep", LITERALS) or argument.value.optional
            yield NameUse(argument.value, role, compared, _column(call, argument), optional, of_time_key, source)


def _column(call: Call, argument: Argument) -> Literal | None:
    """The name of the relation or key that has the argument for a value."""
    given = (a.value for name in _COLUMNS.get(argument.name, ()) for a in call.given(name))
    return next((value for value in given if isinstance(value, Literal)), None)


_OPTIONS = (
    *("operator", "unit", "order", "ascending", "reverse", "source", "function", "n", "which", "separator", "at_most"),
    *("contains", "starts_with", "ends_with"),
)
"""Arguments that say how a function works."""


def _is_quantity(call: Call, argument: Argument) -> bool:
    """Whether a literal is a number, a time or a word of the program's own, and not a name."""
    if argument.op != "=" or argument.name in _OPTIONS:
        return True
    if argument.name in ("value1", "value2"):
        return call.function != "equals" or read_number(argument.text) is not None
    if argument.name in ("then", "else"):
        return all(isinstance(a.value, Literal) for name in ("then", "else") for a in call.given(name))
    return False
