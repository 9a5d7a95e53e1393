"""The notation of the small model: total over the language, and read back as what was written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cgstore.llm.small.notation import NotationError, name_text, nested, read, written
from cgstore.query.build import text_of
from cgstore.query.parse import parse

ROOT = Path(__file__).parents[3]

PROGRAMS = [
    ("get_information(relation='player')", "player"),
    ("get_information(head_entity='Glass Hill', relation='directed by')", 'directed by | "Glass Hill"'),
    ("get_information(relation='school', tail_entity='Butler')", '* : school = "Butler"'),
    ("get_information(relation='player', key='school', value='Butler')", 'player : school = "Butler"'),
    (
        "get_information(relation='player', head_entity=set_intersection(get_information(relation='school', "
        "tail_entity='Butler'), get_information(relation='year', tail_entity>'1990')))",
        'player : school = "Butler" & year > 1990',
    ),
    (
        "get_information(relation='player', head_entity=get_information(relation='school', tail_entity='Butler', "
        "key='year', value>'1990'))",
        'player : school = "Butler" & year > 1990',
    ),
    (
        "get_information(head_entity='Ann', relation='position held', key='time', value='1990')",
        'position held | "Ann" @ time = 1990',
    ),
    (
        "get_information(relation='position held', tail_entity='mayor', key='start_time', value>'1900')",
        '* : position held = "mayor" @ start_time > 1900',
    ),
    (
        "get_information(head_entity='Ann', relation='position held', tail_entity='mayor', key='time')",
        '@time | "Ann" : position held = "mayor"',
    ),
    (
        "exists(set=get_information(head_entity='Ann', relation='position held', tail_entity='mayor'))",
        'exists(* | "Ann" : position held = "mayor")',
    ),
    ("get_information(relation='item', source='orders')", "item ; orders"),
    ("heads()", "*"),
    (
        "group(by='club', of='goals', function='sum')",
        "group(club | each, of=goals | each, function=sum)",
    ),
    ("keep(set=heads(), value>'5')", "keep(*, > 5)"),
    ("get_information(tail_entity='Ulm')", 'get(t="Ulm")'),
    ("get_information(relation='Points (2010)', key='W/L', value='1-0')", '`Points (2010)` : W/L = "1-0"'),
]


@pytest.mark.parametrize(("program", "text"), PROGRAMS)
def test_a_program_is_written_and_read_back(program: str, text: str) -> None:
    assert written(nested(parse(program))) == text
    assert written(read(text)) == text
    parse(text_of(read(text)))


def test_every_shipped_demonstration_has_a_notation() -> None:
    for path in sorted((ROOT / "cgstore" / "llm" / "demonstrations").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            call = nested(parse(json.loads(line)["program"]))
            text = written(call)
            assert written(read(text)) == text, path


@pytest.mark.parametrize(
    "text",
    ["", "player :", 'player : school = "Butler', "count(player", "nosuch(player)", "a | b", "* @ time"],
)
def test_what_is_no_program_is_an_error(text: str) -> None:
    with pytest.raises(NotationError):
        read(text)


@pytest.mark.parametrize("name", ["a|b", "`", "x\\", "2001", "each", "a  b", 'say "hi"', "a & b", ""])
def test_any_name_survives(name: str) -> None:
    assert text_of(read(f"{name_text(name)} : {name_text(name)} = 1")) == text_of(
        read(written(read(f"{name_text(name)} : {name_text(name)} = 1")))
    )
