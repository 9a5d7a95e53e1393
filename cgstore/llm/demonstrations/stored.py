"""Demonstrations in the graph: `(:CgDemonstration)` nodes, each a question with its program, state and vectors.

They have no other label, so they are part of no source, answer, export or search. The unique `key` is the kind of
source and the question; `state` says whether the program is right. `vector` is that of the question, `fingerprint` that
of the encoder that made it: vectors of another encoder are never compared, but replaced.

The nearest are found by the exact cosine over all demonstrations of a kind, so there is no index to build. With 384
dimensions on two busy cores this takes 62 ms for 1,000, 0.23 s for 5,000 and 0.54 s for 20,000; an LLM takes longer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from cgstore.cypher.connection import Database
from cgstore.embedding.encoder import cosines
from cgstore.errors import BadInput
from cgstore.llm.demonstrations import Demonstration
from cgstore.observe.progress import bar
from cgstore.query.parse import parse
from cgstore.text.names import is_unicode, normal_form, owned_key

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder

BATCH = 1_000
"""Demonstrations written or encoded in one transaction."""

LONGEST = 10_000
"""Characters of a question that are encoded."""

TIMEOUT = 120.0
"""Seconds for one search, which reads every vector of a kind."""


class State(StrEnum):
    """Whether a demonstration's program gives the right answer; an LLM sees only right ones."""

    RIGHT = "right"
    WRONG = "wrong"
    UNTRIED = "untried"


TRIED = (State.RIGHT, State.WRONG)


@dataclass(frozen=True)
class StoredDemonstration:
    """A demonstration as the graph has it.

    `source_kind` is the kind of source that it is about, as `Demonstration.source`. For a training question, `gold` is
    the right answer, `sources` are the sources asked, and `program` is the last one that was written, if any.

    A user's correction has the program that was wrong in `wrong_program`, what it gave in `gave`, and the right answer
    in `gold`. Its state is right if the user gave a right program, else wrong.
    """

    question: str
    program: str = ""
    kind: str = ""
    source_kind: str = ""
    state: State = State.RIGHT
    gold: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    wrong_program: str = ""
    gave: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The unique key in the graph."""
        return owned_key(self.source_kind, self.question)

    @property
    def demonstration(self) -> Demonstration:
        """What an LLM sees of it."""
        return Demonstration(self.question, self.program, self.kind, self.source_kind)


_CONSTRAINT = """
CREATE CONSTRAINT cg_demonstration_key IF NOT EXISTS FOR (d:CgDemonstration) REQUIRE d.key IS UNIQUE
"""
_INDEX = "CREATE INDEX cg_demonstration_normal IF NOT EXISTS FOR (d:CgDemonstration) ON (d.normal)"

_ADD = """
UNWIND $rows AS row
MERGE (d:CgDemonstration {key: row.key})
SET d += row, d.fingerprint = coalesce(d.fingerprint, '')
"""

# What a user added, which has no gold answer, and what a user corrected stays as it is.
_ADD_UNTRIED = """
UNWIND $rows AS row
OPTIONAL MATCH (known:CgDemonstration {key: row.key})
WITH row, known WHERE known IS NULL OR coalesce(known.wrong_program, '') = ''
  AND (known.gold <> row.gold AND known.gold <> [] OR $again AND known.state = 'wrong')
MERGE (d:CgDemonstration {key: row.key})
SET d += row, d.fingerprint = coalesce(d.fingerprint, '')
"""

_MARK = "MATCH (d:CgDemonstration {key: $key}) SET d.state = $state, d.program = $program"

_REMOVE = """
MATCH (d:CgDemonstration) WHERE $normal IS NULL OR d.normal = $normal
WITH d LIMIT $limit
DELETE d
RETURN count(*) AS count
"""

_FIELDS = """
  d {.question, .program, .kind, .source_kind, .state, .gold, .sources,
     wrong_program: coalesce(d.wrong_program, ''), gave: coalesce(d.gave, [])} AS stored
