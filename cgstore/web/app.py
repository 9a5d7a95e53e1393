"""The routes of the API and the page, behind the guard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import anyio.to_thread
from anyio import CapacityLimiter
from fastapi import Depends, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, StreamingResponse
from starlette.staticfiles import StaticFiles

from cgstore.errors import BadInput, CgstoreError, NoDatabase, NoSource
from cgstore.web.bodies import AskBody, NamesBody, QueryBody, RightBody, WrongBody
from cgstore.web.guard import RETRY_AFTER, Bounds, Guard, check_host
from cgstore.web.limits import Limits
from cgstore.web.streams import MEDIA_TYPE, failure_of, streamed
from cgstore.web.uploads import Upload

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from cgstore.web.service import Service
    from cgstore.web.watching import Tell

API = "/api/v1"
PAGE = Path(__file__).parent / "page"

CHECKING = 2.0
"""Seconds in which the database must show that it is there."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""Headers of every response: scripts, styles and requests go to this server alone."""


def create_app(
    service: Service,
    host: str = "127.0.0.1",
    tokens: Sequence[str] = (),
    limits: Limits | None = None,
    secret: str | None = None,
) -> ASGIApp:
    """The server over a service.

    Args:
        service: what it serves.
        host: the address that is listened on.
        tokens: what a request of the API may carry; none: nothing is needed.
        limits: how much it does.
        secret: what commands of this user carry (see `cgstore.web.running`); that of another server is refused.

    Raises:
        BadInput: other machines can reach the address, and there is no token.
    """
    check_host(host, tokens[0] if tokens else None)
    limits = limits or Limits()
    app = FastAPI(
        title="cgstore",
        version=metadata.version("cgstore"),
        openapi_url=f"{API}/openapi.json",
        docs_url=None,  # these pages load scripts from other hosts
        redoc_url=None,
        lifespan=_warming(service),
        dependencies=[Depends(_checking(service))],
    )
    _add_failures(app)
    _add_asking(app, service, limits)
    _add_sources(app, service, limits)
    _add_judging(app, service)
    app.mount("/", StaticFiles(directory=PAGE, html=True))
    bounds = Bounds(
        host,
        [*tokens, *([secret] if secret else [])],
        needs_token=bool(tokens),
        guarded="/api/",
        most_bytes=limits.body,
        most_bytes_of={f"{API}/upload": int(limits.most_upload * 1e6)},
        seconds=limits.seconds,
        at_once=limits.at_once,
    )
    return Guard(_with_headers(app), bounds)


def _warming(service: Service) -> Any:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.warm_in_background()
        yield

    return lifespan


def _checking(service: Service) -> Callable[[], Awaitable[None]]:
    """Returns a check that the database answers; without it, statements would wait for it to come back."""
    threads = CapacityLimiter(4)  # its own: those of requests may all be waiting

    async def check() -> None:
        try:
            async with asyncio.timeout(CHECKING):
                await anyio.to_thread.run_sync(service.check, abandon_on_cancel=True, limiter=threads)
        except TimeoutError as error:
            said = f"The database did not answer in {CHECKING:g} seconds."
            raise NoDatabase(said, "Try again in a moment.") from error

    return check


def _with_headers(app: ASGIApp) -> ASGIApp:
    """Adds `HEADERS` to all responses, and forbids caching of the API's."""

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if scope["path"].startswith("/api/"):
                    headers["Cache-Control"] = "no-store"
            await send(message)

        await app(scope, receive, sending)

    return served


def _add_failures(app: FastAPI) -> None:
    """Makes each error a JSON object with `error` and `hint`."""

    @app.exception_handler(CgstoreError)
    async def expected(_: Request, error: CgstoreError) -> JSONResponse:
        failure = failure_of(error)
        headers = {"Retry-After": RETRY_AFTER} if failure["status"] == 503 else None
        return JSONResponse(failure, failure["status"], headers)

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:]) or "The body"
        return _failed(422, f"{place}: {first['msg']}.", f"{API}/openapi.json says what a request may hold.")

    @app.exception_handler(HTTPException)
    async def other(_: Request, error: HTTPException) -> JSONResponse:
        return _failed(error.status_code, f"{error.detail}.", f"The API is described at {API}/openapi.json.")

    @app.exception_handler(Exception)
    async def unexpected(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse(failure_of(error), 500)


def _failed(status: int, error: str, hint: str) -> JSONResponse:
    return JSONResponse({"error": error, "hint": hint, "status": status, "exit_code": 2}, status)


def _add_asking(app: FastAPI, service: Service, limits: Limits) -> None:
    room = asyncio.Semaphore(limits.threads)
    told = {"content": {MEDIA_TYPE: {}}, "description": "Events, a JSON object a line; one of them is the answer."}

    @app.post(f"{API}/ask", response_class=StreamingResponse, responses={200: told})
    async def ask(body: AskBody) -> StreamingResponse:
        """Answers a question; progress, answer and candidates are streamed as newline-delimited JSON."""
        return streamed(lambda tell: service.ask(body, tell), limits.seconds, room)

    @app.post(f"{API}/query")
    def query(body: QueryBody) -> dict[str, Any]:
        """Runs a program of the query language."""
        return service.query(body)

    @app.post(f"{API}/names")
    def names(body: NamesBody) -> list[dict[str, Any]]:
        """Gives the nodes that names may mean."""
        return service.names(body)

    @app.get(f"{API}/health")
    async def health() -> dict[str, Any]:
        """Says whether the server is warm, and what it can do."""
        return service.health()


def _add_sources(app: FastAPI, service: Service, limits: Limits) -> None:
    room = asyncio.Semaphore(2)

    @app.get(f"{API}/sources")
    def sources() -> list[dict[str, Any]]:
        """Lists the sources."""
        return service.sources()

    @app.get(f"{API}/sources/{{name:path}}")
    def describe(name: str) -> Any:
        """Says what is in a source."""
        try:
            return service.describe(name)
        except NoSource as error:
            return _failed(404, error.message, error.hint or "")

    @app.post(f"{API}/upload", response_class=StreamingResponse)
    async def upload(
        request: Request, name: Annotated[str, Query(max_length=200)], kind: Annotated[str | None, Query()] = None
    ) -> StreamingResponse:
        """Makes a source of the file in the body; progress and the report are streamed."""
        if not service.uploads:
            raise BadInput("This server takes no files.", "Load them with `cgstore load`.")
        file = Upload(name, kind)
        await file.receive(request.stream())

        def load(tell: Tell) -> None:
            file.load(service.store, tell)
            service.warm_in_background()

        return streamed(load, 10 * limits.seconds, room)


def _add_judging(app: FastAPI, service: Service) -> None:
    @app.get(f"{API}/history")
    def history() -> list[dict[str, Any]]:
        """Lists the last questions with their answers, the newest first."""
        return service.history()

    @app.post(f"{API}/right")
    def right(body: RightBody) -> dict[str, Any]:
        """Keeps the program of a right answer as a demonstration."""
        _refuse_writes(service)
        return service.right(body.number)

    @app.post(f"{API}/wrong")
    def wrong(body: WrongBody) -> dict[str, Any]:
        """Marks an answer as wrong, and keeps it with what is right, if that is given."""
        _refuse_writes(service)
        return service.wrong(body.number, body.answers, body.program)


def _refuse_writes(service: Service) -> None:
    if not service.writes:
        raise BadInput("This server only reads.", "Start `cgstore serve` instead of `cgstore serve --read-only`.")
