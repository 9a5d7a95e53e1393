"""The managed server for real: jars from the shared cache, a Java process, Bolt and HTTP; 6 to 14 s a start."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner
from neo4j import GraphDatabase

from cgstore import server
from cgstore.cli.server import server as group
from cgstore.errors import NoDatabase
from cgstore.server.process import reserved

pytestmark = pytest.mark.usefixtures("in_real_home")


@pytest.fixture
def running(in_real_home: Path) -> server.ServerInfo:
    """A running server of the default version; quick when one runs already."""
    return server.start(quiet=True)


def run(info: server.ServerInfo, query: str) -> list[list[object]]:
    assert info.uri is not None
    with GraphDatabase.driver(info.uri, auth=(info.user, info.password())) as driver:
        return [list(record.values()) for record in driver.execute_query(query).records]


def status_of(url: str) -> int:
    with urllib.request.urlopen(url, timeout=10) as response:
        return int(response.status)


@pytest.fixture
def taken_ports() -> Iterator[tuple[int, int]]:
    """The pair that a start would choose now, held by this test."""
    with (
        reserved() as pair,
        socket.create_server(("127.0.0.1", pair.bolt)),
        socket.create_server(("127.0.0.1", pair.http)),
    ):
        yield pair.bolt, pair.http


def test_two_starts_at_once_give_one_server_beside_taken_ports(
    in_real_home: Path, taken_ports: tuple[int, int]
) -> None:
    found: list[server.ServerInfo] = []
    starts = [threading.Thread(target=lambda: found.append(server.start(quiet=True))) for _ in range(2)]
    for thread in starts:
        thread.start()
    for thread in starts:
        thread.join()
    first, second = found
    assert first == second
    assert first.running
    assert first.uri is not None
    assert int(first.uri.rpartition(":")[2]) > taken_ports[0]


def test_a_second_start_attaches(running: server.ServerInfo) -> None:
    assert server.start(quiet=True) == running
    assert server.start(running.version, quiet=True) == running
    assert server.status() == running


def test_neo4j_browser_opens(running: server.ServerInfo) -> None:
    assert status_of(f"{running.http}/browser/") == 200
    assert running.browser_url() == f"{running.http}/browser/?connectURL=bolt://neo4j@{str(running.uri)[7:]}"


def test_it_listens_on_loopback_only_in_a_session_of_its_own(running: server.ServerInfo) -> None:
    process = psutil.Process(running.pid)
    listening = {c.laddr.ip for c in process.net_connections() if c.status == psutil.CONN_LISTEN}
    assert listening <= {"127.0.0.1", "::ffff:127.0.0.1"}
    assert os.getsid(process.pid) != os.getsid(0)


def test_the_password_is_neither_on_the_command_line_nor_in_the_logs(running: server.ServerInfo) -> None:
    password = running.password()
    assert password not in " ".join(psutil.Process(running.pid).cmdline())
    assert all(password not in line for line in server.logs(10_000))


def test_the_command_line_shows_it(running: server.ServerInfo) -> None:
    shown = CliRunner().invoke(group, ["status", "--json"], catch_exceptions=False)
    assert list(json.loads(shown.stdout)) == [
        "running", "version", "uri", "http", "user", "password_file", "home", "pid",
    ]  # fmt: skip
    assert json.loads(shown.stdout) == running.as_dict()
    plain = CliRunner().invoke(group, ["status"], catch_exceptions=False).stdout
    assert str(running.browser_url()) in plain
    log = CliRunner().invoke(group, ["logs", "-n", "1"], catch_exceptions=False).stdout
    assert "Started." in log


def test_a_home_serves_another_program(running: server.ServerInfo) -> None:
    script = "from cgstore import server; print(server.start().pid)"
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(other.stdout) == running.pid


def test_after_a_kill_the_next_start_has_the_committed_data(running: server.ServerInfo) -> None:
    run(running, "CREATE (:Kept {n: 1})")
    psutil.Process(running.pid).kill()
    again = server.start(quiet=True)
    assert again.pid != running.pid
    assert run(again, "MATCH (k:Kept) RETURN k.n") == [[1]]


def test_a_stop_is_clean_and_a_second_one_finds_nothing(running: server.ServerInfo) -> None:
    assert server.stop() is True
    assert not psutil.pid_exists(running.pid or 0) or psutil.Process(running.pid).status() == psutil.STATUS_ZOMBIE
    assert next(server.logs(1)).endswith("Stopped.")
    assert server.stop() is False
    assert server.status().running is False


def test_a_start_that_java_refuses_says_why(in_real_home: Path) -> None:
    with pytest.raises(NoDatabase, match=r"did not start: .*(memory|heap)"):
        server.start(heap="900000000g", quiet=True)
    assert not server.status().running


def test_a_start_that_takes_too_long_leaves_nothing_behind(in_real_home: Path) -> None:
    with pytest.raises(NoDatabase, match=r"did not answer within 0\.5 s"):
        server.start(quiet=True, timeout=0.5)
    assert not server.status().running


def test_the_newer_version_runs_with_data_of_its_own(in_real_home: Path) -> None:
    info = server.start("2026.08.1", quiet=True)
    assert run(info, "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions") == [
        [["2026.08.1"]]
    ]
    assert run(info, "MATCH (k:Kept) RETURN count(k)") == [[0]]
    assert status_of(f"{info.http}/browser/") == 200
    assert server.start(quiet=True) == info  # without a version: the one that runs
    assert server.stop() is True


def test_status_without_a_server_succeeds(home: Path) -> None:
    shown = CliRunner().invoke(group, ["status", "--json"], catch_exceptions=False)
    assert shown.exit_code == 0
    assert json.loads(shown.stdout)["running"] is False
    assert not home.exists()
