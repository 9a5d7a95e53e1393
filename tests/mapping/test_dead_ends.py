"""What an answer without values says of the nodes at which its program ended."""

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
