"""cgstore: questions over tables and (temporal) knowledge graphs, answered with proof, from a condition graph in Neo4j.

    from cgstore import connect

    with connect() as store:
        store.load_tkg("examples/world.tsv")
        store.query("get_information(head_entity='Marie Curie', key='time')").answer

What is exported here is the public interface; it is imported when first used, so that `import cgstore` is light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cgstore.async_store import AsyncStore
    from cgstore.errors import BadFile, BadInput, BadOption, CgstoreError, NoDatabase, NoModel, NoSuchName, QueryFailed
    from cgstore.model import Answer, ConditionTriple, Evidence, LoadReport, Mapping, Node, Role, Source
    from cgstore.query import build as q
    from cgstore.query.parse import ProgramError
    from cgstore.store import Store, connect

_HOMES = {
    "cgstore.async_store": ("AsyncStore",),
    "cgstore.errors": (
        "BadFile",
        "BadInput",
        "BadOption",
        "CgstoreError",
        "NoDatabase",
        "NoModel",
        "NoSuchName",
        "QueryFailed",
    ),
    "cgstore.model": ("Answer", "ConditionTriple", "Evidence", "LoadReport", "Mapping", "Node", "Role", "Source"),
    "cgstore.query.parse": ("ProgramError",),
    "cgstore.store": ("Store", "connect"),
}

__all__ = [
    "Answer",
    "AsyncStore",
    "BadFile",
    "BadInput",
    "BadOption",
    "CgstoreError",
    "ConditionTriple",
    "Evidence",
    "LoadReport",
    "Mapping",
    "NoDatabase",
    "NoModel",
    "NoSuchName",
    "Node",
    "ProgramError",
    "QueryFailed",
    "Role",
    "Source",
    "Store",
    "connect",
    "q",
]


def __getattr__(name: str) -> Any:
    if name == "q":
        return import_module("cgstore.query.build")
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'cgstore' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
