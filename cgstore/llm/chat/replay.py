"""Recorded replies of an LLM, and the backend `replay`, which gives them again and needs no LLM.

A file has one JSON object `{"question", "reply"}` a line; `reply` is the LLM's whole text. TrustUQA's authors published
such replies of gpt-3.5-turbo with their code, as demonstrations (MetaQA, WikiTableQuestions, WebQSP).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput
from cgstore.llm.backends import Decision, Proposal, Run, first_that_answers
from cgstore.llm.graph_view import GraphView
from cgstore.text.json_text import read_json_lines


@dataclass(frozen=True)
class RecordedReply:
    """A question with the reply to it, and the number of its line in the file, from 1."""

    line: int
    question: str
    reply: str


def read_recorded(path: Path) -> list[RecordedReply]:
    """The replies in a file, in its order.

    Raises:
        BadInput: there is no such file, or a line lacks the texts `question` and `reply`.
    """
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")
    return read_json_lines(path, "recorded reply", '{"question": "...", "reply": "..."}', _recorded)


def _recorded(fields: Any, line: int) -> RecordedReply:
    question, reply = fields["question"], fields["reply"]
    if not isinstance(question, str) or not isinstance(reply, str):
        raise ValueError("`question` and `reply` must be texts")
    return RecordedReply(line, question, reply)


class ReplayBackend:
    """Looks up a question among recorded ones; if it has several replies, they are run until one answers.

    Args:
        files: of recorded replies.

    Raises:
        BadInput: no file is given, a file cannot be read, or a line is not a recorded reply.
    """

    name = "replay"

    def __init__(self, files: Sequence[Path]) -> None:
        if not files:
            raise BadInput("The backend replay needs recorded replies.", "Give a file of them by --replies.")
        self._replies: dict[str, list[str]] = {}
        for recorded in (reply for file in files for reply in read_recorded(file)):
            self._replies.setdefault(_one_spaced(recorded.question), []).append(recorded.reply)

    def decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        """See `Backend.decide`."""
        replies = self._replies.get(_one_spaced(question))
        if replies is None:
            return Decision(None, warnings=("There is no recorded reply to this question.",))
        return first_that_answers((Proposal(reply, 1.0, "a recorded reply") for reply in replies), run)


def _one_spaced(question: str) -> str:
    """The question with single spaces: questions that differ only in spaces are the same."""
    return " ".join(question.split())
