"""Which nodes a name may mean: fetched by key, normalised form, full text and vector, then ranked.

Each way finds what the others miss, and each alone is too generous: so what they fetch is ranked by one score, whose
parts are kept (`cgstore.text.likeness`). All names are sought in one trip; those for which it brought nothing that is
spelt alike, in a second one, by the ways that cost most: words with two letters mistyped, and the vector indexes.

Entities and values are sought in the graph; relations and keys are few, and all of those of the sources asked are
ranked.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from cgstore.catalog.snapshot import read_snapshot
from cgstore.cypher.connection import Database
from cgstore.embedding.vectors import as_words, check_encoder
from cgstore.errors import BadInput
from cgstore.text.likeness import MEANING_ALONE, Likeness, likeness, relation_likeness
from cgstore.text.names import LABELS, apart, normal_form, relation_forms, relation_styles, shared_key
from cgstore.text.numerals import other_number, with_digits

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder, Vectors

FETCHED = 20
"""How many nodes full text gives for one name: more than are wanted, since they are ranked anew. Measured: as right as
50, in half the time."""

FURTHER = 50
"""How many full text and vectors give each in the second trip."""

LOOKED_AT = 2_000
"""Of so many that full text finds, those that the sources asked do not use are passed over, in the second trip."""

NEIGHBOURS = 200
"""How many a vector index is asked for: so many does it look at, and it may miss what is near among fewer."""

MAX_WORDS = 12
"""Words of a name that full text is asked for, the longest ones."""

SURE = MEANING_ALONE
"""From this score on a name is sought no further: what is like it by meaning alone could not come before."""

_USED = """n.source IS NULL AND ($sources IS NULL OR
    EXISTS { (n)-[h:CG_HAS]->() WHERE h.source IN $sources }
    OR EXISTS { (n)<-[v:CG_VALUE]-() WHERE v.source IN $sources })"""

_BY_SPELLING = f"""\
  MATCH (n:CgNode {{key: name.key}})
  USING INDEX SEEK n:CgNode(key)
  WHERE {_USED}
  RETURN n, 'exact' AS how
  UNION
  MATCH (n:CgNode {{normal: name.form}})
  USING INDEX SEEK n:CgNode(normal)
  WHERE {_USED}
  RETURN n, 'normalised' AS how
  UNION
"""

# Whatever the sources asked do not use is passed over before the best are taken: a small source's names are few among
# those of a large one.
_BY_WORDS = f"""\
  WITH name WHERE name.words <> ''
  CALL db.index.fulltext.queryNodes('cg_node_text', name.words, {{limit: $looked_at}}) YIELD node AS n
  WHERE {_USED}
  RETURN n, 'full text' AS how LIMIT $fetched
"""

_BY_VECTOR = f"""\
  UNION
  WITH name WHERE name.vector IS NOT NULL
  UNWIND ['cg_entity_vector', 'cg_value_vector'] AS index
  CALL db.index.vector.queryNodes(index, $neighbours, name.vector) YIELD node AS n, score
  WHERE {_USED}
  WITH n, score ORDER BY score DESC LIMIT $fetched
  RETURN n, 'vector' AS how
"""


def _statement(*ways: str) -> str:
    """Rows (place of the name, what its ways found for it)."""
    return f"""\
UNWIND range(0, size($names) - 1) AS place
WITH place, $names[place] AS name
CALL (name) {{
{"".join(ways)}}}
WITH place, n, collect(how) AS hows
RETURN place, collect({{key: n.key, name: n.name, form: n.normal, hows: hows, degree: COUNT {{ (n)--() }},
  cosine: CASE WHEN n.vector IS NULL OR $names[place].vector IS NULL THEN null
    ELSE 2 * vector.similarity.cosine(n.vector, $names[place].vector) - 1 END}}) AS found
