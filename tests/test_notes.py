"""What makes an answer doubtful is shown with it; `--explain` and JSON have the other notes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import cgstore
from cgstore.cli.answer_text import render
from cgstore.model import Answer
from cgstore.notes import DETAILS, Detail, placed, ranked

DOUBT, DETAIL = "2 others are as large.", Detail("past", "As known then.")


def test_notes_are_parted_by_their_kinds_and_none_comes_twice() -> None:
    in_place = placed("Query 1", DETAIL)
    assert ranked([DETAIL, DOUBT, in_place, DOUBT, DETAIL]) == ((DOUBT,), (DETAIL, "Query 1: As known then."))


def test_a_detail_is_shown_with_explain_and_in_json() -> None:
    answer = Answer(("x",), "p", **ranked([DOUBT, DETAIL])._asdict())
    assert DOUBT in render(answer) and DETAIL not in render(answer)
    assert render(answer, explain=True).endswith(f"Note: {DOUBT}\nNote: {DETAIL}")
    fields = json.loads(json.dumps(answer.to_json()))
    assert (fields["warnings"], fields["details"]) == ([DOUBT, DETAIL], [DETAIL])
    assert Answer.from_json(fields) == answer


def test_a_detail_is_of_a_kind_that_is_known_and_each_kind_is_made() -> None:
    with pytest.raises(AssertionError):
        Detail("tie", "2 others are as large.")
    code = "".join(path.read_text(encoding="utf-8") for path in Path(cgstore.__file__).parent.rglob("*.py"))
    for kind in DETAILS:
        assert len(re.findall(rf"""["']{kind}["']""", code)) > 1, kind
