"""Generate, then retrieve: names that are imagined are replaced by those around the entities."""

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
    return store.query(sexpr, lang="sexpr", **{"retrieve": True, **options})


def test_imagined_names_are_replaced(store: Store) -> None:
    answer = asked(store, '(JOIN (R person.birth_place) "Angela Merkl")')
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


@pytest.mark.parametrize("retrieve", [True, False])
def test_a_relation_that_gives_no_answer_is_not_replaced_by_one_that_shares_a_word(
    store: Store, retrieve: bool
) -> None:
    assert asked(store, '(JOIN (R people.deceased_person.place_of_death) "Angela Merkel")', retrieve=retrieve).abstained


def test_what_exists_and_answers_is_never_replaced(store: Store) -> None:
    answer = asked(store, '(JOIN (R people.person.place_of_birth) "Helmut Kohl")')
    assert (answer.answer, answer.warnings) == (("Ludwigshafen",), ())


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
    assert store.query(program, retrieve=True).answer == ("Hamburg",)


def test_exact_names_and_retrieved_ones_exclude_each_other(store: Store) -> None:
    with pytest.raises(BadInput, match="exclude each other"):
        asked(store, '(JOIN r "x")', exact=True)
