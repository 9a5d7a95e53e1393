"""Models of sentence-transformers as encoders: those of the hub by their names, and those in folders."""

from __future__ import annotations

import hashlib
import logging
import os
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cgstore.errors import NoModel, optional, setting
from cgstore.observe.progress import waiting

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors

ALONE = 1_000
"""Most texts in one call that are encoded one by one. Beside others, a text's vector differs by 1e-7, which decides
between candidates that are about equally near; encoding the names of a graph one by one would take too long."""

_QUIET = threading.RLock()
"""Held while the libraries' log levels are changed, since these belong to the whole process."""

_PROBE = "Which team did she play for before 1990?"


class SentenceEncoder:
    """A model as an `Encoder`."""

    def __init__(self, name: str) -> None:
        """Loads the model.

        Raises:
            NoModel: the extra `sentence-transformers` is not installed, the hub does not answer, there is no such
                model or folder, or the folder names code to run.
        """
        is_folder = name.startswith((".", "~", "/", "\\")) or Path(name).is_absolute()
        if not is_folder and os.path.lexists(name):  # sentence-transformers would load it as the model
            raise NoModel(
                f"The encoder '{name}' is the name of a model on the hub, and something here has that name too.",
                f"For the folder give ./{name}; for the model start from another folder.",
            )
        self.name, self._model = _load(name, is_folder)
        # The vector of a sample tells models apart: the hub has no cheap hash of the loaded weights.
        sample = self.encode([_PROBE])[0]
        self.dimensions: int = len(sample)
        rounded = (sample * 100).round().astype("int8")
        self.fingerprint = hashlib.sha256(self.name.encode() + rounded.tobytes()).hexdigest()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder.encode`. Up to `ALONE` texts have the same vectors whatever the texts beside them."""
        import numpy

        if not texts:
            return numpy.zeros((0, self.dimensions), dtype=numpy.float32)
        with _silence():
            vectors = self._model.encode(
                list(texts),
                batch_size=1 if len(texts) <= ALONE else 32,
                normalize_embeddings=True,
                convert_to_numpy=True,
                show_progress_bar=False,
            )
        return numpy.asarray(vectors, dtype=numpy.float32)


def _load(name: str, is_folder: bool) -> tuple[str, Any]:
    """The model, and its name: a folder's is absolute, since the graph records it and is asked from other folders."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # else tokenizers warns at every fork
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    with waiting("the encoder to be loaded"), _silence():
        package = optional("sentence_transformers", "sentence-transformers")
        optional("transformers.utils.logging", "sentence-transformers").disable_progress_bar()
        try:
            found = str(Path(name).expanduser().resolve(strict=True)) if is_folder else name
            return found, package.SentenceTransformer(found, trust_remote_code=False, local_files_only=is_folder)
        except MemoryError:
            raise
        except Exception as error:  # the hub, the file system and torch each raise kinds of their own
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise NoModel(
                f"The encoder '{name}' cannot be loaded: {reason}",
                f"Is {setting('encoder')} or CGSTORE_ENCODER right, and the hub reachable? A folder begins with ./ or "
                "/, the name of a model does not; all-MiniLM-L6-v2, the default, needs no hub.",
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
