"""Which nodes a name may mean, from a real full-text index, for a table and a KG that share names."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import Database
from cgstore.embedding.vectors import drop_indexes
from cgstore.mapping.candidates import entity_candidates, full_text_query, relation_candidates
from cgstore.store import Store
from tests.conftest import wipe
from tests.mapping.synonyms import Synonyms

FACTS = """\
Angela Merkel,born in,Hamburg
Angela Davis,born in,Birmingham
Gyula Illyés,born in,Rácegrespuszta
The Burglar (1957 film),directed by,Paul Wendkos
United States of America,capital,Washington
Washington,lies in,United States of America
Ulm,lies in,Württemberg
Ulm Minster,lies in,Ulm
Hamburg,founded,808
"""
OTHER = "Angela Merkl,knows,Ulm\n"


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    folder = tmp_path_factory.mktemp("candidates")
    store = Store(shared_db)
    for name, text in (("people", FACTS), ("other", OTHER)):
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
        store.load_kg(folder / f"{name}.csv", header=False)
    return store


def first(store: Store, name: str) -> str | None:
    (found,) = entity_candidates(store.db, [name], ["people"])
    return found[0].name if found else None


@pytest.mark.parametrize(
    ("asked", "right"),
    [
        ("Angela Merkel", "Angela Merkel"),
        ("angela merkel", "Angela Merkel"),
        ("Angela Merkle", "Angela Merkel"),
        ("Angella Merkell", "Angela Merkel"),
        ("Merkel, Angela", "Angela Merkel"),
        ("Gyula Illyes", "Gyula Illyés"),
        ("The Burglar", "The Burglar (1957 film)"),
        ("united_states_of_america", "United States of America"),
        ("United States America", "United States of America"),
        ("Ulm", "Ulm"),
    ],
)
def test_the_right_node_comes_first(store: Store, asked: str, right: str) -> None:
    assert first(store, asked) == right


def test_only_what_the_sources_asked_use_is_found(store: Store) -> None:
    people, other = (entity_candidates(store.db, ["Angela Merkl"], [source])[0] for source in ("people", "other"))
    assert [candidate.name for candidate in people][:1] == ["Angela Merkel"]
    assert [candidate.name for candidate in other] == ["Angela Merkl"]


@pytest.mark.parametrize(
    ("names", "found", "trips"),
    [
        (["Ulm", "Angela Merkle", "Ulm"], ["Ulm", "Angela Merkel", "Ulm"], 1),
        (["Ulm", "nothing like it at all", "Hambrug", "Ulm"], ["Ulm", None, "Hamburg", "Ulm"], 2),
    ],
    ids=["all are alike", "some are not"],
)
def test_many_names_take_one_trip_and_those_like_nothing_one_more_together(
    store: Store, monkeypatch: pytest.MonkeyPatch, names: list[str], found: list[str | None], trips: int
) -> None:
    read, made = store.db.read, []
    monkeypatch.setattr(store.db, "read", lambda *args: made.append(args) or read(*args))
    candidates = entity_candidates(store.db, names, ["people"])
    assert [each[0].name if each else None for each in candidates] == found
    assert len(made) == trips


def test_how_it_was_found_and_the_parts_of_its_score_are_told(store: Store) -> None:
    exact, normalised, mistyped = (
        candidates[0] for candidates in entity_candidates(store.db, ["Ulm", "ULM", "Angela Merkle"], ["people"])
    )
    assert (exact.how, exact.score) == ("exact", 1.0)
    assert (normalised.how, normalised.score) == ("normalised", 1.0)
    assert mistyped.how == "full text"
    assert mistyped.score == mistyped.parts.score < 1.0


def test_of_equal_scores_what_is_linked_more_often_comes_first(store: Store) -> None:
    (found,) = entity_candidates(store.db, ["Angela"], ["people"])
    degrees = [candidate.degree for candidate in found if candidate.score == found[0].score]
    assert degrees == sorted(degrees, reverse=True)


@pytest.mark.parametrize("name", ["", "?!", "AND OR NOT", "a:b", "ulm~ OR *", '"', "(", "\\", "x" * 5_000, "~" * 200])
def test_no_name_is_a_query_of_its_own(store: Store, name: str) -> None:
    assert len(entity_candidates(store.db, [name], ["people"])) == 1


def test_short_words_are_asked_for_as_they_are() -> None:
    assert full_text_query("de La Tour d'Auvergne") == "auvergne^3 auvergne~1 tour^3 tour~1 de la d"


def test_long_words_are_asked_for_with_two_letters_mistyped_where_one_found_nothing_alike() -> None:
    assert full_text_query("de La Tour d'Auvergne", further=True) == "auvergne^3 auvergne~2 tour^3 tour~1 de la d"


@pytest.mark.parametrize(
    ("asked", "right"),
    [
        ("place of birth", "place of birth"),
        ("PlaceOfBirth", "place of birth"),
        ("place_of_brith", "place of birth"),
        ("death place", "place of death"),
    ],
)
def test_the_right_relation_comes_first(asked: str, right: str) -> None:
    nodes = [{"key": name, "name": name} for name in ("place of death", "place of birth", "position held")]
    assert relation_candidates(asked, nodes)[0].name == right


def test_a_relation_is_ranked_by_meaning_too() -> None:
    nodes = [{"key": name, "name": name} for name in ("place of birth", "place of death")]
    found = relation_candidates("born in", nodes, {"place of birth": 0.7, "place of death": 0.4})
    assert [candidate.name for candidate in found] == ["place of birth", "place of death"]


def test_a_name_in_other_words_is_found_by_its_vector(store: Store) -> None:
    """The vectors here are made up: an encoder for which the two names mean the same."""
    encoder = Synonyms({"die Kanzlerin": "Angela Merkel"})
    try:
        store.embed(["people"], encoder=encoder)
        ((_, found),) = store.map(["die Kanzlerin"], sources=["people"], encoder=encoder)
        assert (found[0].name, found[0].how) == ("Angela Merkel", "vector")
        assert found[0].parts.meaning == pytest.approx(1.0, abs=1e-5)
    finally:
        store.db.write("MATCH (n:CgNode) REMOVE n.vector")
        store.db.write("MATCH (m:CgMeta {name: 'encoder'}) DELETE m")
        drop_indexes(store.db)
