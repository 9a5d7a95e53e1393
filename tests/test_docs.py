"""The documentation is true: every `$ cgstore` line in it runs, and what is made of the code is up to date."""

from __future__ import annotations

import re
import runpy
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from cgstore.cli import main
from cgstore.cypher.connection import Database

ROOT = Path(__file__).parents[1]
OWN_TEST = {ROOT / "docs" / "asking.md", *(ROOT / "docs" / "tutorials").glob("*.md")}
"""tests/test_asking_page.py runs their commands and compares what they print."""
PAGES = [ROOT / "README.md", *sorted(set((ROOT / "docs").rglob("*.md")) - OWN_TEST)]
EXIT = re.compile(r"# exit code (\d+)")
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def command_lines(page: Path) -> list[str]:
    return re.findall(r"^\$ cgstore (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("page", [p for p in PAGES if command_lines(p)], ids=lambda p: p.name)
def test_every_command_line_in_the_documentation_runs(
    page: Path, db: Database, neo4j_settings: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "facts.csv.gz").symlink_to(_own_facts(tmp_path))
    monkeypatch.chdir(tmp_path)
    runner = CliRunner(env={**neo4j_settings, "OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""})
    for line in command_lines(page):
        expected = int(match[1]) if (match := EXIT.search(line)) else 0
        result = runner.invoke(main, shlex.split(line, comments=True))
        assert result.exit_code == expected, f"{line}\n{result.output}"


def _own_facts(folder: Path) -> Path:
    import gzip

    path = folder / "own.csv.gz"
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.write("head,relation,tail,start,end\nAnn,spouse,Bob,1990,1999\n")
    return path


@pytest.mark.parametrize("page", ["README.md", "docs/python.md", "docs/integrations.md"])
def test_the_python_in_the_documentation_runs(
    page: str,
    db: Database,
    neo4j_settings: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(ROOT)
    for name, value in neo4j_settings.items():
        monkeypatch.setenv(name, value)
    blocks = PYTHON_BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    for block in blocks:
        exec(compile(block, page, "exec"), {})
    assert blocks
    assert "Paul VI" in capsys.readouterr().out


@pytest.mark.parametrize(("script", "made"), [("commands", "commands.md"), ("rooms", "images/rooms.svg")])
def test_what_is_made_of_the_code_is_up_to_date(script: str, made: str) -> None:
    docs = ROOT / "docs"
    text = runpy.run_path(str(docs / ".site" / f"{script}.py"))["made"]()
    assert (docs / made).read_text(encoding="utf-8") == text, "`make docs` writes it anew"
