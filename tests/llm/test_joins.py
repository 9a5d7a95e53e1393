"""Which columns join sources, against a real Neo4j."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm import joins
from cgstore.llm.graph_view import GraphView
from cgstore.llm.joins import Join
from cgstore.store import Store

SALES = {
    "orders.csv": "Order no,Shop,customer_id,Paid,Amount\n"
    "1,Alfama,7,yes,3.5\n2,Baixa,7,no,2\n3,Alfama,9,yes,8\n4,Chiado,8,yes,4\n5,Baixa,9,no,1\n",
    "shops.csv": "Shop,City,Open\nAlfama,Lisbon,yes\nBaixa,Lisbon,no\nCatete,Rio,yes\n",
    "customers.csv": "id,Name\n7,Ana\n8,Rui\n9,Eva\n",
    "cities.tsv": "Lisbon\tlies in\tPortugal\nRio\tlies in\tBrazil\n",
}


def test_columns_join_where_they_share_values(db: Database, tmp_path: Path) -> None:
    for name, text in SALES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    store = Store(db)
    store.load_table([tmp_path / name for name in SALES if name.endswith(".csv")])
    store.load_kg(tmp_path / "cities.tsv")
    seen = GraphView(db, store.ready())
    assert seen.joins() == [  # `yes` and `no` join nothing, nor do the numbers of orders and customers
        Join("orders", "customer_id", "customers", "id", 3, 3),
        Join("shops", "City", "cities", "", 2, 2),
        Join("orders", "Shop", "shops", "Shop", 2, 3),
    ]
    assert [str(join) for join in store.describe("cities").joins] == [
        "shops.City = the heads of cities (2 of 2 values)"
    ]
    assert store.describe("cities", ["orders"]).joins == ()
    assert GraphView(db, store.ready(["orders"])).joins() == []


def test_long_columns_are_looked_into(db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joins, "MAX_FACTS", 30)
    rows = range(1, 101)
    (tmp_path / "parts.csv").write_text("Part\n" + "".join(f"P-{n}\n" for n in rows), encoding="utf-8")
    (tmp_path / "uses.csv").write_text("Used\n" + "".join(f"P-{101 - n}\n" for n in rows), encoding="utf-8")
    store = Store(db)
    store.load_table([tmp_path / "parts.csv", tmp_path / "uses.csv"])
    (join,) = GraphView(db, store.ready()).joins()
    assert (join.shared, join.of) == (30, 30)
