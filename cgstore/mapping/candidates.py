"""The nodes that a name may mean: fetched by key, normalised form, full text and vector, then ranked.

Each way finds nodes that the others miss, and each alone is too generous. So one score ranks all that they fetch, and
keeps its parts (`cgstore.text.likeness`). One round trip looks up all names. A second one looks up the names without a
similar node by the ways that cost most: words with two letters mistyped, and the vector indexes.

Entities and values are looked up in the graph. Relations and keys are few: all those of the sources asked are ranked.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

from cgstore.catalog.snapshot import read_snapshot
from cgstore.cypher.connection import Database
from cgstore.embedding.vectors import as_words, check_encoder, vector_origin
from cgstore.errors import BadInput
from cgstore.text.contrasts import contrary, other_relation
from cgstore.text.likeness import MEANING_ALONE, Likeness, likeness, other_number, relation_likeness, with_digits
from cgstore.text.names import (
    LABELS,
    distinguishing_parts,
    have_other_domains,
    normal_form,
    properties_of,
    relation_forms,
    relation_styles,
    shared_key,
)

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder, Vectors

FETCHED = 20
"""Nodes that full text returns for one name: more than are wanted, since they are ranked again. Measured: the results
are as good as with 50, in half the time."""

FURTHER = 50
"""Nodes that full text and vectors return each in the second trip."""

LOOKED_AT = 2_000
"""Nodes that full text looks at in the second trip, to pass over those that the sources asked do not use."""

NEIGHBOURS = 200
"""Number of neighbours fetched per query of a vector index. Fewer is faster but lowers recall."""

MAX_WORDS = 12
"""Most words of a name that full text looks up, the longest ones."""

SURE = MEANING_ALONE
"""Score from which the second trip is left out: a node that is similar by meaning alone cannot score more."""

IS_USED = """(EXISTS { (n)-[h:CG_HAS]->() WHERE h.source IN $sources }
    OR EXISTS { (n)<-[v:CG_VALUE]-() WHERE v.source IN $sources })"""
"""In a statement: whether the sources asked have an entity or value `n`."""

_USED = f"n.source IS NULL AND ($sources IS NULL OR {IS_USED})"

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

# Nodes that the sources asked do not use are passed over before the best are taken: the names of a small source are few
# among those of a large one.
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
    """A statement that returns rows of a name's place and the nodes that these ways find for it."""
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

_LETTERS_OR_DIGITS = re.compile(r"[^\W\d_]+|\d+")

_ORDER = ("exact", "normalised")


@dataclass(frozen=True)
class Candidate:
    """A node that a name may mean: how it was found, its score in [0, 1] and the parts of the score.

    `degree` counts its relationships, and decides between equal scores. With `another`, it differs in a number
    (`cgstore.text.likeness`) or in a word that tells two things apart (`cgstore.text.contrasts`), and is never taken
    for the name, however similar the two are.
    """

    key: str
    name: str
    how: str
    score: float
    parts: Likeness
    degree: int = 0
    another: bool = False


def is_sure(candidates: Sequence[Candidate]) -> bool:
    """Whether the first candidate is so similar to the name that no further ones are looked up."""
    return bool(candidates) and not candidates[0].another and candidates[0].score >= SURE


def name_candidates(
    db: Database, names: Sequence[str], role: str, sources: Sequence[str] | None, top: int, encoder: Encoder | None
) -> list[tuple[str, list[Candidate]]]:
    """Each name with its candidates; see `cgstore.store.Store.map`."""
    if role not in ("entity", "relation", "key"):
        raise BadInput(f"There is no role {role!r}.", "Give entity (or value), relation or key.")
    schema = read_snapshot(db, (), sources).schema
    if encoder is not None:
        check_encoder(vector_origin(db), encoder)
    if role == "entity":
        vectors = encoder.encode(names) if encoder else None
        found = entity_candidates(db, names, schema.asked.sources, vectors, top)
        return list(zip(names, found, strict=True))
    nodes = [node for node in schema.owned if node["is_relation" if role == "relation" else "is_key"]]
    cosines = relation_cosines(db, nodes, names, encoder)
    return [(name, relation_candidates(name, nodes, c, top)) for name, c in zip(names, cosines, strict=True)]


