"""An encoder behind an endpoint, against a local server that speaks OpenAI's protocol."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy
import pytest

from cgstore.embedding.encoder import load_encoder
from cgstore.embedding.endpoint import BATCH
from cgstore.errors import BadInput, NoModel

pytest.importorskip("openai")


class Endpoint(ThreadingHTTPServer):
    """Gives each text the vector of its length and 3, or what `body` is; `requests`: the numbers of texts asked for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[int] = []
        self.status = 200
        self.body = b""


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Endpoint)
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        self.server.requests.append(len(texts))
        vectors = [{"object": "embedding", "index": n, "embedding": [len(text), 3.0]} for n, text in enumerate(texts)]
        body = json.dumps({"object": "list", "model": "m", "data": vectors[::-1], "usage": {}}).encode()
        body = self.server.body or body
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Not on the terminal."""


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    server = Endpoint()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    yield server
    server.shutdown()
    server.server_close()


def test_vectors_come_in_the_order_of_the_texts_and_of_unit_length(endpoint: Endpoint) -> None:
    vectors = load_encoder("openai:m").encode(["four", ""])
    assert vectors.dtype == numpy.float32
    assert numpy.allclose(vectors, [[0.8, 0.6], [1 / 10**0.5, 3 / 10**0.5]])


def test_many_texts_are_asked_for_in_batches(endpoint: Endpoint) -> None:
    encoder = load_encoder("openai:m")
    assert encoder.encode(["a"] * (BATCH + 1)).shape == (BATCH + 1, 2)
    assert endpoint.requests == [1, BATCH, 1]


def test_no_texts_are_not_asked_for(endpoint: Endpoint) -> None:
    assert load_encoder("openai:m").encode([]).shape == (0, 2)
    assert endpoint.requests == [1]


def test_another_model_has_another_fingerprint(endpoint: Endpoint) -> None:
    assert load_encoder("openai:m").fingerprint != load_encoder("openai:n").fingerprint


def test_an_endpoint_that_refuses_is_told_without_the_key(endpoint: Endpoint) -> None:
    endpoint.status = 401
    with pytest.raises(NoModel, match="answered 401") as error:
        load_encoder("openai:m")
    assert "secret" not in str(error.value)


def test_no_key_and_no_endpoint_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(NoModel, match="no key"):
        load_encoder("openai:m")


@pytest.mark.parametrize("address", ["http://me:word@127.0.0.1/v1", "127.0.0.1:8000"])
def test_an_address_that_is_none_or_has_a_password_is_bad_input(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    with pytest.raises(BadInput, match="address") as error:
        load_encoder("openai:m")
    assert "word" not in str(error.value)


NOT_VECTORS = {
    "no JSON": b"<html>",
    "another form": b'{"data": 5}',
    "too few": b'{"data": []}',
    "no number": b'{"data": [{"index": 0, "embedding": ["1", "2"]}]}',
    "not finite": b'{"data": [{"index": 0, "embedding": [NaN, 1e999]}]}',
    "an empty vector": b'{"data": [{"index": 0, "embedding": []}]}',
    "another text's": b'{"data": [{"index": 1, "embedding": [1, 2]}]}',
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("body", NOT_VECTORS.values(), ids=NOT_VECTORS.keys())
def test_a_reply_without_vectors_is_told(body: bytes, endpoint: Endpoint) -> None:
    endpoint.body = body
    with pytest.raises(NoModel, match="gave no reply with a vector for each"):
        load_encoder("openai:m")


def test_vectors_of_another_length_are_told(endpoint: Endpoint) -> None:
    encoder = load_encoder("openai:m")
    endpoint.body = b'{"data": [{"index": 0, "embedding": [1, 2, 3]}]}'
    with pytest.raises(NoModel, match="vectors of 3 numbers, and of 2 before"):
        encoder.encode(["a"])
