"""The default encoder, for all tests of one process: its weights are loaded once, and each text is encoded once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy
import pytest

from cgstore.embedding.encoder import DEFAULT_ENCODER, Encoder, load_encoder
from cgstore.server.home import home_folder

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors


class OneEncoder:
    """An encoder that remembers its vectors."""

    def __init__(self, encoder: Encoder) -> None:
        self.name, self.fingerprint, self.dimensions = encoder.name, encoder.fingerprint, encoder.dimensions
        self._encoder, self._vectors = encoder, dict[str, "Vectors"]()

    def encode(self, texts: Sequence[str]) -> Vectors:
        if unknown := list(dict.fromkeys(text for text in texts if text not in self._vectors)):
            self._vectors |= zip(unknown, self._encoder.encode(unknown), strict=True)
        return numpy.vstack(
            [numpy.zeros((0, self.dimensions), dtype=numpy.float32), *(self._vectors[text] for text in texts)]
        )


_LOADED: list[OneEncoder] = []
_HOME = home_folder()
"""That of whoever runs the tests, whose weights are used; tests have homes of their own."""


def load_one(name: str | None = None) -> Encoder:
    """As `load_encoder`, but the default encoder is always the same object."""
    if (name or os.environ.get("CGSTORE_ENCODER") or DEFAULT_ENCODER) != DEFAULT_ENCODER:
        return load_encoder(name)
    if not _LOADED:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("CGSTORE_HOME", str(_HOME))
            _LOADED.append(OneEncoder(load_encoder(DEFAULT_ENCODER)))
    return _LOADED[0]
