"""Programs with functions that nobody defined: somebody else gives their values, all the rest is answered as ever."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cgstore import q
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.query.external_functions import MAX_UNDEFINED, check_grounded
from cgstore.query.parse import MAX_LITERALS, ProgramError, UnknownFunction, parse
from cgstore.store import Store
from tests.conftest import wipe

FACTS = "Ann,lives in,Ulm\nBob,lives in,Köln\nCleo,lives in,Ulm\nUlm,lies in,Württemberg\nAnn,age,30\nBob,age,41\n"

Asked = list[tuple[str, list[tuple[str, tuple[str | int | float, ...]]]]]


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    path = tmp_path_factory.mktemp("undefined") / "people.csv"
    path.write_text(FACTS, encoding="utf-8")
    store = Store(shared_db)
    store.load_kg(path, header=False)
    return store


class Somebody:
    """Gives the same values whatever is asked, and notes what was."""

    def __init__(self, *values: str | int | float) -> None:
        self.values = values
        self.asked: Asked = []

    def __call__(
        self, function: str, arguments: Sequence[tuple[str, tuple[str | int | float, ...]]]
    ) -> Sequence[str | int | float]:
        self.asked.append((function, list(arguments)))
        return self.values


LARGEST_CITY = """\
Query1: "get_information(relation='lives in')"
Query2: "largest_city(set='output_of_query1', country='Germany')"
Query3: "get_information(relation='lives in', tail_entity='output_of_query2')"
"""


def test_it_gets_the_values_of_its_arguments(store: Store) -> None:
    somebody = Somebody("Köln")
    store.query(LARGEST_CITY, evaluate=somebody)
    assert somebody.asked == [("largest_city", [("set", ("Köln", "Ulm")), ("country", ("Germany",))])]


def test_its_values_are_the_output_of_its_query(store: Store) -> None:
    answer = store.query(LARGEST_CITY, evaluate=Somebody("Köln"))
    assert answer.answer == ("Bob",)
    assert answer.program == LARGEST_CITY


def test_the_evidence_is_that_of_all_that_was_run(store: Store) -> None:
    answer = store.query(LARGEST_CITY, evaluate=Somebody("Köln"))
    assert {triple.condition for triple in answer.evidence} == {("Ann",), ("Bob",), ("Cleo",)}
    assert answer.evidence[0].condition == ("Bob",)
    assert len(answer.cypher) == len(answer.parameters) == 2


def test_a_warning_says_what_has_no_evidence(store: Store) -> None:
    answer = store.query(LARGEST_CITY, evaluate=Somebody("Köln"))
    assert "'largest_city' is not a function of the language: its values (Köln) have no evidence." in answer.warnings


def test_one_within_another_call_is_evaluated_first(store: Store) -> None:
    program = "count(set=neighbours(set=get_information(head_entity='Ann', relation='lives in')))"
    somebody = Somebody("Neu-Ulm", "Blaustein", "Erbach")
    assert store.query(program, evaluate=somebody).answer == (3,)
    assert somebody.asked == [("neighbours", [("set", ("Ulm",))])]


def test_words_that_are_no_nodes_are_an_answer(store: Store) -> None:
    assert store.query("capital(set='Germany')", evaluate=Somebody("Berlin")).answer == ("Berlin",)


def test_numbers_are_reckoned_with(store: Store) -> None:
    program = (
        "get_information(head_entity='Ann', relation='age')\nolder_by('x')\nadd('output_of_query1', 'output_of_query2')"
    )
    assert store.query(program, evaluate=Somebody(5)).answer == (35,)


def test_no_values_are_no_answer(store: Store) -> None:
    assert store.query(LARGEST_CITY, evaluate=Somebody()).abstained


def test_a_program_without_any_is_answered_as_ever(store: Store) -> None:
    somebody = Somebody("Ulm")
    program = "get_information(head_entity='Ann', relation='lives in')"
    assert store.query(program, evaluate=somebody).evidence == store.query(program).evidence
    assert somebody.asked == []


def test_without_anybody_it_is_an_error_that_names_it(store: Store) -> None:
    with pytest.raises(UnknownFunction, match="Line 2, column 10: there is no function 'largest_city'"):
        store.query(LARGEST_CITY)


def test_an_output_that_is_not_there_is_refused_before_anybody_is_asked(store: Store) -> None:
    somebody = Somebody("Ulm")
    with pytest.raises(ProgramError, match="outputs of queries before it"):
        store.query("largest_city(set='output_of_query2')", evaluate=somebody)
    assert somebody.asked == []


def test_too_many_of_them_are_refused(store: Store) -> None:
    program = "\n".join(["guess('x')"] * (MAX_UNDEFINED + 1))
    with pytest.raises(BadInput, match=f"more than {MAX_UNDEFINED} functions"):
        store.query(program, evaluate=Somebody("Ulm"))


def test_too_many_values_are_refused(store: Store) -> None:
    with pytest.raises(BadInput, match="at most 1,000 are taken"):
        store.query("guess('x')", evaluate=Somebody(*range(MAX_LITERALS + 1)))


@pytest.mark.parametrize("value", ["O'Neill", "\\'); MATCH (n) DETACH DELETE n //", "output_of_query1", "", "ünï"])
def test_a_value_is_text_and_nothing_else(store: Store, value: str) -> None:
    assert store.query("guess('x')", evaluate=Somebody("Ulm", value)).answer == tuple(sorted(("Ulm", value)))


def test_literals_are_the_nodes_of_these_names(store: Store) -> None:
    program = q.get_information(relation="lives in", tail_entity=q.literals("Ulm", "köln"))
    assert store.query(program).answer == ("Ann", "Bob", "Cleo")


def test_a_thousand_literals_are_read() -> None:
    program = parse(f"literals({', '.join(f'set={n!r}' for n in map(str, range(MAX_LITERALS)))})")
    assert len(program.queries[0].arguments) == MAX_LITERALS


@pytest.mark.parametrize("program", ["capital_of(country='France')", "know(Atlantis)", "count(set=guess('x'))"])
def test_a_function_that_gets_nothing_from_the_data_is_not_grounded(program: str) -> None:
    with pytest.raises(BadInput, match="comes from the data"):
        check_grounded(parse(program, undefined=True))


def test_a_function_of_an_output_is_grounded() -> None:
    check_grounded(parse(LARGEST_CITY, undefined=True))
