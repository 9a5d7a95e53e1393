"""Changes that are killed at random moments while others read: is the graph the one it should be, now and in the past?

    python -m benchmarks.changes kills --changes 1000 --kills 100 --seed 1
    python -m benchmarks.changes append --facts 328635 10000000

`kills` makes random changes (append, upsert, remove, correct, close) in a process that is killed (-9) now and then, as
is the server. Meanwhile readers add up accounts between which every other change moves money: a sum that differs is
half a change. At the end the source equals one that is loaded from the last facts, and as of each change one that is
loaded from the facts of then. `append` loads contracts by day in several sizes, and times the appending of 10 facts to
each.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.periods import drawn
from benchmarks.servers import disk, fresh_server, run_cgstore
from cgstore import server
from cgstore.catalog.changes import settle
from cgstore.cypher.connection import Database
from cgstore.errors import CgstoreError
from cgstore.store import Store, connect
from cgstore.text.dates import Step, time_name

PEOPLE, FIRMS = [f"Person {n}" for n in range(12)], [f"Firm {n}" for n in range(5)]
ACCOUNTS, EACH = [f"account {n}" for n in range(8)], 100
NOW = "2024-06-30"
SUM = "sum(set=get_information(relation='holds'))"

Line = tuple[str, str, str, str, str]
Operation = dict[str, Any]

_TRIPLES = """
CALL () {
  MATCH (a)-[r:CG_HAS|CG_VALUE|CG_PERIOD {source: $source}]->(b) WHERE coalesce(r.added, 0) <= $number
  RETURN a, r, b
  UNION
  MATCH (a)-[r:CG_WAS_HAS|CG_WAS_VALUE|CG_WAS_PERIOD {source: $source}]->(b)
  WHERE coalesce(r.added, 0) <= $number < r.removed
  RETURN a, r, b
}
RETURN replace(type(r), 'WAS_', '') AS type, a.name AS node1, b.name AS node2, r.condition AS condition, r.num AS num,
  r.relation AS relation, r.first AS first, r.last AS last, r.level AS level, r.ends AS ends
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    kills = commands.add_parser("kills")
    kills.add_argument("--changes", type=int, default=1000)
    kills.add_argument("--kills", type=int, default=100)
    kills.add_argument("--seed", type=int, default=random.randrange(10**6))
    append = commands.add_parser("append")
    append.add_argument("--facts", type=int, nargs="+", default=[32_864, 328_635], help="how many each source has")
    commands.add_parser("worker")
    options = parser.parse_args()
    if options.command == "worker":
        _work()
    elif options.command == "append":
        _append(options.facts)
    else:
        _kill(options.changes, options.kills, random.Random(options.seed), options.seed)


# Kills


class Model:
    """The facts as they should be: of the source `staff`, and how much each account holds."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.staff = [self._line() for _ in range(30)]
        self.staff = list(dict.fromkeys([*self.staff, ("Person 0", "works for", "Firm 0", "2020-01-01", "present")]))
        self.holds = dict.fromkeys(ACCOUNTS, EACH)

    def _day(self) -> str:
        return f"{self.chance.randint(2018, 2024)}-0{self.chance.randint(1, 6)}-{self.chance.randint(10, 28)}"

    def _line(self) -> Line:
        start, end = sorted([self._day(), self._day()])
        last = self.chance.choice([end, "present"])
        relation = self.chance.choice(["works for", "advises"])
        return self.chance.choice(PEOPLE), relation, self.chance.choice(FIRMS), start, last

    def transfer(self) -> list[Operation]:
        """Moves money from one account to another."""
        one, other = self.chance.sample(ACCOUNTS, 2)
        amount = self.chance.randint(1, 20)
        self.holds[one] -= amount
        self.holds[other] += amount
        return [
            {"op": "upsert", "subject": name, "relation": "holds", "object": str(self.holds[name])}
            for name in (one, other)
        ]

    def change(self) -> list[Operation]:
        """One to three random operations that change the staff."""
        before, operations = set(self.staff), list[Operation]()
        while set(self.staff) == before:
            operations += self._operation()
        return operations

    def _operation(self) -> list[Operation]:
        kind, line = self.chance.choice(["append", "upsert", "remove", "correct", "close"]), self._line()
        said = dict(zip(("head", "relation", "tail", "start", "end"), line, strict=True))
        if kind in ("append", "upsert"):
            kept = [one for one in self.staff if kind == "append" or one[:2] != line[:2]]
            self.staff = list(dict.fromkeys([*kept, line]))
            return [{"op": kind, **said}]
        one = self.chance.choice(self.staff)
        others = [each for each in self.staff if each != one]
        where = dict(zip(("head", "relation", "tail", "start", "end"), one, strict=True))
        if kind == "remove" and len(others) > 10:
            self.staff = others
            return [{"op": "remove", **where}]
        if kind == "correct":
            self.staff = list(dict.fromkeys([*others, (*one[:2], line[2], *one[3:])]))
            return [{"op": "correct", **where, "to": {"tail": line[2]}}]
        if kind == "close" and one[4] == "present":
            at = max(one[3], line[3])
            self.staff = list(dict.fromkeys([*others, (*one[:4], at)]))
            return [{"op": "close", **{part: where[part] for part in ("head", "relation", "tail", "start")}, "at": at}]
        return []


class Worker:
    """A process that makes changes, and may be killed."""

    def __init__(self, home: Path) -> None:
        command = [sys.executable, "-m", "benchmarks.changes", "worker"]
        environment = {**os.environ, "CGSTORE_HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path)}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
        )
        assert self.process.stdout is not None
        self.process.stdout.readline()  # it is connected

    def send(self, source: str, operations: list[Operation]) -> None:
        """Has it make one change."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"source": source, "lines": operations}) + "\n")
        self.process.stdin.flush()

    def answer(self) -> str:
        """What it says once the change is made; empty if it was killed."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def kill(self) -> None:
        """Ends it at once."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def _work() -> None:
    with connect() as store:
        store.sources()
        print("ready", flush=True)
        for line in sys.stdin:
            asked = json.loads(line)
            lines = [json.dumps(operation) for operation in asked["lines"]]
            try:
                list(store.apply(asked["source"], lines, together=True))
                print("done", flush=True)
            except CgstoreError as error:
                print(f"error: {error.message}", flush=True)


