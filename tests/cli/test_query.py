"""`cgstore query` and `cgstore cypher`: what they print, and how they fail."""

from __future__ import annotations

import json

import pytest

from cgstore.store import Store
from tests.cli.conftest import Run

KOHL = "get_information(head_entity='Helmut Kohl', relation='position held')"


def test_an_answer_is_printed_with_its_evidence(run: Run, world: Store) -> None:
    result = run("query", KOHL)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "Chancellor of Germany"
    assert "(position held, Chancellor of Germany, [Helmut Kohl])  world" in result.stdout


def test_json_has_every_field_of_the_interface(run: Run, world: Store) -> None:
    result = run(
        "query", f"{KOHL}\nget_information(tail_entity='output_of_query1', key='time', value='1990')", "--json"
    )
    answer = json.loads(result.stdout)
    assert answer["answer"] == ["Helmut Kohl"]
    assert answer["abstained"] is False
    assert set(answer) >= {"program", "cypher", "parameters", "mappings", "evidence", "warnings", "seconds", "browser"}
    assert {"name", "role", "node", "score", "how"} == set(answer["mappings"][0])
    assert {"node1", "node2", "condition", "source"} == set(answer["evidence"][0])
    refused = run("query", "foo(", "--json", "--uri", "bolt://127.0.0.1:1", "--password", "x")  # none is looked for
    assert refused.exit_code == 2 and "error" in json.loads(refused.stdout)


def test_a_near_name_is_taken_with_a_note_and_explain_shows_how_it_was_found(run: Run, world: Store) -> None:
    result = run("query", KOHL.replace("Kohl", "Kol"), "--explain")
    said = 'The position held of "Helmut Kohl" (written "Helmut Kol") is Chancellor of Germany.'
    assert result.exit_code == 0
    assert "Note: No entity is named 'Helmut Kol'; the nearest was taken: 'Helmut Kohl'." in result.stdout
    assert f"In a sentence\n  {said}\n" in result.stdout
    for part in ("Names", "Execution query", "search_node(node1='position held'", "Cypher", "Parameters", "Time"):
        assert part in result.stdout


def test_nothing_found_is_exit_code_1(run: Run, world: Store) -> None:
    result = run("query", "get_information(relation='position held', key='time', value='1066')")
    assert result.exit_code == 1
    assert result.stdout.startswith("No answer.")


def test_a_number_passes_a_type_in_braces_unchanged(run: Run, world: Store) -> None:
    result = run("query", "{spouse}\nQuery1: \"count(set='Helmut Kohl')\"", "--json")
    assert json.loads(result.stdout)["answer"] == [1]


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("get_informaton(key='time')", "Did you mean get_information?"),
        ("get_information(head_entity='Helmut Kol')", "Closest: 'Helmut Kohl'"),
        ("get_information(relation='positio held')", "Closest: 'position held'"),
        ("get_information(relation='spouse', key='time', value='soon')", "is not a number, year or date"),
        ("sum(set=get_information(key='time', value='1990'))", "sum's set cannot be facts"),
        ("min(5)", "no entity is named '5'"),
        ("get_information(head_entity='1990-01-01', relation='spouse')", "no entity is named '1990-01-01'"),
        ("count(set='12345')", "no entity is named"),
        ("keep(set=get_information(key='time', value='1990'), value>'5')", "keep's set cannot be facts"),
        ("get_information(head_entity=get_information(key='time', value='1990'))", "head_entity cannot be facts"),
        ("get_information(head_entity=count(set='Helmut Kohl'))", "head_entity cannot be numbers"),
        ("set_negation(set=count(set='Helmut Kohl'))", "set_negation's set cannot be numbers"),
        ("get_information(key='time', value!='2004')", "expected"),
        ("min(" * 300 + "'a'" + ")" * 300, "too deeply"),
        ("get_information(head_entity='\udcff')", "not valid Unicode"),
        ("'; MATCH (n) DETACH DELETE n //", "expected"),
    ],
)
def test_a_bad_program_is_exit_code_2_with_the_reason(run: Run, world: Store, program: str, message: str) -> None:
    result = run("query", program, "--exact")
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_how_near_a_name_must_be_can_be_said(run: Run, world: Store) -> None:
    program = "get_information(head_entity='Helmut Kol', relation='award received')"
    assert [run("query", program, *options).exit_code for options in ((), ("--threshold", "0.95"), ("--linked",))] == [
        1,
        2,
        2,
    ]


def test_a_loading_source_is_not_answered_from(run: Run, world: Store) -> None:
    world.db.write("CREATE (:CgSource {name: 'half', state: 'loading', kind: 'tkg'})")
    try:
        result = run("query", KOHL, "--source", "half")
        assert result.exit_code == 2
        assert "is loading" in result.stderr
        assert run("query", KOHL).exit_code == 0
    finally:
        world.db.write("MATCH (s:CgSource {name: 'half'}) DELETE s")


def test_standard_input_answers_every_line(run: Run, world: Store) -> None:
    lines = [
        json.dumps(KOHL),
        json.dumps({"program": KOHL, "id": "b", "source": "world"}),
        "not json",
        '{"x": 1}',
        '"max("',
        json.dumps({"program": KOHL, "source": 5}),
        json.dumps({"program": KOHL, "source": [5]}),
        json.dumps({"program": KOHL, "source": {"world": 1}}),
        '"min(5)"',
        '"\\ud800"',
    ]
    result = run("query", "-", stdin="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [a["id"] for a in answers] == [1, "b", *range(3, 11)]
    assert all({"program", "cypher", "evidence", "warnings", "seconds"} <= set(a) for a in answers)
    assert [a["answer"] for a in answers[:2]] == [["Chancellor of Germany"]] * 2
    assert all("error" in a for a in answers[2:])


def test_cypher_prints_the_statement_and_its_parameters_without_running_it(run: Run, world: Store) -> None:
    result = run("cypher", KOHL, "--json")
    compiled = json.loads(result.stdout)
    assert "DELETE" not in compiled["cypher"]
    assert "Helmut Kohl" not in compiled["cypher"]
    assert ["Helmut Kohl"] in compiled["parameters"].values()


def test_a_day_is_compared_with_years_as_its_year(run: Run, world: Store) -> None:
    event = "head_entity='Cuban Missile Crisis', relation='significant event', key='time'"
    found = {"='1962-10-16'": 0, "='1962-10'": 0, ">='1962-10-16'": 0, ">'1962-10-16'": 1, "<'1962-10-16'": 1}
    assert {value: run("query", f"get_information({event}, value{value})").exit_code for value in found} == found


def test_a_program_is_asked_about_an_earlier_time(run: Run, world: Store) -> None:
    result = run("query", KOHL, "--as-of", "#0", "--explain")
    assert result.exit_code == 0
    assert "Note: As known when 'world' was loaded." in result.stdout
    refused = run("query", KOHL, "--as-of", "1990-10-03")
    assert refused.exit_code == 2
    assert "loaded after the time asked about (at the end of 1990-10-03 UTC): 'world' on 20" in refused.stderr
    assert "a replaced source has no past" in refused.stderr
    unread = run("query", KOHL, "--as-of", "yesterday")
    assert (unread.exit_code, "'yesterday' is not a time, nor the number of a change." in unread.stderr) == (2, True)
