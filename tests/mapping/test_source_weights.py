"""What counts for a source: how rare a word is, what it is there, and how much of a column's name the question has."""

from __future__ import annotations

from collections.abc import Mapping

from cgstore.mapping.source_choice import probabilities, ranked
from cgstore.mapping.source_evidence import Evidence, Found, Sign
from cgstore.mapping.source_index import make_index

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


def test_a_whole_column_counts_more_than_a_part_of_one_and_a_relation_of_no_name_least() -> None:
    assert order(evidence("What was the attendance?")) == ["few", "long", "films"]


def test_a_year_may_be_a_column() -> None:
    assert order(evidence("What is the value in 2011?")) == ["few"]


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
