"""Which nodes a name may mean: fetched by key, normalised form, full text and vector in one trip, then ranked.

Each way finds what the others miss, and each alone is too generous: so what they fetch is ranked by one score, whose
parts are kept (`cgstore.mapping.ranking`). Entities and values are sought in the graph; relations and keys are few, and
all of those of the sources asked are ranked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cgstore.cypher.connection import Database
from cgstore.mapping.ranking import Parts, likeness, relation_likeness
from cgstore.names import normal_form, relation_forms, relation_styles, shared_key

if TYPE_CHECKING:
    from cgstore.mapping.encoder import Vectors

FETCHED = 50
"""How many nodes full text and vectors give each for one name: more than are wanted, since they are ranked anew."""

NEIGHBOURS = 200
"""How many a vector index is asked for: so many does it look at, and it may miss what is near among fewer."""

MAX_WORDS = 12
"""Words of a name that full text is asked for, the longest ones."""

_FETCH = """\
UNWIND range(0, size($names) - 1) AS place
WITH place, $names[place] AS name
CALL (name) {
  MATCH (n:Node {key: name.key})
  RETURN n, 'exact' AS how
  UNION
  MATCH (n:Node {normal: name.form})
  USING INDEX SEEK n:Node(normal)
  RETURN n, 'normalised' AS how
  UNION
  WITH name WHERE name.words <> ''
  CALL db.index.fulltext.queryNodes('node_text', name.words, {limit: $fetched}) YIELD node
  RETURN node AS n, 'full text' AS how
"""

_BY_VECTOR = """\
  UNION
  WITH name WHERE name.vector IS NOT NULL
  UNWIND ['entity_vector', 'value_vector'] AS index
  CALL db.index.vector.queryNodes(index, $neighbours, name.vector) YIELD node, score
  WITH node, score ORDER BY score DESC LIMIT $fetched
  RETURN node AS n, 'vector' AS how
"""

_COLLECT = """\
}
WITH place, n, collect(how) AS hows
WHERE n.source IS NULL AND ($sources IS NULL OR
  EXISTS { (n)-[h:HAS]->() WHERE h.source IN $sources } OR EXISTS { (n)<-[v:VALUE]-() WHERE v.source IN $sources })
RETURN place, collect({key: n.key, name: n.name, form: n.normal, hows: hows, degree: COUNT { (n)--() },
  cosine: CASE WHEN n.vector IS NULL OR $names[place].vector IS NULL THEN null
    ELSE 2 * vector.similarity.cosine(n.vector, $names[place].vector) - 1 END}) AS found
"""

BY_SPELLING = _FETCH + _COLLECT
BY_SPELLING_AND_MEANING = _FETCH + _BY_VECTOR + _COLLECT

_COSINES = """\
UNWIND $keys AS key
MATCH (n:Node {key: key})
WHERE n.vector IS NOT NULL
RETURN key, [vector IN $vectors | 2 * vector.similarity.cosine(n.vector, vector) - 1] AS cosines"""

_ORDER = ("exact", "normalised")


@dataclass(frozen=True)
class Candidate:
    """A node that a name may mean; `how` it was found, its `score` in [0, 1] and what that was made of.

    `degree` counts its relationships, and decides between equal scores.
    """

    key: str
    name: str
    how: str
    score: float
    parts: Parts
    degree: int = 0


def entity_candidates(
    db: Database,
    names: Sequence[str],
    sources: Sequence[str] | None = None,
    vectors: Vectors | None = None,
    top: int = 10,
) -> list[list[Candidate]]:
    """The entities and values that each name may mean, the best first, all in one round trip.

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
    statement = BY_SPELLING if vectors is None else BY_SPELLING_AND_MEANING
    found = db.read(statement, {"names": rows, "sources": asked, "fetched": FETCHED, "neighbours": NEIGHBOURS})
    by_place = {row["place"]: row["found"] for row in found}
    return [_ranked(name, by_place.get(place, ()), top) for place, name in enumerate(names)]


def relation_cosines(db: Database, keys: Sequence[str], vectors: Vectors) -> list[dict[str, float]]:
    """For each vector, shape (n, dimensions), the cosine with each node of these keys that has a vector, by its key."""
    rows = db.read(_COSINES, {"keys": list(keys), "vectors": vectors.tolist()})
    return [{row["key"]: row["cosines"][place] for row in rows} for place in range(len(vectors))]


def relation_candidates(
    name: str, nodes: Iterable[dict[str, Any]], cosines: dict[str, float] | None = None, top: int = 10
) -> list[Candidate]:
    """The relations or keys among some nodes that a name may mean, the best first; `cosines` by their keys."""
    forms, styles = relation_forms(name), relation_styles(name)
    found = []
    for node in nodes:
        meaning = (cosines or {}).get(node["key"])
        parts = relation_likeness(styles, relation_styles(node["name"]), meaning)
        same = "normalised" if forms & relation_forms(node["name"]) else "nearest"
        how = "exact" if node["name"] == name else same
        found.append(Candidate(node["key"], node["name"], how, 1.0 if how == "exact" else parts.score, parts))
    return _best(found, top)


def full_text_query(name: str) -> str:
    """What full text is asked for: the name's words, each also with a letter or two mistyped.

    The words of a normal form have letters and digits only, so that no sign of the query's own syntax is among them.
    """
    words = [word for word in normal_form(name).split() if word.replace("_", "").isalnum()]
    return " ".join(map(_word_query, sorted(words, key=len, reverse=True)[:MAX_WORDS]))


def _word_query(word: str) -> str:
    edits = 0 if len(word) < 4 else 1 if len(word) < 6 else 2
    return f"{word}^3 {word}~{edits}" if edits else word


def _ranked(name: str, found: Iterable[dict[str, Any]], top: int) -> list[Candidate]:
    form = normal_form(name)
    candidates = []
    for node in found:
        parts = likeness(form, node["form"], node["cosine"])
        how = next((how for how in _ORDER if how in node["hows"]), node["hows"][0])
        score = 1.0 if how == "exact" else parts.score
        candidates.append(Candidate(node["key"], node["name"], how, score, parts, node["degree"]))
    return _best(candidates, top)


def _best(candidates: Iterable[Candidate], top: int) -> list[Candidate]:
    """Exact names first, then by score; of equals what is linked more often, then by name."""
    order = sorted(candidates, key=lambda c: (c.how != "exact", -c.score, -c.degree, c.name))
    return order[:top]
