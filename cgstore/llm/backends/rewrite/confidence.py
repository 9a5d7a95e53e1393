"""How likely an answer about a graph is right: a logistic model over a few properties of how its program was found.

The weights are shipped in `confidence.json`, with where they come from; `benchmarks/graph_weights.py` learns them. No
property knows names or words, so that they mean the same over a graph that nobody has seen.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from cgstore.llm.backends import Decision, Proposal
from cgstore.llm.backends.rewrite.proposals import MARGIN
from cgstore.llm.backends.rewrite.unknown import Support, content_words
from cgstore.mapping.mentions import words_of
from cgstore.text.names import some_of

DOUBTED = "Doubtful"
"""How a note begins that calls an answer doubtful."""

_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'")

Properties = dict[str, float]


@dataclass(frozen=True)
class Basis:
    """What an answer rests on, beside the decision itself.

    Args:
        question: as it was understood.
        has_times: whether the sources asked have times.
        proposals: all programs for the question, the best first.
        put_right: words and names of the question that were read as others.
    """

    question: str
    has_times: bool
    proposals: Sequence[Proposal] = ()
    put_right: int = 0


@dataclass(frozen=True)
class Trust:
    """The weights of properties, and what is said of them.

    Args:
        weights: by the names of `properties`.
        doubtful: confidence under which a note says what speaks for doubt.
    """

    weights: Mapping[str, float]
    doubtful: float = 0.0

    def confidence(self, found: Properties) -> float:
        """The probability that an answer with these properties is right."""
        return 1 / (1 + math.exp(-sum(self.weights.get(name, 0.0) * value for name, value in found.items())))


@cache
def shipped_trust() -> Trust:
    """The weights that are shipped."""
    stored = json.loads((files("cgstore.llm.backends.rewrite") / "confidence.json").read_text("utf-8"))
    return Trust(stored["weights"], stored["doubtful"])


def properties(decision: Decision, basis: Basis) -> Properties:
    """What the confidence in the chosen answer depends on."""
    assert decision.chosen is not None
    assert decision.chosen.answer is not None
    program = decision.chosen.program
    place = next((n for n, each in enumerate(basis.proposals) if each.program == program), 0)
    used, others = basis.proposals[place], [each for each in basis.proposals if each.program != program]
    margin = min((abs(used.score - each.score) for each in others), default=MARGIN)
    answers = decision.chosen.answer.answer
    return {
        "always": 1.0,
        f"way: {used.way}": 1.0,
        "unlike": min(max(1.0 - used.score, 0.0), 0.5),
        "close to another program": 1.0 - min(margin / MARGIN, 1.0),
        "other programs": math.log(len(basis.proposals)),
        "empty before": math.log(1 + place),
        "words not in the program": min(len(words_left(basis.question, program)), 4) / 2,
        **{f"guessed: {each}": 1.0 for each in used.guesses},
        "put right": min(basis.put_right, 2),
        "answers": math.log(len(answers)) if answers else 0.0,
        "no": float(answers == ("no",)),
        "steps": min(program.count("\n"), 5) / 2,
        "has times": float(basis.has_times),
        "called doubtful": float(any(each.startswith(DOUBTED) for each in decision.warnings)),
    }


def words_left(question: str, program: str) -> set[str]:
    """The words of a question that say something and are in no name of the program."""
    named = Support(word.text.lower() for name in _QUOTED.findall(program) for word in words_of(name))
    return {word for word in content_words(question) if not named.has(word)}


def with_confidence(decision: Decision, basis: Basis, trust: Trust) -> Decision:
    """The decision with the confidence in its answer, and a note where this is doubtful."""
    if decision.chosen is None:
        return decision
    found = properties(decision, basis)
    sure = trust.confidence(found)
    notes = decision.warnings
    if sure < trust.doubtful:
        notes = (*notes, f"{DOUBTED} (confidence {sure:.2f}): {doubt(found, basis, decision, trust)}.")
    because = f"{decision.because} (confidence {sure:.2f})"
    return replace(decision, because=because, warnings=notes, confidence=round(sure, 4))


def doubt(found: Properties, basis: Basis, decision: Decision, trust: Trust) -> str:
    """What lowers the confidence most, in words."""
    assert decision.chosen is not None
    costs = {name: trust.weights.get(name, 0.0) * value for name, value in found.items() if name in _SAID}
    worst = min(costs, key=lambda name: costs[name], default="")
    if not worst or costs[worst] >= 0:
        return "questions that are read in this way are often misread: see the program"
    if worst == "words not in the program":
        words = sorted(words_left(basis.question, decision.chosen.program))
        return f"{_SAID[worst]} {some_of(words)}"
    return _SAID[worst]


_SAID = {
    "unlike": "it is not much like any question that is known",
    "close to another program": "another program fits about as well",
    "other programs": "many programs fit",
    "empty before": "programs that fit better gave nothing",
    "words not in the program": "these words are understood only as a known question has them:",
    "guessed: name": "a name in it may mean something else",
    "guessed: relation": "a relation stands in place of the one in the known question",
    "put right": "words or names in it were read as others",
    "answers": "the answer is long",
    "no": "nothing in the data says so, and they may not be complete",
    "steps": "it takes several steps, of which each may be misread",
    "called doubtful": "see the other notes",
}
"""What is said of a property that lowers the confidence."""
