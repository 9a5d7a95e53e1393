"""The API of `cgstore serve` over a real graph, and what it refuses."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs cgstore[serve]")

import httpx
from neo4j import GraphDatabase
from starlette.testclient import TestClient

from cgstore.cypher.connection import Database
from cgstore.errors import NoModel
from cgstore.model import Answer
from cgstore.store import Store
from cgstore.web.app import PAGE, create_app
from cgstore.web.limits import Limits
from cgstore.web.service import Service
from tests.conftest import ROOT, wipe
from tests.known import CHANCELLOR, Known
from tests.web.browser import served

PLACES = """\
Paris (France)	capital of	France
Paris (Texas)	located in	United States
Paris (Ontario)	located in	Canada
Ulm (town)	located in	Bavaria
Ulm-Town	located in	Ohio
"""
BASE = "http://127.0.0.1:8764"
ASKING = "POST /api/v1/ask HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"

Serve = Callable[..., TestClient]


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    places = tmp_path_factory.mktemp("serve") / "places.tsv"
    places.write_text(PLACES, encoding="utf-8")
    store = Store(shared_db)
    store.load_tkg(ROOT / "examples" / "world.tsv")
    store.load_kg(places)
    return store


@pytest.fixture
def serve(store: Store) -> Iterator[Serve]:
    """Makes a client of a server over the graph; keywords are those of `Service` and `create_app`."""
    clients = []

    def make(host: str = "127.0.0.1", tokens: tuple[str, ...] = (), limits: Limits | None = None, **about: Any) -> Any:
        service = Service(store, lambda explore: Known(), **about)
        client = TestClient(create_app(service, host, tokens, limits), base_url=BASE, raise_server_exceptions=False)
        clients.append(client)
        return client

    yield make
    for client in clients:
        client.close()


def asked(client: TestClient, question: str, **body: object) -> list[dict[str, Any]]:
    response = client.post("/api/v1/ask", json={"question": question, **body})
    assert response.status_code == 200, response.text
    return [json.loads(line) for line in response.text.splitlines()]


def named(events: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(event for event in events if event["event"] == name)


def test_a_question_streams_its_programs_its_answer_and_the_names(serve: Serve) -> None:
    events = asked(serve(), CHANCELLOR)
    assert "Chancellor of Germany" in named(events, "names")["names"]
    assert "position held" in named(events, "program")["program"]
    assert named(events, "result")["values"] == ["Helmut Kohl"]
    answer = Answer.from_json(named(events, "answer")["answer"])
    assert answer.answer == ("Helmut Kohl",) and answer.evidence and answer.sentence
    assert [name["name"] for name in named(events, "extras")["names"]][:1] == ["position held"]


def test_a_name_of_two_nodes_is_a_question_back(serve: Serve) -> None:
    [back] = named(asked(serve(), "Where is Ulm Town?"), "answer")["questions"]
    assert back["name"] == "Ulm Town"
    assert {"Where is Ulm (town)?", "Where is Ulm-Town?"} == {choice["question"] for choice in back["choices"]}


def test_a_program_runs_again_with_another_name(serve: Serve) -> None:
    client = serve()
    program = "get_information(relation='located in', head_entity='Paris (Texas)')"
    first = client.post("/api/v1/query", json={"program": program}).json()
    assert first["answer"]["answer"] == ["United States"]
    entity = next(name for name in first["names"] if name["role"] == "entity")
    assert "Paris (Ontario)" in [other["node"] for other in entity["others"]]
    replace = [{"name": "Paris (Texas)", "role": "entity", "node": "Paris (Ontario)"}]
    again = client.post("/api/v1/query", json={"program": program, "replace": replace}).json()
    assert again["answer"]["answer"] == ["Canada"]


def test_a_right_answer_becomes_a_demonstration(serve: Serve, store: Store) -> None:
    client = serve()
    number = named(asked(client, CHANCELLOR), "answer")["number"]
    assert client.post("/api/v1/right", json={"number": number}).json() == {"kept": CHANCELLOR}
    assert CHANCELLOR in [one.question for one in store.demonstrations()]
    assert client.get("/api/v1/history").json()[0]["question"] == CHANCELLOR
    store.remove_demonstrations()


def test_a_wrong_answer_is_kept_with_what_is_right(serve: Serve, store: Store) -> None:
    client = serve()
    number = named(asked(client, CHANCELLOR), "answer")["number"]
    assert client.post("/api/v1/wrong", json={"number": number}).json() == {"kept": ""}
    assert client.get("/api/v1/history").json()[0]["judged"] == "wrong"
    assert client.post("/api/v1/wrong", json={"number": number, "answers": ["Helmut Schmidt"]}).status_code == 200
    assert [one.gold for one in store.demonstrations()] == [("Helmut Schmidt",)]
    store.remove_demonstrations()


def test_sources_are_listed_and_described(serve: Serve) -> None:
    client = serve()
    assert [source["name"] for source in client.get("/api/v1/sources").json()] == ["places", "world"]
    about = client.get("/api/v1/sources/places").json()
    assert about["kind"] == "kg"
    assert "capital of" in [relation["name"] for relation in about["relations"]]
    assert client.get("/api/v1/sources/nothing").status_code == 404


def test_names_have_candidates(serve: Serve) -> None:
    [found] = serve().post("/api/v1/names", json={"names": ["Helmut Kol"]}).json()
    assert found["candidates"][0]["node"] == "Helmut Kohl"


def test_a_file_becomes_a_source(serve: Serve, store: Store) -> None:
    client = serve()
    response = client.post("/api/v1/upload?name=ships.csv", content=b"Ship,Route\nAlma,North\nBela,South\n")
    events = [json.loads(line) for line in response.text.splitlines()]
    assert named(events, "received")["kind"] == "table"
    assert named(events, "loaded")["report"]["source"] == "ships"
    store.drop("ships")


@pytest.mark.parametrize(
    "name", ["../evil.csv", "/etc/passwd", ".hidden.csv", "a\\b.csv", "x" * 250 + ".csv", "no_kind"]
)
def test_a_file_needs_a_plain_name_and_a_kind(serve: Serve, name: str) -> None:
    response = serve().post("/api/v1/upload", params={"name": name}, content=b"a,b\n1,2\n")
    assert response.status_code in (400, 422) and response.json()["error"] and response.json()["hint"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("photo.jpg&kind=table", b"\xff\xd8\xff", "'photo.jpg' is an image, which cannot be loaded."),
        ("data.csv", b"a\x00b\n", "'data.csv' is not a file of text, which cannot be loaded."),
    ],
)
def test_a_file_that_is_not_text_is_refused_in_plain_words(serve: Serve, name: str, content: bytes, said: str) -> None:
    response = serve().post(f"/api/v1/upload?name={name}", content=content)
    assert response.status_code == 400 and response.json()["error"] == said


def test_the_kinds_of_a_file_are_in_the_words_of_the_menu(serve: Serve) -> None:
    hint = serve().post("/api/v1/upload?name=films.txt", content=b"a").json()["hint"]
    menu = re.findall(r'<option value="(.+)">(.+)</option>', (PAGE / "index.html").read_text(encoding="utf-8"))
    assert menu and all(f"{words} (kind={kind})" in hint for kind, words in menu)


def test_an_error_of_a_load_names_the_file_and_not_its_path_here(serve: Serve) -> None:
    response = serve().post("/api/v1/upload?name=bad.jsonl&kind=tkg", content=b"")
    error = named([json.loads(line) for line in response.text.splitlines()], "error")
    assert "bad.jsonl" in error["error"] and "cgstore-upload" not in error["error"] + error["hint"]


def test_a_server_that_only_reads_takes_no_files_and_no_judgements(serve: Serve) -> None:
    client = serve(writes=False)
    assert client.post("/api/v1/upload?name=a.csv", content=b"a\n1\n").status_code == 400
    assert client.post("/api/v1/right", json={"number": 1}).status_code == 400


def test_a_server_shows_its_sources_alone(serve: Serve) -> None:
    client = serve(sources=("places",))
    assert [source["name"] for source in client.get("/api/v1/sources").json()] == ["places"]
    assert client.get("/api/v1/sources/world").status_code == 404
    error = asked(client, CHANCELLOR, sources=["world"])[-1]
    assert (error["event"], error["status"]) == ("error", 400)


def test_a_program_that_cannot_be_read_says_why(serve: Serve) -> None:
    response = serve().post("/api/v1/query", json={"program": "MATCH (n) DETACH DELETE n"})
    assert response.status_code == 400
    assert set(response.json()) == {"error", "hint", "status", "exit_code"}


def test_a_request_that_is_too_large_is_refused(serve: Serve) -> None:
    client = serve(limits=Limits(body=1_000, most_upload=0.002))
    assert client.post("/api/v1/query", json={"program": "x" * 2_000}).status_code == 413

    def chunks() -> Iterator[bytes]:
        for _ in range(5):
            yield b"x" * 1_000

    assert client.post("/api/v1/query", content=chunks()).status_code == 413
    assert client.post("/api/v1/upload?name=a.csv", content=chunks()).status_code == 413


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'{"question": 7}', b'{"question": ""}', b'{"question": "x", "cypher": "MATCH (n)"}',
     b'{"question": "\xff"}', b'{"question": "x", "after": [-1]}', b'{"question": "' + b"x" * 5_000 + b'"}',
     b"[" * 100_000],
)  # fmt: skip
def test_a_malformed_request_is_refused_with_a_reason(serve: Serve, body: bytes) -> None:
    response = serve().post("/api/v1/ask", content=body, headers={"content-type": "application/json"})
    assert 400 <= response.status_code < 500
    assert response.json()["error"] and response.json()["hint"]


def test_an_option_that_is_none_is_refused(serve: Serve) -> None:
    error = asked(serve(), CHANCELLOR, options={"cypher": "MATCH (n)"})[-1]
    assert (error["event"], error["status"]) == ("error", 400)


def test_a_request_ends_in_time(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    client = serve(limits=Limits(seconds=0.2))
    monkeypatch.setattr(Service, "sources", lambda self: time.sleep(1))
    monkeypatch.setattr(Service, "ask", lambda self, body, tell: time.sleep(2))
    assert client.get("/api/v1/sources").status_code == 504
    assert asked(client, CHANCELLOR)[-1]["status"] == 504


REQUESTS: list[tuple[str, str, object]] = [
    ("GET", "health", None),
    ("GET", "sources", None),
    ("POST", "query", {"program": "get_information(relation='located in', head_entity='Ulm-Town')"}),
    ("POST", "ask", {"question": CHANCELLOR}),
]


def test_a_database_that_is_gone_is_told_at_once_and_is_asked_again_when_it_is_back(
    serve: Serve, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve() as client, GraphDatabase.driver("bolt://127.0.0.1:9") as nowhere:
        state_of(client, "ready")
        for method, path, body in REQUESTS:
            with monkeypatch.context() as gone:
                gone.setattr(store.db, "driver", nowhere)
                began = time.monotonic()
                response = client.request(method, f"/api/v1/{path}", json=body)
                assert time.monotonic() - began < 3
            assert response.status_code == 503 and response.headers["retry-after"], path
            assert "No Neo4j answers" in response.json()["error"]
            assert client.request(method, f"/api/v1/{path}", json=body).status_code == 200


def test_an_unexpected_failure_says_nothing_of_the_inside(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Service) -> None:
        raise RuntimeError("password=secret")

    monkeypatch.setattr(Service, "sources", fail)
    response = serve().get("/api/v1/sources")
    assert response.status_code == 500 and "secret" not in response.text


def test_the_page_loads_from_this_server_alone(serve: Serve) -> None:
    client = serve()
    page = client.get("/")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    for name in ("style.css", "app.js", "answer.js", "icon.svg"):
        text = client.get(f"/{name}").text
        assert "https://" not in text and "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert client.get("/../service.py").status_code == 404
    assert client.get("/docs").status_code == 404
    assert "/api/v1/ask" in client.get("/api/v1/openapi.json").json()["paths"]
    guarded = serve(host="0.0.0.0", tokens=("right",))
    assert (guarded.get("/").status_code, guarded.get("/api/v1/sources").status_code) == (200, 401)


def test_of_a_thousand_requests_at_once_those_without_room_are_refused(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Service, "sources", lambda self: time.sleep(0.3) or [])
    service = Service(store, lambda explore: Known())

    async def ask_all(address: str) -> list[httpx.Response]:
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits) as client:
            return await asyncio.gather(*(client.get("/api/v1/sources") for _ in range(1_000)))

    with served(create_app(service, limits=Limits(at_once=8))) as address:
        responses = asyncio.run(ask_all(address))
        assert {response.status_code for response in responses} == {200, 503}
        assert all(response.headers["retry-after"] for response in responses if response.status_code == 503)
        assert httpx.get(f"{address}/api/v1/sources").status_code == 200


@pytest.mark.parametrize(
    "opening",
    ["GET /api/v1/sources HTTP/1.1\r\n", ASKING + "transfer-encoding: chunked\r\n\r\n"],
    ids=["headers", "body"],
)
def test_requests_that_come_too_slowly_are_dropped_and_keep_nobody_waiting(
    store: Store, monkeypatch: pytest.MonkeyPatch, opening: str
) -> None:
    monkeypatch.setattr("cgstore.web.guard.ARRIVING", 1.0)
    app = create_app(Service(store, lambda explore: Known()), limits=Limits(at_once=8))
    with served(app) as address, ExitStack() as opened:
        where = httpx.URL(address)
        slow = [opened.enter_context(socket.create_connection((where.host, where.port or 0))) for _ in range(64)]
        began = time.monotonic()
        for each in slow:
            each.sendall(opening.encode())
        while time.monotonic() < began + 0.5:
            for each in slow:
                each.sendall(b"1")
            assert httpx.get(f"{address}/api/v1/sources", timeout=2).status_code == 200
        for each in slow:
            each.settimeout(10)
            assert each.recv(100).startswith(b"HTTP/1.1 408")
            while each.recv(10_000):
                pass  # until it is closed
        assert time.monotonic() < began + 5


def test_a_body_may_take_its_time_as_long_as_it_comes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cgstore.web.guard.ARRIVING", 0.2)

    def chunks() -> Iterator[bytes]:
        for _ in range(5):
            time.sleep(0.1)
            yield b"\0" * 2_200

    with served(create_app(Service(store, lambda explore: Known()))) as address:
        reply = httpx.post(f"{address}/api/v1/upload?name=a.csv", content=chunks())
        assert reply.json()["error"].endswith("is not a file of text, which cannot be loaded.")


def test_the_server_is_ready_after_the_first_file(db: Database) -> None:
    wipe(db)
    app = create_app(Service(Store(db), lambda explore: Known()))
    with TestClient(app, base_url=BASE) as client:
        state_of(client, "Nothing is loaded.")
        client.post("/api/v1/upload?name=ships.csv", content=b"Ship,Route\nAlma,North\n")
        state_of(client, "ready")


def test_the_server_is_ready_where_the_encoder_of_the_vectors_is_missing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(store: Store) -> None:
        raise NoModel("No encoder here.")

    monkeypatch.setattr(Store, "graph_encoder", missing)
    service = Service(store, lambda explore: Known())
    service.warm()
    assert service.health()["ready"]
    assert service.health()["note"] == "Names are compared by spelling, and questions by words. No encoder here."


def state_of(client: TestClient, state: str) -> None:
    for _ in range(600):
        if client.get("/api/v1/health").json()["state"] == state:
            return
        time.sleep(0.1)
    raise AssertionError(client.get("/api/v1/health").json())
