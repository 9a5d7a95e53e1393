"""Samples of our own in the formats of WikiSQL, MetaQA and cron_like: invented players, films and offices."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import words_sample

PLAYERS = {
    "id": "1-1",
    "header": ["Player", "Club", "Goals", "Fee", "Note's"],
    "types": ["text", "text", "real", "text", "text"],
    "rows": [
        ["Ann Rae", "Aldham", "3", "1,200", "a, b"],
        ["Bo Lind", "aldham", "5", "950", "it's"],
        ["Cy Roos", "Bexley", "5", "2,000", ""],
        ["Di Moe", "Bexley", "", "75", "a b"],
    ],
}
TOWNS = {
    "id": "1-2",
    "header": ["Town", "Area"],
    "types": ["text", "text"],
    "rows": [["Carne", "16 km"], ["Dorn", "16.0 km"], ["Elm", "30 km"], ["Ford", "n/a"], ["Gorse", "7 km"]],
}


def sql(text: str, table: str, select: int, aggregate: int, *conditions: tuple[int, int, Any]) -> dict[str, Any]:
    """A question as WikiSQL has it."""
    return {
        "phase": 1,
        "question": text,
        "table_id": table,
        "sql": {"sel": select, "agg": aggregate, "conds": [list(condition) for condition in conditions]},
    }


SQL_QUESTIONS = [
    sql("Which club has Bo Lind?", "1-1", 1, 0, (0, 0, "bo lind")),
    sql("Who cost more than 1,000?", "1-1", 0, 0, (3, 1, "1,000")),
    sql("What is the mean fee at Bexley?", "1-1", 3, 5, (1, 0, "Bexley")),
    sql("How many play for Bexley?", "1-1", 1, 3, (1, 0, "Bexley")),
    sql("How many goals has Di Moe?", "1-1", 2, 4, (0, 0, "Di Moe"), (2, 1, 9)),
    sql("What is the highest fee?", "1-1", 3, 1),
    sql("How many towns are there?", "1-2", 0, 3),
    sql("Who plays for Aldham?", "1-1", 0, 0, (1, 0, "Aldham")),
]
"""The last one falls into the trap of two cells that differ in case only."""

KB = [
    ("The Mill", "directed_by", "Ida Holm"),
    ("The Mill", "starred_actors", "Ida Holm"),
    ("The Mill", "starred_actors", "Bo Lind"),
    ("The Mill", "release_year", "1961"),
    ("Night Ferry", "directed_by", "Ida Holm"),
    ("Night Ferry", "release_year", "1950"),
    ("Night Ferry", "release_year", "1988"),
    ("Rain, Snow", "starred_actors", "Cy Roos"),
    ("Ann's Road", "starred_actors", "Cy Roos"),
    ("Ann's Road", "has_genre", "Drama"),
]

FILMS = {
    1: [
        ("who directed [The Mill]", "Ida Holm", "movie_to_director"),
        ("what is the genre of [Ann's Road]", "Drama", "movie_to_genre"),
        ("when was [Night Ferry] released", "1950", "movie_to_year"),
        ("what did [Cy Roos] play in", "Rain|Snow|Ann's Road", "actor_to_movie"),
    ],
    2: [("who starred in films directed by [Ida Holm]", "Bo Lind", "director_to_movie_to_actor")],
    3: [("when were films by the director of [The Mill] released", "1988|1950", "movie_to_director_to_movie_to_year")],
}

FACTS = [
    ("Ada Brook", "position held", "Mayor of Aldham", "1950", "1955"),
    ("Bo O'Hara", "position held", "Mayor of Aldham", "1956", "1960"),
]


def fact(text: str, gold: list[str], kind: str, **annotation: str) -> dict[str, Any]:
    """A question as cron_like has it."""
    return {
        "question": text,
        "answers": gold,
        "answer_type": "entity",
        "type": kind,
        "relations": ["position held"],
        "annotation": annotation,
        "template": text,
    }


FACT_QUESTIONS = [
    fact("Who was mayor in 1958?", ["Bo O'Hara"], "simple_entity", tail="Mayor of Aldham", time="1958"),
    fact(
        "Who was mayor before?", ["Ada Brook"], "before_after", head="Bo O'Hara", tail="Mayor of Aldham", type="before"
    ),
]


def write(folder: Path) -> Path:
    """The samples and that of words as files, in the folders that the benchmark data have; the folder is returned."""
    wikisql = folder / "wikisql"
    write_lines(wikisql / "dev.jsonl", map(json.dumps, SQL_QUESTIONS))
    write_lines(wikisql / "dev.tables.jsonl", map(json.dumps, (PLAYERS, TOWNS)))
    write_lines(folder / "metaqa" / "kb.txt", map("|".join, KB))
    for hops, questions in FILMS.items():
        films = folder / "metaqa" / f"{hops}-hop"
        write_lines(films / "vanilla" / "qa_dev.txt", (f"{text}\t{gold}" for text, gold, _ in questions))
        write_lines(films / "qa_dev_qtype.txt", (qtype for _, _, qtype in questions))
    cron_like = folder / "cron_like"
    cron_like.mkdir()
    for name, lines in (
        ("kg.tsv.gz", map("\t".join, FACTS)),
        ("questions_dev.jsonl.gz", map(json.dumps, FACT_QUESTIONS)),
    ):
        with gzip.open(cron_like / name, "wt", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
    words_sample.write(folder)
    return folder


def write_lines(path: Path, lines: Any) -> Path:
    """A file of these lines; its folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
