"""Reader of WebQSP: its questions with their gold answers, and the facts of Freebase that are published with it.

WebQSP (Yih, Richardson, Meek, Chang, Suh: "The Value of Semantic Parse Labeling for Knowledge Base Question Answering",
ACL 2016) asks over Freebase. All of Freebase is not to be had as a file of this size: `freebase_union.tsv` holds the
facts that were retrieved for other questions of the benchmark, so that many questions cannot be answered from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput
from cgstore.evaluate.loaded import load_changed
from cgstore.store import Store
from cgstore.text.json_text import read_json

SOURCE = "eval/webqsp"
"""The source that the facts are loaded as; kept for the next run."""

FACTS = "freebase_union.tsv"

QUESTIONS = "WebQSP.train.json"


@dataclass(frozen=True)
class Question:
    """One question; `gold` has the answers of all its parses by name, or as values where they are no entities."""

    id: str
    text: str
    gold: tuple[str, ...]


def read_questions(path: Path) -> Iterator[Question]:
    """The questions of one of the benchmark's files, in its order.

    Raises:
        BadInput: there is no such file, or it is none of WebQSP's.
    """
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")
    try:
        for record in read_json(path.read_text(encoding="utf-8"))["Questions"]:
            yield Question(record["QuestionId"], record["RawQuestion"], _gold(record))
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path.name} is no file of WebQSP's: {error!r}.") from error


def _gold(record: Mapping[str, Any]) -> tuple[str, ...]:
    answers = (answer for parse in record["Parses"] for answer in parse["Answers"])
    return tuple(dict.fromkeys(answer["EntityName"] or answer["AnswerArgument"] for answer in answers))


def load_facts(store: Store, folder: Path) -> None:
    """Loads the facts, unless they are loaded already.

    The fourth column of the file is left out: with `P` in it, the direction of a fact is that in which a path took it,
    which need not be Freebase's.

    Raises:
        BadInput: there is no such file.
    """
    path = folder / FACTS

    def load(_: list[str]) -> None:
        store.load_kg(path, name=SOURCE, columns=(1, 2, 3), header=False, replace=True, progress=True)

    load_changed(store, {SOURCE: path}, load)
