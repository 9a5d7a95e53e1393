"""Choosing between the nodes that unknown names may mean: the likeliest with which the program has an answer.

ChatKBQA (section 3.4) tries combinations of entities and relations in order until one has an answer. So the
neighbourhood decides, since a relation has an answer only where it meets the entity. Here, combinations are ordered by
their joint score, the product of the names' scores, and one statement tries many (`cgstore.cypher.alternatives`).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod

from cgstore.cypher.alternatives import alternative, first_answering
from cgstore.cypher.connection import Database
from cgstore.errors import QueryFailed
from cgstore.mapping.fuzzy import Choice, UnknownName
from cgstore.mapping.resolve import Resolution, nearest_warning
from cgstore.options import MAX_COMBINATIONS
from cgstore.query.ast import Place, Program
from cgstore.query.operands import Names
from cgstore.query.parse import ProgramError
from cgstore.query.planner import make_plan

FIRST = 10
"""Combinations that are tried first: one of these mostly has an answer."""

AMBIGUOUS = 0.02
"""Largest difference of two scores of which neither is the better one."""

Combination = tuple[Choice, ...]
"""A choice for each unknown name."""


def disambiguate(
    db: Database,
    program: Program,
    resolution: Resolution,
    unknown: Sequence[UnknownName],
    *,
    linked: bool = False,
    most: int = MAX_COMBINATIONS,
    timeout: float,
) -> None:
    """Maps each unknown name to one of its choices, with a warning for each.

    Args:
        db: the database.
        program: the parsed program.
        resolution: the resolution of all other names, to which the choices are added.
        unknown: the unknown names, each with choices.
        linked: whether a combination needs an answer of the program to be taken.
        most: most combinations that are tried; with 1, the best choice of each name is taken, with an answer or not.
        timeout: seconds for one statement.

    Raises:
        UnmappedName: no combination has an answer, and a name's best choice is not near enough to do without one, or
            `linked` asks for one.
        ProgramError: no combination gives the program a meaning.
    """
    best = next(combinations(unknown))
    sure = not linked and all(each.sure for each in unknown)
    chosen = None
    if most > 1 and not (sure and _is_only_one(unknown)):
        chosen = _first_answering(db, program, resolution, unknown, most, timeout)
    if chosen is None and not sure:
        raise next((each.error for each in unknown if not each.sure), unknown[0].error)
    for each, choice in zip(unknown, chosen or best, strict=True):
        _take(resolution, each, choice)


def combinations(unknown: Sequence[UnknownName]) -> Iterator[Combination]:
    """All combinations of choices, those with the greatest joint score first."""
    start = (0,) * len(unknown)
    waiting = [(-_joint(unknown, start), start)]
    seen = {start}
    while waiting:
        _, places = heapq.heappop(waiting)
        yield _chosen(unknown, places)
        for n in range(len(unknown)):
            after = (*places[:n], places[n] + 1, *places[n + 1 :])
            if after[n] < len(unknown[n].choices) and after not in seen:
                seen.add(after)
                heapq.heappush(waiting, (-_joint(unknown, after), after))


def _chosen(unknown: Sequence[UnknownName], places: Sequence[int]) -> Combination:
    return tuple(each.choices[place] for each, place in zip(unknown, places, strict=True))


def _joint(unknown: Sequence[UnknownName], places: Sequence[int]) -> float:
    return prod(choice.score for choice in _chosen(unknown, places))


def _is_only_one(unknown: Sequence[UnknownName]) -> bool:
    return all(len(each.choices) == 1 for each in unknown)


def _first_answering(
    db: Database, program: Program, resolution: Resolution, unknown: Sequence[UnknownName], most: int, timeout: float
) -> Combination | None:
    """The first combination with which the program has an answer; None if none has, or the search takes too long."""
    left = combinations(unknown)
    error: ProgramError | None = None
    meant = 0
    for size in (min(FIRST, most), max(0, most - FIRST)):
        tried, readings = [], []
        for combination in islice(left, size):
            try:
                plan = make_plan(program, resolution.names | _names(unknown, combination), resolution.asked)
            except ProgramError as refused:
                error = error or refused
                continue
            tried.append(combination)
            readings.append(alternative(plan, resolution.asked))
        meant += len(tried)
        try:
            place, statements = first_answering(db, readings, timeout)
        except QueryFailed:
            return None
        resolution.trials += statements
        if place is not None:
            return tried[place]
    if error is not None and not meant:
        raise error
    return None


def _names(unknown: Sequence[UnknownName], combination: Combination) -> dict[Place, Names]:
    pairs = zip(unknown, combination, strict=True)
    return {use.literal.place: choice.names for each, choice in pairs for use in each.uses}


def _take(resolution: Resolution, unknown: UnknownName, choice: Choice) -> None:
    name = choice.names.names[0]
    for use in unknown.uses:
        resolution.note(use, choice.names, "nearest", choice.score)
    resolution.warnings.append(nearest_warning(unknown.uses[0], name))
    others = [c.names.names[0] for c in unknown.choices if c is not choice and c.score >= choice.score - AMBIGUOUS]
    if others:
        listed = ", ".join(f"'{other}'" for other in others[:3])
        resolution.warnings.append(f"'{unknown.uses[0].literal.text}' may as well mean: {listed}.")
