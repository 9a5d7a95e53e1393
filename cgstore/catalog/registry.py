"""The graph's record of its sources: which process loads what, how far it is, and when a source may be answered from.

Three kinds of nodes, beside the condition graph itself:

- `(:CgSource {name, kind, state, fingerprint, layout, step, facts, nodes, triples, has, value, owner, beat, ...})`;
- `(:CgLane {source, number, owner, done, created, beat})`, while a source is loading: a lane is a sequence of batches
  that one session writes; `done` counts the committed ones. The transaction of a batch adds one to `done`, so that a
  kill at any moment neither loses nor doubles a relationship. The counter has a node of its own, since the lanes would
  wait for each other on the source's;
- `(:CgMeta {name: 'cgstore', unused})`, one node that serves as a lock. A load merges its nodes before it links them,
  and shares nodes of other sources: no process may remove them in between. A load registers under the lock before it
  merges its first node. A removal, under the lock too, only sets `unused` while any source is loading. The next drop or
  load that finds `unused` set, and no source loading, removes what was left.
"""

from __future__ import annotations

import os
import socket
import threading
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cgstore.catalog.kinds import kind_named
from cgstore.cypher.connection import Database, insist
from cgstore.cypher.freshness import RAISE_VERSION, raise_version
from cgstore.errors import BadInput, CgstoreError, SourceInTheWay, setting
from cgstore.model import Source, SourceState, format_of, is_readable
from cgstore.text.names import VERSION, source_name

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

LANES = 2
"""Sessions that write relationships side by side: two write 1.5 times as much as one, on two cores."""

BEAT = 15.0
"""Seconds between two signs of life of a load. Its batches give some too, but indexes may take minutes to build."""

STALE = 60.0
"""Seconds without a sign of life after which a load counts as dead, if its process is on another machine."""

MAX_SOURCE_NAME = 200

LOCK = "MERGE (m:CgMeta {name: 'cgstore'}) SET m.touched = timestamp()"

BUSY = "MATCH (s:CgSource {state: 'loading'}) RETURN count(s) AS loading"

_FIND = "MATCH (s:CgSource {name: $name}) RETURN properties(s) AS source, timestamp() AS now"

_VERSIONS = """
UNWIND $names AS name
MATCH (s:CgSource) WHERE s.name = name OR s.name STARTS WITH name + $version
RETURN properties(s) AS source
"""

_CREATE = """
CREATE (s:CgSource {name: $name, state: 'loading', started: datetime(), owner: $owner, beat: timestamp()})
SET s += $about
WITH s UNWIND range(0, $lanes - 1) AS number
CREATE (:CgLane {source: $name, number: number, owner: $owner, done: 0, created: 0, beat: timestamp()})
"""

_TAKE = """
MATCH (s:CgSource {name: $name}) SET s.owner = $owner, s.beat = timestamp()
WITH s MATCH (l:CgLane {source: $name}) SET l.owner = $owner
"""

_LANES = """
MATCH (l:CgLane {source: $name})
RETURN elementId(l) AS id, l.done AS done, l.created AS created, l.beat AS beat ORDER BY l.number
"""

_BEAT = """
MATCH (l:CgLane) WHERE elementId(l) = $lane SET l.beat = timestamp()
WITH l WHERE l.owner = $owner RETURN count(l) AS mine
"""

_LIVE = "MATCH (s:CgSource {name: $name, owner: $owner}) SET s.beat = timestamp()"

_RELEASE = "MATCH (s:CgSource {name: $name, owner: $owner}) SET s.owner = null"

_FINISH = """
MATCH (s:CgSource {name: $name}) SET s.state = 'ready', s.owner = null, s.beat = null, s.loaded = datetime()
WITH s MATCH (l:CgLane {source: $name}) DELETE l
"""

RETIRE = """
UNWIND $names AS name
MATCH (s:CgSource {state: 'ready'}) WHERE (s.name = split(name, $version)[0] OR s.name STARTS WITH
  split(name, $version)[0] + $version) AND s.name <> name
SET s.state = 'dropping'
"""
"""Makes the older versions of some sources (stored names) no longer answered from."""

_active: set[str] = set()


