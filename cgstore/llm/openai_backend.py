"""The backend `openai`: a chat model behind any endpoint that speaks OpenAI's API writes the program."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any

from cgstore.errors import NoModel
from cgstore.llm.backend import Graph, Proposal
from cgstore.llm.demonstrations import Demonstration
from cgstore.llm.nearest import nearest_demonstrations
from cgstore.mapping.encoder import Encoder
from cgstore.mapping.mentions import Mention

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.chat import ChatCompletionMessageParam

DEFAULT_MODEL = "gpt-4o-mini"
"""Asked where neither the call nor CGSTORE_MODEL names a model, at OpenAI's own endpoint."""

SHOTS = 8
"""Demonstrations in a prompt, as many as TrustUQA gives for temporal questions."""

MAX_RELATIONS = 300
"""Most relations listed in a prompt; a graph with more shows those of the names in the question first."""

TIMEOUT = 60.0
"""Seconds that one request may take."""

MAX_RETRIES = 3
"""Requests made again after a rate limit, a server's error or a lost connection, with growing pauses."""

MAX_TOKENS = 1000
"""Longest reply, in tokens; the longest of our demonstrations has about 300."""


class OpenAIBackend:
    """Asks a chat model once a question, at temperature 0.

    Args:
        demonstrations: of which the nearest go into the prompt.
        base_url: of the endpoint, such as `http://127.0.0.1:8000/v1`; else OPENAI_BASE_URL, else OpenAI's own.
        model: its name; else CGSTORE_MODEL, else `DEFAULT_MODEL` at OpenAI's own endpoint.
        encoder: for choosing demonstrations; loaded when needed.
        timeout: seconds a request may take.
    """

    name = "openai"

    def __init__(
        self,
        demonstrations: Sequence[Demonstration],
        base_url: str | None = None,
        model: str | None = None,
        encoder: Encoder | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        self._demonstrations = demonstrations
        self._base_url = base_url or os.environ.get("OPENAI_BASE_URL") or None
        self._model = model or os.environ.get("CGSTORE_MODEL") or None
        self._encoder = encoder
        self._timeout = timeout

    def propose(self, question: str, graph: Graph) -> Iterator[Proposal]:
        """One proposal: the reply as it came; its queries are read by `cgstore.query.reply`.

        Raises:
            NoModel: no key, no model, no connection, or the endpoint refuses or gives nothing.
        """
        model = self._model_name()
        reply = self._ask(self._messages(question, graph), model)
        yield Proposal(reply, 1.0, f"written by {model}")

    def _model_name(self) -> str:
        if self._model:
            return self._model
        if self._base_url:
            raise NoModel(f"Which model at {self._base_url}?", "Name it by --model or CGSTORE_MODEL.")
        return DEFAULT_MODEL

    def _messages(self, question: str, graph: Graph) -> list[ChatCompletionMessageParam]:
        """System text, demonstrations as turns of a dialogue, and the question with the names found in it."""
        mentions = graph.mentions(question)
        near = nearest_demonstrations(self._demonstrations, question, mentions, SHOTS, self._encoder)
        messages: list[ChatCompletionMessageParam] = [{"role": "system", "content": system_text(graph, mentions)}]
        for shot in near:
            messages.append({"role": "user", "content": f"Question: {shot.question}"})
            messages.append({"role": "assistant", "content": shot.program})
        names = "; ".join(dict.fromkeys(m.name for m in mentions if m.kind != "relation" and not m.weak))
        found = f"\nNames: {names}" if names else ""
        messages.append({"role": "user", "content": f"Question: {question}{found}"})
        return messages

    def _ask(self, messages: list[ChatCompletionMessageParam], model: str) -> str:
        import openai

        try:
            completion = self._client.chat.completions.create(
                model=model, messages=messages, temperature=0.0, max_tokens=MAX_TOKENS
            )
        except openai.OpenAIError as error:
            raise self._no_model(error, model) from error
        content = completion.choices[0].message.content if completion.choices else None
        if not content or not content.strip():
            raise NoModel(f"The model '{model}' gave an empty reply.", "Try again, or another --model.")
        return content

    @cached_property
    def _client(self) -> OpenAI:
        try:
            import openai
        except ImportError as error:
            raise NoModel("The backend openai needs the package openai.", "pip install 'cgstore[llm]'") from error
        key = os.environ.get("OPENAI_API_KEY")
        if not key and not self._base_url:
            raise NoModel(
                "There is no key for OpenAI.",
                "Set OPENAI_API_KEY, or give --base-url of another endpoint, or take --llm demos, which needs no LLM.",
            )
        return openai.OpenAI(
            api_key=key or "none",  # servers on one's own machine ask for no key, but the client insists on one
            base_url=self._base_url,
            timeout=self._timeout,
            max_retries=MAX_RETRIES,
        )

    def _no_model(self, error: Exception, model: str) -> NoModel:
        """What went wrong and what to do, without the reply's text where that may repeat the key."""
        import openai

        where = self._base_url or "OpenAI"
        if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
            return NoModel(f"{where} refuses the key.", "Check OPENAI_API_KEY.")
        if isinstance(error, openai.RateLimitError):
            return NoModel(
                f"{where} has no quota left, or has it later.", "Wait, or check your plan with the provider."
            )
        if isinstance(error, openai.NotFoundError):
            return NoModel(f"{where} has no model '{model}', or no chat endpoint there.", "Check --model, --base-url.")
        if isinstance(error, openai.APITimeoutError):
            return NoModel(f"{where} did not reply within {self._timeout:g} s.", "Try again later.")
        if isinstance(error, openai.APIConnectionError):
            return NoModel(f"No connection to {where}.", "Is --base-url right, and the server running?")
        if isinstance(error, openai.APIStatusError):
            return NoModel(f"{where} answered with HTTP {error.status_code}: {_reason(error)}", "Check --model.")
        return NoModel(
            f"{where} gave no usable reply ({type(error).__name__}).", "Is it an OpenAI-compatible endpoint?"
        )


def system_text(graph: Graph, mentions: Sequence[Mention]) -> str:
    """The prompt's first part: the language, its rules, and the graph's relations, those of the mentions first."""
    template = resources.files("cgstore.llm").joinpath("prompts", "tkg.txt").read_text(encoding="utf-8")
    relations = graph.relations()
    if len(relations) > MAX_RELATIONS:
        around = [graph.relations_of(m.key) for m in mentions if m.kind == "entity"]
        near = [r for neighbourhood in around for side in neighbourhood for r in side]
        relations = list(dict.fromkeys([*near, *relations]))[:MAX_RELATIONS]
    return template.replace("{relations}", "; ".join(relations))


def _reason(error: Any) -> str:
    body = error.body if isinstance(error.body, dict) else {}
    return str(body.get("message") or type(error).__name__)[:300]
