"""Denotation accuracy as WikiTableQuestions' own evaluator has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.wtq import normalised, read_canonical, same_denotation


@pytest.mark.parametrize(
    ("gold", "canonical", "answer"),
    [
        (["10 years"], ["10.0"], [10]),
        (["10 years"], ["10.0"], ["10 years"]),
        (["1,000"], ["1000.0"], ["1000"]),
        (["October"], ["xxxx-10-xx"], ["october"]),
        (["August 7, 1986"], ["1986-08-07"], ["1986-08-07"]),
        (["in 1986"], ["1986-xx-xx"], [1986]),
        (["Müller"], [], ["muller"]),
        (["a", "b"], [], ["B", "a", "b"]),
        ([], [], []),
    ],
)
def test_these_denote_the_same(gold: list[str], canonical: list[str], answer: list[str | int]) -> None:
    assert same_denotation(gold, answer, canonical)


@pytest.mark.parametrize(
    ("gold", "canonical", "answer"),
    [
        (["10 years"], [], [10]),
        (["October"], ["xxxx-10-xx"], ["2009-10-01"]),
        (["a", "b"], [], ["a"]),
        (["a"], [], ["a", "b"]),
        (["1986"], ["1986.0"], ["1986-08-07"]),
        (["3"], ["3.0"], [3.001]),
        (["nan"], [], [float("inf")]),
        (["a"], [], []),
    ],
)
def test_these_do_not(gold: list[str], canonical: list[str], answer: list[str | int]) -> None:
    assert not same_denotation(gold, answer, canonical)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Paul Wendkos (director)[1]†", "paul wendkos"),
        ("“Hi  There”.", '"hi there"'),
        ("“Hi  There.”", "hi there"),
        ("(both)", "(both)"),
        ("[a]", "[a]"),
        ("1990–91", "1990-91"),
    ],
)
def test_texts_are_normalised(text: str, normal: str) -> None:
    assert normalised(text) == normal


def test_canonical_values_are_read_from_the_tagged_file_of_the_same_name(tmp_path: Path) -> None:
    folder = tmp_path / "tagged" / "data"
    folder.mkdir(parents=True)
    path = folder / "mine.tagged"
    path.write_text("id\ttokens\ttargetCanon\nns-1\tx\t10.0|a\\pb\n", encoding="utf-8")
    assert read_canonical(tmp_path, Path("else/mine.tsv")) == {"ns-1": ("10.0", "a|b")}
    assert read_canonical(tmp_path, Path("else/other.tsv")) == {}
    path.write_text("id\ttokens\n", encoding="utf-8")
    with pytest.raises(BadInput, match="targetCanon"):
        read_canonical(tmp_path, Path("mine.tsv"))
