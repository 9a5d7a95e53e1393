"""Numbers for each element, groups and records, against a real Neo4j."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import Database
from cgstore.cypher.run import execute
from cgstore.model import Answer
from cgstore.query.parse import ProgramError
from cgstore.store import Store
from tests.conftest import wipe

MATCHES = """\
club,opponent,goals,against,date,coach
Ulm,Bonn,3,1,2004-03-05,Ada
Ulm,Kiel,2,2,2004-04-11,Ada
Bonn,Kiel,5,0,2005-03-06,Bea
Bonn,Ulm,,1,2005-06-01,Bea
Kiel,Ulm,4,4,2005-07-07,
Jena,Ulm,n/a,0,,Cid
"""
COACHES = "name,town\nAda,Ulm\nBea,Rom\nCid,Ulm\n"
RIVERS = """\
Rhine\tflows through\tGermany
Rhine\tflows through\tSwitzerland
Rhine\tflows through\tNetherlands
Danube\tflows through\tGermany
Danube\tflows through\tAustria
Danube\tflows through\tHungary
Danube\tflows through\tSerbia
Thames\tflows through\tEngland
Thames\tflows into\tNorth Sea
Rhine\tflows into\tNorth Sea
Rhine\tlength\t1233
Danube\tflows into\tBlack Sea
Danube\tlength\t2850
"""
OF_EACH = "get_information(head_entity=each"
ROWS = "get_information(key='row_number', value>'0', source='matches')"
MARGINS = f"for_each(set={ROWS}, value=subtract('goals', 'against'))"


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    folder = tmp_path_factory.mktemp("sources")
    store = Store(shared_db)
    for name, text in (("matches", MATCHES), ("coaches", COACHES)):
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
        store.load_table(folder / f"{name}.csv")
    (folder / "rivers.tsv").write_text(RIVERS, encoding="utf-8")
    store.load_kg(folder / "rivers.tsv", header=False)
    return store


def of_matches(store: Store, program: str) -> Answer:
    return store.query(program, ["matches"])


def notes(answer: Answer) -> str:
    return " ".join((*answer.warnings, *answer.details))


# For each element -----------------------------------------------------------------------------------------------------


def test_each_row_has_the_number_of_its_own_cells(store: Store) -> None:
    answer = of_matches(store, MARGINS)
    assert answer.rows == (("[line_1]", 2), ("[line_2]", 0), ("[line_3]", 5), ("[line_5]", 0))
    assert answer.answer == ("[line_1]", "[line_2]", "[line_3]", "[line_5]")
    assert "of 6 elements, 2 with no single number were left out" in notes(answer)


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        ("'goals'", (("[line_1]", "3"), ("[line_2]", "2"), ("[line_3]", "5"), ("[line_5]", "4"))),
        ("multiply('goals', '2')", (("[line_1]", 6), ("[line_2]", 4), ("[line_3]", 10), ("[line_5]", 8))),
        ("divide('goals', 'against')", (("[line_1]", 3), ("[line_2]", 1), ("[line_5]", 1))),
    ],
)
def test_columns_of_each_row_are_read_without_a_subquery_for_each(
    store: Store, value: str, rows: tuple[tuple[object, ...], ...]
) -> None:
    program = f"for_each(set={ROWS}, value={value})"
    assert "CALL (x" not in store.compile(program, ["matches"], evidence=False).statement.text
    assert of_matches(store, program).rows == rows


def test_the_number_of_an_element_is_what_extremes_compare(store: Store) -> None:
    assert of_matches(store, f"argmin(set={MARGINS})").rows == (("[line_2]", 0), ("[line_5]", 0))
    assert of_matches(store, f"get_information(relation='club', head_entity=argmax(set={MARGINS}))").answer == ("Bonn",)


def test_max_of_a_tie_says_so(store: Store) -> None:
    answer = of_matches(store, f"min(set={MARGINS})")
    assert answer.rows == (("[line_2]", 0),)
    assert "1 other element has the same number; argmax and argmin give all of them." in notes(answer)


def test_a_call_without_each_is_planned_once(store: Store) -> None:
    plan = store.compile(f"for_each(set={ROWS}, value=subtract('goals', mean(get_information(relation='goals'))))").plan
    assert [str(plan.steps[step]).partition("(")[0] for step in sorted(plan.repeated)] == [
        "each of step 1",
        "search_node",
        "subtract",
    ]


def test_each_of_a_set_with_numbers_has_its_number(store: Store) -> None:
    program = "group(by='club')\nfor_each(set='output_of_query1', value=divide(each, sum('output_of_query1')))"
    assert of_matches(store, program).rows[0] == ("Bonn", pytest.approx(1 / 3))


GOALS = "get_information(head_entity=each, relation='goals')"
MORE = "count(get_information(key='goals', value>{}, source='matches'))"
NONE = "the right side of a comparison has no number, so that nothing satisfies it, and a count is 0."


@pytest.mark.parametrize(
    ("program", "note"),
    [
        (f"for_each(set={ROWS}, value=add({MORE.format(GOALS)}, '1'))", f"Query 1: for 2 elements, {NONE}"),
        (f"select(set={ROWS}, column=add({MORE.format(GOALS)}, '1'))", f"Query 1: for 2 elements, {NONE}"),
        (f"for_each(set=get_information(relation='goals'), value={MORE.format('each')})", f"for 2 elements, {NONE}"),
        (f"for_each(set=heads(relation='against'), value={MORE.format('max(' + GOALS + ')')})", NONE),
        (
            "get_information(relation='goals', key='club', value='Jena')\n"
            "count(get_information(key='goals', value>'output_of_query1'))\nadd('output_of_query2', '1')",
            "Query 2: what stands on the right side of a comparison has no number, so that nothing satisfies it.",
        ),
        (
            "get_information(relation='goals', key='club', value='Jena')\n"
            "count(keep(get_information(relation='against'), value>'output_of_query1'))",
            "Query 2: what stands on the right side of a comparison has no number, so that nothing satisfies it.",
        ),
    ],
)
def test_a_rank_by_hand_of_what_has_no_number_has_a_note(store: Store, program: str, note: str) -> None:
    assert any(warning.endswith(note) for warning in of_matches(store, program).warnings)


@pytest.mark.parametrize(
    "program",
    [
        f"for_each(set=keep(set=for_each(set={ROWS}, value='goals'), value>'2'), value={MORE.format(GOALS)})",
        "count(get_information(key='goals', value>get_information(relation='goals', key='club', value='Kiel')))",
        "get_information(key='goals', value>get_information(relation='goals', key='club', value='Jena'))",
    ],
)
def test_a_comparison_with_a_number_or_without_an_answer_has_no_such_note(store: Store, program: str) -> None:
    assert not any("right side" in warning for warning in of_matches(store, program).warnings)


def test_a_number_that_was_read_from_a_value_is_shown_as_the_value(store: Store) -> None:
    last = "max(get_information(relation='date', key='club', value=each))"
    program = f"for_each(set=get_information(relation='club'), value={last})"
    assert of_matches(store, program).rows == (("Bonn", "2005-06-01"), ("Kiel", "2005-07-07"), ("Ulm", "2004-04-11"))


# Groups ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "rows"),
    [
        ("group(by='club')", [("Bonn", 2), ("Jena", 1), ("Kiel", 1), ("Ulm", 2)]),
        ("group(by='club', of='goals', function='sum')", [("Bonn", 5), ("Kiel", 4), ("Ulm", 5)]),
        ("group(by='club', of='goals', function='mean')", [("Bonn", 5), ("Kiel", 4), ("Ulm", 2.5)]),
        ("group(by='club', of='goals', function='min')", [("Bonn", "5"), ("Kiel", "4"), ("Ulm", "2")]),
        ("group(by='club', of='goals', function='max')", [("Bonn", "5"), ("Kiel", "4"), ("Ulm", "3")]),
        ("group(by='club', of='goals', function='median')", [("Bonn", 5), ("Kiel", 4), ("Ulm", 2.5)]),
        (
            "group(by='club', of='against', function='standard_deviation')",
            [("Bonn", 0.707106781187), ("Ulm", 0.707106781187)],
        ),
        ("group(by='club', of='opponent', function='count')", [("Bonn", 2), ("Jena", 1), ("Kiel", 1), ("Ulm", 2)]),
        (
            "group(by='club', of='date', function='max')",
            [("Bonn", "2005-06-01"), ("Kiel", "2005-07-07"), ("Ulm", "2004-04-11")],
        ),
        ("keep(set=group(by='club'), value>'1')", [("Bonn", 2), ("Ulm", 2)]),
        ("sort(set=group(by='club'), order='descending')", [("Ulm", 2), ("Bonn", 2), ("Kiel", 1), ("Jena", 1)]),
        ("first(set=sort(set=group(by='club'), order='descending'))", [("Ulm", 2)]),
        (
            "group(by=extract_year(get_information(head_entity=each, relation='date')), of='club')",
            [(2004, 1), (2005, 2)],
        ),
        ("group(by=extract_year('date'))", [(2004, 2), (2005, 3)]),
        ("group(by=extract_year('date'), of='goals', function='max')", [(2004, "3"), (2005, "5")]),
        (
            "group(by=extract_year_month('date'))",
            [("2004-03", 1), ("2004-04", 1), ("2005-03", 1), ("2005-06", 1), ("2005-07", 1)],
        ),
        ("argmax(group(by=extract_year_month('date'), of='goals', function='sum'))", [("2005-03", 5)]),
        ("group(by=extract_weekday('date'))", [("Friday", 1), ("Sunday", 2), ("Thursday", 1), ("Wednesday", 1)]),
        ("group(by=extract_number('goals', which='last'))", [(2, 1), (3, 1), (4, 1), (5, 1)]),
        (
            "group(by=fold('club'), set=get_information(relation='date', tail_entity>='2005'))",
            [("bonn", 2), ("kiel", 1)],
        ),
        ("keep(set=group(by=fold('coach'), of='against', function='sum'), value>'2')", [("", 4), ("ada", 3)]),
        ("group(by=extract_month('date'), of='goals', function='sum')", [(3, 8), (4, 2), (7, 4)]),
        ("group(by='opponent', set=get_information(relation='club', tail_entity='Ulm'))", [("Bonn", 1), ("Kiel", 1)]),
        ("group(by='club', set=" + MARGINS + ", function='sum')", [("Bonn", 5), ("Kiel", 0), ("Ulm", 2)]),
    ],
)
def test_groups(store: Store, program: str, rows: list[tuple[object, ...]]) -> None:
    assert list(of_matches(store, program).rows) == rows


@pytest.mark.parametrize(
    ("source", "by", "heads"),
    [
        ("matches", "'club'", 6),
        ("matches", "extract_year('date')", 6),
        ("matches", "fold('club')", 6),
        ("rivers", "'flows through'", 3),
    ],
)
def test_the_heads_that_one_scan_groups_are_counted_once_and_shown(
    store: Store, source: str, by: str, heads: int
) -> None:
    program = f"group(by={by})"
    assert "size1" in store.compile(program, [source]).statement.text
    whole = execute(store.db, store.compile(program, [source]).statement)
    assert (whole.sizes[0], len(whole.steps[0])) == (heads, heads)
    assert store.query(program, [source]).steps[0].partition(" -> ")[2].startswith(f"{heads}: ")


def test_heads_that_another_query_uses_too_are_found_apart(store: Store) -> None:
    program = "heads(relation='club')\ngroup(by='club', set='output_of_query1')\ncount(set='output_of_query1')"
    assert of_matches(store, program).answer == (6,)
    assert "size1" not in store.compile(program, ["matches"]).statement.text


def test_heads_by_how_many_facts_they_have(store: Store) -> None:
    answer = store.query("argmax(set=group(by=each, of='flows through', function='count'))", ["rivers"])
    assert (answer.answer, answer.rows, answer.columns) == (
        ("Danube",),
        (("Danube", 4),),
        ("element", "count of flows through"),
    )


def test_a_column_of_groups_says_what_they_were_worked_out_by(store: Store) -> None:
    assert of_matches(store, "group(by=extract_year('date'))").columns == ("extract_year('date')", "count")
    assert of_matches(store, "keep(set=group(by='club'), value>'0')").columns == ("club", "count")


def test_a_group_may_be_looked_up_in_another_source(store: Store) -> None:
    town = "get_information(relation='town', key='name', value=get_information(head_entity=each, relation='coach'))"
    answer = store.query(f"group(of='against', function='sum', by={town})", ["matches", "coaches"])
    assert answer.rows == (("Rom", 1), ("Ulm", 3))
    assert {each.source for each in answer.evidence} == {"matches", "coaches"}


def test_notes_say_what_no_group_has(store: Store) -> None:
    answer = of_matches(store, "group(by='club', of='goals', function='sum')")
    assert "1 group has no number: left out. 2 values of 'goals' that are not numbers" in notes(answer)
    answer = of_matches(store, "group(by=extract_year(get_information(head_entity=each, relation='date')), of='club')")
    assert "1 element has nothing to group it by: left out." in notes(answer)
    answer = of_matches(store, "group(by=extract_year('date'), set=heads(relation='club'))")
    assert "1 element has nothing to group it by: left out." in notes(answer)


def test_a_note_counts_the_elements_that_have_nothing_to_sum(store: Store) -> None:
    answer = of_matches(store, "group(by='coach', of=subtract('goals', 'against'), function='sum')")
    assert answer.rows == (("", 0), ("Ada", 2), ("Bea", 5))
    note = "1 group has no number: left out. In groups that have a number, 1 element has none: left out."
    assert note in notes(answer)


def test_a_note_counts_the_heads_without_a_fact_of_a_relation(store: Store) -> None:
    answer = store.query("group(by='flows into', of='length', function='mean')", ["rivers"])
    assert answer.rows == (("Black Sea", 2850), ("North Sea", 1233))
    assert "Query 1: in groups that have a number, 1 element has none: left out." in notes(answer)


def test_the_evidence_of_a_group_is_that_of_its_heads_alone(store: Store) -> None:
    answer = of_matches(store, "keep(set=group(by='club', of='goals', function='sum'), value='4')")
    assert {(each.node1, each.node2, *each.condition) for each in answer.evidence} == {
        ("club", "Kiel", "[line_5]"),
        ("goals", "4", "[line_5]"),
    }


def test_the_evidence_of_a_group_by_what_is_worked_out_is_the_values_that_it_is_worked_out_of(store: Store) -> None:
    answer = of_matches(store, "keep(set=group(by=extract_year('date'), of='against', function='sum'), value='3')")
    assert (answer.rows, {(each.node1, each.node2, *each.condition) for each in answer.evidence}) == (
        ((2004, 3),),
        {
            ("date", "2004-03-05", "[line_1]"),
            ("date", "2004-04-11", "[line_2]"),
            ("against", "1", "[line_1]"),
            ("against", "2", "[line_2]"),
        },
    )


def test_elsewhere_a_set_with_numbers_is_its_elements(store: Store) -> None:
    assert of_matches(store, "count(set=group(by='club'))").answer == (4,)
    union = of_matches(store, "set_union(set1=keep(set=group(by='club'), value>'1'), set2='Kiel')")
    assert (sorted(map(str, union.answer)), union.rows) == (["Bonn", "Kiel", "Ulm"], ())
    assert of_matches(store, "{coach} group(by='club')").rows == ()


def test_numbers_of_groups_are_summed_and_compared(store: Store) -> None:
    assert of_matches(store, "sum(set=group(by='club'))").answer == (6,)
    assert of_matches(store, "to_number(set=max(set=group(by='club', of='against', function='sum')))").answer == (4,)


# Records --------------------------------------------------------------------------------------------------------------


def test_records_have_a_field_for_each_column(store: Store) -> None:
    answer = of_matches(store, "select(set=get_information(relation='club', tail_entity='Bonn'), 'opponent', 'goals')")
    assert answer.columns == ("opponent", "goals")
    assert answer.rows == (("Kiel", "5"), ("Ulm", ""))
    assert answer.answer == ("Kiel | 5", "Ulm | ")
    assert list(answer.to_frame().columns) == ["opponent", "goals"]


def test_a_record_of_what_is_no_row_begins_with_the_element(store: Store) -> None:
    answer = store.query(
        "select(set=heads_of, 'flows through')".replace(
            "heads_of", "get_information(relation='flows through', tail_entity='Germany')"
        ),
        ["rivers"],
    )
    assert answer.rows[1] == ("Rhine", ("Germany", "Netherlands", "Switzerland"))
    assert answer.answer[1] == "Rhine | Germany; Netherlands; Switzerland"


def test_the_number_of_an_element_is_the_last_field(store: Store) -> None:
    opponents = "count(set=get_information(relation='opponent', key='club', value=each))"
    answer = of_matches(store, f"select(set=sort(set=group(by='club')), {opponents})")
    assert answer.rows == (("Jena", 1, 1), ("Kiel", 1, 1), ("Bonn", 2, 2), ("Ulm", 2, 2))


def test_a_missing_fact_is_an_empty_field(store: Store) -> None:
    answer = of_matches(store, "select(set=literals(set='Ulm', set='Bonn'), 'goals')")
    assert answer.rows == (("Bonn", None), ("Ulm", None))
    assert "no element has a value under 'goals'" in notes(answer)


def test_a_limit_of_answers_counts_all_records(store: Store) -> None:
    answer = store.query(f"select(set={ROWS}, 'club')", ["matches"], limit=2)
    assert (answer.rows, "6 answers; the first 2 are given." in notes(answer)) == ((("Ulm",), ("Ulm",)), True)


# What is refused ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "problem"),
    [
        ("group(by='club', of='goals', function='sums')", "'sums' is not a function of a group"),
        ("group(by='club', function='sum')", "group needs of=... for its sum"),
        ("group(by=count(set=each))", "group needs the set of heads that it groups"),
        (f"for_each(set={ROWS}, value=for_each(set=each, value='goals'))", "for_each cannot be run for each element"),
        (f"for_each(set={ROWS}, value=set_negation(set=each))", "set_negation cannot be run for each element"),
        (f"for_each(set={ROWS}, value=my_own(each))", "there is no function 'my_own'"),
        (f"for_each(set={ROWS}, value=equals('Ulm', 'Bonn'))", "for_each's value cannot be words"),
        (f"count(set=select(set={ROWS}, 'club'))", "select stands last"),
        ("select(set=get_information(relation='club'))", "select needs a column"),
        ("min(set1=group(by='club'), set2=group(by='opponent'))", "min takes one set with numbers of its own"),
        (f"first(set=for_each(set=sort(set={ROWS}), value='goals'))", "the order of sort is lost before first"),
    ],
)
def test_what_has_no_meaning_is_refused(store: Store, program: str, problem: str) -> None:
    with pytest.raises(ProgramError, match=problem.replace("(", r"\(").replace(".", r"\.")):
        of_matches(store, program)


def test_a_sum_of_worked_out_numbers_says_that_equal_ones_count_once(store: Store) -> None:
    answer = of_matches(store, "sum(set=to_number(set=get_information(relation='against')))")
    assert answer.answer == (7,)
    assert "equal ones count once" in notes(answer)
    assert "equal ones count once" not in notes(of_matches(store, "sum(set=get_information(relation='against'))"))
