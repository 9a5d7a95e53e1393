"""What an answer says beside its values: of the nodes at which a program ended, and of nodes without a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.store import Store

FACTS = """Elbe\tflows into\tNorth Sea
Elbe\tsource in\tGiant Mountains
Elbe\tterm\tm.01
m.01\tholder\tVltava
Vltava\tflows into\tElbe
"""


@pytest.fixture
def rivers(db: Database, tmp_path: Path) -> Store:
    (tmp_path / "rivers.tsv").write_text(FACTS, encoding="utf-8")
    store = Store(db)
    store.load_kg(tmp_path / "rivers.tsv", header=False)
    return store


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
            "get_information(head_entity=get_information(head_entity='Elbe', relation='term'), relation='term')",
            "The other way round there are facts: 'm.01' is tail of 'term', so give it as tail_entity.",
        ),
        (
            "get_information(relation='flows into', tail_entity=get_information(head_entity='Elbe', relation='term'))",
            "'m.01' is head of 'holder' and tail of 'term'.",
        ),
    ],
)
def test_the_relations_of_a_dead_end_are_told_or_that_the_one_asked_runs_the_other_way(
    rivers: Store, program: str, said: str
) -> None:
    answer = rivers.query(program)
    assert answer.abstained
    assert answer.warnings[-1] == said


def test_a_name_given_as_head_that_the_relation_has_as_tail_is_told_so(db: Database, tmp_path: Path) -> None:
    (tmp_path / "terms.tsv").write_text("m.1\tjurisdiction\tArizona\nArizona\tcapital\tPhoenix\n", encoding="utf-8")
    store = Store(db)
    store.load_kg(tmp_path / "terms.tsv", header=False)
    answer = store.query("get_information(head_entity='Arizona', relation='jurisdiction')")
    said = (
        "The other way round there are facts: 'Arizona' is tail of 'jurisdiction'. "
        "Write get_information(relation='jurisdiction', tail_entity='Arizona')."
    )
    assert (answer.answer, answer.warnings[-1]) == ((), said)


def test_nothing_is_told_of_rows(db: Database, tmp_path: Path) -> None:
    (tmp_path / "ships.csv").write_text("Ship,Built\nAlma,1998\n", encoding="utf-8")
    store = Store(db)
    store.load_table(tmp_path / "ships.csv")
    assert len(store.query("get_information(relation='Ship', key='Built', value='1999')").warnings) == 1


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
