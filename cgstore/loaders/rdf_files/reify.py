"""Statements about statements, as qualifiers: RDF 1.2's reifiers, and classical reification.

A reifier is a node that stands for a statement: `r rdf:reifies <<( s p o )>>`, which is what `<< s p o >> q v` and
`s p o {| q v |}` are short for, or `r a rdf:Statement` with just one rdf:subject, rdf:predicate and rdf:object each.
What is said of r, `r q v`, becomes the qualifier (q, v) of (s, p, o), and is no statement of its own any more.

A classical reification whose (s, p, o) is not in the input states it: those who write them (YAGO, older dumps of
Wikidata) mean it so. In RDF 1.2 a triple that is annotated but not asserted is expressly no fact, nor can a qualifier
have qualifiers, nor a triple be a node: such a quad is bad. Only the link is lost then: what is said of r stays as
ordinary statements about r. A classical reification that is incomplete, or of a qualifier, stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cgstore.loaders.rdf_files.stage import RdfStage
from cgstore.loaders.rdf_files.terms import RDF, RawQuad, iri_term, shown_quad

UNASSERTED = "it annotates a triple that the input does not assert, and so no fact that qualifiers could belong to"
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
    """Moves what is said of reifiers to the table of qualifiers; yields what no condition graph can say."""
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
    # Last, since what the others took out may have been what a reifier annotates.
    yield from _taken(stage, _IS_UNASSERTED, UNASSERTED)
    for statement in _SETTLE.split(";")[:-1]:
        stage.sql.execute(statement, numbers)


def _taken(stage: RdfStage, condition: str, problem: str) -> Iterator[BadQuad]:
    """Takes the reifiers of a condition out; those of RDF 1.2 are bad, classical ones just stay what they are."""
    stage.sql.execute(f"CREATE TEMP TABLE bad AS SELECT rowid AS id, * FROM reifier WHERE {condition}")
    rows = "SELECT q.seq, q.file, q.line FROM bad b CROSS JOIN quad q ON q.seq = b.seq WHERE b.classical = 0"
    for seq, file, line in stage.sql.execute(f"{rows} ORDER BY q.seq"):
        yield BadQuad(file, line, problem, _text(stage, seq))
    stage.sql.execute("DELETE FROM quad WHERE seq IN (SELECT seq FROM bad WHERE classical = 0)")
    stage.sql.execute("DELETE FROM reifier WHERE rowid IN (SELECT id FROM bad)")
    stage.sql.execute("DROP TABLE bad")


def _triple_nodes(stage: RdfStage, reifies: int) -> Iterator[BadQuad]:
    """Takes out the quads that have a triple term anywhere but as the object of rdf:reifies."""
    misplaced = "o IN (SELECT id FROM quoted) AND NOT (p = ? AND s IN (SELECT r FROM reifier))"
    for seq, file, line in stage.sql.execute(
        f"SELECT seq, file, line FROM quad WHERE {misplaced} ORDER BY seq", (reifies,)
    ):
        yield BadQuad(file, line, TRIPLE_NODE, _text(stage, seq))
    stage.sql.execute(f"DELETE FROM quad WHERE {misplaced}", (reifies,))


def _text(stage: RdfStage, seq: int) -> str:
    s, p, o, g = stage.sql.execute("SELECT s, p, o, g FROM quad WHERE seq = ?", (seq,)).fetchone()
    return shown_quad(RawQuad(stage.term(s), stage.term(p), stage.term(o), stage.term(g) if g else None))
