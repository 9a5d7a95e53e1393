"""`python -m cgstore` runs nothing that stands in the current folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


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
