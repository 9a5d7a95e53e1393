"""What an LLM is asked and what it replies, whichever way it is reached: the form of OpenAI's chat completions.

A request is data: what is cached, written into a batch file, or recorded is the JSON body that an endpoint would get,
and its hash names it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class ToolCall:
    """A tool that the LLM calls; `arguments` is the JSON text that it wrote, which may be none."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Message:
    """One turn; `role` is system, user, assistant, or tool: what the call `tool_call_id` gave."""

    role: str
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""

    def to_json(self) -> dict[str, Any]:
        """As the endpoint takes it."""
        fields: dict[str, Any] = {"role": self.role, "content": self.content}
        if self.tool_calls:
            fields["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in self.tool_calls
            ]
        if self.tool_call_id:
            fields["tool_call_id"] = self.tool_call_id
        return fields


@dataclass(frozen=True)
class Tool:
    """A tool that the LLM may call; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """As the endpoint takes it."""
        function = {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"type": "function", "function": function}


@dataclass(frozen=True)
class Request:
    """What an LLM is asked: `n` replies of at most `max_tokens` tokens each."""

    messages: tuple[Message, ...]
    n: int = 1
    temperature: float = 0.0
    max_tokens: int = 1_000
    tools: tuple[Tool, ...] = ()

    def body(self, model: str) -> dict[str, Any]:
        """The JSON body for an endpoint; what is as by default is left out where an endpoint may not know it."""
        fields: dict[str, Any] = {
            "model": model,
            "messages": [message.to_json() for message in self.messages],
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }
        if self.n > 1:
            fields["n"] = self.n
        if self.tools:
            fields["tools"] = [tool.to_json() for tool in self.tools]
        return fields


@dataclass(frozen=True)
class Usage:
    """What was spent: requests sent, tokens as the endpoint counts them; `kept`: replies that were there already."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    kept: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.requests + other.requests,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.kept + other.kept,
        )

    def to_json(self) -> dict[str, int]:
        """The numbers by name; empty where nothing was asked."""
        return asdict(self) if self != Usage() else {}


@dataclass(frozen=True)
class Reply:
    """The LLM's replies to one request, never none."""

    choices: tuple[Message, ...]
    usage: Usage = field(default_factory=Usage)


class BadReply(ValueError):
    """What came is no chat completion, or holds no reply."""


_THOUGHT = re.compile(r"^.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
"""What a reasoning model writes before its reply: drafts, which are no part of it."""

_END_OF_TEXT = re.compile(
    r"<\|im_end\|>|<\|eot_id\|>|</s>|<\|endoftext\|>|<\|end_of_text\|>|<\|end\|>|<end_of_turn>", re.IGNORECASE
)


class Chat(Protocol):
    """A way to reach an LLM."""

    @property
    def model(self) -> str:
        """The LLM's name."""
        ...

    def complete(self, request: Request) -> Reply:
        """The replies to a request; may be called by several threads.

        Raises:
            NoModel: the LLM cannot be reached, refuses, or replies with nothing that can be read.
        """
        ...


def key_of(body: Mapping[str, Any]) -> str:
    """What names a request: a hash of its whole body, 64 hexadecimal digits."""
    text = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def reply_of(completion: Any) -> Reply:
    """A chat completion, as JSON, as a reply.

    What a model wrote behind its end-of-text token, or thought before it replied, is no part of a reply. One that was
    cut off is none: half a program would give another answer.

    Raises:
        BadReply: it is none, or has no whole choice with a text or a call.
    """
    try:
        whole = [choice for choice in completion["choices"] if choice.get("finish_reason") != "length"]
        cut = len(completion["choices"]) > len(whole)
        choices = tuple(_message(choice["message"]) for choice in whole)
        usage = completion.get("usage") or {}
        spent = Usage(1, int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadReply("this is no chat completion") from error
    said = tuple(choice for choice in choices if choice.content.strip() or choice.tool_calls)
    if not said:
        raise BadReply("the reply was cut off at the most tokens that it may have" if cut else "the reply is empty")
    return Reply(said, spent)


def _message(message: Mapping[str, Any]) -> Message:
    calls = tuple(
        ToolCall(str(call.get("id") or n), str(call["function"]["name"]), str(call["function"]["arguments"] or "{}"))
        for n, call in enumerate(message.get("tool_calls") or ())
    )
    content = message.get("content") or ""
    if not isinstance(content, str):
        raise TypeError("a reply's content is a text")
    return Message("assistant", _END_OF_TEXT.split(_THOUGHT.sub("", content), maxsplit=1)[0], calls)


class UsageMeter:
    """A `Chat` around another; `usage` is the sum over its replies."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self.usage = Usage()

    @property
    def model(self) -> str:
        """The LLM's name."""
        return self._chat.model

    def complete(self, request: Request) -> Reply:
        """See `Chat.complete`."""
        reply = self._chat.complete(request)
        self.usage += reply.usage
        return reply
