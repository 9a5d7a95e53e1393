"""A cache of vectors on disk, so that texts that never change are encoded once."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder, Vectors

MAX_CACHED = 20_000
"""Most vectors of one encoder in the cache (30 MB at 384 dimensions). With more, the file starts again."""


def cache_folder() -> Path:
    """`cache` in CGSTORE_HOME, else the user's cache folder; the folder may not exist yet."""
    home = os.environ.get("CGSTORE_HOME")
    return Path(home).expanduser() / "cache" if home else Path(platformdirs.user_cache_dir("cgstore", appauthor=False))


def encode_cached(encoder: Encoder, texts: Sequence[str], folder: Path | None = None) -> Vectors:
    """As `encoder.encode`, but encodes only texts that are not in the cache: shape (len(texts), dimensions).

    A folder that cannot be written to and a damaged file cost time and nothing else.
    """
    file = (folder or cache_folder()) / f"vectors-{encoder.fingerprint[:16]}.npz"  # raises if there is no encoder
    import numpy

    cached = _read(file, encoder.dimensions)
    missing = list(dict.fromkeys(text for text in texts if _hash(text) not in cached))
    if missing:
        cached = (
            cached
            if len(cached) + len(missing) <= MAX_CACHED
            else {k: cached[k] for k in map(_hash, texts) if k in cached}
        )
        cached |= dict(zip(map(_hash, missing), encoder.encode(missing), strict=True))
        _write(file, cached)
    empty = numpy.zeros((0, encoder.dimensions), dtype=numpy.float32)
    return numpy.vstack([empty, *(cached[_hash(text)] for text in texts)])


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _read(file: Path, dimensions: int) -> dict[str, Vectors]:
    import numpy

    try:
        with numpy.load(file, allow_pickle=False) as data:
            hashes, vectors = data["hashes"].tolist(), data["vectors"]
    except Exception:  # absent or damaged: numpy and zipfile each raise kinds of their own
        return {}
    if vectors.shape != (len(hashes), dimensions) or vectors.dtype != numpy.float32:
        return {}
    return dict(zip(hashes, vectors, strict=True))


def _write(file: Path, vectors: dict[str, Vectors]) -> None:
    """Replaces the file in one step, so that other processes never read half of it."""
    import numpy

    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=file.parent, suffix=".npz")
        try:
            with os.fdopen(handle, "wb") as stream:
                numpy.savez(stream, hashes=numpy.array(list(vectors)), vectors=numpy.stack(list(vectors.values())))
            Path(temporary).replace(file)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
