"""An LLM behind any endpoint that speaks OpenAI's API: OpenAI itself, or vLLM, Ollama and others."""

from __future__ import annotations

import email.utils
import json
import math
import os
import random
import re
import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cgstore.embedding.openai_client import (
    OPENAI_ADDRESS,
    ReplyError,
    ReplyTooLarge,
    ReplyTooLate,
    ReplyUnreadable,
    api_key,
    check_key,
    endpoint_address,
    given_up,
    open_client,
)
from cgstore.errors import NoModel, RequestRefused, setting
from cgstore.llm.chat import BadReply, Chat, Message, Reply, Request, Usage, reply_of
from cgstore.observe.progress import waiting

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI, OpenAIError

DEFAULT_MODEL = "gpt-4o-mini"
"""The model at OpenAI's own endpoint if neither the call nor CGSTORE_MODEL names one."""

TIMEOUT = 300.0
"""Seconds for a request and its whole reply: a machine without a GPU takes minutes to read a prompt."""

MOST_BYTES = 8 << 20
"""Bytes that a reply may have: a hundred times the size of 5 programs of 1,000 tokens."""

OF_SERVERS = ("grammar", "structured_outputs")
"""Parameters that servers of one's own have, and OpenAI's client does not know."""

IN_FLIGHT = 8
"""Requests that are sent to an endpoint at once."""

LONGEST_GROWN_PAUSE = 60.0
"""Longest pause in seconds that we choose ourselves; an endpoint may ask for a longer one."""

LONG_KEY = 16
"""Characters of a key that is treated as a secret; a shorter one may be a word such as `ollama`."""


def _check_endpoint() -> str:
    return f"Is it an OpenAI-compatible endpoint? Check {setting('base-url')} or OPENAI_BASE_URL."


def _how_to_give_a_key() -> str:
    other = f"give the {setting('base-url')} of another endpoint, or use {setting('llm', 'small')}, which needs neither"
    return f"Set OPENAI_API_KEY, {other}."


