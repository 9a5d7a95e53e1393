"""What an unknown name may mean, and which of its meanings a program is run with.

TrustUQA maps each name to the nearest node (section 3.3): those over a threshold count, by spelling and, where spelling
says too little, by meaning.

ChatKBQA generates, then retrieves (section 3.4): entities come first, and then the relations in the neighbourhood of
these: one step away, or two through a mediator, a node without a name that joins the parts of one fact. So a graph of
thousands of relations costs no more than a small one. Lower scores count, since the program must have an answer.

`nearest_names` finds the meanings of both; `disambiguate` decides between the best few by which of them the program has
an answer with.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from cgstore.catalog.snapshot import SourceSchema, names_of
from cgstore.cypher.alternatives import alternative, first_answering
from cgstore.cypher.connection import Database
from cgstore.errors import NoSuchName, QueryFailed
from cgstore.mapping.candidates import (
    Candidate,
    candidates_by_meaning,
    is_sure,
    relation_candidates,
    relation_cosines,
)
from cgstore.mapping.resolve import Resolution, nearest_warning
from cgstore.model import ROW_NUMBER
from cgstore.options import MAX_COMBINATIONS, QueryOptions
from cgstore.query.ast import Literal, Place, Program
from cgstore.query.name_uses import NameRole, NameUse, name_uses
from cgstore.query.operands import Names
from cgstore.query.parse import ProgramError
from cgstore.query.planner import make_plan
from cgstore.query.sources import list_sources
from cgstore.text.names import NAMELESS, some_of

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder

THRESHOLDS = {NameRole.ENTITY: 0.8, NameRole.RELATION: 0.7, NameRole.KEY: 0.7}
"""Least score at which an unknown name is mapped to the nearest node, by default (docs/benchmarks.md)."""

RETRIEVED = {NameRole.ENTITY: 0.75, NameRole.RELATION: 0.5, NameRole.KEY: 0.5}
"""The same where names are retrieved."""

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


class UnmappedName(ProgramError, NoSuchName):
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

    If `sure`, the first choice is good enough even if the program has no answer with it. A `known` name has nodes of
    its own, which are the first choice.
    """

    uses: tuple[NameUse, ...]
    choices: tuple[Choice, ...]
    sure: bool
    known: bool = False

    @property
    def optional(self) -> bool:
        """Whether the program has a meaning without it."""
        return _are_optional(self.uses)

    @property
    def said(self) -> str:
        """Says that no node has the name."""
        return f"no {self.uses[0].role} is named '{self.uses[0].literal.text}'"


def _are_optional(uses: Sequence[NameUse]) -> bool:
    return all(use.optional for use in uses)


class _Rule(NamedTuple):
    """Which nodes count: those of at least a score, and at most a margin below the best; `most` of them.

    From the score `sure` on, the best is good enough without an answer; None: never.
    """

    least: float
    margin: float
    most: int
    sure: float | None


def _rule(role: NameRole, options: QueryOptions) -> _Rule:
    is_entity = role is NameRole.ENTITY
    if not options.retrieve:
        wanted = THRESHOLDS[role] if options.threshold is None else options.threshold
        return _Rule(wanted if is_entity else wanted - LINKED, MARGINS[role], TOP[role], wanted)
    given = options.entity_threshold if is_entity else options.relation_threshold
    least = next(each for each in (given, options.threshold, RETRIEVED[role]) if each is not None)
    return _Rule(least, 1.0, options.entity_k if is_entity else options.relation_k, None)


def nearest_names(
    db: Database,
    program: Program,
    schema: SourceSchema,
    resolution: Resolution,
    encoder: Callable[[], Encoder | None],
    options: QueryOptions,
    *,
    replaced: bool = False,
) -> list[UnknownName]:
    """The unknown names of a program, each once, with what they may mean; optional names without that are left out.

    `encoder` gives the encoder of the graph's vectors, or None, and is called only if spelling says too little.
    With `replaced`, relations that exist may be replaced too, where names are retrieved.

    Raises:
        UnmappedName: no node is near enough to a name.
    """
    encoder = (lambda: None) if options.exact else encoder
    unknown = _grouped(resolution.unknown)
    entities = [uses for uses in unknown if uses[0].role is NameRole.ENTITY]
    texts = [uses[0].literal.text for uses in entities]
    most = _rule(NameRole.ENTITY, options).most
    found = dict(zip(entities, candidates_by_meaning(db, texts, schema.asked.sources, encoder, most), strict=True))
    relations = [uses for uses in unknown if uses[0].role is not NameRole.ENTITY]
    known = _known_relations(program, schema, resolution) if replaced else []
    near: set[str] | None = None
    if options.retrieve and (relations or known):
        retrieved = [choice for uses in entities for choice in _choices(schema, uses[0], found[uses], options)]
        near = _neighbourhood(db, schema, program, resolution, retrieved)
    pools = {uses: _pool(schema, uses, near, program) for uses in (*relations, *known)}
    found |= _relations(db, pools, encoder)
    names = []
    for uses in unknown:
        choices = _choices(schema, uses[0], found[uses], options)
        sure = _rule(uses[0].role, options).sure
        name = UnknownName(uses, choices, bool(choices) and sure is not None and choices[0].score >= sure)
        if name.optional and (options.exact or not choices or not (name.sure or options.retrieve)):
            continue
        if options.exact or not choices:
            around = sorted(node["name"] for node in pools.get(uses, ()) if near and node["key"] in near)
            raise _unmapped(program, name, found[uses], schema, around)
        names.append(name)
    for uses in known:
        own = resolution.names[uses[0].literal.place]
        others = [each for each in found[uses] if each.name not in own.names]
        choices = _choices(schema, uses[0], others, options)[: options.relation_k - 1]
        names.append(UnknownName(uses, (Choice(own, 1.0), *choices), True, known=True))
    return names


