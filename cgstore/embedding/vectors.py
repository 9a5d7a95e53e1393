"""Vectors of nodes: made once by an encoder, stored in Neo4j as the property `vector`, found by its vector indexes.

`(:CgMeta {name: 'encoder', encoder, dimensions, fingerprint, clearing})` names the encoder that makes the vectors of a
graph, before the first vector is written. Every transaction that writes or removes vectors locks that node first and
checks the fingerprint, so that vectors of two encoders never stand side by side, whoever is at work or is killed. To
begin again, one transaction writes the new encoder there and sets `clearing`: nobody writes vectors until the indexes
and all vectors are removed, and any later embed goes on with the removal.

Nodes are read in the order of their keys, a page at a time, and written by their keys. Nodes that have a vector are
passed over, so that the next embed completes one that was cut short.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, CgstoreError, NoDatabase, QueryFailed, setting
from cgstore.model import Role
from cgstore.observe.progress import bar

if TYPE_CHECKING:
    from neo4j import ManagedTransaction, Transaction

    from cgstore.embedding.encoder import Encoder, Vectors


VECTOR_INDEXES = {
    "cg_relation_vector": Role.RELATION,
    "cg_key_vector": Role.KEY,
    "cg_entity_vector": Role.ENTITY,
    "cg_value_vector": Role.VALUE,
}
"""The vector indexes: name and role of the nodes."""

PAGE = 5_000
"""Nodes per read."""

BATCH = 4_096
"""Names encoded at a time. The encoder sorts them by length; sorting more at once saves no more padding."""

WRITTEN = 1_000
"""Nodes per transaction that writes vectors."""

SOURCES = 1_000
"""Sources per read of relations and keys."""

LONGEST = 10_000
"""Characters of a name that are encoded. Encoders read some thousands at most."""

MAX_DIMENSIONS = 4_096
"""Most dimensions of a vector in Neo4j's indexes."""

TIMEOUT = 600.0
"""Seconds per read, which may have to search the many relationships of a hub for those of the sources."""

POLL = 0.5
"""Seconds between two looks at indexes that are being built."""

_DOMAIN = re.compile(r"^\w+\.(?=\w+\.\w+$)")
_WORD_BORDER = re.compile(r"_+|(?<=[a-z])(?=[A-Z])")

_RECORD = """\
RETURN m.encoder AS encoder, m.dimensions AS dimensions, m.fingerprint AS fingerprint,
  coalesce(m.clearing, false) AS clearing
"""

_READ = f"MATCH (m:CgMeta {{name: 'encoder'}}) {_RECORD}"

_LOCK = f"MERGE (m:CgMeta {{name: 'encoder'}}) SET m.touched = timestamp() {_RECORD}"

_CLAIM = "MATCH (m:CgMeta {name: 'encoder'}) SET m += $made, m.clearing = $clearing"

_CLEARED = "MATCH (m:CgMeta {name: 'encoder'}) SET m.clearing = null"

# The page behind a key; the first one begins with the empty key, which is one too.
_PAGE = """\
MATCH (n:CgNode) WHERE n.key >= $after AND ($first OR n.key <> $after)
WITH n ORDER BY n.key LIMIT $page
"""

_REMOVE = f"""{_PAGE}\
REMOVE n.vector
RETURN count(n) AS size, max(n.key) AS last
"""

_OWNED = " UNION ".join(
    f"""
UNWIND $sources AS source
MATCH (n:{role.value} {{source: source}})
RETURN n.key AS key, left(n.name, $longest) AS name, n.vector IS NOT NULL AS there
"""
    for role in (Role.RELATION, Role.KEY)
)

# A shared node belongs to the sources of its relationships.
_WORDS = "n.source IS NULL AND n.num IS NULL AND EXISTS { (n)-[r:CG_HAS|CG_VALUE]-() WHERE r.source IN $sources }"

