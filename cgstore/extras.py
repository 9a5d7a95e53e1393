"""Packages that an extra of cgstore installs, imported where they are used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from cgstore.errors import CgstoreError, NoDatabase, NoModel

_EXTRAS: dict[str, tuple[type[CgstoreError], str, str]] = {
    "local": (NoDatabase, "A managed Neo4j", " (or name a running Neo4j with CGSTORE_NEO4J_URI)"),
    "small": (NoModel, "The small model", ""),
    "embed": (NoModel, "The encoder", ""),
    "sentence-transformers": (NoModel, "An encoder other than all-MiniLM-L6-v2", ""),
    "finetune": (NoModel, "A model of your own", ""),
}


def optional(module: str, extra: str) -> Any:
    """A module of an extra, imported now.

    Raises:
        NoDatabase: it is of `local`, and not installed.
        NoModel: it is of another extra, and not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        kind, what, otherwise = _EXTRAS[extra]
        raise kind(
            f"{what} needs the package {module.partition('.')[0]}, which is not installed.",
            f"Install it: pip install 'cgstore[{extra}]'{otherwise}",
        ) from error
