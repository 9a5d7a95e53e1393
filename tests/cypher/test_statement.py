"""The statements of a program: one for its answer, which `cgstore cypher` shows, and one with its evidence too."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import Database
from cgstore.cypher.run import execute
from cgstore.store import Store
from tests.share import share

FACTS = """\
Ann\tplays for\tAjax\t1990\t1994
Ann\tplays for\tUtrecht\t1995\t1999
Bob\tplays for\tAjax\t1992\t1999
Bob\tknows\tAnn\t1992\t1992
Cid\tplays for\t1984\t1990\t1991
"""
TABLE = "Club,Points\nAjax,12\nUtrecht,7\nTwente,n/a\n"

PROGRAMS = {
    "heads": "get_information(relation='plays for', tail_entity='Ajax')",
    "all_that_is_known_of_a_head": "get_information(head_entity='Ann')",
    "facts_at_a_time": "get_information(key='time', value='1992')",
    "times_of_others": "get_information(relation='knows', key='time')\n"
    "get_information(relation='plays for', key='time', value='output_of_query1')",
    "co_values": "get_information(relation='plays for', head_entity='Ajax')",
    "union": "set_union(set1=get_information(relation='plays for'), set2='Bob')",
    "difference": "set_difference(set1=get_information(relation='plays for'), set2='Ajax')",
    "negation": "set_negation(set=get_information(relation='plays for', tail_entity='Ajax'))",
    "kept": "keep(set=get_information(relation='plays for', key='time'), value>='1995')",
    "sorted": "first(set=sort(set=get_information(relation='plays for'), order='descending'))",
    "greatest": "max(set=get_information(relation='Points'))",
    "rows": "argmax(set=get_information(relation='Club', tail_entity='Ajax'), relation='Points')",
    "rows_beside": "next_row(set=get_information(relation='Club', tail_entity='Ajax'))",
    "comparison_with_a_note": "get_information(relation='Points', tail_entity>'5')",
    "arithmetic": "subtract(value1=max(set=get_information(relation='Points')), value2='2')",
    "most_often": "get_information(relation='plays for', tail_entity>='most')",
    "count_of_repeated_elements": "count(set=get_information(relation='Points', tail_entity>'5'))",
    "carriers_that_are_nodes_and_relationships": "max(set_union(get_information(relation='Points'), '7'))",
    "first_two": "first(set=sort(set=get_information(relation='Points'), order='descending'), n='2')",
    "texts": "keep(set=get_information(relation='Club'), contains='a', ends_with='x')",
    "items": "nth(set=items(set=get_information(relation='Club'), separator='t'), n='2')",
    "number_inside": "extract_number(set=get_information(relation='Points'))",
    "month": "extract_month(set=get_information(relation='plays for', key='start_time'))",
    "longest_run": "max(longest_run(set=heads(source='clubs')))",
    "exists": "exists(set=get_information(relation='plays for', tail_entity='Ajax'))",
    "median": "median(set=get_information(relation='Points'))",
    "path": "reach(head_entity='Bob', relation='knows', at_most='2')",
    "count_of_a_path": "count(set=reach(head_entity='Bob', relation='knows'))",
    "count_of_a_union": "count(set_union(get_information(relation='knows'), get_information(relation='Club')))",
    "path_to_values": "max(set=reach(head_entity='Cid', relation='plays for', at_most='1'))",
    "numbers_for_each": "max(set=for_each(set=get_information(relation='plays for'), "
    "value=count(set=get_information(relation='plays for', tail_entity=each))))",
    "groups": "sort(set=group(by='Club', of='Points', function='sum'), order='descending')",
    "groups_by_what_is_called": "group(by=get_information(head_entity=each, relation='plays for'), of='knows')",
    "records": "select(set=get_information(relation='Points', tail_entity>'5'), 'Club', count(set=each))",
    "all_relations": "get_information(relation='Club')",
}


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    from tests.conftest import wipe

    wipe(shared_db)
    folder = tmp_path_factory.mktemp("sources")
    (folder / "players.tsv").write_text(FACTS, encoding="utf-8")
    store = Store(shared_db)
    store.load_tkg(folder / "players.tsv", header=False)
    for name in ("clubs", "more clubs"):
        (folder / f"{name}.csv").write_text(TABLE, encoding="utf-8")
        store.load_table(folder / f"{name}.csv")
    return store


@pytest.mark.parametrize("program", share(PROGRAMS.values(), 5), ids=PROGRAMS)
def test_the_answer_and_its_notes_are_the_same_with_evidence(store: Store, program: str) -> None:
    proved, plain = (
        execute(store.db, store.compile(program, evidence=evidence).statement) for evidence in (True, False)
    )
    assert (proved.answer, proved.rows, proved.sizes, proved.steps, proved.notes, proved.origins) == (
        (plain.answer, plain.rows, plain.sizes, plain.steps, plain.notes, plain.origins)
    )
    assert plain.evidence == ()


def test_a_count_is_a_statement_as_a_person_would_write_it(store: Store) -> None:
    program = "count(set=get_information(relation='plays for', tail_entity='Ajax'))"
    text = store.compile(program, ["players"], evidence=False).statement.text
    assert len(text.splitlines()) <= 8
    assert "CALL" not in text