@dataclass(frozen=True)
class LoadRecord:
    """What a load is going to write: the properties of its source, all known before the first write.

    `name` is the one by which the graph knows the source, `columns` are those of a table, in their order. `layout`,
    which the writer sets, says how the relationships are cut into batches: a load cannot go on with batches of another.
    `stored` counts the relationships of a temporal source; it is None where each triple is one. `parallel`
    counts the facts that have several statements; it is None where there are none. `now` and `ends` are those of
    `Source`, for the changes that may come. `unsure` has a text of JSON for each of the first times that the input
    gives as approximate or uncertain: head, relation, tail, the name of the time, and how it is written. `coarse`: of
    temporal facts, whether a start or an end may be less exact than the step.
    """

    name: str
    kind: str
    fingerprint: str
    step: str | None
    facts: int
    nodes: int
    has: int
    value: int
    columns: tuple[str, ...] | None = None
    layout: str = ""
    stored: int | None = None
    now: str | None = None
    ends: bool | None = None
    parallel: int | None = None
    unsure: tuple[str, ...] | None = None
    coarse: bool | None = None

    @property
    def triples(self) -> int:
        """All condition triples."""
        return self.has + self.value

    @property
    def relationships(self) -> int:
        """The relationships that hold them."""
        return self.triples if self.stored is None else self.stored

    def properties(self) -> dict[str, Any]:
        """Returns the properties of the `Source` node."""
        about = {name: value for name, value in vars(self).items() if name != "name"}
        return about | {"triples": self.triples, "format": format_of(self.stored, self.parallel)}


@dataclass(frozen=True)
class Lane:
    """A sequence of batches: the element id of its node, the batches and the relationships written so far."""

    id: str
    done: int
    created: int


@dataclass(frozen=True)
class Claim:
    """The right to write a source; `unchanged` if the source is there already, so that nothing is to be written."""

    owner: str
    lanes: tuple[Lane, ...] = ()
    unchanged: bool = False


def check_source_name(name: str) -> None:
    """Raises BadInput unless the name can be a source's: 1 to 200 characters, no control characters."""
    if not name.strip() or len(name) > MAX_SOURCE_NAME or not name.isprintable():
        raise BadInput(
            f"{name[:60]!r} cannot be the name of a source.",
            f"Give {setting('name')} with 1 to {MAX_SOURCE_NAME} printable characters.",
        )


def versions(tx: ManagedTransaction, names: Iterable[str]) -> list[dict[str, Any]]:
    """The properties of all versions of some sources."""
    rows = tx.run(_VERSIONS, names=sorted({source_name(name) for name in names}), version=VERSION)
    return [row["source"] for row in rows]


def stored_name(db: Database, name: str, replace: bool) -> str:
    """The name under which the graph is to know a source that is going to be loaded.

    A replacement of a ready source gets the name of a new version, or of the version that an earlier replacement began.
    """
    there = {source["name"]: source["state"] for source in insist(db, lambda tx: versions(tx, [name]))}
    if not replace or SourceState.READY not in there.values():
        return name
    begun = [stored for stored, state in there.items() if state == SourceState.LOADING]
    numbers = [int(stored.partition(VERSION)[2] or 1) for stored in there]
    return begun[0] if begun else f"{name}{VERSION}{max(numbers) + 1}"


def is_ready(db: Database, stored: str) -> bool:
    """Whether a version is there and answered from."""
    rows = db.read("MATCH (s:CgSource {name: $name}) RETURN s.state AS state", {"name": stored})
    return bool(rows) and rows[0]["state"] == SourceState.READY


def claim(db: Database, record: LoadRecord) -> Claim:
    """Registers a load, or takes over what an earlier one left.

    Raises:
        BadInput: the name is taken by another source, which may be loading, or being dropped.
    """
    owner = f"{socket.gethostname()} {os.getpid()} {uuid.uuid4()}"
    _active.add(owner)
    try:
        return insist(db, lambda tx: _claimed(tx, record, owner))
    except BaseException:
        _active.discard(owner)
        raise


