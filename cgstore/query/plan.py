"""The plan of a program, and the steps of one in the making."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from cgstore.model import TimeKey
from cgstore.query.ast import Literal, Place, Program
from cgstore.query.comparisons import ValueReading
from cgstore.query.operands import Names, Operand, Output, OutputKind, parts_of
from cgstore.query.operators import Iteration, SearchHead, SearchNode, SetOperation, Step
from cgstore.query.parse import ProgramError
from cgstore.query.sources import SourceScope
from cgstore.query.types import OutputType, Types
from cgstore.text.names import source_name


class StepOrigin(NamedTuple):
    """Where in a program a step comes from: the number of its query (0 for the type in braces), and its call."""

    query: int
    call: Place


class CallOutput(NamedTuple):
    """A search whose elements may come from several sources.

    `query` is the number of the query that the call stands in (0 for the type in braces), `call` the last of the
    searches that the call is, and `summed` the aggregate that takes its elements together, if one does.
    `takes_source` says whether the call has the argument `source`.
    """

    step: int
    query: int
    call: int
    summed: str | None = None
    takes_source: bool = True


@dataclass(frozen=True)
class Plan:
    """The steps in order; a step uses only outputs of steps before it. The output of step `answer` is the answer.

    `types` and `origins` run parallel to `steps`. `notes`: sentences about how the program was understood, whatever it
    finds. `mixing`: the searches whose elements may come from several sources; the answer names these. `columns`: the
    names of the answer's columns, if it has several. `queries`: the step with the output of each query.
    """

    steps: tuple[Step, ...]
    types: tuple[OutputType, ...]
    answer: int
    notes: tuple[str, ...] = ()
    mixing: tuple[CallOutput, ...] = ()
    columns: tuple[str, ...] = ()
    queries: tuple[int, ...] = ()
    origins: tuple[StepOrigin, ...] = ()

    @cached_property
    def repeated(self) -> frozenset[int]:
        """The steps that are run for each element, by the iteration that uses them."""
        iterations = ((n, step.each.step) for n, step in enumerate(self.steps) if isinstance(step, Iteration))
        return frozenset(inner for number, each in iterations for inner in range(each, number))

    def first_empty_step(self, sizes: Sequence[int]) -> int:
        """The first step that leaves the answer empty, given how many elements each step has."""
        step = self.answer
        while empty := [used.step for used in parts_of(self.steps[step], Output) if not sizes[used.step]]:
            step = empty[0]
        return step


class PlanSteps:
    """The steps of a plan in the making, with the types of their outputs and the notes about them.

    Args:
        program: what was parsed.
        names: the nodes that each literal was mapped to, by its place.
        scope: the sources.
    """

    def __init__(self, program: Program, names: Mapping[Place, Names], scope: SourceScope) -> None:
        self.program, self.names = program, names
        self.every = scope
        self.types = Types(scope)
        self.steps: list[Step] = []
        self.query = 0  # the number of the query at hand
        self.call_place: Place = (0, 0)  # the place of the call at hand
        self.origins: list[StepOrigin] = []
        self.notes: dict[str, None] = dict.fromkeys(program.notes)
        self.mixing: dict[int, CallOutput] = {}

    @property
    def scope(self) -> SourceScope:
        """The sources that the call at hand is asked of."""
        return self.types.scope

    @property
    def one_source(self) -> tuple[str, ...]:
        """The source that the call at hand is asked of, where it says one of several."""
        return () if self.scope is self.every else self.scope.sources

    def error(self, problem: str, place: Place, hint: str | None = None) -> ProgramError:
        """The error of a place in the program."""
        return ProgramError(problem, self.program.text, place, hint)

    def note(self, sentence: str) -> None:
        """Adds a sentence about how the program was understood, once."""
        self.notes[sentence] = None

    def add(self, step: Step) -> Output:
        """Adds a step, and records the type of its output."""
        if isinstance(step, SearchNode | SearchHead) and self.one_source:
            step = replace(step, sources=self.one_source)
        output_type = step.output_type(self.types)
        if output_type.kind is OutputKind.NUMBERS:
            output_type = replace(output_type, time_keys=())
        self.steps.append(step)
        self.origins.append(StepOrigin(self.query, self.call_place))
        self.types.steps.append(output_type)
        return Output(len(self.steps) - 1)

    def union(self, *operands: Operand) -> Output:
        """Adds the union of operands."""
        return self.add(SetOperation("set_union", operands))

    def kind_of(self, operand: Operand) -> OutputKind:
        """What an operand holds."""
        return self.types.of(operand).kind

    def named(self, literal: Literal) -> Names:
        """The nodes of a literal."""
        if literal.place not in self.names:
            raise self.error(f"nothing is named '{literal.text}'", literal.place)
        return self.names[literal.place]

    def reading(self, relation: Operand | None) -> ValueReading:
        """How the values of a relation or key are compared."""
        if not isinstance(relation, Names):
            return ValueReading()
        steps = {node.step for node in relation.nodes}
        return ValueReading(
            kinds=tuple(dict.fromkeys(node.kind for node in relation.nodes)),
            time=relation.time_key,
            step=steps.pop() if len(steps) == 1 else None,
            sources=tuple(dict.fromkeys(source_name(node.source) for node in relation.nodes)),
            nows=self.nows(relation) if relation.time_key else (),
        )

    def nows(self, key: Names) -> tuple[tuple[str, str], ...]:
        """The sources whose times a key asks for, each with the time until which its open facts hold, if it has any.

        That of an earlier time is not kept.
        """
        every = self.every.nows if self.every.changes is None else {}
        times = [node.source for node in key.nodes if node.name == TimeKey.TIME and node.source in every]
        return tuple((source_name(source), every[source]) for source in times)

    def record_sources(self, query: int, *found: Output, takes_source: bool = True) -> None:
        """Records the searches of a call, if their elements may come from several sources."""
        sources: frozenset[str] = frozenset().union(*(self.types.of(each).sources for each in found))
        if len(self.every.sources) > 1 and len(sources) > 1:
            for step in (output.step for output in found):
                self.mixing[step] = CallOutput(step, query, found[-1].step, takes_source=takes_source)
                self.types.steps[step] = replace(self.types.steps[step], mixed=frozenset({step}))

    def take_together(self, function: str, operand: Operand) -> None:
        """Records that an aggregate takes elements of several sources together."""
        for step in self.types.of(operand).mixed:
            self.mixing[step] = self.mixing[step]._replace(summed=function)

    def mixing_searches(self, answer: Output) -> Iterator[CallOutput]:
        """The searches whose sources the answer names.

        Rows that are only asked for values are left out: the answer names the sources of the values, and some rows may
        have none.
        """
        uses: dict[int, list[int]] = {}
        bodies = [(step.each.step, n) for n, step in enumerate(self.steps) if isinstance(step, Iteration)]
        for number, step in enumerate(self.steps):
            for used in parts_of(step, Output):
                uses.setdefault(used.step, []).append(number)
        for each in self.mixing.values():
            if any(first <= each.step < last for first, last in bodies):
                continue
            rows = Output(each.step)
            users = [(number, self.steps[number]) for number in uses.get(each.step, ())]
            is_asked_for_values = self.kind_of(rows) is OutputKind.ROWS and rows != answer
            if not is_asked_for_values or not all(
                isinstance(user, SearchNode)
                and user.condition == rows
                and (number in self.mixing or len(self.types.steps[number].sources) < 2)
                for number, user in users
            ):
                yield each
