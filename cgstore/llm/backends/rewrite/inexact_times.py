"""Notes on times that the data know less exactly than their source: only a year, or a decade, among days."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cgstore.llm.backends import Decision, Run
from cgstore.llm.graph_view import GraphView
from cgstore.query.build import quote
from cgstore.text.dates import Step, read_moment
from cgstore.text.historical import read_time
from cgstore.text.names import some_of

MOST_FACTS = 3
"""Answers whose facts are looked at."""

_SEARCH = re.compile(r"^Query1: \"(get_information\((?=[^\n]*relation=)[^\n]*), key='time', value[^\n]*\)\"$")
_EDGES = ("start_time", "end_time")


def inexact_notes(decision: Decision, graph: GraphView, run: Run) -> Iterator[str]:
    """A note where a time that answers, or a start or end of the fact that does, is less exact than its source."""
    steps = [Step(outline.step) for outline in graph.outlines if outline.step]
    if decision.chosen is None or decision.chosen.answer is None or not steps:
        return
    finest = max(steps, key=list(Step).index)
    values = [str(value) for value in decision.chosen.answer.answer]
    if found := _inexact(values, finest):
        are = "are" if len(found) > 1 else "is"
        yield f"{some_of(found)} {are} all that the data say of the time, whose exact {finest} is not known."
    elif finest != Step.YEAR and (match := _SEARCH.match(decision.chosen.program)) and len(values) <= MOST_FACTS:
        side = "tail" if "head_entity=" in match[1] else "head"
        for value in values:
            for edge in _EDGES:
                answer = run(f"Query1: \"{match[1]}, {side}_entity={quote(value)}, key='{edge}')\"").answer
                found = _inexact([str(each) for each in answer.answer] if answer else [], finest)
                if found:
                    word = edge.removesuffix("_time")
                    yield f"The {word} for '{value}' is known only as {some_of(found)}, not to the {finest}."


def _inexact(values: Sequence[str], finest: Step) -> list[str]:
    """The times that are less exact than a step."""
    found = []
    for value in values:
        moment = read_moment(value)
        is_coarse = finest.is_finer_than(moment.step) if moment else read_time(value) is not None
        if is_coarse:
            found.append(value)
    return found
