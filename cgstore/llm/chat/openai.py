"""An LLM behind any endpoint that speaks OpenAI's API: their own, or vLLM, Ollama and others on one's own machine."""

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

from cgstore.bounded_http import ReplyError
from cgstore.errors import NoModel
from cgstore.llm.chat import BadReply, Message, Reply, Request, Usage, reply_of
from cgstore.llm.chat.faults import Endpoint, Fault, without_key
from cgstore.openai_client import OPENAI_ADDRESS, api_key, endpoint_address, open_client
from cgstore.progress import waiting

if TYPE_CHECKING:
    from openai import OpenAI

DEFAULT_MODEL = "gpt-4o-mini"
"""Asked where neither the call nor CGSTORE_MODEL names a model, at OpenAI's own endpoint."""

TIMEOUT = 60.0
"""Seconds after which a request is given up if its whole reply has not come."""

MOST_BYTES = 8 << 20
"""Most bytes of a reply: a hundred times what 5 programs of 1,000 tokens take."""

IN_FLIGHT = 8
"""Requests that an endpoint has at once."""

LONGEST_GROWN_PAUSE = 60.0
"""Seconds; where the endpoint asks for more, it is more."""

LONG_KEY = 16
"""Characters from which on a key is a secret, and no word such as `ollama` that a reply may well hold."""


class OpenAIChat:
    """The official client as a `Chat`; the key is OPENAI_API_KEY, read when the first request is made.

    After a rate limit, a server's error, a connection that is lost or cut, or a reply that is empty or no chat
    completion, a request is made again after a growing pause. An endpoint that gives fewer choices than asked for is
    asked again for the rest; a parameter that it refuses is left out from then on.

    Args:
        base_url: of the endpoint, such as `http://127.0.0.1:8000/v1`; else OPENAI_BASE_URL, else OpenAI's own.
        model: its name; else CGSTORE_MODEL, else `DEFAULT_MODEL` at OpenAI's own endpoint.
        timeout: seconds that a request and its whole reply may take.
        in_flight: requests made at once by all threads together.
        pause: how to wait for some seconds.

    Raises:
        NoModel: no model is named.
        BadInput: the address is none, or holds a password.
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

    def complete(self, request: Request) -> Reply:
        """See `Chat.complete`.

        Raises:
            NoModel: no key, no connection, or the endpoint refuses or gives nothing; says what to do next.
        """
        choices: tuple[Message, ...] = ()
        spent = Usage()
        while (missing := request.n - len(choices)) > 0:
            reply = self._ask(replace(request, n=missing))
            choices, spent = choices + reply.choices, spent + reply.usage
        return Reply(choices[: request.n], spent)

    def _ask(self, request: Request) -> Reply:
        """The reply to one request, which may have fewer choices than asked for."""
        body = _sendable(request.body(self.model))
        refused, spent, failures = self._refused, Usage(), 0
        while True:
            used, came = self._send(_without(body, refused))
            spent += used
            if isinstance(came, Reply):
                with self._lock:
                    self._refused, self._reached = self._refused | refused, True
                return replace(came, usage=spent)
            if came.refused:
                refused |= {came.refused}
                continue
            if failures >= came.retries:
                raise came.error
            # Threads that failed together are not to come back together.
            self._pause(max(came.wait, min(2.0**failures, LONGEST_GROWN_PAUSE)) * random.uniform(1, 1.25))
            failures += 1

    def _send(self, body: dict[str, Any]) -> tuple[Usage, Reply | Fault]:
        """Makes one request: what it took, and what came."""
        client = self._client
        import openai

        try:
            with waiting(f"a reply of {self.model}"), self._slots:
                # The raw reply: the client would take bodies of any form for a completion, each version in its way.
                content = client.chat.completions.with_raw_response.create(**body).http_response.content
            return _read(content, self._endpoint)
        except (openai.OpenAIError, ReplyError) as error:
            # Returned, not raised: a traceback would show the client's error too, which may repeat the key.
            return Usage(1), self._endpoint.fault(error, api_key(), body, self._reached)

    @cached_property
    def _client(self) -> OpenAI:
        return open_client(
            self.address,
            "The backend openai",
            timeout=self._endpoint.timeout,
            most_bytes=MOST_BYTES,
            retries=0,  # ours know more kinds of fault, and count as requests
            without_key="Set OPENAI_API_KEY, or give --base-url of another endpoint, or take --llm demos, which needs "
            "no LLM.",
        )


def _sendable(body: dict[str, Any]) -> dict[str, Any]:
    """The body with a question mark for each half of a surrogate pair, which is no character and cannot be sent."""
    text = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace").decode()
    sendable: dict[str, Any] = json.loads(text)
    return sendable


def _without(body: Mapping[str, Any], refused: frozenset[str]) -> dict[str, Any]:
    """The body without the parameters that are refused; `max_tokens` has another name then."""
    fields = dict(body)
    if "max_tokens" in refused:
        fields["max_completion_tokens"] = fields.pop("max_tokens")
    return {name: value for name, value in fields.items() if name not in refused}


def _read(content: bytes, endpoint: Endpoint) -> tuple[Usage, Reply | Fault]:
    """What a request took, and its reply, without the key."""
    completion: Any = None
    try:
        completion = json.loads(content)
        said = reply_of(completion)
    except (ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, BadReply) else "this is no chat completion"
        return _used(completion), endpoint.nothing_read(why, _error_in(completion), api_key())
    return said.usage, Reply(tuple(map(_without_key, said.choices)), said.usage)


def _without_key(choice: Message) -> Message:
    if len(api_key()) < LONG_KEY:
        return choice
    calls = tuple(replace(call, arguments=without_key(call.arguments, api_key())) for call in choice.tool_calls)
    return replace(choice, content=without_key(choice.content, api_key()), tool_calls=calls)


def _used(completion: Any) -> Usage:
    """What a reply that cannot be used took all the same."""
    usage = completion.get("usage") if isinstance(completion, dict) else None
    counts = [usage.get(name) if isinstance(usage, dict) else 0 for name in ("prompt_tokens", "completion_tokens")]
    prompt, written = (count if isinstance(count, int) else 0 for count in counts)
    return Usage(1, prompt, written)


def _error_in(completion: Any) -> str:
    """What some proxies tell of an error with status 200."""
    error = completion.get("error") if isinstance(completion, dict) else None
    return str(error.get("message") or "" if isinstance(error, dict) else error or "")
