"""Imports that were cut short: how the store remembers that one began, and how what it left is removed.

The importer writes into an empty store and leaves rubbish when it is killed, on which Neo4j starts without its
database. So a marker is written before it begins and removed after it succeeded. Who finds the marker, and holds the
store's lock, knows that nobody is at work and that there was nothing in the database worth keeping. The database of
the users and passwords is another one and stays.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from cgstore.errors import NoDatabase
from cgstore.server.home import Store
from cgstore.server.process import end
from cgstore.server.state import with_argument

DATABASE = "neo4j"
_END_TIMEOUT = 30.0  # seconds for a killed process to end


def tag(store: Store) -> str:
    """An argument of Java that tells the importer of a store from other programs."""
    return f"-Dcgstore.import={store.folder}"


def database_folder(store: Store) -> Path:
    """Where the database's own files are."""
    return store.data / "databases" / DATABASE


def begin(store: Store) -> None:
    """Write the marker, to the disk itself: before the first byte of the import."""
    with _marker(store).open("w", encoding="utf-8") as file:
        file.write("An import was begun. If this file outlives it, the database beside it is rubbish.\n")
        file.flush()
        os.fsync(file.fileno())


def succeed(store: Store) -> None:
    """Remove the marker: the import is complete."""
    _marker(store).unlink()


def clean(store: Store) -> bool:
    """Remove what an import that was cut short left, ending it first if it still runs; tell whether there was one.

    The caller holds the store's lock, and its server is stopped.
    """
    if not _marker(store).exists():
        return False
    importer = with_argument(tag(store))
    if importer is not None and not end(importer, _END_TIMEOUT, force=True):
        raise NoDatabase(f"An importer (pid {importer.pid}) that was left over does not end.", "Kill it.")
    for folder in (database_folder(store), store.data / "transactions" / DATABASE):
        if folder.exists():
            shutil.rmtree(folder)
    _marker(store).unlink()
    return True


def _marker(store: Store) -> Path:
    return store.folder / "importing"
