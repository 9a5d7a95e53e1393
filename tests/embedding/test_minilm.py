"""The default encoder: its vectors, and its weights, which are fetched once."""

from __future__ import annotations

import hashlib
import json
import shutil
import socket
import sys
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy
import pytest
from click.testing import CliRunner

from cgstore.cli import main
from cgstore.embedding import minilm
from cgstore.embedding.encoder import Encoder, cosines, load_encoder
from cgstore.errors import NoModel
from cgstore.server import jars
from cgstore.server.jars import Artifact

PYTORCH = [
    [-0.0255406, -0.0090420, -0.0209497, 0.0099825, -0.0066446, 0.0742262],
    [-0.0335198, 0.0556491, -0.0058621, -0.0511925, 0.0029805, 0.0972875],
]
"""The first numbers of two vectors, made by sentence-transformers in double precision."""


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder("all-MiniLM-L6-v2")


@pytest.fixture(scope="module", params=["all-MiniLM-L6-v2", pytest.param("by PyTorch", marks=pytest.mark.train)])
def each(request: pytest.FixtureRequest) -> Encoder:
    """The default encoder, and the same weights in sentence-transformers."""
    if request.param == "by PyTorch":
        from tests.embedding.test_sentence_encoder import minilm as folder

        return load_encoder(folder())
    return load_encoder(request.param)


def test_vectors_are_float32_and_of_unit_length(each: Encoder) -> None:
    vectors = each.encode(["a team", "an award", ""])
    assert vectors.shape == (3, each.dimensions) == (3, 384)
    assert vectors.dtype == numpy.float32
    assert numpy.allclose(numpy.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert each.encode([]).shape == (0, 384)


def test_vectors_are_those_that_pytorch_made_of_the_published_weights(encoder: Encoder) -> None:
    assert encoder.fingerprint.startswith("53aa51172d14")
    vectors = encoder.encode(["Which team did she play for?", "position held"])
    assert numpy.allclose(vectors[:, :6], PYTORCH, rtol=0, atol=1e-6)


def test_texts_of_one_meaning_are_nearer_than_others(encoder: Encoder) -> None:
    team, club, weather = encoder.encode(["Which team did she play for?", "What was her club?", "It may rain."])
    assert team @ club > team @ weather


def test_a_text_has_the_same_vector_beside_any_others_and_with_any_number_of_threads(
    each: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"Which team did player {number} join {'and leave again ' * (number % 7)}?" for number in range(40)]
    among = each.encode(texts)
    for count in (1, 4):
        monkeypatch.setattr(minilm, "_THREADS", count)
        assert each.encode(texts).tobytes() == among.tobytes()
    alone = numpy.vstack([each.encode([text]) for text in texts])
    assert alone.tobytes() == among.tobytes()


def test_equal_vectors_have_equal_cosines() -> None:
    rows = numpy.random.default_rng(1).normal(size=(1, 384)).astype("float32")
    assert len(set(cosines(numpy.repeat(rows, 37, axis=0), rows[0]))) == 1


def test_encoding_prints_nothing(each: Encoder, capfd: pytest.CaptureFixture[str]) -> None:
    each.encode(["a"] * 100)
    assert capfd.readouterr() == ("", "")


def test_without_the_extra_the_hint_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(NoModel, match=r"cgstore\[embed\]"):
        load_encoder("all-MiniLM-L6-v2")


# The weights.


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty home, a jar with a few bytes that is the pinned one, and no network."""
    (tmp_path / "maven" / "org").mkdir(parents=True)
    with zipfile.ZipFile(tmp_path / "maven" / "org" / "a.jar", "w") as jar:
        for name in minilm.FILES:
            jar.writestr(name, f"the bytes of {name}")
    monkeypatch.setattr(minilm, "FILES", {name: _hash(f"the bytes of {name}".encode()) for name in minilm.FILES})
    monkeypatch.setattr(minilm, "JAR", Artifact("org/a.jar", _hash((tmp_path / "maven/org/a.jar").read_bytes())))
    monkeypatch.setattr(jars, "FIRST_PAUSE", 0.01)
    monkeypatch.setenv("CGSTORE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CGSTORE_JARS", raising=False)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound, not listening: connections are refused
        monkeypatch.setenv("CGSTORE_MAVEN", f"http://127.0.0.1:{unused.getsockname()[1]}")
        yield tmp_path / "home"


@pytest.fixture
def served(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a Maven repository that has the jar."""
    folder = home.parent / "maven"
    monkeypatch.setattr(SimpleHTTPRequestHandler, "log_message", lambda *given: None)
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        monkeypatch.setenv("CGSTORE_MAVEN", f"http://127.0.0.1:{http.server_address[1]}")
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield folder
        http.shutdown()
        thread.join()


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _left(home: Path) -> set[str]:
    return {path.name for path in home.rglob("*") if path.is_file()} - {"download.lock"}


def test_weights_are_fetched_once_and_their_jar_is_not_kept(served: Path, home: Path) -> None:
    assert minilm.fetch(quiet=True) == home / "model"
    shutil.rmtree(served)
    assert minilm.fetch(quiet=True) == home / "model"
    assert _left(home) == set(minilm.FILES)


def test_damaged_weights_are_fetched_again(served: Path, home: Path) -> None:
    (minilm.fetch(quiet=True) / minilm.MODEL).write_bytes(b"damaged")
    assert not minilm.is_fetched()
    minilm.fetch(quiet=True)
    assert minilm.is_fetched()


def test_other_bytes_are_not_kept(served: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(minilm.FILES, minilm.TOKENIZER, "0" * 64)
    with pytest.raises(NoModel, match="other bytes"):
        minilm.fetch(quiet=True)
    assert not minilm.is_fetched()
    (served / "org" / "a.jar").write_bytes(b"a proxy's page")
    shutil.rmtree(home / "jars")
    with pytest.raises(NoModel, match="CGSTORE_MAVEN"):
        minilm.fetch(quiet=True)


def test_without_a_network_it_says_what_to_do(home: Path) -> None:
    with pytest.raises(NoModel, match=r"The encoder: a\.jar cannot be fetched(.|\n)*83 MB(.|\n)*CGSTORE_JARS"):
        minilm.fetch(quiet=True)
    assert _left(home) == set()


def test_a_jar_from_elsewhere_is_taken_and_left(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CGSTORE_JARS", str(home.parent / "maven"))
    minilm.fetch(quiet=True)
    assert minilm.is_fetched() and (home.parent / "maven" / "org" / "a.jar").exists()


def test_a_home_that_cannot_be_written_is_no_traceback(home: Path) -> None:
    home.write_text("a file", encoding="utf-8")
    with pytest.raises(NoModel, match="CGSTORE_HOME"):
        minilm.fetch(quiet=True)


def test_the_command_fetches_shows_and_removes(served: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*arguments: str) -> str:
        result = CliRunner().invoke(main, ["model", *arguments])
        assert result.exit_code == 0, result.output
        return result.stdout

    (tmp_path / "own.gguf").write_bytes(b"GGUF")
    monkeypatch.setenv("CGSTORE_BASE_WEIGHTS", str(tmp_path / "own.gguf"))
    assert "encoder  not on this machine" in run("status")
    assert f"The weights of the encoder are in {minilm.weights_folder() / minilm.MODEL}" in run("fetch", "-q")
    assert json.loads(run("status", "--json"))["encoder"] is True
    assert json.loads(run("remove", "--json"))["bytes"] > 0 and not minilm.is_fetched()
