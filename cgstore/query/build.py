"""Programs built with plain functions, for those who write Python and no program text.

    from cgstore import q

    popes = q.get_information(relation="position held", tail_entity="pope", key="time", value=q.after(1900))
    store.query(q.count(popes))

An argument is a text, a number, or another call; `tail_entity` and `value` also take comparisons, several of which all
apply. What is built is an ordinary program: `text_of` shows it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from cgstore.query.ast import Argument, Call, Literal, OutputRef, Program, Value


class Compared(NamedTuple):
    """A comparison with a text, a number, or the output of a call; `op` is one of = < > <= >=."""

    op: str
    value: str | float | Call


Given = str | float | Call
Comparable = Given | Compared | Sequence[Compared]


def above(value: Given) -> Compared:
    """More than this; later than this."""
    return Compared(">", value)


def at_least(value: Given) -> Compared:
    """This or more; this time or later."""
    return Compared(">=", value)


def below(value: Given) -> Compared:
    """Less than this; earlier than this."""
    return Compared("<", value)


def at_most(value: Given) -> Compared:
    """This or less; this time or earlier."""
    return Compared("<=", value)


after, before = above, below


def get_information(
    *,
    head_entity: Given | None = None,
    relation: Given | None = None,
    tail_entity: Comparable | None = None,
    key: Given | None = None,
    value: Comparable | None = None,
    source: str | None = None,
) -> Call:
    """`get_information(...)` with the arguments given; see docs/language.md for what each combination means."""
    given = {"head_entity": head_entity, "relation": relation, "tail_entity": tail_entity, "key": key, "value": value}
    given["source"] = source
    return Call(
        "get_information",
        tuple(argument for name, v in given.items() if v is not None for argument in _arguments(name, v)),
    )


def call(function: str, **arguments: Comparable) -> Call:
    """Any function of the language by its name: `call("keep", set=years, value=above(2000))`."""
    return Call(function, tuple(a for name, value in arguments.items() for a in _arguments(name, value)))


def set_union(*sets: Given) -> Call:
    """What is in any of the sets."""
    return _of_sets("set_union", sets)


def set_intersection(*sets: Given) -> Call:
    """What is in all of the sets."""
    return _of_sets("set_intersection", sets)


def set_difference(first: Given, second: Given) -> Call:
    """What is in the first set and not in the second."""
    return _of_sets("set_difference", (first, second))


def set_negation(of: Given) -> Call:
    """All heads that are not in the set."""
    return call("set_negation", set=of)


def keep(of: Given, *value: Compared) -> Call:
    """The elements of a set that satisfy every comparison."""
    return call("keep", set=of, value=value)


def count(of: Given) -> Call:
    """How many different elements a set has."""
    return call("count", set=of)


def total(of: Given) -> Call:
    """The sum of a set."""
    return call("sum", set=of)


def mean(of: Given) -> Call:
    """The mean of a set."""
    return call("mean", set=of)


def least(of: Given) -> Call:
    """The least element, as written."""
    return call("min", set=of)


def greatest(of: Given) -> Call:
    """The greatest element, as written."""
    return call("max", set=of)


def literals(*names: str | float) -> Call:
    """The nodes of these names; numbers or words where not all are names of nodes."""
    return call("literals", set=[Compared("=", name) for name in names])


def _of_sets(function: str, sets: Sequence[Given]) -> Call:
    return call(function, **{f"set{number}": given for number, given in enumerate(sets, 1)})


def _arguments(name: str, value: Comparable) -> list[Argument]:
    if isinstance(value, Compared):
        return [Argument(name, value.op, _value(value.value))]
    if isinstance(value, str | int | float | Call):
        return [Argument(name, "=", _value(value))]
    return [Argument(name, each.op, _value(each.value)) for each in value]


def _value(value: Given) -> Value:
    return value if isinstance(value, Call) else Literal(str(value))


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
        case Literal(text=text):
            return "'" + re.sub(r"(['\"\\])", r"\\\1", text) + "'"