def is_there(there: Iterable[dict[str, Any]], record: LoadRecord) -> bool:
    """Whether the version that is ready is what the record would write.

    Raises:
        SourceInTheWay: it is not, and the record is not for a new version.
    """
    ready = [source for source in there if source["state"] == SourceState.READY]
    if not ready:
        return False
    same = (ready[0]["kind"], ready[0]["fingerprint"]) == (record.kind, record.fingerprint)
    if same and is_readable(ready[0].get("format"), has_times=kind_named(record.kind).has_times):
        return True
    if same and VERSION not in record.name:
        raise SourceInTheWay(
            f"Source '{record.name}' was loaded by another version of cgstore.",
            f"Give the command again with {setting('replace', True)}, or bring it up to date: cgstore upgrade",
        )
    if VERSION not in record.name and (changes := ready[0].get("change")):
        times = "once" if changes == 1 else f"{changes:,} times"
        raise SourceInTheWay(
            f"Source '{record.name}' was changed {times} since it was loaded.",
            f"`cgstore load ... --append` adds to it. {setting('replace', True)} takes the input instead, and loses "
            "its changes and their history.",
        )
    if VERSION not in record.name:
        raise SourceInTheWay(
            f"There is a source '{record.name}' with other content (or another step, or an open fact and another day).",
            f"Replace it with {setting('replace', True)}, give another {setting('name')}, or drop it: "
            f"`cgstore drop {record.name}`.",
        )
    return False


def _claimed(tx: ManagedTransaction, record: LoadRecord, owner: str) -> Claim:
    tx.run(LOCK).consume()
    if is_there(versions(tx, [record.name]), record):
        return Claim(owner, unchanged=True)
    if is_begun(tx, record, owner):
        tx.run(_TAKE, name=record.name, owner=owner).consume()
    else:
        tx.run(_CREATE, name=record.name, owner=owner, about=record.properties(), lanes=LANES).consume()
    return Claim(owner, _lanes(tx, record.name))


def is_begun(tx: ManagedTransaction, record: LoadRecord, owner: str | None = None) -> bool:
    """Whether an earlier load of the same content was cut short, so that this one may go on with it.

    Raises:
        BadInput: a live process is loading the source, or another one loaded it while this load read its input.
        SourceInTheWay: it is being dropped, or what was cut short had other content.
    """
    there = find_free(tx, record.name, owner)
    if there is not None:
        _check_same(there, record)
    return there is not None


def find_free(tx: ManagedTransaction, stored: str, owner: str | None = None) -> dict[str, Any] | None:
    """The properties of a version of a source, unless a load other than `owner` is at work; None where there is none.

    Raises:
        BadInput: a process that may be alive is loading it.
    """
    row = tx.run(_FIND, name=stored).single()
    if row is None:
        return None
    there: dict[str, Any] = row["source"]
    if there["state"] == SourceState.LOADING:
        beats = [there.get("beat") or 0, *(lane["beat"] for lane in tx.run(_LANES, name=stored))]
        _check_free(stored, there.get("owner"), owner, (row["now"] - max(beats)) / 1000)
    return there


def _lanes(tx: ManagedTransaction, name: str) -> tuple[Lane, ...]:
    return tuple(Lane(row["id"], row["done"], row["created"]) for row in tx.run(_LANES, name=name))


def _check_same(there: dict[str, Any], record: LoadRecord) -> None:
    """Raises SourceInTheWay unless the source of that name is, or is becoming, what the record would write."""
    name, state = source_name(record.name), there["state"]
    if state == SourceState.DROPPING:
        raise SourceInTheWay(
            f"Source '{name}' is being dropped, or a drop of it was cut short.",
            f"Wait until it is gone, or finish that with `cgstore drop {name}`, then load.",
        )
    if state == SourceState.READY:
        raise overtaken(name)
    same = (there["kind"], there["fingerprint"]) == (record.kind, record.fingerprint)
    choice = f"Give another {setting('name')}, or drop that one first: `cgstore drop {name}`."
    if not same:
        raise SourceInTheWay(
            f"A load of source '{name}' was cut short, and it had other content (or another step).", choice
        )
    if there["layout"] != record.layout:
        raise SourceInTheWay(f"A load of source '{name}' was cut short by another version of cgstore.", choice)


def overtaken(name: str) -> BadInput:
    """The error of a load that finds its source ready with other content, which was not so when it began."""
    return BadInput(
        f"Another process loaded or replaced source '{source_name(name)}' while this one read its input.",
        "Give the command again.",
    )


