"""Statements, staged: the distinct facts and qualifiers of a table, a KG, an RDF graph, and their condition triples."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from cgstore.kinds import Kind, kind_of, read_as
from cgstore.loaders.staging import About, Group, Stage, StagedNode
from cgstore.loaders.statement import Statement
from cgstore.model import Role
from cgstore.values import number_of

CHUNK = 10_000
"""Rows handed to SQLite at a time."""

_TABLES = (
    "CREATE TABLE fact (h INTEGER, r INTEGER, t INTEGER, PRIMARY KEY (h, r, t)) WITHOUT ROWID",
    "CREATE TABLE qualifier (h INTEGER, r INTEGER, t INTEGER, q INTEGER, v INTEGER, PRIMARY KEY (h, r, t, q, v))"
    " WITHOUT ROWID",
    "CREATE TABLE literal (h INTEGER, r INTEGER, t INTEGER, suffix TEXT, PRIMARY KEY (h, r, t, suffix)) WITHOUT ROWID",
    "CREATE TABLE iri (node INTEGER PRIMARY KEY, iri TEXT)",
)

_HAS = "SELECT DISTINCT f.h, f.r, i.iri FROM fact f LEFT JOIN iri i ON i.node = f.h ORDER BY f.h, f.r"

_FACTS = """
SELECT f.h, f.r, f.t, coalesce(h.name, h.key), h.key, coalesce(t.name, t.key), i.iri,
  (SELECT group_concat(suffix, ' ') FROM literal l WHERE l.h = f.h AND l.r = f.r AND l.t = f.t)
