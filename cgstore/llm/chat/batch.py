"""An LLM that is reached by files: requests are written as OpenAI Batch API files, replies are read hours later.

A folder holds one evaluation. `requests-N.jsonl` are the requests of round N; every other `*.jsonl` file in it is read
for replies, in any order. What has no reply yet raises `NotYet`; once its reply is there, the question is asked again
from its beginning, takes the same steps, since a request is named by the hash of its body, and goes on. So several
rounds (retries, functions, looking first) need no state but the files.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput, CgstoreError
from cgstore.llm.chat import BadReply, Reply, Request, key_of, reply_of
from cgstore.text.json_text import read_json

URL = "/v1/chat/completions"

ID_LENGTH = 40
"""Hexadecimal digits of a request's hash that are its `custom_id`: endpoints take 64 characters."""

MAX_REQUESTS = 50_000
"""Requests in one file, as OpenAI's Batch API takes."""

REQUESTS = "requests-{round}.jsonl"
MISSING = "missing.jsonl"

MAX_PROBLEMS = 20
"""Malformed replies that are told one by one."""


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
    """What lies in the folder: requests that were written, those with a reply, and what is wrong with reply lines."""

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
            f"{self.requests:,} request{'' if self.requests == 1 else 's'}",
            f"{self.replied:,} with a reply",
            f"{self.waiting:,} without",
        ]
        parts += [f"{self.malformed:,} malformed replies"] if self.malformed else []
        parts += [f"{self.strange:,} replies to no request of this folder"] if self.strange else []
        return ", ".join(parts)


@dataclass
class _Read:
    replies: dict[str, Reply] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    malformed: int = 0


class BatchChat:
    """A `Chat` over a folder of request and reply files.

    Args:
        folder: is made if need be.
        model: the LLM that the requests name.

    Raises:
        BadInput: the folder or a file in it cannot be read, or a file of requests is damaged.
    """

    def __init__(self, folder: Path, model: str) -> None:
        self.model = model
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            files = sorted(folder.glob("*.jsonl"))
            asked = [file for file in files if _round_of(file)]
            self._rounds = {_round_of(file): dict(_requests_in(file)) for file in asked}
            self._read = _replies_in(file for file in files if file not in asked and file.name != MISSING)
        except OSError as error:
            raise BadInput(f"The batch folder {folder} cannot be used: {error}") from error
        self._bodies = {id_: body for requests in self._rounds.values() for id_, body in requests.items()}
        self._round = 1 + max(self._rounds, default=0)
        self._written = 0
        self._lock = threading.Lock()

    def complete(self, request: Request) -> Reply:
        """See `Chat.complete`.

        Raises:
            NotYet: there is no reply; the request is now in a file.
        """
        body = request.body(self.model)
        id_ = key_of(body)[:ID_LENGTH]
        if reply := self._read.replies.get(id_):
            return replace(reply, usage=replace(reply.usage, requests=1))
        raise NotYet((request,), self._write(id_, body))

    @property
    def state(self) -> BatchState:
        """What lies in the folder now."""
        replied = sum(id_ in self._read.replies for id_ in self._bodies)
        strange = len(self._read.replies) - replied
        problems = tuple(self._read.problems)
        return BatchState(len(self._bodies), replied, problems, self._read.malformed, strange)

    def write_missing(self) -> Path | None:
        """The requests of earlier rounds that have no reply, as a file of their own; None where there are none.

        Those of a round for which no reply at all was there are left out: it was not sent yet.
        """
        replies = self._read.replies
        sent = [requests for requests in self._rounds.values() if not requests.keys().isdisjoint(replies)]
        missing = {id_: body for requests in sent for id_, body in requests.items() if id_ not in replies}
        file = self._folder / MISSING
        file.unlink(missing_ok=True)
        if not missing:
            return None
        file.write_text("".join(map(_line, missing, missing.values())), encoding="utf-8")
        return file

    def _write(self, id_: str, body: dict[str, Any]) -> Path:
        """Puts a new request into the file of this round; where that is full, into the next."""
        with self._lock:
            if self._written == MAX_REQUESTS:
                self._round, self._written = self._round + 1, 0
            file = self._folder / REQUESTS.format(round=self._round)
            if id_ not in self._bodies:
                self._bodies[id_] = body
                self._written += 1
                with file.open("a", encoding="utf-8") as stream:
                    stream.write(_line(id_, body))
            return file


def _line(id_: str, body: Mapping[str, Any]) -> str:
    line = {"custom_id": id_, "method": "POST", "url": URL, "body": body}
    return json.dumps(line) + "\n"


def _round_of(file: Path) -> int:
    """The round of a file of requests, by its name; 0: it is none."""
    number = file.stem.removeprefix("requests-")
    return int(number) if number != file.stem and number.isdecimal() else 0


def _requests_in(file: Path) -> Iterable[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
        if not line:
            continue
        try:
            fields = read_json(line)
            yield str(fields["custom_id"]), dict(fields["body"])
        except (ValueError, KeyError, TypeError) as error:
            hint = "Remove that line; the request is written again when it is needed."
            raise BadInput(f"{file}, line {number}: this is no request.", hint) from error


def _replies_in(files: Iterable[Path]) -> _Read:
    """The replies of all files by their `custom_id`; of several for one request, the first that can be read."""
    read = _Read()
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
            if not line.strip():
                continue
            try:
                id_, reply = _reply_in(line)
                read.replies.setdefault(id_, reply)
            except BadReply as error:
                read.malformed += 1
                if len(read.problems) < MAX_PROBLEMS:
                    read.problems.append(f"{file.name}, line {number}: {error}.")
    return read


def _reply_in(line: str) -> tuple[str, Reply]:
    """One line of a Batch API output file.

    Raises:
        BadReply: it is none, or tells of an error.
    """
    try:
        fields = read_json(line)
        id_, response = str(fields["custom_id"]), fields.get("response") or {}
        error, status = fields.get("error"), response.get("status_code", 200)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as wrong:
        raise BadReply("this is no line of a Batch API's output") from wrong
    if error or status != 200:
        raise BadReply(f"the request failed ({_reason(error, response, status)})")
    reply = reply_of(response.get("body"))
    return id_, Reply(reply.choices, replace(reply.usage, requests=0))


def _reason(error: Any, response: Mapping[str, Any], status: Any) -> str:
    body = response.get("body")
    said = error or (body.get("error") if isinstance(body, dict) else None) or f"HTTP {status}"
    message = said.get("message", said) if isinstance(said, dict) else said
    return " ".join(str(message).split())[:200]
