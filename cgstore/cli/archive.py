"""`cgstore dump` and `cgstore restore`: a graph as one file, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cgstore.cli.common import Output, connected, printing, sources_option_for
from cgstore.cli.options import FILE, NEW_FILE
from cgstore.text.names import many, some_of

if TYPE_CHECKING:
    from pathlib import Path

    from cgstore.store import Store

_SOURCES = sources_option_for("This source only; may be repeated.")


@click.command()
@click.argument("file", type=NEW_FILE)
@_SOURCES
@printing
@connected
def dump(store: Store, file: Path, sources: Sequence[str]) -> Output:
    """Write all sources, with demonstrations and feedback, to one FILE, which `cgstore restore` reads.

    The file gets its name when it is whole. Vectors are not in it: `cgstore embed` makes them again.

    \b
    Examples:
      cgstore dump backup.cgstore
      cgstore dump films.cgstore --source films
    """
    report = store.dump(file, list(sources) or None, progress=True)
    what = f"{many(len(report.sources), 'source')} ({report.triples:,} condition triples)"
    more = f"{many(report.demonstrations, 'demonstration')}, {report.bytes / 1e6:,.1f} MB"
    return Output(report, [f"Dumped {what} and {more}, to {report.file} in {report.seconds:.1f} s."])


@click.command()
@click.argument("file", type=FILE)
@_SOURCES
@click.option("--replace", is_flag=True, help="Replace sources of the same name with other content.")
@printing
@connected
def restore(store: Store, file: Path, sources: Sequence[str], replace: bool) -> Output:
    """Bring the sources of a FILE of `cgstore dump` back, with its demonstrations and feedback.

    A source that is there with the same content stays. To finish an interrupted restore, give the command again.

    \b
    Examples:
      cgstore restore backup.cgstore
      cgstore restore backup.cgstore --source films --replace
    """
    report = store.restore(file, list(sources) or None, replace=replace, progress=True)
    lines = [
        f"Restored {many(len(report.sources), 'source')} ({report.triples:,} condition triples) and "
        f"{many(report.demonstrations, 'demonstration')} in {report.seconds:.1f} s."
    ]
    if report.unchanged:
        lines.append(f"There with the same content: {some_of(report.unchanged)}.")
    if report.kept:
        lines.append(f"{many(report.kept, 'demonstration')} of the graph stayed (--replace takes the file's).")
    if report.sources:
        lines.append("Names get vectors by: cgstore embed")
    return Output(report, lines)
