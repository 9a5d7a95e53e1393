"""An answer's evidence proves it: the program, run on the evidence alone, gives the same answer.

Graphs and programs are chosen as in `test_differential`, by the same environment variables.
"""

from __future__ import annotations

import pytest
from hypothesis import assume

from cgstore.query.parse import ProgramError
from tests.query.graphs import ASKED
from tests.query.interpreter import interpret
from tests.query.interpreter_graph import of_evidence
from tests.query.test_differential import Loaded, elements_of, for_programs, has_rows, loaded, shown_of

__all__ = ["loaded"]


@pytest.mark.parametrize("sources", ASKED, ids="+".join)
def test_the_evidence_alone_gives_the_answer(loaded: Loaded, sources: tuple[str, ...]) -> None:
    def check(program: str) -> None:
        graph = loaded.whole.asked(sources)
        try:
            answer = loaded.store.query(program, sources, exact=True)
        except ProgramError:
            assume(False)
        assume(not answer.evidence_cut)
        proven = interpret(of_evidence(answer.evidence, graph), program)
        shown = f"graph {loaded.number}, {sources}\n{program}"
        given = shown_of(answer, has_rows(answer))
        assert set(map(repr, elements_of(proven))) == set(map(repr, given)), shown

    for_programs(loaded, sources, 3, check)
