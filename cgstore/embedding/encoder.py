"""Sentence encoders: texts -> unit vectors, whose dot product is the cosine similarity.

The default is all-MiniLM-L6-v2 (Reimers and Gurevych, 2019), 384 dimensions, see `minilm`. A name is never read as a
path: a folder is given as `./folder`, and no code in it is run.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import platformdirs
from cachetools import LRUCache

from cgstore.embedding.endpoint import PREFIX, EndpointEncoder
from cgstore.embedding.minilm import MiniLM
from cgstore.embedding.sentence_encoder import ALONE, SentenceEncoder
from cgstore.errors import NoModel

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Vectors = NDArray[numpy.float32]

T = TypeVar("T")

DEFAULT_ENCODER = "all-MiniLM-L6-v2"

TRY_AGAIN = 60.0
"""Seconds after which an encoder that failed is tried again."""

FEW_TEXTS, KEPT_TEXTS = 300, 4_000
"""Most texts of a call whose vectors are kept in memory, and most texts kept (6 MB at 384 dimensions)."""


class Encoder(Protocol):
    """Turns texts into vectors. Two encoders of one `fingerprint` make the same vectors, so that it can key a cache."""

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The texts' vectors: shape (len(texts), dimensions), float32, each of unit length."""
        ...


def cosines(vectors: Vectors, vector: Vectors) -> list[float]:
    """The cosine of each row with a vector, all of unit length; equal rows have equal cosines, so that they tie."""
    products = vectors.astype("float64") @ vector.astype("float64")
    return [float(product) for product in products.round(12)]


def load_encoder(name: str | None = None) -> Encoder:
    """The encoder of that name; else that of CGSTORE_ENCODER; else all-MiniLM-L6-v2.

    A name is one of the hub, or `openai:MODEL` for a model behind an OpenAI-compatible endpoint. A path, which begins
    with `.`, `~` or `/`, is a folder.

    Raises:
        NoModel: the extra that it needs is not installed, its weights cannot be fetched, there is no such model or
            folder, the folder names code to run, or the endpoint refuses.
    """
    chosen = name or os.environ.get("CGSTORE_ENCODER") or DEFAULT_ENCODER
    if chosen.startswith(PREFIX):
        return EndpointEncoder(chosen)
    if chosen.removeprefix("sentence-transformers/") == DEFAULT_ENCODER:
        return MiniLM(chosen)
    return SentenceEncoder(chosen)


# One encoder for several threads


class SharedEncoder:
    """An `Encoder` around another one (or the one of a name, loaded at the first use), which one thread uses at a time.

    No `Encoder` promises to serve two threads at once, and one call takes all cores anyway.

    Raises:
        NoModel: at each use, if it cannot be loaded or fails; it is tried again after `TRY_AGAIN` seconds.
    """

    def __init__(self, encoder: Encoder | None = None, name: str | None = None) -> None:
        self._encoder, self._name = encoder, name
        self._kept: LRUCache[str, Any] = LRUCache(KEPT_TEXTS)
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
        """The error of its last use; None if there was none."""
        return self._failure

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder.encode`. The vectors of the last texts are kept: questions of one form have the same ones."""
        if 0 < len(texts) <= FEW_TEXTS:
            return self._use(lambda encoder: self._encoded(encoder, texts))
        return self._use(lambda encoder: encoder.encode(texts))

    def _encoded(self, encoder: Encoder, texts: Sequence[str]) -> Vectors:
        found = {text: self._kept[text] for text in texts if text in self._kept}
        if missing := [text for text in dict.fromkeys(texts) if text not in found]:
            made = dict(zip(missing, encoder.encode(missing), strict=True))  # raises if there is no encoder
            self._kept.update(made)
            found |= made
        import numpy

        return numpy.stack([found[text] for text in texts])

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
    """The encoder of a graph's vectors, which all threads share. It is replaced when another one made the vectors."""

    def __init__(self) -> None:
        self._held: tuple[str, SharedEncoder] | None = None
        self._lock = threading.Lock()

    def named(self, name: str) -> SharedEncoder:
        """The encoder of that name; a new one is loaded at its first use."""
        with self._lock:
            if self._held is None or self._held[0] != name:
                self._held = name, SharedEncoder(name=name)
            return self._held[1]


# A cache of vectors on disk, so that texts that never change are encoded once


MAX_CACHED = 20_000
"""Most vectors of one encoder in the cache (30 MB at 384 dimensions). With more, the file starts again."""


def cache_folder() -> Path:
    """`cache` in CGSTORE_HOME, else the user's cache folder; the folder may not exist yet."""
    home = os.environ.get("CGSTORE_HOME")
    return Path(home).expanduser() / "cache" if home else Path(platformdirs.user_cache_dir("cgstore", appauthor=False))


def encode_cached(encoder: Encoder, texts: Sequence[str], folder: Path | None = None) -> Vectors:
    """Like `encoder.encode`, but encodes only texts that are not in the cache: shape (len(texts), dimensions).

    A folder that cannot be written to and a damaged file cost time and nothing else. Texts are encoded `ALONE` at a
    time, so that it does not matter which were in the cache.
    """
    file = (folder or cache_folder()) / f"precise-vectors-{encoder.fingerprint[:16]}.npz"
    import numpy

    cached = _read(file, encoder.dimensions)
    missing = list(dict.fromkeys(text for text in texts if _hash(text) not in cached))
    if missing:
        if len(cached) + len(missing) > MAX_CACHED:
            cached = {key: cached[key] for key in map(_hash, texts) if key in cached}
        for start in range(0, len(missing), ALONE):
            some = missing[start : start + ALONE]
            cached |= dict(zip(map(_hash, some), encoder.encode(some), strict=True))
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
