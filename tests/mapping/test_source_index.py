"""The words of the relations of many sources, in memory: which relations have a word, and when they are read again."""

from __future__ import annotations

from typing import Any

import pytest

from cgstore.mapping import source_index
from cgstore.mapping.source_index import RememberedSources, make_index

INDEX = make_index(
    ["films", "league", "rivers"],
    ["films", "dropped"],
    {"directed_by": ["films"], "Director": ["league", "dropped"], "Length (km)": ["rivers"], "Old": ["dropped"]},
)


@pytest.mark.parametrize(
    ("word", "relations"),
    [("directed", ["directed_by", "Director"]), ("km", ["Length (km)"]), ("lengths", ["Length (km)"]), ("old", [])],
)
def test_a_word_has_the_relations_of_which_a_form_of_it_is_a_part(word: str, relations: list[str]) -> None:
    assert sorted(INDEX.relations(word), key=str.lower) == sorted(relations, key=str.lower)


def test_a_word_has_the_relations_in_which_it_is_written_short() -> None:
    assert make_index(["inns"], [], {"No. Rms": ["inns"]}).relations("rooms") == ["No. Rms"]


def test_only_sources_that_are_ready_have_relations() -> None:
    assert INDEX.having["Director"] == ("league",) and "Old" not in INDEX.having
    assert INDEX.graphs == {"films"}


class Graph:
    """A database of which only the state of its sources is read."""

    def __init__(self) -> None:
        self.state = 1

    def read(self, statement: str) -> list[dict[str, Any]]:
        return [{"state": self.state}]


def test_sources_are_read_again_when_one_was_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    graph: Any = Graph()
    monkeypatch.setattr(source_index, "ready_sources", lambda db: (f"source {db.state}",))
    remembered = RememberedSources()
    first = remembered.read(graph)
    assert remembered.read(graph) is first
    graph.state = 2
    assert remembered.read(graph).names == ("source 2",)


def test_a_relation_is_called_by_the_words_of_its_name_or_of_its_last_part() -> None:
    index = make_index(["people"], ["people"], {"people.person.place_of_birth": ["people"]})
    assert index.called[frozenset(["plac", "birth"])] == ("people.person.place_of_birth",)
