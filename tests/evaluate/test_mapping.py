"""Damaged names, and how many of them find their node again."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.cypher.connection import Database
from cgstore.evaluate.mapping import (
    DAMAGES,
    WAYS,
    Damaged,
    Scored,
    damaged,
    damaged_program,
    damaged_relations,
    errors_of,
    heads_of,
    measure,
    measure_relations,
    paraphrased,
)
from cgstore.store import Store
from cgstore.text.names import normal_form

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


def test_a_threshold_rejects_right_names_and_takes_wrong_ones() -> None:
    scored = [Scored(True, 0.9, 0.5), Scored(True, 0.6, 0.4), Scored(False, 0.75, 0.75), Scored(False, 0.3, 0.3)]
    (errors,) = errors_of(scored, [0.7])
    assert (errors.rejected, errors.wrong, errors.accepted) == (0.25, 0.25, 0.25)


@pytest.mark.parametrize(
    ("program", "damaged"),
    [
        ("get_information(head_entity='Angela Merkel')", "get_information(head_entity='Merkel Angela')"),
        ("get_information(key='time', value='1990')", "get_information(key='time', value='1990')"),
        ("max(set='output_of_query1')", "max(set='output_of_query1')"),
        ("get_information(tail_entity='Hell\\'s Angels')", "get_information(tail_entity='Angels Hell\\'s')"),
        ("no program (", "no program ("),
    ],
)
def test_of_a_program_only_names_are_damaged(program: str, damaged: str) -> None:
    assert damaged_program(program, "words swapped", seed=1) == damaged


def test_a_name_is_damaged_alike_wherever_a_program_has_it() -> None:
    first, second = damaged_program("count('Angela Merkel')\ncount('Angela Merkel')", "one typo", seed=3).split("\n")
    assert first == second != "count('Angela Merkel')"


def test_each_relation_has_two_paraphrases_which_are_no_relation() -> None:
    cases = paraphrased()
    names = [case.name for case in cases]
    assert len(cases) == 406
    assert {names.count(name) for name in names} == {2}
    assert {normal_form(case.text) for case in cases}.isdisjoint(map(normal_form, names))


def test_relations_are_ranked_by_spelling_and_by_meaning() -> None:
    cases = [Damaged("place of birth", "typo", "place of brith"), Damaged("spouse", "typo", "zzz")]
    (ranked,) = measure_relations(cases, ["place of birth", "place of death", "spouse"]).values()
    assert (ranked.asked, ranked.right["spelling_top1"]) == (2, 1)


def test_the_last_part_of_a_relation_is_damage_only_where_it_is_the_only_one() -> None:
    cases = damaged_relations(["a.b.name", "c.d.name", "people.person.place_of_birth"], 5, seed=0)
    assert [case.text for case in cases if case.kind == "last part"] == ["place_of_birth"]
