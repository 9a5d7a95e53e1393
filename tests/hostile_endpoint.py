"""A real HTTP server whose replies are too large or never end: the model asked for says in which way."""

from __future__ import annotations

import contextlib
import functools
import json
import threading
import time
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOO_LARGE = ("bomb", "bomb with 500", "a gigabyte", "a fast stream", "a redirection with a bomb")
TOO_LATE = ("a slow stream", "slow headers")

MEGABYTE = b" " * (1 << 20)


@functools.cache
def gzip_bomb() -> bytes:
    """A gigabyte of spaces in a megabyte: one packed block again and again."""
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    head, block = (packer.compress(MEGABYTE) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return head + block * 1023


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        model = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["model"]
        self.close_connection = True
        with contextlib.suppress(OSError):
            for part in self._parts(model):
                self.wfile.write(part)

    def _parts(self, model: str) -> Iterator[bytes]:
        if "bomb" in model:
            redirected = "redirection" in model and not self.path.endswith("again")
            status = "307 Moved" if redirected else "500 Oh" if "500" in model else "200 OK"
            where = f"Location: {self.path}/again\r\n" if redirected else ""
            yield _head(f"{where}Content-Encoding: gzip\r\nContent-Length: {len(gzip_bomb())}", status)
            yield gzip_bomb()
        elif model == "a gigabyte":
            yield _head("Content-Length: 1073741824")
            yield from [MEGABYTE] * 1024
        elif model == "a fast stream":
            yield _head("Transfer-Encoding: chunked")
            while True:
                yield b"100000\r\n%s\r\n" % MEGABYTE
        elif model == "a slow stream":
            yield _head("Transfer-Encoding: chunked")
            while True:
                yield b"1\r\n \r\n"
                time.sleep(0.1)
        else:
            yield b"HTTP/1.1 200 OK\r\n"
            while True:
                yield b"X-More: to come\r\n"
                time.sleep(0.1)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


def _head(headers: str, status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{headers}\r\n\r\n".encode()


@contextlib.contextmanager
def hostile_endpoint() -> Iterator[str]:
    """The address of such an endpoint."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
