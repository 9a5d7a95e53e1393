"""Times of eras, and reigns, in questions without an LLM: over a source with years before Christ."""

from __future__ import annotations

import pytest

from cgstore.llm.backends import CannotPropose
from cgstore.llm.backends.rewrite import RewriteBackend
from cgstore.llm.demonstrations import load_demonstrations
from tests.llm.memory_graph import MemoryGraph

QUEENS = (
    ("Ann", "queen of", "Egypt", "-50", "-29"),
    ("Cleopatra", "queen of", "Egypt", "-40", "-30"),
    ("Bob", "queen of", "Egypt", "35", "45"),
)
KINGS = (
    ("Henry II", "king of", "England", "1154", "1189"),
    ("Richard I", "king of", "England", "1189", "1199"),
    ("Henry III", "king of", "England", "1216", "1272"),
)


class Queens(MemoryGraph):
    """Facts with years before Christ, which do not sort as texts do."""

    @property
    def times(self) -> dict[str, tuple[str, str]]:
        return {"memory": ("-50", "45")}


BACKEND = RewriteBackend(load_demonstrations())


def program(question: str, graph: MemoryGraph) -> str:
    return next(BACKEND.propose(question, graph)).program


@pytest.mark.parametrize(
    ("when", "time"),
    [
        ("in 40", "='40'"),
        ("in AD 40", "='40'"),
        ("in 40 CE", "='40'"),
        ("in 48 BC", "='-47'"),
        ("in 48 B.C.", "='-47'"),
        ("in 48 BCE", "='-47'"),
        ("in the 40s BC", "='40s BC'"),
        ("in the first century BC", "='1st century BC'"),
        ("before 20", "<'20'"),
        ("after 30", ">'30'"),
    ],
)
def test_a_year_is_of_the_era_that_the_question_says(when: str, time: str) -> None:
    assert f"value{time}" in program(f"Who was queen of Egypt {when}?", Queens(QUEENS))


def test_an_era_is_that_of_both_years() -> None:
    assert "value>='-50', value<='-29'" in program("Who was queen of Egypt between 51 and 30 BC?", Queens(QUEENS))


def test_whether_something_held_in_a_short_year_is_asked_of_that_year() -> None:
    assert "value='40'" in program("Was Cleopatra queen of Egypt in 40?", Queens(QUEENS))


@pytest.mark.parametrize("verb", ["reign", "rule"])
def test_to_reign_is_to_hold_an_office(verb: str) -> None:
    found = program(f"When did Richard I {verb} as king of England?", MemoryGraph(KINGS))
    assert found.splitlines() == [
        "Query1: \"get_information(head_entity='Richard I', relation='king of', tail_entity='England', key='time')\""
    ]


def test_how_long_a_reign_was_is_asked_of_that_king() -> None:
    found = program("How long did Henry III reign as king of England?", MemoryGraph(KINGS))
    assert "head_entity='Henry III'" in found
    assert "year_difference" in found


def test_who_ruled_is_who_was_king() -> None:
    found = program("Who ruled England before Henry III?", MemoryGraph(KINGS))
    assert found.splitlines()[-1].startswith("Query6: \"get_information(relation='king of', tail_entity='England'")


@pytest.mark.parametrize("question", ["What did Henry III do in 1230?", "What happened to Henry III in 1230?"])
def test_what_somebody_did_names_no_relation(question: str) -> None:
    with pytest.raises(CannotPropose, match="no word of it says which relation"):
        program(question, MemoryGraph((*KINGS, ("Henry III", "married", "Eleanor", "1236", "1236"))))
