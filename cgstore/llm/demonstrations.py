"""Demonstrations: questions, each with a program that answers it; ours for temporal graphs, and the user's own.

A file has one JSON object a line: `{"question": ..., "program": ..., "kind": ...}`. The program's entities and times
stand in the question as they stand in the program, so that a backend can put others in their places.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from cgstore.errors import BadInput

FOLDER = "demonstrations"
"""Folder of the shipped files, in this package; one file a kind of source."""

_FORM = '{"question": "...", "program": "...", "kind": "..."}'


@dataclass(frozen=True)
class Demonstration:
    """A question, a program of the LLM query language that answers it, and the kind of question, in words."""

    question: str
    program: str
    kind: str = ""


def load_demonstrations(paths: Sequence[Path] | None = None) -> list[Demonstration]:
    """The user's demonstrations, then the shipped ones.

    Raises:
        BadInput: a file cannot be read, or a line is no demonstration; with its number.
    """
    shipped = resources.files("cgstore.llm").joinpath(FOLDER)
    files: list[Path | Traversable] = [*(paths or ())]
    files += sorted((f for f in shipped.iterdir() if f.name.endswith(".jsonl")), key=lambda f: f.name)
    return [demonstration for file in files for demonstration in _read(file)]


def _read(file: Path | Traversable) -> list[Demonstration]:
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The demonstrations {file} cannot be read: {error}") from error
    return [_demonstration(line, f"{file}, line {n}") for n, line in enumerate(lines, 1) if line.strip()]


def _demonstration(line: str, where: str) -> Demonstration:
    try:
        fields = json.loads(line)
        question, program, kind = fields["question"], fields["program"], fields.get("kind", "")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"{where}: this is no demonstration.", f"A line looks like {_FORM}") from error
    if not all(isinstance(text, str) for text in (question, program, kind)) or not question.strip():
        raise BadInput(f"{where}: question, program and kind must be texts.", f"A line looks like {_FORM}")
    return Demonstration(question, program, kind)
