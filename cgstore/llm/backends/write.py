"""The backend that has an LLM write programs: several at a time, which vote, and again with feedback if none answers.

See TrustUQA, sections 3.4 and 4.1: demonstrations chosen per question, self-consistency (5 samples), 3 retries, and
functions that the language lacks left to the LLM. Each is an option, so that an ablation can switch it off.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from cgstore.embedding.encoder import SharedEncoder
from cgstore.errors import BadInput, NoModel, setting
from cgstore.llm.backends import Attempt, Backend, Decision, Run, abstention
from cgstore.llm.backends.explore import explore
from cgstore.llm.backends.feedback import CUT_OFF, LONGEST_PROGRAM, feedback, names_nothing
from cgstore.llm.backends.languages import LLM, language_named
from cgstore.llm.chat import Chat, Message, Request, UsageMeter
from cgstore.llm.demonstrations.shot_selection import Shots
from cgstore.llm.graph_view import GraphView
from cgstore.llm.options import BackendOptions
from cgstore.llm.prompts import Prompt, PromptTexts
from cgstore.llm.prompts.context import conversation_text, corrections_text, with_question_before
from cgstore.llm.prompts.schema import listed
from cgstore.model import Answer
from cgstore.notes import Detail
from cgstore.query.external_functions import Evaluator, Values
from cgstore.query.gbnf import OPENINGS, gbnf
from cgstore.text.numbers import denotation

SAMPLING_TEMPERATURE = 0.7
"""The temperature of several samples, which should differ; a single one is requested at 0."""

PROGRAM_TOKENS = 2_000
"""Tokens of a reply with a program; the longest demonstration has about 300, but some models think first."""

VALUE_TOKENS = 500
"""Tokens of a reply with the values of a function."""

MAX_ARGUMENT_VALUES = 200
"""Values of a function's argument that the LLM sees."""

LONGEST_VALUE = 300
"""Characters of such a value."""

NOTHING = "nothing"
"""The reply of the LLM if a function has no value, as the prompt says."""

ASKS_FOR_LESS = "Written after others gave nothing: see whether it still asks for all that the question does."
"""The note on a program of a retry: an LLM that knows of a failure may drop a condition of the question."""

DOUBTED = "Doubtful"
"""The first word of the note on an answer without the votes of most programs."""

NAMELESS = "The values have no names: a further relation would lead to what they stand for."

_FENCE = re.compile(r"```\w*")
_LIST_MARK = re.compile(r"^[-*•]\s+")
_QUOTED = re.compile(r"""^(['"`]|\*\*)(.*)\1$""")


