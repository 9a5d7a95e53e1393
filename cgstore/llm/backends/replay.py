"""Recorded replies of an LLM, and the backend `replay`, which gives them again and needs no LLM.

A file has one JSON object `{"question", "reply"}` a line; `reply` is the LLM's whole text. `"replies": [...]` gives
several, such as the candidates of a beam, the best first. TrustUQA's authors published
such replies of gpt-3.5-turbo with their code, as demonstrations (MetaQA, WikiTableQuestions, WebQSP).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput, setting
from cgstore.llm.backends import MAX_RUN, Attempt, Backend, Decision, Proposal, Run, abstention, first_that_answers
from cgstore.llm.backends.languages import LLM, Language
from cgstore.llm.backends.write import programs_in, vote
from cgstore.llm.graph_view import GraphView
from cgstore.query.external_functions import Evaluator
from cgstore.text.json_text import read_json_lines


@dataclass(frozen=True)
class RecordedReply:
    """A question with the reply to it, and the number of its line in the file, from 1."""

    line: int
    question: str
    reply: str


def read_recorded(path: Path) -> list[RecordedReply]:
    """Reads the replies of a file, in its order.

    Raises:
        BadInput: there is no such file, or a line lacks the text `question`, and `reply` or `replies`.
    """
    if not path.is_file():
        raise BadInput(f"There is no file {path}.")
    lines = read_json_lines(path, "recorded reply", '{"question": "...", "reply": "..."}', _recorded)
    return [reply for replies in lines for reply in replies]


def _recorded(fields: Any, line: int) -> list[RecordedReply]:
    question, replies = fields["question"], fields["replies"] if "replies" in fields else [fields["reply"]]
    if not isinstance(question, str) or not isinstance(replies, list) or not all(isinstance(r, str) for r in replies):
        raise ValueError("`question` and `reply` must be texts, and `replies` a list of texts")
    return [RecordedReply(line, question, reply) for reply in replies]


class ReplayBackend(Backend):
    """Looks up a question among recorded ones.

    If it has several replies, they are run in their order until one answers (`decide`: `first`), or all of them `vote`.

    Raises:
        BadInput: no file is given, a file cannot be read, or a line is not a recorded reply.
    """

    name = "replay"

    def __init__(self, files: Sequence[Path], language: Language = LLM, decide: str = "first") -> None:
        if not files:
            raise BadInput(
                "The backend replay needs recorded replies.", f"Give a file of them by {setting('replies')}."
            )
        self.lang, self._language, self._decide = language.name, language, decide
        self._replies: dict[str, list[str]] = {}
        for recorded in (reply for file in files for reply in read_recorded(file)):
            self._replies.setdefault(_one_spaced(recorded.question), []).append(recorded.reply)

    def decide(self, question: str, graph: GraphView, run: Run) -> Decision:
        """See `Backend.decide`."""
        replies = self._replies.get(_one_spaced(question))
        if replies is None:
            return Decision(None, warnings=("There is no recorded reply to this question.",))

        def run_reply(program: str, evaluate: Evaluator | None = None) -> Attempt:
            return self._language.run_reply(program, run, evaluate)

        if self._decide == "first":
            return first_that_answers((Proposal(reply, "a recorded reply") for reply in replies), run_reply)
        attempts = [run_reply(reply) for reply in replies[:MAX_RUN]]
        won = vote(attempts)
        if won and won.chosen.declined:
            return abstention("The reply", won.chosen.declined, programs_in(attempts))
        because = f"{won.votes} of {won.of} recorded replies agree" if won else ""
        return Decision(won.chosen if won else None, because, tuple(attempts))


def _one_spaced(question: str) -> str:
    """The question with single spaces: questions that differ only in spaces are the same."""
    return " ".join(question.split())
