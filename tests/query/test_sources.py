"""Several sources asked together: which of them a call means, and what is told where its elements come from several."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from cgstore import q
from cgstore.cypher.connection import Database
from cgstore.model import Answer
from cgstore.query.parse import ProgramError
from cgstore.query.sources import source_named_after
from cgstore.store import Store
from tests.conftest import wipe
from tests.query.interpreter import interpret
from tests.query.interpreter_graph import Graph, kg, of_evidence, table, union

TABLES = {
    "shops": [
        ("id", "name", "city", "customer_id", "owner"),
        ("1", "Shop A", "Ulm", "5", "1"),
        ("2", "Shop B", "Bonn", "6", "2"),
        ("3", "Shop C", "Ulm", "2", "2"),
        ("4", "Shop D", "Kiel", "1", "5"),
    ],
    "customers": [
        ("id", "name", "city", "age"),
        ("1", "Alpha", "Kiel", "30"),
        ("2", "Beta", "Bonn", "41"),
        ("5", "Gamma", "Ulm", "52"),
        ("6", "Delta", "Essen", "25"),
    ],
    "orders": [("id", "customer_id", "shop_id", "amount"), ("10", "2", "3", "7"), ("11", "2", "1", "5")],
}
FACTS = [("Beta", "name", "Beta Inc"), ("Ulm", "country", "Germany"), ("Beta", "lives in", "Ulm")]
MORE = [("Beta", "lives in", "Ulm"), ("Ulm", "country", "FRG")]

GRAPH: Graph = union(
    [table(name, rows[0], rows[1:]) for name, rows in TABLES.items()] + [kg("firms", FACTS), kg("places", MORE)]
)
SHOPS = ["customers", "shops"]


def test_a_count_over_several_sources_tells_both_sources_and_repeats(store: Store) -> None:
    answer = store.query("count(set=get_information(relation='city'))", SHOPS)
    assert answer.answer == (4,)
    said = " ".join(answer.warnings)
    assert "together they stand 8 times" in said and "in 'customers'" in said and "in 'shops'" in said


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder: Path = tmp_path_factory.mktemp("sources")
    wipe(shared_db)
    store = Store(shared_db)
    for name, rows in TABLES.items():
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
        store.load_table(folder / f"{name}.csv", header=True)
    for name, triples in (("firms", FACTS), ("places", MORE)):
        (folder / f"{name}.tsv").write_text("".join("\t".join(t) + "\n" for t in triples), encoding="utf-8")
        store.load_kg(folder / f"{name}.tsv", header=False)
    return store


def told(store: Store, program: str, sources: list[str] | None = None) -> Answer:
    """The answer, which is also the interpreter's, and which its evidence proves."""
    answer = store.query(program, sources)
    asked = GRAPH.asked(sources or [source.name for source in store.sources()])
    assert answer.answer == interpret(asked, program).answer, program
    assert set(interpret(of_evidence(answer.evidence, asked), program).answer) == set(answer.answer), program
    return answer


CUSTOMER = "get_information(relation='customer_id', key='name', value='Shop C')\n"
OWNER = "get_information(relation='owner', key='name', value='Shop C')\n"


def test_a_column_named_after_a_source_leads_to_it(store: Store) -> None:
    answer = told(store, CUSTOMER + "get_information(relation='name', key='id', value='output_of_query1')")
    assert answer.answer == ("Beta",)
    (note,) = answer.warnings
    assert "'id' is taken for that of 'customers' alone, which 'customer_id' is named after" in note
    assert "'orders' and 'shops' have it too" in note


def test_a_source_without_the_relation_sought_is_not_taken_alone(store: Store) -> None:
    answer = told(store, CUSTOMER + "get_information(relation='owner', key='id', value='output_of_query1')")
    assert answer.answer == ("2",)
    assert not any("is taken for" in note for note in answer.warnings)


def test_values_kept_and_chosen_still_lead_to_the_source(store: Store) -> None:
    program = CUSTOMER + "max(set='output_of_query1')\nget_information(relation='id', tail_entity='output_of_query2')"
    assert told(store, program, SHOPS).steps[-1].endswith("1: [line_2]")


