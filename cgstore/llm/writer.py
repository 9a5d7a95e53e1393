"""The backend that has an LLM write programs: several at once that vote, and again with what came of them.

TrustUQA, section 3.4: demonstrations chosen per question, self-consistency, retry, and functions that nobody defined
left to the LLM. Each is a setting, so that an ablation can switch it off.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from cgstore.embedding.encoder import SharedEncoder
from cgstore.llm.account import Account
from cgstore.llm.backend import Decision, Graph, Run, Tried
from cgstore.llm.chat import Chat, Message, Request
from cgstore.llm.explore import explore
from cgstore.llm.function import llm_function
from cgstore.llm.nearest import Shots
from cgstore.llm.prompt import Prompt
from cgstore.llm.tried import LONGEST_PROGRAM, names_nothing, told
from cgstore.llm.vote import Vote, vote

WARM = 0.7
"""The temperature of several samples, which are to differ; a single one is asked for at 0."""

MAX_TOKENS = 2_000
"""Longest reply, in tokens; the longest of our demonstrations has about 300, and some models think first."""

ASKS_FOR_LESS = "Written after others gave nothing: see whether it still asks for all that the question does."
"""Said of a program written again: an LLM that was told that nothing came may leave a condition of the question out."""


@dataclass(frozen=True)
class Settings:
    """How an LLM is asked (TrustUQA, section 4.1: 5 samples, 3 retries).

    Args:
        samples: programs asked for at a time; 1: no self-consistency.
        retries: times that the LLM is asked again where no program gave an answer; 0: no retry.
        functions: whether functions that nobody defined are left to the LLM; else they are errors.
        explore: whether the LLM may look at the graph before it writes.
    """

    samples: int = 5
    retries: int = 3
    functions: bool = True
    explore: bool = False


class WriterBackend:
    """Asks an LLM for programs.

    Args:
        chat: reaches the LLM.
        prompt: makes the messages of a question.
        shots: chooses demonstrations for a question.
        settings: see there.
        name: of the backend.
        encoder: the one that chooses for a prompt, to say where it failed; None: there is none.
    """

    def __init__(
        self,
        chat: Chat,
        prompt: Prompt,
        shots: Shots,
        settings: Settings,
        name: str = "openai",
        encoder: SharedEncoder | None = None,
    ) -> None:
        self.name, self.settings = name, settings
        self.chat, self._prompt, self._shots, self._encoder = chat, prompt, shots, encoder

    def decide(self, question: str, graph: Graph, run: Run) -> Decision:
        """See `Backend.decide`."""
        decision = self._decide(question, graph, run)
        failure = self._encoder.failure if self._encoder else None
        if failure is None:
            return decision
        note = f"Demonstrations and relations were chosen for the LLM by their words only. {failure.message}"
        return replace(decision, warnings=(*decision.warnings, note))

    def _decide(self, question: str, graph: Graph, run: Run) -> Decision:
        account = Account(self.chat)
        shots = self._shots.nearest(question, graph)
        system = "explore" if self.settings.explore else "system"
        messages = self._prompt.messages(question, graph, shots, system)
        evaluate = llm_function(account, self._prompt.templates) if self.settings.functions else None
        if self.settings.explore:
            return explore(account, messages, graph, run, evaluate)
        return self._vote(account, messages, lambda program: run(program, evaluate))

    def _vote(self, account: Account, messages: tuple[Message, ...], run: Callable[[str], Tried]) -> Decision:
        """Asks until programs give answers, of which that of most programs stands; what came of them is told."""
        tried: list[Tried] = []
        for attempt in range(1 + self.settings.retries):
            written = self._written(account, messages)
            came = {program: run(program) for program in dict.fromkeys(written)}
            tried += came.values()
            ran = [came[program] for program in written]
            if won := vote([one for one in ran if not names_nothing(one)], len(ran)):
                return self._decided(won, attempt, tried, account)
            again = self._prompt.templates.render("retry", tried=told([*came.values()]))
            messages = (*messages, Message("assistant", written[0][:LONGEST_PROGRAM]), Message("user", again))
        return self._nameless(vote(tried), tried, account)

    def _nameless(self, won: Vote | None, tried: Sequence[Tried], account: Account) -> Decision:
        """What is left after all attempts: an answer whose values have no names, or none."""
        if won is None:
            return Decision(None, tried=tuple(tried), usage=account.usage)
        warning = "The values have no names: a further relation would lead to what they stand for."
        return Decision(won.chosen, f"written by {account.model}", tuple(tried), (warning,), account.usage)

    def _written(self, chat: Chat, messages: tuple[Message, ...]) -> list[str]:
        """The programs that the LLM writes at a time, equal ones as often as it wrote them."""
        samples = self.settings.samples
        request = Request(messages, samples, WARM if samples > 1 else 0.0, MAX_TOKENS)
        return [choice.content for choice in chat.complete(request).choices]

    def _decided(self, won: Vote, attempt: int, tried: Sequence[Tried], account: Account) -> Decision:
        model = account.model
        agree = f"{won.votes} of {won.of} programs of {model} agree" if won.of > 1 else f"written by {model}"
        because = agree + (f", at attempt {attempt + 1}" if attempt else "")
        weak = won.of > 1 and 2 * won.votes <= won.of
        warnings = [f"Doubtful: only {won.votes} of {won.of} programs gave this answer."] if weak else []
        warnings += [ASKS_FOR_LESS] if attempt else []
        return Decision(won.chosen, because, tuple(tried), tuple(warnings), account.usage)
