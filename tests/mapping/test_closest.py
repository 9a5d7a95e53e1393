"""The entities spelt most like a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.loaders.tkg import TkgOptions, load_tkg
from cgstore.mapping.candidates import entity_candidates

FACTS = """\
Kim O'Dell\tposition held\tGovernor of North Veria\t1980\t1984
Rosa Winkler\tposition held\tGovernor of South Veria\t1985\t1990
Luca Buono\tposition held\tabbot\t1990\t1993
"""


LEAST = 0.6
"""Of the scores that count as near here."""


@pytest.fixture
def facts(db: Database, tmp_path: Path) -> Database:
    for name, text in (("mine", FACTS), ("other", "Luca Bueno\tspouse\tPetra Voss\t1999\t2001\n")):
        file = tmp_path / f"{name}.tsv"
        file.write_text(text, encoding="utf-8")
        load_tkg(db, file, TkgOptions(name=name))
    return db


def closest(db: Database, text: str, sources: list[str] | None = None, count: int = 3) -> list[str]:
    (found,) = entity_candidates(db, [text], sources, top=count)
    return [candidate.name for candidate in found if candidate.score >= LEAST]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Gvoernor of North Veria", "Governor of North Veria"),
        ("Goveronr of South Veria", "Governor of South Veria"),
        ("governor", "Governor of North Veria"),
        ("Govrenor", "Governor of North Veria"),
        ("abbots", "abbot"),
        ("Roza Winkler", "Rosa Winkler"),
        ("Dr Rosa Winkler", "Rosa Winkler"),
        ("Kim ODell", "Kim O'Dell"),
    ],
)
def test_typing_errors_plurals_and_parts_find_the_name(text: str, first: str, facts: Database) -> None:
    assert closest(facts, text, ["mine"])[0] == first


@pytest.mark.parametrize("text", ["Zzz", "", "?", "x", "the", "weather", "of the", "' OR 1=1 //", "q" * 9000])
def test_nothing_near_is_no_name(text: str, facts: Database) -> None:
    assert closest(facts, text) == []


def test_only_names_of_the_sources_asked_and_no_more_than_wanted(facts: Database) -> None:
    assert closest(facts, "Luca Bueno", ["mine"]) == ["Luca Buono"]
    assert closest(facts, "Luca Bueno") == ["Luca Bueno", "Luca Buono"]
    assert len(closest(facts, "governor", count=1)) == 1