def test_a_value_that_may_be_a_key_of_several_sources_finds_all_of_them_and_says_so(store: Store) -> None:
    answer = told(store, OWNER + "get_information(relation='name', key='id', value='output_of_query1')", SHOPS)
    assert answer.answer == ("Beta", "Shop B")
    assert answer.warnings == (
        "Query 2 found 1 in 'customers' (Beta) and 1 in 'shops' (Shop B). "
        "To ask one source alone, write source='customers' into the call.",
    )


def test_a_call_without_the_argument_source_says_to_choose_the_sources(store: Store) -> None:
    (note,) = store.query("group(by='city')").warnings
    assert note.endswith("To ask one source alone, give `sources=`.") and "source=" not in note


@pytest.mark.parametrize(("source", "name"), [("customers", "Beta"), ("shops", "Shop B")])
def test_a_call_of_one_source_finds_nothing_in_another(store: Store, source: str, name: str) -> None:
    said = f"get_information(relation='name', key='id', value='output_of_query1', source='{source}')"
    answer = told(store, OWNER + said)
    assert (answer.answer, answer.warnings) == ((name,), ())


@pytest.mark.parametrize(
    "program",
    [
        "get_information(head_entity='2', relation='name', {})",
        "get_information(head_entity='Beta', {})",
        "get_information(tail_entity='2', {})",
        "get_information(head_entity='[line_2]', relation='name', {})",
        "get_information(relation='row_number', tail_entity>='max', {})",
        "get_information(head_entity='2', tail_entity='Bonn', {})",
        "get_information(relation=get_information(head_entity='2', {}), tail_entity='Bonn')",
        "next_row(set=get_information(relation='id', tail_entity='2', {}))",
        "count(set=get_information(relation='city', {}))",
        "{{name}}\nget_information(relation='id', value>'1', {})",
        "compare(count(get_information(head_entity='[line_2]', {0})), count(get_information(head_entity='Beta', {0})))",
    ],
)
def test_every_way_to_ask_can_be_asked_of_one_source(store: Store, program: str) -> None:
    for source in SHOPS:
        answer = told(store, program.format(f"source='{source}'"))
        assert not [warning for warning in answer.warnings if "ask one source" in warning or " alone" in warning]
        assert {each.source for each in answer.evidence} <= {source}


def test_relations_of_an_output_are_those_of_the_source_that_a_call_says(store: Store) -> None:
    program = "get_information(relation=get_information(head_entity='2'), tail_entity='Bonn', source='shops')"
    assert {each.source for each in told(store, program, SHOPS).evidence if each.node2 == "Bonn"} == {"shops"}


def test_an_entity_that_is_a_tail_stands_for_heads_of_the_source_that_a_call_says(store: Store) -> None:
    told(store, "get_information(head_entity='Ulm', relation='lives in', source='firms')", ["firms", "places"])


def test_a_built_call_says_its_source(store: Store) -> None:
    answer = store.query(q.get_information(relation="name", key="id", value="2", source="shops"))
    assert answer.answer == ("Shop B",)


def test_a_source_that_is_not_asked_is_an_error_that_names_the_nearest(store: Store) -> None:
    with pytest.raises(ProgramError, match="no source asked is named 'shop'") as error:
        store.query("get_information(relation='name', source='shop')")
    assert error.value.hint == "Did you mean 'shops'?"
    with pytest.raises(ProgramError, match="no source asked is named 'orders'") as error:
        store.query("get_information(relation='name', source='orders')", SHOPS)
    assert error.value.hint == "The sources asked: 'customers' and 'shops'."


def test_a_name_in_a_call_of_one_source_is_that_of_this_source(store: Store) -> None:
    with pytest.raises(ProgramError, match="no relation is named 'age'"):
        store.query("get_information(relation='age', source='shops')", exact=True)


def test_rows_before_and_after_stay_in_their_table(store: Store) -> None:
    program = "next_row(set=get_information(relation='name', tail_entity='Shop B'))\n"
    named = "get_information(head_entity='output_of_query1', relation='name')"
    assert told(store, program + named, SHOPS).answer == ("Shop C",)
    both = "previous_row(set=get_information(relation='city', tail_entity='Bonn'))\n"
    assert told(store, both + named, SHOPS).answer == ("Alpha", "Shop A")


