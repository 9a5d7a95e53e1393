"""`cgstore embed` from the command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.embedding import encoder
from cgstore.embedding.encoder import load_encoder  # imported before tests/conftest.py replaces it
from cgstore.embedding.vectors import drop_indexes
from tests.cli.conftest import Run
from tests.embedding.test_vectors import Trigrams, stop_at


@pytest.fixture
def loaded(run: Run, db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A source of five names, and encoders without weights."""
    monkeypatch.setattr(encoder, "load_encoder", lambda name=None: Trigrams(name or "trigrams"))
    path = tmp_path / "facts.csv"
    path.write_text("Ann,likes,tea\nBob,likes,milk\n", encoding="utf-8")
    assert run("load", "kg", path).exit_code == 0
    yield
    drop_indexes(db)


def test_embed_says_what_it_did_and_that_another_encoder_makes_all_anew(run: Run, loaded: None) -> None:
    result = run("embed")
    assert result.exit_code == 0
    assert result.stdout.startswith("Embedded 5 nodes (5 names) by trigrams in ")
    assert "5 had a vector before" in run("embed", "facts").stdout
    result = run("embed", "--encoder", "other")
    assert result.exit_code == 2
    assert "cgstore embed --again --encoder other" in result.stderr
    report = json.loads(run("embed", "--encoder", "other", "--again", "--json").stdout)
    assert report.pop("seconds") > 0
    assert report == {"encoder": "other", "dimensions": 16, "nodes": 5, "names": 5, "there": 0}


def test_without_the_extra_it_is_exit_code_4_with_how_to_install_it(
    run: Run, loaded: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoder, "load_encoder", load_encoder)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    result = run("embed", "--json")
    assert result.exit_code == 4
    assert "cgstore[embed]" in json.loads(result.stdout)["hint"]


def test_ctrl_c_is_exit_code_130_and_says_how_to_go_on(run: Run, loaded: None, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = Trigrams()
    stopped.before = stop_at(1, KeyboardInterrupt())
    monkeypatch.setattr(encoder, "load_encoder", lambda name=None: stopped)
    result = run("embed")
    assert result.exit_code == 130
    assert "give the command again, and it goes on" in result.stderr
