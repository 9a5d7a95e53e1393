"""for_each, group and select: calls that are run for one element at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from cgstore.query.ast import Argument, Call, Literal, OutputRef, Value
from cgstore.text.numbers import read_number
from tests.query import interpreter_functions as functions
from tests.query.interpreter_search import Element, Found, NoMeaning, Output, Record, Sort

if TYPE_CHECKING:
    from tests.query.interpreter import Interpreter

NOT_INSIDE = ("set_negation", "for_each", "group", "select", "reach")
OPERANDS = ("value1", "value2")
BRANCHES = ("then", "else")


def is_each(value: Value) -> bool:
    """Whether a value is the element at hand: `each`, as the parser gives it."""
    return type(value).__name__ == "Each" or (isinstance(value, Literal) and value.text == "each")


def bound(value: Value, number: int, *, in_call: bool = False, is_branch: bool = False) -> Value:
    """What is run for an element, which is output `number`: `each` refers to it, a relation to its values."""
    if is_each(value):
        return OutputRef(number)
    if isinstance(value, Call):
        if value.function in NOT_INSIDE:
            raise NoMeaning(f"{value.function} is not run for one element at a time")
        return replace(value, arguments=tuple(_argument(argument, number) for argument in value.arguments))
    if isinstance(value, OutputRef) or in_call:
        return value
    if read_number(value.text) is not None:
        return Call("to_number", (Argument("set", "=", Call("literals", (Argument("set", "=", value),))),))
    return value if is_branch else values_under(value, number)


def _argument(argument: Argument, number: int) -> Argument:
    is_branch = argument.name in BRANCHES
    in_call = not (is_branch or argument.name in OPERANDS)
    return replace(argument, value=bound(argument.value, number, in_call=in_call, is_branch=is_branch))


def values_under(relation: Literal, number: int) -> Call:
    """The values of the element under a relation."""
    return Call(
        "get_information", (Argument("head_entity", "=", OutputRef(number)), Argument("relation", "=", relation))
    )


def relation_or_call(value: Value, number: int) -> Value:
    """As `bound`, but a text that is a number is the name of a relation, too."""
    return values_under(value, number) if isinstance(value, Literal) and not is_each(value) else bound(value, number)


Runs = tuple[Output, dict[Element, Output]]
"""What a call gives for no element, which shows what it can give at all, and for each element of a set."""


def run(
    interpreter: Interpreter, given: Output, value: Value, read: Callable[[Value, int], Value] = relation_or_call
) -> Runs:
    """Runs a call for one element at a time."""
    body = read(value, len(interpreter.outputs) + 1)

    def of(element: Element | None) -> Output:
        found = tuple(each for each in given.found if each.element == element)
        each = replace(given, found=found, whose=None, found_by=None, order=None, disordered=False)
        return replace(interpreter, outputs=[*interpreter.outputs, each]).with_numbers(body)

    return of(None), {element: of(element) for element in dict.fromkeys(found.element for found in given.found)}


def elements_of(interpreter: Interpreter, call: Call) -> Output:
    """The set of a call with `each`."""
    given = interpreter.with_numbers(call.given("set")[0].value)
    if given.sort is Sort.FACTS:
        raise NoMeaning("a fact is not an element")
    return given


def for_each(interpreter: Interpreter, call: Call) -> Output:
    """The elements for which the call gives exactly one number, with this number."""
    given = elements_of(interpreter, call)
    none, outputs = run(interpreter, given, call.given("value")[0].value, bound)
    functions.values_only(none)
    numbers = {element: functions.all_numbers(output) for element, output in outputs.items()}
    found = [f._replace(own=min(numbers[f.element])) for f in given.found if len(numbers[f.element]) == 1]
    return as_numbered(given, found, given)


def as_numbered(like: Output, found: list[Found], of: Output) -> Output:
    """A set with numbers; the order of the set that it is made of is lost."""
    kept = replace(like, found=tuple(dict.fromkeys(found)), whose=None, found_by=None, order=None, numbered=True)
    return replace(kept, disordered=of.was_sorted)


def group(interpreter: Interpreter, call: Call) -> Output:
    """Each value of the heads under `by`, with the number of its heads or of their values under `of`."""
    function = str(getattr(call.given("function")[0].value, "text", "")) if call.given("function") else "count"
    if function != "count" and function not in functions.STATISTICS:
        raise NoMeaning(f"a group has no {function}")
    by = call.given("by")[0].value
    of = call.given("of")[0].value if call.given("of") else None
    heads = grouped(interpreter, call, by, of)
    none, keys = run(interpreter, heads, by)
    if none.sort is Sort.FACTS:
        raise NoMeaning("facts are not a group")
    members: dict[Element, dict[Element, None]] = {}
    for head, output in keys.items():
        for each in output.found:
            members.setdefault(each.element, {})[head] = None
    number = number_of(interpreter, heads, of, function)
    numbers = {key: number(list(of_key)) for key, of_key in members.items()}
    every = (each for output in keys.values() for each in output.found)
    found = [each._replace(own=own) for each in every if (own := numbers[each.element]) is not None]
    return as_numbered(none, found, heads)


def grouped(interpreter: Interpreter, call: Call, by: Value, of: Value | None) -> Output:
    """The heads that are grouped: those of a set, or all that have a value under `by`, else under `of`."""
    if call.given("set"):
        return functions.names_only(interpreter.with_numbers(call.given("set")[0].value))
    relation = relation_of(by) or (relation_of(of) if of is not None else None)
    if relation is None:
        raise NoMeaning("nothing says which heads are grouped")
    return interpreter.heads_under(Call("heads", (Argument("relation", "=", relation),)))


def relation_of(value: Value) -> Value | None:
    """The relation that a value is, by its name or as the parser gives it: as the values of the element under it."""
    if isinstance(value, Literal):
        return None if is_each(value) else value
    if not isinstance(value, Call) or {a.name for a in value.arguments} != {"head_entity", "relation"}:
        return None
    (head,), (relation,) = value.given("head_entity"), value.given("relation")
    return relation.value if is_each(head.value) and isinstance(relation.value, Literal) else None


def number_of(
    interpreter: Interpreter, heads: Output, of: Value | None, function: str
) -> Callable[[list[Element]], float | None]:
    """The number of a group of heads."""
    if of is None and function == "count":
        return lambda group: float(len(group))
    if of is None:
        if not heads.numbered:
            raise NoMeaning("nothing says what is taken")
        own = {found.element: found.own or 0.0 for found in heads.found}
        return lambda group: functions.statistic(function, [own[head] for head in group])
    none, outputs = run(interpreter, heads, of)
    if function == "count":
        return lambda group: float(len({element for head in group for element in outputs[head].elements}))
    functions.values_only(none)
    values = {head: functions.values(output) for head, output in outputs.items()}
    return lambda group: functions.statistic(function, [number for head in group for number in values[head]])


def select(interpreter: Interpreter, call: Call) -> Output:
    """A record for each element: its values under relations, or what calls give for it."""
    given = elements_of(interpreter, call)
    columns = [argument.value for argument in call.given("column")]
    if not columns or len(columns) > 12:
        raise NoMeaning("a record has 1 to 12 columns")
    fields = [run(interpreter, given, column)[1] for column in columns]
    own = {found.element: found.own or 0.0 for found in given.found}
    first = not given.rows and not any(map(is_each, columns))

    def record(element: Element) -> Record:
        values = [functions.in_order(interpreter.graph, field[element]) for field in fields]
        before, after = [[element]] * first, [[own[element]]] * given.numbered
        return tuple(tuple(field) for field in [*before, *values, *after])

    order = functions.in_order(interpreter.graph, given)
    return replace(given, numbered=False, found=(), records=tuple(map(record, order)))


OF_EACH: dict[str, Callable[[Interpreter, Call], Output]] = {"for_each": for_each, "group": group, "select": select}
