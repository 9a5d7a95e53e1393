"""A sample of our own in the format of words: two tables of the part `test`, and dated facts of the part `tune`."""

from __future__ import annotations

import json
from pathlib import Path

FILES = {
    "byre/cows.csv": "Cow,Breed,Litres,Barn\nDaisy,Jersey,18.5,North\nMaud,Holstein,24,South\nPearl,Jersey,20,South\n",
    "byre/barns.csv": "Name,Built\nNorth,1921\nSouth,1968\n",
    "inn/hosts.tsv": "The Anchor\thost\tAnn Ash\t1990\t1998\nThe Anchor\thost\tBo Birch\t1999\t\n",
}

SOURCES = {
    "byre": [
        {"name": "cows", "kind": "table", "file": "cows.csv"},
        {"name": "barns", "kind": "table", "file": "barns.csv"},
    ],
    "inn": [{"name": "hosts", "kind": "tkg", "file": "hosts.tsv", "step": "year", "now": "2020"}],
}

_BARN = "get_information(relation='Barn', key='Cow', value='Daisy', source='cows')"
_THEN = "get_information(head_entity='The Anchor', relation='host', key='time', value='2015')"

QUESTIONS = {
    "byre": [
        ("when was daisy's barn built?", f"get_information(relation='Built', key='Name', value={_BARN})", ["1921"]),
        ("litres by breed", "group(by='Breed', of='Litres', function='sum')", [["Jersey", "38.5"], ["Holstein", "24"]]),
        ("who bought Maud?", "", []),
    ],
    "inn": [("who ran the anchor in 2015?", _THEN, ["bo  birch"])],
}
"""Each with its program and answer."""


def write(folder: Path) -> None:
    """Writes the sample into the folder `words` of a folder of data."""
    for name, questions in QUESTIONS.items():
        schema = folder / "words" / name
        schema.mkdir(parents=True)
        (schema / "sources.json").write_text(json.dumps(SOURCES[name]), encoding="utf-8")
        lines = (json.dumps(dict(zip(("question", "program", "answer"), each, strict=True))) for each in questions)
        (schema / "questions.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for path, text in FILES.items():
        (folder / "words" / path).write_text(text, encoding="utf-8")
