"""The tools of an LLM that explores, over real sources: what they show is bounded, and the same each time."""

from __future__ import annotations

import json

import pytest

from cgstore.catalog.sources import ready_sources
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.llm.backends import Attempt
from cgstore.llm.backends.explore import LONGEST_RESULT, Toolbox
from cgstore.llm.chat import ToolCall
from cgstore.llm.graph_view import GraphView
from cgstore.query.external_functions import Evaluator
from cgstore.store import Store
from tests.conftest import wipe
from tests.loaders.samples import BY_DAY, write_csv

LINKS = "".join(f"Ada\thas {word}\tx\n" for word in ("height", *(f"thing {n}" for n in range(30))))
ALIASES = "Lena V.\tLena Voss\n"

RIDERS = """Rider,Team,Time,Points
Ana Berg,Blue,1:02:30,12
Bo Carls,Blue,1:03:10,9
Ida Dahl,Red,DNF,n/a
Eve "x' OR 1=1",Red,1:05:00,12
"""


POSTS = "Lena Voss\tmayor of\tOstel\t1980\t1987\nKarl Imm\tmayor of\tOstel\t1988\t1991\n"


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    folder = tmp_path_factory.mktemp("data")
    (folder / "riders.csv").write_text(RIDERS)
    (folder / "posts.tsv").write_text(POSTS)
    made = Store(shared_db)
    made.load_table(folder / "riders.csv")
    made.load_tkg(folder / "posts.tsv", header=False)
    made.load_tkg(write_csv(folder / "club.csv", BY_DAY), header=False)
    (folder / "links.tsv").write_text(LINKS)
    made.load_kg(folder / "links.tsv", header=False)
    (folder / "aliases.tsv").write_text(ALIASES)
    made.load_aliases(folder / "aliases.tsv")
    return made


def called(store: Store, tool: str, source: str, question: str = "", **arguments: object) -> str:
    """What a tool gives over one source."""

    def run(program: str, evaluate: Evaluator | None = None) -> Attempt:
        try:
            return Attempt(program, store.query(program, [source]))
        except BadInput as error:
            return Attempt(program, error=str(error))

    toolbox = Toolbox(GraphView(store.db, ready_sources(store.db, [source])), run, None, question)
    return toolbox.call(ToolCall("1", tool, json.dumps(arguments))).content


def test_names_that_contain_a_text_are_found_in_any_case(store: Store) -> None:
    assert called(store, "find_names", "riders", text="DAH") == 'names that contain it: ["Ida Dahl"]'
    assert called(store, "find_names", "posts", text="dah").startswith("Nothing in the data has a name like")
    assert 'relations: ["mayor of"]' in called(store, "find_names", "posts", text="mayor")


def test_names_are_found_by_their_aliases(store: Store) -> None:
    assert 'it is an alias of: ["Lena Voss"]' in called(store, "find_names", "posts", text="lena v")


def test_of_many_relations_those_that_fit_the_question_are_shown(store: Store) -> None:
    shown = called(store, "relations_of", "links", question="What height does Ada have?", entity="Ada").splitlines()
    assert (shown[0], len(shown)) == ('head of "has height": ["x"]', 21)
    assert shown[-1] == "and 11 more relations: give contains, a part of their names"
    few = called(store, "relations_of", "links", entity="Ada", contains="THING 29")
    assert few == 'head of "has thing 29": ["x"]'
    none = called(store, "relations_of", "links", entity="Ada", contains="weight")
    assert none == 'None of its 31 relations has a name that contains "weight".'


def test_signs_of_the_index_query_are_only_text(store: Store) -> None:
    for text in ("*", "a OR b", 'x" AND *', "~2", "(", "[a TO b]", "x' OR 1=1"):
        assert "could not be done" not in called(store, "find_names", "riders", text=text)


def test_the_values_of_a_column_come_with_their_counts_and_odd_ones(store: Store) -> None:
    assert called(store, "values_of", "riders", relation="Team") == (
        '"Team": 2 different values, in 4 facts\n  most frequent (facts): "Blue" (2), "Red" (2)'
    )
    assert called(store, "values_of", "riders", relation="points") == (
        '"Points" (read as number): 3 different values, in 4 facts\n'
        '  most frequent (facts): "12" (2), "9" (1), "n/a" (1)\n'
        '  least "9", greatest "12"\n'
        '  not read as number: "n/a"'
    )


def test_values_may_be_confined_to_those_with_a_text(store: Store) -> None:
    shown = called(store, "values_of", "riders", relation="Rider", contains="' or 1")
    assert shown.splitlines()[0] == '"Rider": 1 different value that contain "\' or 1", in 1 fact'


