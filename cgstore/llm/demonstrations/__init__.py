"""Demonstrations: questions, each with a program that answers it; ours for each kind of source, and the user's own.

A file has one JSON object a line: `{"question": ..., "program": ..., "kind": ..., "source": ...}`. In those for
temporal graphs the program's entities and times stand in the question as they stand in the program, so that the backend
`demos` can put others in their places.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.source_kinds import DEMONSTRATED, TKG, kind_named
from cgstore.text.json_text import read_json, reason

FOLDER = "demonstrations"
"""Folder of the shipped files, in this package; one file a kind of source, by its name."""

SHOTS = 8
"""Demonstrations in a prompt (TrustUQA, section 4.1: k = 8)."""

_FORM = '{"question": "...", "program": "...", "kind": "...", "source": "tkg"}'


@dataclass(frozen=True)
class Demonstration:
    """A question, a program of the LLM query language that answers it, and the kind of question, in words.

    `source` is the kind of source that they are about, one of `DEMONSTRATED`; empty: any.
    """

    question: str
    program: str
    kind: str = ""
    source: str = ""


def load_demonstrations(
    paths: Sequence[Path] | None = None, sources: Collection[str] | None = (TKG.name,)
) -> list[Demonstration]:
    """The user's demonstrations, then the shipped ones, in the order of the files.

    Args:
        paths: files of the user's own.
        sources: the kinds of sources that they are to be about; None: all. What is about any kind is always among them.

    Raises:
        BadInput: a file cannot be read, or a line is no demonstration; with its number.
    """
    shipped = resources.files("cgstore.llm").joinpath(FOLDER)
    files: list[tuple[Path | Traversable, str]] = [(path, "") for path in paths or ()]
    names = [f for f in shipped.iterdir() if f.name.endswith(".jsonl")]
    files += [(f, f.name.removesuffix(".jsonl")) for f in sorted(names, key=lambda f: f.name)]
    found = [demonstration for file, source in files for demonstration in _read(file, source)]
    return found if sources is None else [d for d in found if not d.source or d.source in sources]


def read_demonstrations(paths: Sequence[Path]) -> list[Demonstration]:
    """The user's demonstrations, in the order of the files.

    Raises:
        BadInput: a file cannot be read, or a line is no demonstration; with its number.
    """
    return [demonstration for path in paths for demonstration in _read(path, "")]


def source_kinds(kinds: Collection[str]) -> tuple[str, ...]:
    """Of `DEMONSTRATED`, those whose demonstrations fit sources of these kinds."""
    fit = {demonstrated for kind in kinds for demonstrated in kind_named(kind).demonstrations}
    return tuple(kind for kind in DEMONSTRATED if kind in fit)


def _read(file: Path | Traversable, source: str) -> list[Demonstration]:
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The demonstrations {file} cannot be read: {error}") from error
    return [_demonstration(line, f"{file}, line {n}", source) for n, line in enumerate(lines, 1) if line.strip()]


def _demonstration(line: str, where: str, source: str) -> Demonstration:
    try:
        fields = read_json(line)
        texts = fields["question"], fields["program"], fields.get("kind", ""), fields.get("source", source)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"{where}: this is no demonstration{reason(error)}.", f"A line looks like {_FORM}") from error
    if not all(isinstance(text, str) for text in texts) or not texts[0].strip():
        raise BadInput(f"{where}: question, program, kind and source must be texts.", f"A line looks like {_FORM}")
    if texts[3] not in ("", *DEMONSTRATED):
        raise BadInput(
            f"{where}: there is no source '{texts[3]}'.", f"Give one of: {', '.join(DEMONSTRATED)}; or none."
        )
    return Demonstration(*texts)
