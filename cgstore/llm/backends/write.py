"""The backend that has an LLM write programs: several at once that vote, and again with what came of them.

TrustUQA, section 3.4: demonstrations chosen per question, self-consistency, retry, and functions that nobody defined
left to the LLM. Each is a setting, so that an ablation can switch it off.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from cgstore.embedding.encoder import SharedEncoder
from cgstore.llm.backend import Attempt, Decision, Run
from cgstore.llm.backends.explore import explore
from cgstore.llm.backends.feedback import LONGEST_PROGRAM, names_nothing, told
from cgstore.llm.chat import Chat, Message, Request, UsageMeter
from cgstore.llm.demonstrations.shot_selection import Shots
from cgstore.llm.graph_view import GraphView
from cgstore.llm.prompts import Prompt
from cgstore.llm.prompts.texts import PromptTexts
from cgstore.query.external_functions import Evaluator, Values
from cgstore.text.numbers import denotation

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


class WriteBackend:
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

    def decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        """See `Backend.decide`."""
        decision = self._decide(question, graph, run)
        failure = self._encoder.failure if self._encoder else None
        if failure is None:
            return decision
        note = f"Demonstrations and relations were chosen for the LLM by their words only. {failure.message}"
        return replace(decision, warnings=(*decision.warnings, note))

    def _decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        account = UsageMeter(self.chat)
        shots = self._shots.nearest(question, graph)
        system = "explore" if self.settings.explore else "system"
        messages = self._prompt.messages(question, graph, shots, system)
        evaluate = llm_function(account, self._prompt.templates) if self.settings.functions else None
        if self.settings.explore:
            return explore(account, messages, graph, run, evaluate)
        return self._vote(account, messages, lambda program: run(program, evaluate))

    def _vote(self, account: UsageMeter, messages: tuple[Message, ...], run: Callable[[str], Attempt]) -> Decision:
        """Asks until programs give answers, of which that of most programs stands; what came of them is told."""
        attempts: list[Attempt] = []
        for attempt in range(1 + self.settings.retries):
            written = self._written(account, messages)
            came = {program: run(program) for program in dict.fromkeys(written)}
            attempts += came.values()
            ran = [came[program] for program in written]
            if won := vote([one for one in ran if not names_nothing(one)], len(ran)):
                return self._decided(won, attempt, attempts, account)
            again = self._prompt.templates.render("retry", tried=told([*came.values()]))
            messages = (*messages, Message("assistant", written[0][:LONGEST_PROGRAM]), Message("user", again))
        return self._nameless(vote(attempts), attempts, account)

    def _nameless(self, won: Vote | None, attempts: Sequence[Attempt], account: UsageMeter) -> Decision:
        """What is left after all attempts: an answer whose values have no names, or none."""
        if won is None:
            return Decision(None, attempts=tuple(attempts), usage=account.usage)
        warning = "The values have no names: a further relation would lead to what they stand for."
        return Decision(won.chosen, f"written by {account.model}", tuple(attempts), (warning,), account.usage)

    def _written(self, chat: Chat, messages: tuple[Message, ...]) -> list[str]:
        """The programs that the LLM writes at a time, equal ones as often as it wrote them."""
        samples = self.settings.samples
        request = Request(messages, samples, WARM if samples > 1 else 0.0, MAX_TOKENS)
        return [choice.content for choice in chat.complete(request).choices]

    def _decided(self, won: Vote, attempt: int, attempts: Sequence[Attempt], account: UsageMeter) -> Decision:
        model = account.model
        agree = f"{won.votes} of {won.of} programs of {model} agree" if won.of > 1 else f"written by {model}"
        because = agree + (f", at attempt {attempt + 1}" if attempt else "")
        weak = won.of > 1 and 2 * won.votes <= won.of
        warnings = [f"Doubtful: only {won.votes} of {won.of} programs gave this answer."] if weak else []
        warnings += [ASKS_FOR_LESS] if attempt else []
        return Decision(won.chosen, because, tuple(attempts), tuple(warnings), account.usage)


@dataclass(frozen=True)
class Vote:
    """The program whose answer most agree on, and how many of how many do; programs without an answer do not vote."""

    chosen: Attempt
    votes: int
    of: int


def vote(attempts: Sequence[Attempt], of: int | None = None) -> Vote | None:
    """Counts the answers; of equals the one that was given first. None where no program answered.

    Args:
        attempts: the programs that may vote, equal ones as often as they were written.
        of: how many were written; None: these.
    """
    votes: dict[frozenset[str | float], list[Attempt]] = {}
    for one in attempts:
        if one.answer and one.answered:
            votes.setdefault(denotation(one.answer.answer), []).append(one)
    if not votes:
        return None
    most = max(votes.values(), key=len)
    return Vote(most[0], len(most), len(attempts) if of is None else of)


MAX_SHOWN = 200
"""Most values of one argument that the LLM is shown."""

LONGEST_VALUE = 300
"""Characters of one value."""

VALUE_TOKENS = 500

_FENCE = re.compile(r"```\w*")
_MARK = re.compile(r"^[-*•]\s+")
_QUOTED = re.compile(r"""^(['"`]|\*\*)(.*)\1$""")

NOTHING = "nothing"
"""What the LLM is told to reply where the function has no value."""


def llm_function(chat: Chat, templates: PromptTexts) -> Evaluator:
    """What evaluates a function by asking an LLM."""

    def evaluate(name: str, arguments: Sequence[tuple[str, Values]]) -> list[str | int | float]:
        text = templates.render("function", function=json.dumps(name), arguments="\n".join(map(_shown, arguments)))
        reply = chat.complete(Request((Message("user", text),), max_tokens=VALUE_TOKENS))
        return list(values_of(reply.choices[0].content))

    return evaluate


def values_of(reply: str) -> list[str]:
    """The values in a reply: one a line, without the marks of a list, quotes around one, or a fence around all."""
    lines = [line.strip() for line in reply.splitlines() if line.strip() and not _FENCE.fullmatch(line.strip())]
    values = [_QUOTED.sub(r"\2", _MARK.sub("", line)).strip() for line in lines]
    return [] if [value.casefold().rstrip(".") for value in values] == [NOTHING] else values


def _shown(argument: tuple[str, Values]) -> str:
    """An argument as a line of JSON, so that what stands in a cell stays a text in quotes."""
    name, values = argument
    more = f" and {len(values) - MAX_SHOWN:,} more" if len(values) > MAX_SHOWN else ""
    shown = [value[:LONGEST_VALUE] if isinstance(value, str) else value for value in values[:MAX_SHOWN]]
    return f"{name or 'argument'} = {json.dumps(shown, ensure_ascii=False)}{more}"
