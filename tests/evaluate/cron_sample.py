"""A sample of our own in CronQuestions' format: invented ids, people and teams, one question for every kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ENTITIES = {
    "Q1": "Ada Brook",
    "Q2": "Bo O'Hara",
    "Q3": "Cy Dunn, 2nd Earl",
    "Q4": "Mayor of Aldham",
    "Q5": "Reeve of Bexley",
    "Q6": "Aldham F.C.",
    "Q7": "Bexley \\ United",
    "Q8": "the Great Flood",
    "Q9": "occurrence",
    "Q10": 'Medal "For Oars"',
    "Q11": "Oar Prize",
}
RELATIONS = {"P1": "position held", "P2": "member of sports team", "P3": "award received", "P4": "significant event"}

FACTS = [
    ("Q1", "P1", "Q4", "1950", "1955"),
    ("Q2", "P1", "Q4", "1956", "1960"),
    ("Q3", "P1", "Q4", "1961", "1970"),
    ("Q1", "P1", "Q5", "1958", "1959"),
    ("Q1", "P2", "Q6", "1930", "1935"),
    ("Q1", "P2", "Q7", "1936", "1940"),
    ("Q2", "P2", "Q7", "1939", "1941"),
    ("Q2", "P3", "Q10", "1962", "1962"),
    ("Q2", "P3", "Q11", "1965", "1965"),
    ("Q8", "P4", "Q9", "1957", "1958"),
]


def _q(
    kind: str, template: str, relation: str, gold: list[Any], alias: dict[str, str] | None = None, **note: str
) -> dict[str, Any]:
    """A record: `note` is the annotation, with `extra` as an entity that the annotation lacks."""
    extra = note.pop("extra", None)
    ids = [value for name, value in note.items() if name in ("head", "tail", "event_head")]
    places = {name: "{" + name + "}" for name in ("head", "tail", "tail2", "event_head", "time")}
    names = {name: (alias or {}).get(value, ENTITIES.get(value, value)) for name, value in note.items()}
    return {
        "question": template.format_map(places | note),
        "answers": gold,
        "answer_type": "time" if isinstance(gold[0], int) else "entity",
        "template": template,
        "entities": sorted([*ids, *([extra] if extra else [])]),
        "times": [],
        "relations": [relation],
        "type": kind,
        "annotation": note,
        "uniq_id": 0,
        "paraphrases": [template.format_map(places | names)],
    }


RECORDS = [
    _q("simple_entity", "Which team had {head} in {time}?", "P2", ["Q6"], head="Q1", time="1931"),
    _q("simple_entity", "Who was {tail} in {time}?", "P1", ["Q3"], tail="Q4", time="1961"),
    _q("simple_time", "When was {head} {tail}?", "P1", [1958, 1959], head="Q1", tail="Q5"),
    _q("first_last", "When did {head} join {tail}?", "P2", [1939], head="Q2", tail="Q7", adj="first"),
    _q("first_last", "When did {head} play last?", "P2", [1940], head="Q1", adj="last"),
    _q("first_last", "When was the last {tail} in power?", "P1", [1970], tail="Q4", adj="last"),
    _q("first_last", "Which was the first award of {head}?", "P3", ["Q10"], head="Q2", adj="first"),
    _q("first_last", "Who was the last {tail}?", "P1", ["Q3"], tail="Q4", adj="last"),
    _q("before_after", "Who was {tail} before {head}?", "P1", ["Q2"], head="Q3", tail="Q4", type="before"),
    _q("before_after", "Where did {head} play after {tail}?", "P2", ["Q7"], head="Q1", tail="Q6", type="after"),
    _q("before_after", "Who was {tail} after {event_head}?", "P1", ["Q2"], event_head="Q8", tail="Q4", type="after"),
    _q("time_join", "Who played with {head} at {tail}?", "P2", ["Q1", "Q2"], {"Q7": "B.U."}, head="Q2", tail="Q7"),
    _q("time_join", "Who was {tail} during {event_head}?", "P1", ["Q2"], event_head="Q8", tail="Q4"),
    _q("time_join", "Who was {tail2} when {head} was {tail}?", "P1", ["Q2"], head="Q1", tail="Q5", extra="Q4"),
]
"""One question of every kind that the benchmark has."""


def write(folder: Path) -> Path:
    """The questions as the benchmark has them, in `folder`; ids count from 1."""
    path = folder / "questions.jsonl"
    records = [record | {"uniq_id": number} for number, record in enumerate(RECORDS, 1)]
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path
