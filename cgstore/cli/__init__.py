"""The command line: each command is a thin twin of one Store method. Nothing heavy is imported before it is used."""

from __future__ import annotations

import errno
import logging
import os
import sys
from contextlib import suppress
from pkgutil import resolve_name
from typing import Any, NoReturn

import click

from cgstore.cli.common import Imported, print_error, print_json
from cgstore.errors import INTERRUPTED, CgstoreError, NoRoom, on_command_line, writing_settings
from cgstore.observe.progress import speaking

COMMANDS = {
    "load": "load:load",
    "ask": "query:ask",
    "shell": "shell:shell",
    "right": "feedback:right",
    "wrong": "feedback:wrong",
    "asked": "feedback:asked",
    "query": "query:query",
    "cypher": "query:cypher",
    "convert": "convert:convert_command",
    "map": "query:map",
    "sources": "sources:sources",
    "describe": "sources:describe",
    "check": "check:check",
    "facts": "facts:facts",
    "history": "facts:history",
    "undo": "facts:undo",
    "drop": "sources:drop",
    "upgrade": "sources:upgrade",
    "embed": "sources:embed",
    "demos": "demos:demos",
    "finetune": "groups:finetune",
    "export": "sources:export",
    "dump": "archive:dump",
    "restore": "archive:restore",
    "model": "model:model",
    "server": "server:server",
    "serve": "serve:serve",
    "mcp": "mcp:mcp",
    "eval": "groups:evaluate",
}
"""The commands, in the order of `cgstore --help`, and where in this package each is. A new command is added here."""


WANTS_JSON = "cgstore.json"

_FREE = "Free some space there; temporary files go to another disk with TMPDIR."


class _Commands(click.Group):
    """Prints every expected failure as a message and a hint, with its exit code, and never as a traceback."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[WANTS_JSON] = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with speaking(), writing_settings(on_command_line):
                return super().invoke(ctx)
        except CgstoreError as error:
            _fail(ctx, error)
        except MemoryError:
            _fail(ctx, NoRoom("The memory of this machine ran out.", "Close other programs, or give this one more."))
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise
            what = error.filename or "A file, or standard output,"
            _fail(ctx, NoRoom(f"{what} cannot be written: {error.strerror}.", _FREE))
        except KeyboardInterrupt as error:
            click.echo("\nInterrupted.", err=True)
            for note in getattr(error, "__notes__", ()):
                click.echo(note, err=True)
            ctx.exit(INTERRUPTED)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


def _fail(ctx: click.Context, error: CgstoreError) -> NoReturn:
    """Prints an error and ends the command."""
    if ctx.meta[WANTS_JSON]:
        with suppress(OSError):  # the full disk may be that of standard output
            print_json({"error": error.message, "hint": error.hint})
    print_error(error)
    ctx.exit(error.exit_code)


def _imported(name: str) -> click.Command:
    command: click.Command = resolve_name(f"cgstore.cli.{COMMANDS[name]}")
    return command


@click.group(
    cls=_Commands,
    commands=Imported(lambda: COMMANDS, _imported),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="cgstore")
def main() -> None:
    """Answers with their proof, to questions over tables and knowledge graphs, from a condition graph in Neo4j.

    Without --uri or CGSTORE_NEO4J_URI, cgstore starts its own Neo4j on this machine (`cgstore server`).
    Shells complete commands, options and sources by: source <(_CGSTORE_COMPLETE=bash_source cgstore), or zsh_source.

    \b
    Examples:
      cgstore load tkg facts.tsv               # head, relation, tail, start, end
      cgstore ask "Who was Chancellor of Germany in 1990?"
      cgstore query "get_information(head_entity='Marie Curie', key='time')"
      cgstore sources

    \b
    Exit codes: 0 answered, 1 no answer, or `check` found something,
    2 usage, bad input or no room on the disk, 3 no database, 4 LLM or encoder not available, 130 interrupted.
    """
    if os.environ.get("NO_COLOR"):
        click.get_current_context().color = False
    # The driver logs each attempt that it repeats, also for deadlocks that the next attempt resolves.
    logging.getLogger("neo4j").addHandler(logging.NullHandler())
    # A name may hold a character that the terminal cannot show: it is replaced.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