_SHARED = f"""{_PAGE}\
WITH collect(n) AS nodes
CALL (nodes) {{
  UNWIND nodes AS n
  WITH n WHERE {_WORDS}
  RETURN sum(CASE WHEN n.vector IS NULL THEN 0 ELSE 1 END) AS there,
    collect(CASE WHEN n.vector IS NULL THEN [n.key, left(n.name, $longest)] END) AS lacking
}}
RETURN size(nodes) AS size, nodes[-1].key AS last, there, lacking
"""

_COUNT_SHARED = f"MATCH (n:CgEntity|CgValue) WHERE n.vector IS NULL AND {_WORDS} RETURN count(n) AS count"

_WRITE = """
UNWIND $nodes AS node
MATCH (n:CgNode {key: node[0]}) USING INDEX SEEK n:CgNode(key) WHERE n.vector IS NULL
CALL db.create.setNodeVectorProperty(n, 'vector', $vectors[node[1]])
RETURN count(n) AS count
"""

# Measured: with these, and 50 neighbours asked for and ranked by their exact cosine, the nearest is always found.
_CREATE = """
CREATE VECTOR INDEX {name} IF NOT EXISTS FOR (n:{label}) ON (n.vector) OPTIONS {{indexConfig: {{
  `vector.dimensions`: {dimensions}, `vector.similarity_function`: 'cosine',
  `vector.hnsw.m`: 32, `vector.hnsw.ef_construction`: 200, `vector.quantization.enabled`: false
}}}}
"""

_STATES = """
SHOW VECTOR INDEXES YIELD name, state, populationPercent, failureMessage, options WHERE name IN $names
RETURN name, state, populationPercent AS percent, failureMessage AS failure,
  options.indexConfig.`vector.dimensions` AS dimensions
"""


@dataclass(frozen=True)
class VectorOrigin:
    """The encoder that made a graph's vectors: its name, its fingerprint and the length of its vectors."""

    encoder: str
    dimensions: int
    fingerprint: str


@dataclass(frozen=True)
class EmbedReport:
    """What one embed did: `nodes` got a vector, for which `names` were encoded; `there` had one before."""

    encoder: str
    dimensions: int
    nodes: int
    names: int
    there: int
    seconds: float


class NodeName(NamedTuple):
    """A name to be encoded, and the keys of the nodes that have it."""

    text: str
    keys: list[str]


def vector_origin(db: Database) -> VectorOrigin | None:
    """The encoder that made the graph's vectors; None if there are none, or while they are being removed."""
    rows = db.read(_READ)
    return None if not rows or rows[0]["clearing"] else _origin(rows[0])


def check_encoder(origin: VectorOrigin | None, encoder: Encoder) -> None:
    """Raises BadInput if another encoder made the vectors, so that this one's cannot be compared with them."""
    if origin and origin.fingerprint != encoder.fingerprint:
        raise BadInput(
            f"The vectors of this graph are those of the encoder '{origin.encoder}' ({origin.fingerprint[:12]}), "
            f"and not of '{encoder.name}' ({encoder.fingerprint[:12]}).",
            f"Use that one ({setting('encoder')} or CGSTORE_ENCODER), or make all vectors anew: "
            f"`cgstore embed --again --encoder {encoder.name}`.",
        )


def embed(
    db: Database, sources: Sequence[str], encoder: Encoder, *, again: bool = False, progress: bool = False
) -> EmbedReport:
    """Gives a vector to each node of some sources (stored names) that lacks one, and makes the vector indexes.

    These are relations and keys, read as words, entities, and values that are words, not numbers, dates or lines. With
    `again` all vectors of the graph, those of other sources too, are removed first.

    Raises:
        BadInput: the graph has vectors of another encoder, or this encoder's vectors are too long for Neo4j.
        NoDatabase: the database went away; the same call goes on where this one stopped.
        QueryFailed: an index failed to build.
    """
    if encoder.dimensions > MAX_DIMENSIONS:
        raise BadInput(
            f"The vectors of '{encoder.name}' have {encoder.dimensions:,} dimensions; Neo4j's indexes take "
            f"{MAX_DIMENSIONS:,}.",
            "Choose a smaller model.",
        )
    began = time.monotonic()
    try:
        if db.transaction(partial(_claim, encoder, again)):
            _clear(db, encoder)
        work = _Embedding(db, list(sources), encoder, progress)
        work.run()
        make_indexes(db, encoder.dimensions, progress)
    except (KeyboardInterrupt, NoDatabase) as error:
        _say_how_to_go_on(error, again)
        raise
    seconds = round(time.monotonic() - began, 3)
    return EmbedReport(encoder.name, encoder.dimensions, work.nodes, work.names, work.there, seconds)


