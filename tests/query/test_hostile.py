"""Hostile programs and names: each is refused with its place or answered safely, and the graph stays as it was."""

from __future__ import annotations

import csv
import json
import math
import re
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cgstore import q
from cgstore.cli import main
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.model import Answer
from cgstore.query.parse import ProgramError, parse
from cgstore.store import Store
from tests.conftest import wipe
from tests.query.hostile import (
    AGES,
    LANGUAGE_NAMES,
    LINES,
    NAMES,
    NUMBERS_IN_DATA,
    PATTERNS,
    PROGRAMS,
    SOURCES,
)
from tests.share import share

QUERY_SECONDS = 20
"""Most time for an answer on a busy machine."""

STREAM_SECONDS = 60
"""Most time for a whole group of programs on standard input."""

PARSE_SECONDS = 5
"""Most time for reading a text that would make a pattern go back again and again."""

CASES = [(group, name) for group, programs in PROGRAMS.items() for name in programs]

WRITES = re.compile(r"\b(CREATE|MERGE|SET|DELETE|REMOVE|FOREACH|DROP|LOAD|CALL\s+\w)\b")

PEOPLE = [
    ("Ann", "knows", "Bob"),
    ("Bob", "knows", "Cleo"),
    ("Ann", "born in", "Ulm"),
    ("Ann", "age", "30"),
    ("Bob", "age", "41"),
]
OFFICES = [("Ann", "position held", "mayor", "1990", "1995"), ("Bob", "position held", "mayor", "1996", "2000")]
RESULTS = [("Player", "Points", "Date"), ("Ann", "10", "2004-01-02"), ("Bob", "20", "2005-02-03"), ("Cleo", "–", "")]


def named_facts() -> Iterator[tuple[str, str, str]]:
    """Each hostile name as a head, a relation and a tail."""
    for number, name in enumerate(NAMES.values()):
        yield name, "is name", f"name {number}"
        yield "Dora", name, f"relation {number}"
        yield f"keeper {number}", "keeps", name
    for name in LANGUAGE_NAMES:
        yield "Emil", "keeps", name


