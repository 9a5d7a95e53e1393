"""A folder of our own in the layout of the benchmarks' data: films, tables, facts, and replies."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

KB = """\
Brass Lamp|directed_by|Ida Moor
Brass Lamp|starred_actors|Tom Reed
Brass Lamp|release_year|1951
Clay Road|directed_by|Ida Moor
Clay Road|starred_actors|Una Holt
Clay Road|release_year|1954
Deep Fen|directed_by|Tom Reed
Deep Fen|starred_actors|Tom Reed
Deep Fen|release_year|1960
"""

HOPS = {
    1: [("who directed [Deep Fen]", "Tom Reed", "movie_to_director")],
    2: [("which films have the director of [Deep Fen]", "Brass Lamp", "movie_to_director_to_movie")],
    3: [("when were the films of the director of [Deep Fen]", "1951", "movie_to_director_to_movie_to_year")],
}
"""By number of hops: questions, some answer, and the question type."""

DIRECTED = "get_information(head_entity='Brass Lamp', relation='directed_by')"

METAQA = {
    "metaqa_1hop": [
        ("who directed [Brass Lamp]", f'Step1: Find the director\nQuery1: "{DIRECTED}"'),
        ("who directed [Clay Road]", "Query1: \"get_information(head_entity='Clay Rode', relation='directed by')\""),
        ("who lit [Clay Road]", "Query1: \"get_information(head_entity='Clay Road', relation='directed_by')\""),
    ],
    "metaqa_2hop": [
        (
            "which films have the director of [Brass Lamp]",
            f'Query1: "{DIRECTED}"\nQuery2: "get_information(relation=\'directed_by\', tail_entity=output_of_query1)"',
        ),
    ],
}

TABLES = {
    "200-csv/1": "Year\tTeam\tNote\n2001\tOtters\ta\\nb\n2002\tPikes\t\n2003\tOtters\t\n",
    "201-csv/1": "Year\tTeam\n2011\tHerons\n2012\tTerns\n",
    "201-csv/2": "City\tArea\nUlm\t119\n",
}

WTQ = [
    ("nt-0", "how many years had the otters?", "csv/200-csv/1.csv", "2"),
    ("nt-1", "which team was last?", "csv/200-csv/1.csv", "Otters"),
    ("nt-2", "which team was last?", "csv/201-csv/1.csv", "Terns"),
    ("nt-3", "which teams are listed?", "csv/201-csv/1.csv", "Herons|Terns"),
]

LAST = "get_information(relation='Year', tail_entity>'2011')"

WTQ_REPLIES = [
    (
        "how many years had the otters?",
        "{number}\nQuery1: \"get_information(relation='Team', tail_entity='Otters')\"\n"
        "Query2: \"count(set='output_of_query1')\"",
    ),
    ("which team was last?", f'{{Team}}\nQuery1: "{LAST}"'),
    ("which teams are listed?", "Query1: \"dance(relation='Team')\""),
]

FACTS = "Ann Ash\tperson.born_in\tUlm\tP\nAnn Ash\tperson.lived_in\tUlm\tSP\nAnn Ash\tperson.lived_in\tBern\tS\n"

WEBQSP = [
    ("WebQTrn-0", "where was ann ash born?", [("Entity", "m.1", "Ulm")]),
    ("WebQTrn-1", "where did ann ash live?", [("Entity", "m.1", "Ulm")]),
    ("WebQTrn-2", "when was ann ash born?", [("Value", "1931", None)]),
]

WEBQSP_REPLIES = [
    ("where was ann ash born?", "Query1: \"get_information(head_entity='Ann Ash', relation='person.born_in')\""),
    ("where did ann ash live?", "Query1: \"get_information(head_entity='Ann Ash', relation='person.lived_in')\""),
    ("when was ann ash born?", "Query1: \"get_information(head_entity='Bern', relation='person.born_in')\""),
]


def write(folder: Path) -> Path:
    """The whole sample, in `folder`, which is given back."""
    for name, replies in {**METAQA, "wtq": WTQ_REPLIES, "webqsp_named": WEBQSP_REPLIES}.items():
        write_replies(folder / "recorded" / f"{name}.jsonl", replies)
    write_text(folder / "metaqa" / "kb.txt", KB)
    for hops, questions in HOPS.items():
        part = folder / "metaqa" / f"{hops}-hop"
        write_text(part / "vanilla" / "qa_dev.txt", "".join(f"{text}\t{gold}\n" for text, gold, _ in questions))
        write_text(part / "qa_dev_qtype.txt", "".join(f"{qtype}\n" for *_, qtype in questions))
    for name, table in TABLES.items():
        write_text(folder / "wtq" / "csv" / f"{name}.tsv", table)
    lines = ["id\tutterance\tcontext\ttargetValue", *("\t".join(question) for question in WTQ)]
    write_text(folder / "wtq" / "data" / "training.tsv", "\n".join(lines) + "\n")
    write_text(folder / "webqsp" / "freebase_union.tsv", FACTS)
    write_text(folder / "webqsp" / "WebQSP.train.json", json.dumps({"Questions": [_webqsp(*q) for q in WEBQSP]}))
    return folder


def write_text(path: Path, text: str) -> None:
    """A file with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_replies(path: Path, replies: Iterable[tuple[str, str]]) -> None:
    """A file of recorded replies."""
    lines = (json.dumps({"question": question, "reply": reply}) + "\n" for question, reply in replies)
    write_text(path, "".join(lines))


def _webqsp(identifier: str, text: str, answers: list[tuple[str, str, str | None]]) -> dict[str, object]:
    listed = [{"AnswerType": kind, "AnswerArgument": value, "EntityName": name} for kind, value, name in answers]
    return {"QuestionId": identifier, "RawQuestion": text, "Parses": [{"Answers": listed}]}
