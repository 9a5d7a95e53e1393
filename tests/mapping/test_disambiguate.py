"""What a program's unknown names are taken for: the nearest, with which it answers; and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.ask.run import QueryEngine
from cgstore.cypher.connection import Database
from cgstore.embedding.vectors import drop_indexes
from cgstore.errors import BadInput, NoModel
from cgstore.mapping.fuzzy import Choice, UnknownName, UnmappedName, combinations
from cgstore.query.operands import Named, Names
from cgstore.store import Store
from tests.conftest import wipe
from tests.mapping.synonyms import Synonyms

FACTS = """\
Angela Merkel,place of birth,Hamburg
Angela Merkel,spouse,Joachim Sauer
Angela Merker,place of death,Bonn
Angela Davis,place of birth,Birmingham
Hamburg,country,Germany
Germany,capital,Berlin
Germania,founded,1900
"""


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    path = tmp_path_factory.mktemp("choose") / "people.csv"
    path.write_text(FACTS, encoding="utf-8")
    Store(shared_db).load_kg(path, header=False)
    return Store(shared_db)


def search(**arguments: str) -> str:
    return f"get_information({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"


def test_a_mistyped_name_is_taken_with_a_warning(store: Store) -> None:
    answer = store.query(search(head_entity="Angela Daviss", relation="place of birth"))
    assert answer.answer == ("Birmingham",)
    assert [(m.name, m.node, m.how) for m in answer.mappings if m.role == "entity"] == [
        ("Angela Daviss", "Angela Davis", "nearest")
    ]
    assert "No entity is named 'Angela Daviss'; the nearest was taken: 'Angela Davis'." in answer.warnings


@pytest.mark.parametrize(("relation", "answer"), [("place of birth", "Hamburg"), ("place of death", "Bonn")])
def test_of_two_names_as_near_the_one_that_has_the_relation_is_taken(store: Store, relation: str, answer: str) -> None:
    found = store.query(search(head_entity="Angela Merke", relation=relation))
    assert found.answer == (answer,)
    assert any("may as well mean 'Angela Merke" in warning for warning in found.warnings)


def test_of_two_relations_the_one_that_the_entity_has_is_taken(store: Store) -> None:
    answer = store.query(search(head_entity="Angela Merker", relation="plac of beath"))
    assert answer.answer == ("Bonn",)


def test_the_neighbourhood_decides_over_several_steps(store: Store) -> None:
    program = "\n".join(
        [
            search(head_entity="Angela Merke", relation="place of birt"),
            search(head_entity="output_of_query1", relation="contry"),
            search(head_entity="output_of_query2", relation="capitel"),
        ]
    )
    assert store.query(program).answer == ("Berlin",)


def test_what_decided_is_shown(store: Store) -> None:
    answer = store.query(search(head_entity="Angela Merke", relation="place of death"))
    assert len(answer.cypher) == len(answer.parameters) == 2
    assert "$readings" in answer.cypher[0]


def test_a_name_that_is_nowhere_near_is_refused_and_told_the_nearest(store: Store) -> None:
    with pytest.raises(UnmappedName, match="no entity is named 'Napoleon'"):
        store.query(search(head_entity="Napoleon", relation="spouse"))
    with pytest.raises(UnmappedName) as error:
        store.query(search(head_entity="Angela Merkle", relation="spouse"), exact=True)
    assert error.value.closest[0] == "Angela Merkel"


def test_under_the_threshold_only_a_relation_that_answers_is_taken(store: Store) -> None:
    found = store.query(search(head_entity="Angela Davis", relation="plac birt"), threshold=0.99)
    assert found.answer == ("Birmingham",)
    for head, relation in (("Germany", "plac birt"), ("Angela Merkle", "spouse")):
        with pytest.raises(UnmappedName):
            store.query(search(head_entity=head, relation=relation), threshold=0.99)


def test_a_near_name_without_an_answer_is_none_unless_one_is_asked_for(store: Store) -> None:
    program = search(head_entity="Angela Daviss", relation="spouse")
    assert store.query(program).abstained
    with pytest.raises(UnmappedName):
        store.query(program, linked=True)


def test_nothing_is_taken_for_the_nearest_where_names_are_to_be_exact(store: Store) -> None:
    with pytest.raises(UnmappedName, match="no relation is named 'spous'"):
        store.query(search(head_entity="Angela Merkel", relation="spous"), exact=True)


def test_a_name_in_two_places_is_taken_for_the_same(store: Store) -> None:
    program = "\n".join([search(head_entity="Angela Merke", relation="spouse"), search(head_entity="Angela Merke")])
    answer = store.query(program)
    assert {m.node for m in answer.mappings if m.role == "entity"} == {"Angela Merkel"}


def test_a_name_in_a_table_is_taken_where_its_column_has_it(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "races.csv"
    path.write_text("Rider,Team\nBo Lund,Bo Lunn\nAnn Ek,Lund\n", encoding="utf-8")
    store.load_table(path, name="races", replace=True)
    program = "{Team}\nQuery1: \"get_information(relation='Rider', tail_entity='Bo Lunnd')\""
    assert store.query(program, ["races"]).answer == ("Bo Lunn",)


def choices(*scores: float) -> UnknownName:
    some = tuple(Choice(Names((Named(str(score), str(score)),)), score) for score in scores)
    return UnknownName((), some, sure=True)


def test_combinations_come_by_their_joint_score() -> None:
    found = [tuple(c.score for c in each) for each in combinations([choices(0.9, 0.5, 0.4), choices(0.8, 0.7)])]
    products = [one * other for one, other in found]
    assert products == sorted(products, reverse=True)
    assert len(set(found)) == 6


def test_an_encoder_that_cannot_be_had_is_told_of_each_answer(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(engine: QueryEngine) -> None:
        raise NoModel("The encoder 'x' cannot be loaded.")

    asked = Store(store.db)
    monkeypatch.setattr(QueryEngine, "graph_encoder", absent)
    program = search(head_entity="Angela Davis", relation="plac birt")
    for answer in (asked.query(program), asked.query(program)):
        assert answer.answer == ("Birmingham",)
        assert any("by their spelling only" in warning for warning in answer.warnings)
    with pytest.raises(BadInput, match="by their spelling only"):
        asked.query(search(head_entity="Angela Davis", relation="no such thing at all"))


def test_what_spelling_leaves_unsure_is_decided_by_meaning(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Store(store.db)
    encoder = Synonyms({"wedded to": "spouse"})
    asked.embed(encoder=encoder)
    monkeypatch.setattr(QueryEngine, "graph_encoder", lambda engine: encoder)
    try:
        assert asked.query(search(head_entity="Angela Merkel", relation="wedded to")).answer == ("Joachim Sauer",)
    finally:
        drop_indexes(store.db)
