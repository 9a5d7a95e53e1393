"""Demonstrations: questions, each with a program that answers it, shipped for each kind of source or written by users.

A file has one JSON object `{"question", "program", "kind", "source"}` a line. A recorded `reply` of an
LLM may stand in the place of the program; one without a program that can be read is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from cgstore.catalog.kinds import DEMONSTRATED, KG, STATEMENTS, kind_named
from cgstore.errors import BadInput
from cgstore.query.build import numbered
from cgstore.query.parse import parse
from cgstore.query.reply import read_reply
from cgstore.text.json_text import read_json_lines

SHOTS = 8
"""Demonstrations in a prompt (TrustUQA, section 4.1: k = 8)."""

_FORM = '{"question": "...", "program": "...", "kind": "...", "source": "tkg"}'


@dataclass(frozen=True)
class Demonstration:
    """A question, a program of the LLM query language that answers it, and the kind of question in words.

    `source` is the kind of source that they are about, one of `DEMONSTRATED`; empty: any.
    """

    question: str
    program: str
    kind: str = ""
    source: str = ""


def load_demonstrations(paths: Sequence[Path] | None = None) -> list[Demonstration]:
    """The demonstrations in a user's files, then the shipped ones, in the order of the files.

    Raises:
        BadInput: a file cannot be read, or a line is not a demonstration.
    """
    folder = resources.files("cgstore.llm").joinpath("demonstrations")
    shipped = sorted((file for file in folder.iterdir() if file.name.endswith(".jsonl")), key=lambda file: file.name)
    found = read_demonstrations(paths or ())
    for file in shipped:
        found += _read(file, file.name.removesuffix(".jsonl"))
    return found


def read_demonstrations(paths: Sequence[Path]) -> list[Demonstration]:
    """The user's demonstrations, in the order of the files.

    Raises:
        BadInput: a file cannot be read, or a line is not a demonstration.
    """
    return [demonstration for path in paths for demonstration in _read(path, "")]


def source_kinds(kinds: Collection[str]) -> tuple[str, ...]:
    """Returns the kinds of `DEMONSTRATED` whose demonstrations fit these kinds of sources."""
    fit = {demonstrated for kind in kinds for demonstrated in kind_named(kind).demonstrations}
    return tuple(kind for kind in DEMONSTRATED if kind in fit)


def kinds_made(kinds: Collection[str]) -> list[str]:
    """The kinds of demonstrations that questions about sources of these kinds make: of statements, no other graphs."""
    fit = source_kinds(kinds)
    return [kind for kind in fit if kind != KG.name or STATEMENTS.name not in fit]


def _read(file: Path | Traversable, source: str) -> list[Demonstration]:
    """The demonstrations in a file; `source` is the kind of source of those that name none."""

    def demonstration_of(fields: Any, line: int) -> Demonstration | None:
        program = fields["program"] if "program" in fields else _program_of(fields["reply"])
        if not program:
            return None
        texts = fields["question"], program, fields.get("kind", ""), fields.get("source", source)
        if not all(isinstance(text, str) for text in texts) or not texts[0].strip():
            raise ValueError("question, program, kind and source must be texts")
        if texts[3] not in ("", *DEMONSTRATED):
            known = ", ".join(DEMONSTRATED)
            raise ValueError(f"there is no kind of source '{texts[3]}'; leave it out, or give one of {known}")
        return Demonstration(*texts)

    found = read_json_lines(file, "demonstration", _FORM, demonstration_of)
    return [demonstration for demonstration in found if demonstration is not None]


def _program_of(reply: str) -> str:
    """The program in a recorded reply of an LLM, without its steps in words; empty if it cannot be read."""
    try:
        parse(reply, undefined=True)
    except BadInput:
        return ""
    queries, target = read_reply(reply)
    program = numbered(query.text for query in queries)
    return f"{{{target.text}}}\n{program}" if target else program
