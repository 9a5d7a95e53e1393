"""An LLM that is reached by files: requests are written as OpenAI Batch API files, replies are read hours later.

A folder holds one evaluation. `requests-N.jsonl` has the requests of round N; every other `*.jsonl` file is read for
replies. A request without a reply raises `NotYet`. Once its reply is there, the question is asked again from the start:
it makes the same requests, which are found by the hash of their bodies, and continues. So several rounds need no state
but the files.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput, CgstoreError
from cgstore.llm.chat import BadReply, Chat, Message, Reply, Request, key_of, reply_of
from cgstore.text.json_text import read_json
from cgstore.text.names import many

URL = "/v1/chat/completions"

ID_LENGTH = 40
"""Hexadecimal digits of a request's hash in its `custom_id`: endpoints accept 64 characters."""

MAX_REQUESTS = 50_000
"""Requests in one file: the limit of OpenAI's Batch API."""

REQUESTS = "requests-{round}.jsonl"
MISSING = "missing.jsonl"

MAX_PROBLEMS = 20
"""Malformed replies that are reported one by one."""


class NotYet(CgstoreError):
    """A request has no reply yet; it is written to a file (exit code 4)."""

    exit_code = 4

    def __init__(self, requests: tuple[Request, ...], file: Path) -> None:
        super().__init__(
            f"The LLM's reply is not there yet; the request is in {file}.",
            f"Put the replies into a .jsonl file in {file.parent}, and give the same command again.",
        )
        self.requests = requests


@dataclass(frozen=True)
class BatchState:
    """The contents of the folder: requests, those with a reply, and problems in reply lines.

    `problems` describes the first of the `malformed` lines; `strange` replies are to no request of the folder.
    """

    requests: int
    replied: int
    problems: tuple[str, ...] = ()
    malformed: int = 0
    strange: int = 0

    @property
    def waiting(self) -> int:
        """Requests without a reply."""
        return self.requests - self.replied

    def __str__(self) -> str:
        parts = [
            many(self.requests, "request"),
            f"{self.replied:,} with a reply",
            f"{self.waiting:,} without",
        ]
        parts += [f"{self.malformed:,} malformed replies"] if self.malformed else []
        parts += [f"{self.strange:,} replies to no request of this folder"] if self.strange else []
        return ", ".join(parts)


class BatchChat(Chat):
    """A `Chat` over a folder of request and reply files, which is created if it does not exist.

    Raises:
        BadInput: the folder or a file in it cannot be read, or a file of requests is damaged.
    """

    def __init__(self, folder: Path, model: str) -> None:
        self.model = model
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            files = sorted(folder.glob("*.jsonl"))
            self._rounds = {_round_of(file): dict(_requests_in(file)) for file in files if _round_of(file)}
            self._replies, self._problems = _replies_in(
                file for file in files if not _round_of(file) and file.name != MISSING
            )
        except OSError as error:
            raise BadInput(f"The batch folder {folder} cannot be used: {error}") from error
        self._replied = _by_last_words(self._rounds, self._replies)
        self._bodies = {id_: body for requests in self._rounds.values() for id_, body in requests.items()}
        self._round = 1 + max(self._rounds, default=0)
        self._written = 0
        self._written_files: list[Path] = []
        self._lock = threading.Lock()

    def complete(self, request: Request) -> Reply:
        """See `Chat.complete`.

        Raises:
            NotYet: there is no reply; the request is now in a file.
        """
        body = request.body(self.model)
        id_ = key_of(body)[:ID_LENGTH]
        if reply := self._replies.get(id_):
            return replace(reply, usage=replace(reply.usage, requests=1))
        raise NotYet((request,), self._write(id_, body))

    def sent_after(self, request: Request) -> Message | None:
        """See `Chat.sent_after`: the message that followed, if that request has a reply."""
        wanted = request.body(self.model)
        for body in reversed(self._replied.get(_last_words(wanted["messages"]), ())):
            *before, last = body["messages"]
            if body | {"messages": before} == wanted and last.get("role") == "user":
                return Message("user", str(last["content"]))
        return None

    @property
    def state(self) -> BatchState:
        """The contents of the folder now."""
        replied = sum(id_ in self._replies for id_ in self._bodies)
        strange, problems = len(self._replies) - replied, tuple(self._problems[:MAX_PROBLEMS])
        return BatchState(len(self._bodies), replied, problems, len(self._problems), strange)

    def sort_requests(self) -> None:
        """Puts the requests that this object wrote into the order of their ids, in which threads did not write them.

        So the same requests make the same file.
        """
        with self._lock:
            for file in self._written_files:
                lines = sorted(file.read_text(encoding="utf-8").splitlines(keepends=True))
                file.write_text("".join(lines), encoding="utf-8")

    def write_missing(self) -> Path | None:
        """Writes the requests that were sent but have no reply to a file of their own; None if there are none.

        A round counts as sent once any of its requests has a reply.
        """
        replies = self._replies
        sent = [requests for requests in self._rounds.values() if not requests.keys().isdisjoint(replies)]
        missing = {id_: body for requests in sent for id_, body in requests.items() if id_ not in replies}
        file = self._folder / MISSING
        file.unlink(missing_ok=True)
        if not missing:
            return None
        file.write_text("".join(map(_line, missing, missing.values())), encoding="utf-8")
        return file

    def _write(self, id_: str, body: dict[str, Any]) -> Path:
        """Appends a new request to the file of this round, or begins the next round if that file is full."""
        with self._lock:
            if self._written == MAX_REQUESTS:
                self._round, self._written = self._round + 1, 0
            file = self._folder / REQUESTS.format(round=self._round)
            if id_ not in self._bodies:
                self._bodies[id_] = body
                self._written += 1
                if file not in self._written_files:
                    self._written_files.append(file)
                with file.open("a", encoding="utf-8") as stream:
                    stream.write(_line(id_, body))
            return file


