"""Programs built with plain functions, for users who write Python rather than program text.

    from cgstore import q

    popes = q.get_information(relation="position held", tail_entity="pope", key="time", value=q.after(1900))
    store.query(q.count(popes))

An argument is a text, a number, or another call; `tail_entity` and `value` also take comparisons, several of which all
apply. What is built is an ordinary program: `text_of` shows it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from cgstore.query.ast import Argument, Call, Each, Literal, OutputRef, Program, Value


class Bound(NamedTuple):
    """A comparison with a text, a number, or the output of a call; `op` is one of = < > <= >=."""

    op: str
    value: str | float | Call


ArgumentValue = str | float | Call
Comparable = ArgumentValue | Bound | Sequence[Bound]


above, at_least, below, at_most = (partial(Bound, op) for op in (">", ">=", "<", "<="))
"""Comparisons with a value: `above(1900)` is more than this, or later."""

after, before = above, below


def call(function: str, **arguments: Comparable) -> Call:
    """Any function of the language by its name: `call("keep", set=years, value=above(2000))`."""
    return Call(function, tuple(argument for name, value in arguments.items() for argument in _arguments(name, value)))


def get_information(
    *,
    head_entity: ArgumentValue | None = None,
    relation: ArgumentValue | None = None,
    tail_entity: Comparable | None = None,
    key: ArgumentValue | None = None,
    value: Comparable | None = None,
    source: str | None = None,
) -> Call:
    """`get_information(...)` with the arguments given; see docs/language.md for what each combination means."""
    given = {"head_entity": head_entity, "relation": relation, "tail_entity": tail_entity, "key": key, "value": value}
    given["source"] = source
    return call("get_information", **{name: value for name, value in given.items() if value is not None})


def set_union(*sets: ArgumentValue) -> Call:
    """The elements of any of the sets."""
    return call("set_union", **_numbered(sets))


def set_intersection(*sets: ArgumentValue) -> Call:
    """The elements of all of the sets."""
    return call("set_intersection", **_numbered(sets))


def set_difference(first: ArgumentValue, second: ArgumentValue) -> Call:
    """The elements of the first set that are not in the second."""
    return call("set_difference", **_numbered((first, second)))


def set_negation(of: ArgumentValue) -> Call:
    """All heads that are not in the set."""
    return call("set_negation", set=of)


def keep(of: ArgumentValue, *value: Bound) -> Call:
    """The elements of a set that satisfy every comparison."""
    return call("keep", set=of, value=value)


def count(of: ArgumentValue) -> Call:
    """How many different elements a set has."""
    return call("count", set=of)


def total(of: ArgumentValue) -> Call:
    """The sum of a set."""
    return call("sum", set=of)


def mean(of: ArgumentValue) -> Call:
    """The mean of a set."""
    return call("mean", set=of)


def least(of: ArgumentValue) -> Call:
    """The least element, as written."""
    return call("min", set=of)


def greatest(of: ArgumentValue) -> Call:
    """The greatest element, as written."""
    return call("max", set=of)


def literals(*names: str | float) -> Call:
    """The nodes of these names; numbers or words where not all are names of nodes."""
    return call("literals", set=[Bound("=", name) for name in names])


def _numbered(sets: Sequence[ArgumentValue]) -> dict[str, ArgumentValue]:
    return {f"set{number}": given for number, given in enumerate(sets, 1)}


def _arguments(name: str, value: Comparable) -> list[Argument]:
    if isinstance(value, str | int | float | Call):
        value = Bound("=", value)
    each = [value] if isinstance(value, Bound) else value
    return [Argument(name, op, given if isinstance(given, Call) else Literal(str(given))) for op, given in each]


def text_of(program: Program | Call) -> str:
    """The text of a program, which parses to the same: a line a query, every literal in single quotes."""
    if isinstance(program, Call):
        return _call_text(program)
    target = [f"{{{program.target.text}}}"] if program.target else []
    queries = [f'Query{number}: "{_call_text(query)}"' for number, query in enumerate(program.queries, 1)]
    return "\n".join([*target, *(queries if target else map(_call_text, program.queries))])


def _call_text(given: Call) -> str:
    return f"{given.function}({', '.join(f'{a.name}{a.op}{_value_text(a.value)}' for a in given.arguments)})"


def _value_text(value: Value) -> str:
    match value:
        case Call():
            return _call_text(value)
        case OutputRef(number=number):
            return f"'output_of_query{number}'"
        case Each():
            return "each"
        case Literal(text=text):
            return "'" + re.sub(r"(['\"\\])", r"\\\1", text) + "'"


def quote(name: str) -> str:
    """The name as a literal of the LLM query language: in single quotes, with `\\` and `'` escaped."""
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