def write_csv(path: Path, rows: Sequence[tuple[str, ...]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines).writerows(rows)
    return path


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    folder = tmp_path_factory.mktemp("hostile")
    store = Store(shared_db, timeout=QUERY_SECONDS)
    store.load_kg(write_csv(folder / "people.csv", PEOPLE), header=False)
    store.load_tkg(write_csv(folder / "offices.csv", OFFICES), header=False)
    store.load_table(write_csv(folder / "results.csv", RESULTS))
    store.load_kg(write_csv(folder / "names.csv", list(named_facts())), header=False)
    for _ in range(2):
        store.load_kg(write_csv(folder / "dropped.csv", PEOPLE), header=False, replace=True)
    store.drop("dropped")  # which leaves the keys of its own properties behind, as a replacement does
    return store


@pytest.fixture(scope="module")
def graph(store: Store) -> Iterator[list[str]]:
    """Everything in the graph; at the end of the module it is still the same."""
    before = everything(store.db)
    yield before
    assert everything(store.db) == before


@pytest.fixture(scope="module")
def known(graph: list[str], store: Store) -> frozenset[str]:
    """All names in the graph."""
    return frozenset(row["name"] for row in store.db.read("MATCH (n) RETURN DISTINCT n.name AS name"))


def everything(db: Database) -> list[str]:
    """All nodes and relationships with their properties, but for the time of the last load, and the whole schema."""
    nodes = db.read("MATCH (n) RETURN labels(n) AS labels, n {.*, touched: null, version: null} AS properties")
    ends = "coalesce(a.key, a.name) AS start, coalesce(b.key, b.name) AS end"
    links = db.read(f"MATCH (a)-[r]->(b) RETURN type(r) AS type, {ends}, properties(r) AS properties")
    schema = [row for what in ("labels", "relationshipTypes", "propertyKeys") for row in db.read(f"CALL db.{what}()")]
    schema += [row for what in ("INDEXES", "CONSTRAINTS") for row in db.read(f"SHOW {what} YIELD name")]
    return sorted(json.dumps(row, sort_keys=True, default=str) for row in (*nodes, *links, *schema))


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Fails what takes longer, and does not wait for its end."""

    def fail(*_: object) -> None:
        pytest.fail(f"It took more than {seconds} seconds.")

    before = signal.signal(signal.SIGALRM, fail)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def assert_refused_with_its_place(error: BadInput, program: str) -> None:
    """A part of the program is shown; where it cannot be read at all, the message speaks of the whole."""
    if isinstance(error, ProgramError):
        assert re.match(r"Line \d+, column \d+: .", error.message)
        assert 0 <= error.place[0] <= error.place[1] <= len(program) + 1
    else:
        assert "program" in error.message


def assert_answered_from_the_graph(answer: Answer, program: str, known: frozenset[str]) -> None:
    """Names of the graph, words of the program, finite numbers; and the statement was one that reads."""
    written = program + re.sub(r"\\(.)", r"\1", program)
    for value in answer.answer:
        if isinstance(value, str):
            parts = {value} if value in known else set(value.split(" | "))
            assert all(part in known or part in written or part in ("yes", "no") for part in parts)
        else:
            assert math.isfinite(value)
    assert not any(WRITES.search(statement) for statement in answer.cypher)


@pytest.mark.parametrize(("group", "name"), share(CASES, 2), ids=[f"{group}: {name}" for group, name in CASES])
def test_a_hostile_program_is_refused_or_answered(store: Store, known: frozenset[str], group: str, name: str) -> None:
    program = PROGRAMS[group][name]
    with within(QUERY_SECONDS):
        try:
            answer = store.query(program)
        except BadInput as error:
            assert_refused_with_its_place(error, program)
            return
    assert_answered_from_the_graph(answer, program, known)


@pytest.mark.parametrize("name", PATTERNS)
def test_no_pattern_goes_back_over_the_text_for_long(name: str) -> None:
    parse(AGES)
    with within(PARSE_SECONDS):
        try:
            parse(PATTERNS[name])
        except BadInput as error:
            assert_refused_with_its_place(error, PATTERNS[name])


@pytest.mark.parametrize("name", SOURCES)
def test_a_hostile_source_is_not_there(store: Store, graph: list[str], name: str) -> None:
    with within(QUERY_SECONDS), pytest.raises(BadInput):
        store.query(AGES, [SOURCES[name]])


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_a_hostile_name_in_the_data_is_found(store: Store, graph: list[str], number: int) -> None:
    name = list(NAMES.values())[number]
    as_head = store.query(q.get_information(head_entity=name, relation="is name"), ["names"])
    as_relation = store.query(q.get_information(head_entity="Dora", relation=name), ["names"])
    as_tail = store.query(q.get_information(relation="keeps", tail_entity=name), ["names"])
    assert as_head.answer == (f"name {number}",)
    assert as_relation.answer == (f"relation {number}",)
    assert as_tail.answer == (f"keeper {number}",)
    assert {(triple.node1, triple.condition) for triple in as_head.evidence} >= {("is name", (name,))}


def test_hostile_names_come_back_unchanged(store: Store, graph: list[str]) -> None:
    kept = store.query(q.get_information(relation="keeps"), ["names"])
    assert set(kept.answer) == {*NAMES.values(), *LANGUAGE_NAMES}
    relations = store.query(q.get_information(head_entity="Dora"), ["names"])
    assert set(relations.answer) == set(NAMES.values())


@pytest.mark.parametrize("name", NUMBERS_IN_DATA)
def test_a_hostile_number_in_the_data_is_a_text(store: Store, graph: list[str], tmp_path: Path, name: str) -> None:
    value = NUMBERS_IN_DATA[name]
    path = write_csv(tmp_path / "numbers.csv", [("Ann", "holds", value), ("Bob", "holds", "5")])
    try:
        with within(QUERY_SECONDS):
            store.load_kg(path, header=False, replace=True)
        answer = store.query(q.get_information(head_entity="Ann", relation="holds"), ["numbers"])
        assert answer.answer == (value,)
    finally:
        if any(source.name == "numbers" for source in store.sources()):
            store.drop("numbers")


# The command line -----------------------------------------------------------------------------------------------------

ON_THE_COMMAND_LINE = [
    ("injections", "delete after a quote in head_entity"),
    ("injections", "a second statement in the type in braces"),
    ("statements", "a write"),
    ("statements", "a write after a query"),
    ("unfinished", "--help"),
    ("unicode", "a lone high surrogate in a name"),
    ("unicode", "an escape sequence of terminals in a name"),
    ("sizes", "nested 10,000 deep"),
    ("references", "of itself"),
    ("numbers", "divided by 0"),
    ("numbers", "a product beyond all numbers"),
    ("misuse", "facts as a head"),
]


@pytest.fixture(scope="module")
def runner(neo4j_settings: dict[str, str], graph: list[str]) -> CliRunner:
    return CliRunner(env=neo4j_settings)


def json_lines(text: str) -> list[str]:
    """The lines, which end with LF only: what else ends a line may stand in a name."""
    return text.removesuffix("\n").split("\n")


def strict_json(line: str) -> Any:
    """JSON as the standard has it: without NaN and Infinity."""

    def refuse(constant: str) -> None:
        pytest.fail(f"{constant} is no JSON.")

    return json.loads(line, parse_constant=refuse)


@pytest.mark.parametrize(("group", "name"), ON_THE_COMMAND_LINE)
def test_a_hostile_program_on_the_command_line_ends_with_an_exit_code(runner: CliRunner, group: str, name: str) -> None:
    with within(QUERY_SECONDS):
        result = runner.invoke(main, ["query", PROGRAMS[group][name]])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.exit_code in (0, 1, 2)
    assert "Traceback" not in result.output


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("group", PROGRAMS)
def test_every_hostile_line_on_standard_input_has_its_answer(runner: CliRunner, group: str, every: int) -> None:
    programs = dict(list(PROGRAMS[group].items())[::every])
    lines = [json.dumps({"id": name, "program": program}) for name, program in programs.items()]
    with within(STREAM_SECONDS):
        result = runner.invoke(main, ["query", "-"], input="\n".join(lines) + "\n")
    assert result.exception is None
    assert [strict_json(line)["id"] for line in json_lines(result.stdout)] == list(programs)


@pytest.mark.parametrize("name", LINES)
def test_a_line_that_is_no_program_has_its_answer_too(runner: CliRunner, name: str) -> None:
    with within(QUERY_SECONDS):
        result = runner.invoke(main, ["query", "-"], input=f"{LINES[name]}\n{json.dumps(AGES)}\n")
    assert result.exception is None
    first, second = json_lines(result.stdout)
    assert "answer" in json.loads(first)
    assert json.loads(second)["answer"] == ["30", "41"]


@pytest.mark.parametrize("name", ["a lone surrogate", "delete after a quote"])
def test_a_hostile_source_on_the_command_line_is_exit_code_2(runner: CliRunner, name: str) -> None:
    result = runner.invoke(main, ["query", AGES, "--source", SOURCES[name]])
    assert result.exit_code == 2
    assert "Traceback" not in result.output