"""


BY_SPELLING = _statement(_BY_SPELLING, _BY_WORDS)
BY_FURTHER_SPELLING = _statement(_BY_WORDS)
BY_FURTHER_SPELLING_AND_MEANING = _statement(_BY_WORDS, _BY_VECTOR)

_COSINES = """\
UNWIND $keys AS key
MATCH (n:CgNode {key: key})
USING INDEX SEEK n:CgNode(key)
WHERE n.vector IS NOT NULL
RETURN key, [vector IN $vectors | 2 * vector.similarity.cosine(n.vector, vector) - 1] AS cosines"""

_ORDER = ("exact", "normalised")


@dataclass(frozen=True)
class Candidate:
    """A node that a name may mean; `how` it was found, its `score` in [0, 1] and what that was made of.

    `degree` counts its relationships, and decides between equal scores. `another`: it differs in a number, so that it
    is never taken for the name, however alike the two are (`cgstore.text.numerals`).
    """

    key: str
    name: str
    how: str
    score: float
    parts: Likeness
    degree: int = 0
    another: bool = False


def is_sure(candidates: Sequence[Candidate]) -> bool:
    """Whether the first one is so like a name that it is sought no further."""
    return bool(candidates) and not candidates[0].another and candidates[0].score >= SURE


def name_candidates(
    db: Database, names: Sequence[str], role: str, sources: Sequence[str] | None, top: int, encoder: Encoder | None
) -> list[tuple[str, list[Candidate]]]:
    """Each name with its candidates; see `cgstore.store.Store.map`."""
    if role not in ("entity", "relation", "key"):
        raise BadInput(f"There is no role {role!r}.", "Give entity (or value), relation or key.")
    schema = read_snapshot(db, (), sources).schema
    if encoder is not None:
        check_encoder(db, encoder)
    vectors = encoder.encode([name if role == "entity" else as_words(name) for name in names]) if encoder else None
    if role == "entity":
        found = entity_candidates(db, names, schema.asked.sources, vectors, top)
        return list(zip(names, found, strict=True))
    nodes = [node for node in schema.owned if node["is_relation" if role == "relation" else "is_key"]]
    keys = [node["key"] for node in nodes]
    cosines = [{}] * len(names) if vectors is None else relation_cosines(db, keys, vectors)
    return [(name, relation_candidates(name, nodes, c, top)) for name, c in zip(names, cosines, strict=True)]


def entity_candidates(
    db: Database,
    names: Sequence[str],
    sources: Sequence[str] | None = None,
    vectors: Vectors | None = None,
    top: int = 10,
) -> list[list[Candidate]]:
    """The entities and values that each name may mean, the best first, all in one round trip, or in two.

    Args:
        db: the database.
        names: as programs have them.
        sources: stored names of the sources asked: only what they use is found; None: what any does.
        vectors: the names' vectors, shape (len(names), dimensions), by the encoder that made those in the graph; None:
            by spelling only.
        top: most candidates for a name.
    """
    if not names:
        return []
    rows = [
        {"key": shared_key(name), "form": normal_form(name), "words": full_text_query(name), "vector": vector}
        for name, vector in zip(names, [None] * len(names) if vectors is None else vectors.tolist(), strict=True)
    ]
    asked = None if sources is None else list(sources)
    found = _fetched(db, BY_SPELLING, rows, asked, min(max(top, FETCHED), FURTHER))
    ranked = [_ranked(name, nodes, top) for name, nodes in zip(names, found, strict=True)]
    unsure = [place for place, best in enumerate(ranked) if not is_sure(best)]
    if unsure:
        further = [rows[place] | {"words": full_text_query(names[place], further=True)} for place in unsure]
        statement = BY_FURTHER_SPELLING if vectors is None else BY_FURTHER_SPELLING_AND_MEANING
        for place, nodes in zip(unsure, _fetched(db, statement, further, asked, FURTHER, LOOKED_AT), strict=True):
            ranked[place] = _ranked(names[place], [*found[place], *nodes], top)
    return ranked


def _fetched(
    db: Database,
    statement: str,
    rows: Sequence[dict[str, Any]],
    sources: list[str] | None,
    most: int,
    looked_at: int | None = None,
) -> list[list[dict[str, Any]]]:
    """What a statement finds for each of the names: `most` by each way, of `looked_at` by full text."""
    limits = {"fetched": most, "looked_at": looked_at or most, "neighbours": NEIGHBOURS}
    by_place = {row["place"]: row["found"] for row in db.read(statement, {"names": rows, "sources": sources, **limits})}
    return [by_place.get(place, []) for place in range(len(rows))]


def relation_cosines(db: Database, keys: Sequence[str], vectors: Vectors) -> list[dict[str, float]]:
    """For each vector, shape (n, dimensions), the cosine with each node of these keys that has a vector, by its key."""
    rows = db.read(_COSINES, {"keys": list(keys), "vectors": vectors.tolist()})
    return [{row["key"]: row["cosines"][place] for row in rows} for place in range(len(vectors))]


def relation_candidates(
    name: str, nodes: Iterable[dict[str, Any]], cosines: dict[str, float] | None = None, top: int = 10
) -> list[Candidate]:
    """The relations or keys among some nodes that a name may mean, the best first; `cosines` by their keys."""
    forms = relation_forms(name)
    found = []
    for node in nodes:
        meaning = (cosines or {}).get(node["key"])
        asked, other = apart(name, node["name"])
        styles, others = relation_styles(asked), relation_styles(other)
        parts = relation_likeness(styles, others, meaning)
        same = "normalised" if forms & relation_forms(node["name"]) else "nearest"
        how = "exact" if node["name"] == name else same
        another = same == "nearest" and all(
            other_number(one, style, may_lack=True) for one in styles for style in others
        )
        score = 1.0 if how == "exact" else parts.score
        found.append(Candidate(node["key"], node["name"], how, score, parts, another=another))
    return _best(found, top)


def full_text_query(name: str, further: bool = False) -> str:
    """What full text is asked for: the name's words, each also with a letter mistyped; `further`: long ones with two.

    The words of a normal form have letters and digits only, so that no sign of the query's own syntax is among them.
    """
    words = [word for word in normal_form(name).split() if word.replace("_", "").isalnum()]
    edits = 2 if further else 1
    return " ".join(_word_query(word, edits) for word in sorted(words, key=len, reverse=True)[:MAX_WORDS])


def _word_query(word: str, most: int) -> str:
    edits = 0 if len(word) < 4 else 1 if len(word) < 6 else most
    return f"{word}^3 {word}~{edits}" if edits else word


def _ranked(name: str, found: Iterable[dict[str, Any]], top: int) -> list[Candidate]:
    candidates: dict[str, Candidate] = {}
    form, digits = normal_form(name), with_digits(name)
    for node in found:
        if node["key"] in candidates:
            continue  # found by both trips
        parts = likeness(form, node["form"], node["cosine"])
        if digits and (others := with_digits(node["name"])):
            parts = max(parts, likeness(digits, others, node["cosine"]), key=lambda each: each.score)
        how = next((how for how in _ORDER if how in node["hows"]), node["hows"][0])
        score = 1.0 if how == "exact" else parts.score
        another = how != "exact" and other_number(name, node["name"])
        candidates[node["key"]] = Candidate(node["key"], node["name"], how, score, parts, node["degree"], another)
    return _best(candidates.values(), top)


def _best(candidates: Iterable[Candidate], top: int) -> list[Candidate]:
    """Exact names first, other numbers last, by score; of equals what is linked more often, then by name."""
    order = sorted(candidates, key=lambda c: (c.how != "exact", c.another, -c.score, -c.degree, c.name))
    return order[:top]


LIKE = 0.6
"""Least score of a name that is offered."""


def closest_names(db: Database, text: str, sources: Sequence[str] | None = None, count: int = 3) -> tuple[str, ...]:
    """The names of entities and values that are spelt most like a text, the most alike first; () if none is near.

    Args:
        db: the database.
        text: the unknown name.
        sources: only names that these sources use; of all when None.
        count: most names given.
    """
    (found,) = entity_candidates(db, [text], sources, top=count)
    return tuple(candidate.name for candidate in found if candidate.score >= LIKE)


# Nodes in use

MAX_RELATIONS = 500
"""Under so many relations a node is sought; beyond, it counts as used."""

# By the index of (node1, node2) and not by the node's relationships: a country may have a hundred thousand.
_IN_USE = """\
UNWIND range(0, size($pairs) - 1) AS number
WITH number, $pairs[number] AS pair
WHERE EXISTS {
    MATCH (n:CgNode {key: pair[0]})-[h:CG_HAS]->() USING INDEX SEEK n:CgNode(key)
    WHERE pair[2] AND h.source IN $sources
  }
  OR EXISTS {
    UNWIND pair[1] AS relation
    MATCH ()-[v:CG_VALUE {node1: relation, node2: pair[0]}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)
  }
