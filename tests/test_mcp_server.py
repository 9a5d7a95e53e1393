"""The MCP server, called by the SDK's own client: in memory, as a subprocess, and over HTTP."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

mcp = pytest.importorskip("mcp", reason="needs cgstore[mcp]")

from mcp.client.stdio import StdioServerParameters  # noqa: E402
from neo4j import GraphDatabase  # noqa: E402

from cgstore.cypher.connection import Database  # noqa: E402
from cgstore.store import Store  # noqa: E402
from cgstore.web.mcp import MOST_PROVED, MOST_VALUES, Tools, server_of  # noqa: E402
from tests.conftest import wipe  # noqa: E402
from tests.known import Known  # noqa: E402

SHIPS = "Ship,Built,Route\nAlma,1998,North Line\nBela,2004,South Line\nCora,2011,North Line\n"
OTHER = "Harbour,Depth\nOstel,9\n"
ROUTE = "get_information(relation='Route', key='Ship', value='Bela')"

Result = Any


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    folder: Path = tmp_path_factory.mktemp("mcp")
    store = Store(shared_db)
    for name, text in (("ships", SHIPS), ("harbours", OTHER)):
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
        store.load_table(folder / f"{name}.csv")
    return store


def with_client(server: Any, use: Callable[[Any], Awaitable[Result]]) -> Result:
    async def run() -> Result:
        async with mcp.Client(server) as client:
            return await use(client)

    return asyncio.run(run())


def call(store: Store, tool: str, sources: tuple[str, ...] | None = None, **arguments: object) -> Any:
    server = server_of(Tools(store, Known(), sources))
    return with_client(server, lambda client: client.call_tool(tool, arguments))


def test_every_tool_is_read_only_and_has_a_schema_for_what_it_returns(store: Store) -> None:
    listed = with_client(server_of(Tools(store, Known())), lambda client: client.list_tools())
    assert [tool.name for tool in listed.tools] == ["ask", "query", "evidence", "find_names", "describe_sources"]
    for tool in listed.tools:
        assert tool.annotations.read_only_hint and not tool.annotations.destructive_hint
        assert tool.description and tool.output_schema


def test_the_language_is_a_resource(store: Store) -> None:
    server = server_of(Tools(store, Known()))
    read = with_client(server, lambda client: client.read_resource("cgstore://language"))
    assert "get_information" in read.contents[0].text and "group(by=" in read.contents[0].text


def test_a_program_gives_its_answer_with_the_proof(store: Store) -> None:
    result = call(store, "query", program=ROUTE).structured_content
    assert result["values"] == ["South Line"]
    assert {"relation": "Route", "value": "South Line", "condition": ["[line_2]"], "source": "ships"} in result[
        "evidence"
    ]
    assert result["triples"] == len(result["evidence"]) <= MOST_PROVED


def test_a_result_says_how_many_values_there_are(store: Store) -> None:
    values = ", ".join(f"set='{number}'" for number in range(700))
    result = call(store, "query", program=f"literals({values})").structured_content
    assert len(result["values"]) == MOST_VALUES and result["total"] == 700
    assert any(f"{MOST_VALUES} of 700 values" in note for note in result["notes"])


def test_no_note_speaks_of_a_link_that_is_not_there(store: Store) -> None:
    notes = call(store, "query", program="get_information(relation='row_number')").structured_content["notes"]
    assert not [note for note in notes if "Browser" in note]


def test_evidence_is_bounded_and_says_so(store: Store) -> None:
    result = call(store, "evidence", program="get_information(relation='Ship')", most=2).structured_content
    assert len(result["evidence"]) == 2 and result["is_cut"]


def test_a_question_without_an_answer_says_why(store: Store) -> None:
    result = call(store, "ask", question="What is the airspeed of a swallow?").structured_content
    assert result["values"] == [] and result["notes"]


def test_names_are_found_by_spelling(store: Store) -> None:
    found = call(store, "find_names", names=["Bella"]).structured_content["result"]
    assert found[0]["candidates"][0]["node"] == "Bela"


def test_sources_are_described_with_the_kinds_of_their_columns(store: Store) -> None:
    (harbours, ships) = call(store, "describe_sources").structured_content["result"]
    assert harbours["name"] == "harbours"
    built = next(each for each in ships["relations"] if each["name"] == "Built")
    assert (built["kind"], built["least"], built["greatest"]) == ("number", "1998", "2011")
    assert [each["program"] for each in ships["examples"]]


def test_an_agent_sees_the_served_sources_alone(store: Store) -> None:
    served = ("ships",)
    described = call(store, "describe_sources", served).structured_content["result"]
    assert [each["name"] for each in described] == ["ships"]
    server = server_of(Tools(store, Known(), served))
    asked = {"program": ROUTE, "sources": ["harbours"]}
    refused = with_client(server, lambda client: client.call_tool("query", asked))
    assert refused.is_error and "No source 'harbours' is served here." in refused.content[0].text
    assert call(store, "query", served, program="get_information(relation='Depth')").is_error


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("ask", {"question": ""}, "question"),
        ("ask", {"question": "x" * 5_000}, "question"),
        ("query", {"program": "MATCH (n) DETACH DELETE n"}, "Line 1, column 11"),
        ("query", {"program": "get_information(relation='Route') }) DETACH DELETE n //"}, ""),
        ("query", {"program": ROUTE, "sources": ["nowhere"]}, "nowhere"),
        ("evidence", {"program": ROUTE, "most": 10_000}, "most"),
        ("find_names", {"names": ["x"] * 50}, "names"),
        ("find_names", {"names": ["a"], "role": "CgNode) DETACH DELETE"}, "role"),
        ("describe_sources", {"sources": ["`ships`"]}, "ships"),
        ("find_names", {"names": ["x" * 10_000]}, "names"),
    ],
)
def test_a_hostile_argument_is_an_error_and_changes_nothing(
    store: Store, tool: str, arguments: dict[str, object], said: str
) -> None:
    server = server_of(Tools(store, Known()))
    result = with_client(server, lambda client: client.call_tool(tool, arguments))
    assert result.is_error
    assert said in result.content[0].text
    assert "Traceback" not in result.content[0].text
    assert call(store, "query", program=ROUTE).structured_content["values"] == ["South Line"]


COMMAND = ["-m", "cgstore", "mcp"]


def test_the_command_serves_standard_input_and_output(store: Store, neo4j_settings: dict[str, str]) -> None:
    server = StdioServerParameters(command=sys.executable, args=COMMAND, env={**os.environ, **neo4j_settings})
    result = with_client(server, lambda client: client.call_tool("query", {"program": ROUTE}))
    assert result.structured_content["values"] == ["South Line"]


def test_the_command_serves_http(store: Store, neo4j_settings: dict[str, str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, *COMMAND, "--http", "--port", str(port)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **neo4j_settings},
    )
    try:
        url = f"http://127.0.0.1:{port}/mcp"
        lines = iter(process.stderr or ())
        assert any(f"Listening on {url}" in line for line in lines)
        wait_for(port)
        result = with_client(url, lambda client: client.call_tool("query", {"program": ROUTE}))
        assert result.structured_content["values"] == ["South Line"]
    finally:
        process.terminate()
        process.wait(timeout=30)


def wait_for(port: int) -> None:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("nothing listens")


def test_a_database_that_is_gone_is_told_at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with GraphDatabase.driver("bolt://127.0.0.1:9") as nowhere:
        monkeypatch.setattr(store.db, "driver", nowhere)
        began = time.monotonic()
        result = call(store, "query", program=ROUTE)
        assert time.monotonic() - began < 3
    assert result.is_error and "No Neo4j answers" in result.content[0].text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"program": ROUTE, "source": ["ships"]}, "The tool query has no argument 'source'. Did you mean 'sources'?"),
        ({"program": ""}, "program: String should have at least 1 character. See the schema of the tool query."),
        ({}, "program: Field required. See the schema of the tool query."),
    ],
)
def test_arguments_that_do_not_fit_are_refused_in_plain_words(
    store: Store, arguments: dict[str, Any], said: str
) -> None:
    result = call(store, "query", **arguments)
    assert result.is_error and result.content[0].text == said
