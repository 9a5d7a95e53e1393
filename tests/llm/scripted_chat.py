"""A Chat in memory: replies that were written down before, in order."""

from __future__ import annotations

import json
from collections.abc import Sequence

from cgstore.llm.chat import Chat, Message, Reply, Request, ToolCall, Usage


class ScriptedChat(Chat):
    """Gives the replies of a script, one for each request: a text, several texts or messages, or one message."""

    model = "scripted"

    def __init__(self, *script: str | Sequence[str | Message] | Message) -> None:
        self._script = list(script)
        self.requests: list[Request] = []

    def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        said = self._script.pop(0)
        if isinstance(said, Message):
            choices: tuple[Message, ...] = (said,)
        else:
            texts: list[str | Message] = [said] * request.n if isinstance(said, str) else list(said)
            choices = tuple(text if isinstance(text, Message) else Message("assistant", text) for text in texts)
        return Reply(choices, Usage(1, 100, 10))


def calls(*named: tuple[str, str, str]) -> Message:
    """A reply that calls tools: each by its name, its argument's name, and the argument."""
    made = (
        ToolCall(f"call-{n}", name, json.dumps({argument: given})) for n, (name, argument, given) in enumerate(named)
    )
    return Message("assistant", "", tuple(made))
