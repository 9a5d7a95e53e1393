"""Something happens at a chosen moment of other work: before a call, before a statement, once a condition holds."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from typing import Any, Self

import pytest
from neo4j import ManagedTransaction, Session

Act = Callable[[], object]


def raising(error: type[BaseException], after: int = 0) -> Act:
    """An act that raises an error, but not at its first `after` calls; several threads may call it."""
    calls = itertools.count()

    def act() -> None:
        if next(calls) >= after:
            raise error

    return act


def before_call(patch: pytest.MonkeyPatch, owner: Any, name: str, act: Act) -> None:
    """Has something done before each call of a public function of a module or a class."""
    function = getattr(owner, name)

    def call(*arguments: Any, **named: Any) -> Any:
        act()
        return function(*arguments, **named)

    patch.setattr(owner, name, call)


def before_statement(patch: pytest.MonkeyPatch, part: str, act: Act) -> None:
    """Has something done before each statement that contains `part` is sent to Neo4j."""
    for sender in (ManagedTransaction, Session):
        patch.setattr(sender, "run", _acting_before(sender.run, part, act))


def _acting_before(run: Callable[..., Any], part: str, act: Act) -> Callable[..., Any]:
    def send(self: object, query: Any, *arguments: Any, **named: Any) -> Any:
        if part in getattr(query, "text", query):
            act()
        return run(self, query, *arguments, **named)

    return send


def wait_until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Waits until a condition holds, and fails if it does not within some seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "the condition never held"
        time.sleep(0.005)


class Together:
    """Counts the threads that are inside of it at the same time. Each waits a moment for another one to come in.

    Args:
        moment: seconds that a thread waits while it is alone.
    """

    def __init__(self, moment: float) -> None:
        self.most = 0
        self._inside, self._moment, self._changed = 0, moment, threading.Condition()

    def __enter__(self) -> Self:
        with self._changed:
            self._inside += 1
            self.most = max(self.most, self._inside)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._inside > 1, self._moment)
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._inside -= 1