@pytest.mark.parametrize("function", ["count", "sum", "max", "argmax"])
def test_what_is_taken_together_of_several_sources_is_told(store: Store, function: str) -> None:
    warnings = told(store, f"{function}(set=get_information(relation='id'))", SHOPS).warnings
    (note,) = [warning for warning in warnings if "source" in warning]
    assert note.startswith(
        "Query 1 found 4 in 'customers' (1, 2, 5, ...) and 4 in 'shops' (1, 2, 3, ...), "
        f"and its {function} is of all of these."
    )


def test_a_call_with_columns_of_two_tables_says_that_no_row_has_both(store: Store) -> None:
    answer = store.query("get_information(relation='age', key='amount', value='5')", ["customers", "orders"])
    assert answer.answer == ()
    assert answer.warnings[0].startswith(
        "Query 1: 'age' is a column of 'customers' and 'amount' is a column of 'orders'"
    )


def test_a_column_that_no_table_has_is_an_error_that_lists_some(store: Store) -> None:
    with pytest.raises(ProgramError) as error:
        store.query("get_information(relation='xylophone')", ["orders"])
    assert error.value.hint == "There are: 'amount', 'customer_id', 'id' and 1 more."


def test_a_negation_says_that_it_is_of_all_sources(store: Store) -> None:
    (note,) = told(store, "set_negation(set=get_information(relation='age', tail_entity='41'))", SHOPS).warnings
    assert "set_negation takes the heads of all sources asked: 'customers' and 'shops'" in note


def test_rows_and_entities_are_told_apart(store: Store) -> None:
    answer = told(store, "get_information(head_entity='Beta', relation='name')")
    assert answer.answer == ("Beta", "Beta Inc")
    assert "1 in 'customers' (Beta) and 1 in 'firms' (Beta Inc)" in answer.warnings[0]


def test_nothing_is_told_where_sources_agree_or_one_alone_has_the_answer(store: Store) -> None:
    graphs = ["firms", "places"]
    assert told(store, "get_information(head_entity='Beta', relation='lives in')", graphs).warnings == ()
    assert told(store, "get_information(relation='age', key='city', value='Ulm')").warnings == ()
    assert told(store, "get_information(relation='name', key='id', value='2')", ["shops"]).warnings == ()


def test_rows_are_told_by_what_is_asked_of_them(store: Store) -> None:
    program = (
        "get_information(relation='id', tail_entity='2')\nget_information(head_entity='output_of_query1', relation="
    )
    assert told(store, program + "'age')", SHOPS).warnings == ()
    (note,) = told(store, program + "'name')", SHOPS).warnings
    assert note.startswith("Query 2 found 1 in 'customers' (Beta) and 1 in 'shops' (Shop B).")
    assert len(told(store, program + "'age')\ncount(set='output_of_query1')", SHOPS).warnings) == 1


def test_values_of_a_type_in_braces_are_told(store: Store) -> None:
    program = "{country}\nget_information(head_entity='Beta', relation='lives in')"
    (note,) = told(store, program, ["firms", "places"]).warnings
    assert note.startswith("The type in braces found 1 in 'firms' (Germany) and 1 in 'places' (FRG).")


def test_values_that_argmax_asks_for_are_told(store: Store) -> None:
    program = "argmax(set=get_information(head_entity='Beta', relation='lives in'), relation='country')"
    note = told(store, program, ["firms", "places"]).warnings[-1]
    assert note.startswith("Query 1 found 1 in 'firms' (Germany) and 1 in 'places' (FRG), and its argmax is of all")


def test_sources_that_do_not_agree_are_told(store: Store) -> None:
    (note,) = told(store, "get_information(head_entity='Ulm', relation='country')", ["firms", "places"]).warnings
    assert "1 in 'firms' (Germany) and 1 in 'places' (FRG)" in note


@pytest.mark.parametrize(
    ("column", "key", "source"),
    [
        ("customer_id", "id", "customers"),
        ("CustomerId", "ID", "customers"),
        ("customer", "name", "customers"),
        ("city id", "id", "cities"),
        ("owner", "id", None),
        ("id", "id", None),
    ],
)
def test_a_column_is_named_after_a_source_in_the_singular_or_the_plural(
    column: str, key: str, source: str | None
) -> None:
    assert source_named_after(column, [key], ["customers", "cities", "shops"]) == source


def test_a_column_is_named_after_no_source_where_it_may_be_after_two() -> None:
    assert source_named_after("shop_id", ["id"], ["shop", "shops"]) is None
