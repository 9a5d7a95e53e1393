"""An encoder behind an OpenAI-compatible endpoint: `openai:MODEL`, at OPENAI_BASE_URL or OpenAI's own address."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from cgstore.embedding.openai_client import (
    OPENAI_ADDRESS,
    ReplyError,
    ReplyTooLarge,
    ReplyTooLate,
    endpoint_address,
    given_up,
    open_client,
)
from cgstore.errors import NoModel
from cgstore.observe.progress import waiting

if TYPE_CHECKING:
    from openai import OpenAI

    from cgstore.embedding.encoder import Vectors

PREFIX = "openai:"
"""The prefix of the names of such encoders."""

BATCH = 256
"""Texts per request."""

TIMEOUT = 60.0
"""Seconds for one request with its whole reply."""

MOST_BYTES = 32 << 20
"""Most bytes of a reply. `BATCH` vectors of 4,096 numbers with all their digits take 24 MB."""

MAX_RETRIES = 3

_HINT = "Check OPENAI_BASE_URL, OPENAI_API_KEY and the model's name."


class EndpointEncoder:
    """An embeddings model behind an endpoint as an `Encoder`; its name is `openai:` and the name of the model there.

    Its `fingerprint` is made from its name and dimensions, since replies differ in their last digits.

    Raises:
        NoModel: there is no key, connection or numpy, or the endpoint refuses.
        BadInput: the address is malformed, or contains a password.
    """

    def __init__(self, name: str, base_url: str | None = None) -> None:
        if find_spec("numpy") is None:
            raise NoModel(f"The encoder '{name}' needs the package numpy.", "Install it: pip install 'cgstore[embed]'")
        self.name = name
        self._model = name.removeprefix(PREFIX)
        self._address = endpoint_address(base_url)
        self.dimensions = self._ask(["dimensions"]).shape[1]
        self.fingerprint = hashlib.sha256(f"{name}\0{self.dimensions}".encode()).hexdigest()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimensions), float32, each row of unit length; (0, dimensions) for no texts.

        Raises:
            NoModel: the endpoint cannot be reached, or refuses.
        """
        import numpy

        vectors = numpy.zeros((len(texts), self.dimensions), dtype=numpy.float32)
        for at in range(0, len(texts), BATCH):
            batch = self._ask(texts[at : at + BATCH])
            if batch.shape[1] != self.dimensions:
                raise self._nothing_read(f"vectors of {batch.shape[1]} numbers, and of {self.dimensions} before")
            vectors[at : at + BATCH] = batch
        lengths = numpy.linalg.norm(vectors, axis=1, keepdims=True)
        return numpy.asarray(vectors / numpy.where(lengths == 0, 1, lengths), dtype=numpy.float32)

    def _ask(self, texts: Sequence[str]) -> Vectors:
        """The vectors of some texts, as the endpoint returns them."""
        client = self._client
        import openai

        try:
            # The raw reply, since the client accepts any body as vectors.
            with waiting(f"the vectors of {self.name}"):
                content = client.embeddings.with_raw_response.create(
                    model=self._model,
                    input=[text or " " for text in texts],  # an empty text is refused
                    encoding_format="float",
                ).http_response.content
        except (openai.OpenAIError, ReplyError) as error:
            raise self._no_model(error) from error
        try:
            return _vectors(json.loads(content), len(texts))
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
            raise self._nothing_read(f"no reply with a vector for each of {len(texts)} texts") from error

    @cached_property
    def _client(self) -> OpenAI:
        return open_client(
            self._address,
            "The encoder",
            timeout=TIMEOUT,
            most_bytes=MOST_BYTES,
            retries=MAX_RETRIES,
            without_key="Set OPENAI_API_KEY, or OPENAI_BASE_URL of another endpoint.",
        )

    @property
    def _where(self) -> str:
        return "OpenAI" if self._address == OPENAI_ADDRESS else self._address

    def _no_model(self, error: Exception) -> NoModel:
        """The error in words, without the text of the reply, which may repeat the key."""
        import openai

        gave_up, status = given_up(error), getattr(error, "status_code", None)
        said = f"answered {status}" if status else "cannot be reached"
        if isinstance(gave_up, ReplyTooLarge):
            said = "sent more than a reply can be, and was cut off"
        elif isinstance(gave_up, ReplyTooLate) or isinstance(error, openai.APITimeoutError):
            said = f"did not reply within {TIMEOUT:g} s"
        return NoModel(f"The encoder '{self.name}' cannot be used: {self._where} {said}.", _HINT)

    def _nothing_read(self, what: str) -> NoModel:
        return NoModel(f"The encoder '{self.name}' cannot be used: {self._where} gave {what}.", _HINT)


def _vectors(reply: Any, count: int) -> Vectors:
    """The vectors in a reply, in the order of the texts.

    Raises:
        ValueError, TypeError, KeyError, AttributeError, OverflowError: it lacks a vector for one of `count` texts.
    """
    import numpy

    rows: list[Any] = [None] * count
    items = reply["data"]
    if len(items) != count:
        raise ValueError("another number of vectors")
    for item in items:
        at, numbers = item["index"], item["embedding"]
        if type(at) is not int or not 0 <= at < count or rows[at] is not None:
            raise ValueError("not one vector for each text")
        if not numbers or not all(type(number) in (int, float) for number in numbers):
            raise ValueError("not a vector of numbers")
        rows[at] = numbers
    vectors = numpy.asarray(rows, dtype=numpy.float32)
    if not numpy.isfinite(vectors).all():
        raise ValueError("not finite")
    return vectors
