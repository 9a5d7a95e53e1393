"""WebQSP: its questions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.freebase import read_webqsp


def test_gold_is_that_of_all_parses_by_name_or_as_a_value(tmp_path: Path) -> None:
    parses = [
        {"Answers": [{"AnswerArgument": "m.1", "EntityName": "Ulm"}, {"AnswerArgument": "1931", "EntityName": None}]},
        {"Answers": [{"AnswerArgument": "m.1", "EntityName": "Ulm"}, {"AnswerArgument": "g.2", "EntityName": ""}]},
    ]
    path = tmp_path / "WebQSP.train.json"
    record = {"QuestionId": "WebQTrn-0", "RawQuestion": "where?", "Parses": parses}
    path.write_text(json.dumps({"Questions": [record]}), encoding="utf-8")
    (question,) = read_webqsp(path)
    assert (question.id, question.text, question.gold) == ("WebQTrn-0", "where?", ("Ulm", "1931", "g.2"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "not JSON"),
        ("[]", "no list of questions"),
        ('{"Questions": [{}]}', "question 1: not a question of WebQSP"),
        ('{"Questions": 1}', "no list of questions"),
    ],
)
def test_another_file_is_bad_input(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "WebQSP.train.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=rf"WebQSP\.train\.json.*{problem}"):
        read_webqsp(path)
