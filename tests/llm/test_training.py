"""Training questions: how a file of them is read, and which answers are right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cgstore.errors import BadInput
from cgstore.evaluate.scoring import accuracy
from cgstore.llm.demonstrations.build import TrainingQuestion, is_right, read_questions
from cgstore.model import Answer


def test_answers_and_sources_are_values_or_lists_or_missing(tmp_path: Path) -> None:
    lines = [
        {"question": " Who? ", "answer": ["Ann", 2, 2.5], "source": "films"},
        {"question": "When?", "answer": 1990, "source": ["films", "world"], "id": 7},
        {"question": "Where?"},
    ]
    path = tmp_path / "train.jsonl"
    path.write_text("\ufeff" + "\n\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    assert read_questions(path) == [
        TrainingQuestion("Who?", ("Ann", "2", "2.5"), ("films",)),
        TrainingQuestion("When?", ("1990",), ("films", "world")),
        TrainingQuestion("Where?"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "null",
        '{"answer": ["Ann"]}',
        '{"question": 1}',
        '{"question": " "}',
        '{"question": "Who?", "answer": {"a": 1}}',
        '{"question": "Who?", "answer": [null]}',
        '{"question": "Who?", "source": [[]]}',
        r'{"question": "Who \ud800?"}',
        "[" * 100_000,
    ],
)
def test_a_bad_line_is_named_with_its_number(line: str, tmp_path: Path) -> None:
    path = tmp_path / "train.jsonl"
    path.write_text(f'{{"question": "Who?"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(BadInput, match=r"train\.jsonl, line 2"):
        read_questions(path)


def test_a_missing_file_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        read_questions(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("gold", "answer", "right"),
    [
        (["Ann"], ["ann "], True),
        (["Ann", "Bob"], ["Bob", "Ann", "Bob"], True),
        (["Ann", "Bob"], ["Ann"], False),
        (["Ann"], ["Ann", "Bob"], False),
        (["1,000"], [1000], True),
        (["5"], [5.0], True),
        (["1990"], ["1991"], False),
    ],
)
def test_an_answer_is_right_where_denotation_accuracy_says_so(gold: list[str], answer: list[str], right: bool) -> None:
    assert is_right(gold, Answer(tuple(answer), "")) is accuracy(gold, answer) is right


def test_no_answer_is_never_right() -> None:
    assert not is_right([], Answer((), ""))
