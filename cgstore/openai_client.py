"""The official client of OpenAI's API, for LLMs and encoders alike: which endpoint it asks, and with which key."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cgstore.bounded_http import bounded_client
from cgstore.errors import BadInput, NoModel

if TYPE_CHECKING:
    from openai import OpenAI

OPENAI_ADDRESS = "https://api.openai.com/v1"

_HINT = "An address is such as http://127.0.0.1:8000/v1; a key belongs into OPENAI_API_KEY."


def endpoint_address(base_url: str | None = None) -> str:
    """The address given, else OPENAI_BASE_URL, else OpenAI's own, in one form.

    Raises:
        BadInput: it is none, or holds what may be a secret and would be shown in messages and logs.
    """
    given = (base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI_ADDRESS).strip()
    try:
        parts = urlsplit(given)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise BadInput("--base-url or OPENAI_BASE_URL is no address of an endpoint.", _HINT)
    if parts.username is not None or parts.query or parts.fragment:
        raise BadInput("The endpoint's address has more in it than host, port and path.", _HINT)
    return parts.geturl().rstrip("/")


def api_key() -> str:
    """OPENAI_API_KEY or ''; no attribute and no variable of ours holds it, so that no traceback shows it."""
    return os.environ.get("OPENAI_API_KEY", "").strip()


def open_client(
    address: str, needed_by: str, *, timeout: float, most_bytes: int, retries: int, without_key: str
) -> OpenAI:
    """A client of the endpoint, whose replies are bounded; see `cgstore.bounded_http`.

    Args:
        address: from `endpoint_address`.
        needed_by: who needs it, in words that begin a sentence.
        timeout: seconds that a request and its whole reply may take.
        most_bytes: most bytes of a reply.
        retries: requests that the client makes again by itself.
        without_key: what a user without a key can do, who asks OpenAI itself.

    Raises:
        NoModel: the package openai is missing, there is no key for OpenAI or none that can be sent, or the client
            cannot start.
    """
    try:
        import openai
    except ImportError as error:
        raise NoModel(f"{needed_by} needs the package openai.", "pip install 'cgstore[llm]'") from error
    if not api_key() and address == OPENAI_ADDRESS:
        raise NoModel("There is no key for OpenAI.", without_key)
    if not api_key().isascii() or not api_key().isprintable() or " " in api_key():
        raise NoModel("OPENAI_API_KEY has characters that no key has.", "Copy the key again.")
    try:
        return openai.OpenAI(
            api_key=api_key() or "none",  # servers on one's own machine ask for no key, but the client insists on one
            base_url=address,
            timeout=timeout,
            max_retries=retries,
            http_client=bounded_client(seconds=timeout, most_bytes=most_bytes),
        )
    except (ImportError, ValueError, openai.OpenAIError) as error:
        wrong = type(error).__name__
    raise NoModel(f"The client for {address} cannot start ({wrong}).", "Check the proxy settings.")
