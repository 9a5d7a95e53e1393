"""Endpoints whose replies are too large or never end, for the LLM and the encoder."""

from __future__ import annotations

import gzip
import http.server
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("openai")

from cgstore.embedding import endpoint
from cgstore.embedding.endpoint import EndpointEncoder
from cgstore.embedding.openai_client import ReplyTooLarge, ReplyUnreadable, bounded_client
from cgstore.errors import NoModel
from cgstore.llm.chat import Message, Request
from cgstore.llm.chat.openai import OpenAIChat
from tests.hostile_endpoint import TOO_LARGE, TOO_LATE, hostile_endpoint

Ask = Callable[[str, str], object]


def chat(address: str, model: str) -> object:
    """Asks an LLM there."""
    asked = OpenAIChat(address, model, timeout=endpoint.TIMEOUT, pause=lambda seconds: None)
    return asked.complete(Request((Message("user", "x"),)))


def encoder(address: str, model: str) -> object:
    """Asks an encoder there."""
    return EndpointEncoder(f"openai:{model}", address)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with hostile_endpoint() as address:
        yield address


def asked_by(models: tuple[str, ...]) -> list[tuple[Ask, str]]:
    """All of them by an LLM, whose client is that of an encoder, and the first by an encoder too."""
    return [*((chat, model) for model in models), (encoder, models[0])]


@pytest.mark.parametrize(("ask", "model"), asked_by(TOO_LARGE))
def test_a_reply_that_is_too_large_is_told(model: str, ask: Ask, address: str) -> None:
    with pytest.raises(NoModel, match="sent more than a reply can be") as error:
        ask(address, model)
    assert address in error.value.message


@pytest.mark.parametrize(("ask", "model"), asked_by(TOO_LATE))
def test_a_reply_that_never_ends_is_given_up(
    model: str, ask: Ask, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "TIMEOUT", 0.6)
    started = time.monotonic()
    with pytest.raises(NoModel, match=r"did not reply within 0\.6 s"):
        ask(address, model)
    assert time.monotonic() - started < 20, "some tries of 0.6 s each"


@pytest.mark.skipif(sys.platform == "win32", reason="memory is measured by the module resource")
def test_memory_stays_small(address: str) -> None:
    asked = f"""
import resource
from tests.test_openai_client import NoModel, TOO_LARGE, chat
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for model in TOO_LARGE:
    try:
        chat({address!r}, model)
    except NoModel:
        pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    grown = int(subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout)
    assert grown / (1024 if sys.platform != "darwin" else 1 << 20) < 150, "megabytes, for replies of up to 32"


# What is within the bounds comes as it is sent.


class Plain(http.server.BaseHTTPRequestHandler):
    """Replies with the body's bytes, in the coding that the path names."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        coding = self.path.strip("/")
        if coding == "moved":
            self.send_response(307)
            self.send_header("Location", "/gzip")
            self.end_headers()
            return
        packed = gzip.compress(body) if coding.startswith("gzip") else body
        packed = packed[:-9] if coding == "gzip-cut" else packed
        self.send_response(200)
        self.send_header("Content-Encoding", coding.partition("-")[0])
        self.send_header("Content-Length", str(len(packed)))
        self.end_headers()
        self.wfile.write(packed)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def post() -> Iterator[Callable[[str, bytes], bytes]]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Plain)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    client = bounded_client(seconds=10, most_bytes=3 << 20)
    yield lambda path, body: client.post(f"http://127.0.0.1:{server.server_port}/{path}", content=body).content
    client.close()
    server.shutdown()
    server.server_close()


BODY = bytes(range(256)) * (3 << 12)


@pytest.mark.parametrize("coding", ["identity", "gzip", "moved"])
def test_a_reply_of_just_the_size_comes_whole(coding: str, post: Callable[[str, bytes], bytes]) -> None:
    assert post(coding, BODY) == BODY
    assert post(coding, b"") == b""


@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_one_byte_more_is_too_large(coding: str, post: Callable[[str, bytes], bytes]) -> None:
    with pytest.raises(ReplyTooLarge):
        post(coding, BODY + b"x")


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip,gzip", "gzip-cut"])
def test_another_coding_or_a_cut_reply_cannot_be_read(coding: str, post: Callable[[str, bytes], bytes]) -> None:
    with pytest.raises(ReplyUnreadable):
        post(coding, BODY[:9_999])
