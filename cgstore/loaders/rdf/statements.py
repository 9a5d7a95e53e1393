"""The names of terms, and the statements of a settled stage under these names.

The name of a term is its label where the input has one, else a readable part of its IRI. A name belongs to one term.
Terms that would share a name get longer ones until all differ: `LABEL (LOCAL NAME)`, `LABEL (IRI)`, and at last the IRI
itself; a term without a label goes straight to its IRI. Nodes and predicates may share a name, since a condition graph
keeps entities and relations apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote

from cgstore.loaders.rdf.stage import NOTHING, RdfStage, iri_term, literal_parts
from cgstore.loaders.readers.records import QualifierTerms, Statement, literal_suffix
from cgstore.model import Role
from cgstore.text.names import LABELS

GRAPH = "graph"
"""The key of the qualifier that names the graph of a statement."""

NODES, PREDICATES = 0, 1
"""Within each of these spaces, a name belongs to one term."""

_LOCAL, _WITH_LOCAL, _WITH_IRI, _IRI = range(4)
"""The levels of a name. The first level of a term with a label is the label."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffd]")

_LABELLED = """
SELECT q.s, t.text FROM quad q CROSS JOIN term t ON t.id = q.o WHERE q.p = ? AND substr(t.text, 1, 1) = '"'
"""

_KEEP_BEST = """
INSERT INTO label VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET rank = excluded.rank, label = excluded.label
WHERE excluded.rank < label.rank
"""

_COLLECT = """
INSERT OR IGNORE INTO name (space, term) SELECT 0, s FROM quad;
INSERT OR IGNORE INTO name (space, term) SELECT 0, o FROM quad;
INSERT OR IGNORE INTO name (space, term) SELECT 0, g FROM quad WHERE g <> 0;
INSERT OR IGNORE INTO name (space, term) SELECT 0, v FROM qualifier;
INSERT OR IGNORE INTO name (space, term) SELECT 1, p FROM quad;
INSERT OR IGNORE INTO name (space, term) SELECT 1, q FROM qualifier;
DELETE FROM name WHERE (SELECT substr(text, 1, 1) FROM term WHERE id = name.term) = '"';
UPDATE name SET label = (SELECT label FROM label WHERE label.term = name.term), level = 0
  WHERE term <> 0;
UPDATE name SET text = (SELECT named(0, name.label, t.text, t.blank) FROM term t WHERE t.id = name.term)
  WHERE term <> 0;
CREATE INDEX name_text ON name (space, text);
CREATE TEMP TABLE clash AS
  SELECT space, text FROM name GROUP BY space, text HAVING count(*) > 1;
"""

# The name of a blank node has its number, and stays. So does the name of `NOTHING`, which is reserved.
_YIELDING = """
SELECT n.space, n.term FROM clash c CROSS JOIN name n INDEXED BY name_text ON n.space = c.space AND n.text = c.text
WHERE n.level < 3 AND n.term <> 0 AND (SELECT blank FROM term WHERE id = n.term) IS NULL
"""

_RAISE = f"""
CREATE TEMP TABLE raised AS {_YIELDING};
UPDATE name SET level = CASE WHEN label IS NULL THEN 3 ELSE level + 1 END
  WHERE (space, term) IN (SELECT space, term FROM raised);
UPDATE name SET text = (SELECT named(name.level, name.label, t.text, t.blank) FROM term t WHERE t.id = name.term)
  WHERE (space, term) IN (SELECT space, term FROM raised);
DELETE FROM clash;
INSERT INTO clash SELECT space, text FROM name WHERE (space, text) IN (
  SELECT n.space, n.text FROM raised r CROSS JOIN name n ON n.space = r.space AND n.term = r.term
) GROUP BY space, text HAVING count(*) > 1;
DROP TABLE raised;
"""


def local_name(iri: str) -> str:
    """The part of an IRI after its last `#` or `/`, percent-decoded; empty where nothing is readable.

    Underscores stay: they may be part of an identifier, and `cgstore.text.names.normal_form` ignores them anyway.
    """
    place = max(iri.rfind("#"), iri.rfind("/"))
    part = iri[place + 1 :] if place >= 0 else ""
    decoded = unquote(part, errors="replace")
    return (part if _CONTROL.search(decoded) else decoded).strip()


