"""Program and mapped names -> Plan: nested calls become steps, arguments become operands and comparisons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from cgstore.query.ast import Argument, Call, Literal, OutputRef, Place, Program
from cgstore.query.execution import (
    Against,
    Aggregate,
    AggregateFunction,
    Among,
    Comparison,
    Keep,
    Kind,
    Names,
    Negation,
    Operand,
    Output,
    Plan,
    Range,
    SearchCondition,
    SearchNode,
    SetFunction,
    SetOperation,
    Step,
)
from cgstore.query.literals import is_time_name
from cgstore.query.parse import ProgramError
from cgstore.query.rules import Given, translate
from cgstore.values import Span, read_span, read_time_span

ReadSpan = Callable[[str], Span | None]

NODES = frozenset({Kind.NODES})
VALUES = frozenset({Kind.NODES, Kind.NUMBERS})
CONDITIONS = frozenset({Kind.NODES, Kind.FACTS})
ANYTHING = frozenset(Kind)

TAKES = {
    "keep": VALUES,
    "set_negation": CONDITIONS,
    "min": VALUES,
    "max": VALUES,
    "mean": VALUES,
    "sum": VALUES,
}
"""What the set of a function may hold; a function that is not here takes anything."""


def make_plan(program: Program, names: Mapping[Place, Names]) -> Plan:
    """The execution query of a program.

    Args:
        program: what was parsed.
        names: for every literal that names a node, by its place, the nodes that it was mapped to.

    Raises:
        ProgramError: a comparison with something that is no number or time, arguments that no rule fits, or an
            output used where what it holds has no meaning (a sum of facts, a count as a head).
    """
    return _Planner(program, names).plan()


class _Planner:
    def __init__(self, program: Program, names: Mapping[Place, Names]) -> None:
        self.program, self.names = program, names
        self.steps: list[Step] = []
        self.kinds: list[Kind] = []
        self.outputs: list[Output] = []

    def plan(self) -> Plan:
        for call in self.program.queries:
            self.outputs.append(self.step(call))
        if self.program.target:
            answer = self.outputs[-1]
            self.require(answer, NODES, self.program.target.place, "a type in braces")
            self.add(SearchNode(self.names[self.program.target.place], condition=answer))
        return Plan(tuple(self.steps), tuple(self.kinds), tuple(o.step for o in self.outputs))

    def add(self, step: Step) -> Output:
        self.steps.append(step)
        self.kinds.append(self.kind_of(step))
        return Output(len(self.steps) - 1)

    def step(self, call: Call) -> Output:
        if call.function == "get_information":
            return self.search(call)
        taken = TAKES.get(call.function, ANYTHING)
        operands = tuple(self.operand(argument, taken, call) for argument in call.arguments if argument.name != "value")
        if call.function == "keep":
            return self.add(Keep(operands[0], self.comparisons(call, "value", read_time_span)))
        if call.function == "set_negation":
            return self.add(Negation(operands[0]))
        if call.function in set(SetFunction):
            self.require_one_kind(call, operands)
            return self.add(SetOperation(SetFunction(call.function), operands))
        return self.add(Aggregate(AggregateFunction(call.function), operands[0]))

    def search(self, call: Call) -> Output:
        key = self.only(call, "key")
        time_key = any(isinstance(a.value, Literal) and is_time_name(a.value) for a in call.given("key"))
        if time_key and isinstance(key, Names):
            key = replace(key, time_key=True)
        step = key.steps[0] if isinstance(key, Names) and len(key.steps) == 1 else None
        given = Given(
            head=self.only(call, "head_entity"),
            relation=self.only(call, "relation"),
            tail=self.comparisons(call, "tail_entity", read_span),
            key=key,
            value=self.comparisons(call, "value", partial(read_time_span, step=step) if time_key else read_span),
            time_key=time_key,
        )
        translated = translate(given, self.add)
        if translated is None:
            problem = "a value beside a tail_entity needs its key"
            raise ProgramError(problem, self.program.text, call.place, "Add key=...")
        return self.add(translated)

    def only(self, call: Call, name: str) -> Operand | None:
        arguments = call.given(name)
        return self.operand(arguments[0], NODES, call) if arguments else None

    def operand(self, argument: Argument, taken: frozenset[Kind], call: Call) -> Operand:
        if isinstance(argument.value, Literal):
            return self.names[argument.value.place]
        if isinstance(argument.value, OutputRef):
            output = self.outputs[argument.value.number - 1]
        else:
            output = self.step(argument.value)
        what = argument.name if call.function == "get_information" else f"{call.function}'s set"
        self.require(output, taken, argument.place, what)
        return output

    def require(self, output: Output, taken: frozenset[Kind], place: Place, what: str) -> None:
        kind = self.kinds[output.step]
        if kind not in taken:
            hint = f"This output holds {kind}; {what} takes {' or '.join(sorted(taken))}."
            raise ProgramError(f"{what} cannot be {kind}", self.program.text, place, hint)

    def require_one_kind(self, call: Call, operands: tuple[Operand, ...]) -> None:
        kinds = sorted({self.kind_of_operand(operand) for operand in operands})
        if len(kinds) > 1:
            problem = f"{call.function} of {' and '.join(kinds)} is not defined"
            raise ProgramError(problem, self.program.text, call.place, "All its sets must hold the same kind of thing.")

    def comparisons(self, call: Call, name: str, read: ReadSpan) -> tuple[Comparison, ...]:
        return tuple(self.comparison(argument, call, read) for argument in call.given(name))

    def comparison(self, argument: Argument, call: Call, read: ReadSpan) -> Comparison:
        if not isinstance(argument.value, Literal):
            operand = self.operand(argument, VALUES, call)
            assert isinstance(operand, Output)
            numeric = self.kinds[operand.step] is Kind.NUMBERS
            return Among(operand) if argument.op == "=" and not numeric else Against(argument.op, operand)
        text = argument.value.text
        if (span := read(text)) is not None:
            return _range(argument.op, span, text)
        if argument.value.place in self.names:
            return Among(self.names[argument.value.place])
        raise ProgramError(
            f"'{text}' is no number, year or date to compare with",
            self.program.text,
            argument.value.place,
            "Write a number, a year (2004) or a date (2004-07-01), or the output of an earlier query.",
        )

    def kind_of(self, step: Step) -> Kind:
        match step:
            case SearchCondition(node1=Names(time_key=True)):
                return Kind.FACTS
            case SetOperation(operands=operands):
                return self.kind_of_operand(operands[0])
            case Negation(operand=operand) | Keep(operand=operand):
                return self.kind_of_operand(operand)
            case Aggregate(function=AggregateFunction.MIN | AggregateFunction.MAX, operand=operand):
                return self.kind_of_operand(operand)
            case Aggregate():
                return Kind.NUMBERS
        return Kind.NODES

    def kind_of_operand(self, operand: Operand) -> Kind:
        return self.kinds[operand.step] if isinstance(operand, Output) else Kind.NODES


def _range(op: str, span: Span, text: str) -> Range:
    """The stretch that a comparison with a literal allows; `>` begins after the literal's last moment."""
    shown = f"{op} {text}"
    match op:
        case "=":
            return Range(low=span.lo, high=span.hi, shown=shown)
        case ">":
            return Range(low=span.hi, low_open=True, shown=shown)
        case ">=":
            return Range(low=span.lo, shown=shown)
        case "<":
            return Range(high=span.lo, high_open=True, shown=shown)
        case _:
            return Range(high=span.hi, shown=shown)