FROM fact f CROSS JOIN node h ON h.id = f.h CROSS JOIN node t ON t.id = f.t LEFT JOIN iri i ON i.node = f.t
ORDER BY f.h, f.r, f.t
"""

_PLAIN_FACTS = """
SELECT f.h, f.r, f.t, coalesce(h.name, h.key), h.key FROM fact f CROSS JOIN node h ON h.id = f.h
ORDER BY f.h, f.r, f.t
"""

_QUALIFIERS = """
SELECT x.q, x.v, coalesce(h.name, h.key), coalesce(r.name, r.key), coalesce(t.name, t.key), h.key
FROM qualifier x CROSS JOIN node h ON h.id = x.h CROSS JOIN node r ON r.id = x.r CROSS JOIN node t ON t.id = x.t
ORDER BY x.h, x.r, x.t, x.q, x.v
"""

_VALUES = """
SELECT DISTINCT coalesce(t.name, t.key) FROM fact f CROSS JOIN node t ON t.id = f.t WHERE f.r = ?
"""


class FactStage(Stage):
    """The statements of one source: first `add` all of them, then `settle`, then read.

    Its counts are known after `settle`: `fact_count` distinct (head, relation, tail), `has` triples with an empty
    condition and `value` with one.
    """

    def __init__(self, source: str, *, in_memory: bool = False) -> None:
        super().__init__(source, in_memory=in_memory)
        for statement in _TABLES:
            self.sql.execute(statement)
        self._rows: dict[str, list[tuple[int | str, ...]]] = {
            table: [] for table in ("fact", "qualifier", "literal", "iri")
        }
        self._hash = hashlib.sha256()
        self._kinds: dict[int, Kind] = {}
        self._has_about = False
        self.fact_count = self.has = self.value = 0
        self.fingerprint = ""

    def add(self, statement: Statement) -> None:
        """Stages one statement; a repeat vanishes."""
        head = self.node(statement.head, statement.head_role)
        relation = self.node(statement.relation, Role.RELATION)
        tail = self.node(statement.tail, statement.tail_role)
        self._hash.update(repr(statement[:-1]).encode("utf-8", "surrogatepass"))
        self._row("fact", head, relation, tail)
        for key, value in statement.qualifiers:
            self._row("qualifier", head, relation, tail, self.node(key, Role.KEY), self.node(value, Role.VALUE))
        if statement.iris[1] and statement.tail_role is Role.VALUE:
            self._row("literal", head, relation, tail, _suffix(statement))
        for node, iri in zip((head, relation, tail), statement.iris, strict=True):
            if iri:
                self._row("iri", node, iri)

    def _row(self, table: str, *values: int | str) -> None:
        rows = self._rows[table]
        rows.append(values)
        if len(rows) >= CHUNK:
            self._flush(table)

    def _flush(self, table: str) -> None:
        if rows := self._rows[table]:
            places = ", ".join("?" * len(rows[0]))
            self.sql.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({places})", rows)
            rows.clear()

    def settle(self) -> None:
        """Ends the adding: counts the triples, and finds what the values of each relation are read as."""
        for table in self._rows:
            self._flush(table)
        self.fingerprint = self._hash.hexdigest()
        self.fact_count = self._number("SELECT count(*) FROM fact")
        self.has = self._number("SELECT count(*) FROM (SELECT DISTINCT h, r FROM fact)")
        self.value = self.fact_count + self._number("SELECT count(*) FROM qualifier")
        for (relation,) in self.sql.execute("SELECT DISTINCT r FROM fact").fetchall():
            kind = kind_of(name for (name,) in self.sql.execute(_VALUES, (relation,)))
            self._kinds[relation] = kind
        self._has_about = self._number(
            "SELECT EXISTS (SELECT 1 FROM iri) OR EXISTS (SELECT 1 FROM literal)"
        ) == 1 or not {Kind.TEXT}.issuperset(self._kinds.values())

    def _number(self, statement: str) -> int:
        return int(self.sql.execute(statement).fetchone()[0])

    def nodes(self, role: Role) -> Iterator[StagedNode]:
        """As `Stage.nodes`, relations with the kind of their values."""
        for node in super().nodes(role):
            kind = self._kinds.get(node.id) if role is Role.RELATION else None
            yield node._replace(kind=kind.value) if kind else node

    def groups(self) -> Iterator[Group]:
        """All condition triples of the source, each once, in an order that depends on the statements alone."""
        for (head, iri), pairs in groupby(self.sql.execute(_HAS), itemgetter(0, 2)):
            yield Group(head, (), "", [relation for _, relation, _ in pairs], iri=iri)
        yield from self._facts_with_about() if self._has_about else self._plain_facts()
        yield from self._qualifiers()

    def _plain_facts(self) -> Iterator[Group]:
        for (_, relation, name, key), facts in groupby(self.sql.execute(_PLAIN_FACTS), itemgetter(0, 1, 3, 4)):
            yield Group(relation, (name,), key, [fact[2] for fact in facts])

    def _facts_with_about(self) -> Iterator[Group]:
        for (_, relation, name, key), facts in groupby(self.sql.execute(_FACTS), itemgetter(0, 1, 3, 4)):
            rows = list(facts)
            about = _about(self._kinds[relation], [(row[5], row[6], row[7]) for row in rows])
            yield Group(relation, (name,), key, [row[2] for row in rows], about)

    def _qualifiers(self) -> Iterator[Group]:
        for (key, *named), rows in groupby(self.sql.execute(_QUALIFIERS), itemgetter(0, 2, 3, 4, 5)):
            yield Group(key, tuple(named[:3]), named[3], [row[1] for row in rows])


def _suffix(statement: Statement) -> str:
    """What follows a literal's text in N-Triples: nothing for a plain one."""
    if statement.language:
        return f"@{statement.language}"
    return f"^^{statement.datatype}" if statement.datatype else ""


def _about(kind: Kind, values: list[tuple[str, str | None, str | None]]) -> list[About] | None:
    """What the VALUE relationships of one head and relation say of their values; None where that is nothing new.

    Values are (text, IRI, literal suffixes with a space between).
    """
    about = [
        About(
            number_of(text) if kind is Kind.TEXT else read_as(kind, text),
            iri,
            literals.split(" ") if literals else None,
        )
        for text, iri, literals in values
    ]
    plain = [About(number_of(text)) for text, _, _ in values]
    return about if about != plain else None
