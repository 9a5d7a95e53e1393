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


def test_explain_shows_names_steps_cypher_and_timing(run: Run, world: Store) -> None:
    output = run("query", KOHL, "--explain").stdout
    for part in ("Names", "Execution query", "search_node(node1='position held'", "Cypher", "Parameters", "Time"):
        assert part in output


def test_nothing_found_is_exit_code_1(run: Run, world: Store) -> None:
    result = run("query", "get_information(relation='position held', key='time', value='1066')")
    assert result.exit_code == 1
    assert result.stdout.startswith("No answer.")


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("get_informaton(key='time')", "Did you mean get_information?"),
        ("get_information(head_entity='Helmut Kol')", "Closest: 'Helmut Kohl'"),
        ("get_information(relation='positio held')", "Closest: 'position held'"),
        ("get_information(relation='spouse', key='time', value='soon')", "is no year or date"),
        ("sum(set=get_information(key='time', value='1990'))", "sum of facts is not defined"),
        ("'; MATCH (n) DETACH DELETE n //", "expected"),
    ],
)
def test_a_bad_program_is_exit_code_2_with_the_reason(run: Run, world: Store, program: str, message: str) -> None:
    result = run("query", program)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_an_unknown_source_suggests_the_nearest(run: Run, world: Store) -> None:
    result = run("query", KOHL, "--source", "wrold")
    assert result.exit_code == 2
    assert "Did you mean 'world'?" in result.stderr


def test_a_loading_source_is_not_answered_from(run: Run, world: Store) -> None:
    world.db.write("CREATE (:Source {name: 'half', state: 'loading', kind: 'tkg'})")
    try:
        result = run("query", KOHL, "--source", "half")
        assert result.exit_code == 2
        assert "is loading" in result.stderr
        assert run("query", KOHL).exit_code == 0
    finally:
        world.db.write("MATCH (s:Source {name: 'half'}) DELETE s")


def test_standard_input_answers_every_line(run: Run, world: Store) -> None:
    lines = [
        json.dumps(KOHL),
        json.dumps({"program": KOHL, "id": "b", "source": "world"}),
        "not json",
        '{"x": 1}',
        '"max("',
    ]
    result = run("query", "-", stdin="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [a["id"] for a in answers] == [1, "b", 3, 4, 5]
    assert [a["answer"] for a in answers[:2]] == [["Chancellor of Germany"]] * 2
    assert all("error" in a for a in answers[2:])


def test_cypher_prints_the_statement_and_its_parameters_without_running_it(run: Run, world: Store) -> None:
    result = run("cypher", KOHL, "--json")
    compiled = json.loads(result.stdout)
    assert "DELETE" not in compiled["cypher"]
    assert "Helmut Kohl" not in compiled["cypher"]
    assert ["Helmut Kohl"] in compiled["parameters"].values()
