"""The small model's prompt for an LLM at an endpoint: a tenth of the tokens of the full one, for small contexts.

Without demonstrations, retries, look-ups and functions of an LLM: those need room.
"""

from __future__ import annotations

from cgstore.llm.backends import Attempt, Backend, Decision, Run
from cgstore.llm.backends.write import SAMPLING_TEMPERATURE, decision_by_vote, programs_in
from cgstore.llm.chat import Chat, Message, Request, UsageMeter
from cgstore.llm.graph_view import GraphView
from cgstore.llm.prompts import PromptTexts
from cgstore.llm.small.notation import NO_ANSWER, NotationError, read
from cgstore.llm.small.prompt import Prompt, prompt_of
from cgstore.query.build import text_of

LONGEST = 300
"""Tokens of a reply."""

_AROUND = " \t`'\">*"


class CompactBackend(Backend):
    """Has an LLM write programs in the small model's notation; several (`samples`) vote."""

    chat: Chat

    def __init__(self, chat: Chat, texts: PromptTexts, samples: int = 5, name: str = "openai") -> None:
        self.chat, self._texts, self._samples, self.name = chat, texts, samples, name

    def decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        """See `Backend.decide`."""
        prompt, chat = prompt_of(question, graph), UsageMeter(self.chat)
        messages = (Message("system", self._texts.render("compact")), Message("user", prompt.text))
        temperature = SAMPLING_TEMPERATURE if self._samples > 1 else 0.0
        request = Request(messages, self._samples, temperature, LONGEST)
        replies = [each.content for each in chat.complete(request).choices]
        results = {reply: _attempt(reply, prompt, run) for reply in dict.fromkeys(replies)}
        tried = tuple(programs_in(results.values()))
        decision = decision_by_vote([results[reply] for reply in replies], len(replies), tried, chat)
        return decision or Decision(None, attempts=tried, usage=chat.usage)


def _attempt(reply: str, prompt: Prompt, run: Run) -> Attempt:
    """What the first line of a reply gives that is not a fence of code."""
    lines = [line.strip() for line in reply.splitlines() if line.strip() and not line.strip().startswith("```")]
    written = lines[0].removeprefix(">").strip() if lines else ""
    if written.strip(_AROUND + ".").lower() == NO_ANSWER:
        return Attempt(reply, declined="they do not say what is asked")
    try:
        return run(text_of(prompt.program(read(written))))
    except NotationError as error:
        return Attempt(reply, error=str(error))
