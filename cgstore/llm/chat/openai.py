"""An LLM behind any endpoint that speaks OpenAI's API: OpenAI itself, or vLLM, Ollama and others."""

from __future__ import annotations

import json
import os
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cgstore.embedding.openai_client import (
    OPENAI_ADDRESS,
    ReplyError,
    api_key,
    check_key,
    endpoint_address,
    open_client,
)
from cgstore.errors import NoModel
from cgstore.llm.chat import BadReply, Message, Reply, Request, Usage, reply_of
from cgstore.llm.chat.faults import Endpoint, Fault, without_key
from cgstore.observe.progress import waiting

if TYPE_CHECKING:
    from openai import OpenAI

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


_WITHOUT_KEY = "Set OPENAI_API_KEY, give the --base-url of another endpoint, or use --llm small, which needs neither."


class OpenAIChat:
    """The official client as a `Chat`; the key is OPENAI_API_KEY, which is read at the first request.

    A request is repeated after a growing pause if there was a rate limit, a server error, a lost connection or an
    unusable reply (see `faults`). If an endpoint gives fewer choices than requested, it is asked for the rest. A
    parameter that it refuses is left out from then on; without `n`, choices are requested one by one.

    Args:
        base_url: address of the endpoint, such as `http://127.0.0.1:8000/v1`; default: OPENAI_BASE_URL, then OpenAI.
        model: name of the LLM; default: CGSTORE_MODEL, then `DEFAULT_MODEL` at OpenAI's own endpoint.
        timeout: seconds for a request and its whole reply.
        in_flight: requests sent at once by all threads together.
        pause: waits for some seconds.

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
            raise NoModel(f"Which model at {self.address}?", "Name it by --model or CGSTORE_MODEL.")
        self._endpoint = Endpoint("OpenAI" if own else self.address, self.model, timeout)
        self._pause = pause
        self._slots = threading.BoundedSemaphore(max(1, in_flight))
        self._lock = threading.Lock()
        self._refused: frozenset[str] = frozenset()
        self._reached = False

    def check_key(self) -> None:
        """Raises NoModel if OpenAI would be asked without a key."""
        check_key(self.address, _WITHOUT_KEY)

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
            without_key=_WITHOUT_KEY,
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