def _say_how_to_go_on(error: KeyboardInterrupt | NoDatabase, again: bool) -> None:
    repeated = f"the command again without {setting('again', True)}" if again else "the command again"
    note = f"Names that have a vector keep it: give {repeated}, and it goes on where it stopped."
    if isinstance(error, NoDatabase):
        error.hint = f"{error.hint} {note}" if error.hint else note
    else:
        error.add_note(note)


def _claim(encoder: Encoder, again: bool, tx: ManagedTransaction) -> bool:
    """Records the encoder as the one that makes the vectors; returns whether all vectors must be removed first."""
    row = tx.run(_LOCK).single(strict=True).data()
    origin = _origin(row)
    if not again:
        check_encoder(origin, encoder)
    clearing = row["clearing"] or (again and origin is not None)
    new = {"encoder": encoder.name, "dimensions": encoder.dimensions, "fingerprint": encoder.fingerprint}
    tx.run(_CLAIM, made=new, clearing=clearing or None).consume()
    return clearing


def _hold(tx: ManagedTransaction, encoder: Encoder) -> bool:
    """Keeps others from recording another encoder until the transaction ends; returns whether vectors are removed.

    Raises:
        CgstoreError: the vectors are no longer this encoder's.
    """
    row = tx.run(_LOCK).single(strict=True).data()
    origin = _origin(row)
    if origin is None:
        raise CgstoreError("Somebody emptied the database meanwhile; this embed stopped.", "Give the command again.")
    check_encoder(origin, encoder)
    return bool(row["clearing"])


def _origin(row: dict[str, Any]) -> VectorOrigin | None:
    return VectorOrigin(row["encoder"], row["dimensions"], row["fingerprint"]) if row["fingerprint"] else None


def _clear(db: Database, encoder: Encoder) -> None:
    """Removes all indexes and vectors. Nobody writes vectors meanwhile, and other processes may help."""
    drop_indexes(db)
    after: str | None = None
    while (after := db.transaction(partial(_clear_page, encoder, after))) is not None:
        pass


def _clear_page(encoder: Encoder, after: str | None, tx: ManagedTransaction) -> str | None:
    """Removes the vectors of one page; returns its last key, or None if nothing is left to remove."""
    if not _hold(tx, encoder):
        return None
    row = tx.run(_REMOVE, _page(after)).single(strict=True)
    if row["size"] == PAGE:
        return str(row["last"])
    tx.run(_CLEARED).consume()
    return None


def _page(after: str | None) -> dict[str, Any]:
    """The parameters of the page behind a key, or of the first one."""
    return {"after": after or "", "first": after is None, "page": PAGE}


class _Quiet(list[list[float]]):
    """A parameter with a short text: the driver formats each parameter for its log, even if nobody reads the log.

    Measured for a thousand vectors: formatting takes 0.23 s of the processor, packing them 0.01 s.
    """

    def __repr__(self) -> str:
        return f"[{len(self)} vectors]"