def collect_labels(stage: RdfStage, language: str | None) -> None:
    """Stores the best label of each term. Call it before reifications are settled, which removes those of reifiers.

    The first predicate of `LABELS` decides, then the language: the wanted one, a variety of it (`en-gb`), none, any
    (the first by the alphabet); then the shortest label, then the first by the alphabet.
    """
    stage.sql.execute("CREATE TABLE label (term INTEGER PRIMARY KEY, rank TEXT, label TEXT)")
    for place, iri in enumerate(LABELS):
        predicate = stage.number_of(iri_term(iri))
        rows = stage.sql.execute(_LABELLED, (predicate,)) if predicate > 0 else iter(())
        stage.sql.executemany(_KEEP_BEST, _ranked(rows, place, language))


def _ranked(rows: Iterator[tuple[int, str]], place: int, language: str | None) -> Iterator[tuple[int, str, str]]:
    wanted = language.lower() if language else None
    for term, literal in rows:
        text, _, tag = literal_parts(literal)
        label = " ".join(text.split())
        if label:
            tag = tag.partition("--")[0]
            step = 0 if tag == wanted else 1 if wanted and tag.startswith(f"{wanted}-") else 2 if not tag else 3
            yield term, f"{place}{step}{tag}\t{len(label):09}\t{label}", label


def settle_names(stage: RdfStage, source: str) -> None:
    """Names every term that a statement needs. If labels are wanted, `collect_labels` was called before.

    A blank node is `_:SOURCE/bN`, where N counts them as they come, or `LABEL (_:SOURCE/bN)` if it has a label. The
    source is part of the name because entities join across sources by name, and a blank node belongs to its document.
    """
    sql = stage.sql
    sql.execute("CREATE TABLE IF NOT EXISTS label (term INTEGER PRIMARY KEY, rank TEXT, label TEXT)")

    def named(level: int, label: str | None, term: str, blank: int | None) -> str:
        return _named(level, label, term, blank, source)

    sql.create_function("named", 4, named, deterministic=True)
    sql.execute("INSERT INTO name VALUES (?, ?, NULL, 3, ?)", (PREDICATES, NOTHING, GRAPH))
    if not stage.single("SELECT EXISTS (SELECT 1 FROM quad WHERE g <> 0)"):
        sql.execute("DELETE FROM name")
    _run(stage, _COLLECT)
    while stage.single(f"SELECT EXISTS ({_YIELDING})"):
        _run(stage, _RAISE)


def _run(stage: RdfStage, script: str) -> None:
    """Runs statements one by one in the stage's transaction, which `executescript` would end."""
    for statement in script.split(";\n"):
        if statement.strip():
            stage.sql.execute(statement)


def _named(level: int, label: str | None, term: str, blank: int | None, source: str) -> str:
    if blank is not None:
        name = f"_:{source}/b{blank}"
        return name if label is None else f"{label} ({name})"
    iri = term[1:]
    local = local_name(iri)
    if level == _IRI or (label is None and not local):
        return iri
    if label is None:
        return local
    return label if level == _LOCAL else f"{label} ({iri if level == _WITH_IRI or not local else local})"


# Statements


CACHED_NAMES = 50_000
"""Names kept in memory; others are looked up in the file."""

Qualifiers = tuple[tuple[tuple[str, str], QualifierTerms], ...]

# One row for each triple, however many graphs it is in: its first quad.
_FACTS = """
SELECT s, p, o, g, line FROM quad f WHERE NOT EXISTS (
  SELECT 1 FROM quad e WHERE e.s = f.s AND e.p = f.p AND e.o = f.o AND e.seq < f.seq
) ORDER BY seq
"""

_FACTS_OF_ONE_GRAPH = "SELECT s, p, o, g, line FROM quad ORDER BY seq"

_GRAPHS = "SELECT g FROM quad WHERE s = ? AND p = ? AND o = ? AND g <> 0 ORDER BY seq"

_REIFIERS = "SELECT r FROM reifier WHERE s = ? AND p = ? AND o = ? ORDER BY seq"

