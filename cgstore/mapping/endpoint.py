"""An encoder behind an OpenAI-compatible endpoint: `openai:MODEL`, at OPENAI_BASE_URL or OpenAI's own address."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from cgstore.errors import NoModel
from cgstore.openai_client import OPENAI_ADDRESS, endpoint_address, open_client
from cgstore.progress import waiting

if TYPE_CHECKING:
    from openai import OpenAI

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
        BadInput: the address is none, or holds a password.
    """

    def __init__(self, name: str, base_url: str | None = None) -> None:
        self.name = name
        self._model = name.removeprefix(PREFIX)
        self._address = endpoint_address(base_url)
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
        client = self._client
        import openai

        try:
            with waiting(f"the vectors of {self.name}"):
                reply = client.embeddings.create(
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
    def _client(self) -> OpenAI:
        return open_client(
            self._address,
            "The encoder",
            timeout=TIMEOUT,
            retries=MAX_RETRIES,
            without_key="Set OPENAI_API_KEY, or OPENAI_BASE_URL of another endpoint.",
        )

    def _no_model(self, error: Exception) -> NoModel:
        """What went wrong, without the reply's text, which may repeat the key."""
        where = "OpenAI" if self._address == OPENAI_ADDRESS else self._address
        status = getattr(error, "status_code", None)
        said = f"answered {status}" if status else "cannot be reached"
        return NoModel(
            f"The encoder '{self.name}' cannot be used: {where} {said}.",
            _HINT,
        )
