"""Recorded replies: reading them, and drawing some."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.benchmark import sample
from cgstore.llm.backends.replay import RecordedReply, read_recorded


def test_replies_have_the_numbers_of_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "wtq.jsonl"
    path.write_text('{"question": "q", "reply": "r"}\n\n{"question": "s", "reply": ""}\n', encoding="utf-8")
    assert read_recorded(path) == [RecordedReply(1, "q", "r"), RecordedReply(3, "s", "")]


@pytest.mark.parametrize("line", ["no json", "[]", '"text"', '{"question": "q"}', '{"question": 1, "reply": "r"}'])
def test_a_line_that_is_no_reply_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "wtq.jsonl"
    path.write_text(f'{{"question": "q", "reply": "r"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(BadInput, match=r"wtq\.jsonl, line 2"):
        read_recorded(path)


def test_a_missing_file_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="There is no file"):
        read_recorded(tmp_path / "wtq.jsonl")


def test_a_sample_is_drawn_by_its_seed_and_keeps_the_order() -> None:
    replies = [RecordedReply(line, f"q{line}", "r") for line in range(1, 101)]
    drawn = sample(replies, 10, seed=1)
    assert drawn == sample(replies, 10, seed=1) != sample(replies, 10, seed=2)
    assert len(drawn) == 10
    assert drawn == sorted(drawn, key=lambda each: each.line)


@pytest.mark.parametrize("limit", [None, 3, 4])
def test_a_sample_of_all_is_all(limit: int | None) -> None:
    replies = [RecordedReply(line, "q", "r") for line in (1, 2, 3)]
    assert sample(replies, limit, seed=0) == replies
