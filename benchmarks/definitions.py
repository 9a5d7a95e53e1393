"""The number of condition triples of each public data set, counted from the definition with nothing of cgstore's.

A fact (h, r, t) makes (h, r, []) and (r, t, [h]); a qualifier (q, v) of it (q, v, [h, r, t]); a line of a table is the
head of its cells, and has a row number; a fact that holds in a year also has a start, an end and that year. Repeats
vanish.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path

Facts = Iterable[tuple[str, ...]]


def _count(facts: Facts, others: int = 0) -> int:
    """Of distinct facts: one triple for each, and one for each pair of head and relation."""
    distinct = set(facts)
    return len(distinct) + len({fact[:2] for fact in distinct}) + others


def kg(path: Path, separator: str) -> int:
    lines = path.read_text(encoding="utf-8").splitlines()
    return _count(tuple(part.strip() for part in line.split(separator)[:3]) for line in lines if line)


def statements(folder: Path) -> int:
    facts, qualifiers = set(), set()
    for path in folder.glob("*.txt"):
        for line in path.read_text(encoding="utf-8").splitlines():
            head, relation, tail, *pairs = line.split(",")
            facts.add((head, relation, tail))
            qualifiers |= {(head, relation, tail, *pair) for pair in zip(pairs[::2], pairs[1::2], strict=True)}
    return _count(facts, len(qualifiers))


def yago(folder: Path) -> int:
    """Each line holds in one time: the fact, and its start, its end and its time."""
    facts, times = set(), set()
    for name in ("train.txt", "valid.txt", "test.txt"):
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            head, relation, tail, time = line.split()[:4]
            facts.add((head, relation, tail))
            times.add((head, relation, tail, time))
    return _count(facts, 3 * len(times))


def wikisql(path: Path) -> int:
    total = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        table = json.loads(line)
        total += _table(table["header"], table["rows"])
    return total


def wtq(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*.tsv"):
        with path.open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        total += _table(header, rows)
    return total


def _table(header: list[str], rows: list[list[str]]) -> int:
    """Columns of one name are one column, of no name each its own; an empty cell is a value."""
    names = [" ".join(str(name).split()) or f"column {place}" for place, name in enumerate(header, 1)]
    facts = {
        (str(number), name, str(cell).strip())
        for number, row in enumerate(rows)
        for name, cell in zip(names, row, strict=True)
    }
    return _count(facts, 2 * len(rows))
