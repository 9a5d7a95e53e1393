"""Samples of recorded replies."""

from __future__ import annotations

import random

from cgstore.llm.recorded import Recorded


def sample(recorded: list[Recorded], limit: int | None, seed: int) -> list[Recorded]:
    """So many of them, drawn at random and in the file's order; all when None."""
    if limit is None or limit >= len(recorded):
        return recorded
    return sorted(random.Random(seed).sample(recorded, limit), key=lambda each: each.line)
