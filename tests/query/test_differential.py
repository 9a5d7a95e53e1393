"""The engine against the second interpreter: the same answer to every program, in the same order.

`CGSTORE_DIFFERENTIAL=10000` compares so many programs, other ones at each run.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from cgstore.cypher.connection import Database
from cgstore.query.parse import ProgramError
from cgstore.store import Store
from tests.conftest import wipe
from tests.query.graphs import ASKED, WHOLE, load
from tests.query.interpreter import interpret
from tests.query.interpreter_programs import programs
from tests.query.interpreter_search import NoMeaning

WANTED = int(os.environ.get("CGSTORE_DIFFERENTIAL", "0"))
EACH = (WANTED or 252) // len(ASKED)
"""How many programs are compared for each combination of sources."""

REFUSED = "refused"

Answers = list[str | float] | str


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    store = Store(shared_db)
    load(store, tmp_path_factory.mktemp("differential"))
    return store


def interpreted(program: str, sources: tuple[str, ...]) -> Answers:
    try:
        return [rounded(value) for value in interpret(WHOLE.asked(sources), program).answer]
    except (NoMeaning, ProgramError):
        return REFUSED


def answered(store: Store, program: str, sources: tuple[str, ...]) -> Answers:
    try:
        return [rounded(value) for value in store.query(program, sources, evidence=False).answer]
    except ProgramError:
        return REFUSED


def rounded(value: str | float) -> str | float:
    """To nine digits: sums are added in another order by the two."""
    return value if isinstance(value, str) else float(f"{value:.9g}")


# Shrinking asks the database again and again: a program that differs is shown as it was found.
@pytest.mark.parametrize("sources", ASKED, ids="+".join)
@settings(
    max_examples=EACH,
    derandomize=not WANTED,
    database=None,
    phases=[Phase.generate] if not WANTED else [Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_the_engine_answers_as_the_interpreter_does(
    store: Store, sources: tuple[str, ...], data: st.DataObject
) -> None:
    program = data.draw(programs(WHOLE.asked(sources)))
    assert answered(store, program, sources) == interpreted(program, sources), f"{sources}\n{program}"