_NAME = """
SELECT t.text, n.text FROM term t LEFT JOIN name n ON n.space = ? AND n.term = t.id WHERE t.id = ?
"""


def statements_of(stage: RdfStage) -> Iterator[Statement]:
    """The statements in the order of the input.

    A triple with several reifiers, each with its qualifiers (two terms of office), makes one statement for each. A
    triple in named graphs has a qualifier `graph` for each of them.
    """
    terms = _Terms(stage)
    has_graphs = stage.single("SELECT EXISTS (SELECT 1 FROM quad WHERE g <> 0)")
    has_reifiers = stage.single("SELECT EXISTS (SELECT 1 FROM reifier)")
    for s, p, o, _, line in stage.sql.execute(_FACTS if has_graphs else _FACTS_OF_ONE_GRAPH):
        graphs = _graphs(stage, terms, s, p, o) if has_graphs else ()
        fact = _statement(terms, s, p, o, line)
        if not has_reifiers:
            yield _qualified(fact, graphs) if graphs else fact
            continue
        for qualifiers in _annotations(stage, terms, s, p, o):
            yield _qualified(fact, graphs + qualifiers)


def _qualified(fact: Statement, qualifiers: Qualifiers) -> Statement:
    return fact._replace(
        qualifiers=tuple(texts for texts, _ in qualifiers), terms=tuple(terms for _, terms in qualifiers)
    )


class _Terms:
    """The names and texts of terms by their numbers."""

    def __init__(self, stage: RdfStage) -> None:
        self._stage = stage
        self.of = lru_cache(CACHED_NAMES)(self._of)

    def _of(self, space: int, number: int) -> tuple[str, str]:
        """The term's text as staged, and its name; empty for a literal."""
        text, name = self._stage.sql.execute(_NAME, (space, number)).fetchone()
        return text, name or ""

    def value(self, number: int) -> tuple[str, str, str | None]:
        """A qualifier's value: its text, its IRI, and what follows its text if it is a literal."""
        term, name = self.of(NODES, number)
        if term[0] != '"':
            return name, _iri(term), None
        text, datatype, language = literal_parts(term)
        return text, "", literal_suffix(datatype, language)

    def qualifier(self, q: int, v: int) -> tuple[tuple[str, str], QualifierTerms]:
        """A qualifier by the numbers of its key and its value."""
        key, name = self.of(PREDICATES, q)
        text, iri, suffix = self.value(v)
        return (name, text), QualifierTerms(_iri(key), iri, suffix)


def _statement(terms: _Terms, s: int, p: int, o: int, line: int) -> Statement:
    head, head_name = terms.of(NODES, s)
    relation, relation_name = terms.of(PREDICATES, p)
    tail, tail_name = terms.of(NODES, o)
    iris = (_iri(head), _iri(relation), _iri(tail))
    if tail[0] != '"':
        return Statement(head_name, relation_name, tail_name, iris=iris, line=line)
    text, datatype, language = literal_parts(tail)
    return Statement(
        head_name,
        relation_name,
        text,
        tail_role=Role.VALUE,
        datatype=datatype,
        language=language,
        iris=iris,
        line=line,
    )


def _iri(term: str) -> str:
    return term[1:] if term[0] == "<" else ""


def _graphs(stage: RdfStage, terms: _Terms, s: int, p: int, o: int) -> Qualifiers:
    values = (terms.value(g) for (g,) in stage.sql.execute(_GRAPHS, (s, p, o)))
    return tuple(((GRAPH, text), QualifierTerms("", iri, suffix)) for text, iri, suffix in values)


def _annotations(stage: RdfStage, terms: _Terms, s: int, p: int, o: int) -> list[Qualifiers]:
    """The distinct sets of qualifiers that the reifiers of a triple give it; an empty one if there are none."""
    found: dict[Qualifiers, None] = {}
    for (r,) in stage.sql.execute(_REIFIERS, (s, p, o)).fetchall():
        rows = stage.sql.execute("SELECT q, v FROM qualifier WHERE r = ? ORDER BY seq", (r,))
        found[tuple(terms.qualifier(q, v) for q, v in rows)] = None
    found.pop((), None)
    return list(found) or [()]
