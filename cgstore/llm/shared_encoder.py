"""An encoder for several threads, loaded when it is first needed."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cgstore.errors import NoModel
from cgstore.mapping.encoder import Encoder, load_encoder

if TYPE_CHECKING:
    from cgstore.mapping.encoder import Vectors


class SharedEncoder:
    """An `Encoder` around another one, which is used by one thread at a time.

    No `Encoder` promises to serve two at once, and one at work takes all cores anyway.

    Args:
        encoder: that one; loaded at the first use if None (see `load_encoder`).

    Raises:
        NoModel: at each use, if it cannot be loaded; that is tried once.
    """

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._encoder = encoder
        self._failure: NoModel | None = None
        self._lock = threading.RLock()

    @property
    def name(self) -> str:
        return self._loaded().name

    @property
    def fingerprint(self) -> str:
        return self._loaded().fingerprint

    @property
    def dimensions(self) -> int:
        return self._loaded().dimensions

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder.encode`."""
        with self._lock:
            return self._loaded().encode(texts)

    def _loaded(self) -> Encoder:
        with self._lock:
            if self._failure:
                raise self._failure
            if self._encoder is None:
                try:
                    self._encoder = load_encoder()
                except NoModel as error:
                    self._failure = error
                    raise
            return self._encoder
