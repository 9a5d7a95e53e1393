"""A question that names no source, where many are loaded: which of them are asked, and which answer stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cgstore.llm.backends import Decision
from cgstore.mapping.source_choice import SourceCandidate
from cgstore.model import ChosenSource
from cgstore.text.names import some_of

TOGETHER = 5
"""Sources that are asked without a choice among them; of more, so many are chosen."""

UNKNOWN = 0.9
"""Confidence of an answer whose backend knows none: `demos` refuses a question about a graph rather than guesses."""

LEAST = 0.2
"""Least probability of a source that is asked by itself, and least confidence times probability of an answer."""

DOUBTFUL = 0.5
"""Probability of the sources used under which an answer is said to be doubtful."""

DecideOver = Callable[[Sequence[str], Sequence[str]], Decision]
"""A backend's decision over sources, given by their stored names and by those that users know."""


def decide_among(
    likely: Sequence[SourceCandidate], decide_over: DecideOver, *, each: bool
) -> tuple[Decision, tuple[ChosenSource, ...]]:
    """A decision over the likeliest sources, with those that it is about.

    Args:
        likely: the candidates, the likeliest first.
        decide_over: decides over sources.
        each: whether each source is asked by itself, for a backend that asks one well and several badly. Then the
            answer stands whose confidence times the probability of its source is greatest; none if it is too small.
    """
    if not likely:
        return Decision(None, warnings=("nothing that is loaded has a name or a relation of this question",)), ()
    if not each:
        decision = decide_over([every.stored for every in likely], [every.source for every in likely])
        return decision, _chosen(likely)
    best, used, weight = None, likely[0], 0.0
    for candidate in likely:
        if candidate.probability < max(weight, LEAST):
            break  # no answer of the others can weigh more, or enough
        decision = decide_over([candidate.stored], [candidate.source])
        if best is None or _weight(decision, candidate) > weight:
            best, used, weight = decision, candidate, _weight(decision, candidate)
    if best is None or (best.chosen is not None and weight < LEAST):
        return _unsure(likely), ()
    return best, _chosen([used])


def _unsure(likely: Sequence[SourceCandidate]) -> Decision:
    """The refusal of a question that may be about many sources, or about something else."""
    names = ", ".join(f"'{each.source}' ({each.probability:.0%})" for each in likely[:3])
    reason = f"it is not sure enough which source is asked about; the likeliest: {names}"
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
    return f"Asked of {names}, chosen among {ready:,} sources by the words of the question ({sure}{instead})."


def _weight(decision: Decision, candidate: SourceCandidate) -> float:
    if decision.chosen is None:
        return 0.0
    return candidate.probability * (UNKNOWN if decision.confidence is None else decision.confidence)


def _chosen(candidates: Sequence[SourceCandidate]) -> tuple[ChosenSource, ...]:
    return tuple(ChosenSource(each.source, each.probability) for each in candidates)
