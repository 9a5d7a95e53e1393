"""The backend `openai` against a real local server that speaks `/v1/chat/completions`."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from cgstore.errors import NoModel
from cgstore.llm.demonstrations import load_demonstrations
from cgstore.llm.openai_backend import OpenAIBackend
from tests.llm.memory_graph import MemoryGraph

QUESTION = "Which team did Nadia Orlov play for in 1994?"
PROGRAM = "Query1: \"get_information(head_entity='Nadia Orlov', relation='member of sports team')\""


class Endpoint(ThreadingHTTPServer):
    """Answers requests from a script of (status, body); the last one is repeated. Keeps what it was sent."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: list[tuple[int, Any]] = [(200, completion(PROGRAM))]
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, Endpoint)
        server.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        server.keys.append(self.headers["Authorization"])
        status, body = server.script.pop(0) if len(server.script) > 1 else server.script[0]
        content = json.dumps(body).encode()
        self.send_response(status if self.path == "/v1/chat/completions" else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Retry-After-Ms", "1")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


def completion(*replies: str | None) -> dict[str, Any]:
    message = [
        {"index": i, "finish_reason": "stop", "message": {"role": "assistant", "content": r}}
        for i, r in enumerate(replies)
    ]
    return {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": message}


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def backend(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> OpenAIBackend:
    without_encoder(monkeypatch)
    return OpenAIBackend(load_demonstrations(), endpoint.url, "m")


def without_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Demonstrations are then chosen by common words."""
    monkeypatch.setenv("CGSTORE_ENCODER", "/nowhere")
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)


def ask(backend: OpenAIBackend) -> str:
    (proposal,) = backend.propose(QUESTION, MemoryGraph())
    return proposal.program


def failure(backend: OpenAIBackend) -> str:
    with pytest.raises(NoModel) as caught:
        ask(backend)
    return str(caught.value)


def test_the_reply_is_the_program(backend: OpenAIBackend) -> None:
    assert ask(backend) == PROGRAM


def test_the_prompt_has_relations_demonstrations_names_and_the_question(
    backend: OpenAIBackend, endpoint: Endpoint
) -> None:
    ask(backend)
    (request,) = endpoint.requests
    system, *shots, last = [message["content"] for message in request["messages"]]
    assert "member of sports team; position held" in system
    assert len(shots) == 16
    assert "Which team did Ada Brandt play for in 1994?" in shots[-2]
    assert last == f"Question: {QUESTION}\nNames: Nadia Orlov; 1994"
    assert (request["model"], request["temperature"]) == ("m", 0.0)


def test_a_rate_limit_and_a_server_s_error_are_tried_again(backend: OpenAIBackend, endpoint: Endpoint) -> None:
    endpoint.script = [(429, {}), (500, {}), (200, completion(PROGRAM))]
    assert ask(backend) == PROGRAM
    assert len(endpoint.requests) == 3


def test_a_lasting_rate_limit_says_so(backend: OpenAIBackend, endpoint: Endpoint) -> None:
    endpoint.script = [(429, {"error": {"message": "slow down"}})]
    assert "quota" in failure(backend)


def test_a_lasting_server_s_error_says_so(backend: OpenAIBackend, endpoint: Endpoint) -> None:
    endpoint.script = [(500, {"error": {"message": "out of memory"}})]
    assert "HTTP 500: out of memory" in failure(backend)


@pytest.mark.parametrize("reply", [completion(), completion(None), completion("  ")])
def test_an_empty_reply_is_no_model(reply: dict[str, Any], backend: OpenAIBackend, endpoint: Endpoint) -> None:
    endpoint.script = [(200, reply)]
    assert "empty reply" in failure(backend)


def test_a_reply_of_another_form_is_no_model(backend: OpenAIBackend, endpoint: Endpoint) -> None:
    endpoint.script = [(200, {"error": "no such thing"})]
    assert "127.0.0.1" in failure(backend) or "empty reply" in failure(backend)


def test_a_refused_key_is_told_without_the_key(
    endpoint: Endpoint, backend: OpenAIBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    endpoint.script = [(401, {"error": {"message": "bad key sk-secret"}})]
    message = failure(backend)
    assert "OPENAI_API_KEY" in message
    assert "sk-secret" not in message
    assert endpoint.keys == ["Bearer sk-secret"]


def test_an_unknown_model_is_told(backend: OpenAIBackend, endpoint: Endpoint) -> None:
    endpoint.script = [(404, {})]
    assert "no model 'm'" in failure(backend)


def test_no_server_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    without_encoder(monkeypatch)
    monkeypatch.setattr("cgstore.llm.openai_backend.MAX_RETRIES", 0)
    assert "No connection" in failure(OpenAIBackend(load_demonstrations(), "http://127.0.0.1:1/v1", "m"))


def test_no_key_and_no_endpoint_is_told_before_any_request(monkeypatch: pytest.MonkeyPatch) -> None:
    without_encoder(monkeypatch)
    assert "OPENAI_API_KEY" in failure(OpenAIBackend(load_demonstrations()))


def test_an_endpoint_without_a_model_is_told(endpoint: Endpoint) -> None:
    assert "--model" in failure(OpenAIBackend(load_demonstrations(), endpoint.url))
