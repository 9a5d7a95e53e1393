"""A home of its own for each test, a jar cache shared by all, and a Maven repository that misbehaves on request."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from maven_repository import Repository

from cgstore import server
from cgstore.server.home import home_folder, jars_folder

_VARIABLES = ("CGSTORE_HOME", "CGSTORE_JARS", "CGSTORE_MAVEN", "CGSTORE_NEO4J_VERSION")
_SIZES = {"CGSTORE_NEO4J_HEAP": "512m", "CGSTORE_NEO4J_PAGECACHE": "64m"}


@pytest.fixture(scope="session")
def jar_cache() -> Path:
    """Where the real jars are kept between test runs: CGSTORE_JARS, else the user's own cache."""
    return jars_folder(home_folder())


@pytest.fixture(autouse=True)
def clean_environment(jar_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of the developer's shell reaches a test; a proxy is not asked for this machine."""
    for name in (*_VARIABLES, *_SIZES):
        monkeypatch.delenv(name, raising=False)
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "127.0.0.1")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home with an empty jar cache, named by CGSTORE_HOME."""
    monkeypatch.setenv("CGSTORE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(scope="module")
def real_home(tmp_path_factory: pytest.TempPathFactory, jar_cache: Path) -> Iterator[Path]:
    """A home with a blank in its name and the shared jars; whatever runs in it is killed after the module."""
    folder = tmp_path_factory.mktemp("managed") / "my home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CGSTORE_JARS", str(jar_cache))
        yield folder
        for version in server.versions():
            server.stop(version, home=folder, force=True)


@pytest.fixture
def in_real_home(real_home: Path, jar_cache: Path, short_lived: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The module's home, set by the environment as a user would, with a small server."""
    monkeypatch.setenv("CGSTORE_HOME", str(real_home))
    monkeypatch.setenv("CGSTORE_JARS", str(jar_cache))
    for name, value in _SIZES.items():
        monkeypatch.setenv(name, value)
    return real_home


@pytest.fixture
def repository() -> Iterator[Repository]:
    """A running Repository."""
    repository = Repository()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body, length = repository.next_answer(self.path.lstrip("/"))
            self.send_response(status)
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        repository.address = f"http://127.0.0.1:{http.server_address[1]}"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield repository
        http.shutdown()
        thread.join()
