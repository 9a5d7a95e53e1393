"""Relations under other names: damaged by chance, or paraphrased by hand, and how often the right one comes first.

Relations are few and all are ranked, so that no graph is needed: what ranks them is what the mapping of programs uses.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from cgstore.embedding.vectors import as_words
from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.webqsp import FACTS
from cgstore.evaluate.mapping import Damaged, damaged
from cgstore.mapping.candidates import Candidate, relation_candidates

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder

TOP = 5

PARAPHRASES = "paraphrases.tsv"
"""For each of the 203 relations of CronQuestions two other ways to say it, written by hand before any was tried."""


@dataclass(frozen=True)
class Ranked:
    """Of so many names, how many were right in the first place and in the first `TOP`, by spelling and with meaning."""

    asked: int
    first: dict[str, int]
    near: dict[str, int]
    missed: tuple[tuple[str, str, tuple[str, ...]], ...]


def paraphrased() -> list[Damaged]:
    """The paraphrases, as names of their own kind."""
    text = resources.files("cgstore.evaluate").joinpath(PARAPHRASES).read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    return [Damaged(row["relation"], "paraphrase", row["paraphrase"]) for row in rows]


def freebase_relations(folder: Path) -> list[str]:
    """The relations of WebQSP's facts, by name.

    Raises:
        BadInput: there is no such file.
    """
    path = folder / FACTS
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")
    with path.open(encoding="utf-8") as lines:
        return sorted({line.split("\t")[1] for line in lines if line.count("\t") >= 2})


def damaged_relations(names: Sequence[str], count: int, seed: int) -> list[Damaged]:
    """Relations damaged as entities are, and by their last part alone where no other has the same."""
    last = [name.rsplit(".", 1)[-1] for name in names]
    alone = [(name, part) for name, part in zip(names, last, strict=True) if last.count(part) == 1 and part != name]
    return [*damaged(names, count, seed), *(Damaged(name, "last part", part) for name, part in alone[:count])]


def measure_relations(
    cases: Sequence[Damaged], names: Sequence[str], encoder: Encoder | None = None
) -> dict[str, Ranked]:
    """Ranks all names for each case, by kind of damage.

    Args:
        cases: with names of `names`.
        names: all relations that there are.
        encoder: for meaning; None: by spelling only.
    """
    return {
        kind: _ranked([case for case in cases if case.kind == kind], names, encoder)
        for kind in dict.fromkeys(case.kind for case in cases)
    }


def _ranked(cases: Sequence[Damaged], names: Sequence[str], encoder: Encoder | None) -> Ranked:
    nodes = [{"key": name, "name": name} for name in names]
    meanings = _cosines([case.text for case in cases], names, encoder)
    ways = ("spelling", "merged") if encoder else ("spelling",)
    first, near = dict.fromkeys(ways, 0), dict.fromkeys(ways, 0)
    missed = []
    for case, cosines in zip(cases, meanings, strict=True):
        found: list[Candidate] = []
        for way in ways:
            found = relation_candidates(case.text, nodes, cosines if way == "merged" else None, TOP)
            first[way] += found[0].name == case.name
            near[way] += any(candidate.name == case.name for candidate in found)
        if all(candidate.name != case.name for candidate in found):
            missed.append((case.name, case.text, tuple(candidate.name for candidate in found)))
    return Ranked(len(cases), first, near, tuple(missed))


def _cosines(texts: Sequence[str], names: Sequence[str], encoder: Encoder | None) -> list[dict[str, float]]:
    if encoder is None:
        return [{}] * len(texts)
    cosines = encoder.encode([as_words(text) for text in texts]) @ encoder.encode([as_words(name) for name in names]).T
    return [dict(zip(names, map(float, row), strict=True)) for row in cosines]
