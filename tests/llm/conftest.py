"""What the tests of backends share."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.embedding.encoder import Encoder
from cgstore.errors import NoModel
from tests.llm.memory_graph import MemoryGraph
from tests.one_encoder import load_one


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    """MiniLM, loaded once."""
    try:
        return load_one()
    except NoModel as error:
        pytest.skip(str(error))


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for each test, and no settings of whoever runs the tests."""
    monkeypatch.setenv("CGSTORE_HOME", str(tmp_path))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "CGSTORE_MODEL", "CGSTORE_ENCODER"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def graph() -> MemoryGraph:
    return MemoryGraph()
