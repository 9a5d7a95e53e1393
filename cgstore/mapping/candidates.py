"""Which nodes a name may mean: fetched by key, normalised form, full text and vector, then ranked.

Each way finds what the others miss, and each alone is too generous: so what they fetch is ranked by one score, whose
parts are kept (`cgstore.text.ranking`). All names are sought in one trip; those for which it brought nothing that is
spelt alike, in a second one, by the ways that cost most: words with two letters mistyped, and the vector indexes.

Entities and values are sought in the graph; relations and keys are few, and all of those of the sources asked are
ranked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cgstore.cypher.connection import Database
from cgstore.text.names import apart, normal_form, relation_forms, relation_styles, shared_key
from cgstore.text.numerals import other_number, with_digits
from cgstore.text.ranking import MEANING_ALONE, Parts, likeness, relation_likeness

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors

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
    parts: Parts
    degree: int = 0
    another: bool = False


def is_sure(candidates: Sequence[Candidate]) -> bool:
    """Whether the first one is so like a name that it is sought no further."""
    return bool(candidates) and not candidates[0].another and candidates[0].score >= SURE


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
