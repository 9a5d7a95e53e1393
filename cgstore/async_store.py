"""The store for asyncio: the same methods, each awaited while a thread waits for the database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from cgstore import arguments
from cgstore.cypher.connection import closed
from cgstore.errors import BadInput, QueryFailed
from cgstore.model import Answer
from cgstore.query.ast import Call, Program
from cgstore.store import IN_FLIGHT, Store

if TYPE_CHECKING:
    from cgstore.llm.backend import Backend

T = TypeVar("T")


class AsyncStore:
    """A `Store` whose questions are awaited.

    The driver releases the interpreter while it waits, so that threads serve as well as a second, asynchronous
    implementation of everything would, and answers are the same by construction.

    Args:
        store: what answers; it is closed with this one.
        in_flight: most statements at a time.
    """

    def __init__(self, store: Store, in_flight: int = IN_FLIGHT) -> None:
        in_flight = arguments.count("in_flight", in_flight, 1)
        self.store = store
        self._pool = ThreadPoolExecutor(in_flight, "cgstore")
        self._in_flight = in_flight

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Waits for what is under way, and closes the connection."""
        await asyncio.get_running_loop().run_in_executor(None, self._pool.shutdown)
        self.store.close()

    async def query(
        self, program: str | Program | Call, sources: Sequence[str] | None = None, **options: Any
    ) -> Answer:
        """See `Store.query`."""
        return await self._run(partial(self.store.query, program, sources, **options))

    async def ask(
        self, question: str, backend: Backend, sources: Sequence[str] | None = None, **options: Any
    ) -> Answer:
        """See `Store.ask`."""
        return await self._run(partial(self.store.ask, question, backend, sources, **options))

    async def execute_many(
        self, programs: Iterable[str | Program | Call], sources: Sequence[str] | None = None, **options: Any
    ) -> AsyncIterator[Answer | BadInput | QueryFailed]:
        """See `Store.execute_many`: the answers in the order of the programs, errors in their places."""
        waiting: list[asyncio.Future[Answer | BadInput | QueryFailed]] = []
        try:
            for program in programs:
                answer = partial(self.store.answer_or_error, program, sources, **options)
                waiting.append(asyncio.ensure_future(self._run(answer)))
                if len(waiting) >= self._in_flight:
                    yield await waiting.pop(0)
            while waiting:
                yield await waiting.pop(0)
        finally:  # those that nobody waits for any more
            for future in waiting:
                future.cancel()

    async def _run(self, work: Callable[[], T]) -> T:
        try:
            doing = self._pool.submit(work)
        except RuntimeError as error:  # the pool is shut down
            raise closed() from error
        return await asyncio.wrap_future(doing)