"""

_ALL = f"""
MATCH (d:CgDemonstration)
RETURN {_FIELDS}
ORDER BY stored.source_kind, stored.state, stored.question
"""

_ANY = """
MATCH (d:CgDemonstration)
WHERE d.source_kind IN $kinds AND CASE WHEN $corrected THEN d.wrong_program <> '' ELSE d.state = 'right' END
RETURN 1 AS one LIMIT 1
"""

_LACKING = """
MATCH (d:CgDemonstration) WHERE d.fingerprint <> $fingerprint
RETURN d.key AS key, left(d.question, $longest) AS question
ORDER BY key LIMIT $limit
"""

_COUNT_LACKING = "MATCH (d:CgDemonstration) WHERE d.fingerprint <> $fingerprint RETURN count(d) AS count"

_EMBED = """
UNWIND $rows AS row
MATCH (d:CgDemonstration {key: row.key})
CALL db.create.setNodeVectorProperty(d, 'vector', row.vector)
SET d.fingerprint = $fingerprint
"""


_NEAREST = f"""
MATCH (d:CgDemonstration)
WHERE d.source_kind IN $kinds AND d.state IN $states AND d.normal <> $normal AND d.fingerprint = $fingerprint
  AND (NOT $corrected OR d.wrong_program <> '')
WITH d, round(vector.similarity.cosine(d.vector, $asked), 6) AS score,
  $sources = [] OR d.sources = [] OR any(source IN d.sources WHERE source IN $sources) AS of_source