class Reader(threading.Thread):
    """Adds up the accounts, again and again; `wrong` are sums that no state has."""

    def __init__(self, home: Path) -> None:
        super().__init__(daemon=True)
        self.home, self.over, self.reads, self.failed, self.wrong = home, False, 0, 0, list[Any]()
        self.seconds: list[float] = []

    def run(self) -> None:
        while not self.over:
            try:
                with _store(self.home) as store:
                    while not self.over:
                        began = time.monotonic()
                        answer = store.query(SUM, ["accounts"]).answer
                        self.seconds.append(time.monotonic() - began)
                        self.reads += 1
                        if answer != (EACH * len(ACCOUNTS),):
                            self.wrong.append(answer)
            except CgstoreError:  # the server is away
                self.failed += 1
                time.sleep(0.2)


def _store(home: Path) -> Store:
    info = server.status(home=home)
    if not info.uri:
        raise CgstoreError("The server is away.")
    return connect(info.uri, info.user, info.password())


def _kill(changes: int, kills: int, chance: random.Random, seed: int) -> None:
    print(f"seed {seed}", flush=True)
    model = Model(chance)
    with fresh_server() as (home, _), tempfile.TemporaryDirectory() as folder:
        with _store(home) as store:
            _load(store, Path(folder), "staff", model.staff)
            accounts = Path(folder) / "accounts.tsv"
            accounts.write_text("".join(f"{name}\tholds\t{EACH}\n" for name in ACCOUNTS))
            store.load_kg(accounts, name="accounts")
        readers = [Reader(home) for _ in range(2)]
        for reader in readers:
            reader.start()
        states, killed = _make_changes(home, model, changes, kills, chance)
        for reader in readers:
            reader.over = True
            reader.join()
        reads, wrong = sum(reader.reads for reader in readers), [sum_ for reader in readers for sum_ in reader.wrong]
        waits = sorted(second for reader in readers for second in reader.seconds)
        print(f"{changes:,} changes, killed {killed}; {reads:,} reads, {len(wrong)} wrong {wrong[:3]}")
        print(f"a read took {1000 * statistics.median(waits):.0f} ms, the longest {waits[-1]:.2f} s")
        with _store(home) as store:
            different = _compare(store, Path(folder), states, chance)
        print(f"{different} of the compared states differ")
        sys.exit(bool(wrong or different))


