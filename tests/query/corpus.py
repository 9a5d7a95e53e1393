"""Sources as files, in the store and as the second interpreter has them, and the programs that are asked of them."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from cgstore.cypher.connection import Database
from cgstore.store import Store
from cgstore.text.dates import Step, first, last, read_moment
from tests.conftest import wipe
from tests.query.interpreter_graph import Graph, Statement, TemporalFact, kg, statements, table, tkg, union

HERE = Path(__file__).parent
TABLES, GRAPHS, TIMES, STATEMENTS = (
    sorted((HERE / "sources" / kind).iterdir()) for kind in ("tables", "graphs", "times", "statements")
)
NAMES = [path.stem for path in (*TABLES, *GRAPHS, *TIMES, *STATEMENTS)]

REMOVED_ROWS = ("cities", ("[line_1]", "[line_4]", "[line_5]"))
"""A table with gaps in its row numbers."""

STEPS = {
    **{f"by_{step.value}": step for step in (Step.YEAR, Step.MONTH, Step.DAY, Step.MINUTE, Step.SECOND)},
    **dict.fromkeys(("days", "far", "kings"), Step.DAY),
    **dict.fromkeys(("clock", "curie", "offices", "reigns", "world", "years"), Step.YEAR),
}
"""The steps of the temporal sources that the interpreter knows: all their times are equally exact."""


def cases() -> list[dict[str, Any]]:
    """The programs of all files, with what is expected of each."""
    return [case for path in sorted((HERE / "programs").iterdir()) for case in json_lines(path)]


def json_lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def load(db: Database, *names: str) -> Store:
    """A store with the sources of these names, or with all, loaded unless a mark says that they are there."""
    store, wanted = Store(db), set(names or NAMES)
    if any(wanted <= set(mark["names"]) for mark in db.read("MATCH (c:Corpus) RETURN c.names AS names")):
        return store
    wipe(db)
    for path in (*TABLES, *GRAPHS, *TIMES, *STATEMENTS):
        if path.stem not in wanted:
            continue
        if path in TABLES:
            store.load_table(path)
        elif path in GRAPHS:
            store.load_kg(path, header=False)
        elif path in TIMES:
            store.load_tkg(path, header=False, step=STEPS.get(path.stem))
        else:
            store.load_statements(path)
        if path.stem == REMOVED_ROWS[0]:
            with store.changing(path.stem) as change:
                for row in REMOVED_ROWS[1]:
                    change.remove(row, every=True)
    db.write("CREATE (:Corpus {names: $names})", {"names": sorted(wanted)})
    return store


def whole() -> Graph:
    """All sources that the interpreter knows."""
    return union(
        [
            *(_table(path) for path in TABLES),
            *(kg(path.stem, _lines(path, "\t")) for path in GRAPHS),  # type: ignore[arg-type]
            *(tkg(path.stem, _temporal(path), STEPS[path.stem]) for path in TIMES if path.stem in STEPS),
            *(statements(path.stem, _statements(path)) for path in STATEMENTS),
        ]
    )


def _lines(path: Path, delimiter: str = ",") -> list[tuple[str, ...]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [tuple(cell.strip() for cell in line) for line in csv.reader(file, delimiter=delimiter)]


def _table(path: Path) -> Graph:
    header, *rows = _lines(path, ";" if ";" in path.read_text(encoding="utf-8").partition("\n")[0] else ",")
    graph, (name, removed) = table(path.stem, header, rows), REMOVED_ROWS
    if path.stem != name:
        return graph
    facts = tuple(fact for fact in graph.facts if fact.head.name not in removed)
    return replace(graph, facts=facts, has=frozenset(pair for pair in graph.has if pair[0].name not in removed))


def _temporal(path: Path) -> Iterable[TemporalFact]:
    step = STEPS[path.stem]
    for head, relation, tail, start, end in _lines(path, "\t"):
        since, until = read_moment(start), read_moment(end)
        assert since is not None and until is not None
        yield head, relation, tail, first(since, step), last(until, step)


def _statements(path: Path) -> Iterable[Statement]:
    for fact in json_lines(path):
        yield fact["subject"], fact["relation"], fact["object"], list(fact["qualifiers"].items())
