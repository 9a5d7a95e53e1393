"""Programs run in order until one answers: ChatKBQA's generate-then-retrieve (section 3)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from cgstore.llm.backend import CannotPropose, Decision, Proposal, Run, Tried

MAX_RUN = 20
"""Most programs that are run for one question."""


def first_that_answers(proposals: Iterable[Proposal], run: Run) -> Decision:
    """Runs the proposals as they come; the first one that gives a value decides."""
    tried: list[Tried] = []
    try:
        for proposal in islice(proposals, MAX_RUN):
            tried.append(run(proposal.program))
            if tried[-1].answered:
                return Decision(tried[-1], proposal.because, tuple(tried))
    except CannotPropose as error:
        return Decision(None, tried=tuple(tried), warnings=_said(error))
    return Decision(None, tried=tuple(tried))


def _said(error: CannotPropose) -> tuple[str, ...]:
    return (error.reason, *([f"Closest: {', '.join(error.closest)}."] if error.closest else []), *error.then)