class _Embedding:
    """One embed: reads names, encodes them, and writes their vectors while the next names are encoded."""

    def __init__(self, db: Database, sources: list[str], encoder: Encoder, progress: bool) -> None:
        self._db, self._sources, self._encoder, self._progress = db, sources, encoder, progress
        self.nodes = self.names = self.there = 0

    def run(self) -> None:
        """Encodes and writes all names; an exception only loses the batch that is being encoded."""
        owned = self._owned()
        total = None
        if self._progress:
            total = len(owned) + self._db.read(_COUNT_SHARED, {"sources": self._sources}, TIMEOUT)[0]["count"]
        with (
            bar("embed", "names", total, show=self._progress) as shown,
            ThreadPoolExecutor(1, "vectors") as writer,
        ):
            writing = writer.submit(lambda: 0)
            for batch in _batches(chain(owned, self._shared())):
                vectors = self._encoder.encode([name.text for name in batch])
                self.nodes += writing.result()
                writing = writer.submit(_write, self._db, batch, vectors, self._encoder)
                self.names += len(batch)
                shown.update(len(batch))
            self.nodes += writing.result()

    def _owned(self) -> list[NodeName]:
        """The names of relations and keys that lack a vector, each once, however many sources have it."""
        nodes: dict[str, list[str]] = {}
        for start in range(0, len(self._sources), SOURCES):
            some = self._sources[start : start + SOURCES]
            for row in self._db.read(_OWNED, {"sources": some, "longest": LONGEST}, TIMEOUT):
                if row["there"]:
                    self.there += 1
                else:
                    nodes.setdefault(as_words(row["name"]), []).append(row["key"])
        return [NodeName(text, keys) for text, keys in nodes.items()]

    def _shared(self) -> Iterator[NodeName]:
        """The names of entities and values that lack a vector, in the order of their keys."""
        after: str | None = None
        size = PAGE
        while size == PAGE:
            given = {**_page(after), "longest": LONGEST, "sources": self._sources}
            page = self._db.read(_SHARED, given, TIMEOUT)[0]
            size, after = page["size"], page["last"]
            self.there += page["there"]
            for key, name in page["lacking"]:
                yield NodeName(name, [key])


def write_vectors(db: Database, names: Sequence[NodeName], encoder: Encoder) -> int:
    """Encodes names and writes their vectors; returns how many nodes got one. Those that have one keep it."""
    return _write(db, names, encoder.encode([name.text for name in names]), encoder) if names else 0


def _write(db: Database, batch: Sequence[NodeName], vectors: Vectors, encoder: Encoder) -> int:
    """Writes the vectors of a batch, in transactions of `WRITTEN` nodes; returns how many nodes got a vector."""
    nodes = [(key, place) for place, name in enumerate(batch) for key in name.keys]
    count = 0
    for start in range(0, len(nodes), WRITTEN):
        count += db.transaction(partial(_write_some, nodes[start : start + WRITTEN], vectors, encoder))
    return count


def _write_some(nodes: list[tuple[str, int]], vectors: Vectors, encoder: Encoder, tx: ManagedTransaction) -> int:
    if _hold(tx, encoder):
        raise CgstoreError("Another `cgstore embed --again` removes the vectors.", "Give the command again later.")
    first, last = nodes[0][1], nodes[-1][1]
    rows = [[key, place - first] for key, place in nodes]
    given = _Quiet(vectors[first : last + 1].tolist())
    return int(tx.run(_WRITE, nodes=rows, vectors=given).single(strict=True)["count"])


def as_words(name: str) -> str:
    """A relation or key as people say it: `position_held` and `positionHeld` with blanks between the words.

    A name of Freebase's loses its domain: `people.person.place_of_birth` is `person place of birth`.
    """
    spoken = " ".join(_DOMAIN.sub("", part).replace(".", " ") for part in name.split(".."))
    return _WORD_BORDER.sub(" ", spoken).strip() or name


def _batches(names: Iterable[NodeName]) -> Iterator[list[NodeName]]:
    names = iter(names)
    while batch := list(islice(names, BATCH)):
        yield batch


