"""The plan of a program: its execution query, with what the answer tells of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from cgstore.query.ast import Place
from cgstore.query.operands import Output, parts_of
from cgstore.query.operators import Iteration, Step
from cgstore.query.types import OutputType


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
