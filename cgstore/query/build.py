"""Programs built with plain functions, for users who write Python rather than program text.

    from cgstore import q

    popes = q.get_information(relation="position held", tail_entity="pope", key="time", value=q.after(1900))
    store.query(q.count(popes))

Each function of the language is here by its name, but for `min`, `max`, `sum`, `abs` and `if`: these are `least`,
`greatest`, `total`, `absolute` and `if_else`. An argument is a text, a number, or another call; `tail_entity` and
`value` also take comparisons, several of which all apply. What is built is an ordinary program: `text_of` shows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
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

each = "each"
"""The element at hand, in the call of `for_each`, and in those of `group` and `select`."""


def call(function: str, /, **arguments: Comparable | None) -> Call:
    """Any function of the language by its name: `call("keep", set=years, value=above(2000))`; None is not given."""
    given = ((name, value) for name, value in arguments.items() if value is not None)
    return Call(function, tuple(argument for name, value in given for argument in _arguments(name, value)))


def get_information(
    *,
    head_entity: ArgumentValue | None = None,
    relation: ArgumentValue | None = None,
    tail_entity: Comparable | None = None,
    key: ArgumentValue | None = None,
    value: Comparable | None = None,
    source: str | None = None,
    where_key: str | None = None,
    where_value: Comparable | None = None,
    where_key2: str | None = None,
    where_value2: Comparable | None = None,
) -> Call:
    """`get_information(...)` with the arguments given; see docs/language.md for what each combination means."""
    given = {"head_entity": head_entity, "relation": relation, "tail_entity": tail_entity, "key": key, "value": value}
    given |= {"where_key": where_key, "where_value": where_value}
    given |= {"where_key2": where_key2, "where_value2": where_value2}
    return call("get_information", **given, source=source)


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


def keep(
    of: ArgumentValue,
    *value: Bound,
    contains: str | Sequence[str] = (),
    starts_with: str | Sequence[str] = (),
    ends_with: str | Sequence[str] = (),
) -> Call:
    """The elements of a set that satisfy every comparison, and whose text has every one of these."""
    texts = {"contains": contains, "starts_with": starts_with, "ends_with": ends_with}
    every = {name: [given] if isinstance(given, str) else given for name, given in texts.items()}
    bounds = {name: [Bound("=", text) for text in given] for name, given in every.items()}
    return call("keep", set=of, value=value, **bounds)


def heads(relation: str | None = None, *, source: str | None = None) -> Call:
    """The heads that have a value under a relation; without a relation, all heads."""
    return call("heads", relation=relation, source=source)


def reach(
    *,
    head_entity: ArgumentValue | None = None,
    tail_entity: ArgumentValue | None = None,
    relation: str,
    at_most: int | None = None,
) -> Call:
    """What some steps along a relation reach, from a head or back from a tail."""
    return call("reach", head_entity=head_entity, tail_entity=tail_entity, relation=relation, at_most=at_most)


def for_each(of: ArgumentValue, value: ArgumentValue) -> Call:
    """The elements of a set, each with a number: `value` is a relation, or a call in which `each` stands for it."""
    return call("for_each", set=of, value=value)


def group(
    by: ArgumentValue,
    *,
    of: ArgumentValue | None = None,
    function: str | None = None,
    heads: ArgumentValue | None = None,
) -> Call:
    """The values of `by`, each with the number of its heads, or with an aggregate of `of`."""
    return call("group", by=by, set=heads, of=of, function=function)


def select(of: ArgumentValue, *columns: ArgumentValue) -> Call:
    """A record for each element of a set: its values under relations, or what calls with `each` give."""
    return call("select", set=of, **{f"column{number}": column for number, column in enumerate(columns, 1)})


def count(of: ArgumentValue) -> Call:
    """How many different elements a set has."""
    return call("count", set=of)


def first(of: ArgumentValue, n: int | None = None) -> Call:
    """The first element in the order of the answer or of `sort`, or the first n."""
    return call("first", set=of, n=n)


def last(of: ArgumentValue, n: int | None = None) -> Call:
    """The last element in that order, or the last n."""
    return call("last", set=of, n=n)


def nth(of: ArgumentValue, n: int) -> Call:
    """The element at a place of that order, counted from 1; -1 is the last."""
    return call("nth", set=of, n=n)


def sort(of: ArgumentValue, order: str | None = None) -> Call:
    """The elements in order: `ascending`, `descending` or `alphabetical`."""
    return call("sort", set=of, order=order)


def argmin(of: ArgumentValue, relation: str | None = None) -> Call:
    """The heads of the facts with the least value; of a set of heads, those with the least under the relation."""
    return call("argmin", set=of, relation=relation)


def argmax(of: ArgumentValue, relation: str | None = None) -> Call:
    """The heads of the facts with the greatest value; of heads, those with the greatest under the relation."""
    return call("argmax", set=of, relation=relation)


def extract_number(of: ArgumentValue, which: int | str | None = None) -> Call:
    """A number inside each text: the first, or the one at this place."""
    return call("extract_number", set=of, which=which)


def items(of: ArgumentValue, separator: str | None = None) -> Call:
    """The parts of each text that is a list."""
    return call("items", set=of, separator=separator)


def difference(one: ArgumentValue, other: ArgumentValue, unit: str | None = None) -> Call:
    """The difference without a sign; of dates in `years`, `months` or `days`."""
    return call("difference", value1=one, value2=other, unit=unit)


def calculate(one: ArgumentValue, operator: str, other: ArgumentValue) -> Call:
    """The result of `+`, `-`, `*` or `/`."""
    return call("calculate", value1=one, value2=other, operator=operator)


def compare(one: ArgumentValue, other: ArgumentValue, operator: str | None = None) -> Call:
    """The side with the greater number; with `<`, the lesser."""
    return call("compare", value1=one, value2=other, operator=operator)


def if_else(
    one: ArgumentValue, operator: str, other: ArgumentValue, then: ArgumentValue, otherwise: ArgumentValue | None = None
) -> Call:
    """`then` if the two numbers compare so, else `otherwise`, or nothing."""
    return call("if", value1=one, value2=other, operator=operator, **{"then": then, "else": otherwise})


def _of_one_set(function: str) -> Callable[[ArgumentValue], Call]:
    return lambda of: call(function, set=of)


def _of_sets(function: str) -> Callable[..., Call]:
    return lambda *of: call(function, set=of[0]) if len(of) == 1 else call(function, **_numbered(of))


def _of_two(function: str) -> Callable[[ArgumentValue, ArgumentValue], Call]:
    return lambda one, other: call(function, value1=one, value2=other)


exists, mode, median, standard_deviation, longest_run, distinct, fold = map(
    _of_one_set, ("exists", "mode", "median", "standard_deviation", "longest_run", "distinct", "fold")
)
previous_row, next_row, absolute, to_number, to_integer = map(
    _of_one_set, ("previous_row", "next_row", "abs", "to_number", "to_integer")
)
extract_year, extract_year_month, extract_month, extract_quarter, extract_day, extract_weekday = map(
    _of_one_set,
    ("extract_year", "extract_year_month", "extract_month", "extract_quarter", "extract_day", "extract_weekday"),
)
"""Functions of one set; `absolute` is `abs`."""

total, mean, least, greatest = map(_of_sets, ("sum", "mean", "min", "max"))
"""Functions of a set, or of several together: `greatest(x, y)` is the greatest element of both."""

subtract, add, multiply, divide, percentage = map(_of_two, ("subtract", "add", "multiply", "divide", "percentage"))
year_difference, month_difference, day_difference = map(
    _of_two, ("year_difference", "month_difference", "day_difference")
)
equals, greater_than, less_than = map(_of_two, ("equals", "greater_than", "less_than"))
"""Functions of two values."""


def literals(*names: str | float) -> Call:
    """Returns the nodes with these names; numbers or words if not all of them name nodes."""
    return call("literals", set=[Bound("=", name) for name in names])


def _numbered(sets: Sequence[ArgumentValue]) -> dict[str, ArgumentValue]:
    return {f"set{number}": given for number, given in enumerate(sets, 1)}


def _arguments(name: str, value: Comparable) -> list[Argument]:
    if isinstance(value, str | int | float | Call):
        value = Bound("=", value)
    bounds = [value] if isinstance(value, Bound) else value
    return [Argument(name, op, given if isinstance(given, Call) else Literal(str(given))) for op, given in bounds]


def text_of(program: Program | Call) -> str:
    """The text of a program, which parses to the same: a line a query, every literal in single quotes."""
    if isinstance(program, Call):
        return _call_text(program)
    calls = list(map(_call_text, program.queries))
    return f"{{{program.target.text}}}\n{numbered(calls)}" if program.target else "\n".join(calls)


def numbered(calls: Iterable[str]) -> str:
    """The texts of calls as the queries of a program, a line each: `Query1: "..."`."""
    return "\n".join(f'Query{number}: "{call}"' for number, call in enumerate(calls, 1))


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
            return quote(text)


def quote(name: str) -> str:
    """The name as a literal of a program: in single quotes, with quotes and `\\` escaped."""
    return "'" + re.sub(r"(['\"\\])", r"\\\1", name) + "'"
