"""The last answers of `ask` that this machine remembers."""

from __future__ import annotations

import logging
import stat
from pathlib import Path

import pytest

from cgstore.llm import remembered
from cgstore.llm.remembered import MOST, AnswerMemory
from cgstore.model import Answer


def answer(question: str, *values: str | float) -> Answer:
    return Answer(values, "get_information(relation='spouse')", question=question)


@pytest.fixture
def memory(tmp_path: Path) -> AnswerMemory:
    return AnswerMemory("bolt://127.0.0.1:7687", None, tmp_path)


def test_the_last_answer_comes_first_until_they_are_forgotten(memory: AnswerMemory) -> None:
    memory.add(answer("Who?", "Ann"), sources=["people"], lang="llm", options={"exact": True}, earlier=[])
    memory.add(answer("When?", 1990, "1991"))
    assert stat.S_IMODE(memory.file.stat().st_mode) == 0o600  # for the user alone
    last, first = memory.last()
    assert (last.question, last.values, last.is_whole) == ("When?", (1990, "1991"), True)
    assert (first.sources, first.options, first.answer.answer) == (("people",), {"exact": True}, ("Ann",))
    assert (memory.clear(), memory.last()) == (2, [])


def test_the_oldest_are_forgotten(memory: AnswerMemory) -> None:
    for number in range(MOST + 5):
        memory.add(answer(f"Question {number}?", "x"))
    assert [one.question for one in memory.last()] == [f"Question {n}?" for n in range(MOST + 4, 4, -1)]


def test_of_an_answer_with_many_values_only_their_number_is_kept(
    memory: AnswerMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered, "MOST_VALUES", 2)
    memory.add(answer("Who?", "a", "b", "c"))
    (one,) = memory.last()
    assert (one.values, one.total, one.is_whole) == ((), 3, False)


def test_each_database_has_a_file_of_its_own(tmp_path: Path) -> None:
    files = [
        AnswerMemory(uri, name, tmp_path).file
        for uri, name in (("bolt://a", None), ("bolt://a", "films"), ("bolt://b", None))
    ]
    assert len(set(files)) == 3


def test_a_conversation_is_the_last_question_and_those_that_it_follows(memory: AnswerMemory) -> None:
    memory.add(answer("Before?", "x"))
    memory.add(answer("Who was pope in 1970?", "Paul VI"))
    memory.add(answer("And in 1980?", "John Paul II"), earlier=[memory.last()[0]])
    assert [one.question for one in memory.conversation()] == ["Who was pope in 1970?", "And in 1980?"]
    for _ in range(3):
        memory.add(answer("And then?", "x"), earlier=memory.conversation())
    assert len(memory.conversation()) == 3


def test_an_unusable_file_costs_the_memory_and_nothing_else(
    memory: AnswerMemory, caplog: pytest.LogCaptureFixture
) -> None:
    memory.file.write_bytes(b"no database" * 100)
    with caplog.at_level(logging.WARNING):
        memory.add(answer("Who?", "Ann"))
        assert memory.last() == []
    assert "cannot be kept" in caplog.text
