"""`cgstore export`: what is loaded, as a file again."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cgstore.cli.common import connected, json_option, print_json

if TYPE_CHECKING:
    from cgstore.export.export import ExportReport
    from cgstore.store import Store

FORMATS = ("tsv", "csv", "jsonl", "nt", "nq", "import")


@click.command()
@click.argument("source")
@click.option(
    "--format",
    type=click.Choice(FORMATS),
    help="Lines between tabs or commas, JSON Lines, N-Triples, N-Quads, or a folder of files for Neo4j's importer.  "
    "[default: by the file's ending; nt for RDF, else tsv]",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="The file; gzipped if it ends with .gz.  [default: standard output]  For import: a new folder.",
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
      cgstore export dbpedia --format import --output files/
    """
    if format == "import":
        _import_files(store, source, output, as_json)
        return
    if output is not None and output.is_dir():
        raise click.BadParameter(f"'{output}' is a folder.", param_hint="--output")
    report = store.export(source, output or sys.stdout.buffer, format, progress=True)
    if as_json:
        if output:
            print_json(asdict(report))
        return
    click.echo(_summary(report), err=output is None)


def _import_files(store: Store, source: str, output: Path | None, as_json: bool) -> None:
    if output is None:
        raise click.UsageError("--format import writes several files: give a new folder with --output.")
    report = store.export_import_files(source, output, progress=True)
    if as_json:
        print_json(asdict(report))
        return
    click.echo(
        f"Wrote '{report.source}' to {report.path}: {report.nodes:,} nodes and {report.relationships:,} relationships "
        f"in {report.seconds:.1f} s. {Path(report.path) / 'README.txt'} says how to import them."
    )


def _summary(report: ExportReport) -> str:
    facts = "1 fact" if report.facts == 1 else f"{report.facts:,} facts"
    again = f" Load it again with --step {report.step}." if report.step == "day" else ""
    where = f" to {report.path}" if report.path else ""
    return f"Exported '{report.source}': {facts} as {report.lines:,} lines{where} in {report.seconds:.1f} s.{again}"