def _line(id_: str, body: Mapping[str, Any]) -> str:
    return json.dumps({"custom_id": id_, "method": "POST", "url": URL, "body": body}) + "\n"


def _last_words(messages: Sequence[Any]) -> tuple[str, ...]:
    """The last two messages as a key, by which a request is found without comparing all of it."""
    return tuple(str(message) for message in messages[-2:])


def _by_last_words(
    rounds: Mapping[int, Mapping[str, dict[str, Any]]], replied: Container[str]
) -> dict[tuple[str, ...], list[dict[str, Any]]]:
    """The requests with a reply by what stands before their last message, those of the last round last."""
    found: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for number in sorted(rounds):
        for id_, body in rounds[number].items():
            messages = body.get("messages")
            if id_ in replied and isinstance(messages, list) and len(messages) > 2:
                found.setdefault(_last_words(messages[:-1]), []).append(body)
    return found


def _round_of(file: Path) -> int:
    """The round in the name of a file of requests; 0 for other files."""
    number = file.stem.removeprefix("requests-")
    return int(number) if number != file.stem and number.isdecimal() else 0


def _requests_in(file: Path) -> Iterable[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
        if line:
            try:
                fields = read_json(line)
                yield str(fields["custom_id"]), dict(fields["body"])
            except (ValueError, KeyError, TypeError) as error:
                hint = "Remove that line; the request is written again when it is needed."
                raise BadInput(f"{file}, line {number}: not a request.", hint) from error


def _replies_in(files: Iterable[Path]) -> tuple[dict[str, Reply], list[str]]:
    """The replies in all files by their `custom_id`, the first one of each, and what is wrong with others."""
    replies: dict[str, Reply] = {}
    problems: list[str] = []
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
            if not line.strip():
                continue
            try:
                id_, reply = _reply_in(line)
                replies.setdefault(id_, reply)
            except BadReply as error:
                problems.append(f"{file.name}, line {number}: {error}.")
    return replies, problems


def _reply_in(line: str) -> tuple[str, Reply]:
    """The reply in one line of a Batch API output file, with its `custom_id`.

    Raises:
        BadReply: the line is malformed, or reports an error.
    """
    try:
        fields = read_json(line)
        id_, response = str(fields["custom_id"]), fields.get("response") or {}
        error, status = fields.get("error"), response.get("status_code", 200)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as wrong:
        raise BadReply("not a line of a Batch API's output") from wrong
    if error or status != 200:
        raise BadReply(f"the request failed ({_reason(error, response, status)})")
    reply = reply_of(response.get("body"))
    return id_, Reply(reply.choices, replace(reply.usage, requests=0))


def _reason(error: Any, response: Mapping[str, Any], status: Any) -> str:
    body = response.get("body")
    reported = error or (body.get("error") if isinstance(body, dict) else None) or f"HTTP {status}"
    message = reported.get("message", reported) if isinstance(reported, dict) else reported
    return " ".join(str(message).split())[:200]