def _grouped(uses: Sequence[NameUse]) -> list[tuple[NameUse, ...]]:
    """The uses of each name, in the order of the names."""
    of_name: dict[tuple[str, NameRole, str | None], list[NameUse]] = {}
    for use in uses:
        source = use.source.text if use.source else None
        of_name.setdefault((use.literal.text, use.role, source), []).append(use)
    return [tuple(some) for some in of_name.values()]


Uses = tuple[NameUse, ...]
"""All uses of one name in a program."""


def _relations(
    db: Database, pools: dict[Uses, list[dict[str, Any]]], encoder: Callable[[], Encoder | None]
) -> dict[Uses, list[Candidate]]:
    """The candidates of each name among the nodes of its pool; by meaning too if spelling leaves it unsure."""

    def ranked(uses: Uses, cosines: dict[str, float]) -> list[Candidate]:
        return relation_candidates(uses[0].literal.text, pools[uses], cosines, len(pools[uses]))

    found = {uses: ranked(uses, {}) for uses in pools}
    unsure = [uses for uses in pools if not is_sure(found[uses])]
    if unsure and (chosen := encoder()) is not None:
        nodes = {node["key"]: node for uses in unsure for node in pools[uses]}
        cosines = relation_cosines(db, nodes.values(), [uses[0].literal.text for uses in unsure], chosen)
        found |= {uses: ranked(uses, each) for uses, each in zip(unsure, cosines, strict=True)}
    return found


def _choices(
    schema: SourceSchema, use: NameUse, candidates: Sequence[Candidate], options: QueryOptions
) -> tuple[Choice, ...]:
    """The best names, each with all nodes of its name, since each source has its own relation."""
    rule = _rule(use.role, options)
    near = sorted((each for each in candidates if not each.another), key=lambda each: -each.parts.near)
    least = max(rule.least, (near[0].parts.near if near else 0.0) - rule.margin)
    best: dict[str, Candidate] = {}
    for each in near:
        if each.parts.near >= least:
            best.setdefault(each.name, each)
    choices = []
    for name, each in list(best.items())[: rule.most]:
        nodes = [{"key": each.key, "name": name}]
        if use.role is not NameRole.ENTITY:
            nodes = [node for node in schema.meant_by(use) if node["name"] == name]
        choices.append(Choice(names_of(nodes, exact=False), each.parts.near))
    return tuple(choices)


def _unmapped(
    program: Program, name: UnknownName, candidates: Sequence[Candidate], schema: SourceSchema, around: Sequence[str]
) -> UnmappedName:
    """The error for a name, which offers the nearest candidates and the relations `around` the entities, if any."""
    use = name.uses[0]
    best = sorted(candidates, key=lambda candidate: -candidate.score)
    offered = (candidate.name for candidate in best if candidate.score >= OFFERED)
    closest = tuple(dict.fromkeys(offered))[:MAX_OFFERED]
    hints = [f"Closest: {', '.join(map(repr, closest))}."] if closest else []
    hints += [f"The relations around the entities: {some_of(list(dict.fromkeys(around)), 5)}."] if around else []
    error = UnmappedName(name.said, program.text, use.literal.place, " ".join(hints) or _there(use, schema))
    error.closest = closest
    return error


def _there(use: NameUse, schema: SourceSchema) -> str:
    """What a message says where no name is near: some of the relations, or how to look for a part of a name."""
    if use.role is NameRole.ENTITY:
        part = "keep(set=get_information(relation='...'), contains='...')"
        return f"No name in {list_sources(schema.asked.sources)} is spelt alike. For a part of a value, write {part}."
    names = sorted({node["name"] for node in schema.meant_by(use) if node["name"] != ROW_NUMBER})
    return f"There are: {some_of(names, MAX_OFFERED)}." if names else "There is none in the sources asked."


# The relations around the entities of a program

MAX_SCANNED = 5_000
"""Relationships of an entity that are looked at, in each direction."""

MAX_MEDIATORS = 200
"""Nodes without a name around the entities that are looked at."""

