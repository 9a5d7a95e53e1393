"""What can go wrong at an endpoint: whether to repeat the request, and what the user can do.

No text made here contains the key, although an endpoint may repeat it in its messages.
"""

from __future__ import annotations

import email.utils
import math
import re
import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cgstore.embedding.openai_client import ReplyError, ReplyTooLarge, ReplyTooLate, ReplyUnreadable, given_up
from cgstore.errors import NoModel, RequestRefused

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAIError

RATE_RETRIES = 6
"""Repetitions after a rate limit: their pauses add up to a minute, the usual period of limits."""

SERVER_RETRIES = 4
"""Repetitions after a server error, or a lost connection."""

REPLY_RETRIES = 3
"""Repetitions after a reply that is empty or not a chat completion."""

CONNECT_RETRIES = 2
"""Repetitions if no server was there: it may be starting, but more often the address is wrong."""

TIMEOUT_RETRIES = 1
"""Repetitions after a timeout."""

MAX_PAUSE = 120.0
"""Longest pause in seconds that an endpoint may ask for; a longer one is an error at once."""

REQUEST_REJECTED = (400, 413, 422)
"""The HTTP status of a request that the endpoint rejects as it stands."""

OPTIONAL = ("max_tokens", "max_completion_tokens", "temperature", "n")
"""Parameters that an endpoint may refuse, and that a request can do without."""

_CHECK_ENDPOINT = "Is it an OpenAI-compatible endpoint? Check --base-url or OPENAI_BASE_URL."

_TOO_LARGE = re.compile(r"too (?:large|long|many)|context|at most|exceed|maximum|less than", re.IGNORECASE)
_OF_GRAMMAR = re.compile(r"grammar|structured.outputs", re.IGNORECASE)
_LOOKS_LIKE_A_KEY = re.compile(r"\bsk-[\w*.-]+")
_N = re.compile(r"""['"`]n\\?['"`]|\bparameter:? n\b|\bn (?:must|should|is|has|=|>|<)""")


@dataclass(frozen=True)
class Fault:
    """Why a request gave no reply.

    It may be repeated `retries` times, after `wait` seconds or more; `refused` is a parameter to leave out.
    """

    error: NoModel
    retries: int = 0
    wait: float = 0.0
    refused: str = ""


