"""Reader of CronQuestions, and of questions made in its manner with names in place of ids.

CronQuestions (Saxena, Chakrabarti, Talukdar: "Question Answering Over Temporal Knowledge Graphs", ACL 2021) asks over
a temporal knowledge graph of Wikidata facts. One JSON object a line: `question` and `annotation` hold Wikidata ids,
`paraphrases` the question as people read it, with a label or an alias for each id; gold answers are ids or years.
The names of the ids stand in files of their own: id TAB label.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from cgstore.errors import BadInput
from cgstore.text.json_text import read_json

TAIL2 = "{tail2}"
"""The placeholder that some `time_join` questions of the benchmark were published with, still unfilled."""

_ID = re.compile(r"\bQ\d+\b")
_NAMED = ("head", "tail", "event_head")


@dataclass(frozen=True)
class Question:
    """One question with its gold answers, all in names.

    `id` is the benchmark's `uniq_id`, which differently worded questions share that ask the same; where the file has
    none, it is the line's number, from 1.
    `text` is what a reader sees; `canonical_text` has each entity by its label, where `text` may have an alias, and
    has the second tail filled in where `text` lacks it. `answer_type` is `entity` or `time`; years are texts.
    `annotation` has some of `head`, `tail`, `tail2`, `event_head`, `time`, `adj` (first, last) and `type` (before,
    after). `incomplete`: `text` holds a placeholder and so cannot be answered as asked; `canonical_text` can.
    """

    id: str
    text: str
    canonical_text: str
    gold: tuple[str, ...]
    type: str
    answer_type: str
    template: str
    annotation: Mapping[str, str]
    relations: tuple[str, ...]
    incomplete: bool = False


def read_labels(path: Path) -> dict[str, str]:
    """The names of ids, from a file of `id TAB name` lines (`wd_id2entity_text.txt`, `wd_id2relation_text.txt`).

    Raises:
        BadInput: a line has no tab, or there is no such file.
    """
    labels = {}
    with _open(path) as lines:
        for number, line in enumerate(lines, 1):
            identifier, tab, label = line.rstrip("\n").partition("\t")
            if not tab:
                raise BadInput(f"{path.name}, line {number}: there is no tab between the id and the name.")
            labels[identifier] = label
    return labels


def read_facts(
    path: Path, entities: Mapping[str, str], relations: Mapping[str, str]
) -> Iterator[tuple[str, str, str, str, str]]:
    """The temporal facts of one file, in names: head, relation, tail, first and last year in which it holds.

    Lines have these five columns, tab separated, in ids (`event2time.tsv`) or in names (`ari_facts.tsv`). The names in
    the latter were published with `- ` in place of each `, `; where that is no label, and with the comma it is, the
    label stands here, as in the gold answers.

    Raises:
        BadInput: there is no such file, or a line has not five columns.
    """
    names = set(entities.values())
    with _open(path) as lines:
        for number, line in enumerate(lines, 1):
            columns = line.rstrip("\n").split("\t")
            if len(columns) != 5:
                raise BadInput(f"{path.name}, line {number}: {len(columns)} columns where 5 are expected.")
            head, relation, tail, start, end = columns
            yield (
                _entity_name(head, entities, names),
                relations.get(relation, relation),
                _entity_name(tail, entities, names),
                start,
                end,
            )


def _entity_name(given: str, entities: Mapping[str, str], names: set[str]) -> str:
    if given in entities:
        return entities[given]
    with_commas = given.replace("- ", ", ")
    return with_commas if given not in names and with_commas in names else given


def read_questions(
    path: Path, entities: Mapping[str, str] | None = None, relations: Mapping[str, str] | None = None
) -> Iterator[Question]:
    """The questions of one file, in its order; a line with `paraphrases` is in ids, any other in names.

    Args:
        path: JSON lines, gzipped where the name ends in `.gz`.
        entities: id -> label of the entities; needed for questions in ids.
        relations: id -> label of the relations; likewise.

    Raises:
        BadInput: there is no such file, a line is no JSON object with the benchmark's fields, or an id has no label.
    """
    with _open(path) as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _read_line(line, f"{path.name}, line {number}", number, entities or {}, relations or {})


def _open(path: Path) -> TextIO:
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")
    return gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")


def _read_line(
    line: str, where: str, number: int, entities: Mapping[str, str], relations: Mapping[str, str]
) -> Question:
    try:
        record = read_json(line)
        return _from_ids(record, entities, relations) if "paraphrases" in record else _from_names(record, number)
    except json.JSONDecodeError as error:
        raise BadInput(f"{where}: this is no JSON: {error}.") from error
    except _NoLabel as error:
        raise BadInput(
            f"{where}: {error} has no label.", "Give the label files that belong to these questions."
        ) from error
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise BadInput(f"{where}: this is no question of CronQuestions: {error!r}.") from error


class _NoLabel(Exception):
    """An id that the label files lack."""


def _label(identifier: str, labels: Mapping[str, str]) -> str:
    if identifier not in labels:
        raise _NoLabel(identifier)
    return labels[identifier]


def _from_names(record: Mapping[str, Any], number: int) -> Question:
    return Question(
        id=str(record.get("id", number)),
        text=record["question"],
        canonical_text=record["question"],
        gold=tuple(str(answer) for answer in record["answers"]),
        type=record["type"],
        answer_type=record["answer_type"],
        template=record["template"],
        annotation={name: str(value) for name, value in record["annotation"].items()},
        relations=tuple(record["relations"]),
        incomplete=TAIL2 in record["question"],
    )


def _from_ids(record: Mapping[str, Any], entities: Mapping[str, str], relations: Mapping[str, str]) -> Question:
    ids = _annotation_with_tail2(record)
    annotation = {name: _label(value, entities) if name in (*_NAMED, "tail2") else value for name, value in ids.items()}
    text = record["paraphrases"][0]
    return Question(
        id=str(record["uniq_id"]),
        text=text,
        canonical_text=_canonical_text(record, annotation, entities),
        gold=tuple(_gold(answer, entities) for answer in record["answers"]),
        type=record["type"],
        answer_type=record["answer_type"],
        template=record["template"],
        annotation=annotation,
        relations=tuple(_label(relation, relations) for relation in record["relations"]),
        incomplete=TAIL2 in text,
    )


def _annotation_with_tail2(record: Mapping[str, Any]) -> dict[str, str]:
    """The annotation in ids; where the text lacks its second tail, that is the entity which the annotation lacks.

    No entity is left over where the second tail is the first one again; where several are, it stays unknown.
    """
    annotation = {name: str(value).strip() for name, value in record["annotation"].items()}
    if TAIL2 in record["template"]:
        left = set(record["entities"]) - {annotation.get(name) for name in _NAMED}
        if len(left) <= 1:
            annotation["tail2"] = left.pop() if left else annotation["tail"]
    return annotation


def _canonical_text(record: Mapping[str, Any], annotation: Mapping[str, str], entities: Mapping[str, str]) -> str:
    known = set(record["entities"])
    text = _ID.sub(lambda match: _label(match[0], entities) if match[0] in known else match[0], str(record["question"]))
    return text.replace(TAIL2, annotation.get("tail2", TAIL2))


def _gold(answer: str | int, entities: Mapping[str, str]) -> str:
    return str(answer) if isinstance(answer, int) else _label(answer, entities)