_AROUND = """\
CALL () {
  UNWIND $keys AS key
  MATCH (n:CgNode {key: key})-[h:CG_HAS]->(r:CgRelation)
  USING INDEX SEEK n:CgNode(key)
  WHERE h.source IN $sources
  WITH key, r LIMIT $scanned
  CALL (key, r) {
    MATCH ()-[v:CG_VALUE {node1: r.key, head: key}]->(m) USING INDEX SEEK v:CG_VALUE(node1, head)
    RETURN collect(m.key)[..$mediators] AS ends
  }
  RETURN r.key AS relation, ends
  UNION ALL
  UNWIND $keys AS key
  MATCH (n:CgNode {key: key})<-[v:CG_VALUE]-(r:CgRelation)
  USING INDEX SEEK n:CgNode(key)
  WHERE v.source IN $sources
  WITH r, v LIMIT $scanned
  RETURN r.key AS relation, [v.head] AS ends
}
WITH collect(DISTINCT relation) AS near, collect(ends) AS many
CALL (many) {
  UNWIND many AS ends
  UNWIND ends AS end
  WITH DISTINCT end WHERE end =~ $nameless
  WITH end LIMIT $mediators
  MATCH (m:CgNode {key: end})
  USING INDEX SEEK m:CgNode(key)
  CALL (m) {
    MATCH (m)-[h:CG_HAS]->(r:CgRelation) WHERE h.source IN $sources RETURN r.key AS relation LIMIT $mediators
    UNION
    MATCH (m)<-[v:CG_VALUE]-(r:CgRelation) WHERE v.source IN $sources RETURN r.key AS relation LIMIT $mediators
  }
  RETURN collect(DISTINCT relation) AS beyond
}
RETURN near, beyond"""


def _known_relations(program: Program, schema: SourceSchema, resolution: Resolution) -> list[Uses]:
    """The relations of a program that exist, by name; built-in keys are never replaced."""
    uses = [
        use
        for use in name_uses(program)
        if use.role is not NameRole.ENTITY and use.literal.place in resolution.names and use.is_sought
    ]
    return [some for some in _grouped(uses) if not (some[0].role is NameRole.KEY and schema.built_in_keys(some[0]))]


def _neighbourhood(
    db: Database, schema: SourceSchema, program: Program, resolution: Resolution, retrieved: Sequence[Choice]
) -> set[str]:
    """The keys of the relations around the entities of a program: those that it names, and those retrieved."""
    known = [
        resolution.names[use.literal.place]
        for use in name_uses(program)
        if use.role is NameRole.ENTITY and use.literal.place in resolution.names
    ]
    every = (*known, *(choice.names for choice in retrieved))
    keys = list(dict.fromkeys(node.key for names in every for node in names.nodes))
    if not keys:
        return set()
    limits = {"scanned": MAX_SCANNED, "mediators": MAX_MEDIATORS, "nameless": NAMELESS.pattern}
    (row,) = db.read(_AROUND, {"keys": keys, "sources": list(schema.asked.sources), **limits})
    return {*row["near"], *row["beyond"]}


def _pool(schema: SourceSchema, uses: Uses, near: set[str] | None, program: Program) -> list[dict[str, Any]]:
    """The relations among which a name is sought: near ones if its calls have an entity, else all of them too."""
    every = schema.meant_by(uses[0])
    around = [node for node in every if near and (node["key"] in near or not node["is_relation"])]
    beside = all(_is_beside_entity(program, use.literal.place) for use in uses)
    return around if around and beside else every


def _is_beside_entity(program: Program, place: Place) -> bool:
    """Whether the call that has a relation at this place has an entity by its name too."""
    calls = (call for query in program.queries for call in query.all_calls())
    return any(
        any(isinstance(a.value, Literal) and a.name in ("head_entity", "tail_entity", "value") for a in call.arguments)
        for call in calls
        if any(isinstance(a.value, Literal) and a.value.place == place for a in call.arguments)
    )


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
        resolution: the resolution of all other names, to which the choices are added.
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
        raise _without_answer(program, unknown)
    for each, choice in zip(unknown, chosen or best, strict=True):
        _take(resolution, each, choice)


def _without_answer(program: Program, unknown: Sequence[UnknownName]) -> UnmappedName:
    """The error for unknown names with none of whose choices a program has an answer."""
    lacking = sorted(
        [each for each in unknown if not each.known] or unknown,
        key=lambda each: each.uses[0].role is not NameRole.ENTITY,  # entities first
    )
    problem = f"{', '.join(each.said for each in lacking)}, and the program has no answer with the nearest names"
    tried = [tuple(choice.names.names[0] for choice in each.choices) for each in lacking]
    listed = (f"{some_of(names)} for '{each.uses[0].literal.text}'" for each, names in zip(lacking, tried, strict=True))
    error = UnmappedName(problem, program.text, lacking[0].uses[0].literal.place, f"Tried: {'; '.join(listed)}.")
    error.closest = tried[0][:MAX_OFFERED]
    return error


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
    others = [c.names.names[0] for c in unknown.choices if c is not choice and c.score >= choice.score - AMBIGUOUS]
    resolution.warnings.append(nearest_warning(unknown.uses[0], name, others[:3]))
