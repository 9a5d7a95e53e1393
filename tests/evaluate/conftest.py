"""The sample's questions, and the benchmark's files where they are."""

from __future__ import annotations

from pathlib import Path

import cron_sample as sample
import pytest
from cron_oracle import Oracle

from cgstore.evaluate.benchmarks import sources
from cgstore.evaluate.benchmarks.cronquestions import CronQuestion, Labels, read_questions

LABELS = Labels(sample.ENTITIES, sample.RELATIONS)
DATA = Path(__file__).parents[2] / ".data"


@pytest.fixture(autouse=True)
def no_cache_of_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is loaded here is not remembered elsewhere."""
    monkeypatch.setattr(sources, "cache_folder", lambda: tmp_path / "cache")


@pytest.fixture
def questions(tmp_path: Path) -> list[CronQuestion]:
    """The sample's questions, one of every kind."""
    return list(read_questions(sample.write(tmp_path), LABELS))


@pytest.fixture
def oracle() -> Oracle:
    """The sample's facts, in names."""
    names = sample.ENTITIES
    return Oracle((names[h], sample.RELATIONS[r], names[t], int(s), int(e)) for h, r, t, s, e in sample.FACTS)


@pytest.fixture
def cronquestions_data() -> Path:
    return _folder("cronquestions")


@pytest.fixture
def cron_like_data() -> Path:
    return _folder("cron_like")


def _folder(name: str) -> Path:
    folder = DATA / name
    if not folder.is_dir():
        pytest.skip(f"the benchmark data .data/{name} is not here")
    return folder
