"""Which nodes a name may mean, from a real full-text index, for sources that share names."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import Database
from cgstore.embedding.vectors import drop_indexes
from cgstore.mapping.candidates import FURTHER, entity_candidates, full_text_query, relation_candidates
from cgstore.store import Store
from tests.conftest import wipe
from tests.mapping.synonyms import Synonyms

SOURCES = {
    "people": """\
Angela Merkel,born in,Hamburg
Angela Davis,born in,Birmingham
The Burglar (1957 film),directed by,Paul Wendkos
United States of America,capital,Washington
Washington,lies in,United States of America
Ulm,lies in,Württemberg
Ulm Minster,lies in,Ulm
Hamburg,founded,808
Rosa Winkler,position held,Governor of South Veria
Kim O'Dell,position held,abbot
""",
    "other": "Angela Merkl,knows,Ulm\n",
    "large": "".join(f"John Smith {n},knows,John Smith\n" for n in range(FURTHER + 50)),
    "small": "Jane Johnson Smithe,knows,Ulm\n",
}


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    folder = tmp_path_factory.mktemp("candidates")
    store = Store(shared_db)
    for name, text in SOURCES.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
        store.load_kg(folder / f"{name}.csv", header=False)
    return store


def first(store: Store, name: str, source: str = "people") -> str | None:
    (found,) = entity_candidates(store.db, [name], [source])
    return found[0].name if found else None


@pytest.mark.parametrize(
    ("asked", "right"),
    [
        ("Ulm", "Ulm"),
        ("Angella Merkell", "Angela Merkel"),
        ("The Burglar", "The Burglar (1957 film)"),
        ("United States America", "United States of America"),
        ("Gvoernor of South Veria", "Governor of South Veria"),
        ("Govrenor", "Governor of South Veria"),
        ("abbots", "abbot"),
        ("Dr Rosa Winkler", "Rosa Winkler"),
        ("Kim ODell", "Kim O'Dell"),
    ],
)
def test_the_right_node_comes_first(store: Store, asked: str, right: str) -> None:
    assert first(store, asked) == right


def test_only_what_the_sources_asked_use_is_found(store: Store) -> None:
    assert (first(store, "Angela Merkl"), first(store, "Angela Merkl", "other")) == ("Angela Merkel", "Angela Merkl")
    assert [first(store, "John Smith", source) for source in ("large", "small")] == [
        "John Smith",
        "Jane Johnson Smithe",  # which a hundred names of the large source do not hide
    ]


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


def test_of_equal_scores_what_is_linked_more_often_comes_first_and_no_more_than_wanted(store: Store) -> None:
    (found,), (one,) = (entity_candidates(store.db, ["Angela"], ["people"], top=top) for top in (10, 1))
    degrees = [candidate.degree for candidate in found if candidate.score == found[0].score]
    assert degrees == sorted(degrees, reverse=True)
    assert one == found[:1]


@pytest.mark.parametrize(
    "name",
    [
        *("", "?!", "x", "of the", "AND OR NOT", "a:b", "* OR *", '"', "(", "\\", "' OR 1=1 //"),
        *("x" * 5_000, "~" * 200, "q" * 9_000),
    ],
)
def test_no_name_is_a_query_of_its_own(store: Store, name: str) -> None:
    (found,) = entity_candidates(store.db, [name])
    assert not [candidate for candidate in found if candidate.score >= 0.6]


@pytest.mark.parametrize(("further", "edits"), [(False, 1), (True, 2)])
def test_long_words_may_be_mistyped_and_twice_in_the_second_trip(further: bool, edits: int) -> None:
    query = full_text_query("de La Tour d'Auvergne", further=further)
    assert query == f"auvergne^3 auvergne~{edits} tour^3 tour~1 de la d"


def test_a_relation_is_ranked_by_meaning_too() -> None:
    nodes = [{"key": name, "name": name} for name in ("place of death", "place of birth")]
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
        drop_indexes(store.db)
