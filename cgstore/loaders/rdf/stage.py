"""The terms and quads of RDF files in a temporary SQLite file, and the statements about statements among them.

The stage has distinct quads in the order in which they first came. Memory does not grow with the input, and names and
reifications, which need all of it, can be settled before the first statement is made.

A reifier is a node that stands for a statement. In RDF 1.2 it is `r rdf:reifies <<( s p o )>>`, for which `<< s p o >>
q v` and `s p o {| q v |}` are short. In a classical reification it is `r a rdf:Statement` with exactly one rdf:subject,
rdf:predicate and rdf:object. A statement about the reifier, `r q v`, becomes the qualifier (q, v) of (s, p, o), and is
no longer a statement of its own.

A classical reification whose (s, p, o) is not in the input states it: this is what those who write them mean (YAGO,
older dumps of Wikidata). In RDF 1.2 a triple that is annotated but not asserted is expressly not a fact. Moreover, a
qualifier cannot have qualifiers, and a triple cannot be a node. Quads that say so are bad. Only the link is lost then:
the statements about r stay ordinary statements. A classical reification that is incomplete, or of a qualifier, stays as
it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from cgstore.loaders.staging import TemporaryDatabase

# Terms: `<IRI`, `_LABEL`, and `"TEXT"` followed by nothing, `@LANGUAGE` or `^DATATYPE`. Nothing is escaped: neither a
# language nor an IRI holds a quote, so that the last one ends the text. A triple term is a tuple of three terms.


Term: TypeAlias = "str | tuple[Term, Term, Term]"

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"

_NO_DATATYPE = {"", XSD_STRING, f"{RDF}langString", f"{RDF}dirLangString"}
_BAD = re.compile("[\x00\ud800-\udfff]")


class BadTerm(ValueError):
    """A term that no graph can hold; the message says why. `term` is the term where a parser does not tell a line."""

    def __init__(self, message: str, term: str = "") -> None:
        super().__init__(message)
        self.term = term


class RawQuad(NamedTuple):
    """One quad of a file: `graph` is None for the default graph, `line` 0 where the parser does not tell."""

    subject: Term
    predicate: Term
    object: Term
    graph: Term | None = None
    line: int = 0


def iri_term(iri: str) -> str:
    """An IRI."""
    return f"<{iri}"


def blank_term(label: str) -> str:
    """A blank node by its label, which holds within its file."""
    return f"_{label}"


def literal_term(text: str, datatype: str = "", language: str = "") -> str:
    """A literal; the language in lower case, and no datatype where there is a language or it is a plain string."""
    if language:
        return f'"{text}"@{language.lower()}'
    return f'"{text}"' if datatype in _NO_DATATYPE else f'"{text}"^{datatype}'


def literal_parts(term: str) -> tuple[str, str, str]:
    """Text, datatype and language of a literal."""
    end = term.rindex('"')
    suffix = term[end + 1 :]
    return term[1:end], suffix[1:] if suffix[:1] == "^" else "", suffix[1:] if suffix[:1] == "@" else ""


def shown(term: Term) -> str:
    """The term as N-Triples would write it, for messages."""
    if isinstance(term, tuple):
        return f"<<( {' '.join(map(shown, term))} )>>"
    if term[0] == "<":
        return f"{term}>"
    if term[0] == "_":
        return f"_:{term[1:]}"
    text, datatype, language = literal_parts(term)
    escaped = (
        text.replace("\\", "\\\\")
        .replace('"', '\\"')
        .replace("\n", "\\n")
        .replace("\r", "\\r")
        .replace("\x00", "\\u0000")
    )
    return f'"{escaped}"' + (f"@{language}" if language else f"^^<{datatype}>" if datatype else "")


def shown_quad(quad: RawQuad) -> str:
    """The quad as a line of N-Quads."""
    terms = [quad.subject, quad.predicate, quad.object, *([quad.graph] if quad.graph is not None else [])]
    return " ".join([*map(shown, terms), "."])


def check_characters(term: str) -> None:
    """Raises BadTerm for what neither UTF-8 nor a database's strings can hold."""
    if match := _BAD.search(term):
        what = "a NUL character" if match[0] == "\x00" else f"half a surrogate pair (U+{ord(match[0]):04X})"
        raise BadTerm(f"{what} in {shown(term)[:60]!r}")


# The stage


CACHED_TERMS = 200_000
"""Terms whose numbers are kept in memory. Others are looked up in the file."""

LONG_TERM = 1_000
"""A term with as many characters is not kept in memory."""

MAX_DEPTH = 20
"""Deepest nesting of triple terms. Files with deeper ones are made to cause an overflow."""

NOTHING = 0
"""Stands for the default graph, and for the qualifier `graph`. No term has this number."""

