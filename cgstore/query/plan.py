"""Program and mapped names -> Plan: nested calls become steps, arguments become operands and comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

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


def make_plan(program: Program, names: Mapping[Place, Names]) -> Plan:
    """The execution query of a program.

    Args:
        program: what was parsed.
        names: for every literal that names a node, by its place, the nodes that it was mapped to.

    Raises:
        ProgramError: a comparison with something that is no number or time, arguments that no rule fits, or an
            operation on outputs that it is not defined for (a sum of facts, say).
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
            self.add(SearchNode(self.names[self.program.target.place], condition=self.outputs[-1]))
        return Plan(tuple(self.steps), tuple(self.kinds), tuple(o.step for o in self.outputs))

    def add(self, step: Step) -> Output:
        self.steps.append(step)
        self.kinds.append(self.kind_of(step))
        return Output(len(self.steps) - 1)

    def step(self, call: Call) -> Output:
        if call.function == "get_information":
            return self.search(call)
        if call.function == "keep":
            operand = self.operand(call.given("set")[0])
            return self.add(Keep(operand, self.comparisons(call, "value", time_key=True)))
        operands = tuple(self.operand(argument) for argument in call.arguments)
        if call.function == "set_negation":
            return self.add(Negation(operands[0]))
        if call.function in set(SetFunction):
            self.check_one_kind(call, operands)
            return self.add(SetOperation(SetFunction(call.function), operands))
        return self.aggregate(call, operands[0])

    def search(self, call: Call) -> Output:
        key = call.given("key")
        time_key = any(isinstance(a.value, Literal) and is_time_name(a.value) for a in key)
        given = Given(
            head=self.only(call, "head_entity"),
            relation=self.only(call, "relation"),
            tail=self.comparisons(call, "tail_entity", time_key=False),
            key=_as_time_key(self.only(call, "key")) if time_key else self.only(call, "key"),
            value=self.comparisons(call, "value", time_key=time_key),
            time_key=time_key,
        )
        step = translate(given, self.add)
        if step is None:
            raise ProgramError(
                "a value beside a tail_entity needs its key", self.program.text, call.place, "Add key=..."
            )
        return self.add(step)

    def only(self, call: Call, name: str) -> Operand | None:
        arguments = call.given(name)
        return self.operand(arguments[0]) if arguments else None

    def operand(self, argument: Argument) -> Operand:
        if isinstance(argument.value, Call):
            return self.step(argument.value)
        if isinstance(argument.value, OutputRef):
            return self.outputs[argument.value.number - 1]
        return self.names[argument.value.place]

    def comparisons(self, call: Call, name: str, time_key: bool) -> tuple[Comparison, ...]:
        return tuple(self.comparison(argument, time_key) for argument in call.given(name))

    def comparison(self, argument: Argument, time_key: bool) -> Comparison:
        if not isinstance(argument.value, Literal):
            operand = self.operand(argument)
            assert isinstance(operand, Output)
            numeric = self.kinds[operand.step] is Kind.NUMBERS
            return Among(operand) if argument.op == "=" and not numeric else Against(argument.op, operand)
        text = argument.value.text
        span = read_time_span(text) if time_key else read_span(text)
        if span is not None:
            return _range(argument.op, span, text)
        if argument.value.place in self.names:
            return Among(self.names[argument.value.place])
        raise ProgramError(
            f"'{text}' is no {'year or date' if time_key else 'number or date'} to compare with",
            self.program.text,
            argument.value.place,
            "Write a number, a year (2004) or a date (2004-07-01), or the output of an earlier query.",
        )

    def aggregate(self, call: Call, operand: Operand) -> Output:
        facts = isinstance(operand, Output) and self.kinds[operand.step] is Kind.FACTS
        if facts and call.function != "count":
            raise ProgramError(f"{call.function} of facts is not defined", self.program.text, call.place, "Ask a key.")
        return self.add(Aggregate(AggregateFunction(call.function), operand))

    def check_one_kind(self, call: Call, operands: tuple[Operand, ...]) -> None:
        kinds = sorted({self.kind_of_operand(operand) for operand in operands})
        if len(kinds) > 1:
            problem = f"{call.function} of {' and '.join(kinds)} is not defined"
            raise ProgramError(problem, self.program.text, call.place, "All its sets must hold the same kind of thing.")

    def kind_of(self, step: Step) -> Kind:
        match step:
            case SearchCondition(node1=node1):
                return Kind.FACTS if isinstance(node1, Names) and node1.time_key else Kind.NODES
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


def _as_time_key(operand: Operand | None) -> Operand | None:
    return replace(operand, time_key=True) if isinstance(operand, Names) else operand


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
