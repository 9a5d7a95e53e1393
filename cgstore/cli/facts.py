"""`cgstore facts`, `history` and `undo`: changes of what is loaded, fact by fact."""

from __future__ import annotations

import queue
import shlex
import sys
import threading
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any

import click

from cgstore.cli.common import (
    Output,
    connected,
    json_option,
    print_output,
    printing,
    source_argument,
)
from cgstore.cli.options import Decorator, with_options
from cgstore.errors import BadInput
from cgstore.text.names import many
from cgstore.text.tables import table_lines

if TYPE_CHECKING:
    from cgstore.change.changing import Changing
    from cgstore.change.history import ChangeRecord
    from cgstore.change.report import ChangeReport
    from cgstore.store import Store

PARTS = ("head", "relation", "tail", "start", "end")
"""The parts of a fact."""

_dry_run = click.option("--dry-run", is_flag=True, help="Say what would change, and change nothing.")
_every = click.option("--all", "every", is_flag=True, help="All facts that fit; else there must be only one.")
_START = click.option("--start", help="Which one: the start that the fact has.")
_END = click.option("--end", help="Which one: the end that the fact has, or `present`.")
_QUALIFIER = click.option(
    "--qualifier",
    "qualifiers",
    multiple=True,
    metavar="KEY=VALUE",
    help="Which one: a qualifier that the statement has; may be repeated.",
)
_FACT = (
    click.argument("head"),
    click.argument("relation", required=False),
    click.argument("tail", required=False),
)


def command_line() -> str:
    """The command that runs, as the history keeps it."""
    return shlex.join(["cgstore", *sys.argv[1:]])[:1000]


@click.group()
def facts() -> None:
    """Change single facts of a source that is loaded.

    Names are exact. A row of a table is [line_3], its columns are relations. Each command is one change, which
    `cgstore history` lists and `cgstore undo` takes back.
    """


def _operation(name: str, help: str, *options: Decorator) -> Decorator:
    """Makes a command of a function that adds an operation to a change."""

    def made(add: Callable[..., None]) -> Any:
        @printing
        @connected
        def command(store: Store, source: str, dry_run: bool, **given: Any) -> Output:
            change = store.changing(source, command=command_line())
            add(change, **given)
            return change_output(change.commit(dry_run=dry_run), in_full=True)

        return facts.command(name, help=help)(with_options(command, (source_argument, *_FACT, *options, _dry_run)))

    return made


@_operation(
    "remove",
    """Remove a fact: one that was never true. (One that is over gets its end with `close`.)

    \b
    Examples:
      cgstore facts remove staff Ada "works for" Acme
      cgstore facts remove staff Ada "works for" Acme --start 2019
      cgstore facts remove films "[line_12]" --all
      cgstore facts remove ratings Ann rated Alien --qualifier year=2021
    """,
    _START,
    _END,
    _QUALIFIER,
    _every,
)
def _remove(change: Changing, qualifiers: tuple[str, ...], **selection: Any) -> None:
    change.remove(**selection, qualifiers=_pairs(qualifiers))


@_operation(
    "correct",
    """Correct a fact: put another head, relation, tail, start or end in the place of the one that it has.

    \b
    Examples:
      cgstore facts correct staff Ada "works for" Acme --new-start 2018
      cgstore facts correct staff Ada "works for" Acme --start 2019 --new-tail "Acme Ltd"
      cgstore facts correct sales "[line_3]" amount --new-tail 4200
    """,
    _START,
    _END,
    _QUALIFIER,
    *(click.option(f"--new-{part}", help=f"The right {part}.") for part in PARTS),
    click.option(
        "--new-qualifier",
        "new_qualifiers",
        multiple=True,
        metavar="KEY=VALUE",
        help="The right qualifiers, all of them; may be repeated.",
    ),
    _every,
)
def _correct(change: Changing, qualifiers: tuple[str, ...], new_qualifiers: tuple[str, ...], **given: Any) -> None:
    to = {part: given.pop(f"new_{part}") for part in PARTS}
    if new_qualifiers:
        to["qualifiers"] = _pairs(new_qualifiers, "--new-qualifier")
    change.correct(**given, to=to, qualifiers=_pairs(qualifiers))


def _pairs(texts: tuple[str, ...], option: str = "--qualifier") -> dict[str, str]:
    pairs = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key or not value:
            raise click.BadParameter(f"'{text}' is not KEY=VALUE.", param_hint=option)
        pairs[key] = value
    return pairs


@_operation(
    "close",
    """Close a fact that is open: it holds until a time.

    \b
    Examples:
      cgstore facts close staff Ada "works for" Acme --at 2024-03-31
      cgstore facts close staff Ada --at 2024-03-31 --all
    """,
    _START,
    click.option("--at", required=True, metavar="TIME", help="The last time at which it holds."),
    _every,
)
def _close(change: Changing, **selection: Any) -> None:
    change.close(**selection)


