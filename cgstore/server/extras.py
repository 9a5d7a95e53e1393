"""The optional packages behind `pip install 'cgstore[local]'`, imported only when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from cgstore.errors import NoDatabase


def optional(module: str) -> Any:
    """Import a module of the extra `local`.

    Raises:
        NoDatabase: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise NoDatabase(
            f"A managed Neo4j needs the package {module.partition('.')[0]}, which is not installed.",
            "Install it: pip install 'cgstore[local]' (or name a running Neo4j with CGSTORE_NEO4J_URI)",
        ) from error
