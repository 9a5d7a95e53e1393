"""What an unknown name may mean: the nearest nodes by spelling and, where spelling says too little, by meaning.

TrustUQA maps each name to the nearest node (section 3.3); ChatKBQA keeps several nodes over a threshold (section 3.4).
Here, `disambiguate` decides between the best few over a threshold.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import prod
from typing import TYPE_CHECKING

from cgstore.catalog.snapshot import SourceSchema, names_of
from cgstore.cypher.alternatives import alternative, first_answering
from cgstore.cypher.connection import Database
from cgstore.errors import QueryFailed
from cgstore.mapping.candidates import Candidate, entity_candidates, is_sure, relation_candidates, relation_cosines
from cgstore.mapping.resolve import Resolution, nearest_warning
from cgstore.model import ROW_NUMBER
from cgstore.options import MAX_COMBINATIONS
from cgstore.query.ast import Place, Program
from cgstore.query.name_uses import NameRole, NameUse
from cgstore.query.operands import Names
from cgstore.query.parse import ProgramError
from cgstore.query.planner import make_plan
from cgstore.query.sources import list_sources
from cgstore.text.names import some_of

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder

THRESHOLDS = {NameRole.ENTITY: 0.8, NameRole.RELATION: 0.7, NameRole.KEY: 0.7}
"""Least score at which an unknown name is mapped to the nearest node, by default (docs/benchmarks.md)."""

LINKED = 0.2
"""How far below the threshold a relation may score if the program has an answer with it.

