"""Damages names as an LLM or a person may misspell them, and measures how many find their node again.

Each way of searching is measured alone, and all of them merged. Relations are few and all of them are ranked, so that
no graph is needed. Programs use the same ranking.
"""

from __future__ import annotations

import csv
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from random import Random
from typing import NamedTuple

from cgstore.cypher.connection import Database
from cgstore.embedding.encoder import Encoder
from cgstore.embedding.vectors import as_words
from cgstore.mapping.candidates import Candidate, entity_candidates, full_text_query, relation_candidates
from cgstore.query.build import quote
from cgstore.query.name_uses import is_time_name, name_uses
from cgstore.query.parse import ProgramError, parse
from cgstore.text.dates import read_span
from cgstore.text.names import normal_form, shared_key

_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")


def one_typo(name: str, chance: Random) -> str:
    """Drops, inserts or replaces one letter, or swaps it with the next one."""
    places = [place for place, character in enumerate(name) if character.isalpha()]
    if len(places) < 4:
        return name
    at = chance.choice(places)
    letter = chance.choice(string.ascii_lowercase)
    match chance.randrange(4):
        case 0:
            return name[:at] + name[at + 1 :]
        case 1:
            return name[:at] + letter + name[at:]
        case 2:
            return name[:at] + letter + name[at + 1 :]
    return name[:at] + name[at + 1 : at + 2] + name[at] + name[at + 2 :]


def two_typos(name: str, chance: Random) -> str:
    """Makes two typos, in a name of eight letters or more."""
    return one_typo(one_typo(name, chance), chance) if sum(map(str.isalpha, name)) >= 8 else name


def dropped_word(name: str, chance: Random) -> str:
    """Drops one word of three or more."""
    words = name.split()
    if len(words) < 3:
        return name
    words.pop(chance.randrange(len(words)))
    return " ".join(words)


def swapped_words(name: str, chance: Random) -> str:
    """Swaps two neighbouring words."""
    words = name.split()
    if len(words) < 2:
        return name
    at = chance.randrange(len(words) - 1)
    words[at], words[at + 1] = words[at + 1], words[at]
    return " ".join(words)


