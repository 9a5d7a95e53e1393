"""An answer's evidence proves it: the program, run on the evidence alone, gives the same answer.

`CGSTORE_DIFFERENTIAL=10000` asks so many programs, other ones at each run.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from cgstore.query.parse import ProgramError
from cgstore.store import Store
from tests.query.graphs import ASKED, WHOLE
from tests.query.interpreter import interpret
from tests.query.interpreter_graph import of_evidence
from tests.query.interpreter_programs import programs
from tests.query.test_differential import rounded, store

__all__ = ["store"]

WANTED = int(os.environ.get("CGSTORE_DIFFERENTIAL", "0"))
EACH = (WANTED or 98) // len(ASKED)
"""How many programs are asked of each combination of sources."""


@pytest.mark.parametrize("sources", ASKED, ids="+".join)
@settings(
    max_examples=EACH,
    derandomize=not WANTED,
    database=None,
    phases=[Phase.generate] if not WANTED else [Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_the_evidence_alone_gives_the_answer(store: Store, sources: tuple[str, ...], data: st.DataObject) -> None:
    asked = WHOLE.asked(sources)
    program = data.draw(programs(asked))
    try:
        answer = store.query(program, sources)
    except ProgramError:
        assume(False)
    assume(not answer.evidence_cut)
    proven = interpret(of_evidence(answer.evidence, asked), program)
    assert {rounded(v) for v in proven.answer} == {rounded(v) for v in answer.answer}, f"{sources}\n{program}"