def make_indexes(db: Database, dimensions: int, progress: bool = False) -> None:
    """Creates the vector indexes that are missing, failed, or made for other vectors, and waits for all of them.

    Raises:
        QueryFailed: one failed to build, with the server's reason.
    """
    for row in db.read(_STATES, {"names": [*VECTOR_INDEXES]}):
        if row["dimensions"] != dimensions or row["state"] == "FAILED":
            db.write(f"DROP INDEX {row['name']} IF EXISTS")
    for name, role in VECTOR_INDEXES.items():
        db.write(_CREATE.format(name=name, label=role.value, dimensions=int(dimensions)))
    with bar("vector indexes", "", 100, show=progress, percent=True) as shown:
        while (done := _indexed(db)) < 100:
            shown.update(done - shown.n)
            time.sleep(POLL)
        shown.update(100 - shown.n)


def _indexed(db: Database) -> float:
    """The share of the indexes that is built, in percent; 100 once all are online."""
    rows = db.read(_STATES, {"names": [*VECTOR_INDEXES]})
    for row in rows:
        if row["state"] == "FAILED":
            reason = (row["failure"] or "no reason given").splitlines()[0]
            raise QueryFailed(f"Index '{row['name']}' failed: {reason}", "Give the command again: it builds it anew.")
    if len(rows) < len(VECTOR_INDEXES):
        raise QueryFailed("Somebody dropped a vector index meanwhile.", "Give the command again: it builds it anew.")
    if all(row["state"] == "ONLINE" for row in rows):
        return 100.0
    return min(99.0, *(float(row["percent"]) for row in rows))


def are_indexed(db: Database) -> bool:
    """Whether all vector indexes are online; they are not until the end of a first embed."""
    rows = db.read(_STATES, {"names": [*VECTOR_INDEXES]})
    return [row["state"] for row in rows] == ["ONLINE"] * len(VECTOR_INDEXES)


def drop_indexes(db: Database) -> None:
    """Drops the vector indexes; the vectors stay."""
    for name in VECTOR_INDEXES:
        db.write(f"DROP INDEX {name} IF EXISTS")


# Making vectors takes an encoder, whose start takes seconds where a change takes milliseconds. So a change of a source
# that has vectors records the keys of its new names, `(:CgChange {wanting, without_vector})`, and whoever next loads
# the encoder to look for names by meaning makes their vectors first.

_IS_EMBEDDED = """
MATCH (r:CgRelation {source: $source}) WHERE r.vector IS NOT NULL
RETURN r.name AS name LIMIT 1
"""

_LACKING = """
UNWIND $keys AS key
MATCH (n:CgNode {key: key})
USING INDEX SEEK n:CgNode(key)
WHERE n.vector IS NULL AND NOT n:CgLine AND (n.source IS NOT NULL OR n.num IS NULL)
RETURN key
"""

_WANTING = """
MATCH (c:CgChange) USING INDEX SEEK c:CgChange(wanting) WHERE c.wanting > 0
RETURN elementId(c) AS change, c.without_vector AS keys LIMIT 1
"""

_NAMES = """
UNWIND $keys AS key
MATCH (n:CgNode {key: key})
USING INDEX SEEK n:CgNode(key)
WHERE n.vector IS NULL
RETURN key, left(n.name, $longest) AS name, n:CgRelation OR n:CgKey AS is_owned
"""

_DONE = "MATCH (c:CgChange) WHERE elementId(c) = $change REMOVE c.wanting, c.without_vector"


def keys_without_vector(tx: Transaction, source: str, keys: Sequence[str]) -> list[str]:
    """Returns the keys whose nodes lack a vector, if the source (its stored name) has vectors at all."""
    if not keys or tx.run(_IS_EMBEDDED, source=source).single() is None:
        return []
    return [row["key"] for row in tx.run(_LACKING, keys=list(keys))]


def follow_changes(db: Database, encoder: Encoder) -> int:
    """Makes the vectors that changes have left to be made; returns how many. It is not done by who may only read."""
    count = 0
    with suppress(CgstoreError):
        while rows := db.read(_WANTING):
            found = db.read(_NAMES, {"keys": rows[0]["keys"], "longest": LONGEST})
            names = [NodeName(as_words(row["name"]) if row["is_owned"] else row["name"], [row["key"]]) for row in found]
            count += write_vectors(db, names, encoder)
            db.write(_DONE, {"change": rows[0]["change"]})
    return count
