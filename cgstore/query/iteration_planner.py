"""Planning what is run for each element: `for_each`, `group` and `select`, whose bodies become steps of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cgstore.query import operators as ops
from cgstore.query.ast import Argument, Call, Each, Literal, Value
from cgstore.query.functions import ANYTHING, FUNCTIONS, GROUP_FUNCTIONS, SYNONYMS, VALUES
from cgstore.query.operands import Operand, Output, OutputKind
from cgstore.query.parse import EACH
from cgstore.query.set_planner import SetPlanner
from cgstore.query.types import OutputType

MOST_COLUMNS = 12
"""Most fields of a record."""


def titles_of(of: OutputType) -> tuple[str, ...]:
    """The names of the columns of an answer; empty where it has one."""
    if of.titles:
        return of.titles
    if of.kind is OutputKind.FACTS:
        return ("head", "relation", "tail")
    return (element_title(of), of.number) if of.has_numbers else ()


def element_title(of: OutputType) -> str:
    """The name of a column of elements: the relation whose values they are, or what they were worked out by."""
    relation = of.columns[0] if len(of.columns) == 1 else None
    return relation or of.element or "element"


def _relation_of_each(value: Value) -> Literal | None:
    """The relation, where a value stands for the element's values under a relation by its name."""
    match value:
        case Call(function="get_information", arguments=(Argument(value=Each()), Argument(value=Literal() as literal))):
            return literal if literal.place == value.place else None
    return None


def _relation_within(value: Value) -> Literal | None:
    """That relation, also where a function takes the values: `extract_month('date')`."""
    if isinstance(value, Call) and (taken := value.given("set")):
        return _relation_within(taken[0].value)
    return _relation_of_each(value)


class IterationPlanner(SetPlanner):
    """Plans the calls whose bodies are run for one element at a time."""

    def for_each(self, call: Call) -> Output:
        """The elements with the number that the body gives for each."""
        given = call.given("value")[0]
        with self.body(call, self.operand_of(call)) as each:
            value = self.result(given, call, VALUES)
        return self.add(ops.ForEach(self.iterated(each), each, value, self.written(given)))

    def group(self, call: Call) -> Output:
        """The values under which heads stand together, each with the number of its heads."""
        function = self.group_function(call)
        by, of = call.given("by")[0], (call.given("of") or (None,))[0]
        heads = self.operand_of(call) if call.given("set") else self.heads_with(call, by, of)
        if of is None and function != "count" and not self.types.of(heads).has_numbers:
            hint = "Write of='...', whose values are taken, or function='count' for how many."
            raise self.error(f"group needs of=... for its {function}", call.place, hint)
        with self.body(call, heads) as each:
            keys = self.result(by, call, VALUES | {OutputKind.WORDS})
            taken = VALUES if function != "count" else ANYTHING
            values = self.result(of, call, taken) if of else each if function != "count" else None
        title = f"{function} of {self.written(of)}" if of else function
        element = "" if isinstance(by.value, Each) else self.written(by)
        return self.add(ops.Grouping(self.iterated(each), each, keys, values, function, title, element))

    def group_function(self, call: Call) -> str:
        """The name of the function that a group is given a number by."""
        for argument in call.given("function"):
            text = argument.value.text.strip().lower() if isinstance(argument.value, Literal) else ""
            if (name := SYNONYMS.get(text, text)) in GROUP_FUNCTIONS:
                return name
            hint = f"One of {', '.join(GROUP_FUNCTIONS)}."
            raise self.error(f"'{text}' is not a function of a group", argument.place, hint)
        return "count"

    def heads_with(self, call: Call, *arguments: Argument | None) -> Operand:
        """The heads that have a value under the relation of the first argument that has one."""
        for argument in arguments:
            if argument is not None and (relation := _relation_within(argument.value)) is not None:
                found = self.add(ops.SearchCondition(self.named(relation)))
                self.record_sources(self.query, found, takes_source=False)
                return found
        hint = "Write set=..., or a relation by its name in by=... or of=...."
        raise self.error("group needs the set of heads that it groups", call.place, hint)

    def select(self, call: Call) -> Output:
        """A record for each element."""
        if call is not self.program.queries[-1]:
            raise self.error("select stands last: nothing can be asked of its records", call.place)
        columns, operand = call.given("column"), self.operand_of(call)
        of = self.types.of(operand)
        if not columns and not of.has_numbers:
            raise self.error("select needs a column", call.place, "Write column='...', the name of a relation.")
        with self.body(call, operand) as each:
            fields = [self.result(column, call, ANYTHING - {OutputKind.FACTS}) for column in columns]
        titles = [self.written(column) for column in columns]
        if each not in fields and of.kind is not OutputKind.ROWS:
            fields, titles = [each, *fields], [element_title(of), *titles]
        if of.has_numbers:
            titles.append(of.number)
        if len(titles) > MOST_COLUMNS:
            raise self.error(f"a record has {len(titles)} fields; at most {MOST_COLUMNS} can be", call.place)
        return self.add(ops.Records(self.iterated(each), each, tuple(fields), tuple(titles)))

    @contextmanager
    def body(self, call: Call, operand: Operand) -> Iterator[Output]:
        """Plans within it are of the body of a call; what does not depend on the element is planned before it."""
        for argument in call.arguments:
            if argument.name in FUNCTIONS[call.function].body and isinstance(argument.value, Call):
                self.plan_outside(argument.value)
        elements = operand if isinstance(operand, Output) else self.union(operand)
        self.at_hand = self.add(ops.EachElement(elements))
        yield self.at_hand
        self.at_hand = None

    def plan_outside(self, call: Call) -> None:
        """Plans the calls that are the same for each element."""
        if not call.is_of_each:
            self.nested[call.place] = self.step(call)
            return
        for argument in call.arguments:
            if isinstance(argument.value, Call):
                self.plan_outside(argument.value)

    def iterated(self, each: Output) -> Output:
        """The set whose elements are taken one by one."""
        step = self.steps[each.step]
        assert isinstance(step, ops.EachElement), "it is what body has added"
        return step.operand

    def result(self, argument: Argument, call: Call, takes: frozenset[OutputKind]) -> Output:
        """What an argument gives for each element."""
        operand = self.operand(argument, takes, call)
        assert isinstance(operand, Output), "the parser makes calls of literals"
        return operand

    def written(self, argument: Argument) -> str:
        """An argument as the program has it, as the name of a column."""
        relation = _relation_of_each(argument.value)
        if relation is not None:
            return relation.text
        if isinstance(argument.value, Each):
            return EACH
        start, end = argument.value.place
        return " ".join(self.program.text[start:end].split())
