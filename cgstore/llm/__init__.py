"""Backends that turn a question into programs: an LLM, or the nearest demonstration rewritten."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cgstore.errors import BadInput
from cgstore.llm.backend import Backend, CannotPropose, Graph, Proposal, Unanswerable

if TYPE_CHECKING:
    from cgstore.mapping.encoder import Encoder

BACKENDS = ("demos", "openai")

__all__ = ["BACKENDS", "Backend", "CannotPropose", "Graph", "Proposal", "Unanswerable", "get_backend"]


def get_backend(
    name: str | None = None,
    *,
    base_url: str | None = None,
    model: str | None = None,
    demonstrations: Sequence[Path] | None = None,
    encoder: Encoder | None = None,
) -> Backend:
    """The backend of that name; without one, `openai` where there is a key or an endpoint, else `demos`.

    Args:
        name: one of `BACKENDS`.
        base_url: endpoint of `openai`; else OPENAI_BASE_URL.
        model: model of `openai`; else CGSTORE_MODEL.
        demonstrations: files of the user's own, used beside the shipped ones.
        encoder: for finding the nearest demonstrations; loaded when needed if None.

    Raises:
        BadInput: there is no such backend, or a file of demonstrations cannot be used.
    """
    from cgstore.llm.demonstrations import load_demonstrations

    chosen = name or ("openai" if base_url or _has_endpoint() else "demos")
    shots = load_demonstrations(demonstrations)
    if chosen == "demos":
        from cgstore.llm.demos import DemosBackend

        return DemosBackend(shots, encoder)
    if chosen == "openai":
        from cgstore.llm.openai_backend import OpenAIBackend

        return OpenAIBackend(shots, base_url, model, encoder)
    raise BadInput(f"There is no backend '{chosen}'.", f"Choose one of: {', '.join(BACKENDS)}.")


def _has_endpoint() -> bool:
    return bool(os.environ.get("OPENAI_API_KEY") or os.environ.get("OPENAI_BASE_URL"))
