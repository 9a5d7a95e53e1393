"""The jar cache: locks, hashes, and a repository that fails in the ways networks do."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from maven_repository import Repository

from cgstore.errors import BadInput, NoDatabase
from cgstore.server import jars
from cgstore.server.jars import Artifact, fetch_jars, parse_lock

A, B = "org/example/a/1/a-1.jar", "org/example/b/2/b-2.jar"
HASH = "0" * 64


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jars, "FIRST_PAUSE", 0.01)


def fetch(folder: Path, repository: Repository, *wanted: Artifact) -> list[Path]:
    return fetch_jars(folder, wanted, base=repository.address, quiet=True)


def files_in(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file() and p.suffix != ".lock")


@pytest.mark.parametrize(
    "line",
    [
        f"{A} sha256:123",
        f"{A} md5:{HASH}",
        f"../{A} sha256:{HASH}",
        f"org/../../{A} sha256:{HASH}",
        f"/{A} sha256:{HASH}",
        f"http://host/{A} sha256:{HASH}",
        f"{A}.txt sha256:{HASH}",
        A,
    ],
)
def test_a_bad_lock_line_is_refused_with_its_number(line: str) -> None:
    with pytest.raises(BadInput, match=r"x\.lock, line 2"):
        parse_lock(f"{B} sha256:{HASH}\n{line}\n", "x.lock")


def test_a_jar_listed_twice_is_refused() -> None:
    with pytest.raises(BadInput, match="twice"):
        parse_lock(f"{A} sha256:{HASH}\n{A} sha256:{HASH}\n", "x.lock")


def test_both_versions_are_locked_and_carry_neo4j_browser() -> None:
    assert jars.versions() == ("5.26.30", "2026.08.1")
    for version, count in (("5.26.30", 214), ("2026.08.1", 226)):
        paths = [artifact.path for artifact in jars.artifacts(version)]
        assert len(paths) == count
        assert any("/neo4j-browser-" in path for path in paths)
        assert any(path.endswith(f"/neo4j-server-{version}.jar") for path in paths)


def test_an_unknown_version_names_the_known_ones() -> None:
    with pytest.raises(BadInput, match=r"4\.4\.0.*\n.*5\.26\.30, 2026\.08\.1"):
        jars.artifacts("4.4.0")


def test_jars_are_fetched_once_and_lie_at_their_maven_path(tmp_path: Path, repository: Repository) -> None:
    wanted = repository.serve(A, b"alpha"), repository.serve(B, b"beta")
    assert fetch(tmp_path, repository, *wanted) == [tmp_path / A, tmp_path / B]
    assert (tmp_path / A).read_bytes() == b"alpha"
    fetch(tmp_path, repository, *wanted)
    assert sorted(repository.asked) == [A, B]


def test_a_busy_repository_is_asked_again(tmp_path: Path, repository: Repository) -> None:
    fetch(tmp_path, repository, repository.serve(A, 503, 429, b"alpha"))
    assert (tmp_path / A).read_bytes() == b"alpha"
    assert len(repository.asked) == 3


def test_a_transfer_that_breaks_off_is_asked_again(tmp_path: Path, repository: Repository) -> None:
    fetch(tmp_path, repository, repository.serve(A, (b"al", 5), b"alpha"))
    assert (tmp_path / A).read_bytes() == b"alpha"


def test_transfers_that_always_break_off_stop_with_the_file_name(tmp_path: Path, repository: Repository) -> None:
    wanted = repository.serve(A, b"alpha", (b"al", 5))
    repository.answers[A].pop(0)
    with pytest.raises(NoDatabase, match=r"a-1\.jar cannot be fetched.*2 of 5 bytes"):
        fetch(tmp_path, repository, wanted)
    assert files_in(tmp_path) == []


def test_wrong_bytes_stop_with_the_file_name_and_are_not_kept(tmp_path: Path, repository: Repository) -> None:
    repository.serve(A, b"a proxy's page")
    with pytest.raises(NoDatabase, match=r"other bytes for a-1\.jar"):
        fetch(tmp_path, repository, Artifact(A, HASH))
    assert files_in(tmp_path) == []
    assert repository.asked == [A]


def test_a_missing_file_is_not_asked_for_again(tmp_path: Path, repository: Repository) -> None:
    with pytest.raises(NoDatabase, match=r"a-1\.jar cannot be fetched.*404"):
        fetch(tmp_path, repository, Artifact(A, HASH))
    assert repository.asked == [A]


def test_a_corrupted_cached_jar_is_fetched_again_and_alone(tmp_path: Path, repository: Repository) -> None:
    wanted = repository.serve(A, b"alpha"), repository.serve(B, b"beta")
    fetch(tmp_path, repository, *wanted)
    (tmp_path / B).write_bytes(b"bet")
    fetch(tmp_path, repository, *wanted)
    assert (tmp_path / B).read_bytes() == b"beta"
    assert repository.asked.count(B) == 2
    assert repository.asked.count(A) == 1


def test_what_a_killed_download_left_is_removed(tmp_path: Path, repository: Repository) -> None:
    leftover = (tmp_path / B).with_suffix(".jar.part")
    leftover.parent.mkdir(parents=True)
    leftover.write_bytes(b"be")
    fetch(tmp_path, repository, repository.serve(A, b"alpha"))
    assert files_in(tmp_path) == [A]


def test_a_complete_cache_needs_no_network_and_no_lock(tmp_path: Path, repository: Repository) -> None:
    wanted = repository.serve(A, b"alpha")
    (tmp_path / A).parent.mkdir(parents=True)
    (tmp_path / A).write_bytes(b"alpha")
    fetch(tmp_path, repository, wanted)
    assert repository.asked == []
    assert [p.name for p in tmp_path.iterdir()] == ["org"]


def test_without_a_network_the_error_says_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound, not listening: connections are refused
        with pytest.raises(NoDatabase) as raised:
            fetch_jars(tmp_path, [Artifact(A, HASH)], base=f"http://127.0.0.1:{unused.getsockname()[1]}", quiet=True)
    for word in ("a-1.jar", "HTTPS_PROXY", "CGSTORE_MAVEN", "CGSTORE_JARS", "CGSTORE_NEO4J_URI"):
        assert word in str(raised.value)
    assert raised.value.exit_code == 3


def test_a_mirror_is_taken_from_the_environment(
    tmp_path: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CGSTORE_MAVEN", repository.address + "/")
    fetch_jars(tmp_path, [repository.serve(A, b"alpha")], quiet=True)
    assert repository.asked == [A]


def test_a_mirror_that_is_no_web_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CGSTORE_MAVEN", "file:///etc")
    with pytest.raises(BadInput, match="CGSTORE_MAVEN"):
        jars.base_address()
