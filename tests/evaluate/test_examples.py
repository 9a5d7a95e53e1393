"""The example graph and its questions are well formed, and every expected name is in the graph."""

from __future__ import annotations

import csv
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def _rows(name: str) -> list[list[str]]:
    with (EXAMPLES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_facts_are_distinct_and_start_before_they_end() -> None:
    header, *facts = _rows("world.tsv")
    assert header == ["head", "relation", "tail", "start", "end"]
    assert len({tuple(fact) for fact in facts}) == len(facts) >= 150
    assert all(int(start) <= int(end) for *_, start, end in facts)


def test_expected_names_are_in_the_graph() -> None:
    names = {name for fact in _rows("world.tsv") for name in (fact[0], fact[2])}
    for question, answers, kind, _ in _rows("questions.tsv"):
        assert all(answer in names or answer.isdigit() for answer in answers.split("|")), question
        assert kind


def test_first_eight_questions_are_of_different_types() -> None:
    assert len({kind for _, _, kind, _ in _rows("questions.tsv")[:8]}) == 8


def test_readme_has_every_question_with_its_answer() -> None:
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for question, answers, kind, _ in _rows("questions.tsv"):
        assert f"| {question} | {answers.replace('|', ', ')} | {kind} |" in readme
