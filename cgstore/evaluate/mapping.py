"""Which share of damaged names finds its node again, for each way of finding alone and for all of them merged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from cgstore.cypher.connection import Database
from cgstore.evaluate.damage import DAMAGES
from cgstore.mapping.candidates import Candidate, entity_candidates, full_text_query
from cgstore.text.names import normal_form, shared_key

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder

BATCH = 50
"""Names that are mapped in one trip."""

ALL = 1_000
"""More candidates than are ever fetched for a name."""

WAYS = ("exact", "full text", "vector", "merged")

_FULL_TEXT = """\
UNWIND range(0, size($queries) - 1) AS place
CALL (place) {
  WITH place WHERE $queries[place] <> ''
  CALL db.index.fulltext.queryNodes('cg_node_text', $queries[place], {limit: 1}) YIELD node
  RETURN node.normal AS form
}
RETURN place, form
"""

_HEADS = """\
MATCH (r:CgRelation {source: $source})<-[h:CG_HAS]-(n:CgEntity) WHERE h.source = $source AND n.num IS NULL
RETURN DISTINCT n.name AS name ORDER BY name"""

_EXACT = "UNWIND range(0, size($keys) - 1) AS place MATCH (n:CgNode {key: $keys[place]}) RETURN place, n.normal AS form"


@dataclass(frozen=True)
class Damaged:
    """A name, the kind of damage, and what became of it."""

    name: str
    kind: str
    text: str


class Scored(NamedTuple):
    """Whether all merged put the right node first, its score, and the best one of any other node."""

    right: bool
    score: float
    other: float


@dataclass
class Found:
    """How many damaged names there were of a kind, and how many each way put first; the misses of all merged.

    `scored`: the scores of all merged, from which the errors of a threshold follow.
    """

    asked: int = 0
    right: dict[str, int] = field(default_factory=lambda: dict.fromkeys(WAYS, 0))
    scored: list[Scored] = field(default_factory=list)
    missed: list[tuple[str, str, str | None]] = field(default_factory=list)


def heads_of(db: Database, source: str) -> list[str]:
    """The names of the heads of a source (its stored name) that are no numbers and no lines, in order."""
    return [row["name"] for row in db.read(_HEADS, {"source": source})]


def damaged(names: Sequence[str], count: int, seed: int) -> list[Damaged]:
    """So many names of each kind, drawn by chance; what is another name after the damage is left out."""
    chance, forms = Random(seed), {normal_form(name) for name in names}
    found = []
    for kind, damage in DAMAGES.items():
        order = list(names)
        chance.shuffle(order)
        of_kind: list[Damaged] = []
        for name in order:
            text = damage(name, chance)
            other = normal_form(text) != normal_form(name) and normal_form(text) in forms
            if text != name and not other and text.strip():
                of_kind.append(Damaged(name, kind, text))
            if len(of_kind) == count:
                break
        found += of_kind
    return found


def measure(
    db: Database, cases: Iterable[Damaged], sources: Sequence[str], encoder: Encoder | None = None
) -> dict[str, Found]:
    """Maps all cases; a node is right whose normal form is the undamaged name's."""
    results: dict[str, Found] = defaultdict(Found)
    some = list(cases)
    for at in range(0, len(some), BATCH):
        batch = some[at : at + BATCH]
        texts = [case.text for case in batch]
        vectors = encoder.encode(texts) if encoder else None
        merged = entity_candidates(db, texts, sources, vectors, top=ALL)
        first: dict[str, dict[int, str | None]] = {
            "exact": _first(db, _EXACT, keys=[shared_key(text) for text in texts]),
            "full text": _first(db, _FULL_TEXT, queries=[full_text_query(text, further=True) for text in texts]),
            "vector": {place: _nearest_by_vector(found) for place, found in enumerate(merged)},
            "merged": {place: normal_form(found[0].name) for place, found in enumerate(merged) if found},
        }
        for place, case in enumerate(batch):
            result = results[case.kind]
            result.asked += 1
            for way in WAYS:
                result.right[way] += first[way].get(place) == normal_form(case.name)
            result.scored.append(_scored(case, merged[place]))
            if first["merged"].get(place) != normal_form(case.name):
                result.missed.append((case.name, case.text, first["merged"].get(place)))
    return dict(results)


def _scored(case: Damaged, found: Sequence[Candidate]) -> Scored:
    others = [c.score for c in found if normal_form(c.name) != normal_form(case.name)]
    right = bool(found) and normal_form(found[0].name) == normal_form(case.name)
    return Scored(right, found[0].score if found else 0.0, max(others, default=0.0))


@dataclass(frozen=True)
class Errors:
    """What a threshold does to names, as fractions of all of them.

    `rejected`: the right node is first, and under the threshold. `wrong`: another node is first, and not under it.
    `accepted`: of names whose own node is taken away, those for which another is taken.
    """

    threshold: float
    rejected: float
    wrong: float
    accepted: float


def errors_of(scored: Sequence[Scored], thresholds: Iterable[float]) -> list[Errors]:
    """The errors of each threshold."""
    n = max(1, len(scored))
    return [
        Errors(
            least,
            sum(s.right and s.score < least for s in scored) / n,
            sum(not s.right and s.score >= least for s in scored) / n,
            sum(s.other >= least for s in scored) / n,
        )
        for least in thresholds
    ]


def _first(db: Database, statement: str, **parameters: list[str]) -> dict[int, str | None]:
    return {row["place"]: row["form"] for row in db.read(statement, parameters)}


def _nearest_by_vector(found: Sequence[Candidate]) -> str | None:
    meant = [c for c in found if c.parts.meaning is not None]
    return normal_form(max(meant, key=lambda c: c.parts.meaning or 0.0).name) if meant else None
