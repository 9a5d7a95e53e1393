"""Generate, then retrieve: names that are imagined are replaced by those around the entities, in several ways."""

from __future__ import annotations

from typing import Any

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.mapping.fuzzy import UnmappedName
from cgstore.model import Answer
from cgstore.store import Store
from tests.conftest import wipe

FACTS = """\
Angela Merkel|people.person.place_of_birth|Hamburg
Angela Merkel|people.person.spouse_s|m.0abc1
m.0abc1|people.marriage.spouse|Joachim Sauer
m.0abc1|people.marriage.from|1998
Helmut Kohl|people.person.place_of_birth|Ludwigshafen
Helmut Kohl|people.deceased_person.place_of_death|Ludwigshafen
Hamburg|location.location.containedby|Germany
Germany|location.country.capital|Berlin
Berlin|location.location.founded|1237
Berlin Wall|location.location.built|1961
"""
WAYS = ("likeness", "bm25", "encoder", "merged")


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    path = tmp_path_factory.mktemp("retrieval") / "people.txt"
    path.write_text(FACTS, encoding="utf-8")
    store = Store(shared_db)
    store.load_kg(path, header=False, delimiter="|")
    store.embed()
    return store


def asked(store: Store, sexpr: str, **options: Any) -> Answer:
    return store.query(sexpr, lang="sexpr", **{"retrieve": "likeness", **options})


@pytest.mark.parametrize("way", WAYS)
def test_imagined_names_are_replaced_in_every_way(store: Store, way: str) -> None:
    answer = asked(store, '(JOIN (R person.birth_place) "Angela Merkl")', retrieve=way)
    assert answer.answer == ("Hamburg",)
    assert {(m.name, m.node) for m in answer.mappings} == {
        ("person.birth_place", "people.person.place_of_birth"),
        ("Angela Merkl", "Angela Merkel"),
    }


def test_a_relation_beyond_a_mediator_is_found(store: Store) -> None:
    answer = asked(store, '(JOIN (R marriage.spouses) (JOIN (R person.spouse) "Angela Merkel"))')
    assert answer.answer == ("Joachim Sauer",)


def test_relations_around_the_entity_alone_are_tried_for_it(store: Store) -> None:
    """`place_of_birth` shares a word with what is asked, and is another relation."""
    with pytest.raises(UnmappedName, match="no relation is named 'place_of_deth'") as refused:
        asked(store, '(JOIN (R place_of_deth) "Angela Merkel")')
    assert "The relations around the entities: 'people.marriage.from', 'people.marriage.spouse'" in str(refused.value)


@pytest.mark.parametrize(
    ("relation", "head"),
    [
        ("people.person.place_of_work", "Angela Merkel"),
        ("marriage.guests", "Angela Merkel"),
        ("shoe_size", "Angela Merkl"),
    ],
)
def test_a_relation_that_merely_shares_a_word_is_not_taken(store: Store, relation: str, head: str) -> None:
    with pytest.raises(UnmappedName, match=f"no relation is named '{relation}'") as refused:
        asked(store, f'(JOIN (R {relation}) "{head}")')
    assert "no entity is named" not in str(refused.value)


def test_names_that_have_no_answer_together_are_all_named(store: Store) -> None:
    with pytest.raises(UnmappedName) as refused:
        asked(store, '(AND (JOIN (R person.birth_place) "Angela Merkl") (JOIN (R place_of_birth) "Helmut Kol"))')
    said = str(refused.value)
    assert "no entity is named 'Angela Merkl', no entity is named 'Helmut Kol'" in said
    assert "no answer with the nearest names" in said
    assert "'Helmut Kohl' for 'Helmut Kol'" in said


def test_a_relation_that_gives_no_answer_is_replaced_with_a_warning(store: Store) -> None:
    answer = asked(store, '(JOIN (R people.marriage.spouse) "Angela Merkel")')
    assert answer.answer == ("m.0abc1",)
    assert any(
        "'people.marriage.spouse' gives no answer; 'people.person.spouse_s' was taken" in each
        for each in answer.warnings
    )


@pytest.mark.parametrize("options", [{}, {"retrieve": None}, {"oracle_relations": True}])
def test_a_relation_that_gives_no_answer_is_not_replaced_by_one_that_shares_a_word(
    store: Store, options: dict[str, Any]
) -> None:
    assert asked(store, '(JOIN (R people.deceased_person.place_of_death) "Angela Merkel")', **options).abstained


def test_what_exists_and_answers_is_never_replaced(store: Store) -> None:
    answer = asked(store, '(JOIN (R people.person.place_of_birth) "Helmut Kohl")')
    assert (answer.answer, answer.warnings) == (("Ludwigshafen",), ())


def test_oracle_entities_and_relations_must_exist(store: Store) -> None:
    relation = '(JOIN (R person.birth_place) "Angela Merkel")'
    assert asked(store, relation, oracle_entities=True).answer == ("Hamburg",)
    with pytest.raises(UnmappedName, match=r"no relation is named 'person.birth_place'"):
        asked(store, relation, oracle_relations=True)
    with pytest.raises(UnmappedName, match="no entity is named 'Angela Merkl'"):
        asked(store, '(JOIN (R people.person.place_of_birth) "Angela Merkl")', oracle_entities=True)


def test_numbers_and_thresholds_bound_what_is_retrieved(store: Store) -> None:
    misspelt = '(JOIN (R people.person.place_of_birth) "Angla Merkl")'
    assert asked(store, misspelt).answer == ("Hamburg",)
    with pytest.raises(UnmappedName):
        asked(store, misspelt, entity_threshold=0.99)
    with pytest.raises(UnmappedName):
        asked(store, '(JOIN (R birth_plce) "Angela Merkel")', relation_threshold=0.99)


def test_a_time_constraint_need_not_exclude_anything(store: Store) -> None:
    spouse = '(TC (JOIN (R person.spouse) "Angela Merkl") people.marriage.from 2001)'
    assert asked(store, f"(JOIN (R people.marriage.spouse) {spouse})").answer == ("Joachim Sauer",)


def test_the_llm_language_is_retrieved_for_too(store: Store) -> None:
    program = "get_information(head_entity='Angela Merkl', relation='place where born')"
    assert store.query(program, retrieve="likeness").answer == ("Hamburg",)


def test_the_encoder_alone_needs_vectors(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cgstore.ask.run.QueryEngine.graph_encoder", lambda self: None)
    with pytest.raises(BadInput, match="needs the vectors"):
        asked(store, '(JOIN (R person.birth_place) "Angela Merkl")', retrieve="encoder")


def test_a_way_that_is_not_there_and_contradictions_are_refused(store: Store) -> None:
    with pytest.raises(BadInput, match="must be one of: likeness"):
        asked(store, '(JOIN r "x")', retrieve="guess")
    with pytest.raises(BadInput, match="exclude each other"):
        asked(store, '(JOIN r "x")', exact=True)
