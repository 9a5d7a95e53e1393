"""What a command is busy with, on standard error: bars on a terminal, and plain lines now and then elsewhere.

A log file, a cron job and a program that reads standard error get no bars, whose carriage returns they cannot show. In
both cases a command that is silent for two seconds says what it waits for.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

T = TypeVar("T")

PATIENCE = 2.0
"""Seconds of silence after which a command says what it is busy with."""

EVERY = 30.0
"""Seconds between two lines about the same work."""


class Bar(Protocol):
    """How far a piece of work has come; a context manager, which ends it."""

    n: float
    total: Any

    def update(self, n: float = 1) -> Any:
        """Counts `n` more."""

    def reset(self, total: float | None = None) -> Any:
        """Begins anew, with another total."""

    def set_description(self, desc: str | None = None, refresh: bool | None = True) -> Any:
        """Calls the work by another name."""

    def set_postfix_str(self, s: str = "", refresh: bool = True) -> Any:
        """Says something behind the count."""

    def close(self) -> Any:
        """Ends the work."""

    def __enter__(self) -> Self:
        """Begins the work."""

    def __exit__(self, *error: Any) -> Any:
        """Ends the work."""


_shown: list[object] = []
"""The bars, and what is waited for, that are shown now: only the last one speaks in lines."""

_speaking = False


@contextmanager
def speaking() -> Iterator[None]:
    """Within, `waiting` says what is waited for; a library is silent unless it is told to speak."""
    global _speaking
    before, _speaking = _speaking, True
    try:
        yield
    finally:
        _speaking = before


def bar(
    what: str, unit: str, total: float | None = None, *, initial: float = 0, show: bool = True, percent: bool = False
) -> Bar:
    """Shows how far a piece of work has come.

    Args:
        what: the work.
        unit: what is counted, in the plural.
        total: how many there are, if that is known.
        initial: how many were done before.
        show: whether to show anything.
        percent: whether the share is shown rather than the count.
    """
    if not show or not _is_terminal():
        return _Lines(what, unit, total, initial, show, percent)
    from tqdm import tqdm

    class OnTerminal(tqdm):  # type: ignore[type-arg]
        def close(self) -> None:
            _forget(self)
            super().close()

    form: Any = {"bar_format": "{l_bar}{bar}| {elapsed}"} if percent else {}
    made: Bar = OnTerminal(total=total, initial=initial, unit=f" {unit}", unit_scale=True, desc=what, **form)
    _shown.append(made)
    return made


def counted(items: Iterable[T], what: str, unit: str, total: float | None = None, *, show: bool = True) -> Iterator[T]:
    """The items, with a bar that counts them."""
    with bar(what, unit, total, show=show) as shown:
        for item in items:
            yield item
            shown.update()


@contextmanager
def waiting(what: str, *, always: bool = False) -> Iterator[None]:
    """Says "Waiting for `what`" once two seconds have passed, and again every `EVERY` seconds.

    Args:
        what: what is waited for.
        always: also where a bar, or a wait around this one, shows already that something goes on.
    """
    if not _speaking or (_shown and not always) or what in _shown:
        yield
        return
    began = time.monotonic()
    _shown.append(what)
    try:
        with _Ticker(lambda: note(f"Waiting for {what} ({time.monotonic() - began:.0f} s) ...")):
            yield
    finally:
        _forget(what)


def note(text: str) -> None:
    """Prints a line to standard error, above the bars that are shown there."""
    with suppress(OSError, ValueError, AttributeError):  # closed, a broken pipe, none at all
        if "tqdm" in sys.modules and _is_terminal():
            from tqdm import tqdm

            tqdm.write(text, file=sys.stderr)
        else:
            print(text, file=sys.stderr, flush=True)


def _is_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # there is none, or it is closed
        return False


def _forget(mark: object) -> None:
    _shown[:] = [one for one in _shown if one is not mark]


class _Ticker:
    """Calls a function after `PATIENCE` seconds and then every `EVERY` seconds, until it is left."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self._tick, self._over = tick, threading.Event()
        self._thread = threading.Thread(target=self._run, name="progress", daemon=True)

    def _run(self) -> None:
        pause = PATIENCE
        while not self._over.wait(pause):
            self._tick()
            pause = EVERY

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()


class _Lines:
    """A bar as plain lines: one when work takes more than `PATIENCE` seconds, and at its end."""

    def __init__(self, what: str, unit: str, total: float | None, initial: float, show: bool, percent: bool) -> None:
        self.n, self.total = initial, total
        self._what, self._unit, self._percent, self._behind = what, unit, percent, ""
        self._began, self._said, self._last = time.monotonic(), False, ""
        self._ticker = _Ticker(self._tick) if show else None
        if self._ticker:
            _shown.append(self)
            self._ticker.__enter__()

    def update(self, n: float = 1) -> None:
        self.n += n

    def reset(self, total: float | None = None) -> None:
        self.n, self.total = 0, self.total if total is None else total

    def set_description(self, desc: str | None = None, refresh: bool | None = True) -> None:
        self._what = desc or self._what

    def set_postfix_str(self, s: str = "", refresh: bool = True) -> None:
        self._behind = s

    def _tick(self) -> None:
        if _shown and _shown[-1] is self:
            self._say()

    def _say(self) -> None:
        done = f"{self.n:,.0f}" if self.total is None else f"{self.n:,.0f} of {self.total:,.0f}"
        if self._percent:
            done = f"{self.n / (self.total or 1):.0%}"
        parts = [f"{done} {self._unit}".strip(), self._behind, f"{time.monotonic() - self._began:.0f} s"]
        line = f"{self._what}: {', '.join(part for part in parts if part)}"
        if line != self._last:
            note(line)
        self._said, self._last = True, line

    def close(self) -> None:
        if self._ticker is None:
            return
        self._ticker.__exit__(None, None, None)
        self._ticker = None
        _forget(self)
        if self._said:
            self._say()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()
