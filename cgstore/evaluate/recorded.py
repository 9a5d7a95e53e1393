"""Recorded replies of an LLM: questions with the programs that it wrote for them.

One JSON object a line, `{"question", "reply"}`; the reply is the LLM's whole text. TrustUQA's authors published such
replies of gpt-3.5-turbo with their code, as demonstrations (train questions of MetaQA, WikiTableQuestions and WebQSP).
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path

from cgstore.errors import BadInput


@dataclass(frozen=True)
class Recorded:
    """One question with the reply to it; `line` is the number of its line in the file, from 1."""

    line: int
    question: str
    reply: str


def read_recorded(path: Path) -> list[Recorded]:
    """The replies of one file, in its order.

    Raises:
        BadInput: there is no such file, or a line is no JSON object with the texts `question` and `reply`.
    """
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")
    with path.open(encoding="utf-8") as lines:
        return [_read_line(line, path.name, number) for number, line in enumerate(lines, 1) if line.strip()]


def _read_line(line: str, name: str, number: int) -> Recorded:
    try:
        record = json.loads(line)
        question, reply = record["question"], record["reply"]
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{name}, line {number}: this is no recorded reply: {error!r}.") from error
    if not isinstance(question, str) or not isinstance(reply, str):
        raise BadInput(f"{name}, line {number}: question and reply are texts.")
    return Recorded(number, question, reply)


def sample(recorded: list[Recorded], limit: int | None, seed: int) -> list[Recorded]:
    """So many of them, drawn at random and in the file's order; all when None."""
    if limit is None or limit >= len(recorded):
        return recorded
    return sorted(random.Random(seed).sample(recorded, limit), key=lambda each: each.line)
