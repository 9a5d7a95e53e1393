"""An encoder behind an OpenAI-compatible endpoint: `openai:MODEL`, at OPENAI_BASE_URL or OpenAI's own address."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cgstore.errors import NoModel

if TYPE_CHECKING:
    from cgstore.mapping.encoder import Vectors

PREFIX = "openai:"
"""How the name of such an encoder begins."""

BATCH = 256
"""Texts in one request."""

TIMEOUT = 60.0
"""Seconds that one request may take."""

MAX_RETRIES = 3


_HINT = "Check OPENAI_BASE_URL, OPENAI_API_KEY and the model's name."


class EndpointEncoder:
    """An embeddings model behind an endpoint as an `Encoder`.

    Its `fingerprint` is that of its name and dimensions: replies differ in their last digits from one to the next.

    Args:
        name: `openai:` and the model's name there.
        base_url: of the endpoint, such as `http://127.0.0.1:8000/v1`; else OPENAI_BASE_URL, else OpenAI's own.

    Raises:
        NoModel: no key, no connection, or the endpoint refuses.
    """

    def __init__(self, name: str, base_url: str | None = None) -> None:
        self.name = name
        self._model = name.removeprefix(PREFIX)
        self._base_url = base_url or os.environ.get("OPENAI_BASE_URL") or None
        if self._base_url and "@" in self._base_url:
            raise NoModel(f"The encoder '{name}' cannot be used: its address has a password in it.", _HINT)
        self.dimensions = len(self._ask(["dimensions"])[0])
        self.fingerprint = hashlib.sha256(f"{name}\0{self.dimensions}".encode()).hexdigest()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimensions), float32, each row of unit length; (0, dimensions) for no texts.

        Raises:
            NoModel: the endpoint cannot be reached, or refuses.
        """
        import numpy

        rows = [row for at in range(0, len(texts), BATCH) for row in self._ask(texts[at : at + BATCH])]
        vectors = numpy.asarray(rows, dtype=numpy.float32).reshape(len(texts), self.dimensions)
        lengths = numpy.linalg.norm(vectors, axis=1, keepdims=True)
        return numpy.asarray(vectors / numpy.where(lengths == 0, 1, lengths), dtype=numpy.float32)

    def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors of some texts, as they came."""
        import openai

        try:
            reply = self._client.embeddings.create(
                model=self._model,
                input=[text or " " for text in texts],  # an empty text is refused
                encoding_format="float",
            )
        except openai.OpenAIError as error:
            raise self._no_model(error) from error
        rows = [item.embedding for item in sorted(reply.data, key=lambda item: item.index)]
        if len(rows) != len(texts) or not all(rows):
            raise NoModel(f"The encoder '{self.name}' gave {len(rows)} vectors for {len(texts)} texts.")
        return rows

    @cached_property
    def _client(self) -> Any:
        try:
            import openai
        except ImportError as error:
            raise NoModel("The encoder needs the package openai.", "pip install 'cgstore[llm]'") from error
        key = os.environ.get("OPENAI_API_KEY")
        if not key and not self._base_url:
            raise NoModel("There is no key for OpenAI.", "Set OPENAI_API_KEY, or OPENAI_BASE_URL of another endpoint.")
        return openai.OpenAI(
            api_key=key or "none",  # servers on one's own machine ask for no key, but the client insists on one
            base_url=self._base_url,
            timeout=TIMEOUT,
            max_retries=MAX_RETRIES,
        )

    def _no_model(self, error: Exception) -> NoModel:
        """What went wrong, without the reply's text, which may repeat the key."""
        where = self._base_url or "OpenAI"
        status = getattr(error, "status_code", None)
        said = f"answered {status}" if status else "cannot be reached"
        return NoModel(
            f"The encoder '{self.name}' cannot be used: {where} {said}.",
            _HINT,
        )
