"""The Store for asyncio: the same methods, each awaited while a thread waits for the database."""

from __future__ import annotations

import asyncio
import functools
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, Unpack

from cgstore import arguments
from cgstore.ask.run import AnyProgram
from cgstore.change.report import ChangeReport
from cgstore.cypher.connection import closed
from cgstore.errors import BadInput, QueryFailed
from cgstore.model import Answer
from cgstore.options import QueryKeywords, QueryOptions
from cgstore.store import FROM_PYTHON, IN_FLIGHT, Store

P = ParamSpec("P")
T = TypeVar("T")


def _awaited(
    method: Callable[Concatenate[Store, P], T],
) -> Callable[Concatenate[AsyncStore, P], Coroutine[Any, Any, T]]:
    """The method of `Store`, run in a thread."""

    @functools.wraps(method)
    async def run(self: AsyncStore, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._in_thread(functools.partial(method, self.store, *args, **kwargs))

    return run


class AsyncStore:
    """A `Store` with awaited methods.

    The driver releases the interpreter while it waits. So threads serve as well as a second, asynchronous
    implementation would, and the answers are the same by construction.

    Args:
        store: the Store that answers; it is closed with this one.
        in_flight: most statements at a time.
    """

    def __init__(self, store: Store, in_flight: int = IN_FLIGHT) -> None:
        self._in_flight = arguments.count("in_flight", in_flight, 1)
        self.store = store
        self._pool = ThreadPoolExecutor(self._in_flight, "cgstore")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    load_table = _awaited(Store.load_table)
    load_frame = _awaited(Store.load_frame)
    load_kg = _awaited(Store.load_kg)
    load_tkg = _awaited(Store.load_tkg)
    load_statements = _awaited(Store.load_statements)
    load_aliases = _awaited(Store.load_aliases)
    load_rdf = _awaited(Store.load_rdf)
    load_graph = _awaited(Store.load_graph)
    sources = _awaited(Store.sources)
    ready = _awaited(Store.ready)
    describe = _awaited(Store.describe)
    append = _awaited(Store.append)
    upsert = _awaited(Store.upsert)
    changing = _awaited(Store.changing)
    history = _awaited(Store.history)
    undo = _awaited(Store.undo)
    check = _awaited(Store.check)
    drop = _awaited(Store.drop)
    upgrade = _awaited(Store.upgrade)
    embed = _awaited(Store.embed)
    export = _awaited(Store.export)
    dump = _awaited(Store.dump)
    restore = _awaited(Store.restore)
    map = _awaited(Store.map)
    graph_encoder = _awaited(Store.graph_encoder)
    search_node = _awaited(Store.search_node)
    search_condition = _awaited(Store.search_condition)
    compile = _awaited(Store.compile)
    query = _awaited(Store.query)
    ask = _awaited(Store.ask)
    right = _awaited(Store.right)
    wrong = _awaited(Store.wrong)
    add_demonstrations = _awaited(Store.add_demonstrations)
    demonstrations = _awaited(Store.demonstrations)
    remove_demonstrations = _awaited(Store.remove_demonstrations)
    build_demonstrations = _awaited(Store.build_demonstrations)

    async def execute_many(
        self,
        programs: Iterable[AnyProgram],
        sources: Sequence[str] | None = None,
        *,
        in_flight: int | None = None,
        **options: Unpack[QueryKeywords],
    ) -> AsyncIterator[Answer | BadInput | QueryFailed]:
        """See `Store.execute_many`. `in_flight` is that of this AsyncStore, or less."""

        async def answer(program: AnyProgram) -> Answer | BadInput | QueryFailed:
            try:
                return await self.query(program, sources, **options)
            except (BadInput, QueryFailed) as error:
                return error

        # Wrong options are an error of the call, not of each program.
        arguments.options(QueryOptions, "execute_many", options, "sources", "in_flight")
        most = self._in_flight if in_flight is None else arguments.count("in_flight", in_flight, 1)
        waiting: deque[asyncio.Future[Answer | BadInput | QueryFailed]] = deque()
        try:
            for program in programs:
                waiting.append(asyncio.ensure_future(answer(program)))
                if len(waiting) >= most:
                    yield await waiting.popleft()
            while waiting:
                yield await waiting.popleft()
        finally:  # nobody waits for the others any more
            for future in waiting:
                future.cancel()

    async def apply(
        self,
        source: str,
        lines: Iterable[str | None],
        *,
        together: bool = False,
        dry_run: bool = False,
        command: str = FROM_PYTHON,
    ) -> AsyncIterator[ChangeReport]:
        """See `Store.apply`."""
        reports = self.store.apply(source, lines, together=together, dry_run=dry_run, command=command)
        while (report := await self._in_thread(lambda: next(reports, None))) is not None:
            yield report

    async def close(self) -> None:
        """Waits for the statements that are running, and closes the Store that this one was made of."""
        await asyncio.get_running_loop().run_in_executor(None, self._pool.shutdown)
        self.store.close()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        try:
            future = self._pool.submit(work)
        except RuntimeError as error:  # the pool is shut down
            raise closed() from error
        return await asyncio.wrap_future(future)
