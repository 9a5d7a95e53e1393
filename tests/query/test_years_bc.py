"""Answers with years before Christ say which years these are."""

from __future__ import annotations

from pathlib import Path

from cgstore.cypher.connection import Database
from cgstore.store import Store


def test_an_answer_of_times_names_years_before_christ_and_one_of_numbers_does_not(db: Database, tmp_path: Path) -> None:
    (tmp_path / "rulers.tsv").write_text("Augustus\temperor of\tRome\t27 BC\t14\n", encoding="utf-8")
    (tmp_path / "cold.csv").write_text("Place,Degrees\nYork,-26\n", encoding="utf-8")
    store = Store(db)
    store.load_tkg(tmp_path / "rulers.tsv")
    store.load_table(tmp_path / "cold.csv")
    begun = "get_information(head_entity='Augustus', relation='emperor of', key='start_time')"
    assert store.query(begun, ["rulers"]).warnings == ("'-26' is 27 BC.",)
    held = store.query(begun.replace("start_time", "time"), ["rulers"])
    assert (held.periods, held.warnings) == (("-26 to 14",), ("'-26' is 27 BC.",))
    degrees = store.query("get_information(relation='Degrees', key='Place', value='York')", ["cold"])
    assert (degrees.answer, degrees.warnings) == (("-26",), ())
