"""The file of a run, one line a question, written as outcomes come, so that a run that was cut short can resume.

Beside `outcomes.jsonl` is `outcomes.jsonl.settings.json`, which says what was asked, and how. A run only resumes from a
file with the same settings.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.benchmark import Question
from cgstore.evaluate.benchmarks.files import json_object
from cgstore.evaluate.outcome import Outcome
from cgstore.text.names import is_unicode

Settings = dict[str, Any]

SUFFIX = ".settings.json"


class OutcomeList:
    """Receives outcomes and keeps them in memory."""

    path: Path | None = None

    def __init__(self, on_outcome: Callable[[Outcome], object] | None = None) -> None:
        self.outcomes: list[Outcome] = []
        self._on_outcome = on_outcome

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Ends the list."""

    def write(self, outcome: Outcome) -> None:
        """Adds an outcome."""
        self.outcomes.append(outcome)
        if self._on_outcome:
            self._on_outcome(outcome)


class OutcomesFile(OutcomeList):
    """A file that receives outcomes.

    Args:
        path: the file.
        settings: what is asked, and how; see `settings_of`.
        resume: whether to keep the outcomes in the file, so that their questions are not asked again.

    Raises:
        BadInput: the file cannot be written or read, is not a file of outcomes, or has other settings.
    """

    def __init__(self, path: Path, settings: Settings, resume: bool = False) -> None:
        super().__init__()
        self.path = path
        resumes = resume and path.is_file() and path.stat().st_size > 0
        self.outcomes = self._earlier(path, settings) if resumes else []
        try:
            text = "".join(_line(one) for one in self.outcomes)
            if not resumes or path.read_text(encoding="utf-8") != text:  # a line that was cut short is dropped
                path.write_text(text, encoding="utf-8")
            settings_file(path).write_text(json.dumps(settings, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            self._stream = path.open("a", encoding="utf-8")
        except OSError as error:
            raise BadInput(f"{path} cannot be written: {error.strerror or error}.") from error

    def __exit__(self, *error: object) -> None:
        """Closes the file."""
        self._stream.close()

    def write(self, outcome: Outcome) -> None:
        """Adds an outcome and flushes its line."""
        self._stream.write(_line(outcome))
        self._stream.flush()
        super().write(outcome)

    @staticmethod
    def _earlier(path: Path, settings: Settings) -> list[Outcome]:
        known = read_settings(path)
        if known is None:
            raise BadInput(
                f"{path} cannot be resumed: {settings_file(path).name} is missing.", "Leave out --resume to start anew."
            )
        differing = sorted(name for name in known.keys() | settings.keys() if known.get(name) != settings.get(name))
        if differing:
            raise BadInput(
                f"{path} was written with other settings: {', '.join(differing)}.",
                "Give the same options, or another --out.",
            )
        return read_outcomes(path, cut_short=True)


def read_outcomes(path: Path, *, cut_short: bool = False) -> list[Outcome]:
    """Reads the outcomes of a file, in its order.

    Args:
        path: a file that `--out` wrote.
        cut_short: whether to ignore a last line without an end, which a killed run leaves.

    Raises:
        BadInput: the file cannot be read, or a line is not an outcome.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}.") from error
    outcomes = []
    for number, line in enumerate(lines[:-1] if cut_short else lines, 1):
        if line.strip():
            place = f"{path.name}, line {number}"
            try:
                outcomes.append(Outcome.from_json(json_object(line, place)))
            except ValueError as error:
                raise BadInput(f"{place}: not an outcome of cgstore eval: {error}.") from error
    return outcomes


def read_settings(path: Path) -> Settings | None:
    """Reads the settings beside a file of outcomes; None if they are missing.

    Raises:
        BadInput: they cannot be read.
    """
    file = settings_file(path)
    if not file.is_file():
        return None
    try:
        return json_object(file.read_text(encoding="utf-8"), str(file))
    except (OSError, ValueError) as error:
        raise BadInput(f"{file} cannot be read: {error}.") from error


def settings_file(path: Path) -> Path:
    """Returns the file with the settings of a file of outcomes."""
    return path.with_name(path.name + SUFFIX)


def settings_of(benchmark: str, set_name: str, questions: Sequence[Question], others: Mapping[str, Any]) -> Settings:
    """Returns what must agree for a run to resume: a hash of the questions with their gold answers, and all others."""
    drawn = json.dumps([[q.id, q.text, q.gold, q.sources, q.topic] for q in questions])
    digest = hashlib.sha256(drawn.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    plain = {name: _plain(name, value) for name, value in others.items()}
    return {"benchmark": benchmark, "set": set_name, "drawn": len(questions), "questions": digest, **plain}


def _plain(name: str, value: Any) -> Any:
    """A setting as JSON, without secrets."""
    if isinstance(value, dict):
        return {key: _plain(key, each) for key, each in sorted(value.items()) if "key" not in key}
    if isinstance(value, list | tuple):
        return [_plain(name, each) for each in value]
    if name == "base_url" and isinstance(value, str):
        parts = urlsplit(value)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=""))
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value) if isinstance(value, Path) else str(getattr(value, "name", type(value).__name__))


def _line(outcome: Outcome) -> str:
    line = json.dumps(outcome.to_json(), ensure_ascii=False)
    # An LLM may write invalid Unicode; the line then has escapes.
    return (line if is_unicode(line) else json.dumps(outcome.to_json())) + "\n"
