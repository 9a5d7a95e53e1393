"""Damaged names, and how many of them find their node again."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.cypher.connection import Database
from cgstore.evaluate.damage import DAMAGES
from cgstore.evaluate.mapping import WAYS, damaged, heads_of, measure
from cgstore.names import normal_form
from cgstore.store import Store

NAMES = ["Angela Merkel", "Gyula Illyés", "The Burglar (1957 film)", "United States of America", "Hans Georg Gadamer"]


@pytest.mark.parametrize("kind", DAMAGES)
@given(name=st.sampled_from(NAMES), seed=st.integers(0, 1_000))
def test_a_damage_is_the_same_for_the_same_seed(kind: str, name: str, seed: int) -> None:
    assert DAMAGES[kind](name, Random(seed)) == DAMAGES[kind](name, Random(seed))


@pytest.mark.parametrize(
    ("kind", "name", "damaged"),
    [
        ("underscores", "United States of America", "United_States_of_America"),
        ("no brackets", "The Burglar (1957 film)", "The Burglar"),
        ("words swapped", "Angela Merkel", "Merkel Angela"),
        ("two typos", "Ulm", "Ulm"),
        ("a word dropped", "Angela Merkel", "Angela Merkel"),
    ],
)
def test_what_a_damage_makes_of_a_name(kind: str, name: str, damaged: str) -> None:
    assert DAMAGES[kind](name, Random(0)) == damaged


def test_what_is_another_name_after_the_damage_is_left_out() -> None:
    cases = damaged(["Ulm", "Ulm (city)", "Angela Merkel (chancellor)"], 10, seed=0)
    assert [case.name for case in cases if case.kind == "no brackets"] == ["Angela Merkel (chancellor)"]


def test_every_way_is_counted(db: Database, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("".join(f"{name},knows,Ulm\n" for name in NAMES) + "1984,knows,Ulm\n", encoding="utf-8")
    Store(db).load_kg(path, header=False)
    assert heads_of(db, "people") == sorted(NAMES)
    results = measure(db, damaged(NAMES, 3, seed=1), ["people"])
    assert set(results) == set(DAMAGES)
    for found in results.values():
        assert set(found.right) == set(WAYS)
        assert found.right["merged"] == found.asked
        assert found.right["vector"] == found.right["exact"] == 0
        assert not found.missed


def test_a_damaged_name_keeps_its_words() -> None:
    for name in NAMES:
        assert normal_form(DAMAGES["case and accents"](name, Random(1))) == normal_form(name)