def entity_candidates(
    db: Database,
    names: Sequence[str],
    sources: Sequence[str] | None = None,
    vectors: Vectors | None = None,
    top: int = 10,
) -> list[list[Candidate]]:
    """The entities and values that each name may mean, the best `top` first, in one round trip or in two.

    Those of all sources are found when `sources` (stored names) is None. With the names' vectors, by the encoder that
    made the graph's, they are looked up by meaning too.
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


def candidates_by_meaning(
    db: Database,
    names: Sequence[str],
    sources: Sequence[str] | None,
    encoder: Callable[[], Encoder | None],
    top: int,
) -> list[list[Candidate]]:
    """Like `entity_candidates`, by meaning too for the names that spelling leaves unsure."""
    found = entity_candidates(db, names, sources, None, top)
    unsure = [place for place, candidates in enumerate(found) if not is_sure(candidates)]
    if unsure and (chosen := encoder()) is not None:
        wanted = [names[place] for place in unsure]
        again = entity_candidates(db, wanted, sources, chosen.encode(wanted), top)
        for place, candidates in zip(unsure, again, strict=True):
            found[place] = candidates
    return found


def _fetched(
    db: Database,
    statement: str,
    rows: Sequence[dict[str, Any]],
    sources: list[str] | None,
    most: int,
    looked_at: int | None = None,
) -> list[list[dict[str, Any]]]:
    """The nodes that a statement finds for each name: `most` by each way, out of `looked_at` by full text."""
    limits = {"fetched": most, "looked_at": looked_at or most, "neighbours": NEIGHBOURS}
    by_place = {row["place"]: row["found"] for row in db.read(statement, {"names": rows, "sources": sources, **limits})}
    return [by_place.get(place, []) for place in range(len(rows))]


def relation_cosines(
    db: Database, nodes: Iterable[dict[str, Any]], names: Sequence[str], encoder: Encoder | None
) -> list[dict[str, float]]:
    """The cosine of each name with each relation or key that has a vector, by its key; none without an encoder."""
    if encoder is None or not names:
        return [{}] * len(names)
    vectors = encoder.encode([as_words(name) for name in names]).tolist()
    rows = db.read(_COSINES, {"keys": [node["key"] for node in nodes], "vectors": vectors})
    return [{row["key"]: row["cosines"][place] for row in rows} for place in range(len(names))]


def relation_candidates(
    name: str, nodes: Iterable[dict[str, Any]], cosines: dict[str, float] | None = None, top: int = 10
) -> list[Candidate]:
    """The relations or keys among some nodes that a name may mean, the best first, given the cosines by their keys."""
    forms = relation_forms(name)
    found = []
    for node in nodes:
        meaning = (cosines or {}).get(node["key"])
        asked, other = distinguishing_parts(name, node["name"])
        styles, others = relation_styles(asked), relation_styles(other)
        properties, apart = properties_of(name, node["name"]), have_other_domains(name, node["name"])
        parts = relation_likeness(styles, others, meaning, properties, apart=apart)
        same = "normalised" if forms & relation_forms(node["name"]) else "nearest"
        how = "exact" if node["name"] == name else same
        another = same == "nearest" and all(
            other_number(one, style, may_lack=True) or other_relation(one, style)
            for one, style in product(styles, others)
        )
        score = 1.0 if how == "exact" else parts.score
        found.append(Candidate(node["key"], node["name"], how, score, parts, another=another))
    return _best(found, top)


def full_text_query(name: str, further: bool = False) -> str:
    """The full-text query for a name: its words, each also with one letter mistyped, long ones `further` with two.

    The words of a normal form have letters and digits only, and so none of the signs of the query's syntax.
    """
    form = normal_form(name)
    words = [word for word in dict.fromkeys([*form.split(), *_parted(form), *_stuck(form)]) if word.isalnum()]
    edits = 2 if further else 1
    return " ".join(_word_query(word, edits) for word in sorted(words, key=len, reverse=True)[:MAX_WORDS])


def _parted(form: str) -> list[str]:
    """The letters and digits of words that have both, apart: `f` and `16` of `f16`."""
    return [part for word in form.split() if not word.isalpha() for part in _LETTERS_OR_DIGITS.findall(word)]


def _stuck(form: str) -> list[str]:
    """Letters and digits that stand side by side, as one word: `f16` of `f 16`."""
    words = form.split()
    return [one + other for one, other in pairwise(words) if one.isalpha() and other.isdigit()]


def _word_query(word: str, most: int) -> str:
    edits = 0 if len(word) < 4 else 1 if len(word) < 6 else most
    return f"{word}^3 {word}~{edits}" if edits else word


def _ranked(name: str, found: Iterable[dict[str, Any]], top: int) -> list[Candidate]:
    candidates: dict[str, Candidate] = {}
    form, digits = normal_form(name), with_digits(name)
    for node in found:
        if node["key"] in candidates:
            continue  # both trips found it
        parts = likeness(form, node["form"], node["cosine"])
        if digits and (others := with_digits(node["name"])):
            parts = max(parts, likeness(digits, others, node["cosine"]), key=lambda each: each.score)
        how = next((how for how in _ORDER if how in node["hows"]), node["hows"][0])
        score = 1.0 if how == "exact" else parts.score
        another = how != "exact" and (other_number(name, node["name"]) or contrary(name, node["name"]))
        candidates[node["key"]] = Candidate(node["key"], node["name"], how, score, parts, node["degree"], another)
    return _best(candidates.values(), top)


def _best(candidates: Iterable[Candidate], top: int) -> list[Candidate]:
    """Exact names first, other numbers last, then by score, degree and name."""
    order = sorted(candidates, key=lambda c: (c.how != "exact", c.another, -c.score, -c.degree, c.name))
    return order[:top]


# Labels and IRIs: other names of RDF nodes
#
# A node goes by one of its labels. The others stand in the graph as facts, under the relations whose IRIs say that
# their values name their head: so a label leads to the nodes that have it. An IRI stands on the relationships of its
# node and has no index: it is looked up only if nothing has that name.

MAX_LABELLED = 100
"""Most nodes that one label stands for."""

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
  RETURN DISTINCT n, EXISTS { (label)-[h:CG_HAS]->() WHERE h.source IN $sources } AS entity LIMIT $most
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


def nodes_with_label(db: Database, keys: Iterable[str], sources: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """The nodes that have a label, by the label's key, in one round trip.

    They are maps of `key`, `name` and `degree`; `entity` says whether the label is itself the name of an entity too.
    """
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    given = {"keys": sorted(set(keys)), "sources": list(sources), "naming": list(NAMING), "most": MAX_LABELLED}
    for row in db.read(_LABELLED, given) if given["keys"] else ():
        node = {"key": row["node"], "name": row["name"], "entity": row["entity"], "degree": row["degree"]}
        if node not in found[row["key"]]:
            found[row["key"]].append(node)
    return dict(found)


def nodes_of_iri(db: Database, text: str, sources: Sequence[str]) -> tuple[list[dict[str, Any]], str]:
    """The nodes of an IRI, with or without `<` and `>`, and `iri`; or of a name such as `wd:Q64`, and `prefix`.

    A prefix may stand for anything, so that only what follows it counts.
    """
    match = _IRI.fullmatch(text.strip())
    if match is None:
        return [], ""
    local = _PREFIXED.fullmatch(match[1])
    endings = [f"/{local[1]}", f"#{local[1]}"] if local else []
    given = {"sources": list(sources), "iri": match[1], "endings": endings, "most": MAX_LABELLED}
    return db.read(_BY_IRI, given), "prefix" if local else "iri"
