"""What an unknown name may mean, and which of its meanings a program is run with.

TrustUQA maps each name to the nearest node (section 3.3): `unknown_names` takes the nodes over a threshold, by spelling
and, where spelling says too little, by meaning.

ChatKBQA generates, then retrieves (section 3.4): `retrieved_names` ranks entities first, and then the relations in the
neighbourhood of these: one step away, or two through a mediator, a node without a name that joins the parts of one
fact. So a graph of thousands of relations costs no more than a small one.

`disambiguate` decides between the best few by which of them the program has an answer with.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from itertools import islice
from math import prod
from typing import TYPE_CHECKING, Any

from cgstore.catalog.snapshot import SourceSchema, names_of
from cgstore.cypher.alternatives import alternative, first_answering
from cgstore.cypher.connection import Database
from cgstore.embedding.vectors import as_words
from cgstore.errors import BadInput, NoSuchName, QueryFailed, setting
from cgstore.mapping.candidates import (
    IS_USED,
    Candidate,
    candidates_by_meaning,
    full_text_query,
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
from cgstore.text.names import normal_form, some_of

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


class UnmappedName(ProgramError, NoSuchName):
    """A name in a program that no node has; `closest` are the most similar names of nodes."""

    closest: tuple[str, ...] = ()


Scored = dict[str, tuple[str, float]]
"""The names and scores of nodes, by their keys."""


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
        return _are_optional(self.uses)


def _are_optional(uses: Sequence[NameUse]) -> bool:
    return all(use.optional for use in uses)


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
    of_name = _grouped(uses)
    candidates = _candidates(db, schema, [some[0] for some in of_name], (lambda: None) if exact else encoder)
    found = []
    for some, each in zip(of_name, candidates, strict=True):
        role, near, error = some[0].role, _near(each), _unmapped(program, some[0], each, schema)
        best = max((score for _, score in near.values()), default=0.0)
        wanted = THRESHOLDS[role] if threshold is None else threshold
        least = max(wanted if role is NameRole.ENTITY else wanted - LINKED, best - MARGINS[role])
        unknown = UnknownName(some, _choices(schema, some[0], near, least, len(near)), best >= wanted, error)
        if unknown.optional and (exact or not unknown.sure):
            continue
        if exact or not unknown.choices:
            raise error
        found.append(unknown)
    return found


def _grouped(uses: Sequence[NameUse]) -> list[tuple[NameUse, ...]]:
    """The uses of each name, in the order of the names."""
    of_name: dict[tuple[str, NameRole, str | None], list[NameUse]] = {}
    for use in uses:
        source = use.source.text if use.source else None
        of_name.setdefault((use.literal.text, use.role, source), []).append(use)
    return [tuple(some) for some in of_name.values()]


def _candidates(
    db: Database, schema: SourceSchema, uses: Sequence[NameUse], encoder: Callable[[], Encoder | None]
) -> list[list[Candidate]]:
    """The candidates of each name by spelling; by meaning too if spelling leaves it unsure."""
    entities = [use.literal.text for use in uses if use.role is NameRole.ENTITY]
    near = iter(candidates_by_meaning(db, entities, schema.asked.sources, encoder, TOP[NameRole.ENTITY]))
    found = [next(near) if use.role is NameRole.ENTITY else _relations(schema, use, {}) for use in uses]
    unsure = [n for n, use in enumerate(uses) if use.role is not NameRole.ENTITY and not is_sure(found[n])]
    if unsure and (chosen := encoder()) is not None:
        cosines = relation_cosines(db, schema.owned, [uses[n].literal.text for n in unsure], chosen)
        for n, each in zip(unsure, cosines, strict=True):
            found[n] = _relations(schema, uses[n], each)
    return found


def _relations(schema: SourceSchema, use: NameUse, cosines: dict[str, float]) -> list[Candidate]:
    return relation_candidates(use.literal.text, schema.meant_by(use), cosines, TOP[use.role])


def _near(candidates: Iterable[Candidate]) -> Scored:
    return {c.key: (c.name, c.parts.near) for c in candidates if not c.another}


def _choices(schema: SourceSchema, use: NameUse, scored: Scored, least: float, count: int) -> tuple[Choice, ...]:
    """The best names over a threshold, each with all nodes of its name, since each source has its own relation."""
    best: dict[str, tuple[str, float]] = {}
    for key, (name, score) in sorted(scored.items(), key=lambda item: -item[1][1]):
        if score >= least and len(best) < count:
            best.setdefault(name, (key, score))
    choices = []
    for name, (key, score) in best.items():
        nodes = [{"key": key, "name": name}]
        if use.role is not NameRole.ENTITY:
            nodes = [node for node in schema.meant_by(use) if node["name"] == name]
        choices.append(Choice(names_of(nodes, exact=False), score))
    return tuple(choices)


def _unmapped(program: Program, use: NameUse, candidates: Sequence[Candidate], schema: SourceSchema) -> UnmappedName:
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


# Generate, then retrieve


RETRIEVED = {
    "likeness": (0.75, 0.5),
    "bm25": (0.3, 0.2),
    "encoder": (0.5, 0.2),
    "merged": (0.4, 0.2),
}
"""Least score of an entity and of a relation, by the way of retrieval (docs/benchmarks.md). That of BM25 is a share of
the best score for the name."""

MAX_SCANNED = 5_000
"""Relationships of an entity that are looked at, in each direction."""

MAX_MEDIATORS = 200
"""Nodes without a name around the entities that are looked at."""

NAMELESS = r"/?[mg][./][0-9a-z_]{3,}|_:\S+"
"""The keys of nodes without a name, as in `cgstore.text.names.is_nameless`."""

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

# The normalised names of entities and values have an index with Lucene's BM25.
_BM25 = f"""\
UNWIND range(0, size($queries) - 1) AS place
WITH place WHERE $queries[place] <> ''
CALL (place) {{
  CALL db.index.fulltext.queryNodes('cg_node_text', $queries[place], {{limit: $looked_at}}) YIELD node AS n, score
  WHERE {IS_USED}
  RETURN n, score LIMIT $most
}}
RETURN place, n.key AS key, n.name AS name, score"""

_BY_VECTOR = f"""\
UNWIND range(0, size($vectors) - 1) AS place
CALL (place) {{
  UNWIND ['cg_entity_vector', 'cg_value_vector'] AS index
  CALL db.index.vector.queryNodes(index, $looked_at, $vectors[place]) YIELD node AS n, score
  WHERE {IS_USED}
  RETURN n, 2 * score - 1 AS score ORDER BY score DESC LIMIT $most
}}
RETURN place, n.key AS key, n.name AS name, score"""

FETCHED = 50
"""Nodes that each way fetches for a name."""

FAR = 0.3
"""Least score of a name that an error offers although it is too far off to be taken."""

LOOKED_AT = 200
"""Nodes that an index gives, to pass over those that the sources asked do not use."""


@dataclass(frozen=True)
class _Way:
    """Ranks the nodes for names in one way, with the encoder of the graph's vectors if the way needs it."""

    db: Database
    schema: SourceSchema
    name: str
    encoder: Callable[[], Encoder | None]

    def needed_encoder(self) -> Encoder:
        encoder = self.encoder()
        if encoder is None:
            problem = f"Retrieval by {self.name} needs the vectors of names."
            raise BadInput(problem, f"Run `cgstore embed`, or give {setting('retrieve')} likeness or bm25.")
        return encoder

    def entities(self, texts: Sequence[str], count: int) -> list[Scored]:
        """The nodes that each name of an entity may mean."""
        if self.name == "likeness":
            found = candidates_by_meaning(self.db, texts, self.schema.asked.sources, self.encoder, count)
            return list(map(_near, found))
        given = {"sources": list(self.schema.asked.sources), "most": FETCHED, "looked_at": LOOKED_AT}
        by_words = by_meaning = [dict[str, tuple[str, float]]() for _ in texts]
        if self.name in ("bm25", "merged"):
            queries = {"queries": [full_text_query(text) for text in texts]}
            by_words = list(map(_relative, _placed(self.db.read(_BM25, queries | given), len(texts))))
        if self.name in ("encoder", "merged"):
            vectors = self.needed_encoder().encode(texts).tolist()
            by_meaning = _placed(self.db.read(_BY_VECTOR, {"vectors": vectors} | given), len(texts))
        return [_joined(self.name, words, meaning) for words, meaning in zip(by_words, by_meaning, strict=True)]

    def relations(self, texts: Sequence[str], pools: Sequence[Sequence[dict[str, Any]]]) -> list[Scored]:
        """The relations that each name may mean, among those of its pool."""
        nodes = list({node["key"]: node for pool in pools for node in pool}.values())
        may_do_without = self.encoder() if self.name == "likeness" else None
        encoder = self.needed_encoder() if self.name in ("encoder", "merged") else may_do_without
        cosines = relation_cosines(self.db, nodes, texts, encoder)
        words = self._by_words(texts) if self.name in ("bm25", "merged") else [dict[str, float]() for _ in texts]
        return [
            self._ranked(text, pool, cosine, word)
            for text, pool, cosine, word in zip(texts, pools, cosines, words, strict=True)
        ]

    def _ranked(
        self, text: str, pool: Sequence[dict[str, Any]], cosines: dict[str, float], words: dict[str, float]
    ) -> Scored:
        names = {node["key"]: node["name"] for node in pool}
        if self.name == "likeness":
            return _near(relation_candidates(text, pool, cosines, len(pool)))
        by_words = _relative({key: (name, words[key]) for key, name in names.items() if words.get(key, 0.0) > 0})
        by_meaning = {key: (name, cosines[key]) for key, name in names.items() if key in cosines}
        return _joined(self.name, by_words, by_meaning)

    def _by_words(self, texts: Sequence[str]) -> list[dict[str, float]]:
        """The BM25 scores of all relations of the sources, by their keys: what a word is worth depends on all."""
        try:
            from rank_bm25 import BM25Plus
        except ImportError as error:
            raise BadInput("BM25 over relations needs rank-bm25.", "Install it: pip install 'cgstore[bm25]'") from error
        nodes = self.schema.owned
        ranking = BM25Plus([_words(node["name"]) for node in nodes])
        keys = [node["key"] for node in nodes]
        return [
            {key: float(score) for key, score in zip(keys, _above_none(ranking, _words(text)), strict=True)}
            for text in texts
        ]


