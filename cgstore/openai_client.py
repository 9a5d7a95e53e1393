"""The official client of OpenAI's API, for LLMs and encoders: its endpoint and its key."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cgstore.bounded_http import bounded_client
from cgstore.errors import BadInput, NoModel

if TYPE_CHECKING:
    from openai import OpenAI

OPENAI_ADDRESS = "https://api.openai.com/v1"

_HINT = "Give an address such as http://127.0.0.1:8000/v1, and put the key into OPENAI_API_KEY."


def endpoint_address(base_url: str | None = None) -> str:
    """The address given, else OPENAI_BASE_URL, else OpenAI's own, in one form.

    Raises:
        BadInput: it is not valid, or contains a possible secret, which messages and logs would show.
    """
    given = (base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI_ADDRESS).strip()
    try:
        parts = urlsplit(given)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise BadInput("--base-url or OPENAI_BASE_URL is not the address of an endpoint.", _HINT)
    if parts.username is not None or parts.query or parts.fragment:
        raise BadInput("The address of the endpoint has more than host, port and path.", _HINT)
    return parts.geturl().rstrip("/")


def api_key() -> str:
    """OPENAI_API_KEY or ''; never stored in an attribute or variable, so that no traceback shows it."""
    return os.environ.get("OPENAI_API_KEY", "").strip()


def open_client(
    address: str, needed_by: str, *, timeout: float, most_bytes: int, retries: int, without_key: str
) -> OpenAI:
    """A client of the endpoint, whose replies are bounded; see `cgstore.bounded_http`.

    Args:
        address: from `endpoint_address`.
        needed_by: what needs it, as the subject of a sentence.
        timeout: seconds for a request and its whole reply.
        most_bytes: bytes that a reply may have.
        retries: how often the client itself repeats a request.
        without_key: what a user of OpenAI without a key can do.

    Raises:
        NoModel: the package openai is missing, the key for OpenAI is missing or malformed, or the client cannot start.
    """
    try:
        import openai
    except ImportError as error:
        raise NoModel(f"{needed_by} needs the package openai.", "pip install 'cgstore[llm]'") from error
    if not api_key() and address == OPENAI_ADDRESS:
        raise NoModel("There is no key for OpenAI.", without_key)
    if not api_key().isascii() or not api_key().isprintable() or " " in api_key():
        raise NoModel("OPENAI_API_KEY has characters that cannot be part of a key.", "Copy the key again.")
    try:
        return openai.OpenAI(
            api_key=api_key() or "none",  # local servers need no key, but the client does
            base_url=address,
            timeout=timeout,
            max_retries=retries,
            http_client=bounded_client(seconds=timeout, most_bytes=most_bytes),
        )
    except (ImportError, ValueError, openai.OpenAIError) as error:
        wrong = type(error).__name__
    raise NoModel(f"The client for {address} cannot start ({wrong}).", "Check the proxy settings.")
