"""Programs over a table from which rows were removed: the numbers of the others have gaps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cgstore.cypher.connection import Database
from cgstore.store import Store
from tests.conftest import wipe
from tests.query.interpreter import interpret
from tests.query.interpreter_graph import Graph, of_evidence, table

COLUMNS = ("City", "Stars")
ROWS = [("Ulm", "1"), ("Graz", "2"), ("Linz", "3"), ("Bern", "4"), ("Lyon", "5"), ("Rome", "6"), ("Bonn", "7")]
REMOVED = (1, 4, 5)

GRAZ = "get_information(relation='City', tail_entity='Graz')"
BIG = "get_information(relation='Stars', tail_entity>='3')"

PROGRAMS = {
    "the row after a gap": "next_row(get_information(relation='City', tail_entity='Linz'))",
    "the row before a gap": "previous_row(get_information(relation='City', tail_entity='Rome'))",
    "the row before the first": f"previous_row({GRAZ})",
    "the row after the last": "next_row(get_information(relation='City', tail_entity='Bonn'))",
    "the rows after all rows": "next_row(heads(relation='City'))",
    "the rows before all rows": "previous_row(heads(relation='City'))",
    "a cell of the row after": f"get_information(relation='City', head_entity=next_row({GRAZ}))",
    "rows that follow each other": f"longest_run({BIG})",
    "rows that a row stands between": "longest_run(set_union("
    "set1=get_information(relation='City', tail_entity='Linz'), "
    "set2=get_information(relation='City', tail_entity='Bonn')))",
    "a row that was removed": "get_information(relation='City', head_entity='[line_4]')",
    "the row after each": "for_each(set=heads(relation='City'), "
    "value=sum(get_information(relation='Stars', head_entity=next_row(each))))",
    "the last row": "max(heads(relation='City'))",
}


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    path = tmp_path_factory.mktemp("gaps") / "cities.csv"
    path.write_text("".join(",".join(row) + "\n" for row in [COLUMNS, *ROWS]))
    store = Store(shared_db)
    store.load_table(path)
    with store.changing("cities") as change:
        for number in REMOVED:
            change.remove(f"[line_{number}]", every=True)
    return store


@pytest.fixture(scope="module")
def graph() -> Graph:
    whole = table("cities", COLUMNS, ROWS).asked(["cities"])
    gone = {f"[line_{number}]" for number in REMOVED}
    facts = tuple(fact for fact in whole.facts if fact.head.name not in gone)
    return replace(whole, facts=facts, has=frozenset(pair for pair in whole.has if pair[0].name not in gone))


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_skips_the_gaps_as_the_interpreter_does(store: Store, graph: Graph, program: str) -> None:
    answer = store.query(program, ["cities"])
    expected = interpret(graph, program)
    assert answer.answer == expected.answer
    assert interpret(of_evidence(answer.evidence, graph), program).answer == expected.answer


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        (PROGRAMS["the row after a gap"], ("[line_6]",)),
        (PROGRAMS["the row before a gap"], ("[line_3]",)),
        (PROGRAMS["rows that follow each other"], ("[line_3]", "[line_6]", "[line_7]")),
        (PROGRAMS["rows that a row stands between"], ("[line_3]",)),
    ],
)
def test_rows_beside_a_gap_follow_each_other(store: Store, program: str, answer: tuple[str, ...]) -> None:
    assert store.query(program, ["cities"]).answer == answer


def test_the_rows_of_then_are_beside_each_other_as_of_then(store: Store) -> None:
    program = PROGRAMS["the row after a gap"]
    assert store.query(program, ["cities"], as_of="#0").answer == ("[line_4]",)
    run = store.query(PROGRAMS["rows that a row stands between"], ["cities"], as_of="#0")
    assert run.answer == ("[line_3]",)


def test_a_description_counts_the_rows_that_are_there(store: Store) -> None:
    found = store.describe("cities")
    assert (found.rows, found.read) == (4, 4)
    assert [(column.different, column.missing, column.greatest) for column in found.relations] == [
        (4, 0, ""),
        (4, 0, "7"),
    ]
