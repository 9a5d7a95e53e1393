"""Programs with functions that nobody defined: somebody else gives their values, all the rest is answered as ever."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cgstore import q
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.model import Answer
from cgstore.query.external_functions import MAX_UNDEFINED, check_grounded
from cgstore.query.parse import MAX_LITERALS, ProgramError, UnknownFunction, parse
from cgstore.store import Store
from tests.query.corpus import load

Given = Sequence[str | int | float]


@pytest.fixture(scope="module")
def store(shared_db: Database) -> Store:
    return load(shared_db, "people")


class Somebody:
    """Gives the same values whatever is asked, and notes what was."""

    def __init__(self, *values: str | int | float) -> None:
        self.values = values
        self.asked: list[tuple[str, list[tuple[str, tuple[str | int | float, ...]]]]] = []

    def __call__(self, function: str, arguments: Sequence[tuple[str, tuple[str | int | float, ...]]]) -> Given:
        self.asked.append((function, list(arguments)))
        return self.values


def ask(store: Store, program: str, somebody: Somebody | None = None) -> Answer:
    return store.query(program, ["people"], evaluate=somebody)


LARGEST_CITY = """\
Query1: "get_information(relation='lives in')"
Query2: "largest_city(set='output_of_query1', country='Germany')"
Query3: "get_information(relation='lives in', tail_entity='output_of_query2')"
"""


def test_its_values_are_the_output_of_its_query_and_have_no_evidence(store: Store) -> None:
    somebody = Somebody("Köln")
    answer = ask(store, LARGEST_CITY, somebody)
    assert somebody.asked == [("largest_city", [("set", ("Köln", "Ulm")), ("country", ("Germany",))])]
    assert (answer.answer, answer.program) == (("Bob",), LARGEST_CITY)
    assert {triple.condition for triple in answer.evidence} == {("Ann",), ("Bob",), ("Cleo",)}
    assert answer.evidence[0].condition == ("Bob",)
    assert len(answer.cypher) == len(answer.parameters) == 2
    assert "'largest_city' is not a function of the language: its values (Köln) have no evidence." in answer.warnings


@pytest.mark.parametrize(
    ("program", "values", "answer"),
    [
        (LARGEST_CITY, (), ()),
        ("capital(set='Germany')", ("Berlin",), ("Berlin",)),
        (
            "get_information(head_entity='Ann', relation='age')\nolder_by('x')\n"
            "add('output_of_query1', 'output_of_query2')",
            (5,),
            (35,),
        ),
        ("count(neighbours(get_information(head_entity='Ann', relation='lives in')))", ("Neu-Ulm", "Erbach"), (2,)),
        *(
            ("guess('x')", ("Ulm", value), tuple(sorted(("Ulm", value))))
            for value in ("O'Neill", "\\'); MATCH (n) DETACH DELETE n //", "output_of_query1", "", "ünï")
        ),
    ],
)
def test_any_values_are_taken_as_they_are(store: Store, program: str, values: Given, answer: Given) -> None:
    assert ask(store, program, Somebody(*values)).answer == answer


def test_a_program_without_any_is_answered_as_ever(store: Store) -> None:
    somebody = Somebody("Ulm")
    program = "get_information(head_entity='Ann', relation='lives in')"
    assert ask(store, program, somebody).evidence == ask(store, program).evidence
    assert somebody.asked == []


def test_without_anybody_it_is_an_error_that_names_it(store: Store) -> None:
    with pytest.raises(UnknownFunction, match="Line 2, column 10: there is no function 'largest_city'"):
        ask(store, LARGEST_CITY)


def test_an_output_that_is_not_there_is_refused_before_anybody_is_asked(store: Store) -> None:
    somebody = Somebody("Ulm")
    with pytest.raises(ProgramError, match="outputs of queries before it"):
        ask(store, "largest_city(set='output_of_query2')", somebody)
    assert somebody.asked == []


def test_too_many_of_them_are_refused(store: Store) -> None:
    with pytest.raises(BadInput, match=f"more than {MAX_UNDEFINED} functions"):
        ask(store, "\n".join(["guess('x')"] * (MAX_UNDEFINED + 1)), Somebody("Ulm"))


def test_too_many_values_are_refused(store: Store) -> None:
    with pytest.raises(BadInput, match="at most 1,000 are taken"):
        ask(store, "guess('x')", Somebody(*range(MAX_LITERALS + 1)))
    parse(f"literals({', '.join(f'set={n!r}' for n in map(str, range(MAX_LITERALS)))})")


def test_literals_are_the_nodes_of_these_names(store: Store) -> None:
    program = q.get_information(relation="lives in", tail_entity=q.literals("Ulm", "köln"))
    assert store.query(program, ["people"]).answer == ("Ann", "Bob", "Cleo")


@pytest.mark.parametrize("program", ["capital_of(country='France')", "know(Atlantis)", "count(set=guess('x'))"])
def test_a_function_that_gets_nothing_from_the_data_is_not_grounded(program: str) -> None:
    with pytest.raises(BadInput, match="comes from the data"):
        check_grounded(parse(program, undefined=True))
    check_grounded(parse(LARGEST_CITY, undefined=True))