def _above_none(ranking: Any, words: Sequence[str]) -> list[float]:
    """The scores above the one that BM25+ gives to a text with none of the words."""
    scores = ranking.get_scores(words)
    least = sum(ranking.idf.get(word, 0.0) * ranking.delta for word in words)
    return [max(0.0, float(score) - least) if least else float(score) for score in scores]


def _words(name: str) -> list[str]:
    return normal_form(as_words(name)).split()


def _placed(rows: Iterable[dict[str, Any]], count: int) -> list[Scored]:
    found: list[Scored] = [{} for _ in range(count)]
    for row in rows:
        found[row["place"]][row["key"]] = (row["name"], row["score"])
    return found


def _relative(scored: Scored) -> Scored:
    """The scores as shares of the best one."""
    best = max((score for _, score in scored.values()), default=0.0)
    return {key: (name, score / best) for key, (name, score) in scored.items()} if best > 0 else {}


def _joined(way: str, words: Scored, meaning: Scored) -> Scored:
    """Returns the ranking that the way asks for, or the mean of both."""
    if way == "bm25":
        return words
    if way == "encoder":
        return meaning
    both = words | meaning
    return {
        key: (name, (words.get(key, ("", 0.0))[1] + max(0.0, meaning.get(key, ("", 0.0))[1])) / 2)
        for key, (name, _) in both.items()
    }


