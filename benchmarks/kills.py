"""Loads that are killed at random moments, client or server, and given again: is the graph the one it should be?

    python benchmarks/kills.py --kills 24 --seed 1

Loads of different kinds, from the public data sets. Each is loaded once undisturbed; then, for each kill, it is
dropped, loaded again, killed (-9) after a random time, and given again. The graph's digest (every node and relationship
with all properties, in any order) must be the same. At the end Neo4j's own consistency check looks at the store.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.servers import fresh_server
from cgstore import server
from cgstore.cypher.connection import Database
from cgstore.errors import NoDatabase
from cgstore.server import java
from cgstore.server.home import jars_folder
from cgstore.server.jars import artifacts, fetch_jars
from cgstore.server.managed import chosen
from cgstore.store import Store

LINES = 40_000
"""Lines of each data set that are loaded: some seconds each."""


class Job(NamedTuple):
    """A load: its kind, its arguments, and how many seconds it takes undisturbed."""

    kind: str
    arguments: tuple[str, ...]
    seconds: float = 0.0
    digest: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(".data"))
    parser.add_argument("--kills", type=int, default=24)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    chance, failures = random.Random(options.seed), 0
    with tempfile.TemporaryDirectory() as folder:
        jobs = _jobs(options.data, Path(folder))
        with fresh_server() as (home, db):
            jobs = [_undisturbed(home, db, job) for job in jobs]
            for number, job in zip(range(options.kills), itertools.cycle(jobs), strict=False):
                failures += not _killed(home, job, number, chance)
            failures += not _consistent(home)
    print(f"{options.kills} kills, {failures} failures")
    sys.exit(bool(failures))


def _jobs(data: Path, folder: Path) -> list[Job]:
    """The loads, each of the first lines of a data set."""
    import gzip

    def some(lines: list[str], name: str) -> str:
        (folder / name).write_text("".join(lines), encoding="utf-8")
        return str(folder / name)

    with gzip.open(data / "cron_like" / "kg.tsv.gz", "rt", encoding="utf-8") as file:
        temporal = some(list(itertools.islice(file, LINES // 4)), "temporal.tsv")
    with (data / "metaqa" / "kb.txt").open(encoding="utf-8") as file:
        lines = list(itertools.islice(file, LINES))
    triples = some(lines, "triples.txt")
    with (data / "wd50k" / "statements" / "train.txt").open(encoding="utf-8") as file:
        qualified = some(list(itertools.islice(file, LINES)), "qualified.txt")
    rdf = some([_as_ntriples(line) for line in lines], "triples.nt")
    return [
        Job("tkg", (temporal,)),
        Job("kg", (triples,)),
        Job("statements", (qualified,)),
        Job("table", (str(data / "wtq" / "csv" / "204-csv"),)),
        Job("rdf", (rdf,)),
    ]


def _as_ntriples(line: str) -> str:
    from urllib.parse import quote

    head, relation, tail = (f"<http://example.org/{quote(part, safe='')}>" for part in line.rstrip("\n").split("|"))
    return f"{head} {relation} {tail} .\n"


def _client(home: Path, job: Job) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "cgstore", "load", job.kind, *job.arguments, "--name", "x"]
    quiet = subprocess.DEVNULL
    environment = {**os.environ, "CGSTORE_HOME": str(home)}
    return subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet, start_new_session=True)


def _undisturbed(home: Path, db: Database, job: Job) -> Job:
    began = time.monotonic()
    assert _client(home, job).wait() == 0
    job = job._replace(seconds=time.monotonic() - began, digest=_digest(db))
    _drop_all(home)
    print(f"load {job.kind}: {job.seconds:.1f} s undisturbed", flush=True)
    return job


def _killed(home: Path, job: Job, number: int, chance: random.Random) -> bool:
    victim = chance.choice(["client", "server"])
    moment = chance.uniform(0.5, job.seconds)
    client = _client(home, job)
    time.sleep(moment)
    if victim == "client":
        _kill_group(client)
    else:
        pid = server.status(home=home).pid
        if pid:
            os.kill(pid, signal.SIGKILL)
        server.start(home=home, quiet=True)
        client.wait()
    return _given_again(home, job, f"{number + 1}. {job.kind}: {victim} killed after {moment:.1f} s")


def _given_again(home: Path, job: Job, what: str) -> bool:
    code = _client(home, job).wait()
    info = server.start(home=home, quiet=True)
    assert info.uri
    with Database(info.uri, info.user, info.password()) as db:
        right = code == 0 and _digest(db) == job.digest
    print(f"{what}: {'the same graph' if right else f'ANOTHER GRAPH (exit code {code})'}", flush=True)
    _drop_all(home)
    return right


def _kill_group(client: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(client.pid, signal.SIGKILL)
    client.wait()


def _drop_all(home: Path) -> None:
    info = server.start(home=home, quiet=True)
    assert info.uri
    with Database(info.uri, info.user, info.password()) as db:
        store = Store(db)
        for source in store.sources():
            store.drop(source.name)
        left = db.read("MATCH (n:CgNode) RETURN count(n) AS n")[0]["n"]
    assert left == 0, f"{left} nodes left after dropping everything"


def _digest(db: Database) -> str:
    """The sum of the hashes of all nodes and relationships: the same for the same graph, in any order."""
    total = 0
    statements = (
        "MATCH (n:CgNode) RETURN n.key, labels(n), properties(n)",
        "MATCH (a:CgNode)-[r]->(b:CgNode) RETURN a.key, b.key, type(r), properties(r)",
        "MATCH (s:CgSource) RETURN s.name, s.state, s.triples, s.nodes",
    )
    with db.session() as session:
        for statement in statements:
            for record in session.run(statement):
                values = [_in_order(value) for value in record.values()]
                total += int.from_bytes(hashlib.blake2b(repr(values).encode(), digest_size=8).digest())
    return f"{total:x}"


def _in_order(value: Any) -> Any:
    """Labels and properties have no order of their own; a list among the properties has."""
    if isinstance(value, dict):
        return sorted(value.items())
    return sorted(value) if isinstance(value, list) else value


def _consistent(home: Path) -> bool:
    """Neo4j's own check of the store, with the server stopped."""
    server.stop(home=home)
    place = chosen(home, None)
    jars = fetch_jars(jars_folder(place.home), artifacts(place.version))
    try:
        java.run_admin(place, jars, ["database", "check", "neo4j"])
    except NoDatabase as error:
        print(f"consistency check of the store: {error}", flush=True)
        return False
    print("consistency check of the store: no problem found", flush=True)
    return True


if __name__ == "__main__":
    main()
