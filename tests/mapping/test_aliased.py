"""Programs whose names are aliases: matched first, of any role, and seen anew when aliases come and go."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.llm.graph_view import GraphView
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


def test_an_alias_in_a_question_is_a_mention_of_its_node(store: Store, db: Database) -> None:
    found = GraphView(db, ["places"]).mentions("Where does Minster lie?")
    assert ("Minster", "Ulm Minster", "alias") in [(m.text, m.name, m.how) for m in found]
    assert {m.name for m in GraphView(db, ["places"]).mentions("Where is The City?")} == {"Ulm", "Baden"}


def test_a_relation_may_have_an_alias(store: Store) -> None:
    assert places(store, "Baden", "situated in") == ("Germany",)


def test_an_alias_in_other_letters_counts_too(store: Store) -> None:
    assert places(store, "Baden", "Situated_In") == ("Germany",)


def test_an_alias_of_several_names_means_all_of_them(store: Store) -> None:
    assert places(store, "the city") == ("Baden", "Germany")


def test_a_note_lists_the_names_of_an_alias_of_several(store: Store) -> None:
    answer = store.query("get_information(head_entity='the city', relation='lies in')")
    assert answer.warnings == ("'the city' may be 'Baden' or 'Ulm'; both are asked. To choose one, write its name.",)


def test_an_alias_means_the_names_alone_that_the_sources_asked_have(store: Store, tmp_path: Path) -> None:
    (tmp_path / "rivers.tsv").write_text("Ulm\tlies on\tDanube\n", encoding="utf-8")
    store.load_kg(tmp_path / "rivers.tsv", header=False)
    answer = store.query("get_information(head_entity='the city', relation='lies on')", ["rivers"])
    assert (answer.answer, answer.warnings) == (("Danube",), ())


def test_an_alias_of_many_names_counts_those_that_its_note_leaves_out(store: Store, tmp_path: Path) -> None:
    lines = [f"V{number}\tlies in\tBaden\n" for number in range(7)]
    (tmp_path / "villages.tsv").write_text("".join(lines), encoding="utf-8")
    store.load_kg(tmp_path / "villages.tsv", header=False)
    (tmp_path / "more.tsv").write_text("".join(f"village\tV{number}\n" for number in range(7)), encoding="utf-8")
    store.load_aliases(tmp_path / "more.tsv", header=False)
    (note,) = store.query("get_information(head_entity='village', relation='lies in')", ["villages"]).warnings
    assert note.startswith("'village' may be 'V0', 'V1', 'V2', 'V3' or 3 more; all 7 are asked.")


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
