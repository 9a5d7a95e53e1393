"""`cgstore convert`: the notations that it reads and writes, without a database but for Cypher."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from cgstore.cli import main
from cgstore.store import Store
from tests.cli.conftest import Run

SEXPR = '(COUNT (JOIN (R spouse) "Marie Curie"))'
PROGRAM = (
    "get_information(head_entity='Marie Curie', relation='spouse')\n"
    "count(set='output_of_query1')"
)  # fmt: skip
SPARQL = (
    "PREFIX ns: <http://rdf.freebase.com/ns/>\n"
    "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
    "SELECT (COUNT(DISTINCT ?x) AS ?count)\n"
    "WHERE {\n"
    "  <http://rdf.freebase.com/ns/Marie%20Curie> ns:spouse ?x .\n"
    "}"
)
TEXTS = {"sexpr": SEXPR, "program": PROGRAM, "sparql": SPARQL}


def convert(*arguments: str, stdin: str | None = None) -> Result:
    """Without a database: nothing listens there."""
    nowhere = {"CGSTORE_NEO4J_URI": "bolt://127.0.0.1:1", "CGSTORE_NEO4J_PASSWORD": "x"}
    return CliRunner(env=nowhere).invoke(main, ["convert", *arguments], input=stdin)


@pytest.mark.parametrize("source", ["sexpr", "program"])
@pytest.mark.parametrize("target", TEXTS)
def test_each_notation_becomes_each_other(source: str, target: str) -> None:
    result = convert("--from", source, "--to", target, TEXTS[source])
    assert (result.exit_code, result.stdout) == (0, f"{TEXTS[target]}\n")


def test_a_skeleton_is_written_and_read() -> None:
    skeleton = "( COUNT ( JOIN ( R [ spouse ] ) [ Marie Curie ] ) )"
    assert convert("--to", "skeleton", SEXPR).stdout == f"{skeleton}\n"
    assert convert("--to", "sexpr", skeleton).stdout == f"{SEXPR}\n"


def test_cypher_comes_from_the_database(run: Run, world: Store) -> None:
    result = run("convert", "--to", "cypher", SEXPR)
    assert result.exit_code == 0
    assert "MATCH" in result.stdout
    assert "// $" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--from", "program", "--to", "sexpr", "max(get_information(head_entity='a', relation='r'))"), "function max"),
        (("--to", "sparql", "(TC (JOIN r x) time 1990)"), "no counterpart in SPARQL"),
        (("--to", "sparql", "--base", "nowhere", "(JOIN r x)"), "not an absolute IRI"),
        (("--to", "sexpr", "(JOIN r"), "a ')' is missing at the end"),
    ],
)
def test_what_has_no_counterpart_is_named(arguments: tuple[str, ...], problem: str) -> None:
    result = convert(*arguments)
    assert result.exit_code == 2
    assert problem in result.stderr


def test_every_line_of_standard_input_is_answered_by_a_line() -> None:
    lines = ["(JOIN r x)", "", json.dumps(SEXPR), "(JOIN", "5"]
    result = convert("--to", "program", "-", stdin="\n".join(lines))
    assert result.exit_code == 0
    first, third, fourth, fifth = map(json.loads, result.stdout.splitlines())
    assert first == {"id": 1, "text": "get_information(relation='r', tail_entity='x')"}
    assert (third["id"], third["text"]) == (3, PROGRAM)
    assert (fourth["id"], fourth["text"], "missing" in fourth["error"]) == (4, None, True)
    assert fifth["text"] == "literals(set='5')"
