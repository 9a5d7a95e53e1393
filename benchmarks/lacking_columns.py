"""Questions asked of a table without a column that their answer needs: how many are refused?

    python -m benchmarks.lacking_columns [--show 20]

Each question in `benchmarks/table_questions` is asked without an LLM, in memory. Where the answer is right, it is
asked again of the table without each of the columns that the answer needs. The table no longer says what is asked for,
so that an answer is wrong, but where another column says the same, or where the rows have another name. `--show` is for
looking.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.table_weights import table_in_memory
from cgstore.evaluate.benchmarks import mine
from cgstore.llm.backends.compose.ranking import shipped_model
from cgstore.llm.backends.compose.table import Table
from cgstore.llm.backends.compose.understanding import (
    CERTAIN,
    Understanding,
    candidates,
    understand,
    why_unsure,
)
from cgstore.loaders.readers.records import Row
from cgstore.loaders.table import read_tables

QUESTIONS = Path(__file__).parent / "table_questions"


@dataclass(frozen=True)
class Asked:
    """A question with its table as rows, the first of which is the header, and its gold answer."""

    question: str
    name: str
    rows: tuple[tuple[str, ...], ...]
    gold: tuple[str, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", type=int, default=0, help="answers without a needed column that are shown")
    given = parser.parse_args()
    right = asked = 0
    answered: list[str] = []
    for one in questions(QUESTIONS):
        found = _answer(one.question, table_in_memory(one.name, one.rows[0], one.rows[1:]))
        if found is None or not mine.same_answer(one.gold, list(found.best.gives)):
            continue
        right += 1
        for place in _columns_of(found) if len(one.rows[0]) > 2 else ():
            if place >= len(one.rows[0]):
                continue  # worked out of two others
            asked += 1
            other = _answer(one.question, _without(one, place))
            if other is not None and other.best.gives and not mine.same_answer(one.gold, list(other.best.gives)):
                answered.append(f"{one.question} [{one.rows[0][place]}]: {', '.join(map(str, other.best.gives))[:80]}")
    print(f"{right} right; asked again without a column: {asked}, answered otherwise: {len(answered)}")
    for line in random.Random(1).sample(answered, min(given.show, len(answered))):
        print(" ", line)


def questions(folder: Path) -> Iterator[Asked]:
    """The questions that have an answer, each with its table."""
    tables = {path.stem: path for path in folder.rglob("*.csv")}
    for path in sorted(folder.rglob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            asked = json.loads(line)
            name = asked["source"]
            beside = path.parent / f"{name}.csv"
            if asked["answer"] and name in tables:
                rows = _rows(beside if beside.exists() else tables[name])
                yield Asked(asked["question"], name, rows, tuple(asked["answer"]))


def _rows(path: Path) -> tuple[tuple[str, ...], ...]:
    table = next(read_tables([str(path)]))
    return (table.columns, *(tuple(row.cells) for row in table.rows if isinstance(row, Row)))


def _without(asked: Asked, place: int) -> Table:
    header, *rows = [row[:place] + row[place + 1 :] for row in asked.rows]
    return table_in_memory(asked.name, header, rows)


def _answer(question: str, table: Table) -> Understanding | None:
    """What is understood surely enough; questions for yes or no, and for two things at once, are left out."""
    found = understand(candidates(question, table, shipped_model()), shipped_model())
    return None if found is None or why_unsure(found, CERTAIN) else found


def _columns_of(found: Understanding) -> list[int]:
    reading = found.best.reading
    every = {each.column for each in reading.conditions} | {reading.target, reading.by}
    if reading.superlative is not None:
        every.add(reading.superlative.column)
    return sorted(place for place in every if place is not None)


if __name__ == "__main__":
    main()
