"""Small temporal graphs for tests, and what stands in the database for them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cgstore.catalog.registry import LoadRecord
from cgstore.cypher.connection import Database
from cgstore.loaders.staging import Group
from cgstore.loaders.tkg_stage import Fact
from cgstore.loaders.writer.target import SmallSource, Target
from cgstore.loaders.writer.write import Staged
from cgstore.model import ConditionTriple
from cgstore.text.dates import Moment, Step, first, read_time, span_of, time_name, today
from cgstore.text.names import shared_key
from tests.loaders.definition import is_open, temporal_triples

Plain = tuple[str, str, tuple[str, ...]]
"""A condition triple as (key of node1, key of node2, names of the condition)."""

BY_DAY: list[tuple[str, ...]] = [
    ("Ann", "chair of", "Club", "1990-05-03", "1992-04-02"),
    ("Ann", "member of", "Club", "1989-11-10", "1994-02-28"),
    ("Ann", "member of", "Club", "1996-02-01", "1997-02-28"),
    ("Dan", "friend of", "Ann", "1992-02-28", "1992-03-01"),
]
"""Facts of days; one has two periods."""


def write_csv(path: Path, facts: Iterable[tuple[str, ...]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(facts)
    return path


def many_facts(count: int) -> list[tuple[str, ...]]:
    """Facts over ten years each: 14 condition triples a fact, or less."""
    return [
        (f"head {i // 3}", f"relation {i % 7}", f"tail {i % 101}", str(1900 + i % 90), str(1909 + i % 90))
        for i in range(count)
    ]


def plain(triple: ConditionTriple) -> Plain:
    return triple.node1.key, triple.node2.key, tuple(node.name for node in triple.condition)


def expected(facts: Iterable[Fact], source: str, step: Step = Step.YEAR, now: Moment | None = None) -> list[Plain]:
    """The oracle: the set of the triples of all facts of a file, by the definition; open facts hold until `now`."""
    file = list(facts)
    until = [now or today() if is_open(fact, file) else None for fact in file]
    triples = (temporal_triples(fact, source, step, end) for fact, end in zip(file, until, strict=True))
    return sorted({plain(triple) for of_fact in triples for triple in of_fact})


def stored(db: Database, source: str) -> list[Plain]:
    """What the database holds, every relationship once; checks that its properties agree with its nodes.

    Of a period it gives each triple that it stands for. The number of a relationship is its node's, but where the
    values of a relation are read as a kind of their own.
    """
    has = db.read("MATCH (a)-[r:CG_HAS {source: $source}]->(b) RETURN a.key AS a, b.key AS b", {"source": source})
    value = db.read(
        "MATCH (a)-[r:CG_VALUE {source: $source}]->(b) MATCH (h:CgNode {key: r.head}) "
        "RETURN a.key AS a, b.key AS b, r.condition AS condition, h.name AS head, "
        "r.node1 = a.key AND r.node2 = b.key "
        "AND (a.kind IS NOT NULL OR r.num = b.num OR r.num IS NULL AND b.num IS NULL) AS agrees, "
        "a:CgKey AND b.num IS NULL AS is_long, r.num AS number",
        {"source": source},
    )
    for row in value:
        decade = read_time(row["b"]) if row["is_long"] else None
        assert row["agrees"] or (decade and row["number"] == span_of(decade.start).lo)
        assert row["head"] == row["condition"][0]
    period = db.read(
        "MATCH (a)-[r:CG_PERIOD {source: $source}]->(b) MATCH (h:CgNode {key: r.head}) "
        "MATCH (s:CgSource {name: $source}) RETURN a.key AS a, b.name AS b, r.condition AS condition, h.name AS head, "
        "r.node1 = a.key AND a.step = s.step AS agrees, r.first AS first, r.last AS last, s.step AS step",
        {"source": source},
    )
    assert all(row["agrees"] and row["head"] == row["condition"][0] for row in period)
    assert all(_begins(row["b"], Step(row["step"])) == row["first"] for row in period)
    times = [
        (row["a"], shared_key(time_name(n, Step(row["step"]))), tuple(row["condition"]))
        for row in period
        for n in range(row["first"], row["last"] + 1)
    ]
    written = [(row["a"], row["b"], tuple(row["condition"])) for row in value]
    return sorted([(row["a"], row["b"], ()) for row in has] + written + times)


class Stages(Target):
    """Keeps what a load stages, and writes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.sources: list[SmallSource] = []

    def take(self, record: LoadRecord, staged: Staged, **_: Any) -> None:
        self.sources.append(SmallSource.of(record, staged))

    def triples(self) -> list[Plain]:
        """The condition triples of the only source, without its name before the keys of its own nodes."""
        (source,) = self.sources
        name = source.record.name
        key = {node.id: node.key.removeprefix(name) for _, node in source.nodes}
        step = Step(source.record.step or Step.YEAR)
        return sorted(triple for group in source.groups for triple in written_out(group, key, step))


def written_out(group: Group, key: Mapping[int, str], step: Step) -> Iterator[Plain]:
    """The triples of a staged group, those too that its periods stand for; `key` has the keys of nodes by number."""
    ends = [key[node] for node in group.node2]
    if group.periods is not None:
        assert [_begins(end, step) for end in ends] == [lo for lo, _ in group.periods]
        ends = [shared_key(time_name(n, step)) for lo, hi in group.periods for n in range(lo, hi + 1)]
    yield from ((key[group.node1], node2, group.condition) for node2 in ends)


def _begins(time: str, step: Step) -> int:
    """The first time of a time, which may be less exact than the step."""
    written = read_time(time)
    assert written is not None
    return first(written.start, step)


def everything(db: Database) -> tuple[list[object], list[object]]:
    """All that the graph holds apart from `Source` nodes, in an order of its own."""
    nodes = db.read("MATCH (n:CgNode) RETURN n.key AS key, labels(n) AS labels, properties(n) AS about")
    rows = db.read("MATCH (a)-[r]->(b) RETURN a.key AS a, type(r) AS type, b.key AS b, properties(r) AS about")
    return (
        sorted([row["key"], sorted(row["labels"]), sorted(row["about"].items())] for row in nodes),
        sorted([row["a"], row["type"], row["b"], repr(sorted(row["about"].items()))] for row in rows),
    )
