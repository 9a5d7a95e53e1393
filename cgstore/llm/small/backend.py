"""The backend `small`: a small language model in this process writes programs, and a check apart from it decides.

Generate, then verify: candidates are written over the names of the prompt, each is run in the graph, equal answers add
up (self-consistency), and the account and the confidence of the best say whether it stands. Where it does not, there is
no answer, but the readings to choose from.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cgstore.llm.backends import Attempt, Backend, Decision, Run
from cgstore.llm.graph_view import GraphView
from cgstore.llm.small.account import Account, Lexicon, account_for, lexicon_of
from cgstore.llm.small.candidates import Candidate, Writer, candidates
from cgstore.llm.small.confidence import RISK, Confidence, confidence_of
from cgstore.llm.small.model import LocalModel
from cgstore.llm.small.prompt import Prompt, prompt_of
from cgstore.llm.small.weights import adapter as shipped_adapter
from cgstore.llm.small.weights import base_weights
from cgstore.model import Reading as Offered
from cgstore.notes import Detail
from cgstore.query.build import text_of
from cgstore.query.parse import parse
from cgstore.query.sentences import Vocabulary, meaning_of
from cgstore.text.numbers import denotation

READINGS = 3
"""Readings that are offered where none is sure enough."""

MOSTLY = 0.5
"""Share of the probability with which the model finds that the data do not say what is asked, for that to be said."""

LEAST_SHARE = 0.02
"""Share of the probability of all candidates under which one is not run: it could not change what is answered."""


@dataclass(frozen=True)
class Reading:
    """What a question may mean: candidates that give the same answer, the most probable first.

    `mass` is their share of the probability of all candidates. `nothing`: the data do not answer the question.
    """

    candidates: tuple[Candidate, ...]
    attempt: Attempt | None
    mass: float
    account: Account | None = None

    @property
    def nothing(self) -> bool:
        return self.attempt is None

    @property
    def empty(self) -> bool:
        """Whether it gives no value."""
        return self.attempt is None or not self.attempt.answered


class SmallBackend(Backend):
    """Has the small model write programs.

    Args:
        writer: what writes; the shipped model, fetched and loaded when needed, if None.
        adapter: the adapter of the model; the shipped one if None. `lexicon.json` and `confidence.json` beside it are
            used, where it has them.
        risk: the share of all questions asked that it may answer wrongly.
        reading: the number of the reading that is answered, from 1, however sure it is; None: a sure one.
        confidence: how likely an answer is right; the one that was learnt for the adapter if None.
    """

    name = "small"
    asks_each_source = True

    def __init__(
        self,
        writer: Writer | None = None,
        *,
        adapter: Path | None = None,
        risk: float = RISK,
        reading: int | None = None,
        confidence: Confidence | None = None,
    ) -> None:
        self._writer, self._adapter = writer, adapter
        self._risk, self._reading, self._confidence = risk, reading, confidence

    @property
    def writer(self) -> Writer:
        """The model."""
        if self._writer is None:
            self._writer = LocalModel(base_weights(), self._adapter or shipped_adapter())
        return self._writer

    def warm(self) -> None:
        """Loads the model, which the first question would wait for."""
        self.writer.write(" ", most=1)

    def decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        """See `Backend.decide`."""
        prompt = prompt_of(question, graph)
        written = candidates(self.writer, prompt)
        return self.decided(prompt, readings_of(question, prompt, written, run, lexicon_of(self._adapter)))

    def decided(self, prompt: Prompt, readings: Sequence[Reading]) -> Decision:
        """The decision between the readings of a question, most likely first."""
        return decision_of(
            prompt, readings, self._confidence or confidence_of(self._adapter), self._risk, self._reading
        )


def readings_of(
    question: str, prompt: Prompt, written: Sequence[Candidate], run: Run, lexicon: Lexicon | None = None
) -> list[Reading]:
    """Runs candidates and sorts their readings, most likely first; those without a value come last."""
    lexicon = lexicon or lexicon_of(None)
    total = sum(math.exp(each.logprob) for each in written) or 1.0
    groups: dict[object, list[tuple[Candidate, Attempt | None]]] = {}
    best = next((each for each in written if each.call is not None), None)
    likely = [each for each in written if math.exp(each.logprob) >= LEAST_SHARE * total or each is best]
    for each in likely:
        attempt = run(text_of(prompt.program(each.call))) if each.call is not None else None
        if attempt is None or not attempt.error:
            groups.setdefault(_given(attempt), []).append((each, attempt))
    readings = []
    for group in groups.values():
        (best, attempt), mass = group[0], sum(math.exp(each.logprob) for each, _ in group) / total
        account = account_for(question, prompt, best.call, lexicon) if best.call is not None else None
        readings.append(Reading(tuple(each for each, _ in group), attempt, mass, account))
    return sorted(readings, key=lambda each: (each.empty and not each.nothing, -each.mass))


def _given(attempt: Attempt | None) -> object:
    """What tells answers apart: their values, whatever their order."""
    if attempt is None:
        return None
    return denotation(attempt.answer.lines) if attempt.answer is not None and attempt.answered else ()


def features(reading: Reading, readings: Sequence[Reading]) -> tuple[float, ...]:
    """The values of `confidence.FEATURES` for a reading with a program, beside all readings: of its best program the
    log-probability, the probability of its least sure token, what its account lacks, and the number of its calls."""
    best, account = reading.candidates[0], reading.account
    assert best.call is not None and account is not None
    return (
        1.0,
        max(best.logprob, -8.0) / 4,
        math.log(max(best.least, 1e-3)),
        reading.mass,
        sum(each.mass for each in readings if each.nothing),
        min(len(account.unused), 4) / 2,
        min(len(account.unsaid), 4) / 2,
        float(reading.empty),
        len(list(best.call.all_calls())) / 4,
    )


def decision_of(
    prompt: Prompt, readings: Sequence[Reading], confidence: Confidence, risk: float, asked: int | None = None
) -> Decision:
    """The answer of the best reading if it is sure enough; else why not, and the readings to choose from."""
    attempts = tuple(each.attempt for each in readings if each.attempt is not None and not each.empty)
    answering = [each for each in readings if not each.nothing]
    if asked is not None:
        if asked > len(answering):
            warning = f"There are {len(answering)} readings of this question."
            return Decision(None, attempts=attempts, warnings=(warning,))
        return _answered(
            answering[asked - 1], attempts, None, (Detail("reading", f"This is reading {asked} of {len(answering)}."),)
        )
    if not answering:
        return Decision(None, attempts=attempts, warnings=(_lacking(prompt),))
    account, rests_on = answering[0].account, features(answering[0], readings)
    assert account is not None
    probability, unused = confidence.probability(rests_on), ", ".join(account.unused)
    if account.ignored:
        reason = f"No reading of the question accounts for: {', '.join(account.ignored)}."
    elif confidence.is_enough(rests_on, risk):
        doubts = (f"The program does not account for: {unused}.",) if unused else ()
        return _answered(answering[0], attempts, probability, doubts)
    elif sum(each.mass for each in readings if each.nothing) > MOSTLY:
        reason = _lacking(prompt)
    else:
        reason = f"The best reading of this question is {probability:.0%} sure, which is not enough."
        reason += f" Not accounted for: {unused}." if unused else ""
    return Decision(None, warnings=(reason,), unused=account.unused, readings=_choices(prompt, answering))


def _answered(
    reading: Reading, attempts: Sequence[Attempt], probability: float | None, notes: Sequence[str]
) -> Decision:
    account = reading.account
    because = "written by the small model" + (f"; {account.text()}" if account else "")
    unused = account.unused if account else ()
    return Decision(reading.attempt, because, tuple(attempts), tuple(notes), confidence=probability, unused=unused)


def _lacking(prompt: Prompt) -> str:
    sources = ", ".join(f"'{name}'" for name in prompt.sources.values())
    return f"The data ({sources}) do not seem to say what is asked."


def _choices(prompt: Prompt, readings: Sequence[Reading]) -> tuple[Offered, ...]:
    """The best readings with an answer in words, by which a user may choose one."""
    said = []
    for each in [each for each in readings if not each.empty][:READINGS]:
        call = each.candidates[0].call
        assert call is not None
        program = text_of(prompt.program(call))
        said.append(Offered(meaning_of(parse(program), Vocabulary({}, prompt.only_rows)), program))
    return tuple(said)
