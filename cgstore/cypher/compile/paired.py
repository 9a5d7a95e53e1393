"""Which start of a temporal fact belongs to which end, where one search asks for both.

A fact may hold in several periods. Where its starts and ends alone do not say which belong together, each start has the
names of its `ends`. The times between them are those of all periods.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from cgstore.model import TimeKey
from cgstore.query.operands import Names, Operand

_BOUNDS = (TimeKey.START, TimeKey.END)


def paired_tests(bound: Sequence[tuple[str, Operand | None]]) -> list[str]:
    """The conditions on starts and ends of one fact that make them those of one of its periods.

    Args:
        bound: the variables of what is said of the fact, each with its key.
    """
    times = [(variable, name) for variable, key in bound if (name := _time_key(key)) in _BOUNDS]
    tests = []
    for (one, first), (other, second) in combinations(times, 2):
        if first == second:
            tests.append(f"{one}.node2 = {other}.node2")
        else:
            start, end = (one, other) if first == TimeKey.START else (other, one)
            tests.append(f"coalesce({end}.node2 IN {start}.ends, true)")
    return tests


def _time_key(key: Operand | None) -> str | None:
    """The built-in key of temporal facts that a key is."""
    return key.names[0] if isinstance(key, Names) and key.time_key and key.nodes else None
