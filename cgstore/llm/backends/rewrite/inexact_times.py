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
_KEY = re.compile(r"\bkey='(?:time|start_time|end_time)'")
_MEASURE = re.compile(r"\b(?:count|sum|subtract|divide|to_integer|\w+_difference)\(")
_TERMS = re.compile(r"^Query1: \"(get_information\([^\n]*), key='start_time'\)\"\n[^\n]*year_difference\(each, ")
_AT = re.compile(r"\bvalue='(-?\d[^']*)'")
LONG = 50
"""Years after the start of a fact without an end from which on it is doubtful that it still held."""

_EDGES = ("start_time", "end_time")


def inexact_notes(decision: Decision, graph: GraphView, run: Run) -> Iterator[str]:
    """A note where a time that answers, or a start or end of the fact that does, is less exact than its source."""
    steps = [Step(outline.step) for outline in graph.outlines if outline.step]
    if decision.chosen is None or decision.chosen.answer is None or not steps:
        return
    finest = max(steps, key=list(Step).index)
    values = [str(value) for value in decision.chosen.answer.answer]
    program = decision.chosen.program
    is_time = _KEY.search(program) and not _MEASURE.search(program)  # and no number or length of times
    if is_time and (found := _inexact(values, finest)):
        are = "are" if len(found) > 1 else "is"
        yield f"{some_of(found)} {are} all that the data say of the time, whose exact {finest} is not known."
    elif terms := _TERMS.match(program):
        each = [time for edge in _EDGES for time in _times(run, f"{terms[1]}, key='{edge}')")]
        if found := _inexact(each, Step.YEAR):
            yield f"A start or an end is known only as {some_of(found)}, not to the year: the length is not exact."
    elif (match := _SEARCH.match(program)) and len(values) <= MOST_FACTS:
        yield from _of_facts(match[1], program, values, finest, run)


def _of_facts(search: str, program: str, values: Sequence[str], finest: Step, run: Run) -> Iterator[str]:
    """Notes on the facts that a search found at a time: less exact starts and ends, and ends that the data lack."""
    side = "tail" if "head_entity=" in search else "head"
    at = read_time(said[1]) if (said := _AT.search(program)) else None
    for value in values:
        start, end = (_times(run, f"{search}, {side}_entity={quote(value)}, key='{edge}')") for edge in _EDGES)
        for word, times in (("start", start), ("end", end)) if finest != Step.YEAR else ():
            if found := _inexact(times, finest):
                yield f"The {word} for '{value}' is known only as {some_of(found)}, not to the {finest}."
        began = max((time.start.year for each in start if (time := read_time(each))), default=None)
        if at and began is not None and len(end) < len(start) and at.start.year - began > LONG:
            yield f"The data have no end for '{value}', which began in {began}: it is taken to hold until now."


def _times(run: Run, search: str) -> list[str]:
    answer = run(f'Query1: "{search}"').answer
    return [str(each) for each in answer.answer] if answer else []


def _inexact(values: Sequence[str], finest: Step) -> list[str]:
    """The times that are less exact than a step."""
    found = []
    for value in values:
        moment = read_moment(value)
        is_coarse = finest.is_finer_than(moment.step) if moment else read_time(value) is not None
        if is_coarse:
            found.append(value)
    return found
