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
"""Confidence of an answer whose backend knows none, such as an LLM's."""

ASKED = 0.1
"""Least probability of a source that is asked by itself."""

LEAST = 0.2
"""Least weight of an answer: its confidence times the probability of its source, of all that give the same."""

ENOUGH = 0.5
"""Weight of an answer after which no other source is asked, since no answer of theirs can weigh more."""

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
            answer stands whose confidence times the probability of its sources is greatest; none if it is too small.
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
    refusal: tuple[Decision, tuple[ChosenSource, ...]] | None = None
    given: dict[tuple[str, ...], list[tuple[Decision, SourceCandidate]]] = {}
    for candidate in likely:
        if candidate.probability < ASKED or any(_weight(each) >= ENOUGH for each in given.values()):
            break
        decision = decide_over([candidate.stored], [candidate.source])
        if decision.chosen and decision.chosen.answer:
            answer = tuple(sorted(map(str, decision.chosen.answer.answer)))
            given.setdefault(answer, []).append((decision, candidate))
        else:
            refusal = refusal or (decision, _chosen([candidate]))
    best = max(given.values(), key=_weight, default=[])
    if best and _weight(best) >= LEAST:
        return best[0][0], _chosen([candidate for _, candidate in best])
    return refusal if refusal and not given else (_unsure(likely), ())


def _weight(given: Sequence[tuple[Decision, SourceCandidate]]) -> float:
    """How sure an answer is that some sources give, each with its decision."""
    confidences = (UNKNOWN if decision.confidence is None else decision.confidence for decision, _ in given)
    return sum(sure * candidate.probability for sure, (_, candidate) in zip(confidences, given, strict=True))


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


def _chosen(candidates: Sequence[SourceCandidate]) -> tuple[ChosenSource, ...]:
    return tuple(ChosenSource(each.source, each.probability) for each in candidates)
