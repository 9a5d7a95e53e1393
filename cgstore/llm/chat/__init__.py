"""Requests to an LLM and its replies, however it is reached, in the form of OpenAI's chat completions.

A request is data: the cache, batch files and recordings all use the JSON body that an endpoint would get, and its hash
as the key.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from cgstore.observe.tracing import span


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool by the LLM; `arguments` is the text that it wrote, which should be JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Message:
    """One turn of a chat.

    `role` is system, user, assistant or tool; a tool's message is the result of the call `tool_call_id`. `cut_off`: it
    is a reply that ended at its token limit, without any calls; half a program would give another answer.
    """

    role: str
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    cut_off: bool = False

    def to_json(self) -> dict[str, Any]:
        """The message in a request body."""
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
        """The tool in a request body."""
        function = {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"type": "function", "function": function}


@dataclass(frozen=True)
class Request:
    """A request for `n` replies of at most `max_tokens` tokens each, in a `grammar` (GBNF) unless it is empty."""

    messages: tuple[Message, ...]
    n: int = 1
    temperature: float = 0.0
    max_tokens: int = 1_000
    tools: tuple[Tool, ...] = ()
    grammar: str = ""

    def body(self, model: str) -> dict[str, Any]:
        """The JSON body; parameters that an endpoint may not know are left out if they have their default."""
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
        if self.grammar:  # each server takes one of the two, and passes over the other
            fields |= {"grammar": self.grammar, "structured_outputs": {"grammar": self.grammar}}
        return fields


@dataclass(frozen=True)
class Usage:
    """Requests sent, tokens as the endpoint counts them, and in `kept` the replies that came from the cache."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    kept: int = 0

    def __add__(self, other: Usage) -> Usage:
        mine, others = asdict(self), asdict(other)
        return Usage(**{name: mine[name] + others[name] for name in mine})

    def to_json(self) -> dict[str, int]:
        """The counts by name; empty if all are 0."""
        return asdict(self) if self != Usage() else {}


@dataclass(frozen=True)
class Reply:
    """The replies to one request, at least one."""

    choices: tuple[Message, ...]
    usage: Usage = field(default_factory=Usage)


class BadReply(ValueError):
    """The response is not a chat completion, or has no usable reply."""


class Chat:
    """A way to reach an LLM; `model` is the name of the LLM."""

    model: str = ""

    def complete(self, request: Request) -> Reply:
        """The replies to a request; may be called by several threads.

        Raises:
            NoModel: the LLM is unreachable, refuses the request, or gives no readable reply.
        """
        raise NotImplementedError

    def sent_after(self, request: Request) -> Message | None:
        """What went on a request when it was made before, for a chat that goes on from files; else None.

        The request has the LLM's earlier reply as its last message. A program that failed then, for want of time, may
        answer now; what the LLM said of its failure still counts.
        """
        return None


class UsageMeter(Chat):
    """A `Chat` around another; `usage` is the sum over its replies."""

    def __init__(self, chat: Chat) -> None:
        self._chat, self.model, self.usage = chat, chat.model, Usage()
        self.sent_after = chat.sent_after  # type: ignore[method-assign]

    def complete(self, request: Request) -> Reply:
        """See `Chat.complete`."""
        with span("chat", {"gen_ai.operation.name": "chat", "gen_ai.request.model": self.model}) as note:
            reply = self._chat.complete(request)
            spent = reply.usage
            note({"gen_ai.usage.input_tokens": spent.prompt_tokens, "cgstore.kept": spent.kept})
            note({"gen_ai.usage.output_tokens": spent.completion_tokens})
        self.usage += spent
        return reply


_THINKING = re.compile(r"^.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
"""The drafts that a reasoning model writes before its reply."""

_END_OF_TEXT = re.compile(
    r"<\|im_end\|>|<\|eot_id\|>|</s>|<\|endoftext\|>|<\|end_of_text\|>|<\|end\|>|<end_of_turn>", re.IGNORECASE
)


def key_of(body: Mapping[str, Any]) -> str:
    """The key of a request: a hash of its whole body, 64 hexadecimal digits."""
    text = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def reply_of(completion: Any) -> Reply:
    """The reply in the JSON of a chat completion.

    Text after an end-of-text token, reasoning before the reply and choices without a text or a tool call are dropped.

    Raises:
        BadReply: this is not a chat completion, or no choice is left.
    """
    try:
        messages = tuple(map(_message, completion["choices"]))
        usage = completion.get("usage") or {}
        spent = Usage(1, int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadReply("this is not a chat completion") from error
    choices = tuple(each for each in messages if each.content.strip() or each.tool_calls or each.cut_off)
    if not choices:
        raise BadReply("the reply is empty")
    return Reply(choices, spent)


def _message(choice: Mapping[str, Any]) -> Message:
    message, cut_off = choice["message"], choice.get("finish_reason") == "length"
    calls = tuple(
        ToolCall(str(call.get("id") or n), str(call["function"]["name"]), str(call["function"]["arguments"] or "{}"))
        for n, call in enumerate(message.get("tool_calls") or ())
    )
    content = message.get("content") or ""
    if not isinstance(content, str):
        raise TypeError("the content of a reply must be a string")
    text = _END_OF_TEXT.split(_THINKING.sub("", content), maxsplit=1)[0]
    return Message("assistant", text, () if cut_off else calls, cut_off=cut_off)
