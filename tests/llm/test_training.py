"""Training questions: how a file of them is read, and which answers are right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cgstore.errors import BadInput
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
    with pytest.raises(BadInput, match="cannot be read"):
        read_questions(tmp_path / "none.jsonl")


def test_an_answer_is_right_where_denotation_accuracy_says_so_and_none_is_not() -> None:
    assert is_right(["Ann", "1,000"], Answer(("1000", "ann ", "Ann"), ""))
    assert not is_right(["Ann"], Answer(("Ann", "Bob"), ""))
    assert not is_right([], Answer((), ""))
