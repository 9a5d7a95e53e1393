"""Starts and ends paired to periods again."""

from __future__ import annotations

import pytest

from cgstore.errors import BadInput
from cgstore.loaders.tkg_stage import pairs_of

Starts = list[tuple[str, list[str] | None]]


@pytest.mark.parametrize(
    ("starts", "ends", "expected"),
    [
        ([("1990", None)], [], [("1990", "present")]),
        ([("1990", None)], ["1995", "1992"], [("1990", "1992"), ("1990", "1995")]),
        (
            [("1993", ["1991"]), ("1990", ["present", "1995"])],
            ["1991", "1995"],
            [("1990", "1995"), ("1990", "present"), ("1993", "1991")],
        ),
        # Of an older version:
        ([("1993", None), ("1990", None)], ["1995", "1991-05-01"], [("1990", "1991-05-01"), ("1993", "1995")]),
        ([("1995", None), ("1990", None)], ["2000", "1995"], [("1990", "1995"), ("1995", "2000")]),
        ([("1993", None), ("1990", None)], ["1991"], [("1990", "1991"), ("1993", "present")]),
    ],
)
def test_periods_come_out_as_they_were(starts: Starts, ends: list[str], expected: list[tuple[str, str]]) -> None:
    assert pairs_of("club", starts, ends) == expected


@pytest.mark.parametrize("ends", [["1995", "1998"], ["1989", "1995"], ["1991", "1995", "1998"], ["1993"], []])
def test_periods_of_an_older_version_that_do_not_follow_one_another_are_refused(ends: list[str]) -> None:
    with pytest.raises(BadInput, match="does not say which end belongs to which start"):
        pairs_of("club", [("1990", None), ("1993", None)], ends)