def retrieved_names(
    db: Database,
    program: Program,
    schema: SourceSchema,
    resolution: Resolution,
    encoder: Callable[[], Encoder | None],
    options: QueryOptions,
    *,
    replaced: bool = False,
) -> list[UnknownName]:
    """The names of a program that are to be replaced, with what is retrieved for them.

    Args:
        db: the database.
        program: the parsed program.
        schema: the sources asked.
        resolution: the names that are known, and the uses of those that are not.
        encoder: returns the encoder that made the graph's vectors, or None.
        options: the way of retrieval, numbers and thresholds, and which names must exist.
        replaced: whether relations that exist may be replaced too.

    Raises:
        UnmappedName: a name must exist and does not, or nothing is retrieved for it.
        BadInput: the way of retrieval needs vectors or a package that is not there.
    """
    way = _Way(db, schema, options.retrieve or "likeness", encoder)
    unknown = _grouped(resolution.unknown)
    entities = [uses for uses in unknown if uses[0].role is NameRole.ENTITY]
    relations = [uses for uses in unknown if uses[0].role is not NameRole.ENTITY]
    if options.oracle_relations:
        relations = [uses for uses in relations if not _are_optional(uses)]
    missing = [*(entities if options.oracle_entities else ()), *(relations if options.oracle_relations else ())]
    if missing:
        raise _unmapped(program, missing[0][0], (), schema)
    known: list[tuple[NameUse, ...]] = _known_relations(program, schema, resolution) if replaced else []
    least, least_relation = _thresholds(way.name, options)
    found = []
    if entities:
        scored = way.entities([uses[0].literal.text for uses in entities], options.entity_k)
        found = [
            _retrieved(program, schema, uses, each, least, options.entity_k)
            for uses, each in zip(entities, scored, strict=True)
        ]
    if relations or known:
        near = _neighbourhood(db, schema, program, resolution, found)
        wanted = [*relations, *known]
        pools = [_pool(schema, uses, near, program) for uses in wanted]
        ranked = way.relations([uses[0].literal.text for uses in wanted], pools)
        for uses, pool, each in zip(wanted, pools, ranked, strict=True):
            own = resolution.names.get(uses[0].literal.place) if uses in known else None
            if own is None:
                there = sorted(node["name"] for node in pool if node["key"] in near)
                with suppress(UnmappedName) if _are_optional(uses) else nullcontext():
                    found.append(_retrieved(program, schema, uses, each, least_relation, options.relation_k, there))
                continue
            others = {key: value for key, value in sorted(each.items()) if value[0] not in own.names}
            choices = _choices(schema, uses[0], others, least_relation, options.relation_k - 1)
            error = _unmapped(program, uses[0], (), schema)
            found.append(UnknownName(uses, (Choice(own, 1.0), *choices), True, error, known=True))
    return _with_one_error(program, found)