class WriteBackend(Backend):
    """Has an LLM write programs; `encoder` is the one that chooses for a prompt, whose failure is reported."""

    chat: Chat
    follows_up = True

    def __init__(
        self,
        chat: Chat,
        prompt: Prompt,
        shots: Shots,
        options: BackendOptions,
        name: str = "openai",
        encoder: SharedEncoder | None = None,
    ) -> None:
        self.name, self._options, self.lang, self._language = name, options, options.lang, language_named(options.lang)
        self.chat, self._prompt, self._shots, self._encoder = chat, prompt, shots, encoder

    def warm(self) -> None:
        """Loads the encoder, which the first question would wait for; without one, each answer says so."""
        if self._encoder is not None:
            with suppress(NoModel):
                self._encoder.encode(["a question"])

    def decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        """See `Backend.decide`."""
        return self.decide_after((), question, graph, run)

    def decide_after(self, earlier: Sequence[Answer], question: str, graph: GraphView, run: Run) -> Decision:
        """See `Backend.decide_after`."""
        decision = self._decide(earlier, question, graph, run)
        notes = [ignored_grammar()] if self._grammar and not all(map(_is_in_grammar, decision.attempts)) else []
        if failure := self._encoder.failure if self._encoder else None:
            notes.append(f"Demonstrations and relations were chosen for the LLM by their words only. {failure.message}")
        return replace(decision, warnings=(*decision.warnings, *notes))

    def _decide(self, earlier: Sequence[Answer], question: str, graph: GraphView, run: Run) -> Decision:
        chat = UsageMeter(self.chat)
        meant = with_question_before(question, earlier)
        shots = self._shots.nearest(meant, graph)
        private = self._prompt.rows == 0  # no values of the data are shown
        options, is_usual = self._options, self.lang == LLM.name
        is_corrected = options.corrections and is_usual and not private
        corrections = self._shots.corrections(meant, graph) if is_corrected else []
        parts = corrections_text(meant, corrections), conversation_text(earlier, private=private)
        context = "\n\n".join(filter(None, parts))
        system = "explore" if options.explore else self._language.system
        messages = self._prompt.messages(question, graph, shots, system, context)
        evaluate = llm_function(chat, self._prompt.texts) if options.functions and is_usual else None
        if options.explore:
            return explore(chat, messages, graph, run, evaluate, meant)

        def run_reply(reply: Message) -> Attempt:
            if reply.cut_off:
                return Attempt(reply.content[:LONGEST_PROGRAM], error=CUT_OFF)
            return self._language.run_reply(reply.content, run, evaluate)

        return self._vote(chat, messages, run_reply)

    def _vote(self, chat: UsageMeter, messages: tuple[Message, ...], run: Callable[[Message], Attempt]) -> Decision:
        """Requests programs, with feedback on earlier ones, until some answer.

        Where the LLM was asked again once, since its programs had failed, its later programs stand before these.
        """
        attempts: list[Attempt] = []
        earlier: Decision | None = None
        for retry in range(1 + self._options.retries):
            request = self._request(messages)
            written = chat.complete(request).choices
            results = dict[Message, Attempt]()
            for reply in dict.fromkeys(written):
                results[reply] = run(reply)
                if self._options.decide == "first" and _settles(results[reply]):
                    break
            attempts += programs_in(results.values())
            decision = self._settled(written, results, retry, attempts, chat)
            if decision and (decision.chosen or earlier is None):
                earlier = decision
            said = replace(request, messages=(*messages, Message("assistant", written[0].content[:LONGEST_PROGRAM])))
            again = chat.sent_after(said)
            if earlier and again is None:
                break
            tried = self._prompt.texts.render("retry", tried=feedback([*results.values()]))
            messages = (*said.messages, again or Message("user", tried))
        if earlier:
            return replace(earlier, attempts=tuple(attempts), usage=chat.usage)
        if won := vote(attempts):
            return Decision(won.chosen, f"written by {chat.model}", tuple(attempts), (NAMELESS,), chat.usage)
        return Decision(None, attempts=tuple(attempts), usage=chat.usage)

    def _settled(
        self,
        written: Sequence[Message],
        results: Mapping[Message, Attempt],
        retry: int,
        attempts: Sequence[Attempt],
        chat: UsageMeter,
    ) -> Decision | None:
        """The decision for the programs of one reply; None if none of them gives a value with a name."""
        named = [results[reply] for reply in written if reply in results and not names_nothing(results[reply])]
        if self._options.decide == "first" and (found := next(filter(_settles, named), None)):
            if found.declined:
                return abstention(chat.model, found.declined, attempts, chat.usage)
            because = f"the first program of {chat.model} that answers, of {len(written)}"
            decision = Decision(found, because, tuple(attempts), usage=chat.usage)
        else:
            elected = decision_by_vote(named, len(written), attempts, chat)
            if elected is None or elected.declined:
                return elected
            decision = replace(elected, because=elected.because + (f", at attempt {retry + 1}" if retry else ""))
        return replace(decision, warnings=(*decision.warnings, *(ASKS_FOR_LESS,) * bool(retry)))

    def _request(self, messages: tuple[Message, ...]) -> Request:
        """The request for programs."""
        samples = self._options.samples
        temperature = SAMPLING_TEMPERATURE if samples > 1 else 0.0
        return Request(messages, samples, temperature, PROGRAM_TOKENS, grammar=self._grammar)

    @property
    def _grammar(self) -> str:
        """The grammar of a reply; '' if any reply will do."""
        return gbnf() if self._options.constrain and not self._options.explore else ""


