"""What a question gives over a table in memory, without a database."""

from __future__ import annotations

from cgstore.llm.backends.compose.denotations import Denotation
from cgstore.llm.backends.compose.joint import both_asked, with_others
from cgstore.llm.backends.compose.ranking import shipped_model
from cgstore.llm.backends.compose.spelling import spelt_right
from cgstore.llm.backends.compose.table import Table
from cgstore.llm.backends.compose.understanding import (
    CERTAIN,
    Understanding,
    candidates,
    faults,
    understand,
    yes_or_no,
)


def understood(question: str, table: Table) -> Understanding | str:
    """What is understood of a question, or why there is no answer."""
    right = spelt_right(question, [table])
    question = right.question if right else question
    judged = both_asked(question, [table], shipped_model()) or yes_or_no(question, [table])
    if judged is None:
        judged = understand(candidates(question, table, shipped_model()), shipped_model())
        assert judged is not None
        judged = with_others(judged)
        if reason := next(faults(judged), ""):
            return reason
    return judged if isinstance(judged, str) or judged.confidence >= CERTAIN else "not sure enough"


def answer(question: str, table: Table) -> Denotation | str:
    """What a question gives in memory, or why nothing."""
    found = understood(question, table)
    return found if isinstance(found, str) else found.best.gives