def _make_changes(
    home: Path, model: Model, changes: int, kills: int, chance: random.Random
) -> tuple[list[list[Line]], dict[str, int]]:
    """Makes the changes; returns the staff after each change of it, and how often what was killed."""
    states, transfers, killed = [list(model.staff)], 0, {"client": 0, "server": 0}
    worker = Worker(home)
    for number in range(changes):
        is_transfer = number % 2 == 0
        operations = model.transfer() if is_transfer else model.change()
        source, expected = ("accounts", transfers + 1) if is_transfer else ("staff", len(states))
        worker.send(source, operations)
        if chance.random() < kills / changes:
            victim = chance.choices(["client", "server"], [4, 1])[0]
            killed[victim] += 1
            time.sleep(chance.uniform(0, 0.06))
            if victim == "client":
                worker.kill()
                worker = Worker(home)
                if _last(home, source) < expected:  # it was undone: again
                    worker.send(source, operations)
                    _check(worker.answer())
            else:
                pid = server.status(home=home).pid
                assert pid
                os.kill(pid, signal.SIGKILL)
                server.start(home=home, quiet=True)
                if worker.answer() != "done" and _last(home, source) < expected:  # it was undone: again
                    worker.send(source, operations)
                    _check(worker.answer())
        else:
            _check(worker.answer())
        assert _last(home, source) == expected, (source, expected, _last(home, source))
        if is_transfer:
            transfers += 1
        else:
            states.append(list(model.staff))
        if number % 100 == 99:
            print(f"{number + 1:,} changes, killed {killed}", flush=True)
    worker.kill()
    return states, killed


def _check(answer: str) -> None:
    if answer != "done":
        raise SystemExit(f"a change was not made: {answer or 'its process ended'}")


_stores: dict[Path, Store] = {}


def _last(home: Path, source: str) -> int:
    """The number of the last change of a source."""
    for _ in range(100):
        with suppress(CgstoreError):
            store = _stores.get(home) or _stores.setdefault(home, _store(home))
            settle(store.db, [source])
            return next(each.change for each in store.sources() if each.name == source)
        _stores.pop(home, None)
        time.sleep(0.2)
    raise SystemExit("the server did not come back")


def _load(store: Store, folder: Path, name: str, lines: list[Line]) -> None:
    path = folder / f"{name}.tsv"
    path.write_text("".join("\t".join(line) + "\n" for line in lines))
    store.load_tkg(path, name=name, step="day", now=NOW, header=False)


def _compare(store: Store, folder: Path, states: list[list[Line]], chance: random.Random, most: int = 100) -> int:
    """How many of some states, the last one among them, differ from what a load of their facts makes."""
    numbers = sorted({len(states) - 1, 0, *chance.sample(range(len(states)), min(most, len(states)))})
    different = 0
    for number in numbers:
        _load(store, folder, "then", states[number])
        different += _triples(store.db, "staff", number) != _triples(store.db, "then", 0)
        store.drop("then")
    print(f"{len(numbers)} states compared, the first, the last and others as of their change")
    return different


def _triples(db: Database, source: str, number: int) -> set[tuple[Any, ...]]:
    rows = db.read(_TRIPLES, {"source": source, "number": number})
    return {tuple(tuple(value) if isinstance(value, list) else value for value in row.values()) for row in rows}


# Appending


def _append(sizes: list[int]) -> None:
    """Loads contracts by day in several sizes into one graph, and times the appending of 10 facts to each, in turns."""
    with fresh_server() as (home, _), tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            path = Path(folder) / f"{size}.tsv"
            with path.open("w", encoding="utf-8") as file:
                for period in drawn(size, companies=size // 100):
                    days = time_name(period.first, Step.DAY), time_name(period.last, Step.DAY)
                    file.write("\t".join((*period[:3], *days)) + "\n")
            ran = run_cgstore(home, "load", "tkg", str(path), "--name", str(size), "--no-header", "--json")
            path.unlink()
            print(
                f"loaded {ran.report['facts']:,} facts, {ran.report['triples']:,} triples by definition, "
                f"{ran.report['stored']:,} stored, in {ran.seconds:.0f} s, {ran.peak_mb:.0f} MB of client memory, "
                f"store {disk(home)[0]:,.0f} MB",
                flush=True,
            )
        taken: dict[int, list[float]] = {size: [] for size in sizes}
        with _store(home) as store:
            for turn in range(60):
                for size in sizes:
                    facts = [
                        (f"new {turn} {n}", "contract 3", f"company {n}", "1999-03-01", "2001-06-30") for n in range(10)
                    ]
                    began = time.perf_counter()
                    store.append(str(size), facts)
                    taken[size].append(1000 * (time.perf_counter() - began))
    for size, times in taken.items():
        print(f"{size:,} facts: 10 more in {statistics.median(times[10:]):.0f} ms (median of 50)")


if __name__ == "__main__":
    main()
