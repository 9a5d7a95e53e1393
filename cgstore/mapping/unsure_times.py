"""Times behind an answer that the data give as approximate or uncertain, such as `c. 1340`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from cgstore.model import TimeKey
from cgstore.show.evidence import Evidence

MAX_TIMES = 3
"""Times that are told of."""

_KEYS = frozenset(key.value for key in TimeKey)


def unsure_notes(marks: Iterable[str], evidence: Iterable[Evidence]) -> Iterator[str]:
    """A sentence for each of the first such times in the evidence: starts, ends, and times at which facts hold.

    `marks` are those of the sources asked (`catalog.registry.LoadRecord`).
    """
    found = {(*each.condition, each.node2) for each in evidence if each.node1 in _KEYS}
    told = [(tuple(fact), name, text) for *fact, name, text in map(json.loads, marks) if (*fact, name) in found]
    for fact, name, text in told[:MAX_TIMES]:
        yield f"{name} stands for '{text}' in the data, which is not sure: ({', '.join(fact)})."
    if len(told) > MAX_TIMES:
        yield f"{len(told) - MAX_TIMES:,} more times behind this answer are not sure in the data."
