"""An encoder without a model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors


class Synonyms:
    """An encoder that has a direction of its own for each text, and one for two texts that mean the same."""

    name, fingerprint, dimensions = "synonyms", "synonyms", 32

    def __init__(self, same: dict[str, str]) -> None:
        self.same = same

    def encode(self, texts: Sequence[str]) -> Vectors:
        vectors = numpy.zeros((len(texts), self.dimensions), dtype=numpy.float32)
        for place, text in enumerate(texts):
            meant = self.same.get(text, text)
            seed = int(hashlib.sha256(meant.encode()).hexdigest()[:8], 16)
            vectors[place] = numpy.random.default_rng(seed).standard_normal(self.dimensions)
        return vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)