@dataclass(frozen=True)
class Endpoint:
    """What messages name: where the LLM is, its name, and the timeout in seconds."""

    where: str
    model: str
    timeout: float

    def unreadable(self, why: str, said: str, key: str) -> Fault:
        """The fault of a response that is not a reply; `said` is the endpoint's own message, if any."""
        told = f"{self.where} gave no readable reply: {why}{f' ({shown(said, key)})' if said else ''}."
        hint = f"Try again, or another model than '{self.model}'; is it an OpenAI-compatible endpoint?"
        return Fault(NoModel(told, hint), REPLY_RETRIES)

    def fault(self, error: OpenAIError | ReplyError, key: str, sent: Collection[str], reached: bool) -> Fault:
        """The fault behind the client's error; `sent`: parameters of the request; `reached`: it has replied before."""
        import openai

        where = self.where
        if isinstance(error, openai.APIStatusError):
            return self._status(error, key, sent)
        bound = given_up(error)
        if isinstance(bound, ReplyTooLarge):
            return Fault(NoModel(f"{where} sent more than a reply can be, and was cut off.", _CHECK_ENDPOINT))
        if isinstance(bound, ReplyUnreadable):
            return self.unreadable(str(bound), "", key)
        if isinstance(bound, ReplyTooLate) or isinstance(error, openai.APITimeoutError):
            told = NoModel(f"{where} did not reply within {self.timeout:g} s.", "Give a larger --llm-timeout.")
            return Fault(told, TIMEOUT_RETRIES)
        if isinstance(error, openai.APIConnectionError):
            told = NoModel(f"No connection to {where}.", "Is --base-url right, and the server running?")
            absent = type(error.__cause__).__name__ == "ConnectError" and not reached
            return Fault(told, CONNECT_RETRIES if absent else SERVER_RETRIES)
        return Fault(NoModel(f"{where} gave no usable reply ({type(error).__name__}).", _CHECK_ENDPOINT))

    def _status(self, error: APIStatusError, key: str, sent: Collection[str]) -> Fault:
        where, status = self.where, error.status_code
        if status in (401, 403):
            told = f"{where} refuses the key." if key else f"{where} asks for a key."
            return Fault(NoModel(told, "Check OPENAI_API_KEY." if key else "Set OPENAI_API_KEY."))
        if status == 404:
            told = f"{where} has no model '{self.model}', or no chat endpoint there."
            return Fault(NoModel(told, "Check --model, --base-url."))
        said = f"{where} answered with HTTP {status}: {shown(_said(error), key)}"
        if status in (402, 408, 409, 429) or status >= 500:
            return self._later(error, said)
        if status in REQUEST_REJECTED:
            hint = "Give a smaller --prompt-tokens." if _TOO_LARGE.search(said) else "Check --model."
            if "grammar" in sent and _OF_GRAMMAR.search(said):
                hint = "Leave out --constrain."
            return Fault(RequestRefused(said, hint), refused=refused_parameter(error.body, sent))
        return Fault(NoModel(said, "Check --model."))

    def _later(self, error: APIStatusError, said: str) -> Fault:
        """No quota, or a server error: it may be over after a while."""
        where, wait = self.where, _wait(error)
        if error.status_code == 402 or error.code == "insufficient_quota":
            return Fault(NoModel(f"{where} has no quota left for this key.", "Check your plan with the provider."))
        if wait > MAX_PAUSE:
            return Fault(NoModel(f"{where} accepts no requests for {wait:,.0f} s.", "Try again after that."))
        if error.status_code != 429:
            return Fault(NoModel(said, "Try again later."), SERVER_RETRIES, wait)
        told = f"{where} has no quota left, at least for now."
        return Fault(NoModel(told, "Wait, or check your plan with the provider."), RATE_RETRIES, wait)


def refused_parameter(body: object, sent: Collection[str]) -> str:
    """The parameter that an error's body names as refused, or ''."""
    fields = body if isinstance(body, dict) else {}
    text = str(body)
    for name in OPTIONAL:
        named = fields["param"] == name if isinstance(fields.get("param"), str) else _names(text, name)
        too_large = "tokens" in name and _TOO_LARGE.search(text)  # then the parameter is known, and the limit is needed
        if name in sent and named and not too_large:
            return name
    return ""


def _names(text: str, name: str) -> bool:
    return bool(_N.search(text) if name == "n" else re.search(rf"(?<!\w){name}(?!\w)", text))


def shown(text: str, key: str) -> str:
    """The endpoint's message as one short printable line without the key."""
    text = without_key(text, key)
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return _LOOKS_LIKE_A_KEY.sub("[key]", line)[:300]


def without_key(text: str, key: str) -> str:
    """The text with `[key]` in place of the key."""
    return text.replace(key, "[key]") if key else text


def _said(error: APIStatusError) -> str:
    """The endpoint's own message, if it has a known form."""
    body: Any = error.body
    said = (body.get("message") or body.get("detail")) if isinstance(body, dict) else body
    text = str(said or "").strip()
    return type(error).__name__ if not text or text.startswith("<") else text


def _wait(error: APIStatusError) -> float:
    """Seconds to wait as the endpoint asks in Retry-After, a number or a date; 0 if it does not ask."""
    headers = error.response.headers
    for name, unit in (("retry-after-ms", 1_000), ("retry-after", 1)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        return max(seconds, 0.0) if math.isfinite(seconds) else 0.0
    try:
        return max(email.utils.parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return 0.0
