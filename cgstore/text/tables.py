"""Tables as aligned text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

WIDEST_COLUMN = 60
"""Most characters to which the fields of a column are filled up."""


def table_lines(
    heading: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[str] = (), ruled: bool = False
) -> list[str]:
    """Rows as lines of filled columns below their heading.

    Args:
        heading: the names of the columns.
        rows: the fields of each row.
        right: the columns that are aligned on the right.
        ruled: whether a line of dashes stands below the heading.
    """
    texts = [list(heading), *map(list, rows)]
    widths = [min(max(map(len, column)), WIDEST_COLUMN) for column in zip(*texts, strict=True)]
    if ruled:
        texts.insert(1, ["-" * width for width in widths])
    sides = [">" if name in right else "<" for name in heading]
    lines = (zip(row, sides, widths, strict=True) for row in texts)
    return ["  ".join(f"{field:{side}{width}}" for field, side, width in line).rstrip() for line in lines]
