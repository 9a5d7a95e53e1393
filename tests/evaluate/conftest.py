"""The sample of all benchmarks, and the published files where they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cgstore.evaluate.benchmarks import sources
from tests.conftest import DATA
from tests.evaluate.benchmark_files import write_sample


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What is loaded by a module is remembered in a folder of its own."""
    folder = tmp_path_factory.mktemp("cache") / "cache"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "cache_folder", lambda: folder)
        yield folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with the sample of every benchmark."""
    return write_sample(tmp_path / "data")


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same for a whole module, which does not change it."""
    return write_sample(tmp_path_factory.mktemp("sample") / "data")


@pytest.fixture
def real_data() -> Path:
    """The published files of the benchmarks."""
    if not DATA.is_dir():
        pytest.skip("the benchmark data .data is not here")
    return DATA
