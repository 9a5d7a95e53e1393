"""Which source a question is about: the words of relations in memory, and what counts for a source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from cgstore.mapping import source_choice
from cgstore.mapping.source_choice import Evidence, Found, RememberedSources, Sign, make_index, probabilities, ranked

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


class Graph:
    """A database of which only the state of its sources is read."""

    def __init__(self) -> None:
        self.state = 1

    def read(self, statement: str) -> list[dict[str, Any]]:
        return [{"state": self.state}]


def test_sources_are_read_again_when_one_was_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    graph: Any = Graph()
    monkeypatch.setattr(source_choice, "ready_sources", lambda db: (f"source {db.state}",))
    remembered = RememberedSources()
    first = remembered.read(graph)
    assert remembered.read(graph) is first
    graph.state = 2
    assert remembered.read(graph).names == ("source 2",)


READY = ["films", "few", "long", "other"]
HAVING: dict[str, list[str]] = {
    "Attendance": ["few"],
    "Average attendance of home games": ["long"],
    "2011": ["few"],
    "attended by": ["films"],
}


def evidence(question: str, names: Mapping[str, Found] | None = None, **parts: frozenset[str]) -> Evidence:
    return Evidence(question, frozenset(READY), make_index(READY, ["films"], HAVING), names or {}, parts)


def found(question: str, text: str, **sources: int) -> Found:
    start = question.index(text)
    return Found(((start, start + len(text)),), (text,), sources, False, Sign.WORD)


def order(of: Evidence) -> list[str]:
    return [source for source, _ in ranked(of)]


@pytest.mark.parametrize(
    ("question", "sources"),
    [
        ("What was the attendance?", ["few", "long", "films"]),  # a whole column, a part of one, no name
        ("What is the value in 2011?", ["few"]),
    ],
)
def test_sources_come_by_the_relations_that_a_question_names(question: str, sources: list[str]) -> None:
    assert order(evidence(question)) == sources


def test_a_word_of_a_longer_name_counts() -> None:
    assert order(evidence("Who plays in Arrowhead?", arrowhead=frozenset({"other"}))) == ["other"]


def test_a_name_that_most_sources_have_counts_little() -> None:
    question = "Is it open or ajar?"
    names = {"open": found(question, "open", few=1, long=1, films=1), "ajar": found(question, "ajar", other=1)}
    assert order(evidence(question, names))[0] == "other"


def test_each_word_that_all_lack_makes_it_likelier_that_none_is_meant() -> None:
    question = "Is it ajar?"
    known = evidence(question, {"ajar": found(question, "ajar", other=1)})
    longer = "Is it ajar when Rembrandt paints?"
    unknown = evidence(longer, {"ajar": found(longer, "ajar", other=1)})
    (sure,), (unsure,) = (probabilities(each, [score for _, score in ranked(each)]) for each in (known, unknown))
    assert sure > 0.5 > 0.1 > unsure


def test_the_name_of_a_source_counts_in_another_form_too() -> None:
    index = make_index(["sold_cars", "films", "boats"], ["films"], {"Price": ["sold_cars", "boats"]})
    asked = Evidence("What is the price of the oldest car?", frozenset(index.ready), index)
    assert order(asked) == ["sold_cars", "boats"]