Entities have no such margin: nearly every entity has the relation that a question asks for.
"""

MARGINS = {NameRole.ENTITY: 0.1, NameRole.RELATION: 0.2, NameRole.KEY: 0.2}
"""How far below the best choice another one may score: an answer with a name that is far off is worthless."""

TOP = {NameRole.ENTITY: 10, NameRole.RELATION: 15, NameRole.KEY: 15}
"""Most nodes that are tried for one name."""

OFFERED = 0.5
"""Least score of a name that an error message offers."""

MAX_OFFERED = 3


class UnmappedName(ProgramError):
    """A name in a program that no node has; `closest` are the most similar names of nodes."""

    closest: tuple[str, ...] = ()


@dataclass(frozen=True)
class Choice:
    """The nodes that an unknown name may mean together, and how well they fit, in [0, 1]."""

    names: Names
    score: float


@dataclass(frozen=True)
class UnknownName:
    """A name that no node has, with all its uses in the program and its choices, the best first.

    If `sure`, the first choice is good enough even if the program has no answer with it. `error` is for the case that
    no choice is taken. A `known` name has nodes of its own, which are the first choice.
    """

    uses: tuple[NameUse, ...]
    choices: tuple[Choice, ...]
    sure: bool
    error: UnmappedName
    known: bool = False

    @property
    def optional(self) -> bool:
        """Whether the program has a meaning without it."""
        return all(use.optional for use in self.uses)


def unknown_names(
    db: Database,
    program: Program,
    schema: SourceSchema,
    uses: Sequence[NameUse],
    encoder: Callable[[], Encoder | None],
    *,
    exact: bool = False,
    threshold: float | None = None,
) -> list[UnknownName]:
    """The unknown names of a program, each once, in one round trip; in two if spelling says too little.

    An optional name without a near node is left out.

    Args:
        db: the database.
        program: the program, for the place in an error.
        schema: the sources asked.
        uses: the uses of unknown names.
        encoder: returns the encoder that made the graph's vectors, or None; called only if spelling says too little.
        exact: whether the first unknown name is an error.
        threshold: least score, in [0, 1], of a choice; None for the default of its role.

    Raises:
        UnmappedName: no node is near enough to a name.
    """
    of_name = grouped(uses)
    near = _candidates(db, schema, [some[0] for some in of_name], None if exact else encoder)
    found = []
    for some, candidates in zip(of_name, near, strict=True):
        error = unmapped(program, some[0], candidates, schema)
        unknown = _unknown(schema, some, candidates, threshold, error)
        if unknown.optional and (exact or not unknown.sure):
            continue
        if exact or not unknown.choices:
            raise error
        found.append(unknown)
    return found


def grouped(uses: Sequence[NameUse]) -> list[tuple[NameUse, ...]]:
    """The uses of each name, in the order of the names."""
    of_name: dict[tuple[str, NameRole, str | None], list[NameUse]] = {}
    for use in uses:
        source = use.source.text if use.source else None
        of_name.setdefault((use.literal.text, use.role, source), []).append(use)
    return [tuple(some) for some in of_name.values()]


def _unknown(
    schema: SourceSchema,
    uses: Sequence[NameUse],
    candidates: Sequence[Candidate],
    threshold: float | None,
    error: UnmappedName,
) -> UnknownName:
    """A name with the candidates that are near enough, both to it and to the best candidate."""
    role = uses[0].role
    like = [candidate for candidate in candidates if not candidate.another]
    best = max((candidate.parts.near for candidate in like), default=0.0)
    wanted = THRESHOLDS[role] if threshold is None else threshold
    least = max(wanted if role is NameRole.ENTITY else wanted - LINKED, best - MARGINS[role])
    near = sorted(like, key=lambda candidate: -candidate.parts.near)
    choices = tuple(_choice(schema, uses[0], each) for each in near if each.parts.near >= least)
    return UnknownName(tuple(uses), choices, best >= wanted, error)


def _candidates(
    db: Database, schema: SourceSchema, uses: Sequence[NameUse], encoder: Callable[[], Encoder | None] | None
) -> list[list[Candidate]]:
    """The candidates of each name by spelling; by meaning too if spelling leaves it unsure."""
    found = _ranked(db, schema, uses, None)
    unsure = [n for n, candidates in enumerate(found) if not is_sure(candidates)]
    chosen = encoder() if unsure and encoder else None
    if chosen is not None:
        again = _ranked(db, schema, [uses[n] for n in unsure], chosen)
        for n, candidates in zip(unsure, again, strict=True):
            found[n] = candidates
    return found


def _ranked(
    db: Database, schema: SourceSchema, uses: Sequence[NameUse], encoder: Encoder | None
) -> list[list[Candidate]]:
    """The candidates of each name, the best first; by meaning too if there is an encoder."""
    entities = [use for use in uses if use.role is NameRole.ENTITY]
    others = [use.literal.text for use in uses if use.role is not NameRole.ENTITY]
    texts = [use.literal.text for use in entities]
    vectors = encoder.encode(texts) if encoder else None
    ranked = iter(entity_candidates(db, texts, schema.asked.sources, vectors, TOP[NameRole.ENTITY]))
    cosines = iter(relation_cosines(db, schema.owned, others, encoder))
    return [
        next(ranked)
        if use.role is NameRole.ENTITY
        else relation_candidates(use.literal.text, schema.meant_by(use), next(cosines), TOP[use.role])
        for use in uses
    ]


def _choice(schema: SourceSchema, use: NameUse, candidate: Candidate) -> Choice:
    """A candidate with all nodes of its name, since each source asked has its own relation."""
    nodes = [{"key": candidate.key, "name": candidate.name}]
    if use.role is not NameRole.ENTITY:
        nodes = [node for node in schema.meant_by(use) if node["name"] == candidate.name]
    return Choice(names_of(nodes, exact=False), candidate.parts.near)


def unmapped(program: Program, use: NameUse, candidates: Sequence[Candidate], schema: SourceSchema) -> UnmappedName:
    """The error for a name, which offers the nearest of some candidates, or else says what there is."""
    best = sorted(candidates, key=lambda candidate: -candidate.score)
    offered = (candidate.name for candidate in best if candidate.score >= OFFERED)
    near = tuple(dict.fromkeys(offered))[:MAX_OFFERED]
    hint = f"Closest: {', '.join(repr(n) for n in near)}." if near else _there(use, schema)
    error = UnmappedName(f"no {use.role} is named '{use.literal.text}'", program.text, use.literal.place, hint)
    error.closest = near
    return error


def _there(use: NameUse, schema: SourceSchema) -> str:
    """What a message says where no name is near: some of the relations, or how to look for a part of a name."""
    if use.role is NameRole.ENTITY:
        part = "keep(set=get_information(relation='...'), contains='...')"
        return f"No name in {list_sources(schema.asked.sources)} is spelt alike. For a part of a value, write {part}."
    names = sorted({node["name"] for node in schema.meant_by(use) if node["name"] != ROW_NUMBER})
    return f"There are: {some_of(names, MAX_OFFERED)}." if names else "There is none in the sources asked."


# Choosing between nodes: the likeliest with which the program has an answer
#
# ChatKBQA (section 3.4) tries combinations of entities and relations in order until one has an answer. So the
# neighbourhood decides, since a relation has an answer only where it meets the entity. Here, combinations are ordered
# by their joint score, the product of the names' scores, and one statement tries many (`cgstore.cypher.alternatives`).


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

    If no combination has an answer, optional names stay unmapped.

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
    if most > 1 and not (sure and all(len(each.choices) == 1 for each in unknown)):
        chosen = _first_answering(db, program, resolution, unknown, most, timeout)
    needed = [each for each in unknown if not each.optional]
    if chosen is None and not sure and len(needed) < len(unknown):
        if needed:
            disambiguate(db, program, resolution, needed, linked=linked, most=most, timeout=timeout)
        return
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
    if unknown.known:
        if choice is unknown.choices[0]:
            return
        places = {use.literal.text for use in unknown.uses}
        resolution.mappings[:] = [m for m in resolution.mappings if m.role == NameRole.ENTITY or m.name not in places]
    for use in unknown.uses:
        resolution.note(use, choice.names, "nearest", choice.score)
    if unknown.known:
        said = unknown.uses[0].literal.text
        resolution.warnings.append(f"The {unknown.uses[0].role} '{said}' gives no answer; '{name}' was taken.")
        return
    resolution.warnings.append(nearest_warning(unknown.uses[0], name))
    others = [c.names.names[0] for c in unknown.choices if c is not choice and c.score >= choice.score - AMBIGUOUS]
    if others:
        listed = ", ".join(f"'{other}'" for other in others[:3])
        resolution.warnings.append(f"'{unknown.uses[0].literal.text}' may as well mean: {listed}.")