_TABLES = """
PRAGMA temp_store = FILE;
CREATE TABLE term (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, blank INTEGER);
CREATE TABLE quoted (id INTEGER PRIMARY KEY, s INTEGER, p INTEGER, o INTEGER);
CREATE TABLE quad (
    seq INTEGER PRIMARY KEY, s INTEGER, p INTEGER, o INTEGER, g INTEGER, file INTEGER, line INTEGER,
    UNIQUE (s, p, o, g)
);
CREATE TABLE reifier (r INTEGER, s INTEGER, p INTEGER, o INTEGER, seq INTEGER, classical INTEGER, g INTEGER);
CREATE TABLE qualifier (seq INTEGER PRIMARY KEY, r INTEGER, q INTEGER, v INTEGER, UNIQUE (r, q, v));
CREATE TABLE name (
    space INTEGER, term INTEGER, label TEXT, level INTEGER, text TEXT, PRIMARY KEY (space, term)
) WITHOUT ROWID;
"""


class RdfStage(TemporaryDatabase):
    """Quads by the numbers of their terms, from 1; `settle_reifications` and `settle_names` fill the other tables."""

    def __init__(self) -> None:
        super().__init__(_TABLES)
        self._number = lru_cache(CACHED_TERMS)(self._number_of)
        self._terms = self._blanks = self._file = 0

    def begin_file(self, number: int) -> None:
        """Begins another file, which has blank nodes of its own."""
        self._file = number

    def add(self, quad: RawQuad) -> None:
        """Stages a quad; a repeat vanishes.

        Raises:
            BadTerm: it has a character that no graph can hold.
        """
        s, p, o = self._term(quad.subject), self._term(quad.predicate), self._term(quad.object)
        g = NOTHING if quad.graph is None else self._term(quad.graph)
        self.insert("quad", None, s, p, o, g, self._file, quad.line)

    def _term(self, term: Term, depth: int = 0) -> int:
        if isinstance(term, tuple):
            return self._quoted(term, depth + 1)
        text = f"_{self._file}:{term[1:]}" if term[0] == "_" else term
        return self._number(text) if len(text) < LONG_TERM else self._number_of(text)

    def _number_of(self, text: str) -> int:
        """The number of a term, which is added if it is new."""
        check_characters(text)
        if (number := self.number_of(text)) > 0:
            return number
        self._terms += 1
        self._blanks += text[0] == "_"
        blank = self._blanks if text[0] == "_" else None
        self.sql.execute("INSERT INTO term VALUES (?, ?, ?)", (self._terms, text, blank))
        return self._terms

    def _quoted(self, term: tuple[Term, Term, Term], depth: int) -> int:
        if depth > MAX_DEPTH:
            raise BadTerm(f"triple terms within triple terms, more than {MAX_DEPTH} deep")
        s, p, o = (self._term(part, depth) for part in term)
        number = self._number_of(f"({s} {p} {o}")
        self.sql.execute("INSERT OR IGNORE INTO quoted VALUES (?, ?, ?, ?)", (number, s, p, o))
        return number

    def number_of(self, term: str) -> int:
        """The number of an IRI or literal; -1, which no term has, where the input does not name it."""
        row = self.sql.execute("SELECT id FROM term WHERE text = ?", (term,)).fetchone()
        return int(row[0]) if row else -1

    def term(self, number: int) -> Term:
        """The term of a number. A blank node has its number as label, since parsers make up labels."""
        text, blank = self.sql.execute("SELECT text, blank FROM term WHERE id = ?", (number,)).fetchone()
        if text[0] == "(":
            s, p, o = (self.term(int(part)) for part in text[1:].split())
            return s, p, o
        return f"_b{blank}" if blank else str(text)


# Reifications


UNASSERTED = "it annotates a triple that the input does not assert, so that there is no fact to qualify"
NESTED = "it annotates an annotation, and a qualifier cannot have qualifiers"
TRIPLE_NODE = "a triple stands in the place of a node"

_CLASSICAL = """
INSERT INTO reifier
SELECT t.s,
  (SELECT CASE WHEN min(o) = max(o) THEN min(o) END FROM quad WHERE s = t.s AND p = :subject),
  (SELECT CASE WHEN min(o) = max(o) THEN min(o) END FROM quad WHERE s = t.s AND p = :predicate),
  (SELECT CASE WHEN min(o) = max(o) THEN min(o) END FROM quad WHERE s = t.s AND p = :object),
  min(t.seq), 1, min(t.g)
FROM quad t WHERE t.p = :type AND t.o = :statement GROUP BY t.s
"""

# A literal cannot be a subject, nor anything but an IRI a predicate.
_INCOMPLETE = """
DELETE FROM reifier WHERE s IS NULL OR p IS NULL OR o IS NULL
  OR (SELECT substr(text, 1, 1) FROM term WHERE id = reifier.s) NOT IN ('<', '_')
  OR (SELECT substr(text, 1, 1) FROM term WHERE id = reifier.p) <> '<'
  OR o IN (SELECT id FROM quoted)
"""

