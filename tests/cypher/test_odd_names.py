"""Names of every kind, as head, relation and tail: loaded, asked for, answered whole, and proved."""

from __future__ import annotations

import csv

import pytest

from cgstore.cypher.connection import Database
from cgstore.store import Store
from tests.conftest import wipe

NAMES = {
    "single quote": "Donny O'Hare",
    "both quotes": "say \"it's\" 'so'",
    "backslash": "C:\\temp\\",
    "backtick": "`n`) DETACH DELETE (m",
    "dollar": "$p1 $relations ${x}",
    "Cypher": "x'}) RETURN 1 UNION MATCH (n) DETACH DELETE n //",
    "newline": "two\nlines",
    "tab and comma": "a,\tb",
    "braces": "{tail2} {{x}}",
    "output": "output of query1",
    "Arabic": "القاهرة",
    "Chinese": "東京都",
    "Hindi": "मुंबई",
    "emoji": "👩‍🚀 astronaut",
    "combining": "e\u0301cole",
    "right to left mark": "a\u200fb",
    "unit separator": "a\x1fb",
    "number": "1984",
    "time key": "time",
    "100 kB": "long " * 20_000 + "end",
    "100 kB of Greek": "Ω" * 50_000,
    "just too long for a key": "k" * 1001,
}


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    path = tmp_path_factory.mktemp("odd") / "odd.csv"
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines)
        for name in NAMES.values():
            writer.writerow(["Ann", "knows", name, 1990, 1991])
            writer.writerow([name, "is known by", "Bob", 1992, 1992])
            writer.writerow(["Cleo", name, "Dora", 1993, 1993])
    store = Store(shared_db)
    store.load_tkg(path, header=False)
    return store


def quoted(name: str) -> str:
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def test_every_name_comes_back_whole(store: Store) -> None:
    answer = store.query("get_information(head_entity='Ann', relation='knows')")
    assert set(answer.answer) == set(NAMES.values())


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_is_found_as_a_head(store: Store, name: str) -> None:
    known = f"head_entity={quoted(name)}, relation='is known by'"
    answer = store.query(f"get_information({known}, key='time', value='1992')")
    assert answer.answer == ("Bob",)
    assert {triple.condition[0] for triple in answer.evidence} == {name}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_is_found_as_a_tail(store: Store, name: str) -> None:
    answer = store.query(f"get_information(relation='knows', tail_entity={quoted(name)}, key='end_time')")
    assert answer.answer == ("1991",)


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_is_found_as_a_relation(store: Store, name: str) -> None:
    answer = store.query(f"get_information(head_entity='Cleo', relation={quoted(name)}, key='start_time')")
    assert answer.answer == ("1993",)


def test_a_relation_named_like_a_time_key_is_told_from_the_key(store: Store) -> None:
    assert store.query("get_information(relation='time')").answer == ("Dora",)
    assert store.query("get_information(relation='time', tail_entity='Dora')").answer == ("Cleo",)
    assert "time" in store.query("get_information(head_entity='Cleo', tail_entity='Dora')").answer
    assert store.query("get_information(key='time')").answer == ("1990", "1991", "1992", "1993")
