"""ASGI middleware of every HTTP server: allowed hosts and origins, a token, limits of size, time and number.

A server on this machine is reached by every page that its user's browser has open. So requests must name a host that
is served (a page that rebinds its name to 127.0.0.1 names its own) and must not come from another origin.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from cgstore.errors import BadInput, setting

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")

RETRY_AFTER = "1"
"""Seconds after which a refused request may come again."""

ARRIVING = 10.0
"""Seconds in which the headers of a request must have come, and then its body."""

BYTES_A_SECOND = 10_000
"""What a body must bring for each second more."""


class Refusal(Exception):
    """Refuses a request: HTTP status, what is wrong, what to do, headers of the response."""

    def __init__(self, status: int, error: str, hint: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(error)
        self.status, self.error, self.hint, self.headers = status, error, hint, dict(headers or {})


@dataclass(frozen=True)
class Bounds:
    """Limits of requests.

    Attributes:
        host: the address that is listened on; on a local one the hosts and origins of requests are checked.
        tokens: what a request may carry as `Authorization: Bearer`; none: nothing is needed.
        needs_token: whether a request must carry one of them; one that carries another is refused either way.
        guarded: the paths that need the token begin with this.
        most_bytes: bytes of a body.
        most_bytes_of: those of other paths.
        seconds: until a response begins; None: any time.
        at_once: guarded requests that are served at a time; None: any number.
        command: what was started; messages name it.
    """

    host: str
    tokens: Sequence[str] = ()
    needs_token: bool = True
    guarded: str = "/"
    most_bytes: int = 4_000_000
    most_bytes_of: Mapping[str, int] = field(default_factory=dict)
    seconds: float | None = None
    at_once: int | None = None
    command: str = "cgstore serve"


def check_host(host: str, token: str | None) -> None:
    """Checks that an address is local, or that there is a token.

    Raises:
        BadInput: other machines can reach it, and there is no token.
    """
    if host not in LOCAL_HOSTS and not token:
        raise BadInput(
            f"{host} can be reached from other machines.",
            f"Give {setting('token')}, or {setting('host', '127.0.0.1')}.",
        )


class Guard:
    """An ASGI app behind these limits. A refused request gets JSON: {"error", "hint"}."""

    def __init__(self, app: ASGIApp, bounds: Bounds) -> None:
        self._app, self._bounds = app, bounds
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            request = self._checked(scope)
        except Refusal as refusal:
            await refuse(send, refusal)
            return
        try:
            await self._served(request, scope, receive, send)
        finally:
            self._running -= request.is_running

    def _checked(self, scope: Scope) -> _Request:
        """Checks host, origin, token, length and number of a request.

        Raises:
            Refusal: it is not served.
        """
        bounds, path = self._bounds, str(scope["path"])
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope.get("headers", ())}
        is_guarded = path.startswith(bounds.guarded)
        check_origin(bounds, headers, is_guarded)
        if is_guarded:
            _check_token(bounds, headers)
        request = _Request(is_guarded, bounds.most_bytes_of.get(path, bounds.most_bytes), headers)
        self._admit(request)
        return request

    def _admit(self, request: _Request) -> None:
        """Counts a request once its body has arrived, so that slow ones do not block others.

        Raises:
            Refusal: it is one too many.
        """
        if not request.is_guarded or request.is_running:
            return
        if (most := self._bounds.at_once) is not None and self._running >= most:
            hint = "Try again in a moment."
            raise Refusal(503, f"{most} requests are being served.", hint, {"Retry-After": RETRY_AFTER})
        request.is_running = request.is_whole
        self._running += request.is_running

    async def _served(self, request: _Request, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the app. The response must begin in time; a stream may then continue."""
        seconds = self._bounds.seconds if request.is_guarded else None
        try:
            async with asyncio.timeout(seconds) as limit:

                async def receiving() -> Message:
                    try:
                        message = await request.next(receive)
                        self._admit(request)
                    except Refusal as refusal:
                        request.refusal = refusal
                        raise
                    return message

                async def sending(message: Message) -> None:
                    if request.refusal is None:  # else the app's own response to it is not sent
                        limit.reschedule(None)
                        request.has_begun = True
                        await send(message)

                await self._app(scope, receiving, sending)
        except TimeoutError:
            if request.has_begun:
                raise
            hint = f"Ask less at once, or start it with a longer limit: `{self._bounds.command} --limit SECONDS`."
            request.refusal = Refusal(504, f"There was no answer in {seconds:g} seconds.", hint)
        except Exception:
            if request.refusal is None:
                raise
        if request.refusal is not None and not request.has_begun:
            await refuse(send, request.refusal)


