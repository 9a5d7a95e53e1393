"""Notes on answers about time that are doubtful because of whole years, several terms or missing ends.

They are found by running further programs, which are made from the chosen one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from cgstore.llm.backend import Decision, Run

SHOWN = 5
"""Names listed in a note."""

END, START, TIME = "key='end_time'", "key='start_time'", "key='time'"

_NEIGHBOUR = re.compile(r"keep\(set='output_of_query3', value([<>])'output_of_query2'\)")
_AT_OUTPUT = re.compile(r"value='output_of_query\d+'")
_NAME = re.compile(r"_entity='(.*?)'(?=[,)])")


def with_doubts(decision: Decision, run: Run) -> Decision:
    """The decision with a note for each reason to doubt its answer, or for why there may be none."""
    program = (decision.chosen or decision.attempts[-1]).program if decision.chosen or decision.attempts else ""
    answer = _values(decision.chosen.answer.answer) if decision.chosen and decision.chosen.answer else []
    lines = program.splitlines()
    notes = [*_missing_ends(program, answer, run), *_several_at_once(lines, answer), *_neighbours(lines, answer, run)]
    return replace(decision, warnings=(*decision.warnings, *notes)) if notes else decision


def _missing_ends(program: str, answer: list[str], run: Run) -> Iterator[str]:
    """The end asked for equals the start: it may be unknown."""
    if END in program and "\n" not in program and answer:
        started = _run(run, program.replace(END, START))
        if both := [value for value in answer if value in started]:
            yield (
                f"Doubtful: {_listed(both)} is also the answer for the start; a fact whose end is not known ends where "
                "it starts."
            )


def _several_at_once(lines: list[str], answer: list[str]) -> Iterator[str]:
    """Several facts hold at the first or last time."""
    if len(answer) > 1 and len(lines) > 1 and ("max(" in lines[-2] or "min(" in lines[-2]) and TIME in lines[-1]:
        yield (
            f"Doubtful: {_listed(answer)} all hold at that time; the times of the data do not tell which of them came "
            "first or last."
        )


def _neighbours(lines: list[str], answer: list[str], run: Run) -> Iterator[str]:
    """Before or after something that has several terms, or whose first or last time others share."""
    sign = _NEIGHBOUR.search("\n".join(lines))
    if sign is None or len(lines) < 6:
        return
    after = sign[1] == ">"
    if TIME in lines[0] and len(starts := _run(run, lines[0].replace(TIME, START))) > 1:
        kept = "last" if after else "first"
        yield (
            f"Doubtful: '{(_NAME.findall(lines[0]) or ['it'])[0]}' begins {len(starts)} times there "
            f"({', '.join(starts[:SHOWN])}); '{'after' if after else 'before'}' is taken of the {kept} time alone."
        )
    at_bound = "\n".join([*lines[:2], _AT_OUTPUT.sub("value='output_of_query2'", lines[5])])
    known = {*answer, *_NAME.findall(lines[0])}
    if others := [value for value in _run(run, at_bound) if value not in known]:
        yield (
            f"Doubtful: {_listed(others)} also held at that {'last' if after else 'first'} time; the times of the data "
            "do not tell whether before or after."
        )


def _run(run: Run, program: str) -> list[str]:
    answer = run(program).answer
    return _values(answer.answer) if answer else []


def _values(values: tuple[object, ...]) -> list[str]:
    return [str(value) for value in values]


def _listed(names: list[str]) -> str:
    more = ", ..." if len(names) > SHOWN else ""
    return ", ".join(f"'{name}'" for name in names[:SHOWN]) + more
