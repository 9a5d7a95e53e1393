"""Names of a small source beside a large one that has many names like them."""

from __future__ import annotations

from pathlib import Path

from cgstore.cypher.connection import Database
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
