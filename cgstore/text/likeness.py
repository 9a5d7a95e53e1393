"""How alike two names are by their characters: the share of character trigrams that they have in common."""

from __future__ import annotations

from collections.abc import Iterable

from cgstore.text.names import normal_form


def trigrams(text: str) -> frozenset[str]:
    """The runs of three characters of a text's normal form, with a blank before it and after."""
    form = f" {normal_form(text)} "
    return frozenset(form[at : at + 3] for at in range(max(1, len(form) - 2)))


def nearest(text: str, names: Iterable[str]) -> tuple[str, float] | None:
    """The name most like a text with its likeness in [0, 1] (Dice's coefficient), the first one of equals; or None."""
    wanted = trigrams(text)
    best: tuple[str, float] | None = None
    for name in names:
        own = trigrams(name)
        score = 2 * len(wanted & own) / (len(wanted) + len(own))
        if best is None or score > best[1]:
            best = name, score
    return best
