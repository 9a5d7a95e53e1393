"""How `cgstore ask` finds and uses a running `cgstore serve`."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("fastapi", reason="needs cgstore[serve]")

from cgstore import connect
from cgstore.cli import main
from cgstore.cli.llm_options import settings_of
from cgstore.cypher.connection import Database
from cgstore.llm import get_backend
from cgstore.store import Store
from cgstore.web.app import create_app
from cgstore.web.running import Running, announced, asked_of, running
from cgstore.web.service import Service
from tests.conftest import ROOT, wipe
from tests.known import CHANCELLOR as QUESTION
from tests.known import Known, teach
from tests.web.browser import served


@contextmanager
def listening() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("cgstore.web.running.home_folder", lambda: tmp_path)
    return tmp_path


def test_only_a_server_with_the_same_settings_and_environment_is_used(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"uri": "bolt://somewhere", "llm": "small", "prompts": Path("here")}
    assert running(settings) is None
    with listening() as address, announced(address, settings) as secret:
        [file] = (home / "serving").iterdir()
        assert file.stat().st_mode & 0o777 == 0o600
        found = running(settings)
        assert found and found.secret == secret
        assert running({**settings, "llm": "openai"}) is None
        monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere")
        assert running(settings) is None
    assert not list((home / "serving").iterdir())


def test_a_file_that_changed_since_is_another_setting(tmp_path: Path) -> None:
    shots = tmp_path / "shots.jsonl"
    shots.write_text("{}", encoding="utf-8")
    before = settings_of({}, {"demonstrations": [shots]})
    shots.write_text("{} ", encoding="utf-8")
    assert settings_of({}, {"demonstrations": [shots]}) != before
    assert settings_of({"llm": "hf:model"}, {})["folder"] != settings_of({"llm": "small"}, {})["folder"]


def test_what_a_killed_server_left_is_removed(home: Path) -> None:
    with announced("http://127.0.0.1:9", {}):
        assert running({}) is None
        assert not list((home / "serving").iterdir())


def test_a_server_that_is_gone_is_no_error() -> None:
    assert asked_of(Running("http://127.0.0.1:9", "secret"), {"question": QUESTION}) is None


def test_another_server_at_the_address_of_a_killed_one_does_not_answer(shared_db: Database) -> None:
    app = create_app(Service(Store(shared_db), lambda explore: Known()), secret="of this one")
    with served(app) as address:
        assert asked_of(Running(address, "of a killed one"), {"question": QUESTION}) is None


def test_ask_prints_the_same_with_and_without_a_server(
    shared_db: Database, neo4j_settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wipe(shared_db)
    for name, value in neo4j_settings.items():
        monkeypatch.setenv(name, value)
    store = connect()  # as the command does, which knows of Neo4j Browser where the ports are the usual ones
    store.load_tkg(ROOT / "examples" / "world.tsv")
    teach(store.db)
    arguments = ["ask", QUESTION]
    settings: dict[str, Any] = settings_of(main.commands["ask"].make_context("ask", arguments[1:]).params, {})
    service = Service(store, lambda explore: get_backend(db=store.db))
    asked: list[str] = []
    ask = Service.ask
    monkeypatch.setattr(Service, "ask", lambda self, body, tell: (asked.append(body.question), ask(self, body, tell)))
    with served(create_app(service)) as address, announced(address, settings):
        by_server = CliRunner().invoke(main, arguments)
        assert asked == [QUESTION]
        alone = CliRunner().invoke(main, [*arguments, "--no-serve"])
        refused = CliRunner().invoke(main, [*arguments, "--source", "nothing"])
    assert asked == [QUESTION, QUESTION]  # the second was the refused one
    assert by_server.output == alone.output and by_server.exit_code == alone.exit_code == 0
    assert refused.exit_code == 2 and "nothing" in refused.output