class _Request:
    """The state of one request: bytes read, whether it is being served, why it is refused.

    Raises:
        Refusal: it says itself that it is too large.
    """

    def __init__(self, is_guarded: bool, most: int, headers: Mapping[str, str]) -> None:
        self.is_guarded, self.is_running, self.has_begun = is_guarded, False, False
        self.is_whole = not {"content-length", "transfer-encoding"} & headers.keys()
        self.refusal: Refusal | None = None
        self._most, self._read = most, 0
        self._began = asyncio.get_running_loop().time()
        length = headers.get("content-length", "")
        self._check_size(int(length[:20]) if length.isdecimal() else 0)

    async def next(self, receive: Receive) -> Message:
        """The next message.

        Raises:
            Refusal: the body is too large with it, or comes too slowly.
        """
        if self.is_whole:
            return await receive()
        try:
            async with asyncio.timeout_at(self._began + ARRIVING + self._read / BYTES_A_SECOND):
                message = await receive()
        except TimeoutError as error:
            hint = f"Send it within {ARRIVING:g} seconds, or {BYTES_A_SECOND:,} bytes a second."
            raise Refusal(408, "The request came too slowly.", hint, {"Connection": "close"}) from error
        self._read += len(message.get("body", b""))
        self._check_size(self._read)
        self.is_whole = not message.get("more_body", False)
        return message

    def _check_size(self, size: int) -> None:
        if size > self._most:
            raise Refusal(413, f"The request has more than {self._most:,} bytes.", "Send less at once.")


def check_origin(bounds: Bounds, headers: Mapping[str, str], is_guarded: bool = True) -> None:
    """Refuses requests from other pages, and those to a host name that is not this server's.

    Raises:
        Refusal: 403, or 421 for a host that is not served here.
    """
    named = headers.get("host", "")
    if bounds.host in LOCAL_HOSTS and _hostname(named) not in LOCAL_HOSTS:
        raise Refusal(421, "This host is not served here.", f"Use the address that `{bounds.command}` printed.")
    origin = headers.get("origin")
    is_foreign = origin is not None and urlsplit(origin).netloc.lower() != named.lower()
    if is_foreign or (is_guarded and headers.get("sec-fetch-site") == "cross-site"):
        raise Refusal(403, "Another page sent this request.", "Send it from the page of this server.")


def _hostname(named: str) -> str:
    try:
        return urlsplit(f"//{named}").hostname or ""
    except ValueError:
        return ""


def _check_token(bounds: Bounds, headers: Mapping[str, str]) -> None:
    given = headers.get("authorization", "").encode()
    if not bounds.tokens or not (given or bounds.needs_token):
        return
    if not sum(secrets.compare_digest(given, f"Bearer {token}".encode()) for token in bounds.tokens):
        hint = "Give it as Authorization: Bearer ..."
        raise Refusal(401, "The token is missing or wrong.", hint, {"WWW-Authenticate": "Bearer"})


async def refuse(send: Send, refusal: Refusal) -> None:
    """Sends a refusal as JSON."""
    body = json.dumps({"error": refusal.error, "hint": refusal.hint}).encode()
    headers = {
        "content-type": "application/json",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        **refusal.headers,
    }
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    encoded.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": refusal.status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


def http_server(app: ASGIApp, **options: Any) -> uvicorn.Server:
    """The server of a guarded app; the options are those of `uvicorn.Config`."""
    fixed: Any = {"http": _Connection, "ws": "none", "log_level": "warning", "server_header": False}
    return uvicorn.Server(uvicorn.Config(app, timeout_graceful_shutdown=3, **fixed, **options))


class _Connection(H11Protocol):
    """Closes a connection whose request headers are late; uvicorn has no limit for that."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        if self._late:
            self._late.cancel()

    def _watch(self) -> None:
        has_headers = self.cycle is not None and not self.cycle.response_complete
        if has_headers and self._late:
            self._late.cancel()
            self._late = None
        elif not has_headers and not self._late:
            self._late = self.loop.call_later(ARRIVING, self._drop)

    def _drop(self) -> None:
        self.transport.write(b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        self.transport.close()
