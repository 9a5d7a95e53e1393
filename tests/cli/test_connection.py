"""No database, a wrong password, a bad address: exit code 3 or 2, and what to do next."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_no_server_is_exit_code_3(run: Run) -> None:
    result = run("sources", "--uri", "bolt://127.0.0.1:1", "--password", "x")
    assert result.exit_code == 3
    assert "No Neo4j answers at bolt://127.0.0.1:1" in result.stderr
    assert "cgstore server" in result.stderr


def test_a_wrong_password_is_exit_code_3(run: Run) -> None:
    result = run("sources", "--password", "wrong")
    assert result.exit_code == 3
    assert "refuses user" in result.stderr
    assert "wrong" not in result.stderr


@pytest.mark.parametrize("uri", ["http://localhost:7474", "localhost", "bolt://", ":::"])
def test_a_bad_address_is_a_clear_error(run: Run, uri: str) -> None:
    result = run("sources", "--uri", uri, "--password", "x")
    assert result.exit_code in (2, 3)
    assert result.stderr.startswith("Error: ")
    assert "Traceback" not in result.output


def test_a_missing_database_is_exit_code_3(run: Run) -> None:
    result = run("sources", "--database", "nosuch")
    assert (result.exit_code, "nosuch" in result.stderr) == (3, True)


HEAVY = {"neo4j", "torch", "numpy", "pandas", "openai", "sentence_transformers", "lark", "tqdm"}


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("import cgstore.cli; cgstore.cli.main.main(['--help'], standalone_mode=False)", HEAVY),
        ("import cgstore.cli.query, cgstore.web.running", HEAVY | {"rapidfuzz", "cgstore.query.parse"}),
    ],
    ids=["help", "ask by a running server"],
)
def test_what_needs_nothing_heavy_imports_nothing_heavy(code: str, heavy: set[str]) -> None:
    code += f"; import sys; sys.exit(', '.join({heavy} & set(sys.modules)) or 0)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_a_password_without_an_address_is_refused(run: Run) -> None:
    result = run("sources", CGSTORE_NEO4J_URI="", CGSTORE_NEO4J_USER="", CGSTORE_NEO4J_PASSWORD="secret")
    assert result.exit_code == 2
    assert "no address" in result.stderr
    assert "secret" not in result.stderr


# The process


def test_a_module_in_the_current_folder_is_not_imported(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("open('mark', 'w')", encoding="utf-8")
    command = [sys.executable, "-m", "cgstore", "--help"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Usage: cgstore")
    assert not (tmp_path / "mark").exists()


def test_ctrl_c_while_modules_are_imported_is_no_traceback() -> None:
    code = """
import sys

class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupted())
from cgstore.__main__ import run
run()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "\nInterrupted.\n")