def _thresholds(way: str, options: QueryOptions) -> tuple[float, float]:
    defaults = RETRIEVED[way]
    given = (options.entity_threshold, options.relation_threshold)
    entity, relation = (
        next(each for each in (one, options.threshold, default) if each is not None)
        for one, default in zip(given, defaults, strict=True)
    )
    return entity, relation


def _retrieved(
    program: Program,
    schema: SourceSchema,
    uses: tuple[NameUse, ...],
    scored: Scored,
    least: float,
    count: int,
    around: Sequence[str] = (),
) -> UnknownName:
    """A name with what is retrieved for it.

    Raises:
        UnmappedName: nothing is; the hint says what is closest, and which relations the entities have.
    """
    choices = _choices(schema, uses[0], dict(sorted(scored.items())), least, count)
    error = _unmapped(program, uses[0], (), schema)
    if not choices:
        best = [named for named in sorted(scored.values(), key=lambda named: -named[1]) if named[1] >= FAR]
        error.closest = tuple(dict.fromkeys(name for name, _ in best[:3]))
        said = [f"Closest: {', '.join(map(repr, error.closest))}."] if error.closest else []
        said += [f"The relations around the entities: {some_of(list(dict.fromkeys(around)), 5)}."] if around else []
        error.hint = " ".join(said) or error.hint
        raise error
    return UnknownName(uses, choices, False, error)


def _with_one_error(program: Program, found: list[UnknownName]) -> list[UnknownName]:
    """All unknown names with one error, for the case that no combination of what is retrieved has an answer."""
    unknown = [each for each in found if not each.known]
    if not unknown:
        return found
    problem = ", ".join(f"no {each.uses[0].role} is named '{each.uses[0].literal.text}'" for each in unknown)
    problem += ", and the program has no answer with the nearest names"
    tried = (
        f"{some_of([choice.names.names[0] for choice in each.choices])} for '{each.uses[0].literal.text}'"
        for each in unknown
    )
    error = UnmappedName(problem, program.text, unknown[0].uses[0].literal.place, f"Tried: {'; '.join(tried)}.")
    return [each if each.known else replace(each, error=error) for each in found]


def _known_relations(program: Program, schema: SourceSchema, resolution: Resolution) -> list[tuple[NameUse, ...]]:
    """The relations of a program that exist, by name; built-in keys are never replaced."""
    uses = [
        use
        for use in name_uses(program)
        if use.role is not NameRole.ENTITY and use.literal.place in resolution.names and use.is_sought
    ]
    return [some for some in _grouped(uses) if not (some[0].role is NameRole.KEY and schema.built_in_keys(some[0]))]


def _neighbourhood(
    db: Database, schema: SourceSchema, program: Program, resolution: Resolution, found: Sequence[UnknownName]
) -> set[str]:
    """The keys of the relations around the entities of a program: those that it names, and those retrieved."""
    known = [
        node.key
        for use in name_uses(program)
        if use.role is NameRole.ENTITY and use.literal.place in resolution.names
        for node in resolution.names[use.literal.place].nodes
    ]
    retrieved = [node.key for each in found for choice in each.choices for node in choice.names.nodes]
    keys = list(dict.fromkeys([*known, *retrieved]))
    if not keys:
        return set()
    limits = {"scanned": MAX_SCANNED, "mediators": MAX_MEDIATORS, "nameless": NAMELESS}
    (row,) = db.read(_AROUND, {"keys": keys, "sources": list(schema.asked.sources), **limits})
    return {*row["near"], *row["beyond"]}


def _pool(schema: SourceSchema, uses: Sequence[NameUse], near: set[str], program: Program) -> list[dict[str, Any]]:
    """The relations among which a name is sought: near ones if its calls have an entity, else all of them too."""
    every = schema.meant_by(uses[0])
    around = [node for node in every if node["key"] in near or not node["is_relation"]]
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
    others = [c.names.names[0] for c in unknown.choices if c is not choice and c.score >= choice.score - AMBIGUOUS]
    resolution.warnings.append(nearest_warning(unknown.uses[0], name, others[:3]))
