"""Which nodes a name means where other sources, or other spellings, have it too."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.store import Store


@pytest.fixture
def store(db: Database, tmp_path: Path) -> Store:
    store = Store(db)
    for name, text in (
        ("a", "Name,Post\nAnn,Zqguard\nBo,McLaren\nCy,@ Washington\nDi,Washington\n"),
        ("b", "Word\nzqguard\nmclaren\nbo\n"),
    ):
        path = tmp_path / f"{name}.csv"
        path.write_text(text, encoding="utf-8")
        store.load_table(path, name=name)
    return store


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Zqguard", ("[line_1]",)),
        ("zqguard", ("[line_1]",)),
        ("mclaren", ("[line_2]",)),
        ("MCLAREN", ("[line_2]",)),
        ("washington", ("[line_4]",)),
        ("@ Washington", ("[line_3]",)),
    ],
)
def test_a_spelling_that_the_column_has_is_taken_before_one_of_another_source(
    store: Store, text: str, lines: tuple[str, ...]
) -> None:
    assert store.query(f"get_information(relation='Post', tail_entity='{text}')", ["a"]).answer == lines


def test_what_no_column_has_means_the_exact_name(store: Store) -> None:
    answer = store.query("get_information(relation='Name', tail_entity='zqguard')", ["a"])
    assert answer.abstained
    assert [m.node for m in answer.mappings if m.role == "entity"] == ["zqguard"]


def test_a_head_is_sought_among_what_the_sources_asked_have(store: Store) -> None:
    assert store.query("get_information(head_entity='bo', relation='Post')", ["a"]).answer == ("McLaren",)


def test_a_number_is_never_taken_for_another(store: Store, tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text("N\n3\n", encoding="utf-8")
    (tmp_path / "m.csv").write_text("M\n-3\n", encoding="utf-8")
    for name in ("n", "m"):
        store.load_table(tmp_path / f"{name}.csv", name=name, header=True)
    assert store.query("literals(set='-3')", ["n"]).answer != ("3",)
