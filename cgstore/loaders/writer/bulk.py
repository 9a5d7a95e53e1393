"""The bulk way: a first load into an empty managed server, by files and Neo4j's own importer.

The files are written first; until then nothing has happened. The importer makes them the database, or nothing of
them (see `cgstore.server.half_import`). Then all triples are there, of sources in state `loading`; the constraints
and indexes are made, and one transaction makes the sources ready. A load that was cut short in between goes on there
when the command is given again.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cgstore.catalog import registry
from cgstore.catalog.registry import LoadRecord
from cgstore.cypher import indexes as schema
from cgstore.cypher.connection import Database
from cgstore.cypher.retry import insist
from cgstore.errors import BadInput, NoDatabase
from cgstore.loaders.alias_stage import AliasStage
from cgstore.loaders.writer.import_files import ImportFiles
from cgstore.loaders.writer.import_guide import ARGUMENTS, REPAIR
from cgstore.loaders.writer.target import Target
from cgstore.loaders.writer.write import Staged
from cgstore.model import SourceState

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from cgstore.server import ServerInfo

LAYOUT = "bulk"
"""What a source says of itself while only a bulk load can finish it."""

_FILE_BYTES, _STORE_BYTES = 200, 700
"""Room that one triple takes in the files, and in the store with its indexes, where names are not long."""

_STORE_FACTOR = 4
"""The store with its indexes, in sizes of the files, about."""

_SOURCES = "MATCH (s:CgSource) RETURN properties(s) AS source"

_EMPTY_NAME = "MATCH (n:CgNode {key: ''}) RETURN count(n) AS count"

_READY = """
UNWIND $sources AS about
MATCH (s:CgSource {name: about.name, state: 'loading', layout: $layout})
SET s += about, s.state = 'ready', s.loaded = datetime()
RETURN count(s) AS count
"""


class Bulk(Target):
    """Takes all sources of one command, and at the end makes them the database of the managed server.

    Args:
        home: as of `cgstore.server.start`.
        version: likewise.
        progress: whether to show bars on standard error.

    Raises:
        BadInput: another bulk load is at work there.
        NoDatabase: the server cannot be started.
    """

    dry_run = False

    def __init__(self, home: Path | None = None, *, version: str | None = None, progress: bool = False) -> None:
        from cgstore.server.contents import Contents
        from cgstore.server.home import file_errors, home_folder
        from cgstore.server.managed import chosen

        super().__init__()
        root = home_folder(home)
        self._place = chosen(root, version)
        self._progress = progress
        self._plans: dict[str, LoadRecord] = {}
        self._files: ImportFiles | None = None
        self._contents = Contents()
        self._open = ExitStack()
        try:
            with file_errors(root):
                self._place.create()
                self._be_alone()
                self._there = self._look()
        except BaseException:
            self.close()
            raise

    def _be_alone(self) -> None:
        """Keeps other bulk loads away, and removes the files of one that was killed."""
        from cgstore.server.extras import optional

        filelock = optional("filelock")
        lock = filelock.FileLock(self._place.folder / "bulk.lock")
        try:
            lock.acquire(timeout=0)
        except filelock.Timeout:
            raise BadInput("Another bulk load into this server is at work.", "Wait until it is done.") from None
        self._open.callback(lock.release)
        for left in self._place.folder.glob("bulk-*"):
            shutil.rmtree(left, ignore_errors=True)

    def _look(self) -> dict[str, dict[str, Any]] | None:
        """The properties of the sources that are there, by name; None where the database is empty."""
        from cgstore.server.contents import contents
        from cgstore.server.half_import import database_folder

        if not database_folder(self._place).exists():
            return None
        info = self._start()
        self._contents = contents(info)
        if self._contents.empty:
            return None
        with _connected(info) as db:
            return {row["source"]["name"]: row["source"] for row in db.read(_SOURCES)}

    def _start(self) -> ServerInfo:
        from cgstore import server

        return server.start(self._place.version, home=self._place.home, quiet=not self._progress)

    def stored_name(self, name: str) -> str:
        """The name itself. Refuses, before the input is read, to load into a database that holds other things."""
        if self._there is not None and name not in self._there:
            raise self._not_empty()
        return name

    def _not_empty(self) -> BadInput:
        from cgstore.server.contents import not_empty

        return not_empty(self._contents, self._place.version)

    def take(self, plan: LoadRecord, staged: Staged, *, small: bool = False) -> None:
        """Writes a source's files; or remembers that only its end is missing."""
        if self._there is not None:
            if self._is_ready(plan):
                return
        else:
            self._check_disk(plan.triples * (_FILE_BYTES + _STORE_BYTES))
            self._opened_files().add(plan, staged)
        self._plans[plan.name] = plan

    def take_aliases(self, plan: LoadRecord, staged: AliasStage) -> None:
        """Refuses: the importer's files hold a condition graph."""
        raise no_aliases()

    def _is_ready(self, plan: LoadRecord) -> bool:
        """Whether nothing is to be done for a source; else its triples are there, and it is to be made ready."""
        there = (self._there or {}).get(plan.name, {})
        if (there.get("kind"), there.get("fingerprint")) != (plan.kind, plan.fingerprint):
            raise self._not_empty()
        if there["state"] == SourceState.READY:
            return True
        if there["state"] != SourceState.LOADING or there["layout"] != LAYOUT:
            raise self._not_empty()
        return False

    def _opened_files(self) -> ImportFiles:
        if self._files is None:
            folder = Path(tempfile.mkdtemp(prefix="bulk-", dir=self._place.folder))
            self._open.callback(shutil.rmtree, folder, ignore_errors=True)
            files = ImportFiles(folder, state=SourceState.LOADING, layout=LAYOUT, progress=self._progress)
            self._files = self._open.enter_context(files)
        return self._files

    def _check_disk(self, needed: int) -> None:
        free = shutil.disk_usage(self._place.folder).free
        if free < needed:
            raise NoDatabase(
                f"{self._place.folder} has {free / 1e9:.1f} GB free; this bulk load needs some {needed / 1e9:.1f} GB.",
                "Free some space, or set CGSTORE_HOME to a folder on another disk.",
            )

    def finish(self) -> None:
        """Imports what was taken, and makes it ready."""
        from cgstore.server.importer import import_files

        if not self._plans:
            return
        if self._files is not None:
            written = self._files.finish()
            self._check_disk(_STORE_FACTOR * written.size)
            info = import_files(
                self._files.folder,
                ARGUMENTS,
                version=self._place.version,
                home=self._place.home,
                progress=self._progress,
                quiet=not self._progress,
            )
        else:
            info = self._start()
        with _connected(info) as db:
            complete(db, list(self._plans.values()))
        self.written |= self._plans.keys()

    def close(self) -> None:
        """Removes the files, and lets other bulk loads in."""
        self._open.close()


