"""`cgstore load`: what turns a file into a source."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cgstore.cli.common import connected, json_option, print_json

if TYPE_CHECKING:
    from cgstore.store import Store


@click.group()
def load() -> None:
    """Load a source into the condition graph."""


@load.command()
@click.argument("path", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--name", metavar="SOURCE", help="The source's name.  [default: the file's]")
@click.option(
    "--step",
    type=click.Choice(["year", "month", "day"]),
    help="Length of a time step.  [default: the coarsest that keeps the data apart]",
)
@click.option("--header/--no-header", default=None, help="Does the first line name the columns?  [default: detected]")
@click.option(
    "--on-error",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    help="A bad line: load nothing, or leave it out and write it to the rejected file.",
)
@click.option(
    "--rejected",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where rejected lines go; a new file, or one that a load wrote.  [default: NAME.rejected.tsv]",
)
@click.option(
    "--max-triples", type=click.IntRange(min=1), default=50_000_000, show_default=True, help="Refuse to expand to more."
)
@json_option
@connected
def tkg(store: Store, path: Path, as_json: bool, **options: Any) -> None:
    """Load temporal facts from a TSV or CSV file (also .gz).

    Columns: head, relation, tail, start, end. The end may be missing or empty: the same as the start. Times are whole
    years or ISO dates. An interrupted load goes on when the command is given again; loading the same file under the
    same name again changes nothing.

    \b
    Examples:
      cgstore load tkg examples/world.tsv
      cgstore load tkg events.csv.gz --name events --step day
      cgstore load tkg raw.tsv --on-error skip --rejected raw.rejected.tsv
    """
    report = store.load_tkg(path, progress=True, **options)
    if as_json:
        print_json(report.to_json())
        return
    if report.unchanged:
        click.echo(f"'{report.source}' is loaded already: nothing changed ({report.triples:,} condition triples).")
    else:
        facts = "1 fact" if report.facts == 1 else f"{report.facts:,} facts"
        click.echo(
            f"Loaded '{report.source}': {facts} as {report.triples:,} condition triples "
            f"({report.has:,} HAS, {report.value:,} VALUE) over {report.nodes:,} nodes in {report.seconds:.1f} s."
        )
    for warning in report.warnings:
        click.echo(f"Note: {warning}")
    if report.rejected:
        lines = "1 line was" if report.rejected == 1 else f"{report.rejected:,} lines were"
        click.echo(f"{lines} rejected: {report.rejected_file}")
