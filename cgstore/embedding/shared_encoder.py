"""An encoder for several threads, loaded when it is first needed; and the one of a graph."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from cgstore.embedding.encoder import Encoder, load_encoder
from cgstore.errors import NoModel

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors

T = TypeVar("T")

TRY_AGAIN = 60.0
"""Seconds after which an encoder that failed is tried again."""


class SharedEncoder:
    """An `Encoder` around another one, which is used by one thread at a time.

    No `Encoder` promises to serve two at once, and one at work takes all cores anyway.

    Args:
        encoder: that one; loaded at the first use if None.
        name: of the one to load; see `load_encoder`.

    Raises:
        NoModel: at each use, if it cannot be loaded or fails; that is tried again after `TRY_AGAIN` seconds.
    """

    def __init__(self, encoder: Encoder | None = None, name: str | None = None) -> None:
        self._encoder, self._name = encoder, name
        self._failure: NoModel | None = None
        self._failed = 0.0
        self._lock = threading.RLock()

    @property
    def name(self) -> str:
        return self._use(lambda encoder: encoder.name)

    @property
    def fingerprint(self) -> str:
        return self._use(lambda encoder: encoder.fingerprint)

    @property
    def dimensions(self) -> int:
        return self._use(lambda encoder: encoder.dimensions)

    @property
    def failure(self) -> NoModel | None:
        """Why its last use failed; None where it did not, or was not used."""
        return self._failure

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder.encode`."""
        return self._use(lambda encoder: encoder.encode(texts))

    def _use(self, work: Callable[[Encoder], T]) -> T:
        with self._lock:
            if self._failure and time.monotonic() < self._failed + TRY_AGAIN:
                raise NoModel(self._failure.message, self._failure.hint)
            try:
                if self._encoder is None:
                    self._encoder = load_encoder(self._name)
                done = work(self._encoder)
            except NoModel as error:
                self._failure, self._failed = error, time.monotonic()
                raise
            self._failure = None
            return done


class GraphEncoder:
    """The encoder of a graph's vectors, which all threads share; another one once the graph has those of another."""

    def __init__(self) -> None:
        self._held: tuple[str, SharedEncoder] | None = None
        self._lock = threading.Lock()

    def named(self, name: str) -> SharedEncoder:
        """The encoder of that name, which is not loaded yet where it is a new one."""
        with self._lock:
            if self._held is None or self._held[0] != name:
                self._held = name, SharedEncoder(name=name)
            return self._held[1]
