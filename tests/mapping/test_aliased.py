"""Programs whose names are aliases: matched first, of any role, and seen anew when aliases come and go."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.mapping.fuzzy import UnmappedName
from cgstore.store import Store

FACTS = "Ulm\tlies in\tBaden\nBaden\tlies in\tGermany\nUlm Minster\tlies in\tUlm\nMinster\tlies in\tBaden\n"
ALIASES = "Minster\tUlm Minster\nsituated in\tlies in\nthe city\tUlm\nthe city\tBaden\nnobody\tNobody at all\n"


@pytest.fixture
def store(db: Database, tmp_path: Path) -> Store:
    (tmp_path / "places.tsv").write_text(FACTS, encoding="utf-8")
    (tmp_path / "other.tsv").write_text(ALIASES, encoding="utf-8")
    store = Store(db)
    store.load_kg(tmp_path / "places.tsv", header=False)
    store.load_aliases(tmp_path / "other.tsv", header=False)
    return store


def places(store: Store, head: str, relation: str = "lies in") -> tuple[object, ...]:
    return store.query(f"get_information(head_entity='{head}', relation='{relation}')").answer


def test_an_alias_is_matched_before_a_node_of_that_name(store: Store) -> None:
    answer = store.query("get_information(head_entity='Minster', relation='lies in')")
    assert answer.answer == ("Ulm",)
    assert ("Minster", "Ulm Minster", "alias") in [(m.name, m.node, m.how) for m in answer.mappings]


def test_a_relation_may_have_an_alias(store: Store) -> None:
    assert places(store, "Baden", "situated in") == ("Germany",)


def test_an_alias_in_other_letters_counts_too(store: Store) -> None:
    assert places(store, "Baden", "Situated_In") == ("Germany",)


def test_an_alias_of_several_names_means_all_of_them(store: Store) -> None:
    assert places(store, "the city") == ("Baden", "Germany")


def test_an_alias_of_nothing_that_is_there_counts_for_nothing(store: Store) -> None:
    with pytest.raises(UnmappedName, match="no entity is named 'nobody'"):
        places(store, "nobody")


def test_an_alias_for_a_relation_is_none_for_an_entity(store: Store) -> None:
    with pytest.raises(UnmappedName, match="no entity is named 'situated in'"):
        places(store, "situated in")


def test_aliases_loaded_between_two_questions_count_in_the_second(store: Store, tmp_path: Path) -> None:
    assert places(store, "Ulm") == ("Baden",)
    (tmp_path / "more.tsv").write_text("Ulm\tBaden\n", encoding="utf-8")
    store.load_aliases(tmp_path / "more.tsv", header=False)
    assert places(store, "Ulm") == ("Germany",)
    store.drop("more")
    assert places(store, "Ulm") == ("Baden",)
