"""The errors that reach a user: what is wrong, what to do next, and the exit code of the command line."""

from __future__ import annotations


class CgstoreError(Exception):
    """Base of every expected failure; the command line prints it without a traceback.

    Args:
        message: what is wrong, in one sentence.
        hint: what the user can do next; printed on its own line.
    """

    exit_code = 2

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class BadInput(CgstoreError):
    """A file, a program or an option cannot be used (exit code 2)."""


class SourceInTheWay(BadInput):
    """A source of that name has other content, and no process is loading it. The user may drop it."""


class NoDatabase(CgstoreError):
    """No Neo4j answers, it refuses the credentials, or the managed one cannot start (exit code 3)."""

    exit_code = 3


class QueryFailed(CgstoreError):
    """The database stopped a statement: its time or memory ran out (exit code 3)."""

    exit_code = 3


class NoRoom(CgstoreError):
    """The disk is too full for a file, or the memory for the work (exit code 2)."""


class NoModel(CgstoreError):
    """The LLM or the encoder is not available (exit code 4)."""

    exit_code = 4


class RequestRefused(NoModel):
    """The endpoint rejected this request, such as a prompt that is too long; others may succeed (exit code 4)."""
