"""A question that names no source, where many are loaded: which of them are asked, and which answer stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cgstore.llm.backends import Decision
from cgstore.mapping.source_choice import SourceCandidate
from cgstore.model import ChosenSource
from cgstore.notes import Detail
from cgstore.text.names import some_of

TOGETHER = 5
"""Sources that are asked together at first; of more, so many are chosen."""

UNKNOWN = 0.9
"""Confidence of an answer whose backend knows none, such as an LLM's."""

# The weights below are rounded; they lose fewest right answers for few wrong ones among the questions on which the
# weights of `source_choice` were learnt, and 480 others.

ASKED = 0.05
"""Least probability of a source that is asked by itself, given what those before it answered."""

ANSWERED = 8.0
"""How many times likelier its answer makes it that a source is meant."""

UNUSED = 4.0
"""How many times less likely each word of the question makes it that the answer does not use."""

REFUSED = 0.5
"""The same where it has no answer."""

LEAST = 0.45
"""Least weight of an answer: its confidence times the probability of its source, of all that give the same."""

RIVAL = 0.6
"""Share of the weight of the best answer with which another one is as likely, so that neither is given."""

DOUBTFUL = 0.5
"""Probability of the sources used under which an answer is said to be doubtful."""

DecideOver = Callable[[Sequence[str], Sequence[str]], Decision]
"""A backend's decision over sources, given by their stored names and by those that users know."""


def decide_among(
    likely: Sequence[SourceCandidate], decide_over: DecideOver, *, each: bool
) -> tuple[Decision, tuple[ChosenSource, ...]]:
    """A decision over the most likely sources (most likely first), with those that it is about.

    With `each`, each source is asked by itself, for a backend that asks one well and several badly. Then the answer
    stands whose confidence times the probability of its sources is greatest; none if it is too small.
    """
    if not likely:
        return Decision(None, warnings=("nothing that is loaded has a name or a relation of this question",)), ()
    if not each:
        decision = decide_over([every.stored for every in likely], [every.source for every in likely])
        return decision, _chosen(likely)
    return _by_themselves(likely, decide_over)


def _by_themselves(
    likely: Sequence[SourceCandidate], decide_over: DecideOver
) -> tuple[Decision, tuple[ChosenSource, ...]]:
    """The decision whose answer weighs most, with the sources that give this answer; tables may hold the same rows."""
    belief = Belief(likely)
    while (candidate := belief.next_asked()) is not None:
        belief.learn(candidate, decide_over([candidate.stored], [candidate.source]))
    answers = belief.answers()
    if answers and answers[0].weight >= LEAST:
        if len(answers) > 1 and answers[1].weight >= RIVAL * answers[0].weight:
            return _differing(answers), ()
        return answers[0].decision, answers[0].sources
    if not answers and belief.refusal:
        return belief.refusal
    return (_differing(answers) if len(answers) > 1 else _unsure(likely)), ()


@dataclass(frozen=True)
class _Given:
    """An answer with the sources that give it. `weight`: how sure it is."""

    decision: Decision
    sources: tuple[ChosenSource, ...]
    weight: float


class Belief:
    """How likely it is of each candidate that it is meant, given what those that were asked answered (Bayes' rule).

    A source that is meant answers more often than another one, and with all words of the question.
    """

    def __init__(self, likely: Sequence[SourceCandidate]) -> None:
        self._likely = likely
        self._mass = [each.probability for each in likely]
        self._of_others = max(0.0, 1 - sum(self._mass))
        self._decisions: dict[int, Decision] = {}
        self.refusal: tuple[Decision, tuple[ChosenSource, ...]] | None = None

    def next_asked(self) -> SourceCandidate | None:
        """The likeliest source that was not asked; None if it is unlikely, or could not rival the best answer."""
        left = [place for place in range(len(self._likely)) if place not in self._decisions]
        best = max(left, key=lambda place: self._mass[place], default=None)
        if best is None or self._probability(best) < ASKED:
            return None
        given = max((sum(self._mass[place] for place in places) for places in self._groups().values()), default=0.0)
        return self._likely[best] if ANSWERED * self._mass[best] >= RIVAL * given else None

    def learn(self, candidate: SourceCandidate, decision: Decision) -> None:
        """Takes what a source answered into account."""
        place = self._likely.index(candidate)
        self._decisions[place] = decision
        self._mass[place] *= ANSWERED / UNUSED ** len(decision.unused) if decision.answered else REFUSED
        if not decision.answered:
            self.refusal = self.refusal or (decision, _chosen([candidate]))

    def answers(self) -> list[_Given]:
        """The answers that were given, the surest first."""
        return sorted(map(self._given, self._groups().values()), key=lambda each: -each.weight)

    def _groups(self) -> dict[tuple[str, ...], list[int]]:
        """The places of the sources that give each answer."""
        groups: dict[tuple[str, ...], list[int]] = {}
        for place, decision in self._decisions.items():
            if decision.answered:
                groups.setdefault(tuple(sorted(_values(decision))), []).append(place)
        return groups

    def _given(self, places: Sequence[int]) -> _Given:
        known = [self._decisions[place].confidence for place in places]
        sure = [UNKNOWN if confidence is None else confidence for confidence in known]
        weight = sum(each * self._probability(place) for each, place in zip(sure, places, strict=True))
        sources = [ChosenSource(self._likely[place].source, self._probability(place)) for place in places]
        return _Given(self._decisions[places[0]], tuple(sources), weight)

    def _probability(self, place: int) -> float:
        return self._mass[place] / (self._of_others + sum(self._mass))


def _differing(answers: Sequence[_Given]) -> Decision:
    """The refusal of a question to which sources that are as likely have other answers: each with its own."""
    given = "; ".join(
        f"{some_of([each.name for each in answer.sources], 2)}: {some_of(_values(answer.decision), 3)}"
        for answer in answers[:TOGETHER]
    )
    reason = f"sources that are as likely to be meant have different answers: {given}"
    return Decision(None, warnings=(reason, "Name the source, or ask with more of the names that are in it."))


def _values(decision: Decision) -> list[str]:
    answer = decision.chosen.answer if decision.chosen else None
    return [str(value) for value in answer.answer] if answer else []


def _unsure(likely: Sequence[SourceCandidate]) -> Decision:
    """The refusal of a question that may be about many sources, or about something else."""
    names = ", ".join(f"'{each.source}' ({each.probability:.0%})" for each in likely[:3])
    reason = f"it is not clear enough which source is meant; most likely: {names}"
    return Decision(None, warnings=(reason, "Name the source, or ask with more of the names that are in it."))


def source_note(used: Sequence[ChosenSource], likely: Sequence[SourceCandidate], ready: int) -> str:
    """What is said of the choice: which of how many sources were asked, and how sure it is."""
    names = some_of([each.name for each in used], TOGETHER)
    if not used:
        return f"None of {ready:,} sources was chosen."
    probability = sum(each.probability for each in used)
    sure = f"{probability:.0%} sure{', which is doubtful' if probability < DOUBTFUL else ''}"
    others = [each.source for each in likely if each.source not in {chosen.name for chosen in used}]
    instead = f"; it may be about {some_of(others)} instead" if others else ""
    text = f"Asked of {names}, chosen among {ready:,} sources by the words of the question ({sure}{instead})."
    return text if probability < DOUBTFUL else Detail("source", text)


def _chosen(candidates: Sequence[SourceCandidate]) -> tuple[ChosenSource, ...]:
    return tuple(ChosenSource(each.source, each.probability) for each in candidates)
