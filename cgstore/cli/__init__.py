"""The command line: each command is a thin twin of one Store method. Nothing heavy is imported before it is used."""

from __future__ import annotations

import errno
import logging
import os
import sys
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Any, NoReturn

import click

from cgstore.cli.archive import dump, restore
from cgstore.cli.check import check
from cgstore.cli.common import print_json
from cgstore.cli.completion import completion
from cgstore.cli.convert import convert_command
from cgstore.cli.demos import demos
from cgstore.cli.facts import facts, history, undo
from cgstore.cli.feedback import asked, right, wrong
from cgstore.cli.finetune import finetune
from cgstore.cli.load import load
from cgstore.cli.mcp import mcp
from cgstore.cli.model import model
from cgstore.cli.query import ask, cypher, map, query
from cgstore.cli.serve import serve
from cgstore.cli.server import server
from cgstore.cli.shell import shell
from cgstore.cli.sources import describe, drop, embed, export, sources, upgrade
from cgstore.errors import INTERRUPTED, CgstoreError, NoRoom, naming_options
from cgstore.progress import speaking


class _EvalGroup(click.Group):
    """Imports its commands when one is wanted, so that no other command of cgstore waits for the benchmarks."""

    @property
    def commands(self) -> MutableMapping[str, click.Command]:
        from cgstore.cli.eval_commands import COMMANDS

        return COMMANDS

    @commands.setter
    def commands(self, _: MutableMapping[str, click.Command]) -> None:
        """Ignores the empty dictionary that click sets."""


@click.group(name="eval", cls=_EvalGroup)
def evaluate() -> None:
    """Measure answers on a benchmark."""


COMMANDS: tuple[click.Command, ...] = (
    load, ask, shell, right, wrong, asked, query, cypher, convert_command, map, sources, describe, check, facts,
    history, undo, drop, upgrade, embed, demos, finetune, export, dump, restore, model, server, serve, mcp, completion,
    evaluate,
)  # fmt: skip
"""The commands, in the order of `cgstore --help`. A new command is added here."""

WANTS_JSON = "cgstore.json"

_FREE = "Free some space there; temporary files go to another disk with TMPDIR."


class _Commands(click.Group):
    """Prints every expected failure as a message and a hint, with its exit code, and never as a traceback."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[WANTS_JSON] = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with speaking(), naming_options():
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
    click.echo(f"Error: {error.message}", err=True)
    if error.hint:
        click.echo(error.hint, err=True)
    ctx.exit(error.exit_code)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="cgstore")
def main() -> None:
    """Answers with their proof, to questions over tables and knowledge graphs, from a condition graph in Neo4j.

    Without --uri or CGSTORE_NEO4J_URI, cgstore starts its own Neo4j on this machine (`cgstore server`).

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


for _command in COMMANDS:
    main.add_command(_command)