@facts.command()
@source_argument
@click.option("--at", metavar="DATE", help="The date.  [default: today in UTC]")
@_dry_run
@printing
@connected
def now(store: Store, source: str, at: str | None, dry_run: bool) -> Output:
    """Have the open facts of a SOURCE hold until today, or until a date.

    An open fact, one without an end, holds until the day on which its source was loaded. This moves that day.

    \b
    Examples:
      cgstore facts now staff
      cgstore facts now staff --at 2024-12-31
    """
    change = store.changing(source, command=command_line())
    change.hold_until(at)
    return change_output(change.commit(dry_run=dry_run))


@facts.command()
@source_argument
@click.argument("file", type=click.File(encoding="utf-8"), default="-")
@click.option("--together", is_flag=True, help="All lines are one change, which is made when the last line was read.")
@_dry_run
@json_option
@connected
def apply(store: Store, source: str, file: IO[str], together: bool, dry_run: bool, as_json: bool) -> None:
    """Change facts by JSON Lines from a FILE or standard input, committed as they come.

    Lines that wait are one change. A line that does not fit ends the command; the changes before it stay. With --json,
    a line is printed for each change.

    \b
    {"head": "Ada", "relation": "works for", "tail": "Acme", "start": "2019"}
    {"op": "upsert", "head": "Ada", "relation": "works for", "tail": "Bolt", "start": "2024-04-01"}
    {"op": "correct", "head": "Ada", "relation": "works for", "start": "2019", "to": {"start": "2018"}}
    {"op": "close", "head": "Bo", "relation": "works for", "at": "2024-03-31"}
    {"op": "remove", "head": "Bo", "relation": "leads", "all": true}
    {"op": "upsert", "row": {"name": "Ada", "salary": "4200"}, "key": ["name"]}

    \b
    Examples:
      cgstore facts apply staff changes.jsonl --together
      tail -f events.jsonl | cgstore facts apply events
    """
    for report in store.apply(source, coming(file), together=together, dry_run=dry_run, command=command_line()):
        print_output(change_output(report), as_json)


def coming(file: IO[str]) -> Iterator[str | None]:
    """The lines of a file as they come; None whenever no line waits."""
    lines: queue.Queue[str | None] = queue.Queue(maxsize=10_000)
    failed: list[BaseException] = []

    def read() -> None:
        try:
            for line in file:
                lines.put(line)
        except (OSError, ValueError) as error:
            failed.append(error)
        lines.put(None)

    threading.Thread(target=read, name="lines", daemon=True).start()
    while True:
        if lines.empty():
            yield None
        line = lines.get()
        if line is None:
            break
        yield line
    if failed:
        raise BadInput(f"The input cannot be read: {failed[0]}", "Is it text in UTF-8?")


def change_output(report: ChangeReport, *, in_full: bool = False) -> Output:
    """What was changed; `in_full`, or if nothing was yet, with the facts."""
    summary, *notes = str(report).splitlines()
    lines = [summary, *(report.listed if in_full or report.dry_run else ()), *notes]
    if report.rejected:
        lines.append(f"{many(report.rejected, 'line')} left out: {report.rejected_file}")
    return Output(report, lines)


@click.command()
@source_argument
@click.argument("number", type=click.IntRange(1), required=False)
@json_option
@connected
def history(store: Store, source: str, number: int | None, as_json: bool) -> None:
    """List the changes of a SOURCE since it was loaded; with the NUMBER of one, all its facts.

    \b
    Examples:
      cgstore history staff
      cgstore history staff 3
      cgstore ask --as-of 2024-03-01 "Who works for Acme?"
    """
    found = store.history(source, number, facts=as_json or number is not None)
    rows = [
        (str(each.number), each.at[:19].replace("T", " "), f"{each.added:,}", f"{each.removed:,}", _what(each))
        for each in found
    ]
    lines = [f"'{source}' was not changed since it was loaded."]
    if number is not None:
        lines = [line for record in found for line in _record_lines(record)]
    elif found:
        heading = ("change", "at (UTC)", "added", "removed", "command")
        lines = table_lines(heading, rows, right=("change", "added", "removed"))
    print_output(Output(found, lines), as_json)


def _what(record: ChangeRecord) -> str:
    undone = f" (undone by {record.undone})" if record.undone else ""
    part = f" (part {record.part:,} of {record.parts:,})" if record.part and (record.parts or 0) > 1 else ""
    return f"{record.command}{part}{undone}"


def _record_lines(record: ChangeRecord) -> Iterator[str]:
    from cgstore.change.stated import shown

    yield f"Change {record.number} at {record.at[:19].replace('T', ' ')} UTC: {_what(record)}"
    if record.now:
        yield f"  Open facts hold until {record.now}, and not {record.now_before}."
    yield from (f"  - {shown(fact)}" for fact in record.facts_removed)
    yield from (f"  + {shown(fact)}" for fact in record.facts_added)


@click.command()
@source_argument
@click.argument("number", type=click.IntRange(1), required=False)
@printing
@connected
def undo(store: Store, source: str, number: int | None) -> Output:
    """Undo a change of a SOURCE: the one of that NUMBER, or the last one. This is a change too.

    \b
    Examples:
      cgstore undo staff
      cgstore undo staff 3
    """
    return change_output(store.undo(source, number, command=command_line()), in_full=True)