_REIFIES = """
INSERT INTO reifier
SELECT q.s, t.s, t.p, t.o, min(q.seq), 0, 0 FROM quad q CROSS JOIN quoted t ON t.id = q.o
WHERE q.p = :reifies GROUP BY q.s, q.o
"""

_IS_UNASSERTED = """
classical = 0 AND NOT EXISTS (
  SELECT 1 FROM quad q WHERE q.s = reifier.s AND q.p = reifier.p AND q.o = reifier.o
) AND NOT EXISTS (
  SELECT 1 FROM reifier c WHERE c.classical = 1 AND c.s = reifier.s AND c.p = reifier.p AND c.o = reifier.o
)
"""

_IS_NESTED = "s IN (SELECT r FROM reifier)"

_SETTLE = """
INSERT OR IGNORE INTO qualifier
  SELECT seq, s, p, o FROM quad WHERE s IN (SELECT r FROM reifier)
  AND NOT (p = :reifies AND o IN (SELECT id FROM quoted))
  AND NOT (s IN (SELECT r FROM reifier WHERE classical = 1)
    AND (p IN (:subject, :predicate, :object) OR (p = :type AND o = :statement)))
  ORDER BY seq;
DELETE FROM quad WHERE s IN (SELECT r FROM reifier) OR o IN (SELECT id FROM quoted);
INSERT OR IGNORE INTO quad (s, p, o, g, file, line)
  SELECT s, p, o, g, 0, 0 FROM reifier WHERE classical = 1
  AND NOT EXISTS (SELECT 1 FROM quad q WHERE q.s = reifier.s AND q.p = reifier.p AND q.o = reifier.o) ORDER BY seq;
"""


class BadQuad(NamedTuple):
    """A quad that cannot become a statement: the number of its file, its line (0: unknown), why, and the quad."""

    file: int
    line: int
    problem: str
    text: str


def settle_reifications(stage: RdfStage) -> Iterator[BadQuad]:
    """Moves the statements about reifiers to the table of qualifiers; yields the bad quads."""
    numbers = {name: stage.number_of(iri_term(RDF + name)) for name in ("type", "subject", "predicate", "object")}
    numbers["statement"] = stage.number_of(iri_term(f"{RDF}Statement"))
    numbers["reifies"] = stage.number_of(iri_term(f"{RDF}reifies"))
    stage.sql.execute(_CLASSICAL, numbers)
    stage.sql.execute(_INCOMPLETE)
    stage.sql.execute("CREATE INDEX reifier_of ON reifier (r)")
    stage.sql.execute("CREATE INDEX reifier_to ON reifier (s, p, o)")
    stage.sql.execute(_REIFIES, numbers)
    yield from _taken(stage, _IS_NESTED, NESTED)
    yield from _triple_nodes(stage, numbers["reifies"])
    # Last, since a reifier may annotate one of the quads that the others took out.
    yield from _taken(stage, _IS_UNASSERTED, UNASSERTED)
    for statement in _SETTLE.split(";")[:-1]:
        stage.sql.execute(statement, numbers)


def _taken(stage: RdfStage, condition: str, problem: str) -> Iterator[BadQuad]:
    """Removes the reifiers that fulfil a condition. Those of RDF 1.2 are bad quads, classical ones stay ordinary."""
    stage.sql.execute(f"CREATE TEMP TABLE bad AS SELECT rowid AS id, * FROM reifier WHERE {condition}")
    rows = "SELECT q.seq, q.file, q.line FROM bad b CROSS JOIN quad q ON q.seq = b.seq WHERE b.classical = 0"
    for seq, file, line in stage.sql.execute(f"{rows} ORDER BY q.seq"):
        yield BadQuad(file, line, problem, _text(stage, seq))
    stage.sql.execute("DELETE FROM quad WHERE seq IN (SELECT seq FROM bad WHERE classical = 0)")
    stage.sql.execute("DELETE FROM reifier WHERE rowid IN (SELECT id FROM bad)")
    stage.sql.execute("DROP TABLE bad")


def _triple_nodes(stage: RdfStage, reifies: int) -> Iterator[BadQuad]:
    """Removes the quads that have a triple term anywhere but as the object of rdf:reifies."""
    misplaced = "o IN (SELECT id FROM quoted) AND NOT (p = ? AND s IN (SELECT r FROM reifier))"
    for seq, file, line in stage.sql.execute(
        f"SELECT seq, file, line FROM quad WHERE {misplaced} ORDER BY seq", (reifies,)
    ):
        yield BadQuad(file, line, TRIPLE_NODE, _text(stage, seq))
    stage.sql.execute(f"DELETE FROM quad WHERE {misplaced}", (reifies,))


def _text(stage: RdfStage, seq: int) -> str:
    s, p, o, g = stage.sql.execute("SELECT s, p, o, g FROM quad WHERE seq = ?", (seq,)).fetchone()
    return shown_quad(RawQuad(stage.term(s), stage.term(p), stage.term(o), stage.term(g) if g else None))