def case_and_accents(name: str, chance: Random) -> str:
    """Removes accents, and writes the name in upper or in lower case."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return plain.upper() if chance.random() < 0.5 else plain.lower()


DAMAGES: dict[str, Callable[[str, Random], str]] = {
    "one typo": one_typo,
    "two typos": two_typos,
    "a word dropped": dropped_word,
    "words swapped": swapped_words,
    "case and accents": case_and_accents,
    "underscores": lambda name, chance: name.replace(" ", "_"),
    "no brackets": lambda name, chance: _BRACKETS.sub("", name) or name,
}
"""The kinds of damage. A name that cannot be damaged in a way stays as it is."""


def damaged_program(text: str, kind: str, seed: int) -> str:
    """Damages every name of a program, equal names in the same way; times, numbers and outputs stay.

    A program that cannot be parsed is returned as it is.
    """
    try:
        program = parse(text)
    except ProgramError:
        return text
    uses = {use.literal.place: use.literal.text for use in name_uses(program) if not is_time_name(use.literal.text)}
    for (start, end), name in sorted(uses.items(), reverse=True):
        if read_span(name) is None:
            text = text[:start] + quote(DAMAGES[kind](name, Random(f"{seed} {name}"))) + text[end:]
    return text


# The measure ----------------------------------------------------------------------------------------------------------

BATCH = 50
"""The number of names mapped in one round trip."""

ALL = 1_000
"""More candidates than are ever fetched for a name."""

TOP = 5

WAYS = ("exact", "full text", "vector", "merged")

PARAPHRASES = "paraphrases.tsv"
"""Two paraphrases for each of the 203 relations of CronQuestions, written by hand before any was tried."""

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
    """A name, the kind of damage, and the damaged text."""

    name: str
    kind: str
    text: str


class Scored(NamedTuple):
    """Whether the merged ranking has the right node first, its first score, and the best score of any other node."""

    right: bool
    score: float
    other: float


@dataclass
class Found:
    """The results for one kind of damage.

    `right` counts right names by the way of searching. `missed` has (name, text, names found instead) of those that the
    merged ranking misses, and `scored` its scores.
    """

    asked: int = 0
    right: Counter[str] = field(default_factory=Counter)
    missed: list[tuple[str, str, Sequence[str]]] = field(default_factory=list)
    scored: list[Scored] = field(default_factory=list)

    @property
    def shares(self) -> dict[str, float]:
        """The share of right names, by the way of searching."""
        return {way: right / self.asked for way, right in self.right.items()}


def heads_of(db: Database, source: str) -> list[str]:
    """Returns the heads of a source (its stored name), without numbers and lines, in order."""
    return [row["name"] for row in db.read(_HEADS, {"source": source})]


def damaged(names: Sequence[str], count: int, seed: int) -> list[Damaged]:
    """Draws `count` names for each kind of damage, without those that become another name."""
    chance, forms = Random(seed), {normal_form(name) for name in names}
    cases = []
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
        cases += of_kind
    return cases


def measure(
    db: Database, cases: Sequence[Damaged], sources: Sequence[str], encoder: Encoder | None = None
) -> dict[str, Found]:
    """Maps all cases to entities, by kind of damage. A right node has the normal form of the undamaged name."""
    results: dict[str, Found] = {}
    for at in range(0, len(cases), BATCH):
        batch = cases[at : at + BATCH]
        texts = [case.text for case in batch]
        merged = entity_candidates(db, texts, sources, encoder.encode(texts) if encoder else None, top=ALL)
        first: dict[str, Mapping[int, str | None]] = {
            "exact": _first(db, _EXACT, keys=[shared_key(text) for text in texts]),
            "full text": _first(db, _FULL_TEXT, queries=[full_text_query(text, further=True) for text in texts]),
            "vector": {place: _nearest_by_vector(found) for place, found in enumerate(merged)},
            "merged": {place: normal_form(found[0].name) for place, found in enumerate(merged) if found},
        }
        for place, case in enumerate(batch):
            result = results.setdefault(case.kind, Found())
            result.asked += 1
            for way in WAYS:
                result.right[way] += first[way].get(place) == normal_form(case.name)
            result.scored.append(_scored(case, merged[place]))
            if not result.scored[-1].right:
                instead = first["merged"].get(place)
                result.missed.append((case.name, case.text, [instead] if instead else []))
    return results


def _scored(case: Damaged, found: Sequence[Candidate]) -> Scored:
    others = [c.score for c in found if normal_form(c.name) != normal_form(case.name)]
    right = bool(found) and normal_form(found[0].name) == normal_form(case.name)
    return Scored(right, found[0].score if found else 0.0, max(others, default=0.0))


@dataclass(frozen=True)
class Errors:
    """What a threshold does to names, as fractions of all of them.

    Args:
        threshold: the least score of a name that is taken.
        rejected: the right node is first, and below the threshold.
        wrong: another node is first, and not below the threshold.
        accepted: another node would be taken if the name's own node were missing.
    """

    threshold: float
    rejected: float
    wrong: float
    accepted: float


def errors_of(scored: Sequence[Scored], thresholds: Iterable[float]) -> list[Errors]:
    """Returns the errors of each threshold."""
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
    near = [c for c in found if c.parts.meaning is not None]
    return normal_form(max(near, key=lambda c: c.parts.meaning or 0.0).name) if near else None


def paraphrased() -> list[Damaged]:
    """Reads the paraphrases, which are a kind of damage."""
    text = resources.files("cgstore.evaluate").joinpath(PARAPHRASES).read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    return [Damaged(row["relation"], "paraphrase", row["paraphrase"]) for row in rows]


def damaged_relations(names: Sequence[str], count: int, seed: int) -> list[Damaged]:
    """Damages relations like entities, and takes their last part alone if no other relation has the same."""
    last = [name.rsplit(".", 1)[-1] for name in names]
    alone = [(name, part) for name, part in zip(names, last, strict=True) if last.count(part) == 1 and part != name]
    return [*damaged(names, count, seed), *(Damaged(name, "last part", part) for name, part in alone[:count])]


def measure_relations(
    cases: Sequence[Damaged], names: Sequence[str], encoder: Encoder | None = None
) -> dict[str, Found]:
    """Ranks all relations for each case, by kind of damage; a result counts the first place and the first `TOP`."""
    nodes = [{"key": name, "name": name} for name in names]
    results: dict[str, Found] = {}
    for case, cosines in zip(cases, _cosines([case.text for case in cases], names, encoder), strict=True):
        result = results.setdefault(case.kind, Found())
        result.asked += 1
        by_spelling = [c.name for c in relation_candidates(case.text, nodes, None, TOP)]
        ranked = {"spelling": by_spelling}
        if encoder:
            ranked["merged"] = [c.name for c in relation_candidates(case.text, nodes, cosines, TOP)]
        for top in (1, TOP):
            for way, found in ranked.items():
                result.right[f"{way}_top{top}"] += case.name in found[:top]
        best = ranked["merged" if encoder else "spelling"]
        if case.name not in best:
            result.missed.append((case.name, case.text, best))
    return results


def _cosines(texts: Sequence[str], names: Sequence[str], encoder: Encoder | None) -> list[dict[str, float]]:
    if encoder is None:
        return [{}] * len(texts)
    cosines = encoder.encode([as_words(text) for text in texts]) @ encoder.encode([as_words(name) for name in names]).T
    return [dict(zip(names, map(float, row), strict=True)) for row in cosines]
