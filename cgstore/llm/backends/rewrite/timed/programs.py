"""The program of a reading: a search within all of its limits, and what is asked of what it finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cgstore.llm.backends.rewrite.fact_asked import EVERY, Asked, Program
from cgstore.llm.backends.rewrite.timed.facts import Fact
from cgstore.llm.backends.rewrite.timed.limits import Limit
from cgstore.llm.backends.rewrite.timed.reading import Reading
from cgstore.query.build import quote

Bounded = tuple[Limit, Fact | None]
"""A limit with the fact that it is, if it is no time."""


def program_of(reading: Reading, fact: Fact, limits: list[Bounded]) -> str:
    """The program of a reading; empty if there is none.

    Args:
        reading: the parts of the question.
        fact: the one that is asked for.
        limits: those of the reading.
    """
    program, asked = Program(), fact.asked
    key = fact.edge
    bounds = [each for limit, other in limits for each in _bounds(program, limit, other)]
    is_near = [each for each in bounds if each.startswith(("value<'", "value>'"))]
    if reading.unit == "truth":
        return _whether(program, asked, key, bounds)
    if reading.unit in ("time", "years", "start_time", "end_time", "terms"):
        return _times(program, reading, fact, bounds)
    if reading.unit != "entity" or not asked.is_set:
        return ""
    if reading.extreme:
        return most(asked, reading.extreme) if reading.by == "most" and not limits else ""
    if reading.order:
        edge = "start_time" if key == "time" and reading.order == "min" else key
        times = program.search(asked, key=edge)
        if bounds:
            times = program.add(f"keep(set={times}, {', '.join(bounds)})")
        edge_time = program.add(f"{reading.order}(set={times})")
        program.search(asked, f"value={edge_time}", key=edge)
    elif is_near and not reading.several:
        if len(bounds) > 1:
            return ""
        kept = program.add(f"keep(set={program.search(asked, key=key)}, {bounds[0]})")
        nearest = program.add(f"{'max' if bounds[0].startswith('value<') else 'min'}(set={kept})")
        program.search(asked, f"value={nearest}", key=key)
    else:
        program.search(asked, *bounds, key=key if bounds else "")
    for name in _named(asked, limits):
        program.add(f"set_difference(set1={program.last}, set2={quote(name)})")
    if reading.counted:
        program.add(f"count(set={program.last})")
    return program.text


def _named(asked: Asked, limits: list[Bounded]) -> list[str]:
    """Those before or after whom others are asked for, who may have had the same again."""
    others = [other.asked for limit, other in limits if other and limit.sign in ("<", ">")]
    same = [getattr(other, asked.free_side) for other in others if other.relation == asked.relation]
    return [name for name in same if name not in ("", EVERY)]


def _bounds(program: Program, limit: Limit, other: Fact | None) -> list[str]:
    """The bounds on the time of the fact that a limit is, each as `value OP time`."""
    if limit.time is not None:
        return [f"value{limit.sign}{quote(limit.time.name)}"]
    assert other is not None
    if limit.sign == "=":
        times = program.search(other.asked, key=other.edge)
        return [f"value={_outer(program, other, times) if other.is_outer else times}"]
    edge, function = ("start_time", "min") if limit.sign == "<" else ("end_time", "max")
    times = program.search(other.asked, key=edge if other.edge == "time" else other.edge)
    return [f"value{limit.sign}{program.add(f'{function}(set={times})')}"]


def _whether(program: Program, asked: Asked, key: str, bounds: list[str]) -> str:
    if not asked.is_fact:
        return ""
    program.add(f"exists(set={program.search(asked, *bounds, key=key if bounds else '')})")
    return program.text


def _outer(program: Program, fact: Fact, times: str) -> str:
    """The first beginning, or the last end, of those of a fact."""
    return program.add(f"{'min' if fact.edge == 'start_time' else 'max'}(set={times})")


def _times(program: Program, reading: Reading, fact: Fact, bounds: list[str]) -> str:
    """When something was, began or ended, the first or last time of it, or how often it began."""
    asked, key = fact.asked, fact.edge
    key = "start_time" if reading.unit == "terms" else key if reading.unit in ("time", "years") else reading.unit
    if reading.order and key == "time":
        key = "start_time" if reading.order == "min" else "end_time"
    times = program.search(asked, key=key)
    if bounds:
        times = program.add(f"keep(set={times}, {', '.join(bounds)})")
    if reading.order:
        program.add(f"{reading.order}(set={times})")
    elif fact.is_outer:
        _outer(program, fact, times)
    elif reading.unit == "years":
        program.add(f"distinct(set={program.add(f'extract_year(set={times})')})")
    elif reading.unit == "terms":
        program.add(f"count(set={times})")
    return program.text


def most(asked: Asked, function: str, among: Sequence[str] = ()) -> str:
    """Those on the free side of a relation that began to have it most often, of some names or of all."""
    program = Program()
    names = ", ".join(f"set={quote(name)}" for name in among)
    every = program.add(f"literals({names})") if among else program.search(asked)
    given = replace(
        asked, head="" if asked.head == EVERY else asked.head, tail="" if asked.tail == EVERY else asked.tail
    )
    start = replace(given, **{asked.free_side: "each"}).search(key="start_time").replace("'each'", "each")
    counts = program.add(f"for_each(set={every}, value=count({start}))")
    program.add(f"{function}(set={counts})")
    return program.text
