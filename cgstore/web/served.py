"""What servers show of a graph: some of its sources, or all."""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.errors import NoSource


def served_sources(served: Sequence[str] | None, asked: Sequence[str] | None) -> list[str] | None:
    """The sources to ask, of those that a server may show.

    Args:
        served: those that it may show; None: all.
        asked: those that a client asks for; None or empty: all that are shown.

    Raises:
        NoSource: one of them is not shown.
    """
    if served is None:
        return list(asked) if asked else None
    if hidden := set(asked or ()) - set(served):
        raise NoSource(f"No source '{min(hidden)}' is served here.", f"Served are: {', '.join(served)}.")
    return list(asked) if asked else list(served)
