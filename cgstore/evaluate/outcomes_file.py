"""The file of a run: a line a question, written as they come, so that a run that was cut short can go on.

Beside `outcomes.jsonl` stands `outcomes.jsonl.settings.json`: what was asked, and how. A run goes on only from a file
with the same settings.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

from cgstore.errors import BadInput
from cgstore.evaluate.asked import Asked
from cgstore.evaluate.benchmarks.benchmark import Question
from cgstore.text.names import is_unicode

Settings = dict[str, Any]

SUFFIX = ".settings.json"


class OutcomesFile:
    """A file that outcomes are written to.

    Args:
        path: of the file.
        settings: what is asked, and how; see `settings_of`.
        resume: whether what is in the file stands, and is not asked again; else it is begun anew.

    Raises:
        BadInput: the file cannot be written or read, is none of such a run's, or is of one with other settings.
    """

    def __init__(self, path: Path, settings: Settings, resume: bool = False) -> None:
        self.path = path
        going_on = resume and path.is_file() and path.stat().st_size > 0
        self.outcomes = self._earlier(settings) if going_on else []
        try:
            text = "".join(_line(one) for one in self.outcomes)
            if not going_on or path.read_text(encoding="utf-8") != text:  # a line that was cut short is dropped
                path.write_text(text, encoding="utf-8")
            settings_file(path).write_text(json.dumps(settings, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            self._stream = path.open("a", encoding="utf-8")
        except OSError as error:
            raise BadInput(f"{path} cannot be written: {error.strerror or error}.") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

    def write(self, asked: Asked) -> None:
        """Adds an outcome; it is on its way to the disk before this returns."""
        self._stream.write(_line(asked))
        self._stream.flush()
        self.outcomes.append(asked)

    def _earlier(self, settings: Settings) -> list[Asked]:
        known = read_settings(self.path)
        if known is None:
            raise BadInput(
                f"{self.path} cannot be gone on with: {settings_file(self.path).name} is missing.",
                "Leave out --resume to begin anew.",
            )
        differing = sorted(name for name in known.keys() | settings.keys() if known.get(name) != settings.get(name))
        if differing:
            raise BadInput(
                f"{self.path} was written with other settings: {', '.join(differing)}.",
                "Give the same options, or another --out.",
            )
        return read_outcomes(self.path, cut_short=True)


def read_outcomes(path: Path, *, cut_short: bool = False) -> list[Asked]:
    """The outcomes of a file, in its order.

    Args:
        path: as `--out` wrote it.
        cut_short: whether a last line without an end, of a run that was killed, is passed over.

    Raises:
        BadInput: the file cannot be read, or a line is no outcome.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}.") from error
    if cut_short:
        lines = lines[:-1]
    outcomes = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                outcomes.append(Asked.from_json(_object(line)))
            except ValueError as error:
                raise BadInput(f"{path.name}, line {number}: this is no outcome of cgstore eval: {error}.") from error
    return outcomes


def _object(line: str) -> dict[str, Any]:
    record = json.loads(line)
    if not isinstance(record, dict):
        raise ValueError("it is no JSON object")
    return record


def read_settings(path: Path) -> Settings | None:
    """The settings beside a file of outcomes; None where they are missing.

    Raises:
        BadInput: they cannot be read.
    """
    file = settings_file(path)
    if not file.is_file():
        return None
    try:
        settings = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{file} cannot be read: {error}.") from error
    if not isinstance(settings, dict):
        raise BadInput(f"{file} holds no settings.")
    return settings


def settings_file(path: Path) -> Path:
    """Where the settings of a file of outcomes are."""
    return path.with_name(path.name + SUFFIX)


def settings_of(benchmark: str, set_name: str, questions: Sequence[Question], **others: Any) -> Settings:
    """What must agree for a run to go on: the questions, by a hash of them with their gold answers, and all others."""
    drawn = json.dumps([[q.id, q.text, q.gold, q.sources, q.topic] for q in questions])
    digest = hashlib.sha256(drawn.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    plain = {name: _plain(name, value) for name, value in others.items()}
    return {"benchmark": benchmark, "set": set_name, "drawn": len(questions), "questions": digest, **plain}


def _plain(name: str, value: Any) -> Any:
    """A setting as JSON, without what may be a secret."""
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


def _line(asked: Asked) -> str:
    line = json.dumps(asked.to_json(), ensure_ascii=False)
    # What an LLM wrote may be no valid Unicode: then the file has its escapes.
    return (line if is_unicode(line) else json.dumps(asked.to_json())) + "\n"
