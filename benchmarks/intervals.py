"""What if a fact carried its interval, and the times in it were implied, not written out?

    python benchmarks/intervals.py years                  # cron_like, all facts
    python benchmarks/intervals.py days --facts 1500      # its first facts, with days drawn at random

cgstore writes every time out, as the paper defines it. This measures the alternative beside it, both by the plain
driver, each in an empty server: time, size, and the latency of three questions. It changes nothing in the product. A
fact with several periods gets one interval from its first start to its last end here, which a product could not do.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.plain_driver import create_all, in_memory
from benchmarks.servers import disk, fresh_server
from cgstore import server
from cgstore.cypher.connection import Database
from cgstore.loaders.staging import Group
from cgstore.loaders.tkg import read_tkg
from cgstore.loaders.tkg_periods import bounds_of
from cgstore.loaders.tkg_stage import Fact, TkgStage
from cgstore.model import Role, TimeKey
from cgstore.text.dates import Moment, number_of, time_name

SOURCE = "x"

_INTERVALS = """
UNWIND $rows AS row
MATCH ()-[f:CG_VALUE {node1: row.relation, head: row.head}]->() USING INDEX SEEK f:CG_VALUE(node1, head)
WHERE f.node2 = row.tail AND size(f.condition) = 1
SET f.start = row.start, f.end = row.end
"""

_INDEX = "CREATE INDEX value_start IF NOT EXISTS FOR ()-[r:CG_VALUE]-() ON (r.node1, r.start)"

QUESTIONS = {
    "heads of a relation at a time": (
        """MATCH ()-[s:CG_VALUE {node1: $time, node2: $at}]->() USING INDEX SEEK s:CG_VALUE(node1, node2)
        WHERE s.condition[1] = $name RETURN count(DISTINCT s.head) AS n""",
        """MATCH ()-[f:CG_VALUE]->() USING INDEX SEEK f:CG_VALUE(node1, start)
        WHERE f.node1 = $relation AND f.start <= $num AND f.end >= $num RETURN count(DISTINCT f.head) AS n""",
    ),
    "all facts at a time": (
        """MATCH ()-[s:CG_VALUE {node1: $time, node2: $at}]->() USING INDEX SEEK s:CG_VALUE(node1, node2)
        RETURN count(s) AS n""",
        """MATCH (r:CgRelation) MATCH ()-[f:CG_VALUE]->() USING INDEX SEEK f:CG_VALUE(node1, start)
        WHERE f.node1 = r.key AND f.start <= $num AND f.end >= $num RETURN count(f) AS n""",
    ),
    "first and last time of a fact": (
        """MATCH ()-[s:CG_VALUE {node1: $time, head: $head}]->() USING INDEX SEEK s:CG_VALUE(node1, head)
        WHERE s.condition = $fact RETURN min(s.num) AS a, max(s.num) AS n""",
        """MATCH ()-[f:CG_VALUE {node1: $relation, head: $head}]->() USING INDEX SEEK f:CG_VALUE(node1, head)
        WHERE f.node2 = $tail RETURN f.start AS a, f.end AS n""",
    ),
}


class _WithoutTimes(TkgStage):
    """A source without the triples that say when its facts hold: starts and ends stay, and their nodes only."""

    def stage_times(self) -> None:
        for key in TimeKey:
            self.node(key.value, Role.KEY)
        rows = self.sql.execute("SELECT DISTINCT s, e FROM fact")
        bounds = {number for start, end in rows for number in bounds_of(start, end, self.step, self.now)}
        for number in sorted(bounds):
            self._times.add(number, [self.node(time_name(number, self.step), Role.VALUE)])

    def groups(self) -> Iterator[Group]:
        times = self.node(TimeKey.TIME.value, Role.KEY)
        return (group for group in super().groups() if group.node1 != times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["years", "days"])
    parser.add_argument("--data", type=Path, default=Path(".data/cron_like/kg.tsv.gz"))
    parser.add_argument("--facts", type=int)
    parser.add_argument("--asked", type=int, default=50)
    options = parser.parse_args()
    chance = random.Random(1)
    facts = [fact for fact in read_tkg(options.data) if isinstance(fact, Fact)][: options.facts]
    if options.step == "days":
        facts = [_with_days(fact, chance) for fact in facts]
    asked = chance.sample(facts, options.asked)
    for written in (True, False):
        _measure(facts, asked, written)


def _with_days(fact: Fact, chance: random.Random) -> Fact:
    start = Moment(fact.start.year, chance.randint(1, 12), chance.randint(1, 28))
    end = Moment(fact.end.year, chance.randint(1, 12), chance.randint(1, 28))
    return fact._replace(start=min(start, end), end=max(start, end))


def _measure(facts: list[Fact], asked: list[Fact], written: bool) -> None:
    with (TkgStage if written else _WithoutTimes)(SOURCE) as stage:
        for fact in facts:
            stage.add(fact)
        counts = stage.settle(None)
        stage.stage_times()
        data, names = in_memory(stage), _intervals(facts)
    with fresh_server() as (home, db):
        seconds = create_all(db, data, by_row=False)["all"]
        if not written:
            began = time.monotonic()
            _add_intervals(db, names)
            seconds += time.monotonic() - began
        latencies = {question: _ask(db, texts[not written], asked) for question, texts in QUESTIONS.items()}
        server.stop(home=home)
        store, _ = disk(home)
    form = "every time written out" if written else "an interval on the fact"
    triples = counts.total if written else counts.total - counts.times
    print(f"{form}: {triples:,} triples, {seconds:.1f} s, store {store:,.0f} MB", flush=True)
    for question, latency in latencies.items():
        print(f"  {question}: {latency:.1f} ms", flush=True)


class _Interval(NamedTuple):
    start: float
    end: float


def _intervals(facts: list[Fact]) -> dict[tuple[str, str, str], _Interval]:
    found: dict[tuple[str, str, str], _Interval] = {}
    for fact in facts:
        start, end = number_of(_text(fact.start)) or 0.0, number_of(_text(fact.end)) or 0.0
        known = found.get(fact[:3], _Interval(start, end))
        found[fact[:3]] = _Interval(min(start, known.start), max(end, known.end))
    return found


def _text(moment: Moment) -> str:
    return f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}" if moment.day else str(moment.year)


def _add_intervals(db: Database, names: dict[tuple[str, str, str], _Interval]) -> None:
    rows = [
        {"head": h, "relation": f"{SOURCE}\x1f{r}", "tail": t, "start": i.start, "end": i.end}
        for (h, r, t), i in names.items()
    ]
    for place in range(0, len(rows), 5_000):
        db.write(_INTERVALS, {"rows": rows[place : place + 5_000]})
    db.write(_INDEX)
    db.write("CALL db.awaitIndexes(600)")


def _ask(db: Database, text: str, asked: list[Fact]) -> float:
    """Median milliseconds of a question, after a round that warms up."""
    taken: list[float] = []
    for warm in (True, False):
        for fact in asked:
            parameters: dict[str, Any] = {
                "time": f"{SOURCE}\x1ftime",
                "at": _text(fact.start),
                "num": number_of(_text(fact.start)),
                "name": fact.relation,
                "relation": f"{SOURCE}\x1f{fact.relation}",
                "head": fact.head,
                "tail": fact.tail,
                "fact": list(fact[:3]),
            }
            began = time.perf_counter()
            db.read(text, parameters)
            if not warm:
                taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)


if __name__ == "__main__":
    main()
