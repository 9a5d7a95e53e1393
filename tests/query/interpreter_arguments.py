"""Arguments of a call that are written out."""

from __future__ import annotations

from cgstore.query.ast import Argument, Call, Literal
from tests.query.interpreter_search import NoMeaning


def written(call: Call, name: str) -> str:
    """The literal that an argument is, empty if it is not given."""
    given = call.given(name)
    return literal(given[0]) if given else ""


def literal(argument: Argument) -> str:
    """The text of an argument that is written out."""
    if not isinstance(argument.value, Literal):
        raise NoMeaning(f"{argument.name} is written out")
    return argument.value.text


def whole_number(call: Call, name: str, *, least: int | None = 1, most: int | None = None) -> int:
    """A whole number that is written, other than 0."""
    text = written(call, name).strip()
    if not text.lstrip("-").isdecimal():
        raise NoMeaning(f"{name} is a whole number")
    number = int(text)
    if number == 0 or (least is not None and number < least) or (most is not None and number > most):
        raise NoMeaning(f"{name} has its bounds")
    return number