def _settles(attempt: Attempt) -> bool:
    """Whether an attempt ends the question by itself: with values that have names, or with a reason for none."""
    return bool(attempt.declined) or (attempt.answered and not names_nothing(attempt))


def ignored_grammar() -> str:
    """The note on replies that are not in the grammar that was sent."""
    return Detail(
        "grammar", f"The endpoint ignored the grammar: its LLM wrote freely, as without {setting('constrain', True)}."
    )


def _is_in_grammar(attempt: Attempt) -> bool:
    return not attempt.program or attempt.program.lstrip().startswith(OPENINGS)


def programs_in(attempts: Iterable[Attempt]) -> list[Attempt]:
    """The attempts with a program."""
    return [attempt for attempt in attempts if not attempt.declined]


@dataclass(frozen=True)
class Vote:
    """The program whose answer has most votes, their number, and how many programs could vote."""

    chosen: Attempt
    votes: int
    of: int


def vote(attempts: Sequence[Attempt], of: int | None = None) -> Vote | None:
    """The majority vote over answers (self-consistency); on a tie the first answer wins, without answers None.

    Replies that say that the data do not have the answer vote too, all for the same. Denotations are counted, not
    texts: programs that give the same values agree, however they are written. `of` counts the replies; None: all that
    vote, equal ones as often as they were written.
    """
    votes: dict[frozenset[str | float] | None, list[Attempt]] = {}
    for attempt in attempts:
        if attempt.declined:
            votes.setdefault(None, []).append(attempt)
        elif attempt.answer is not None and attempt.answered:
            votes.setdefault(denotation(attempt.answer.answer), []).append(attempt)
    if not votes:
        return None
    majority = max(votes.values(), key=len)
    return Vote(majority[0], len(majority), len(attempts) if of is None else of)


def decision_by_vote(voters: Sequence[Attempt], of: int, tried: Sequence[Attempt], chat: UsageMeter) -> Decision | None:
    """The decision of the majority (see `vote`), which is doubtful without most votes; None if nothing answers."""
    won = vote(voters, of)
    if won is None:
        return None
    if won.chosen.declined:
        who = f"{chat.model} ({won.votes} of {of} replies)" if of > 1 else chat.model
        return abstention(who, won.chosen.declined, tried, chat.usage)
    because = f"{won.votes} of {of} programs of {chat.model} agree" if of > 1 else f"written by {chat.model}"
    doubt = f"{DOUBTED}: only {won.votes} of {of} programs gave this answer."
    warnings = (doubt,) if of > 1 and 2 * won.votes <= of else ()
    return Decision(won.chosen, because, tuple(tried), warnings, chat.usage)


def llm_function(chat: Chat, texts: PromptTexts) -> Evaluator:
    """An evaluator that asks an LLM for the values of a function that the language lacks.

    The LLM gets the name, the arguments and their values (TrustUQA, section 3.4; language page, section 9). Its values
    are not evidence, and the answer says so.
    """

    def evaluate(name: str, arguments: Sequence[tuple[str, Values]]) -> list[str | int | float]:
        lines = "\n".join(
            f"{argument or 'argument'} = {listed(values, MAX_ARGUMENT_VALUES, LONGEST_VALUE)}"
            for argument, values in arguments
        )
        text = texts.render("function", function=json.dumps(name), arguments=lines)
        reply = chat.complete(Request((Message("user", text),), max_tokens=VALUE_TOKENS)).choices[0]
        if reply.cut_off:
            raise BadInput(f"{CUT_OFF} It had the values of '{name}'.")
        return list(values_of(reply.content))

    return evaluate


def values_of(reply: str) -> list[str]:
    """The values in a reply, one a line, without list marks, quotes around a value, and a fence around all."""
    lines = [line.strip() for line in reply.splitlines() if line.strip() and not _FENCE.fullmatch(line.strip())]
    values = [_QUOTED.sub(r"\2", _LIST_MARK.sub("", line)).strip() for line in lines]
    return [] if [value.casefold().rstrip(".") for value in values] == [NOTHING] else values
