r"""Reader of WikiTableQuestions: its questions with their gold answers, and its tables as sources.

WikiTableQuestions (Pasupat, Liang: "Compositional Semantic Parsing on Semi-Structured Tables", ACL 2015) asks over
tables of Wikipedia. Its files have `\n` for a line end, `\p` for a bar and `\\` for a backslash; a list answer is split
by bars.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.evaluate.loaded import load_changed
from cgstore.store import Store

SOURCE = "eval/wtq"
"""What the names of the tables' sources begin with: `eval/wtq/204-csv/590`."""

FILES = ("data/training.tsv", "data/pristine-seen-tables.tsv")
"""The questions; what the first one asks is not sought in the second."""

_TAGGED = "targetCanon"
"""The column of `tagged/` that has the gold values in one form each."""

_COLUMNS = ["id", "utterance", "context", "targetValue"]

_ESCAPE = re.compile(r"\\([np\\])")
_ESCAPED = {"n": "\n", "p": "|", "\\": "\\"}


@dataclass(frozen=True)
class Question:
    """One question over one table; `table` is its name within the benchmark, `204-csv/590`."""

    id: str
    text: str
    gold: tuple[str, ...]
    table: str


def read_questions(path: Path) -> Iterator[Question]:
    """The questions of one file (id, utterance, context, targetValue), in its order.

    Raises:
        BadInput: there is no such file, or it has not these columns.
    """
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")
    with path.open(encoding="utf-8", newline="\n") as lines:
        for number, line in enumerate(lines, 1):
            cells = line.rstrip("\r\n").split("\t")
            if len(cells) != len(_COLUMNS) or (number == 1 and cells != _COLUMNS):
                raise BadInput(f"{path.name}, line {number}: the columns {', '.join(_COLUMNS)} are expected.")
            if number > 1:
                identifier, utterance, context, target = cells
                yield Question(identifier, _decoded(utterance), _values(target), _table_of(context))


def read_canonical(folder: Path, questions: Path) -> dict[str, tuple[str, ...]]:
    """The gold values of a file's questions in one form each, by the question's id; {} where `tagged/` has none.

    Raises:
        BadInput: the file there has other columns.
    """
    path = folder / "tagged" / "data" / f"{questions.stem}.tagged"
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="\n") as lines:
        rows = (line.rstrip("\r\n").split("\t") for line in lines)
        columns = next(rows, [])
        if "id" not in columns or _TAGGED not in columns:
            raise BadInput(f"{path}: the columns id and {_TAGGED} are expected.")
        at, canon = columns.index("id"), columns.index(_TAGGED)
        return {row[at]: _values(row[canon]) for row in rows if len(row) == len(columns)}


def questions_by_text(folder: Path) -> dict[str, list[Question]]:
    """Every question of the benchmark's folder by its text: several where it is asked of several tables.

    Raises:
        BadInput: as `read_questions`; the second file may be missing.
    """
    found: dict[str, list[Question]] = {}
    for name in FILES:
        path, asked = folder / name, defaultdict(list)
        if path.is_file() or name == FILES[0]:
            for question in read_questions(path):
                asked[question.text].append(question)
        found = dict(asked) | found
    return found


def load_tables(store: Store, folder: Path, tables: Iterable[str]) -> None:
    """Loads those tables that are not loaded, each as the source `eval/wtq/TABLE`; changed ones are replaced.

    Raises:
        BadInput: a table is missing or cannot be read.
    """
    files = {f"{SOURCE}/{table}": folder / "csv" / f"{table}.tsv" for table in sorted(set(tables))}

    def load(sources: list[str]) -> None:
        for part, group in groupby(sources, key=lambda source: source.rpartition("/")[0]):
            listed = list(group)
            paths = [files[source] for source in listed]
            # The loader names several tables NAME/TABLE, and one alone NAME.
            name = part if len(listed) > 1 else listed[0]
            store.load_table(paths, name=name, header=True, escapes=True, replace=True, progress=True)

    load_changed(store, files, load)


def _table_of(context: str) -> str:
    return context.removeprefix("csv/").removesuffix(".csv")


def _values(target: str) -> tuple[str, ...]:
    return tuple(_decoded(value) for value in target.split("|"))


def _decoded(text: str) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPED[match[1]], text)
