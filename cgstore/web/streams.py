"""Streams the events of work in a thread, errors included, as newline-delimited JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import anyio.to_thread
from starlette.responses import StreamingResponse

from cgstore.errors import BadInput, CgstoreError, NoDatabase, NoModel, NoRoom, QueryFailed
from cgstore.web.watching import Tell

MEDIA_TYPE = "application/x-ndjson"

PULSE = 1.0
"""Seconds after which a stream that has nothing to say says how long the work takes."""


_STATUSES = {BadInput: 400, QueryFailed: 422, NoRoom: 507, NoDatabase: 503, NoModel: 503}


def failure_of(error: Exception) -> dict[str, Any]:
    """Returns what a client may know of an error; of an unexpected one, nothing."""
    if not isinstance(error, CgstoreError):
        return {
            "error": "The server failed at this request.",
            "hint": "Its log says why.",
            "status": 500,
            "exit_code": 2,
        }
    status = next((status for kind, status in _STATUSES.items() if isinstance(error, kind)), 400)
    return {"error": error.message, "hint": error.hint, "status": status, "exit_code": error.exit_code}


def streamed(work: Callable[[Tell], None], seconds: float, room: asyncio.Semaphore) -> StreamingResponse:
    """Returns a response that streams the events of `work`, a JSON object a line.

    The last line is an event `error` if the work fails, or takes longer than it may. Work that nobody waits for any
    more ends by itself: each of its statements has a timeout.

    Args:
        work: gets the function that takes events.
        seconds: that it may take.
        room: a place in it is taken while the work runs.
    """
    return StreamingResponse(_lines(work, seconds, room), media_type=MEDIA_TYPE)


async def _lines(work: Callable[[Tell], None], seconds: float, room: asyncio.Semaphore) -> AsyncIterator[str]:
    loop, events = asyncio.get_running_loop(), asyncio.Queue[dict[str, Any] | None]()

    def tell(event: dict[str, Any] | None) -> None:
        loop.call_soon_threadsafe(events.put_nowait, event)

    def run() -> None:
        try:
            work(tell)
        except CgstoreError as error:
            tell({"event": "error", **failure_of(error)})
        except Exception as error:
            tell({"event": "error", **failure_of(error)})
            raise
        finally:
            tell(None)

    began = loop.time()
    task = asyncio.create_task(_in_thread(run, room))
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    while True:
        try:
            event = await asyncio.wait_for(events.get(), PULSE)
        except TimeoutError:
            taken = loop.time() - began
            if taken >= seconds:
                late = {"status": 504, "error": f"There was no answer in {seconds:g} seconds.", "hint": "Ask for less."}
                yield _line({"event": "error", **late})
                return
            event = {"event": "waiting", "seconds": round(taken)}
        if event is None:
            return
        yield _line(event)


async def _in_thread(run: Callable[[], None], room: asyncio.Semaphore) -> None:
    async with room:
        await anyio.to_thread.run_sync(run)


def _line(event: dict[str, Any]) -> str:
    return json.dumps(event, ensure_ascii=False, default=str) + "\n"
