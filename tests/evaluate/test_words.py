"""Written questions: how they are read and judged, and what becomes of those that the data do not answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import words_sample

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.benchmark import Drawn, Selection
from cgstore.evaluate.benchmarks.words import BENCHMARK, same_answer
from cgstore.evaluate.outcome import answered
from cgstore.evaluate.summary import verdicts
from cgstore.model import Answer


@pytest.fixture
def data(tmp_path: Path) -> Path:
    words_sample.write(tmp_path)
    return tmp_path


def read(data: Path, **options: object) -> Drawn:
    return BENCHMARK.read(Selection(data, **options))  # type: ignore[arg-type]


def test_a_question_is_asked_of_all_sources_of_its_schema_and_counted_by_their_kind(data: Path) -> None:
    barn, litres, buyer, host = read(data).questions
    assert (barn.id, barn.sources, barn.type) == (
        "byre/1",
        ("eval/words/byre/cows", "eval/words/byre/barns"),
        "joined tables",
    )
    assert (litres.gold, litres.rows) == (("Jersey | 38.5", "Holstein | 24"), True)
    assert (barn.answerable, buyer.answerable, buyer.gold) == (True, False, ())
    assert (host.id, host.type) == ("inn/1", "tkg")


def test_a_question_may_name_the_sources_that_it_is_asked_of(data: Path) -> None:
    line = {"question": "which barns are there?", "program": "", "answer": [], "sources": ["barns"]}
    (data / "words" / "byre" / "questions.jsonl").write_text(json.dumps(line), encoding="utf-8")
    question = read(data).questions[0]
    assert (question.sources, question.type) == (("eval/words/byre/barns",), "table")


def test_a_part_a_schema_or_what_has_programs_is_chosen(data: Path) -> None:
    assert [q.id for q in read(data, part="tune").questions] == ["inn/1"]
    assert [q.id for q in read(data, questions=data / "words" / "inn").questions] == ["inn/1"]
    with_programs = read(data, with_programs=True)
    assert ([q.id for q in with_programs.questions], with_programs.without_gold) == (["byre/1", "byre/2", "inn/1"], 1)


def test_a_question_of_no_source_is_named_by_file_and_place(data: Path) -> None:
    line = {"question": "who?", "program": "", "answer": [], "sources": ["pigs"]}
    (data / "words" / "byre" / "questions.jsonl").write_text(json.dumps(line), encoding="utf-8")
    with pytest.raises(BadInput, match=r"questions.jsonl, line 1: not a question of words: KeyError\('pigs'\)"):
        read(data)


@pytest.mark.parametrize(
    ("gold", "given", "right"),
    [
        (["Bo Birch", "Ann Ash"], ["ann  ash", "bo birch "], True),
        (["7893.333333333333"], [7893.33], True),
        (["12.31"], [12.3], False),
        (["Yes"], ["yes"], True),
        (["Jersey | 38.5", "Holstein | 24"], ["holstein | 24.0", "Jersey | 38.5"], True),
        (["Jersey | 38.5", "Holstein | 24"], ["Holstein", "Jersey"], True),
        (["Jersey | 38.5", "Holstein | 24"], ["Holstein | 25", "Jersey | 38.5"], False),
        (["Ann Ash"], [], False),
    ],
)
def test_values_are_the_same_as_a_set_and_elements_stand_for_rows(
    gold: list[str], given: list[str | float], right: bool
) -> None:
    assert same_answer(gold, given) == right


def test_no_answer_is_right_only_where_the_data_have_none(data: Path) -> None:
    barn, _, buyer, _ = read(data).questions
    doubted = Answer(("Maud",), "p", warnings=("Doubtful: it may be another.",))
    given = [(barn, Answer((), "")), (barn, doubted), (buyer, Answer((), "")), (buyer, Answer(("Maud",), "p"))]
    outcomes = [answered(question, answer, (), BENCHMARK.judge) for question, answer in given]
    nothing = {"right": 0, "refused": 0, "doubtful": 0, "wrong": 0}
    found = verdicts(outcomes)
    assert found["joined tables"] == {**nothing, "refused": 1, "doubtful": 1}
    assert found["all, no answer"] == found["joined tables, no answer"] == {**nothing, "right": 1, "wrong": 1}