def test_times_that_are_kept_as_periods_are_counted_as_such(store: Store) -> None:
    assert called(store, "values_of", "club", relation="time") == (
        '"time": 4 periods, of 3 facts, from "1989-11-10" to "1997-02-28"'
    )
    assert called(store, "values_of", "club", relation="time", contains="1996") == (
        '"time": 1 period at "1996", of 1 fact, from "1996-02-01" to "1997-02-28"'
    )
    assert called(store, "values_of", "club", relation="time", contains="1995") == (
        '"time": 0 periods at "1995", of 0 facts'
    )


def test_a_time_within_a_period_is_a_name(store: Store) -> None:
    assert called(store, "find_names", "club", text="1991-05-05").startswith('names that contain it: ["1991-05-05"]')
    assert '"1995-05-05"' not in called(store, "find_names", "club", text="1995-05-05")


def test_a_relation_that_is_not_there_is_answered_by_the_nearest(store: Store) -> None:
    said = called(store, "values_of", "riders", relation="Tema")
    assert said.startswith('No column, relation or qualifier is named "Tema". The nearest: ["Team"')


def test_rows_are_shown_by_number_and_by_text(store: Store) -> None:
    columns = 'Columns: ["Rider", "Team", "Time", "Points"]'
    assert called(store, "rows", "riders", first=3) == (
        f"2 of 4 rows from row 3 on. {columns}\n"
        '[line_3] ["Ida Dahl", "Red", "DNF", "n/a"]\n'
        '[line_4] ["Eve \\"x\' OR 1=1\\"", "Red", "1:05:00", "12"]'
    )
    assert called(store, "rows", "riders", contains="blue", first="2") == (
        f'1 of 2 rows with a cell that contains "blue" from row 2 on. {columns}\n'
        '[line_2] ["Bo Carls", "Blue", "1:03:10", "9"]'
    )
    assert called(store, "rows", "riders", contains="xyz") == 'No row with a cell that contains "xyz".'
    assert called(store, "rows", "riders", first=9) == "The table has 4 rows."
    assert called(store, "rows", "riders", first="two") == "'first' must be a whole number."
    assert (
        called(store, "rows", "riders", table="drivers")
        == 'No table is named "drivers": give table, one of ["riders"].'
    )


def test_facts_come_with_their_times(store: Store) -> None:
    assert called(store, "facts_of", "posts", entity="Ostel", relation="mayor of") == (
        '"Karl Imm" | "mayor of" | "Ostel" {"end time": ["1991"], "start time": ["1988"]}\n'
        '"Lena Voss" | "mayor of" | "Ostel" {"end time": ["1987"], "start time": ["1980"]}'
    )
    assert called(store, "facts_of", "posts", entity="Ostel", relation="spouse").startswith('"Ostel" has no fact under')


def test_what_a_program_gives_is_said_by_its_queries(store: Store) -> None:
    program = (
        "Query1: \"sort(set=get_information(relation='Team', tail_entity='Red'))\"\n"
        "Query2: \"sort(set=get_information(relation='Rider', head_entity='output_of_query1'))\""
    )
    assert called(store, "run_program", "riders", program=program) == (
        'Query1 gave 2: "[line_3]", "[line_4]"\n'
        'Query2 gave 2: "Eve \\"x\' OR 1=1\\"", "Ida Dahl"\n'
        'answer: ["Eve \\"x\' OR 1=1\\"", "Ida Dahl"]'
    )


@pytest.mark.parametrize(
    "program",
    [
        "get_information(relation='Points', tail_entity>'100')",
        "get_information(relation='Rider', key='Points', value>'100')",
        "count(set=get_information(relation='Team', tail_entity='Green'))",
        "next_row(set=get_information(relation='Rider', tail_entity='Zoe'))",
        "sum(set=get_information(relation='Team'))",
        "fly(set='x')",
        "max(set='output_of_query3')",
        "get_information(relation='Team' tail_entity='Red')",
        "nothing at all",
    ],
)
def test_what_is_said_of_a_program_knows_no_inner_names(store: Store, program: str) -> None:
    said = called(store, "run_program", "riders", program=program)
    for inner in ("search_", "node1", "node2", "operand", "operator", "Cypher", "CG_", "step", "Step", "carrier"):
        assert inner not in said


def test_a_result_is_bounded_and_the_same_each_time(store: Store) -> None:
    for tool, arguments in (
        ("rows", {"contains": "1"}),
        ("values_of", {"relation": "Time"}),
        ("find_names", {"text": "a"}),
    ):
        shown = {called(store, tool, "riders", **arguments) for _ in range(3)}
        assert len(shown) == 1
        assert len(shown.pop()) <= LONGEST_RESULT