ORDER BY of_source DESC, score DESC, d.question, d.source_kind LIMIT $most
RETURN {_FIELDS}, d.vector AS vector, of_source
"""

NEAR = 0.5
"""The least cosine between a question and one whose correction an LLM sees with it."""

RANKED_AGAIN = 2
"""Times as many demonstrations as wanted that Neo4j returns. Its cosines may vary in the last digit, so they are
ranked again here by exact ones."""


def add(
    db: Database, demonstrations: Iterable[Demonstration], encoder: Encoder | None, *, progress: bool = False
) -> list[StoredDemonstration]:
    """Puts a user's demonstrations into the graph as right ones; one with the same question and kind is replaced.

    The encoder makes their vectors; None: these are made when an LLM is first asked a question.

    Raises:
        BadInput: a program cannot be parsed, or a text is not valid Unicode.
        NoModel: the encoder is not available.
    """
    stored = [StoredDemonstration(d.question, d.program, d.kind, d.source) for d in map(_checked, demonstrations)]
    _write(db, _ADD, stored)
    if encoder is not None:
        embed(db, encoder, progress=progress)
    return stored


def put(db: Database, *stored: StoredDemonstration) -> None:
    """Puts demonstrations and corrections into the graph; their vectors are made when a question needs them.

    One with the same question and kind of source is replaced.
    """
    _write(db, _ADD, stored)


def add_untried(db: Database, questions: Sequence[StoredDemonstration], *, again: bool = False) -> None:
    """Puts training questions with gold answers into the graph as untried, without vectors yet; each stands there once.

    A stored one keeps its program and state unless its gold answer has changed, or it is wrong and tried `again`.
    """
    _write(db, _ADD_UNTRIED, questions, {"again": again})


def mark(db: Database, key: str, state: State, program: str) -> None:
    """Stores the result of a training question; does nothing if it was removed meanwhile."""
    db.write(_MARK, {"key": key, "state": state, "program": program})


def remove(db: Database, question: str | None = None) -> int:
    """Removes the demonstrations of a question in any case and punctuation, or all; returns their number."""
    given = {"normal": None if question is None else normal_form(question), "limit": BATCH}
    count = 0
    while removed := int(db.write(_REMOVE, given)[0]["count"]):
        count += removed
    return count


def all_stored(db: Database) -> list[StoredDemonstration]:
    """All demonstrations, by kind of source, state and question."""
    return [_stored(row["stored"]) for row in db.read(_ALL, timeout=TIMEOUT)]


def are_any(db: Database, source_kinds: Sequence[str], *, corrected: bool = False) -> bool:
    """Whether the graph has right demonstrations, or corrections, about one of these kinds of sources or about any."""
    return bool(db.read(_ANY, {"kinds": ["", *source_kinds], "corrected": corrected}))


def nearest_stored(
    db: Database,
    encoder: Encoder,
    question: str,
    source_kinds: Sequence[str],
    m: int,
    *,
    sources: Sequence[str] = (),
    corrected: bool = False,
) -> list[StoredDemonstration]:
    """The demonstrations nearest to a question, the nearest first; equally near ones by question, then by kind.

    Those that are stored for other sources than `sources` come after all others. Missing vectors are made first. The
    question itself is left out, whatever its case, accents and punctuation.

    Args:
        source_kinds: kinds of sources that they may be about; those about any kind are always included.
        m: how many to find.
        corrected: only corrections of users, as near as `NEAR` at least; that of the question itself is one.
    """
    embed(db, encoder)
    asked = encoder.encode([question[:LONGEST]])[0]
    given = {
        "asked": asked.tolist(),
        "fingerprint": encoder.fingerprint,
        "kinds": ["", *source_kinds],
        "states": list(TRIED),
        "normal": "" if corrected else normal_form(question),
        "sources": list(sources),
        "corrected": corrected,
        "most": RANKED_AGAIN * m,
    }
    rows = db.read(_NEAREST, given, TIMEOUT)
    if not rows:
        return []
    import numpy

    exact = cosines(numpy.array([row["vector"] for row in rows], dtype=numpy.float32), asked)
    ranked = sorted(
        zip(exact, rows, strict=True),
        key=lambda r: (not r[1]["of_source"], -r[0], r[1]["stored"]["question"], r[1]["stored"]["source_kind"]),
    )
    return [_stored(row["stored"]) for cosine, row in ranked[:m] if not corrected or cosine >= NEAR]


def embed(db: Database, encoder: Encoder, *, progress: bool = False) -> int:
    """Gives vectors to the demonstrations that have none by this encoder; returns their number.

    Raises:
        NoModel: the encoder is not available.
    """
    given = {"fingerprint": encoder.fingerprint, "longest": LONGEST, "limit": BATCH}
    rows = db.read(_LACKING, given)
    if not rows:
        return 0
    total = int(db.read(_COUNT_LACKING, given)[0]["count"]) if progress else None
    count = 0
    with bar("vectors", "questions", total, show=progress) as shown:
        while rows:
            vectors = encoder.encode([row["question"] for row in rows]).tolist()
            made = [{"key": row["key"], "vector": each} for row, each in zip(rows, vectors, strict=True)]
            db.write(_EMBED, given | {"rows": made})
            count += len(rows)
            shown.update(len(rows))
            rows = db.read(_LACKING, given)
    return count


def _checked(demonstration: Demonstration) -> Demonstration:
    try:
        parse(demonstration.program, undefined=True)
    except BadInput as error:
        raise BadInput(f"The demonstration '{demonstration.question}' has no program: {error.message}") from error
    if not is_unicode(demonstration.question + demonstration.kind):
        raise BadInput("The question or kind of a demonstration is not valid Unicode text.")
    return demonstration


def _write(
    db: Database, statement: str, stored: Sequence[StoredDemonstration], parameters: dict[str, bool] | None = None
) -> None:
    db.write(_CONSTRAINT)
    db.write(_INDEX)
    for start in range(0, len(stored), BATCH):
        db.write(statement, {"rows": [_row(one) for one in stored[start : start + BATCH]], **(parameters or {})})


def _row(stored: StoredDemonstration) -> dict[str, Any]:
    fields = {**asdict(stored), "key": stored.key, "normal": normal_form(stored.question)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}


def _stored(fields: dict[str, Any]) -> StoredDemonstration:
    lists = {name: tuple(fields[name]) for name in ("gold", "sources", "gave")}
    return StoredDemonstration(**{**fields, **lists, "state": State(fields["state"])})
