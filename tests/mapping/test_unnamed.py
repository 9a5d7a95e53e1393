"""What an answer that is a blank node says of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.store import Store

DRUGS = """@prefix ex: <http://ex.org/> .
ex:aspirin ex:effect [ ex:what "bleeding", "nausea" ; ex:often "rare" ] ; ex:kind ex:drug .
ex:drug ex:like [] .
"""


@pytest.fixture
def drugs(db: Database, tmp_path: Path) -> Store:
    (tmp_path / "drugs.ttl").write_text(DRUGS, encoding="utf-8")
    store = Store(db)
    store.load_rdf(tmp_path / "drugs.ttl")
    return store


@pytest.mark.parametrize(
    ("head", "relation", "note"),
    [
        ("aspirin", "effect", "the source says of it: often rare; what bleeding and 1 more. Ask for one of these."),
        ("drug", "like", "it has no facts of its own."),
    ],
)
def test_a_node_without_a_name_is_answered_with_its_facts(drugs: Store, head: str, relation: str, note: str) -> None:
    answer = drugs.query(f"get_information(head_entity='{head}', relation='{relation}')")
    (name,) = answer.answer
    assert answer.warnings == (f"'{name}' stands for something that the data do not name; {note}",)


def test_a_named_answer_has_no_such_note(drugs: Store) -> None:
    assert drugs.query("get_information(head_entity='aspirin', relation='kind')").warnings == ()
