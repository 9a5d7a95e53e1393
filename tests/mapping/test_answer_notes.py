"""What an answer says beside its values: of the nodes at which a program ended, and of nodes without a name."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import Database
from cgstore.store import Store
from tests.conftest import wipe

RIVERS = """Elbe\tflows into\tNorth Sea
Elbe\tsource in\tGiant Mountains
Elbe\tterm\tm.01
m.01\tholder\tVltava
m.01\tjurisdiction\tArizona
Arizona\tcapital\tPhoenix
Vltava\tflows into\tElbe
"""
DRUGS = """@prefix ex: <http://ex.org/> .
ex:aspirin ex:effect [ ex:what "bleeding", "nausea" ; ex:often "rare" ] ; ex:kind ex:drug .
ex:drug ex:like [] .
"""


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    folder, store = tmp_path_factory.mktemp("notes"), Store(shared_db)
    for name, text in (("rivers.tsv", RIVERS), ("drugs.ttl", DRUGS), ("ships.csv", "Ship,Built\nAlma,1998\n")):
        (folder / name).write_text(text, encoding="utf-8")
    store.load_kg(folder / "rivers.tsv", header=False)
    store.load_rdf(folder / "drugs.ttl")
    store.load_table(folder / "ships.csv")
    return store


TERM = "get_information(head_entity='Elbe', relation='term')"


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (
            "get_information(head_entity='Elbe', relation='holder')",
            "'Elbe' is head of 'flows into', 'source in', 'term' and tail of 'flows into'.",
        ),
        (
            "get_information(relation='source in', tail_entity='Elbe')",
            "The other way round there are facts: 'Elbe' is head of 'source in'. "
            "Write get_information(head_entity='Elbe', relation='source in').",
        ),
        (
            "get_information(head_entity='Arizona', relation='jurisdiction')",
            "The other way round there are facts: 'Arizona' is tail of 'jurisdiction'. "
            "Write get_information(relation='jurisdiction', tail_entity='Arizona').",
        ),
        (
            f"get_information(head_entity={TERM}, relation='term')",
            "The other way round there are facts: 'm.01' is tail of 'term', so give it as tail_entity.",
        ),
        (
            f"get_information(relation='flows into', tail_entity={TERM})",
            "'m.01' is head of 'holder', 'jurisdiction' and tail of 'term'.",
        ),
    ],
)
def test_the_relations_of_a_dead_end_are_told_or_that_the_one_asked_runs_the_other_way(
    store: Store, program: str, said: str
) -> None:
    answer = store.query(program, ["rivers"])
    assert answer.abstained
    assert answer.warnings[-1] == said


def test_the_query_that_is_named_is_the_first_that_gives_nothing(store: Store) -> None:
    first = "get_information(head_entity='North Sea', relation='term')"
    notes = store.query(f"{first}\nget_information(head_entity='output_of_query1', relation='holder')").warnings
    assert notes[0].startswith(f"Query 1 gives nothing: {first}")


def test_nothing_is_told_of_rows(store: Store) -> None:
    answer = store.query("get_information(relation='Ship', key='Built', value='1999')", ["ships"])
    assert len(answer.warnings) == 1


@pytest.mark.parametrize(
    ("head", "relation", "note"),
    [
        ("aspirin", "effect", "the source says of it: often rare; what bleeding and 1 more. Ask for one of these."),
        ("drug", "like", "it has no facts of its own."),
        ("aspirin", "kind", ""),
    ],
)
def test_a_node_without_a_name_is_answered_with_its_facts(store: Store, head: str, relation: str, note: str) -> None:
    answer = store.query(f"get_information(head_entity='{head}', relation='{relation}')", ["drugs"])
    (name,) = answer.answer
    notes = (f"'{name}' stands for something that the data do not name; {note}",) if note else ()
    assert answer.warnings == notes