class OpenAIChat(Chat):
    """The official client as a `Chat`; the key is OPENAI_API_KEY, which is read at the first request.

    A request is repeated after a growing pause if there was a rate limit, a server error, a lost connection or an
    unusable reply (see `Fault`). If an endpoint gives fewer choices than requested, it is asked for the rest. A
    parameter that it refuses is left out from then on; without `n`, choices are requested one by one.

    Args:
        base_url: address of the endpoint, such as `http://127.0.0.1:8000/v1`; default: OPENAI_BASE_URL, then OpenAI.
        model: name of the LLM; default: CGSTORE_MODEL, then `DEFAULT_MODEL` at OpenAI's own endpoint.
        timeout: seconds for a request and its whole reply.
        in_flight: requests sent at once by all threads together.

    Raises:
        NoModel: no model is named.
        BadInput: the address is not valid, or contains a password.
    """

    def __init__(
        self,
        base_url: str | None = None,
        model: str | None = None,
        timeout: float = TIMEOUT,
        in_flight: int = IN_FLIGHT,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.address = endpoint_address(base_url)
        own = self.address == OPENAI_ADDRESS
        self.model = model or os.environ.get("CGSTORE_MODEL") or (DEFAULT_MODEL if own else "")
        if not self.model:
            raise NoModel(f"Which model at {self.address}?", f"Name it by {setting('model')} or CGSTORE_MODEL.")
        self._endpoint = Endpoint("OpenAI" if own else self.address, self.model, timeout)
        self._pause = pause
        self._slots = threading.BoundedSemaphore(max(1, in_flight))
        self._lock = threading.Lock()
        self._refused: frozenset[str] = frozenset()
        self._reached = False

    def check_key(self) -> None:
        """Raises NoModel if OpenAI would be asked without a key."""
        check_key(self.address, _how_to_give_a_key())

    def complete(self, request: Request) -> Reply:
        """See `Chat.complete`.

        Raises:
            NoModel: there is no key or no connection, or the endpoint refuses or gives no usable reply.
        """
        choices: tuple[Message, ...] = ()
        spent = Usage()
        while (missing := request.n - len(choices)) > 0:
            reply = self._ask(replace(request, n=missing))
            choices, spent = choices + reply.choices, spent + reply.usage
        return Reply(choices[: request.n], spent)

    def _ask(self, request: Request) -> Reply:
        """The reply to one request, after repetitions; it may have fewer choices than requested."""
        body = _sendable(request.body(self.model))
        refused, spent, failures = self._refused, Usage(), 0
        while True:
            used, result = self._send(_without(body, refused))
            spent += used
            if isinstance(result, Reply):
                with self._lock:
                    self._refused, self._reached = self._refused | refused, True
                return replace(result, usage=spent)
            if result.refused:
                refused |= {result.refused}
                continue
            if failures >= result.retries:
                raise result.error
            # Random, so that threads that failed together do not all return at the same moment.
            self._pause(max(result.wait, min(2.0**failures, LONGEST_GROWN_PAUSE)) * random.uniform(1, 1.25))
            failures += 1

    def _send(self, body: dict[str, Any]) -> tuple[Usage, Reply | Fault]:
        """Sends one request; returns what it used, and the reply or the fault."""
        client = self._client
        import openai

        try:
            with waiting(f"a reply of {self.model}"), self._slots:
                # The raw response, since the client accepts bodies of any form as a completion.
                content = client.chat.completions.with_raw_response.create(**_arguments(body)).http_response.content
            return _read(content, self._endpoint)
        except (openai.OpenAIError, ReplyError) as error:
            # Returned, not raised: a traceback would also show the client's error, which may repeat the key.
            return Usage(1), self._endpoint.fault(error, api_key(), body, self._reached)

    @cached_property
    def _client(self) -> OpenAI:
        return open_client(
            self.address,
            "The backend openai",
            timeout=self._endpoint.timeout,
            most_bytes=MOST_BYTES,
            retries=0,  # _ask repeats requests: it knows more kinds of faults, and counts each request
            without_key=_how_to_give_a_key(),
        )


def _sendable(body: dict[str, Any]) -> dict[str, Any]:
    """The body with `?` for each lone surrogate, which cannot be sent."""
    text = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace").decode()
    sendable: dict[str, Any] = json.loads(text)
    return sendable


def _without(body: Mapping[str, Any], refused: frozenset[str]) -> dict[str, Any]:
    """The body without the refused parameters; a refused `max_tokens` gets its newer name."""
    fields = dict(body)
    if "max_tokens" in refused:
        fields["max_completion_tokens"] = fields.pop("max_tokens")
    return {name: value for name, value in fields.items() if name not in refused}


def _arguments(body: Mapping[str, Any]) -> dict[str, Any]:
    """The body as arguments of OpenAI's client."""
    known = {name: value for name, value in body.items() if name not in OF_SERVERS}
    return {**known, "extra_body": {name: body[name] for name in OF_SERVERS if name in body}}


def _read(content: bytes, endpoint: Endpoint) -> tuple[Usage, Reply | Fault]:
    """What a request used, and its reply without the key, or the fault."""
    completion: Any = None
    try:
        completion = json.loads(content)
        reply = reply_of(completion)
    except (ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, BadReply) else "this is not a chat completion"
        return _used(completion), endpoint.unreadable(why, _error_in(completion), api_key())
    return reply.usage, Reply(tuple(map(_without_key, reply.choices)), reply.usage)


def _without_key(choice: Message) -> Message:
    if len(api_key()) < LONG_KEY:
        return choice
    calls = tuple(replace(call, arguments=without_key(call.arguments, api_key())) for call in choice.tool_calls)
    return replace(choice, content=without_key(choice.content, api_key()), tool_calls=calls)


def _used(completion: Any) -> Usage:
    """What a request used even though its reply is unusable."""
    usage = completion.get("usage") if isinstance(completion, dict) else None
    counts = [usage.get(name) if isinstance(usage, dict) else 0 for name in ("prompt_tokens", "completion_tokens")]
    prompt, written = (count if isinstance(count, int) else 0 for count in counts)
    return Usage(1, prompt, written)


def _error_in(completion: Any) -> str:
    """The message of an error that some proxies send with status 200."""
    error = completion.get("error") if isinstance(completion, dict) else None
    return str(error.get("message") or "" if isinstance(error, dict) else error or "")


# What can go wrong at an endpoint. No text made here contains the key, although an endpoint may repeat it

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
            return Fault(NoModel(f"{where} sent more than a reply can be, and was cut off.", _check_endpoint()))
        if isinstance(bound, ReplyUnreadable):
            return self.unreadable(str(bound), "", key)
        if isinstance(bound, ReplyTooLate) or isinstance(error, openai.APITimeoutError):
            told = NoModel(
                f"{where} did not reply within {self.timeout:g} s.", f"Give a larger {setting('llm-timeout')}."
            )
            return Fault(told, TIMEOUT_RETRIES)
        if isinstance(error, openai.APIConnectionError):
            told = NoModel(f"No connection to {where}.", f"Is {setting('base-url')} right, and the server running?")
            absent = type(error.__cause__).__name__ == "ConnectError" and not reached
            return Fault(told, CONNECT_RETRIES if absent else SERVER_RETRIES)
        return Fault(NoModel(f"{where} gave no usable reply ({type(error).__name__}).", _check_endpoint()))

    def _status(self, error: APIStatusError, key: str, sent: Collection[str]) -> Fault:
        where, status = self.where, error.status_code
        if status in (401, 403):
            told = f"{where} refuses the key." if key else f"{where} asks for a key."
            return Fault(NoModel(told, "Check OPENAI_API_KEY." if key else "Set OPENAI_API_KEY."))
        if status == 404:
            told = f"{where} has no model '{self.model}', or no chat endpoint there."
            return Fault(NoModel(told, f"Check {setting('model')}, {setting('base-url')}."))
        said = f"{where} answered with HTTP {status}: {shown(_said(error), key)}"
        if status in (402, 408, 409, 429) or status >= 500:
            return self._later(error, said)
        if status in REQUEST_REJECTED:
            hint = (
                f"Give a smaller {setting('prompt-tokens')}."
                if _TOO_LARGE.search(said)
                else f"Check {setting('model')}."
            )
            if "grammar" in sent and _OF_GRAMMAR.search(said):
                hint = f"Leave out {setting('constrain', True)}."
            return Fault(RequestRefused(said, hint), refused=refused_parameter(error.body, sent))
        return Fault(NoModel(said, f"Check {setting('model')}."))

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
