"""The HTTP client under OpenAI's, which bounds the size and the time of each reply.

An endpoint may be broken or hostile: it may send a gzip bomb, gigabytes, or a stream without end. Timeouts of the
client itself hold for a single read, so that a byte now and then keeps a request alive for ever.
"""

from __future__ import annotations

import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Self

MAX_REDIRECTS = 5

_PIECE = 1 << 20
"""Bytes that are decompressed at a time."""

_OF_THE_TRANSFER = ("content-encoding", "content-length", "transfer-encoding")
"""The headers that no longer hold once a body is read and decompressed."""


class ReplyError(Exception):
    """A reply that was given up. Older clients raise it as the cause of an error of the connection."""


class ReplyTooLarge(ReplyError):
    """The reply has more bytes than it may have."""


class ReplyUnreadable(ReplyError):
    """The reply is no body that can be read: it is damaged, or compressed in a way that was not asked for."""


class ReplyTooLate(ReplyError):
    """The whole reply was not there in time."""


def bounded_client(*, seconds: float, most_bytes: int) -> Any:
    """An HTTP client for that of openai, whose requests end: with a reply, or with an error.

    Each request has a connection of its own, which is shut down when the time is over, whatever it waits for.

    Args:
        seconds: time for a request and its whole reply, redirections included.
        most_bytes: most bytes of a reply, as sent and as decompressed.
    """
    import openai

    class BoundedClient(openai.DefaultHttpxClient):
        def send(self, request: Any, **options: Any) -> Any:
            return _sent(super().send, request, options, seconds, most_bytes)

    return BoundedClient(timeout=seconds, headers={"Accept-Encoding": "gzip", "Connection": "close"})


def given_up(error: BaseException) -> ReplyError | None:
    """Why a reply was given up, where that is what the client's error means."""
    return next((each for each in (error, error.__cause__) if isinstance(each, ReplyError)), None)


def _sent(send: Callable[..., Any], request: Any, options: Mapping[str, Any], seconds: float, most_bytes: int) -> Any:
    """The reply to a request, read as a whole.

    Raises:
        ReplyTooLarge, ReplyTooLate, ReplyUnreadable: it is.
    """
    wanted = {**options, "stream": True, "follow_redirects": False}
    with _Deadline(seconds) as deadline:
        try:
            for _ in range(MAX_REDIRECTS):
                deadline.watch(request)
                response = send(request, **wanted)
                try:
                    if response.next_request is None:
                        return _whole(response, deadline, most_bytes)
                finally:
                    response.close()
                request = response.next_request
        except Exception as error:
            if deadline.over and not isinstance(error, ReplyError):
                raise ReplyTooLate from error
            raise
    raise ReplyUnreadable(f"it redirects more than {MAX_REDIRECTS} times")


def _whole(response: Any, deadline: _Deadline, most_bytes: int) -> Any:
    """The reply with its body, uncompressed."""
    body = bytearray()
    for part in _decompressed(response.iter_raw(_PIECE), response.headers, most_bytes):
        body += part
        if len(body) > most_bytes:
            raise ReplyTooLarge
        if deadline.over:
            raise ReplyTooLate
    headers = [(name, value) for name, value in response.headers.multi_items() if name not in _OF_THE_TRANSFER]
    return type(response)(response.status_code, headers=headers, content=bytes(body), request=response.request)


class _Deadline:
    """The time of a request; when it is over, the request's connections are shut down, which ends every wait."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._timer = threading.Timer(seconds, self._shut_down)
        self._timer.daemon = True
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()

    @property
    def over(self) -> bool:
        return time.monotonic() >= self._end

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._timer.cancel()
        with self._lock:
            for connected in self._sockets:
                connected.close()
            self._sockets.clear()

    def watch(self, request: Any) -> None:
        """Has the transport tell of each connection that it opens for the request."""
        request.extensions = {**request.extensions, "trace": self._traced}

    def _traced(self, event: str, info: Mapping[str, Any]) -> None:
        if not event.endswith("connect_tcp.complete"):
            return
        connected = info["return_value"].get_extra_info("socket")
        with self._lock:
            # A handle of its own: TLS takes the first one over, and the transport closes that.
            self._sockets.append(connected.dup())
        if self.over:
            self._shut_down()

    def _shut_down(self) -> None:
        with self._lock:
            for connected in self._sockets:
                with suppress(OSError):
                    connected.shutdown(socket.SHUT_RDWR)


def _decompressed(parts: Iterable[bytes], headers: Mapping[str, str], most_bytes: int) -> Iterator[bytes]:
    """The body, in pieces of bounded size, of which there may be any number.

    Raises:
        ReplyUnreadable: the coding is another one than was asked for, or the body is not in it.
    """
    coding = headers.get("content-encoding", "").strip().lower()
    if coding in ("", "identity"):
        yield from parts
        return
    if coding != "gzip":
        raise ReplyUnreadable("it is compressed in a way that was not asked for")
    reader, sent = zlib.decompressobj(zlib.MAX_WBITS | 16), 0
    try:
        for part in parts:
            sent += len(part)
            if sent > most_bytes:
                raise ReplyTooLarge
            while part:
                yield reader.decompress(part, _PIECE)
                part = reader.unconsumed_tail
        yield reader.flush()
    except zlib.error as error:
        raise ReplyUnreadable("it is said to be compressed by gzip, and is not") from error
    if not reader.eof and sent:
        raise ReplyUnreadable("it is cut off")