RETURN number"""


# Of a node of other sources all relationships are looked at: asked only where there is no answer.
_ELSEWHERE = """\
UNWIND $keys AS key
MATCH (n:CgNode {key: key})
USING INDEX SEEK n:CgNode(key)
WHERE NOT EXISTS { (n)-[h:CG_HAS]->() WHERE h.source IN $sources }
  AND NOT EXISTS { (n)<-[v:CG_VALUE]-() WHERE v.source IN $sources }
RETURN n.name AS name ORDER BY name"""


class Placement(NamedTuple):
    """A node that a name may mean, the relations under which it would be sought, and whether as a head too."""

    key: str
    relations: tuple[str, ...]
    as_head: bool


def nodes_in_use(db: Database, candidates: Iterable[Placement], sources: Iterable[str]) -> set[Placement]:
    """Those candidates that are heads in these sources, or values under one of their relations, in one round trip."""
    known = list(dict.fromkeys(candidates))
    sought = [c for c in known if len(c.relations) <= MAX_RELATIONS]
    if not sought:
        return set(known)
    pairs = [[c.key, list(c.relations), c.as_head] for c in sought]
    rows = db.read(_IN_USE, {"pairs": pairs, "sources": list(sources)})
    return {sought[row["number"]] for row in rows} | (set(known) - set(sought))


def names_only_elsewhere(db: Database, names: Iterable[str], sources: Iterable[str]) -> list[str]:
    """Those names of entities and values that only other sources have, in one round trip."""
    keys = sorted({shared_key(name) for name in names})
    return [row["name"] for row in db.read(_ELSEWHERE, {"keys": keys, "sources": list(sources)})] if keys else []


# Labels and IRIs

MAX_LABELLED = 100
"""Most nodes of one label that are meant."""

NAMING = (
    *LABELS,
    "http://www.w3.org/2004/02/skos/core#altLabel",
    "http://schema.org/alternateName",
    "https://schema.org/alternateName",
)
"""The IRIs of the relations whose values are names of their head."""

_LABELLED = """\
MATCH (r:CgRelation) WHERE r.source IN $sources AND r.iri IN $naming
UNWIND $keys AS key
CALL (r, key) {
  MATCH ()-[v:CG_VALUE {node1: r.key, node2: key}]->(label) USING INDEX SEEK v:CG_VALUE(node1, node2)
  MATCH (n:CgNode {key: v.head}) USING INDEX SEEK n:CgNode(key)
  RETURN DISTINCT n, label:CgEntity AS entity LIMIT $most
}
RETURN key, entity, n.key AS node, n.name AS name, COUNT { (n)--() } AS degree
ORDER BY name"""

_BY_IRI = """\
MATCH (r:CgRelation) WHERE r.source IN $sources AND r.iri IS NOT NULL
CALL (r) {
  MATCH (n)-[h:CG_HAS]->(r) WHERE h.iri = $iri OR any(ending IN $endings WHERE h.iri ENDS WITH ending)
  RETURN n LIMIT $most
  UNION
  MATCH (r)-[v:CG_VALUE]->(n) WHERE v.iri = $iri OR any(ending IN $endings WHERE v.iri ENDS WITH ending)
  RETURN n LIMIT $most
}
RETURN DISTINCT n.key AS key, n.name AS name ORDER BY name LIMIT $most"""

_IRI = re.compile(r"<?([A-Za-z][\w+.-]*:\S+?)>?")
_PREFIXED = re.compile(r"[A-Za-z][\w.-]*:([^\s/:#]+)")


def labelled(db: Database, keys: Iterable[str], sources: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """The nodes that have a label, by the label's key, in one round trip.

    They are maps of `key`, `name` and `degree`; `entity` says whether the label itself is the name of an entity too.
    """
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    given = {"keys": sorted(set(keys)), "sources": list(sources), "naming": list(NAMING), "most": MAX_LABELLED}
    for row in db.read(_LABELLED, given) if given["keys"] else ():
        node = {"key": row["node"], "name": row["name"], "entity": row["entity"], "degree": row["degree"]}
        if node not in found[row["key"]]:
            found[row["key"]].append(node)
    return dict(found)


def nodes_of_iri(db: Database, text: str, sources: Sequence[str]) -> tuple[list[dict[str, Any]], str]:
    """The nodes of an IRI, with `<` and `>` or not, and `iri`; or those of a name such as `wd:Q64`, and `prefix`.

    A prefix may stand for anything: only what follows it is looked at.
    """
    match = _IRI.fullmatch(text.strip())
    if match is None:
        return [], ""
    local = _PREFIXED.fullmatch(match[1])
    endings = [f"/{local[1]}", f"#{local[1]}"] if local else []
    given = {"sources": list(sources), "iri": match[1], "endings": endings, "most": MAX_LABELLED}
    return db.read(_BY_IRI, given), "prefix" if local else "iri"
