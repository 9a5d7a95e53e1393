"""Drawing some of many questions or replies by a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def sample(every: Sequence[T], limit: int | None, seed: int) -> list[T]:
    """So many of them, drawn at random and in their order; all when None."""
    if limit is None or limit >= len(every):
        return list(every)
    return [every[place] for place in sorted(random.Random(seed).sample(range(len(every)), limit))]