def no_aliases() -> BadInput:
    """The error of a bulk load of aliases."""
    return BadInput("Aliases are not loaded in bulk.", "Load the facts with --bulk first, then the aliases without it.")


def bulk_load(
    sources: Iterable[tuple[LoadRecord, Staged]],
    home: Path | None = None,
    *,
    version: str | None = None,
    progress: bool = False,
) -> set[str]:
    """Loads staged sources into the empty managed server; returns the names of those that were not there before.

    Killed at any moment and called again with the same sources, it ends with the same graph.

    Raises:
        BadInput: the database holds something else, or another bulk load is at work.
        NoDatabase: the disk is too small, the importer failed, or the server cannot be started.
    """
    with Bulk(home, version=version, progress=progress) as target:
        for plan, staged in sources:
            target.take(plan, staged)
        target.finish()
        return target.written


def complete(db: Database, plans: list[LoadRecord]) -> None:
    """Makes constraints and indexes, waits for them, and makes the sources ready, all in one transaction.

    Raises:
        CgstoreError: a source is gone meanwhile.
    """
    schema.ensure_constraints(db)
    if db.read(_EMPTY_NAME)[0]["count"]:
        with db.session() as session:
            session.run(REPAIR).consume()
    schema.ensure_indexes(db)
    insist(db, partial(_make_ready, plans))


def _make_ready(plans: list[LoadRecord], tx: ManagedTransaction) -> None:
    tx.run(registry.LOCK).consume()
    sources = [plan.properties() | {"name": plan.name} for plan in plans]
    done = tx.run(_READY, sources=sources, layout=LAYOUT).single(strict=True)["count"]
    if done == len(plans):
        return
    states = {row["source"]["name"]: row["source"]["state"] for row in tx.run(_SOURCES)}
    for plan in plans:  # an earlier try may have been committed, and its answer lost
        if states.get(plan.name) != SourceState.READY:
            raise registry.lost(plan.name)


def _connected(info: ServerInfo) -> Database:
    return Database(str(info.uri), info.user, info.password())


__all__ = ["LAYOUT", "Bulk", "bulk_load", "complete", "no_aliases"]
