"""The stage of statements: the distinct facts and qualifiers of a source, and their condition triples."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from cgstore.loaders.readers.records import Statement, literal_suffix, printable
from cgstore.loaders.staging import Group, Stage, StagedNode, ValueAnnotation
from cgstore.model import ColumnReport, Role
from cgstore.text.columns import ColumnFormat, ColumnProfile, FormatHints, is_missing, read_columns
from cgstore.text.dates import number_of
from cgstore.text.kinds import AMOUNTS, ValueKind, number_in_text, read_as
from cgstore.text.names import many, source_name, statement_condition
from cgstore.text.numbers import NumberText
from cgstore.text.roles import Role as ColumnRole
from cgstore.text.roles import role_of

NODE = "<>"
"""Stands among the suffixes of literals for an IRI or a blank node."""

_TABLES = (
    "CREATE TABLE fact (h INTEGER, r INTEGER, t INTEGER, PRIMARY KEY (h, r, t)) WITHOUT ROWID",
    "CREATE TABLE qualifier (h INTEGER, r INTEGER, t INTEGER, number INTEGER, q INTEGER, v INTEGER,"
    " PRIMARY KEY (h, r, t, number, q, v)) WITHOUT ROWID",
    "CREATE TABLE literal (h INTEGER, r INTEGER, t INTEGER, suffix TEXT, PRIMARY KEY (h, r, t, suffix)) WITHOUT ROWID",
    "CREATE TABLE suffix (h INTEGER, r INTEGER, t INTEGER, q INTEGER, v INTEGER, suffix TEXT,"
    " PRIMARY KEY (h, r, t, q, v, suffix)) WITHOUT ROWID",
    "CREATE TABLE iri (node INTEGER PRIMARY KEY, iri TEXT)",
    # The sets of qualifiers of each fact, as texts of their numbers, in the order of the input by `place`.
    "CREATE TABLE together (h INTEGER, r INTEGER, t INTEGER, pairs TEXT, place INTEGER,"
    " PRIMARY KEY (h, r, t, pairs)) WITHOUT ROWID",
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
SELECT x.q, x.v, coalesce(h.name, h.key), coalesce(r.name, r.key), coalesce(t.name, t.key), h.key, x.number
FROM qualifier x CROSS JOIN node h ON h.id = x.h CROSS JOIN node r ON r.id = x.r CROSS JOIN node t ON t.id = x.t
ORDER BY x.h, x.r, x.t, x.number, x.q, x.v
"""

_QUALIFIERS_ANNOTATED = """
SELECT x.q, x.v, coalesce(h.name, h.key), coalesce(r.name, r.key), coalesce(t.name, t.key), h.key, x.number,
  coalesce(v.name, v.key), i.iri, (SELECT group_concat(suffix, ' ') FROM suffix s
    WHERE s.h = x.h AND s.r = x.r AND s.t = x.t AND s.q = x.q AND s.v = x.v)
FROM qualifier x CROSS JOIN node h ON h.id = x.h CROSS JOIN node r ON r.id = x.r CROSS JOIN node t ON t.id = x.t
CROSS JOIN node v ON v.id = x.v LEFT JOIN iri i ON i.node = x.v
ORDER BY x.h, x.r, x.t, x.number, x.q, x.v
"""

_CELLS = (
    "CREATE TABLE cell (r INTEGER, t INTEGER, count INTEGER, h INTEGER, PRIMARY KEY (r, t)) WITHOUT ROWID",
    "INSERT INTO cell SELECT r, t, count(*), min(h) FROM fact GROUP BY r, t ORDER BY r, t",
)

_VALUES = """
SELECT c.r, coalesce(t.name, t.key), c.count, c.h FROM cell c CROSS JOIN node t ON t.id = c.t ORDER BY c.r
"""

_SAMPLE = """
SELECT coalesce(t.name, t.key), c.count FROM (SELECT t, count FROM cell WHERE r = ? ORDER BY t LIMIT ?) c
CROSS JOIN node t ON t.id = c.t
"""

_ROWS = """
SELECT h.name, f.r, coalesce(t.name, t.key) FROM fact f CROSS JOIN node h ON h.id = f.h CROSS JOIN node t ON t.id = f.t
ORDER BY f.h, f.r, f.t
"""

_DECIMAL_TYPES = ("#decimal", "#double", "#float")
_EXAMPLES = 3

