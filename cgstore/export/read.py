"""Reads the facts of a source out of the graph, into a temporary SQLite file that sorts them.

Reading begins at the nodes that the source owns, which their indexes find without a scan. A fact is a CG_VALUE
relationship that begins at a relation and has one name as condition; a qualifier is one that begins at a key and has
three, or four where its statement has a number. They come as a stream in one READ transaction, which sees what others
commit meanwhile. But a source that is ready does not change, and one that is dropped or replaced is first marked so. So
a second look at its record afterwards proves the reading.

The file takes the facts in any order and gives them sorted. So the client's memory does not grow with the source,
nothing is written before all of it is read, and the same source makes the same file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from cgstore.catalog.changes import settle
from cgstore.catalog.kinds import kind_named
from cgstore.catalog.registry import as_source
from cgstore.catalog.sources import ready_sources
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, CgstoreError, QueryFailed
from cgstore.loaders.graph import reading
from cgstore.loaders.staging import TemporaryDatabase
from cgstore.model import Source, SourceState
from cgstore.observe.progress import Bar, bar
from cgstore.text.names import FACT_PARTS, SEPARATOR, statement_number

CHUNK = 5_000
"""Rows that a bar counts at a time."""

_FIND = "MATCH (s:CgSource {name: $source}) RETURN elementId(s) AS id, properties(s) AS source"

_OWNED = """
MATCH (o:CgRelation) USING INDEX o:CgRelation(source) WHERE o.source = $source AND o.iri IS NOT NULL
RETURN o.name AS name, o.iri AS iri
UNION
MATCH (o:CgKey) USING INDEX o:CgKey(source) WHERE o.source = $source AND o.iri IS NOT NULL
RETURN o.name AS name, o.iri AS iri
"""

_HEADS = """
MATCH (r:CgRelation)<-[has:CG_HAS]-(h) USING INDEX r:CgRelation(source) WHERE r.source = $source AND has.iri IS NOT NULL
RETURN h.name, has.iri
"""

_FACTS = """
MATCH (r:CgRelation)-[f:CG_VALUE]->(t) USING INDEX r:CgRelation(source)
WHERE r.source = $source AND size(f.condition) = 1
RETURN r.name, f.condition[0], t.name, f.iri, f.literal
"""

_ALIASES = "MATCH (a:CgAlias) WHERE a.key STARTS WITH $prefix RETURN '', a.alias, a.name, null AS iri, null AS literal"

_QUALIFIERS = """
MATCH (k:CgKey)-[s:CG_VALUE]->(v) USING INDEX k:CgKey(source)
WHERE k.source = $source AND size(s.condition) >= 3
RETURN k.name, s.condition, v.name, s.iri, s.literal, s.ends
"""


class Chosen(NamedTuple):
    """A source that is ready: its record, its name in the graph with the version, its node and when it was loaded."""

    source: Source
    stored: str
    node: str
    loaded: Any


def choose(db: Database, name: str) -> Chosen:
    """The version of a source, which may be one of aliases, that is ready."""
    (stored,) = ready_sources(db, [name], aliases=True)
    with suppress(QueryFailed):
        settle(db, [stored])
    return _found(db, stored) or _gone(name)


def check_unchanged(db: Database, chosen: Chosen) -> None:
    """Raises BadInput unless the source is still there as it was chosen. If it is, all of it was read."""
    with suppress(QueryFailed):  # who may only read cannot end a change that was cut short
        settle(db, [chosen.stored])
    if _found(db, chosen.stored) != chosen:
        _gone(chosen.source.name)


def _found(db: Database, stored: str) -> Chosen | None:
    for row in db.read(_FIND, {"source": stored}):
        source = as_source(row["source"])
        if source.state is SourceState.READY:
            return Chosen(source, stored, row["id"], row["source"].get("loaded"))
    return None


def _gone(name: str) -> Chosen:
    raise BadInput(f"Source '{name}' was dropped, replaced or changed while it was read.", "Give the command again.")


def read_source(db: Database, chosen: Chosen, stage: ExportStage, *, iris: bool, progress: bool = False) -> None:
    """Reads all facts of a source with their qualifiers; `iris` reads the IRIs of heads, relations and keys too.

    Of times, the starts and ends are read. Aliases are facts with an empty relation.

    Raises:
        BadInput: the source was dropped or replaced meanwhile.
        CgstoreError: the source is not complete.
    """
    kind, source, about = kind_named(chosen.source.kind), chosen.source, {"source": chosen.stored}
    noun, total = ("triples", source.value) if kind.has_facts else ("aliases", source.facts)
    with reading(db) as tx, bar("read", noun, None if kind.has_times else total, show=progress) as shown:
        if not kind.has_facts:
            stage.add_facts(tx.run(_ALIASES, {"prefix": chosen.stored + SEPARATOR}), shown)
        else:
            if iris:
                stage.iris = dict(tx.run(_OWNED, about).values())
                take(stage, "INSERT OR IGNORE INTO head VALUES (?, ?)", tx.run(_HEADS, about))
            stage.add_facts(tx.run(_FACTS, about), shown)
            stage.add_qualifiers(tx.run(_QUALIFIERS, about), shown)
    check_unchanged(db, chosen)
    _check_complete(source, stage)


def take(stage: TemporaryDatabase, statement: str, rows: Iterable[Sequence[Any]], shown: Bar | None = None) -> int:
    """Inserts rows as they come; returns how many there are."""
    count = 0

    def counted() -> Iterator[Sequence[Any]]:
        nonlocal count
        for count, row in enumerate(rows, 1):
            yield row
            if shown is not None and count % CHUNK == 0:
                shown.update(CHUNK)

    stage.sql.executemany(statement, counted())
    if shown is not None:
        shown.update(count % CHUNK)
    return count


def _check_complete(source: Source, stage: ExportStage) -> None:
    kind = kind_named(source.kind)
    if kind.has_times:  # it counts facts by period, and not all of its times were read
        return
    counts = [(stage.fact_count, source.facts, "facts" if kind.has_facts else "aliases")]
    if kind.has_facts:
        counts.append((stage.fact_count + stage.qualifier_count, source.value, "triples with a condition"))
    if differ := [each for each in counts if each[0] != each[1]]:
        listed = " and ".join(f"{number:,} {name} where its record counts {of:,}" for number, of, name in differ)
        raise CgstoreError(
            f"Source '{source.name}' has {listed}.",
            f"Something else changed its part of the graph. Drop it and load it again: `cgstore drop {source.name}`.",
        )


# The stage


_TABLES = """
CREATE TABLE fact (head TEXT, relation TEXT, tail TEXT, iri TEXT, literal TEXT);
CREATE TABLE qualifier (
  head TEXT, relation TEXT, tail TEXT, number INTEGER, key TEXT, value TEXT, iri TEXT, literal TEXT, ends TEXT
);
CREATE TABLE head (name TEXT PRIMARY KEY, iri TEXT) WITHOUT ROWID;
"""

# The name of a line has its number: a shorter name is a smaller number.
_ORDERS = {False: "head, relation, tail", True: "length(head), head, relation, tail"}

_SORTED_QUALIFIERS = "SELECT * FROM qualifier ORDER BY {}, number, key, value"


class Qualifier(NamedTuple):
    """A key and a value of a fact; `iri` and `literal` belong to the value, as in `StoredFact` to the tail.

    `ends` are those of the periods that begin at a start time; None where the fact has one start.
    """

    key: str
    value: str
    iri: str | None = None
    literal: tuple[str, ...] = ()
    ends: tuple[str, ...] | None = None


class StoredFact(NamedTuple):
    """A fact as the graph has it.

    `iri` is the tail's. `literal` may follow its text in N-Triples; it is empty if the tail is not a literal (see
    `cgstore.loaders.staging.ValueAnnotation`). A fact with several statements is one of these for each: `number` counts
    them from 1.
    """

    head: str
    relation: str
    tail: str
    iri: str | None = None
    literal: tuple[str, ...] = ()
    qualifiers: tuple[Qualifier, ...] = ()
    number: int = 1


class ExportStage(TemporaryDatabase):
    """The facts of one source: first add all of them, then read them in order.

    `folder` is removed at the end with everything in it. `iris` are those of relations and keys, which are few.
    """

    folder: Path

    def __init__(self) -> None:
        super().__init__(_TABLES)
        self.iris: dict[str, str] = {}
        self.fact_count = self.qualifier_count = 0

    def add_facts(self, rows: Iterable[Any], shown: Bar) -> None:
        """Takes rows of relation, head, tail, IRI of the tail, literal suffixes."""
        flat = ((head, relation, tail, iri, _joined(literal)) for relation, head, tail, iri, literal in rows)
        self.fact_count = take(self, "INSERT INTO fact VALUES (?, ?, ?, ?, ?)", flat, shown)

    def add_qualifiers(self, rows: Iterable[Any], shown: Bar) -> None:
        """Takes rows of key, condition, value, IRI of the value, literal suffixes, ends of a start."""
        flat = (
            (*among[:FACT_PARTS], statement_number(among), key, value, iri, _joined(literal), _joined(ends))
            for key, among, value, iri, literal, ends in rows
        )
        self.qualifier_count = take(self, "INSERT INTO qualifier VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", flat, shown)

    def facts(self, *, lines: bool = False) -> Iterator[StoredFact]:
        """All statements, by head, relation and tail in the order of code points; with `lines`, by numbers of lines."""
        order = _ORDERS[lines]
        qualified = groupby(self.sql.execute(_SORTED_QUALIFIERS.format(order)), itemgetter(0, 1, 2))
        place, rows = next(qualified, (None, iter(())))
        for head, relation, tail, iri, literal in self.sql.execute(f"SELECT * FROM fact ORDER BY {order}"):
            fact = StoredFact(head, relation, tail, iri, _split(literal))
            if place != (head, relation, tail):
                yield fact
                continue
            for number, some in groupby(rows, itemgetter(3)):
                qualifiers = tuple(
                    Qualifier(key, value, i, _split(text), None if ends is None else tuple(ends.split("\n")))
                    for *_, key, value, i, text, ends in some
                )
                yield fact._replace(qualifiers=qualifiers, number=number)
            place, rows = next(qualified, (None, iter(())))
        if place is not None:
            raise CgstoreError(f"The graph has a qualifier of {place}, and not that fact.", "Load the source again.")

    def head_iri(self, name: str) -> str | None:
        """The IRI of a head."""
        row = self.sql.execute("SELECT iri FROM head WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def exists(self, table: str, condition: str, parameters: Iterable[Any] = ()) -> bool:
        """Whether a row of a table fulfils a condition."""
        return bool(self.single(f"SELECT EXISTS (SELECT 1 FROM {table} WHERE {condition})", parameters))


def _joined(texts: list[str] | None) -> str | None:
    """Literal suffixes or ends, none of which holds a line's end, as one text."""
    return None if texts is None else "\n".join(texts)


def _split(literal: str | None) -> tuple[str, ...]:
    return () if literal is None else tuple(literal.split("\n"))
