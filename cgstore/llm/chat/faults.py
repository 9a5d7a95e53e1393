"""What can go wrong at an endpoint: whether to ask again, and what the user can do next.

No text made here has the key in it: an endpoint may repeat it in what it says.
"""

from __future__ import annotations

import email.utils
import math
import re
import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cgstore.bounded_http import ReplyError, ReplyTooLarge, ReplyTooLate, ReplyUnreadable, given_up
from cgstore.errors import NoModel, RequestRefused

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAIError

RATE_RETRIES = 6
"""Requests made again after a rate limit: their pauses add up to a minute, the span for which limits are set."""

SERVER_RETRIES = 4
"""After a server's error, or a connection that was lost or cut."""

REPLY_RETRIES = 3
"""After a reply that is empty or no chat completion."""

CONNECT_RETRIES = 2
"""Where no server was there: it may be starting, but the address is wrong more often."""

TIMEOUT_RETRIES = 1

MAX_PAUSE = 120.0
"""Longest wait, in seconds, that an endpoint may ask for; one that asks for more is an error at once."""

OF_THE_REQUEST = (400, 413, 422)
"""The HTTP states of a request that the endpoint does not take as it is."""

OPTIONAL = ("max_tokens", "max_completion_tokens", "temperature", "n")
"""What an endpoint may refuse, and a request can go without."""

_NOT_ONE = "Is it an OpenAI-compatible endpoint? Check --base-url or OPENAI_BASE_URL."

_TOO_LARGE = re.compile(r"too (?:large|long|many)|context|at most|exceed|maximum|less than", re.IGNORECASE)
_LOOKS_LIKE_A_KEY = re.compile(r"\bsk-[\w*.-]+")
_N = re.compile(r"""['"`]n\\?['"`]|\bparameter:? n\b|\bn (?:must|should|is|has|=|>|<)""")


@dataclass(frozen=True)
class Fault:
    """Why a request gave no reply.

    It is asked again at most `retries` times, after `wait` seconds or more; `refused` is a parameter to leave out.
    """

    error: NoModel
    retries: int = 0
    wait: float = 0.0
    refused: str = ""


@dataclass(frozen=True)
class Endpoint:
    """What messages name: where the LLM is, what it is called, and how long it may take, in seconds."""

    where: str
    model: str
    timeout: float

    def nothing_read(self, why: str, said: str, key: str) -> Fault:
        """What came is no reply; `said` is what the endpoint tells of it, if anything."""
        told = f"{self.where} gave nothing that can be read: {why}{f' ({shown(said, key)})' if said else ''}."
        hint = f"Try again, or another model than '{self.model}'; is it an OpenAI-compatible endpoint?"
        return Fault(NoModel(told, hint), REPLY_RETRIES)

    def fault(self, error: OpenAIError | ReplyError, key: str, sent: Collection[str], reached: bool) -> Fault:
        """What the client's error means; `sent`: the parameters of the request; `reached`: it has replied before."""
        import openai

        where = self.where
        if isinstance(error, openai.APIStatusError):
            return self._status(error, key, sent)
        bound = given_up(error)
        if isinstance(bound, ReplyTooLarge):
            return Fault(NoModel(f"{where} sent more than a reply can be, and was cut off.", _NOT_ONE))
        if isinstance(bound, ReplyUnreadable):
            return self.nothing_read(str(bound), "", key)
        if isinstance(bound, ReplyTooLate) or isinstance(error, openai.APITimeoutError):
            told = NoModel(f"{where} did not reply within {self.timeout:g} s.", "Try again later.")
            return Fault(told, TIMEOUT_RETRIES)
        if isinstance(error, openai.APIConnectionError):
            told = NoModel(f"No connection to {where}.", "Is --base-url right, and the server running?")
            absent = type(error.__cause__).__name__ == "ConnectError" and not reached
            return Fault(told, CONNECT_RETRIES if absent else SERVER_RETRIES)
        return Fault(NoModel(f"{where} gave no usable reply ({type(error).__name__}).", _NOT_ONE))

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
        if status in OF_THE_REQUEST:
            hint = "Give a smaller --prompt-tokens." if _TOO_LARGE.search(said) else "Check --model."
            return Fault(RequestRefused(said, hint), refused=refused_parameter(error.body, sent))
        return Fault(NoModel(said, "Check --model."))

    def _later(self, error: APIStatusError, said: str) -> Fault:
        """No quota, or a server's error: what may be over after a while."""
        where, wait = self.where, _wait(error)
        if error.status_code == 402 or error.code == "insufficient_quota":
            return Fault(NoModel(f"{where} has no quota left for this key.", "Check your plan with the provider."))
        if wait > MAX_PAUSE:
            return Fault(NoModel(f"{where} takes no requests for {wait:,.0f} s.", "Try again after that."))
        if error.status_code != 429:
            return Fault(NoModel(said, "Try again later."), SERVER_RETRIES, wait)
        told = f"{where} has no quota left, or has it later."
        return Fault(NoModel(told, "Wait, or check your plan with the provider."), RATE_RETRIES, wait)


def refused_parameter(body: object, sent: Collection[str]) -> str:
    """The parameter of the request that an error's body names as the one it does not take, or ''."""
    fields = body if isinstance(body, dict) else {}
    text = str(body)
    for name in OPTIONAL:
        named = fields["param"] == name if isinstance(fields.get("param"), str) else _names(text, name)
        too_large = "tokens" in name and _TOO_LARGE.search(text)  # then it is known, and a limit is needed
        if name in sent and named and not too_large:
            return name
    return ""


def _names(text: str, name: str) -> bool:
    return bool(_N.search(text) if name == "n" else re.search(rf"(?<!\w){name}(?!\w)", text))


def shown(text: str, key: str) -> str:
    """What an endpoint says as one short line of characters that any terminal takes, without the key."""
    text = without_key(text, key)
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return _LOOKS_LIKE_A_KEY.sub("[key]", line)[:300]


def without_key(text: str, key: str) -> str:
    """The text with `[key]` in the key's place."""
    return text.replace(key, "[key]") if key else text


def _said(error: APIStatusError) -> str:
    """The endpoint's own words, if it sent any in a form that is known."""
    body: Any = error.body
    said = (body.get("message") or body.get("detail")) if isinstance(body, dict) else body
    text = str(said or "").strip()
    return type(error).__name__ if not text or text.startswith("<") else text


def _wait(error: APIStatusError) -> float:
    """Seconds that the endpoint asks to wait for, by Retry-After: a number or a date; 0: it says none."""
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