SAMPLE = 1_000
"""Different values of a relation, at most, that its role is found by."""


_TOGETHER = """
SELECT h, r, t, pairs FROM together WHERE (h, r, t) IN (
  SELECT h, r, t FROM together GROUP BY h, r, t HAVING count(*) > 1
) ORDER BY h, r, t, place
"""

SHOWN = 80
"""Characters of a name that a note shows."""

Pair = tuple[int, int]
"""The numbers of a key and a value."""


class FactStage(Stage):
    """The statements of one source.

    The statements of a fact are the sets of qualifiers that belong together (`statements_of`), in the order of the
    input.

    Args:
        source: the name of the source.
        in_memory: see `Stage`.
        formats: how values are read where they leave it open.
        known: how the values of relations that the source has already are read, by name.
        roles: the roles of relations that the user says, by name.
    """

    def __init__(
        self,
        source: str,
        *,
        in_memory: bool = False,
        formats: FormatHints | None = None,
        known: Mapping[str, ColumnFormat] | None = None,
        roles: Mapping[str, ColumnRole] | None = None,
    ) -> None:
        super().__init__(source, in_memory=in_memory)
        self._formats, self._known_columns = formats or FormatHints(), known or {}
        self._said_roles = dict(roles or {})
        self._example = ""
        self._place = 0
        for statement in _TABLES:
            self.sql.execute(statement)
        self._hash = hashlib.sha256()
        self._columns: dict[int, ColumnFormat] = {}
        self._typed: set[int] = set()
        self._has_annotations = self._has_suffixes = False

    def add(self, statement: Statement) -> None:
        head = self.node(statement.head, statement.head_role)
        relation = self.node(statement.relation, Role.RELATION)
        tail = self.node(statement.tail, statement.tail_role)
        self._hash.update(_fingerprint(statement).encode("utf-8", "surrogatepass"))
        self.insert("fact", head, relation, tail)
        if isinstance(statement.tail, NumberText) or statement.datatype.endswith(_DECIMAL_TYPES):
            self._typed.add(relation)
        pairs = [(self.node(key, Role.KEY), self.node(value, Role.VALUE)) for key, value in statement.qualifiers]
        for pair in pairs:
            self.insert("qualifier", head, relation, tail, 1, *pair)
        if pairs:
            numbers = " ".join(f"{key} {value}" for key, value in sorted(set(pairs)))
            self._place += 1
            self.insert("together", head, relation, tail, numbers, self._place)
        for pair, terms in zip(pairs, statement.terms, strict=False):
            self.insert("suffix", head, relation, tail, *pair, NODE if terms.suffix is None else terms.suffix)
            self._iris(pair, (terms.key, terms.value))
        if statement.tail_role is Role.VALUE and statement.head_role is not Role.LINE:  # of a table, all are
            self.insert("literal", head, relation, tail, literal_suffix(statement.datatype, statement.language))
        elif statement.iris[1]:
            self.insert("literal", head, relation, tail, NODE)
        self._iris((head, relation, tail), statement.iris)

    def _iris(self, nodes: tuple[int, ...], iris: tuple[str, ...]) -> None:
        for node, iri in zip(nodes, iris, strict=True):
            if iri:
                self.insert("iri", node, iri)

    def settle(self) -> None:
        self.flush()
        self._part()
        self.fact_count = self.single("SELECT count(*) FROM fact")
        self.has = self.single("SELECT count(*) FROM (SELECT DISTINCT h, r FROM fact)")
        self.value = self.fact_count + self.single("SELECT count(*) FROM qualifier")
        of_numbers = self._read_columns()
        self._has_suffixes = self.single("SELECT EXISTS (SELECT 1 FROM suffix)") == 1
        self._has_annotations = (
            of_numbers or self.single("SELECT EXISTS (SELECT 1 FROM iri) OR EXISTS (SELECT 1 FROM literal)") == 1
        )

    def _read_columns(self) -> bool:
        """Finds how the values of each relation are read; returns whether any has another number than its node."""
        for statement in _CELLS:
            self.sql.execute(statement)
        seen: dict[int, ColumnProfile] = {}
        for relation, values in groupby(self.sql.execute(_VALUES), itemgetter(0)):
            seen[relation] = one = ColumnProfile()
            one.typed = relation in self._typed
            for _, text, _, _ in values:
                one.add(text)
        self._columns = read_columns(seen, self._formats)
        for relation in self._columns if self._known_columns else ():
            self._columns[relation] = self._known_columns.get(self.name_of(relation), self._columns[relation])
        for relation, column in sorted(self._columns.items()):
            self._hash.update(f"{relation} {column.kind} {column.decimal}".encode())
        for name, role in sorted(self._said_roles.items()):
            self._hash.update(f"{name} {role}".encode("utf-8", "surrogatepass"))
        self.fingerprint = self._hash.hexdigest()
        return any(column.kind is not ValueKind.TEXT or seen[r].has_marks() for r, column in self._columns.items())

    def column_reports(self, *, texts: bool) -> Iterator[ColumnReport]:
        for relation, values in groupby(self.sql.execute(_VALUES), itemgetter(0)):
            column = self._columns[relation]
            if texts or column.kind is not ValueKind.TEXT:
                yield self._column_report(relation, column, values)

    def numbered_cells(self) -> Iterator[tuple[int, str, str, float | None]]:
        """The cells of a table, row by row: place of the row, column, text, and number if the column can be summed."""
        summed = AMOUNTS - {ValueKind.ORDINAL, ValueKind.PERCENT}
        amounts = {relation for relation, column in self._columns.items() if column.kind.plain in summed}
        names = {relation: self.name_of(relation) for relation in self._columns}
        for name, relation, text in self.sql.execute(_ROWS) if amounts else ():
            number = read_as(self._columns[relation].kind, text) if relation in amounts else None
            yield int(name[len("[line_") : -1]), names[relation], text, number

    def _column_report(
        self, relation: int, column: ColumnFormat, values: Iterable[tuple[int, str, int, int]]
    ) -> ColumnReport:
        cells = empty = unread = 0
        examples: list[tuple[int, str]] = []
        nothings: Counter[str] = Counter()
        for _, text, count, head in values:
            if is_missing(text):
                if said := text.strip():
                    nothings[said] += count
                else:
                    empty += count
                continue
            cells += count
            if column.kind is not ValueKind.TEXT and read_as(column.kind, text) is None:
                unread += count
                examples = sorted([*examples, (head, text)])[:_EXAMPLES]
        shown = tuple((text[:60], self.name_of(head)) for head, text in examples)
        name, kind = self.name_of(relation), column.kind.plain
        if kind is ValueKind.DAY_FIRST_DATE:
            kind = ValueKind.DATE  # the format says it
        return ColumnReport(
            source_name(self.source),
            name,
            str(kind),
            column.form,
            cells,
            empty,
            unread,
            shown,
            column.doubt,
            nothings.total(),
            tuple(text for text, _ in nothings.most_common(_EXAMPLES)),
        )

    def _part(self) -> None:
        """Numbers the statements of each fact that has several."""
        found = 0
        for fact, rows in groupby(self.sql.execute(_TOGETHER), itemgetter(0, 1, 2)):
            sets = statements_of([_pairs(row[3]) for row in rows])
            if len(sets) == 1:
                continue
            found += 1
            if found == 1:
                shown = "; or ".join(self._shown(pairs) for pairs in sets[:2])
                self._example = f"({', '.join(map(self._short, fact))}) with {shown}"
            self.sql.execute("DELETE FROM qualifier WHERE h = ? AND r = ? AND t = ?", fact)
            numbered = ((*fact, number, *pair) for number, pairs in enumerate(sets, 1) for pair in pairs)
            self.sql.executemany("INSERT INTO qualifier VALUES (?, ?, ?, ?, ?, ?)", numbered)
        if found:
            self.parallel = found
            self._hash.update(b"statements")  # versions before this one kept such facts in another way

    def notes(self) -> Iterator[str]:
        if self.parallel is not None:
            yield (
                f"{many(self.parallel, 'fact is', 'facts are')} stated several times with different qualifiers, and "
                f"each statement keeps its own. Such as {self._example}."
            )

    def _shown(self, pairs: Iterable[Pair]) -> str:
        return ", ".join(f"{self._short(key)} {self._short(value)}" for key, value in sorted(pairs))

    def _short(self, node: int) -> str:
        name = printable(self.name_of(node))
        return f"{name[:SHOWN]}..." if len(name) > SHOWN else name

    def nodes(self, role: Role) -> Iterator[StagedNode]:
        """The nodes of a role: relations with kind and role of their values, relations and keys with their IRIs."""
        for node in super().nodes(role):
            if role not in (Role.RELATION, Role.KEY):
                yield node
                continue
            column = self._columns.get(node.id) if role is Role.RELATION else None
            row = self.sql.execute("SELECT iri FROM iri WHERE node = ?", (node.id,)).fetchone()
            node = node._replace(iri=row[0] if row else None)
            if column:
                node = node._replace(kind=column.kind.value, role=self._role(node, column).value)
            yield node

    def _role(self, relation: StagedNode, column: ColumnFormat) -> ColumnRole:
        """The role of a relation: the one that the user says, or by its first values; blanks count if all are seen."""
        if said := self._said_roles.get(relation.name):
            return said
        values = dict[str, int](self.sql.execute(_SAMPLE, (relation.id, SAMPLE)))
        if len(values) == SAMPLE:
            values.pop("", None)
        return role_of(values, column.kind, relation.name)

    def groups(self) -> Iterator[Group]:
        for (head, iri), pairs in groupby(self.sql.execute(_HAS), itemgetter(0, 2)):
            yield Group(head, (), "", [relation for _, relation, _ in pairs], iri=iri)
        rows = self.sql.execute(_FACTS if self._has_annotations else _PLAIN_FACTS)
        for (_, relation, name, key), some in groupby(rows, itemgetter(0, 1, 3, 4)):
            facts = list(some)
            about = _annotations(self._columns[relation], facts, 5) if self._has_annotations else None
            yield Group(relation, (name,), key, [fact[2] for fact in facts], about)
        rows = self.sql.execute(_QUALIFIERS_ANNOTATED if self._has_suffixes else _QUALIFIERS)
        for (key, *named), some in groupby(rows, itemgetter(0, 2, 3, 4, 5, 6)):
            facts = list(some)
            about = _annotations(None, facts, 7) if self._has_suffixes else None
            yield Group(key, statement_condition(named[:3], named[4]), named[3], [fact[1] for fact in facts], about)


