"""The errors that reach a user: what is wrong, what to do next, and the exit code of the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

LOAD_FIRST = "Load something first: cgstore load table FILE, or another kind (cgstore load --help)."
"""What to do where nothing is loaded."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""

_SAME_NAME = """
    base base-url batch columns constrain database decimal delimiter encoder encoding explore format host key lang limit
    max-triples method model name now on-error one-head one-tail password prompt-tokens prompts query rejected
    replies sheet step timeout token uri user
"""

ARGUMENTS = {
    **{option: option.replace("-", "_") for option in _SAME_NAME.split()},
    "again": "again=True",
    "llm": "backend",
    "llm-timeout": "timeout",
    "header": "header=True",
    "no-footnotes": "footnotes=False",
    "no-header": "header=False",
    "out": "to",
    "replace": "replace=True",
    "source": "sources",
}
"""The options that messages name, with the arguments of Python that they are."""

_COMMAND = r"`cgstore [^`]*`|\bcgstore (?:embed|query) .*"
_OPTION = re.compile(rf"({_COMMAND})|(?<![\w'-])--({'|'.join(sorted(ARGUMENTS, reverse=True))})(?![\w-])")

_options_are_named = False


@contextmanager
def naming_options() -> Iterator[None]:
    """Has messages name the options of commands inside this context, as the command line wants; see `as_called`."""
    global _options_are_named
    before, _options_are_named = _options_are_named, True
    try:
        yield
    finally:
        _options_are_named = before


def as_called(text: str) -> str:
    """A message in the words of its caller. It is written with options: from Python, it names the arguments."""
    return text if _options_are_named else _OPTION.sub(_argument, text)


def _argument(found: re.Match[str]) -> str:
    command, option = found.groups()
    return str(command) if command else f"`{ARGUMENTS[option]}`"


class CgstoreError(Exception):
    """Base of every expected failure; the command line prints it without a traceback.

    Args:
        message: what is wrong, in one sentence.
        hint: what the user can do next; printed on its own line.

    Both are written with the options of commands, such as `--name`, and name arguments where Python calls.
    """

    exit_code = 2

    def __init__(self, message: str, hint: str | None = None) -> None:
        self.message = as_called(message)
        self.hint = hint and as_called(hint)
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class BadInput(CgstoreError):
    """A file, a program or an option cannot be used (exit code 2)."""


class NoSource(BadInput):
    """There is no source of that name, or a server does not serve it."""


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
