"""Writes docs/commands.md from the help of the commands: `make docs` runs it, and a test compares the page with it."""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import click

from cgstore.cli import main

PAGE = Path(__file__).parents[1] / "commands.md"

GROUPS = {
    "--uri": "The database",
    "--llm": "The LLM",
    "--exact": "Names",
    "--explain": "What is shown",
    "--header": "Text files",
    "--on-error": "Loads",
    "--data": "Benchmarks",
    "--resume": "Runs",
}
"""Groups of options that several commands share: the first option of each, with the group's title."""

MANY = 3
"""Number of commands from which on an option that is in no group is explained once, for all of them."""

OF_MOST = ("--json", "The database")
"""An option and a group that most commands have, which are named at the top of the page alone."""

LONG = re.compile(r"--[\w-]+")
"""An option's long name."""

Record = tuple[str, str]
"""An option with its help, as click shows both."""


def made() -> str:
    """The page: a section for each command, then the options that commands share."""
    contexts = list(_commands(main, "cgstore"))
    groups, common = _shared(contexts)
    parts = ["# Commands", "`make docs` writes this page from the commands' `--help`."]
    parts.append("Most commands take `--json` and the options of [the database](#the-database).")
    for context in contexts:
        said = [paragraph for paragraph in _help(context.command) if paragraph not in parts]
        parts += [f"## {context.command_path}", *said, *_options(context, groups, common)]
    parts += ["## Options that commands share", _listed(common)]
    for title, records in groups.items():
        parts += [f"### {title}", _listed(records)]
    return "\n\n".join(parts) + "\n"


def _commands(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[click.Context]:
    """A command and those below it."""
    context = click.Context(command, info_name=name, parent=parent)
    yield context
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            yield from _commands(command.commands[below], below, context)


def _records(context: click.Context) -> list[Record]:
    records = [parameter.get_help_record(context) for parameter in context.command.params]
    return [record for record in records if record and record[1]]


def _shared(contexts: list[click.Context]) -> tuple[dict[str, list[Record]], list[Record]]:
    """The groups, of options that exactly the same commands have as the one that GROUPS names; other common options."""
    users: dict[Record, list[str]] = defaultdict(list)
    for context in contexts:
        for record in _records(context):
            users[record].append(context.command_path)
    groups = {}
    for option, title in GROUPS.items():
        commands = max((users[record] for record in users if record[0].split()[0] == option), key=len)
        groups[title] = [record for record in users if users[record] == commands]
    grouped = {record for records in groups.values() for record in records}
    return groups, [record for record in users if record not in grouped and len(users[record]) >= MANY]


def _help(command: click.Command) -> Iterator[str]:
    """The paragraphs of a command's help; those that click does not wrap are code."""
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        lines = paragraph.splitlines()
        if lines[0] != "\b":
            yield paragraph
        elif lines[1].startswith("Example"):
            yield "\n".join(f"  {line}" for line in lines[2:])
        else:
            yield "\n".join(f"    {line}" for line in lines[1:])


def _options(context: click.Context, groups: dict[str, list[Record]], common: list[Record]) -> Iterator[str]:
    """The arguments, the options of a command alone, and those that it shares with others by name."""
    if isinstance(context.command, click.Group):
        return
    arguments = context.command.collect_usage_pieces(context)
    if arguments != ["[OPTIONS]"]:
        yield f"`{' '.join([context.command_path, *arguments])}`"
    records = _records(context)
    taken = {title: shared for title, shared in groups.items() if shared[0] in records}
    elsewhere = {*common, *(record for shared in taken.values() for record in shared)}
    if own := [record for record in records if record not in elsewhere]:
        yield _listed(own)
    names = [LONG.findall(record[0])[0] for record in common if record in records]
    also = [f"`{name}`" for name in names if name not in OF_MOST]
    also += [f"[{title}](#{title.lower().replace(' ', '-')})" for title in taken if title not in OF_MOST]
    if also:
        yield f"Also: {', '.join(also)}."


def _listed(records: list[Record]) -> str:
    """A list of options in Markdown."""
    return "\n".join(
        f"- `{option.replace(' RANGE', '')}`: {' '.join(help.replace('<', '&lt;').split())}" for option, help in records
    )


if __name__ == "__main__":
    PAGE.write_text(made(), encoding="utf-8")
