"""What one question costs: a Chat that adds up what the replies of another one took."""

from __future__ import annotations

from cgstore.llm.chat import Chat, Reply, Request, Usage


class Account:
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
