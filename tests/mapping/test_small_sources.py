"""Names of a small source beside a large one that has many names like them."""

from __future__ import annotations

from pathlib import Path

from cgstore.cypher.connection import Database
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.candidates import FURTHER, entity_candidates
from cgstore.store import Store


def test_a_small_source_is_not_hidden_by_a_large_one(db: Database, tmp_path: Path) -> None:
    store = Store(db)
    (tmp_path / "large.csv").write_text("".join(f"John Smith {n},knows,John Smith\n" for n in range(FURTHER + 50)))
    (tmp_path / "small.csv").write_text("Jane Johnson Smithe,knows,Ulm\n")
    for name in ("large", "small"):
        store.load_kg(tmp_path / f"{name}.csv", header=False)
    (found,) = entity_candidates(db, ["John Smith"], ["small"])
    assert [candidate.name for candidate in found] == ["Jane Johnson Smithe"]


def test_a_number_in_a_cell_is_no_entity_for_the_sake_of_another_source(db: Database, tmp_path: Path) -> None:
    store, question = Store(db), "Who won 3 times in 2001?"
    (tmp_path / "wins.csv").write_text("Name,Wins,Year\nAnn,3,2001\nBob,2,2001\n")
    store.load_table(tmp_path / "wins.csv", header=True)
    alone = GraphView(db, ["wins"]).mentions(question)
    (tmp_path / "sets.csv").write_text("3,part of,2001\n2001,part of,years\n")
    store.load_kg(tmp_path / "sets.csv", header=False)
    assert [(m.text, m.kind) for m in GraphView(db, ["wins"]).mentions(question)] == [(m.text, m.kind) for m in alone]
    assert ("3", "entity") in [(m.text, m.kind) for m in GraphView(db, ["sets"]).mentions(question)]