def statements_of(sets: Sequence[frozenset[Pair]]) -> list[frozenset[Pair]]:
    """The statements of a fact that is stated with these sets of pairs of key and value, in their order.

    A set that another one contains is not a statement of its own. Sets of one key alone are lists of its values, and
    make one statement.
    """
    union = frozenset().union(*sets)
    if len({key for key, _ in union}) == 1:
        return [union]
    larger: dict[Pair, list[frozenset[Pair]]] = {}
    contained = set[frozenset[Pair]]()
    for _, same_size in groupby(sorted(sets, key=len, reverse=True), len):
        some = list(same_size)
        for each in some:
            holders = min((larger.get(pair, []) for pair in each), key=len)
            if any(each < other for other in holders):
                contained.add(each)
        for each in some:
            for pair in each:
                larger.setdefault(pair, []).append(each)
    return [each for each in dict.fromkeys(sets) if each not in contained]


def number_in(column: ColumnFormat, text: str) -> float | None:
    """The number of a cell."""
    return number_in_text(text, column.decimal) if column.kind is ValueKind.TEXT else read_as(column.kind, text)


def _fingerprint(statement: Statement) -> str:
    """The text of a statement in the source's fingerprint.

    It must stay what earlier versions made, so that a source that is loaded again is recognised: hence the class's
    former name, and nothing where a qualifier has no terms.
    """
    if not statement.terms:
        return repr(statement[:-2])
    return repr(statement[:-1]).replace("QualifierTerms(", "Told(")


def _pairs(text: str) -> frozenset[Pair]:
    """Keys and values from a text of their numbers."""
    numbers = [int(number) for number in text.split(" ")]
    return frozenset(zip(numbers[::2], numbers[1::2], strict=True))


def _annotations(
    column: ColumnFormat | None, rows: Sequence[tuple[Any, ...]], place: int
) -> list[ValueAnnotation] | None:
    """The annotations of values, whose text, IRI and literal suffixes (with a space between) begin at a place of rows.

    None if the numbers of all nodes hold here too, and nothing else is to be said.
    """
    values = [row[place : place + 3] for row in rows]
    annotations = [
        ValueAnnotation(
            number_of(text) if column is None else number_in(column, text),
            iri,
            None if literals is None or literals == NODE else literals.split(" "),
        )
        for text, iri, literals in values
    ]
    plain = [ValueAnnotation(number_of(text)) for text, _, _ in values]
    return annotations if annotations != plain else None
