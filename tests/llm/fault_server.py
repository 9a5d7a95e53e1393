"""A real HTTP server that speaks chat completions, from a script of replies and faults, and keeps what it was sent."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PATH = "/v1/chat/completions"


@dataclass(frozen=True)
class Answer:
    """What the server does with one request.

    Args:
        body: sent as JSON, bytes as they are.
        delay: seconds before anything is sent.
        sent: bytes of the body after which the connection is cut; -1: before the headers.
        chunked: whether the body is a stream of chunks.
    """

    body: Any = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    sent: int | None = None
    chunked: bool = False

    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


def completion(*replies: str | None, tokens: tuple[int, int] = (10, 5), ends: str = "stop", **fields: Any) -> Answer:
    """A chat completion with a choice for each reply, which ends in that way; `fields` are those of `Answer`."""
    choices = [
        {"index": i, "finish_reason": ends, "message": {"role": "assistant", "content": reply}}
        for i, reply in enumerate(replies)
    ]
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices, "usage": usage}
    return Answer(body, **fields)


def tool_call(name: str, arguments: str) -> Answer:
    """A completion that calls a tool and says nothing."""
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return Answer({"choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}]})


def failure(status: int, message: str = "", headers: dict[str, str] | None = None, **fields: Any) -> Answer:
    """An error in OpenAI's form; `fields` are its `code`, `param`, `type`."""
    return Answer({"error": {"message": message, **fields}}, status, headers or {})


def rate_limit(retry_after: str = "") -> Answer:
    return failure(429, "Rate limit reached", {"Retry-After": retry_after} if retry_after else {})


def refusal(name: str) -> Answer:
    """An unknown parameter, as OpenAI tells of it."""
    message = f"Unsupported parameter: '{name}' is not supported with this model."
    return failure(400, message, param=name, code="unsupported_parameter")


LOST = Answer(sent=-1)
CUT_BODY = completion("half of this", sent=40)
CUT_STREAM = completion("half of this", sent=40, chunked=True)
NOT_JSON = Answer(b"<html>Bad gateway</html>", headers={"Content-Type": "text/html"})
HALF_JSON = Answer(b'{"choices": [')
NOT_ZIPPED = Answer(b"no gzip", headers={"Content-Encoding": "gzip"})
DEEP_JSON = Answer(b"[" * 100_000)
OTHER_FORM = Answer({"object": "list", "data": []})
ODD_CHOICES = Answer({"choices": [7]})
ERROR_WITH_200 = Answer({"error": {"message": "upstream is overloaded", "code": 502}})
EMPTY_CHOICES = completion()
NULL_CONTENT = completion(None)
BLANK = completion("  \n")


class FaultServer(ThreadingHTTPServer):
    """Gives the script's answers in turn; the last one is repeated.

    `requests` and `keys` are the bodies and Authorization headers it got; `most_at_once` the most requests that it had
    at a time. A request with a parameter that is in `refuses` gets a 400 that names it, and takes none of the script.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script: list[Answer] = [completion("a reply")]
        self.refuses: dict[str, Answer] = {}
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.most_at_once = 0
        self.closing = threading.Event()
        self._at_once = 0
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def answer(self, path: str, body: dict[str, Any], key: str | None) -> Answer:
        """Keeps a request and gives what to do with it."""
        with self._lock:
            self.requests.append(body)
            self.keys.append(key)
            if path != PATH:
                return failure(404, f"Invalid URL {path}")
            if refused := [name for name in self.refuses if name in body]:
                return self.refuses[refused[0]]
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        with self._lock:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        yield
        with self._lock:
            self._at_once -= 1

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing of clients that hang up."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, FaultServer)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = server.answer(self.path, body, self.headers["Authorization"])
        with server.counted():
            server.closing.wait(answer.delay)
        if answer.sent == -1 or server.closing.is_set():  # a kept connection outlives the server's socket
            self._cut()
        else:
            self._send(answer)

    def _send(self, answer: Answer) -> None:
        content = answer.content()
        self.send_response(answer.status)
        headers = {"Content-Type": "application/json", **answer.headers}
        headers |= {"Transfer-Encoding": "chunked"} if answer.chunked else {"Content-Length": str(len(content))}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        part = content[: answer.sent]
        self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part) if answer.chunked else part)
        if answer.sent is not None:
            self._cut()
        elif answer.chunked:
            self.wfile.write(b"0\r\n\r\n")

    def _cut(self) -> None:
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@contextlib.contextmanager
def fault_server() -> Iterator[FaultServer]:
    """A server on a free port of this machine."""
    server = FaultServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