def _check_free(stored: str, holder: str | None, owner: str | None, silent: float) -> None:
    """Raises BadInput while another load that may be alive is writing the source."""
    if holder is None or holder == owner or silent > STALE or _is_dead(holder):
        return
    host, pid, _ = holder.split(" ")
    being = "replaced" if VERSION in stored else "loaded"
    name = source_name(stored)
    raise BadInput(
        f"Source '{name}' is being {being} by process {pid} on {host} (last sign of life {silent:.0f} s ago).",
        f"Wait until it is done; if it is dead, give the command again {STALE:.0f} s after its last sign.",
    )


def _is_dead(holder: str) -> bool:
    """Whether that load has surely ended, as far as this machine can tell."""
    host, pid, _ = holder.split(" ")
    if host != socket.gethostname():
        return False
    if int(pid) == os.getpid():
        return holder not in _active
    if os.name == "nt":  # signal 0 would end the process there
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False


def beat(tx: ManagedTransaction, name: str, lane: str, owner: str) -> None:
    """Gives a sign of life within a transaction, during which no other process can drop the source.

    It locks the lane (an element id) rather than the source, so that the lanes do not wait for each other.

    Raises:
        CgstoreError: the source was dropped, or taken over by another load, meanwhile.
    """
    if not tx.run(_BEAT, lane=lane, owner=owner).single(strict=True)["mine"]:
        raise lost(name)


@contextmanager
def alive(db: Database, record: LoadRecord, claim: Claim) -> Iterator[None]:
    """Gives a sign of life of a load every `BEAT` seconds, whatever the load is doing."""
    over = threading.Event()

    def beats() -> None:
        while not over.wait(BEAT):
            with suppress(CgstoreError):  # the load itself finds out
                db.write(_LIVE, {"name": record.name, "owner": claim.owner})

    thread = threading.Thread(target=beats, name="beat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()


def lost(name: str) -> CgstoreError:
    """The error of a load that finds its source dropped or taken over."""
    name = source_name(name)
    return CgstoreError(f"Source '{name}' was dropped or taken over by another load meanwhile; this one stopped.")


def gone(name: str) -> BadInput:
    """The error of a change that finds its source dropped."""
    return BadInput(f"Source '{name}' was dropped or replaced meanwhile.", "`cgstore sources` lists what is there.")


def release(db: Database, name: str, owner: str) -> None:
    """Marks this load as ended, so that the next one need not wait."""
    _active.discard(owner)
    db.write(_RELEASE, {"name": name, "owner": owner})


def finish(db: Database, record: LoadRecord, batches: list[int]) -> None:
    """Makes a source ready, in one transaction, if all its batches (their number in each lane) are written.

    Raises:
        CgstoreError: something is missing; the source stays `loading`.
    """
    insist(db, lambda tx: _finished(tx, record, batches))
    raise_version(db)


def _finished(tx: ManagedTransaction, record: LoadRecord, batches: list[int]) -> None:
    tx.run(LOCK).consume()
    row = tx.run(_FIND, name=record.name).single()
    if row is None or row["source"]["fingerprint"] != record.fingerprint:
        raise lost(record.name)
    if row["source"]["state"] == SourceState.READY:  # an earlier try was committed, and its answer lost
        return
    lanes = _lanes(tx, record.name)
    created = sum(lane.created for lane in lanes)
    if [lane.done for lane in lanes] != batches or created != record.relationships:
        name = source_name(record.name)
        raise CgstoreError(
            f"Source '{name}' is not complete: {created:,} of {record.relationships:,} relationships were written.",
            f"This is a fault of cgstore: please report it; `cgstore drop {name}` removes what is there.",
        )
    tx.run(_FINISH, name=record.name).consume()
    tx.run(RETIRE, names=[record.name], version=VERSION).consume()
    tx.run(RAISE_VERSION).consume()


def as_source(properties: dict[str, Any]) -> Source:
    """The properties of a `Source` node as plain data."""
    fields = {name: properties[name] for name in Source.__dataclass_fields__ if name in properties}
    about = {"state": SourceState(properties["state"]), "name": source_name(properties["name"])}
    return Source(**(fields | about | {"columns": tuple(properties.get("columns", ()))}))
