"""The errors that reach a user: what is wrong, what to do next, and the exit code of the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

LOAD_FIRST = "Load something first: cgstore load table FILE, or another kind (cgstore load --help)."
"""What to do where nothing is loaded."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""

_ARGUMENTS = {"all": "every", "llm": "backend", "llm-timeout": "timeout", "out": "to", "source": "sources"}
"""The arguments of Python whose names are not those of the options."""

Writer = Callable[[str, object], str]
"""Writes an option of commands, and perhaps a value, as callers of an interface do."""


def in_python(option: str, value: object = None) -> str:
    """Writes an option as an argument of Python."""
    shown = "" if value is None else repr(str(value) if isinstance(value, str) else value)
    return f"`{_ARGUMENTS.get(option, option.replace('-', '_'))}={shown}`"


def on_command_line(option: str, value: object = None) -> str:
    """Writes an option as commands take it."""
    if isinstance(value, bool):
        return f"--{'' if value else 'no-'}{option}"
    shown = ",".join(map(str, value)) if isinstance(value, list) else value
    return f"--{option}" if value is None else f"--{option} {shown}"


_writer: Writer = in_python


@contextmanager
def writing_settings(writer: Writer) -> Iterator[None]:
    """Has `setting` write for the callers of one interface, in the whole process, until the context ends."""
    global _writer
    before, _writer = _writer, writer
    try:
        yield
    finally:
        _writer = before


def setting(option: str, value: object = None) -> str:
    """An option in a message, as its reader gives it: `--limit 5` to a command, `limit=5` in Python.

    Args:
        option: its name on the command line, without dashes.
        value: what it should be; True or False of an option that is on or off.
    """
    return _writer(option, value)


class CgstoreError(Exception):
    """Base of every expected failure; the command line prints it without a traceback.

    Args:
        message: what is wrong, in one sentence.
        hint: what the user can do next; printed on its own line.

    Both name options by `setting`.
    """

    exit_code = 2

    def __init__(self, message: str, hint: str | None = None) -> None:
        self.message, self.hint = message, hint
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class BadInput(CgstoreError):
    """A file, a program or an option cannot be used (exit code 2)."""


class BadOption(BadInput):
    """An option or an argument is of the wrong type or out of range, or does not go with another one."""


class BadFile(BadInput):
    """A file is not there, or its content cannot be read."""


class NoSuchName(BadInput):
    """A name stands for nothing in the graph: a source, or a name in a program."""


class NoSource(NoSuchName):
    """There is no source of that name, or a server does not serve it."""


class SourceInTheWay(BadInput):
    """A source has this name but other content, and no process is loading it: the user may drop it."""


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


_EXTRAS: dict[str, tuple[type[CgstoreError], str, str]] = {
    "local": (NoDatabase, "A managed Neo4j", " (or name a running Neo4j with CGSTORE_NEO4J_URI)"),
    "small": (NoModel, "The small model", ""),
    "embed": (NoModel, "The encoder", ""),
    "sentence-transformers": (NoModel, "An encoder other than all-MiniLM-L6-v2", ""),
    "finetune": (NoModel, "A model of your own", ""),
    "serve": (BadInput, "The page", ""),
    "mcp": (BadInput, "MCP", ""),
}


def optional(module: str, extra: str) -> Any:
    """A module of an extra, imported now.

    Raises:
        NoDatabase: it is of `local`, and not installed.
        BadInput: it is of `serve` or `mcp`, and not installed.
        NoModel: it is of another extra, and not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        kind, what, otherwise = _EXTRAS[extra]
        raise kind(
            f"{what} needs the package {module.partition('.')[0]}, which is not installed.",
            f"Install it: pip install 'cgstore[{extra}]'{otherwise}",
        ) from error
