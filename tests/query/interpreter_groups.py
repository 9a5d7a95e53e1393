"""for_each, group and select: calls that are run for one element at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from cgstore.query.ast import Argument, Call, Literal, OutputRef, Value
from cgstore.text.numbers import read_number
from tests.query import interpreter_functions as functions
from tests.query import interpreter_paths as paths
from tests.query.interpreter_dates import date_in
from tests.query.interpreter_graph import Node
from tests.query.interpreter_order import in_order
from tests.query.interpreter_search import Element, Found, NoMeaning, Output, Record, Sort

if TYPE_CHECKING:
    from tests.query.interpreter import Interpreter

NOT_INSIDE = ("set_negation", "for_each", "group", "select", "reach")
OPERANDS = ("value1", "value2")


def is_each(value: Value) -> bool:
    """Whether a value is the element at hand: `each`, as the parser gives it."""
    return type(value).__name__ == "Each" or (isinstance(value, Literal) and value.text == "each")


def bound(value: Value, number: int, *, is_name: bool = False) -> Value:
    """What is run for an element, which is output `number`: `each` refers to it, a relation to its values."""
    if is_each(value):
        return OutputRef(number)
    if isinstance(value, Call):
        if value.function in NOT_INSIDE:
            raise NoMeaning(f"{value.function} is not run for one element at a time")
        names = () if value.function == "equals" else OPERANDS
        arguments = ((a, bound(a.value, number, is_name=a.name not in names)) for a in value.arguments)
        return replace(value, arguments=tuple(replace(argument, value=each) for argument, each in arguments))
    if not isinstance(value, Literal) or is_name:
        return value
    is_number = read_number(value.text) is not None or date_in(value.text) is not None
    return value if is_number else values_under(value, number)


def values_under(relation: Literal, number: int) -> Call:
    """The values of the element under a relation."""
    return Call(
        "get_information", (Argument("head_entity", "=", OutputRef(number)), Argument("relation", "=", relation))
    )


def relation_or_call(value: Value, number: int) -> Value:
    """As `bound`, for a whole argument: a text that is a number is the name of a relation, too."""
    return values_under(value, number) if isinstance(value, Literal) and not is_each(value) else bound(value, number)


Runs = tuple[Output, dict[Element, Output]]
"""What a call gives for no element, which shows what it can give at all, and for each element of a set."""


def run(interpreter: Interpreter, given: Output, value: Value) -> Runs:
    """Runs a call for one element at a time."""
    body = relation_or_call(value, len(interpreter.outputs) + 1)

    def of(element: Element | None) -> Output:
        found = tuple(each for each in given.found if each.element == element)
        each = replace(given, found=found, whose=None, found_by=None, order=None, disordered=False)
        return replace(interpreter, outputs=[*interpreter.outputs, each]).with_numbers(body)

    return of(None), {element: of(element) for element in dict.fromkeys(found.element for found in given.found)}


def elements_of(interpreter: Interpreter, call: Call) -> Output:
    """The set of a call with `each`."""
    given = interpreter.with_numbers(call.given("set")[0].value)
    if given.sort is Sort.FACTS or (given.sort is Sort.WORDS and not given.numbered):
        raise NoMeaning("facts and words are not elements")
    return given


def for_each(interpreter: Interpreter, call: Call) -> Output:
    """The elements for which the call gives exactly one number, with this number."""
    given = elements_of(interpreter, call)
    none, outputs = run(interpreter, given, call.given("value")[0].value)
    functions.values_only(none)
    numbers = {element: functions.all_numbers(output) for element, output in outputs.items()}
    own = {element: (min(each), text_of(outputs[element], min(each))) for element, each in numbers.items() if each}
    found = [
        f._replace(own=own[f.element][0], text=own[f.element][1]) for f in given.found if len(numbers[f.element]) == 1
    ]
    return as_numbered(given, found, given)


def text_of(output: Output, number: float) -> str | None:
    """The value that a number was read from, the first one by name; None if it was computed."""
    read = (f for f in output.found if f.number == number)
    texts = [f.text if f.own is not None else f.element.name if isinstance(f.element, Node) else None for f in read]
    return min((text for text in texts if text is not None), default=None)


def as_numbered(like: Output, found: list[Found], of: Output) -> Output:
    """A set with numbers, without facts; the order of the set that it is made of is lost."""
    every = dict.fromkeys(Found(each.element, own=each.own, text=each.text) for each in found)
    kept = replace(like, found=tuple(every), cells=False, whose=None, found_by=None, order=None)
    return replace(kept, numbered=True, disordered=of.was_sorted)


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
    found = [each._replace(own=own[0], text=own[1]) for each in every if (own := numbers[each.element]) is not None]
    return as_numbered(none, found, heads)


def grouped(interpreter: Interpreter, call: Call, by: Value, of: Value | None) -> Output:
    """The heads that are grouped: those of a set, or all that have a value under `by`, else under `of`."""
    if call.given("set"):
        given = elements_of(interpreter, call)
        return given if given.sort is Sort.NUMBERS else functions.names_only(given)
    relation = relation_within(by) or (relation_within(of) if of is not None else None)
    if relation is None:
        raise NoMeaning("nothing says which heads are grouped")
    return paths.heads(interpreter, Call("heads", (Argument("relation", "=", relation),)))


def relation_within(value: Value) -> Value | None:
    """The relation that a value is, or whose values a function takes as its set."""
    if isinstance(value, Call) and value.given("set"):
        taken = value.given("set")[0].value
        return relation_within(taken) if isinstance(taken, Call) else None
    return relation_of(value)


def relation_of(value: Value) -> Value | None:
    """The relation that a value is, by its name or as the parser gives it: as the values of the element under it."""
    if isinstance(value, Literal):
        return None if is_each(value) else value
    if not isinstance(value, Call) or {a.name for a in value.arguments} != {"head_entity", "relation"}:
        return None
    (head,), (relation,) = value.given("head_entity"), value.given("relation")
    by_name = is_each(head.value) and isinstance(relation.value, Literal) and value.place == relation.value.place
    return relation.value if by_name else None


OwnNumber = tuple[float, str | None]
"""A number, and the value that it was read from."""


def number_of(
    interpreter: Interpreter, heads: Output, of: Value | None, function: str
) -> Callable[[list[Element]], OwnNumber | None]:
    """The number of a group of heads."""
    if of is None and function == "count":
        return lambda group: (float(len(group)), None)
    if of is None:
        if not heads.numbered:
            raise NoMeaning("nothing says what is taken")
        values = {
            head: replace(heads, found=tuple(f for f in heads.found if f.element == head)) for head in heads.elements
        }
    else:
        none, values = run(interpreter, heads, of)
        if function == "count":
            return lambda group: (float(len({each for head in group for each in values[head].elements})), None)
        functions.values_only(none)

    def number(group: list[Element]) -> OwnNumber | None:
        every = [number for head in group for number in functions.values(values[head])]
        result = functions.statistic(function, every) if every else None
        if result is None or function not in ("min", "max"):
            return None if result is None else (result, None)
        texts = [text for head in group if (text := text_of(values[head], result)) is not None]
        return result, min(texts, default=None)

    return number


def select(interpreter: Interpreter, call: Call) -> Output:
    """A record for each element: its values under relations, or what calls give for it."""
    given = elements_of(interpreter, call)
    columns = [argument.value for argument in call.given("column")]
    if not columns or len(columns) > 12:
        raise NoMeaning("a record has 1 to 12 columns")
    runs = [run(interpreter, given, column) for column in columns]
    if any(none.sort is Sort.FACTS for none, _ in runs):
        raise NoMeaning("facts are not a column")
    fields = [outputs for _, outputs in runs]
    own = {f.element: f.own if f.text is None else f.text for f in given.found}
    first = not given.rows and not any(map(is_each, columns))

    def record(element: Element) -> Record:
        values = [in_order(interpreter.graph, field[element]) for field in fields]
        before: list[list[Element]] = [[element]] if first else []
        number = own[element]
        after: list[list[Element]] = [] if number is None else [[number]]
        return tuple(tuple(field) for field in [*before, *values, *after])

    order = in_order(interpreter.graph, given)
    return replace(given, numbered=False, found=(), records=tuple(map(record, order)))


OF_EACH: dict[str, Callable[[Interpreter, Call], Output]] = {"for_each": for_each, "group": group, "select": select}
