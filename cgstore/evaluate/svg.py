"""Bars as SVG, with their intervals: plain shapes that take their colours from the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from cgstore.evaluate.intervals import Interval

ROW, BAR = 26, 16
"""Height of a row and of its bar, in units of the picture."""

LABEL, WIDTH, FIGURE = 320, 380, 120
"""Widths of the labels, of the whole from 0 to 1, and of the figures behind."""

LONGEST = 36
"""Characters of a label; a longer one is cut, and told whole by its title."""


@dataclass(frozen=True)
class Bar:
    """One bar: `value` and the ends of its interval are from 0 to 1, `count` is how many it is the mean of."""

    label: str
    value: float
    interval: Interval
    count: int


def bars(title: str, rows: Sequence[Bar]) -> str:
    """The bars below each other, each with a line for its interval, over a scale from 0 to 1."""
    height = ROW * len(rows) + 24
    width = LABEL + WIDTH + FIGURE
    shapes = [_grid(height - 24), *(_bar(number, row) for number, row in enumerate(rows))]
    return (
        f'<svg role="img" viewBox="0 0 {width} {height}" style="max-width:{width}px">'
        f"<title>{escape(title)}</title>{''.join(shapes)}</svg>"
    )


def _grid(height: int) -> str:
    parts = []
    for quarter in range(5):
        x = LABEL + WIDTH * quarter / 4
        parts.append(f'<line class="grid" x1="{x:g}" y1="0" x2="{x:g}" y2="{height}"/>')
        parts.append(f'<text class="scale" x="{x:g}" y="{height + 16}" text-anchor="middle">{quarter / 4:g}</text>')
    return "".join(parts)


def _bar(number: int, row: Bar) -> str:
    top = ROW * number + (ROW - BAR) / 2
    middle, base = top + BAR / 2, top + BAR - 3
    shown = row.label if len(row.label) <= LONGEST else row.label[: LONGEST - 3] + "..."
    low, high = (LABEL + WIDTH * end for end in row.interval)
    return (
        f'<g><title>{escape(row.label)}: {row.value:.3f}</title><text x="{LABEL - 8}" y="{base:g}" text-anchor="end">'
        f'{escape(shown)}</text><rect class="bar" x="{LABEL}" y="{top:g}" width="{WIDTH * row.value:.1f}" '
        f'height="{BAR}"/><line class="interval" x1="{low:.1f}" y1="{middle:g}" x2="{high:.1f}" y2="{middle:g}"/>'
        f'<text x="{LABEL + WIDTH + 8}" y="{base:g}">{row.value:.3f} (n {row.count:,})</text></g>'
    )
