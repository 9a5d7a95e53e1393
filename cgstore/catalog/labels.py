"""Other names of RDF nodes: each of their labels, in any language, and their IRIs.

A node goes by one of its labels (`loaders.readers.rdf.statements`). The others stand in the graph as facts, under the
relations whose IRIs say that their values name their head: so a label leads to the nodes that have it. An IRI stands on
the relationships of its node, and has no index: it is sought only where nothing has that name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from cgstore.cypher.connection import Database
from cgstore.text.names import LABELS

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
