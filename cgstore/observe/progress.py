"""What a command is doing, on standard error: bars on a terminal, and plain lines now and then elsewhere.

A log file, a cron job and a program that reads standard error get lines, since they cannot show a bar's carriage
returns. In both cases a command that is silent for two seconds, or runs a long statement, says what it waits for.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol, Self, TypeVar

T = TypeVar("T")

PATIENCE = 2.0
"""Seconds of silence after which a command says what it is doing."""

EVERY = 30.0
"""Seconds between two lines about the same work."""

_shown: list[object] = []
"""The bars and waits that are shown now: only the last one prints lines."""

_speaking = False


class Bar(Protocol):
    """The progress of a piece of work: a context manager that ends with it. tqdm's bars are such."""

    n: float
    total: Any

    def update(self, n: float = 1) -> Any:
        """Counts `n` more."""

    def reset(self, total: float | None = None) -> Any:
        """Begins again, with another total."""

    def set_postfix_str(self, s: str = "", refresh: bool = True) -> Any:
        """Shows a text behind the count."""

    def close(self) -> Any:
        """Ends the work."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: Any) -> Any: ...


@contextmanager
def speaking() -> Iterator[None]:
    """Lets `waiting` print inside this context. Otherwise it is silent, as a library should be."""
    global _speaking
    before, _speaking = _speaking, True
    try:
        yield
    finally:
        _speaking = before


def bar(
    what: str, unit: str, total: float | None = None, *, initial: float = 0, show: bool = True, percent: bool = False
) -> Bar:
    """Shows the progress of a piece of work.

    Args:
        what: the work.
        unit: what is counted, in the plural.
        total: the number of all, if it is known.
        initial: the number that was done before.
        show: whether to show anything.
        percent: whether to show the share instead of the count.
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
def waiting(what: str, *, always: bool = False, once_after: float | None = None) -> Iterator[None]:
    """Says "Waiting for `what`" after two seconds, and again every `EVERY` seconds.

    Args:
        what: what is waited for.
        always: also where a bar, or a wait around this one, is already shown.
        once_after: seconds after which it is said instead, and not again.
    """
    if not _speaking or (_shown and not always) or what in _shown:
        yield
        return
    began = time.monotonic()
    _shown.append(what)
    stop = _now_and_then(lambda: note(f"Waiting for {what} ({time.monotonic() - began:.0f} s) ..."), once_after)
    try:
        yield
    finally:
        stop()
        _forget(what)


def note(text: str) -> None:
    """Prints a line to standard error, above the bars that are shown there."""
    with suppress(OSError, ValueError, AttributeError):  # standard error is closed, a broken pipe, or missing
        if "tqdm" in sys.modules and _is_terminal():
            from tqdm import tqdm

            tqdm.write(text, file=sys.stderr)
        else:
            print(text, file=sys.stderr, flush=True)


def _is_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # it is missing or closed
        return False


def _forget(mark: object) -> None:
    _shown[:] = [one for one in _shown if one is not mark]


def _now_and_then(tick: Callable[[], None], once_after: float | None = None) -> Callable[[], None]:
    """Calls a function after `PATIENCE` seconds and then every `EVERY` seconds, until the returned one is called."""
    over = threading.Event()

    def run() -> None:
        pause: float | None = once_after or PATIENCE
        while not over.wait(pause):
            tick()
            pause = None if once_after else EVERY

    threading.Thread(target=run, name="progress", daemon=True).start()
    return over.set


class _Lines:
    """A bar as plain lines: one when the work takes more than `PATIENCE` seconds, and one at its end."""

    def __init__(self, what: str, unit: str, total: float | None, initial: float, show: bool, percent: bool) -> None:
        self.n, self.total = initial, total
        self._what, self._unit, self._percent, self._postfix = what, unit, percent, ""
        self._began, self._last_line = time.monotonic(), ""
        self._stop: Callable[[], None] | None = None
        if show:
            _shown.append(self)
            self._stop = _now_and_then(self._tick)

    def update(self, n: float = 1) -> None:
        self.n += n

    def reset(self, total: float | None = None) -> None:
        self.n, self.total = 0, self.total if total is None else total

    def set_postfix_str(self, s: str = "", refresh: bool = True) -> None:
        self._postfix = s

    def _tick(self) -> None:
        if _shown and _shown[-1] is self:
            self._print()

    def _print(self) -> None:
        done = f"{self.n:,.0f}" if self.total is None else f"{self.n:,.0f} of {self.total:,.0f}"
        if self._percent:
            done = f"{self.n / (self.total or 1):.0%}"
        parts = [f"{done} {self._unit}".strip(), self._postfix, f"{time.monotonic() - self._began:.0f} s"]
        line = f"{self._what}: {', '.join(part for part in parts if part)}"
        if line != self._last_line:
            note(line)
        self._last_line = line

    def close(self) -> None:
        if self._stop is None:
            return
        self._stop()
        self._stop = None
        _forget(self)
        if self._last_line:
            self._print()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()
