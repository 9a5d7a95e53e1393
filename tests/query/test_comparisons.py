"""What an answer tells of a literal that was read in a way that may surprise."""

from __future__ import annotations

import pytest

from cgstore.query.comparisons import ValueReading
from cgstore.text.kinds import ValueKind

MEANT_1200 = "'1.200' was read as 1.2: a point stands before decimals. Write 1200 if that is meant."


@pytest.mark.parametrize(
    ("kind", "text", "notes"),
    [
        (ValueKind.NUMBER, "1.200", [MEANT_1200]),
        (ValueKind.NUMBER, "0.125", []),
        (ValueKind.NUMBER, "12.5", []),
        (ValueKind.NUMBER, "1.200", [MEANT_1200]),
        (ValueKind.PERCENT, "0.1", ["'0.1' was read as 0.1%: write '10%' if that is meant."]),
        (ValueKind.PERCENT, "10%", []),
    ],
)
def test_a_literal_that_may_mean_another_number_has_a_note(kind: ValueKind, text: str, notes: list[str]) -> None:
    assert list(ValueReading((kind,)).notes(text)) == notes
