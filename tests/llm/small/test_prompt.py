"""What the small model reads, and the names that it writes."""

from __future__ import annotations

from cgstore.finetune.memory import Memory, MemorySource, table_source
from cgstore.llm.small.candidates import grammar_of
from cgstore.llm.small.notation import nested, read, written
from cgstore.llm.small.prompt import MOST_RELATIONS, Prompt, plain_name, source_title
from cgstore.query.build import text_of
from cgstore.query.parse import parse

ORDERS = table_source(
    "orders",
    ("order_no", "customerName", "Qty (kg)", "ordered", "Paid"),
    [
        ("0071", "Miller & Sons", "4", "2024-04-05", "yes"),
        ("0072", "Adda", "12", "2024-05-01", "no"),
        ("0073", "Miller & Sons", "7", "2024-05-09", "yes"),
        ("0074", "Berg", "9", "2024-06-02", "no"),
        ("0075", "Cole", "2", "2024-06-12", "no"),
    ],
)
FILMS = MemorySource(
    "films",
    "kg",
    [("Glass Hill", "directed_by", "Vera Lund"), ("Night Ferry", "directed_by", "Vera Lund")],
)


def prompt(question: str, *sources: MemorySource) -> Prompt:
    return Memory(sources).prompt(question)


def test_a_table_is_a_line_with_marks_and_examples() -> None:
    given = prompt("how much did miller & sons order?", ORDERS)
    assert given.text == (
        "# orders\n"
        "order no!: 0071 | customer name: miller & sons | `qty (kg)`#: 4 | ordered~: 2024-04-05 | paid?: yes/no\n"
        "how much did miller & sons order?\n"
        "miller & sons @ customer name\n>"
    )


def test_a_name_of_a_graph_stands_with_its_sides() -> None:
    given = prompt("Who directed Glass Hill, and what else did Vera Lund direct?", FILMS)
    assert "\nglass hill > directed by; vera lund < directed by\n>" in given.text


def test_programs_come_back_with_the_names_of_the_graph() -> None:
    given = prompt("how much did miller & sons order?", ORDERS)
    program = nested(parse("sum(get_information(relation='Qty (kg)', key='customerName', value='Miller & Sons'))"))
    shown = written(given.shown(program))
    assert shown == 'sum(`qty (kg)` : customer name = "miller & sons")'
    assert text_of(given.program(read(shown))) == text_of(program)


def test_relations_of_one_spelling_stay_apart() -> None:
    twice = table_source("t", ("Name", "name"), [("a", "b"), ("c", "d")])
    given = prompt("name of a", twice)
    assert given.relations == {"name": "Name", "name 2": "name"}


def test_of_many_relations_those_of_the_question_are_shown() -> None:
    facts = [("Ann", f"relation {n}", "x") for n in range(2 * MOST_RELATIONS)] + [("Bo", "captain of", "Kestrel")]
    given = prompt("which ship is Bo captain of?", MemorySource("crew", "kg", facts))
    assert "captain of" in given.relations and len(given.relations) < MOST_RELATIONS


def test_names_in_plain_words() -> None:
    assert plain_name("birthDate") == plain_name("birth_date") == "birth date"
    assert plain_name("http://example.org/terms#hasPart") == "has part"
    assert (source_title("eval/wikisql/1-10015132-16"), source_title("shop/orders")) == ("table", "orders")


def test_the_grammar_has_the_names_of_the_prompt_alone() -> None:
    grammar = grammar_of(prompt("what is paid", ORDERS))
    (names,) = [line for line in grammar.splitlines() if line.startswith("name ::=")]
    assert '"`qty (kg)`"' in names and '"paid"' in names and "directed" not in names
