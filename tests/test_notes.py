"""What makes an answer doubtful is shown with it; `--explain` and JSON have the other notes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import cgstore
from cgstore.cli.answer_text import render
from cgstore.model import Answer
from cgstore.notes import DETAILS, Note, ranked

DOUBT, DETAIL = Note("ties", "2 others are as large."), Note("past", "As known then.")


def test_notes_are_parted_by_their_kinds_and_none_comes_twice() -> None:
    notes = ranked([DETAIL, DOUBT, "A text without a kind.", str(DOUBT), DETAIL])
    assert notes == ((DOUBT, "A text without a kind."), (DETAIL,))


def test_a_detail_is_shown_with_explain_and_in_json() -> None:
    answer = Answer(("x",), "p", **ranked([DOUBT, DETAIL])._asdict())
    assert DOUBT in render(answer) and DETAIL not in render(answer)
    assert render(answer, explain=True).endswith(f"Note: {DOUBT}\nNote: {DETAIL}")
    fields = json.loads(json.dumps(answer.to_json()))
    assert (fields["warnings"], fields["details"]) == ([DOUBT], [DETAIL])
    assert Answer.from_json(fields) == answer


def test_each_kind_of_detail_is_the_kind_of_a_note() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in Path(cgstore.__file__).parent.rglob("*.py"))
    for kind in DETAILS:
        assert len(re.findall(f"""['"]{kind}['"]""", code)) > 1, kind
