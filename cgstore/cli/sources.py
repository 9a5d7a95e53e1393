"""`cgstore sources`, `describe`, `drop`, `upgrade`, `export` and `embed`: what is loaded."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cgstore.catalog.kinds import EXPORT_FORMATS, kind_named
from cgstore.cli.common import (
    Output,
    complete_source,
    connected,
    json_option,
    print_json,
    printing,
    source_argument,
)
from cgstore.errors import LOAD_FIRST
from cgstore.text.names import many
from cgstore.text.tables import table_lines

if TYPE_CHECKING:
    from cgstore.model import Source
    from cgstore.show.description import RelationDescription, SourceDescription
    from cgstore.store import Store

LONGEST_NAME = 50
"""Characters of a name in a description."""


@click.command()
@printing
@connected
def sources(store: Store) -> Output:
    """List what is loaded.

    \b
    Examples:
      cgstore sources
      cgstore sources --json
    """
    found = store.sources()
    return Output(found, source_lines(found))


def source_lines(found: Sequence[Source]) -> list[str]:
    """The sources of a graph as lines for a terminal."""
    if not found:
        return [f"Nothing is loaded. {LOAD_FIRST}"]
    heading = ("source", "kind", "state", "facts", "triples", "step")
    rows = ((s.name, s.kind, s.state, f"{s.facts:,}", f"{s.triples:,}", s.step or "") for s in found)
    return table_lines(heading, rows, right=("facts", "triples"))


@click.command()
@source_argument
@printing
@connected
def describe(store: Store, source: str) -> Output:
    """Say what is in a SOURCE: relations or columns, examples, times, and questions to begin with.

    \b
    Examples:
      cgstore describe world
      cgstore describe world --json
    """
    described = store.describe(source)
    return Output(described, description_lines(described))


def description_lines(source: SourceDescription) -> list[str]:
    """The description of a source as lines for a terminal."""
    lines = [f"{click.style(source.name, bold=True)}: {kind_named(source.kind).phrase}, {source.size}"]
    if source.step:
        lines.append(f"Times from {source.first} to {source.last}, by {source.step}")
    if kind_named(source.kind).has_rows:
        read = "" if source.read == source.rows else f" (values: of {source.read:,} of {source.rows:,} rows)"
        columns = ("column", "is", "different values", "read as", "", "such as")
        lines += ["", f"Columns{read}", *table_lines(columns, _columns(source), right=("different values",))]
    elif source.relations:
        relations = ("relation", "is", "facts", "read as", "", "such as")
        lines += ["", "Relations", *table_lines(relations, map(_relation, source.relations), right=("facts",))]
        if not source.is_cut and sum(each.facts for each in source.relations) < source.facts:
            said = "with their periods" if source.step else "with their qualifiers"
            lines += [f"A head, relation and tail count once here; {said} there are {source.facts:,} facts."]
    if source.qualifiers:
        qualifiers = ("qualifier", "values", "such as")
        rows = ((each.name, f"{each.facts:,}", _fact(each.example)) for each in source.qualifiers)
        lines += ["", "Qualifiers of facts", *table_lines(qualifiers, rows, right=("values",))]
    if source.joins:
        lines += ["", "Values that other sources have too", *(f"  {join}" for join in source.joins)]
    if source.examples:
        lines += ["", "To begin with"]
        for each in source.examples:
            lines += [f"  {each.question}", f"    {each.program}"]
    return lines


def _columns(source: SourceDescription) -> Iterator[tuple[str, ...]]:
    for each in source.relations:
        missing = f"; {each.missing:,} without a value" if each.missing else ""
        such = " | ".join(map(_short, each.values)) + missing
        yield each.name, each.role, f"{each.different:,}", each.kind, _span(each), such


def _relation(each: RelationDescription) -> tuple[str, ...]:
    return each.name, each.role, f"{each.facts:,}", each.kind, _span(each), _fact(each.example)


def _span(each: RelationDescription) -> str:
    return f"{_short(each.least)} to {_short(each.greatest)}" if each.greatest else ""


def _fact(example: Sequence[str]) -> str:
    """A fact with its direction, from the head to the tail."""
    return f"{_short(example[0])} -[{_short(example[1])}]-> {_short(example[2])}" if example else ""


def _short(name: str) -> str:
    """A name on one line."""
    return textwrap.shorten(name, LONGEST_NAME, placeholder=" ...")


@click.command()
@source_argument
@printing
@connected
def drop(store: Store, source: str) -> Output:
    """Remove a source. Nodes that another source needs stay.

    \b
    Example:
      cgstore drop world
    """
    report = store.drop(source, progress=True)
    done = f"Dropped '{report.source}': {report.relationships:,} relationships and {report.nodes:,} nodes."
    return Output(report, [done])


@click.command()
@printing
@connected
def upgrade(store: Store) -> Output:
    """Bring a graph of an older version of cgstore up to date.

    Labels, relationship types and indexes get their present names, and times of temporal sources their present form.
    Sources, vectors and demonstrations stay, and nothing else in the database is touched. To finish an interrupted
    upgrade, give the command again.

    \b
    Example:
      cgstore upgrade
    """
    report = store.upgrade()
    if not report.sources and not report.demonstrations:
        return Output(report, [f"Nothing to upgrade: the graph has layout {report.layout}."])
    done = f"Upgraded {report.sources:,} sources and {report.demonstrations:,} demonstrations to layout {report.layout}"
    lines = [f"{done} in {report.seconds:.1f} s."]
    if report.given_back:
        lines.append(f"{report.given_back:,} nodes that are not cgstore's had been used by it, and no longer are.")
    return Output(report, lines)


@click.command()
@source_argument
@click.option(
    "--format",
    type=click.Choice(EXPORT_FORMATS),
    help="Lines between tabs or commas, JSON Lines, N-Triples or N-Quads.  "
    "[default: by the file's ending; nt for RDF, else tsv]",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="The file; gzipped if it ends with .gz.  [default: standard output]",
)
@json_option
@connected
def export(store: Store, source: str, format: str | None, output: Path | None, as_json: bool) -> None:
    """Write a source to a file that `cgstore load` reads back.

    Facts come out sorted, tables as they were. What a format cannot hold is refused, and no file is left behind.

    \b
    Examples:
      cgstore export films --output films.tsv
      cgstore export dbpedia --format nt --output dbpedia.nt.gz
      cgstore export world | head
    """
    if output is not None and output.is_dir():
        raise click.BadParameter(f"'{output}' is a folder.", param_hint="--output")
    report = store.export(source, output or sys.stdout.buffer, format, progress=True)
    if as_json and not output:
        return  # standard output holds the source
    again = f" Load it again with --step {report.step}." if report.step == "day" else ""
    where = f" to {report.path}" if report.path else ""
    done = f"Exported '{report.source}': {many(report.facts, 'fact')} as {report.lines:,} lines{where}"
    if as_json:
        print_json(asdict(report))
    else:
        click.echo(f"{done} in {report.seconds:.1f} s.{again}", err=output is None)


@click.command()
@click.argument("sources", nargs=-1, metavar="[SOURCE]...", shell_complete=complete_source)
@click.option(
    "--encoder",
    metavar="NAME",
    help="Another encoder: a sentence-transformers model on the hub, ./FOLDER, or openai:MODEL.  "
    "[env var: CGSTORE_ENCODER; default: all-MiniLM-L6-v2]",
)
@click.option("--again", is_flag=True, help="Remove all vectors of the graph first: for another encoder.")
@printing
@connected
def embed(store: Store, sources: tuple[str, ...], encoder: str | None, again: bool) -> Output:
    """Give a vector to each name that lacks one, in the named sources or in all.

    Relations, keys, entities, and values that are words get vectors. To finish an interrupted run, give the command
    again.

    \b
    Examples:
      cgstore embed
      cgstore embed films world
      cgstore embed --again --encoder all-mpnet-base-v2
    """
    report = store.embed(sources or None, encoder=encoder, again=again, progress=True)
    done = f"Embedded {report.nodes:,} nodes ({report.names:,} names) by {report.encoder} in {report.seconds:.1f} s"
    return Output(report, [f"{done}; {report.there:,} had a vector before."])
