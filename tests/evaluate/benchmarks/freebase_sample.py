"""Samples of our own in the formats of WebQSP, CWQ, TimeQuestions and MultiTQ: invented people and towns."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

UNION = [("Ann Ash", "person.born_in", "Ulm", "P"), ("Bo Birch", "person.born_in", "Bern", "S")]


def parse(chain: list[str] | None, *answers: tuple[str, str | None], topic: str = "Ann Ash") -> dict[str, Any]:
    """A parse as WebQSP has it: answers as (id or value, name or None)."""
    listed = [
        {"AnswerType": "Entity" if name else "Value", "AnswerArgument": argument, "EntityName": name}
        for argument, name in answers
    ]
    mid = f"m.{topic.split()[0].lower()}"
    return {
        "InferentialChain": chain,
        "TopicEntityMid": mid,
        "TopicEntityName": topic,
        "Constraints": [{"Argument": "m.wife", "EntityName": "Wife"}],
        "Answers": listed,
    }


WEBQSP = [
    ("WebQTest-1", "where was ann ash born?", [parse(["person.born_in"], ("m.ulm", "Ulm"))]),
    ("WebQTest-2", "who is ann ash's uncle?", [parse(["person.parents", "person.brother"], ("m.cy", "Cy Cole"))]),
    ("WebQTest-3", "what is ann ash?", [parse(None)]),
]

WEBQSP_OWN = [
    {
        "id": "WebQTest-1",
        "answers": ["Ulm"],
        "gpt_labelled": [["Ann Ash", "person.born_in", "Ulm"]],
        "gnn_rag_paths": [["Ann Ash", "person.born_in", "Ulm"], ["Ulm", "town.country", "Germany"]],
    }
]

CWQ = [
    ("q-1", "Where was the wife of Bo Birch born?", "composition", ["m.ulm"]),
    ("q-2", "Which town has a harbour?", "conjunction", ["m.nowhere"]),
]
CWQ_TOPICS = [("q-1", {"m.bo": "Bo Birch", "m.ulm": "Ulm"}), ("q-2", {})]
CWQ_FACTS = [
    ("q-1", [["Bo Birch", "person.wife", "Ann Ash"], ["Ann Ash", "person.born_in", "Ulm"]]),
    ("q-2", []),
]

TIMES: list[dict[str, Any]] = [
    {
        "id": 7,
        "question": "who was mayor of ulm in 1951",
        "types": ["Explicit"],
        "answers": ["Ann Ash"],
        "facts": [
            ["Ann Ash", "mayor of", "Ulm", 1950, 1952],
            ["Ann Ash", "country", "Germany", 1, 2916],
            ["Ann Ash", "height", "", 1950, 1950],
        ],
    },
    {
        "id": 8,
        "question": "when was bo birch first mayor",
        "types": ["Temp.Ans", "Ordinal"],
        "answers": [1960],
        "facts": [["Bo Birch", "mayor of", "Bern", 1962, 1963]],
    },
    {"id": 9, "question": "when?", "types": ["Temp.Ans"], "answers": [], "facts": []},
]

DAYS = [
    ("Ann_Ash", "Make_a_visit", "Police_(Ulm)", "2005-01-03"),
    ("Bo_Birch", "Make_a_visit", "Police_(Ulm)", "2005-02-04"),
    ("Ann_Ash", "Make_a_visit", "Police_(Ulm)", "2006-02-05"),
]
MULTITQ: list[dict[str, Any]] = [
    {"id": 1, "question": "Who visited the Police of Ulm on 4 February 2005?", "answers": ["Bo Birch"]},
    {"id": 2, "question": "In which month did Ann Ash last visit the Police of Ulm?", "answers": ["2006-02"]},
    {"id": 3, "question": "After Bo Birch, who was the first to visit the Police of Ulm?", "answers": ["Ann Ash"]},
    {"id": 4, "question": "Who visited Ulm before 2005?", "answers": ["Cy Cole"]},
    {"id": 5, "question": "Who visited Ulm in the same month as Bo Birch?", "answers": []},
    {"quid": 6, "question": "?", "answers": ["2005"], "qtype": "equal", "answer_type": "time", "time_level": "year"},
]


def write(folder: Path) -> Path:
    """The samples as files in the folders that the benchmarks' data have; the folder is returned."""
    records = [{"QuestionId": i, "RawQuestion": text, "Parses": parses} for i, text, parses in WEBQSP]
    write_text(folder / "webqsp" / "WebQSP.dev.json", json.dumps({"Questions": records}))
    write_text(folder / "webqsp" / "freebase_union.tsv", "".join("\t".join(fact) + "\n" for fact in UNION))
    write_lines(folder / "webqsp" / "dev_subgraphs.jsonl", WEBQSP_OWN)
    cwq = [{"ID": i, "question": q, "compositionality_type": kind, "answer": gold} for i, q, kind, gold in CWQ]
    write_text(folder / "cwq" / "ComplexWebQuestions_dev.json", json.dumps(cwq))
    write_lines(folder / "cwq" / "dev_topic_entities.jsonl", [{"ID": i, "topic_entity": t} for i, t in CWQ_TOPICS])
    write_text(folder / "multitq" / "facts.tsv", "".join("\t".join(fact) + "\n" for fact in DAYS))
    write_lines(folder / "multitq" / "questions_dev.jsonl", MULTITQ)
    write_lines(folder / "cwq" / "dev_subgraphs.jsonl", [{"id": i, "triples": facts} for i, facts in CWQ_FACTS])
    write_lines(folder / "timequestions" / "test_half_with_facts.jsonl", TIMES)
    return folder


def write_lines(path: Path, records: Iterable[Any]) -> Path:
    """A JSON Lines file; its folder is made."""
    return write_text(path, "".join(json.dumps(record) + "\n" for record in records))


def write_text(path: Path, text: str) -> Path:
    """A file with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
