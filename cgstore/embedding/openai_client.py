"""The official client of OpenAI's API, for LLMs and encoders: its endpoint, its key, and the bounds of its replies.

An endpoint may be broken or hostile: it may send a gzip bomb, gigabytes, or an endless stream. The client's own
timeouts hold for a single read, so a byte now and then would keep a request alive for ever. So an HTTP client of our
own bounds the size and the time of each reply.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from cgstore.errors import BadInput, NoModel, setting

if TYPE_CHECKING:
    from openai import OpenAI

OPENAI_ADDRESS = "https://api.openai.com/v1"

_HINT = "Give an address such as http://127.0.0.1:8000/v1, and put the key into OPENAI_API_KEY."


def endpoint_address(base_url: str | None = None) -> str:
    """The address given, else OPENAI_BASE_URL, else OpenAI's own, in one form.

    Raises:
        BadInput: it is not valid, or contains a possible secret, which messages and logs would show.
    """
    given = (base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI_ADDRESS).strip()
    try:
        parts = urlsplit(given)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise BadInput(f"{setting('base-url')} or OPENAI_BASE_URL is not the address of an endpoint.", _HINT)
    if parts.username is not None or parts.query or parts.fragment:
        raise BadInput("The address of the endpoint has more than host, port and path.", _HINT)
    return parts.geturl().rstrip("/")


def api_key() -> str:
    """OPENAI_API_KEY or ''; never stored in an attribute or variable, so that no traceback shows it."""
    return os.environ.get("OPENAI_API_KEY", "").strip()


def check_key(address: str, without_key: str) -> None:
    """Raises NoModel if the key for OpenAI is missing; `without_key` is what a user can do. Nothing is imported."""
    if not api_key() and address == OPENAI_ADDRESS:
        raise NoModel("There is no key for OpenAI.", without_key)


def open_client(
    address: str, needed_by: str, *, timeout: float, most_bytes: int, retries: int, without_key: str
) -> OpenAI:
    """A client of the endpoint, whose replies are bounded.

    Args:
        address: from `endpoint_address`.
        needed_by: what needs it, as the subject of a sentence.
        timeout: seconds for a request and its whole reply.
        most_bytes: bytes that a reply may have.
        retries: how often the client itself repeats a request.
        without_key: what a user of OpenAI without a key can do.

    Raises:
        NoModel: the package openai is missing, the key for OpenAI is missing or malformed, or the client cannot start.
    """
    try:
        import openai
    except ImportError as error:
        raise NoModel(f"{needed_by} needs the package openai.", "pip install 'cgstore[llm]'") from error
    check_key(address, without_key)
    if not api_key().isascii() or not api_key().isprintable() or " " in api_key():
        raise NoModel("OPENAI_API_KEY has characters that cannot be part of a key.", "Copy the key again.")
    try:
        return openai.OpenAI(
            api_key=api_key() or "none",  # local servers need no key, but the client does
            base_url=address,
            timeout=timeout,
            max_retries=retries,
            http_client=bounded_client(seconds=timeout, most_bytes=most_bytes),
        )
    except (ImportError, ValueError, openai.OpenAIError) as error:
        wrong = type(error).__name__
    raise NoModel(f"The client for {address} cannot start ({wrong}).", "Check the proxy settings.")


# The bounds of a reply

MAX_REDIRECTS = 5

_PIECE = 1 << 20
"""Bytes decompressed at a time."""

_OF_THE_TRANSFER = ("content-encoding", "content-length", "transfer-encoding")
"""Headers that no longer apply to a body that was read and decompressed."""


class ReplyError(Exception):
    """A reply was abandoned. Older clients raise this as the cause of a connection error."""


class ReplyTooLarge(ReplyError):
    """The reply exceeds the limit of bytes."""


class ReplyUnreadable(ReplyError):
    """The body of the reply is damaged, or compressed in a way that was not requested."""


class ReplyTooLate(ReplyError):
    """The reply was not complete in time."""


def bounded_client(*, seconds: float, most_bytes: int) -> Any:
    """An HTTP client for openai's, each of whose requests ends with a reply or an error.

    Each request has its own connection, which is shut down when the time is over, redirections included, whatever it
    waits for. A reply may have so many bytes, as sent and as decompressed.
    """
    import openai

    class BoundedClient(openai.DefaultHttpxClient):
        def send(self, request: Any, **options: object) -> Any:
            return _sent(super().send, request, options, seconds, most_bytes)

    return BoundedClient(timeout=seconds, headers={"Accept-Encoding": "gzip", "Connection": "close"})


def given_up(error: BaseException) -> ReplyError | None:
    """Why a reply was abandoned, if the client's error means that it was."""
    return next((each for each in (error, error.__cause__) if isinstance(each, ReplyError)), None)


def _sent(send: Callable[..., Any], request: Any, options: Mapping[str, Any], seconds: float, most_bytes: int) -> Any:
    """The complete reply to a request.

    Raises:
        ReplyTooLarge, ReplyTooLate, ReplyUnreadable: the reply is abandoned.
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
    """The reply with its decompressed body."""
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
    """The deadline of a request, whose connections are then shut down, which ends every wait."""

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
        """Has the transport report each connection that it opens for the request."""
        request.extensions = {**request.extensions, "trace": self._traced}

    def _traced(self, event: str, info: Mapping[str, Any]) -> None:
        if not event.endswith("connect_tcp.complete"):
            return
        connected = info["return_value"].get_extra_info("socket")
        with self._lock:
            # A handle of our own: TLS takes over the first one, which the transport closes.
            self._sockets.append(connected.dup())
        if self.over:
            self._shut_down()

    def _shut_down(self) -> None:
        with self._lock:
            for connected in self._sockets:
                with suppress(OSError):
                    connected.shutdown(socket.SHUT_RDWR)


def _decompressed(parts: Iterable[bytes], headers: Mapping[str, str], most_bytes: int) -> Iterator[bytes]:
    """The body in any number of pieces of bounded size.

    Raises:
        ReplyUnreadable: the body has a coding that was not requested, or is not valid in its coding.
    """
    coding = headers.get("content-encoding", "").strip().lower()
    if coding in ("", "identity"):
        yield from parts
        return
    if coding != "gzip":
        raise ReplyUnreadable("it is compressed in a way that was not requested")
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
        raise ReplyUnreadable("its header says gzip, but its body is not") from error
    if not reader.eof and sent:
        raise ReplyUnreadable("it is cut off")
