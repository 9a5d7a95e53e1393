"""`cgstore sources`, `cgstore drop` and `cgstore upgrade`: what is loaded."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from cgstore.cli.common import connected, json_option, print_json

if TYPE_CHECKING:
    from cgstore.store import Store


@click.command()
@json_option
@connected
def sources(store: Store, as_json: bool) -> None:
    """List what is loaded.

    \b
    Examples:
      cgstore sources
      cgstore sources --json
    """
    found = store.sources()
    if as_json:
        print_json([asdict(source) for source in found])
        return
    if not found:
        click.echo("Nothing is loaded. Load something with: cgstore load tkg FILE")
        return
    width = max(len("source"), *(len(source.name) for source in found))
    click.echo(f"{'source':<{width}}  kind  state    {'facts':>11}  {'triples':>12}  step")
    for s in found:
        click.echo(f"{s.name:<{width}}  {s.kind:<4}  {s.state:<7}  {s.facts:>11,}  {s.triples:>12,}  {s.step or ''}")


@click.command()
@click.argument("source")
@json_option
@connected
def drop(store: Store, source: str, as_json: bool) -> None:
    """Remove a source. Nodes that another source needs stay.

    \b
    Example:
      cgstore drop world
    """
    report = store.drop(source, progress=True)
    if as_json:
        print_json(asdict(report))
        return
    click.echo(f"Dropped '{report.source}': {report.relationships:,} relationships and {report.nodes:,} nodes.")


@click.command()
@json_option
@connected
def upgrade(store: Store, as_json: bool) -> None:
    """Bring a graph that an older version of cgstore has written up to date.

    Labels, relationship types and indexes get their present names; sources, vectors and demonstrations stay. Nothing
    else in the database is touched. What was cut short goes on when the command is given again.

    \b
    Example:
      cgstore upgrade
    """
    report = store.upgrade()
    if as_json:
        print_json(asdict(report))
        return
    if not report.sources and not report.demonstrations:
        click.echo(f"Nothing to upgrade: the graph has layout {report.layout}.")
        return
    click.echo(
        f"Upgraded {report.sources:,} sources and {report.demonstrations:,} demonstrations to layout {report.layout} "
        f"in {report.seconds:.1f} s."
    )
    if report.given_back:
        click.echo(f"{report.given_back:,} nodes that are not cgstore's had been used by it, and no longer are.")
