"""`cgstore embed`: gives names their vectors."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from cgstore.cli.common import connected, json_option, print_json

if TYPE_CHECKING:
    from cgstore.store import Store


@click.command()
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.option(
    "--encoder",
    metavar="NAME",
    help="A sentence-transformers model: its name on the hub, or ./FOLDER.  "
    "[env var: CGSTORE_ENCODER; default: all-MiniLM-L6-v2]",
)
@click.option("--again", is_flag=True, help="Remove all vectors of the graph first: for another encoder.")
@json_option
@connected
def embed(store: Store, sources: tuple[str, ...], encoder: str | None, again: bool, as_json: bool) -> None:
    """Give a vector to each name that lacks one.

    Relations, keys, entities, and values that are words; of all sources where none is named. What was cut short goes on
    when the command is given again.

    \b
    Examples:
      cgstore embed
      cgstore embed films world
      cgstore embed --again --encoder all-mpnet-base-v2
    """
    report = store.embed(sources or None, encoder=encoder, again=again, progress=True)
    if as_json:
        print_json(asdict(report))
        return
    click.echo(
        f"Embedded {report.nodes:,} nodes ({report.names:,} names) by {report.encoder} in {report.seconds:.1f} s; "
        f"{report.there:,} had a vector before."
    )
