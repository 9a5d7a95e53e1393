"""Programs over the sources of `corpus`: what each gives, what its notes say, and what is refused.

`programs/*.jsonl` has them. Each answer is also that of the second interpreter, and its evidence alone gives it again.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cgstore import q
from cgstore.cypher.connection import Database
from cgstore.query.parse import ProgramError
from cgstore.query.sources import source_named_after
from cgstore.store import Store
from tests.query.corpus import cases, load, whole
from tests.query.interpreter import interpret
from tests.query.interpreter_graph import Graph, of_evidence
from tests.query.test_differential import elements_of, has_rows, rounded, shown_of
from tests.share import share

Case = dict[str, Any]

GIVEN = [case for case in cases() if "error" not in case]
REFUSED = [case for case in cases() if "error" in case]

CLUB = "get_information(relation='Club')"
ROWS = "get_information(key='row_number', value>'0', source='matches')"


@pytest.fixture(scope="module")
def store(shared_db: Database) -> Store:
    return load(shared_db)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return whole()


def plain(value: Any) -> Any:
    """A part of an answer as JSON has it; numbers to nine digits, and examples in a note in one order."""
    if isinstance(value, (tuple, list)):
        return [plain(each) for each in value]
    if isinstance(value, str):
        return re.sub(r"(?<=such as )'.*?'(?=\))", lambda found: ", ".join(sorted(found[0].split(", "))), value)
    return value if value is None else rounded(value)


def asked(case: Case) -> str:
    return f"{'+'.join(case['sources'])}: {case['program']}"


@pytest.mark.parametrize("case", GIVEN, ids=asked)
def test_a_program_means_what_the_language_page_says(store: Store, graph: Graph, case: Case) -> None:
    program, sources = case["program"], case["sources"]
    answer = store.query(program, sources)
    for part in {"answer", "rows", "columns", "periods", "warnings", "details"} & case.keys():
        assert plain(getattr(answer, part)) == plain(case[part]), part
    notes = " ".join(map(plain, (*answer.warnings, *answer.details)))
    assert [note for note in case.get("notes", ()) if plain(note) not in notes] == [], notes
    assert [note for note in case.get("without", ()) if note in notes] == [], notes
    assert {triple.source for triple in answer.evidence} <= set(case.get("of", sources))
    if case.get("interpreted", set(sources) <= set(graph.sources)):
        among = graph.asked(sources)
        given = shown_of(answer, has_rows(answer))
        assert given == elements_of(interpret(among, program))
        proven = elements_of(interpret(of_evidence(answer.evidence, among), program))
        assert set(map(repr, proven)) == set(map(repr, given))


@pytest.mark.parametrize("case", REFUSED, ids=asked)
def test_a_program_without_a_meaning_is_refused(store: Store, case: Case) -> None:
    with pytest.raises(ProgramError) as refused:
        store.query(case["program"], case["sources"])
    assert case["error"] in str(refused.value)
    assert case.get("hint", refused.value.hint) == refused.value.hint


@pytest.mark.parametrize("case", share(GIVEN, 30))
def test_the_answer_and_its_notes_are_the_same_without_evidence(store: Store, case: Case) -> None:
    proved, bare = (store.query(case["program"], case["sources"], evidence=each) for each in (True, False))
    for part in ("answer", "rows", "columns", "periods", "sentence", "steps", "warnings"):
        assert getattr(proved, part) == getattr(bare, part), part
    assert bare.evidence == ()


# Evidence and statements ----------------------------------------------------------------------------------------------


def test_the_evidence_of_a_group_is_that_of_its_heads_alone(store: Store) -> None:
    answer = store.query("keep(set=group(by='club', of='goals', function='sum'), value='4')", ["matches"])
    assert {(each.node1, each.node2, *each.condition) for each in answer.evidence} == {
        ("club", "Kiel", "[line_5]"),
        ("goals", "4", "[line_5]"),
    }


def test_the_evidence_of_a_group_by_what_is_worked_out_is_the_values_that_it_is_worked_out_of(store: Store) -> None:
    program = "keep(set=group(by=extract_year('date'), of='against', function='sum'), value='3')"
    answer = store.query(program, ["matches"])
    assert {(each.node1, each.node2, *each.condition) for each in answer.evidence} == {
        ("date", "2004-03-05", "[line_1]"),
        ("date", "2004-04-11", "[line_2]"),
        ("against", "1", "[line_1]"),
        ("against", "2", "[line_2]"),
    }


def test_a_limit_counts_all_answers_and_all_records(store: Store) -> None:
    records = store.query(f"select(set={ROWS}, 'club')", ["matches"], limit=2)
    assert records.rows == (("Ulm",), ("Ulm",))
    assert "6 answers; the first 2 are given." in " ".join(records.warnings)
    clubs = store.query(CLUB, ["games"], limit=1, evidence_limit=2)
    assert len(clubs.answer) == 1 and clubs.evidence_cut


def test_records_are_a_data_frame(store: Store) -> None:
    answer = store.query("select(set=get_information(relation='club', tail_entity='Bonn'), 'goals')", ["matches"])
    assert list(answer.to_frame().columns) == ["goals"]


@pytest.mark.parametrize(("by", "source", "heads"), [("'club'", "matches", 6), ("'flows through'", "rivers", 3)])
def test_a_group_says_how_many_heads_it_has(store: Store, by: str, source: str, heads: int) -> None:
    assert store.query(f"group(by={by})", [source]).steps[0].partition(" -> ")[2].startswith(f"{heads}: ")


@pytest.mark.parametrize("value", ["'goals'", "multiply('goals', '2')", "divide('goals', 'against')"])
def test_columns_of_each_row_are_read_without_a_subquery_for_each(store: Store, value: str) -> None:
    program = f"for_each(set={ROWS}, value={value})"
    assert "CALL (x" not in store.compile(program, ["matches"], evidence=False).statement.text


def test_a_call_without_each_is_planned_once(store: Store) -> None:
    program = f"for_each(set={ROWS}, value=subtract('goals', mean(get_information(relation='goals'))))"
    plan = store.compile(program, ["matches"]).plan
    repeated = [str(plan.steps[step]).partition("(")[0] for step in sorted(plan.repeated)]
    assert repeated == ["each of step 1", "search_node", "subtract"]


def test_a_count_is_a_statement_as_a_person_would_write_it(store: Store) -> None:
    text = store.compile(f"count(set={CLUB})", ["games"], evidence=False).statement.text
    assert len(text.splitlines()) <= 8
    assert "CALL" not in text


# Names and sources ----------------------------------------------------------------------------------------------------


def test_a_name_that_is_nearly_right_is_taken_with_a_warning(store: Store) -> None:
    program = "get_information(relation='Point', head_entity=get_information(relation='Rider', tail_entity='Bo Lundd'))"
    with pytest.raises(ProgramError, match="no relation is named 'Point'"):
        store.query(program, ["races"], exact=True)
    answer = store.query(program, ["races"])
    assert answer.answer == ("20",)
    assert [mapping.how for mapping in answer.mappings] == ["exact", "nearest", "nearest"]
    assert any("'Bo Lund'" in warning for warning in answer.warnings)


def test_the_nearest_may_be_too_far(store: Store) -> None:
    with pytest.raises(ProgramError, match="no relation is named"):
        store.query("get_information(relation='Xyzzy')", ["races"], threshold=0.5)


def test_a_name_in_a_call_of_one_source_is_that_of_this_source(store: Store) -> None:
    with pytest.raises(ProgramError, match="no relation is named 'age'"):
        store.query("get_information(relation='age', source='shops')", ["customers", "shops"], exact=True)


def test_a_built_call_says_its_source(store: Store) -> None:
    answer = store.query(q.get_information(relation="name", key="id", value="2", source="shops"))
    assert answer.answer == ("Shop B",)


@pytest.mark.parametrize(
    ("column", "key", "sources", "source"),
    [
        ("customer_id", "id", ["customers", "shops"], "customers"),
        ("CustomerId", "ID", ["customers"], "customers"),
        ("customer", "name", ["customers"], "customers"),
        ("city id", "id", ["cities"], "cities"),
        ("owner", "id", ["customers", "shops"], None),
        ("id", "id", ["customers", "shops"], None),
        ("shop_id", "id", ["shop", "shops"], None),
    ],
)
def test_a_column_is_named_after_a_source_in_the_singular_or_the_plural(
    column: str, key: str, sources: list[str], source: str | None
) -> None:
    assert source_named_after(column, [key], sources) == source


@pytest.mark.parametrize(("op", "year"), [("=", "1985"), (">=", "1985"), (">", "1986")])
def test_a_day_asked_of_years_is_taken_for_its_year_with_a_note(store: Store, op: str, year: str) -> None:
    program = "get_information(relation='worked in', key='time', value{}'{}')"
    answer = store.query(program.format(op, "1985-11-30"), ["years"])
    of_year = store.query(program.format(op if op == "=" else ">=", year), ["years"])
    assert (answer.answer, of_year.warnings) == (of_year.answer, ())
    assert "In 'years', whose times are years, '1985-11-30' was read as 1985." in answer.warnings


# Changes --------------------------------------------------------------------------------------------------------------


def test_the_rows_of_then_are_beside_each_other_as_of_then(store: Store) -> None:
    after = "next_row(get_information(relation='City', tail_entity='Linz'))"
    assert store.query(after, ["cities"], as_of="#0").answer == ("[line_4]",)
    run = "longest_run(get_information(relation='Stars', tail_entity>='3'))"
    assert store.query(run, ["cities"], as_of="#0").answer == tuple(f"[line_{number}]" for number in range(3, 8))


def test_a_description_counts_the_rows_that_are_there(store: Store) -> None:
    found = store.describe("cities")
    assert (found.rows, found.read) == (4, 4)
    described = [(column.different, column.missing, column.greatest) for column in found.relations]
    assert described == [(4, 0, ""), (4, 0, "7")]


def test_a_less_exact_start_that_a_change_brings_is_noted(db: Database, tmp_path: Path) -> None:
    path, store = tmp_path / "exact.csv", Store(db)
    path.write_text("Ann,minister of,Finance,1985-02-01,1987-03-04\n", encoding="utf-8")
    store.load_tkg(path, header=False)
    program = "get_information(relation='minister of', key='start_time', value<'1985-03-01')"
    assert store.query(program).warnings == ()
    store.append("exact", [("Dora", "minister of", "War", "1985", "1986-12-01")])
    found = store.query(program)
    assert found.answer == ("Ann", "Dora")
    assert found.warnings[0].startswith("Query 1: a time that is less exact than those beside it ('1985') was compared")
