"""Generate, then retrieve: the names that an LLM imagined are replaced by those of the graph (ChatKBQA, section 3.4).

Entities come first. Then relations are ranked among those in the neighbourhood of the entities: one step away, or two
through a mediator, a node without a name that joins the parts of one fact. So a graph of thousands of relations costs
no more than a small one. `cgstore.mapping.fuzzy.disambiguate` tries the combinations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cgstore.catalog.snapshot import SourceSchema, names_of
from cgstore.cypher.connection import Database
from cgstore.embedding.vectors import as_words
from cgstore.errors import BadInput
from cgstore.mapping.candidates import (
    entity_candidates,
    full_text_query,
    is_sure,
    relation_candidates,
    relation_cosines,
)
from cgstore.mapping.fuzzy import Choice, UnknownName, UnmappedName, grouped, unmapped
from cgstore.mapping.resolve import Resolution
from cgstore.options import QueryOptions
from cgstore.query.ast import Literal, Place, Program
from cgstore.query.name_uses import NameRole, NameUse, name_uses
from cgstore.text.names import normal_form, some_of

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder

THRESHOLDS = {
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
_BM25 = """\
UNWIND range(0, size($queries) - 1) AS place
WITH place WHERE $queries[place] <> ''
CALL (place) {
  CALL db.index.fulltext.queryNodes('cg_node_text', $queries[place], {limit: $looked_at}) YIELD node AS n, score
  WHERE EXISTS { (n)-[h:CG_HAS]->() WHERE h.source IN $sources }
    OR EXISTS { (n)<-[v:CG_VALUE]-() WHERE v.source IN $sources }
  RETURN n, score LIMIT $most
}
RETURN place, n.key AS key, n.name AS name, score"""

_BY_VECTOR = """\
UNWIND range(0, size($vectors) - 1) AS place
CALL (place) {
  UNWIND ['cg_entity_vector', 'cg_value_vector'] AS index
  CALL db.index.vector.queryNodes(index, $looked_at, $vectors[place]) YIELD node AS n, score
  WHERE EXISTS { (n)-[h:CG_HAS]->() WHERE h.source IN $sources }
    OR EXISTS { (n)<-[v:CG_VALUE]-() WHERE v.source IN $sources }
  RETURN n, 2 * score - 1 AS score ORDER BY score DESC LIMIT $most
}
RETURN place, n.key AS key, n.name AS name, score"""

FETCHED = 50
"""Nodes that each way fetches for a name."""

FAR = 0.3
"""Least score of a name that an error offers although it is too far off to be taken."""

LOOKED_AT = 200
"""Nodes that an index gives, to pass over those that the sources asked do not use."""

Scored = dict[str, tuple[str, float]]
"""The names and scores of nodes, by their keys."""


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
            raise BadInput(problem, "Run `cgstore embed`, or give --retrieve likeness or bm25.")
        return encoder

    def entities(self, texts: Sequence[str], count: int) -> list[Scored]:
        """The nodes that each name of an entity may mean."""
        if self.name == "likeness":
            return self._alike(texts, count)
        given = {"sources": list(self.schema.asked.sources), "most": FETCHED, "looked_at": LOOKED_AT}
        by_words = by_meaning = [dict[str, tuple[str, float]]() for _ in texts]
        if self.name in ("bm25", "merged"):
            queries = {"queries": [full_text_query(text) for text in texts]}
            by_words = list(map(_relative, _placed(self.db.read(_BM25, queries | given), len(texts))))
        if self.name in ("encoder", "merged"):
            vectors = self.needed_encoder().encode(texts).tolist()
            by_meaning = _placed(self.db.read(_BY_VECTOR, {"vectors": vectors} | given), len(texts))
        return [_joined(self.name, words, meaning) for words, meaning in zip(by_words, by_meaning, strict=True)]

    def _alike(self, texts: Sequence[str], count: int) -> list[Scored]:
        found = entity_candidates(self.db, texts, self.schema.asked.sources, None, count)
        unsure = [place for place, candidates in enumerate(found) if not is_sure(candidates)]
        if unsure and (encoder := self.encoder()):
            wanted = [texts[place] for place in unsure]
            again = entity_candidates(self.db, wanted, self.schema.asked.sources, encoder.encode(wanted), count)
            for place, candidates in zip(unsure, again, strict=True):
                found[place] = candidates
        return [{c.key: (c.name, c.parts.near) for c in candidates if not c.another} for candidates in found]

    def relations(self, texts: Sequence[str], pools: Sequence[Sequence[dict[str, Any]]]) -> list[Scored]:
        """The relations that each name may mean, among those of its pool."""
        nodes = list({node["key"]: node for pool in pools for node in pool}.values())
        cosines: list[dict[str, float]] = [{} for _ in texts]
        if self.name == "likeness" and (encoder := self.encoder()):
            cosines = relation_cosines(self.db, nodes, texts, encoder)
        elif self.name in ("encoder", "merged"):
            cosines = relation_cosines(self.db, nodes, texts, self.needed_encoder())
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
            found = relation_candidates(text, pool, cosines, len(pool))
            return {c.key: (c.name, c.parts.near) for c in found if not c.another}
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
    """Of the two rankings, the one that the way asks for, or the mean of both scores."""
    if way == "bm25":
        return words
    if way == "encoder":
        return meaning
    both = words | meaning
    return {
        key: (name, (words.get(key, ("", 0.0))[1] + max(0.0, meaning.get(key, ("", 0.0))[1])) / 2)
        for key, (name, _) in both.items()
    }


# The names of a program -----------------------------------------------------------------------------------------------


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
    unknown = grouped(resolution.unknown)
    entities = [uses for uses in unknown if uses[0].role is NameRole.ENTITY]
    relations = [uses for uses in unknown if uses[0].role is not NameRole.ENTITY]
    if options.oracle_relations:
        relations = [uses for uses in relations if not _is_optional(uses)]
    missing = [*(entities if options.oracle_entities else ()), *(relations if options.oracle_relations else ())]
    if missing:
        raise unmapped(program, missing[0][0], (), schema)
    known: list[tuple[NameUse, ...]] = _known_relations(program, schema, resolution) if replaced else []
    least, least_relation = _thresholds(way.name, options)
    found = []
    if entities:
        scored = way.entities([uses[0].literal.text for uses in entities], options.entity_k)
        found = [
            _unknown(program, schema, uses, each, least, options.entity_k)
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
                with suppress(UnmappedName) if _is_optional(uses) else nullcontext():
                    found.append(_unknown(program, schema, uses, each, least_relation, options.relation_k, there))
                continue
            others = {key: value for key, value in each.items() if value[0] not in own.names}
            choices = _choices(schema, uses[0], others, least_relation, options.relation_k - 1)
            error = unmapped(program, uses[0], (), schema)
            found.append(UnknownName(uses, (Choice(own, 1.0), *choices), True, error, known=True))
    return _with_one_error(program, found)


def _is_optional(uses: Sequence[NameUse]) -> bool:
    return all(use.optional for use in uses)


def _thresholds(way: str, options: QueryOptions) -> tuple[float, float]:
    defaults = THRESHOLDS[way]
    given = (options.entity_threshold, options.relation_threshold)
    entity, relation = (
        next(each for each in (one, options.threshold, default) if each is not None)
        for one, default in zip(given, defaults, strict=True)
    )
    return entity, relation


def _unknown(
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
    choices = _choices(schema, uses[0], scored, least, count)
    error = unmapped(program, uses[0], (), schema)
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


def _choices(schema: SourceSchema, use: NameUse, scored: Scored, least: float, count: int) -> tuple[Choice, ...]:
    """The best names over a threshold, each with all nodes of its name, since each source has its own relation."""
    best: dict[str, tuple[str, float]] = {}
    for key, (name, score) in sorted(scored.items(), key=lambda item: (-item[1][1], item[1][0])):
        if score >= least and len(best) < count:
            best.setdefault(name, (key, score))
    choices = []
    for name, (key, score) in best.items():
        nodes = [{"key": key, "name": name}]
        if use.role is not NameRole.ENTITY:
            nodes = [node for node in schema.meant_by(use) if node["name"] == name]
        choices.append(Choice(names_of(nodes, exact=False), score))
    return tuple(choices)


def _known_relations(program: Program, schema: SourceSchema, resolution: Resolution) -> list[tuple[NameUse, ...]]:
    """The relations of a program that exist, by name; built-in keys are never replaced."""
    uses = [
        use
        for use in name_uses(program)
        if use.role is not NameRole.ENTITY and use.literal.place in resolution.names and use.is_sought
    ]
    return [some for some in grouped(uses) if not (some[0].role is NameRole.KEY and schema.built_in_keys(some[0]))]


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
