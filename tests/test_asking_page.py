"""docs/asking.md, docs/logical-forms.md and the tutorials are true: every command gives the output under it.

What varies is masked by the rules below, and by nothing else. A line `...` stands for lines left out.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

import pytest
from click.testing import CliRunner

from cgstore.cli import main
from cgstore.cypher.connection import Database
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "asking.md"
LOGICAL_FORMS = ROOT / "docs" / "logical-forms.md"
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
SERVE = "examples/asking/by_hand.py serve"
ADDRESS = "http://127.0.0.1:8765"
"""Where the page has the endpoint; in the test it is at a free port."""

LEFT_OUT = ("Cypher\n", "Parameters\n", "Time\n")
"""Beginnings of the parts of an answer that the page leaves out: they are long, or another one each time."""

LINK = re.compile(r"\n\nSee it in Neo4j Browser: .*")
"""The line is not there where the server has no HTTP port."""

SECONDS = re.compile(r"\d[\d.,]* s\b")
PROGRESS = re.compile(
    r"^.*\d+%\|.*$|^.*\[\d\d:\d\d, .*$|^Waiting for .*\n|^\S.*: [\d,]+ of [\d,]+ .*\n|^\S.*: \d+%, .*\n|^read: .*\n",
    re.MULTILINE,
)
"""What is written of work that takes long: more or less of it, as the machine is fast."""

EXIT = re.compile(r"# exit code (\d+)$")


@dataclass
class Step:
    """A command line of the page, and what stands under it."""

    line: str
    output: list[str] = field(default_factory=list)


def steps(page: Path = PAGE) -> list[Step]:
    """All of them, in the order of the page."""
    found: list[Step] = []
    for block in re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        of_block: list[Step] = []
        for line in block.splitlines():
            if line.startswith("$ "):
                of_block.append(Step(line.removeprefix("$ ")))
            else:
                of_block[-1].output.append(line)
        found += of_block
    return found


def shown(text: str) -> list[str]:
    """The lines of an output as the page has them."""
    text = SECONDS.sub("N s", LINK.sub("", PROGRESS.sub("", text.replace("\r", "\n"))))
    parts = [part for part in text.strip().split("\n\n") if not part.startswith(LEFT_OUT)]
    return [line.rstrip() for line in "\n\n".join(parts).strip().splitlines()]


class Shell:
    """Runs the page's lines: `cgstore` in this process, `export`, and the script that plays the LLM."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self.folder, self.settings = folder, dict(settings)
        self.process: subprocess.Popen[str] | None = None
        self.address = ADDRESS

    def run(self, line: str) -> tuple[str, int]:
        """What a line prints, and its exit code."""
        line = Template(line).safe_substitute(self.settings)
        program, *arguments = shlex.split(line.removesuffix(" &"), comments=True)
        if program == "export":
            self.settings |= dict(given.replace(ADDRESS, self.address).split("=", 1) for given in arguments)
            return "", 0
        if program == "unset":
            self.settings |= dict.fromkeys(arguments, "")
            return "", 0
        if program == "cgstore":
            result = CliRunner(env=self.settings).invoke(main, arguments)
            return result.output.replace(self.address, ADDRESS), result.exit_code
        assert program == "python", f"not a command that this test knows: {line}"
        if SERVE in line:
            return self._serve(), 0
        command, environment = [sys.executable, *arguments], {**os.environ, **self.settings}
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=True)
        return done.stdout, done.returncode

    def _serve(self) -> str:
        command = [sys.executable, *SERVE.split(), "0"]
        self.process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        said = self.process.stdout.readline()
        match = re.search(r"http://[\d.:]+", said)
        assert match, said
        self.address = match[0]
        return said.replace(self.address, ADDRESS)

    def stop(self) -> None:
        if self.process:
            self.process.kill()
            self.process.communicate()


@pytest.fixture
def shell(
    db: Database, neo4j_settings: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Shell]:
    """A shell in a folder with the examples, on an empty database, with no key and nothing kept."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CGSTORE_HOME", str(tmp_path / "home"))
    for name in [name for name in os.environ if name.startswith(("OPENAI_", "CGSTORE_MODEL", "CGSTORE_PROMPTS"))]:
        monkeypatch.delenv(name)
    shell = Shell(tmp_path, neo4j_settings)
    yield shell
    shell.stop()


def matches(lines: list[str], page: list[str]) -> bool:
    """Whether an output is what a page shows, where `...` stands for any lines."""
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(line) + "\n" for line in page)
    return re.fullmatch(pattern, "".join(line + "\n" for line in lines)) is not None


PAGES = {PAGE: 20, LOGICAL_FORMS: 6, **{page: 0 for page in TUTORIALS if page.name != "index.md"}}
"""The pages, and how many transcripts each has at least."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_transcript_of_a_page_is_what_its_command_gives(shell: Shell, page: Path) -> None:
    assert len(steps(page)) > PAGES[page]
    for step in steps(page):
        output, code = shell.run(step.line)
        assert matches(shown(output), shown("\n".join(step.output))), f"{step.line}\n{output}"
        assert code == (int(match[1]) if (match := EXIT.search(step.line)) else 0), step.line


def test_the_replies_on_the_page_are_those_of_the_examples() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert "written by hand" in text
    assert all(f"examples/asking/{name}" in text for name in ("by_hand.jsonl", "by_hand.py", "replies.jsonl"))
