"""Recorded replies of an LLM, and the backend `replay`, which needs none: it gives what was replied before.

One JSON object a line, `{"question", "reply"}`; the reply is the LLM's whole text. TrustUQA's authors published such
replies of gpt-3.5-turbo with their code, as demonstrations (train questions of MetaQA, WikiTableQuestions and WebQSP).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.llm.backend import Decision, Graph, Proposal, Run, first_that_answers
from cgstore.text.json_text import read_json

_HINT = 'A line looks like {"question": "...", "reply": "..."}'


@dataclass(frozen=True)
class RecordedReply:
    """One question with the reply to it; `line` is the number of its line in the file, from 1."""

    line: int
    question: str
    reply: str


def read_recorded(path: Path) -> list[RecordedReply]:
    """The replies of one file, in its order.

    Raises:
        BadInput: there is no such file, or a line is no JSON object with the texts `question` and `reply`.
    """
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")
    try:
        with path.open(encoding="utf-8-sig") as lines:
            return [_read_line(line, path.name, number) for number, line in enumerate(lines, 1) if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The replies {path} cannot be read: {error}") from error


def _read_line(line: str, name: str, number: int) -> RecordedReply:
    try:
        record = read_json(line)
        question, reply = record["question"], record["reply"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput(f"{name}, line {number}: this is no recorded reply: {error!r}.", _HINT) from error
    if not isinstance(question, str) or not isinstance(reply, str):
        raise BadInput(f"{name}, line {number}: question and reply are texts.", _HINT)
    return RecordedReply(number, question, reply)


class ReplayBackend:
    """Looks a question up among recorded ones; several replies to one are run in order until one answers.

    Args:
        files: of recorded replies.

    Raises:
        BadInput: there is none, one cannot be read, or a line is no recorded reply.
    """

    name = "replay"

    def __init__(self, files: Sequence[Path]) -> None:
        if not files:
            raise BadInput("The backend replay needs recorded replies.", "Give a file of them by --replies.")
        self._replies: dict[str, list[str]] = {}
        for file in files:
            for recorded in read_recorded(file):
                self._replies.setdefault(_same(recorded.question), []).append(recorded.reply)

    def decide(self, question: str, graph: Graph, run: Run) -> Decision:
        """See `Backend.decide`."""
        replies = self._replies.get(_same(question))
        if replies is None:
            return Decision(None, warnings=("There is no recorded reply to this question.",))
        return first_that_answers((Proposal(reply, 1.0, "a recorded reply") for reply in replies), run)


def _same(question: str) -> str:
    """Questions that differ in blanks only are one."""
    return " ".join(question.split())
