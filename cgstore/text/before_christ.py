"""Years before Christ in answers, which count as in ISO 8601, with a year 0: `-26` is 27 BC."""

from __future__ import annotations

from collections.abc import Iterable

from cgstore.text.dates import read_moment
from cgstore.text.periods import TO

MOST_SHOWN = 3
"""Times that a note explains."""


def as_years_bc(times: Iterable[str]) -> str:
    """A sentence that says which years before Christ the first times are: `'-26' is 27 BC.`; empty if none is one.

    Args:
        times: names of times and of periods, as answers have them.
    """
    said: dict[str, str] = {}
    for text in times:
        for end in text.split(TO):
            moment = read_moment(end)
            if moment is not None and moment.years == 1 and moment.year <= 0:
                said[end] = f"'{end}' is {'in ' if moment.month else ''}{1 - moment.year} BC"
        if len(said) >= MOST_SHOWN:
            break
    return f"{', '.join(list(said.values())[:MOST_SHOWN])}." if said else ""
