"""`cgstore load`: what turns an input into a source, or a folder of tables into many."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cgstore.cli.common import connected, json_option, print_json
from cgstore.source_kinds import kind_named
from cgstore.text.kinds import ValueKind

if TYPE_CHECKING:
    from cgstore.model import ColumnReport, Evidence, LoadReport
    from cgstore.store import Store

DATE, TEXT = str(ValueKind.DATE), str(ValueKind.TEXT)

F = TypeVar("F", bound=Callable[..., Any])

_COMMON = (
    click.option("--name", metavar="SOURCE", help="The source's name.  [default: the input's]"),
    click.option(
        "--on-error",
        type=click.Choice(["stop", "skip"]),
        default="stop",
        show_default=True,
        help="A bad line: load nothing, or leave it out and write it to the rejected file.",
    ),
    click.option(
        "--rejected",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Where rejected lines go; a new file, or one that a load wrote.  [default: NAME.rejected.tsv]",
    ),
    click.option("--replace", is_flag=True, help="Swap a source of that name for the new one, in one step."),
    click.option("--dry-run", is_flag=True, help="Count, show some triples, and write nothing."),
    json_option,
)

_paths = click.argument("paths", metavar="PATH...", nargs=-1, required=True)
_header = click.option(
    "--header/--no-header", default=None, help="Does the first line name the columns?  [default: detected]"
)
_delimiter = click.option("--delimiter", help="Between the columns.  [default: detected]")
_decimal = click.option(
    "--decimal",
    type=click.Choice([",", "."]),
    help="Before decimals, where a column leaves it open, as 1.250 does.  [default: by the other columns]",
)
_day_first = click.option(
    "--day-first/--month-first",
    default=None,
    help="Dates such as 3/4/2004, where a column leaves it open.  [default: by the other columns]",
)


def _loader(command: F) -> F:
    """Gives a command the options of every load, a Store as its first argument, and prints the report it returns."""

    @functools.wraps(command)
    def run(store: Store, as_json: bool, **options: Any) -> None:
        _print(command(store, progress=True, **options), as_json)

    decorated: Any = run
    for option in reversed(_COMMON):
        decorated = option(decorated)
    connecting: F = connected(decorated)
    return connecting


@click.group()
def load() -> None:
    """Load a source into the condition graph.

    An interrupted load goes on when the command is given again; loading the same input under the same name again
    changes nothing.
    """


@load.command()
@_paths
@_header
@_delimiter
@click.option("--encoding", help="Of text files.  [default: detected]")
@click.option(
    "--escapes/--no-escapes", default=None, help=r"Decode \n, \p and \\ as WikiTableQuestions has.  [default: detected]"
)
@click.option("--sheet", help="Of a workbook.  [default: all that are visible]")
@click.option("--query", help="For a database: a SELECT statement, or the name of one table.  [default: all tables]")
@_decimal
@_day_first
@_loader
def table(store: Store, paths: tuple[str, ...], **options: Any) -> LoadReport:
    """Load tables: CSV, TSV, XLSX, Parquet, JSON Lines, or a database by its SQLAlchemy URL.

    Each table is a source of its own, named after its file, sheet or id; with --name and several tables, NAME/TABLE.
    A folder is searched for such files.

    \b
    Examples:
      cgstore load table films.csv
      cgstore load table sales.xlsx --sheet 2024 --name sales
      cgstore load table tables/ --name wtq
      cgstore load table sqlite:///shop.db --query "SELECT * FROM orders" --name orders
    """
    return store.load_table(list(paths), **_given(options))


@load.command()
@_paths
@_header
@_delimiter
@click.option("--columns", metavar="H,R,T", help="Places of head, relation and tail, from 1.  [default: 1,2,3]")
@click.option("--clean", is_flag=True, help="Names in N-Triples style: take off brackets, quotes and prefixes.")
@_decimal
@_day_first
@_loader
def kg(store: Store, paths: tuple[str, ...], **options: Any) -> LoadReport:
    """Load triples head, relation, tail from text files (TSV, CSV, pipes; also .gz).

    \b
    Examples:
      cgstore load kg kb.txt
      cgstore load kg yago.tsv.gz --clean --name yago
    """
    options["columns"] = _places(options["columns"])
    return store.load_kg(list(paths), **_given(options))


@load.command()
@_paths
@click.option(
    "--step",
    type=click.Choice(["year", "month", "day"]),
    help="Length of a time step.  [default: the coarsest that keeps the data apart]",
)
@_header
@click.option(
    "--max-triples", type=click.IntRange(min=1), default=50_000_000, show_default=True, help="Refuse to expand to more."
)
@_loader
def tkg(store: Store, paths: tuple[str, ...], **options: Any) -> LoadReport:
    """Load temporal facts from TSV, CSV or JSON Lines files (also .gz).

    Columns, or keys of an object a line: head, relation, tail, start, end. The end may be missing or empty: the same as
    the start. Times are whole years or ISO dates. A folder with entity2id.txt, relation2id.txt and facts of numbers is
    read too.

    \b
    Examples:
      cgstore load tkg examples/world.tsv
      cgstore load tkg events.csv.gz --name events --step day
      cgstore load tkg raw.tsv --on-error skip --rejected raw.rejected.tsv
    """
    return store.load_tkg(list(paths), **_given(options))


@load.command()
@_paths
@_header
@_decimal
@_day_first
@_loader
def statements(store: Store, paths: tuple[str, ...], **options: Any) -> LoadReport:
    """Load facts with qualifiers: lines `s,r,o,key,value,...`, or JSON Lines.

    A JSON line is an object with subject, relation, object and qualifiers.

    \b
    Examples:
      cgstore load statements wd50k/ --name wd50k
      cgstore load statements facts.jsonl
    """
    return store.load_statements(list(paths), **_given(options))


@load.command()
@_paths
@_header
@_delimiter
@_loader
def aliases(store: Store, paths: tuple[str, ...], **options: Any) -> LoadReport:
    """Load other names of what is, or will be, loaded: text files of alias, name (TSV, CSV, pipes; also .gz).

    A name in a question or a program stands first for what it is an alias of. An alias may have several names, and a
    name several aliases. Aliases are no facts: they serve every question, whatever sources are asked.

    \b
    Examples:
      cgstore load aliases examples/aliases.tsv
      cgstore load aliases wikidata.tsv.gz --name wikidata --on-error skip
    """
    return store.load_aliases(list(paths), **_given(options))


@load.command()
@_paths
@click.option("--format", metavar="FORMAT", help="turtle, nt, xml, json-ld, nquads or trig.  [default: by the ending]")
@click.option("--language", default="en", show_default=True, help="Of the labels that name the nodes.")
@click.option("--labels/--no-labels", default=True, show_default=True, help="Do labels name the nodes?")
@_loader
def rdf(store: Store, paths: tuple[str, ...], **options: Any) -> LoadReport:
    """Load RDF: Turtle, N-Triples, RDF/XML, JSON-LD, N-Quads or TriG (also .gz).

    \b
    Examples:
      cgstore load rdf cities.ttl
      cgstore load rdf dump.nt.gz --name dump --language de
    """
    return store.load_rdf(list(paths), **_given(options))


@load.command()
@click.option("--from-uri", required=True, help="The other Neo4j: bolt://, neo4j:// or neo4j+s://")
@click.option("--from-user", default="neo4j", show_default=True, help="Its user.")
@click.option("--from-password", envvar="CGSTORE_FROM_PASSWORD", show_envvar=True, default="", help="Its password.")
@click.option("--from-database", help="Its database.  [default: its own default one]")
@click.option("--label", "labels", multiple=True, help="Only nodes with this label; may be repeated.")
@click.option("--type", "types", multiple=True, help="Only relationships of this type; may be repeated.")
@click.option("--name-property", help="The property that names a node.  [default: name, title, label, id, ...]")
@_loader
def graph(store: Store, **options: Any) -> LoadReport:
    """Load another Neo4j: relationships are facts, their properties qualifiers, node properties keys.

    \b
    Example:
      cgstore load graph --from-uri bolt://localhost:7688 --label Film --label Person --name films
    """
    from cgstore.cypher.connection import Database

    address = [options.pop(f"from_{part}") for part in ("uri", "user", "password", "database")]
    with Database(*address) as origin:
        return store.load_graph(origin, **_given(options))


def _places(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    places = tuple(int(part) for part in text.split(",") if part.strip().isdigit())
    if len(places) != 3 or 0 in places or len(text.split(",")) != 3:
        raise click.BadParameter(f"'{text}' is no three places such as 1,2,3.", param_hint="--columns")
    return places


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """The options without those that were not given."""
    return {name: value for name, value in options.items() if value is not None}


def _print(report: LoadReport, as_json: bool) -> None:
    if as_json:
        print_json(report.to_json())
        return
    for triple in report.sample:
        click.echo(f"  {_shown(report, triple)}")
    click.echo(_summary(report))
    if not report.unchanged:
        for line in _columns(report):
            click.echo(line)
    for warning in report.warnings:
        click.echo(f"Note: {warning}")
    if report.rejected:
        lines = "1 line was" if report.rejected == 1 else f"{report.rejected:,} lines were"
        click.echo(f"{lines} rejected: {report.rejected_file}")


MOST_LINES = 40
"""Columns that are shown a line each."""


def _columns(report: LoadReport) -> Iterator[str]:
    """How the columns were read: a line each, or where there are too many those that need a look."""
    columns, what = list(report.columns), kind_named(report.kind).relations_noun
    if len(columns) > MOST_LINES:
        kinds = Counter(column.kind for column in columns)
        yield f"{len(columns):,} {what}: {', '.join(f'{count:,} {kind}' for kind, count in kinds.most_common())}"
        columns = [column for column in columns if column.unread or column.doubt]
    elif columns and report.sources == 1:
        yield f"The {what}, named by {report.header} (--no-header if it is a row):" if report.header else f"The {what}:"
    for column in columns[:MOST_LINES]:
        name = f"{column.source}: {column.name}" if report.sources > 1 else column.name
        yield f"  {name}: {_read(column)}"
    if len(columns) > MOST_LINES:
        yield f"  ... and {len(columns) - MOST_LINES:,} more that need a look; --json has them."


def _read(column: ColumnReport) -> str:
    parts = [", ".join(part for part in (column.kind, column.format) if part)]
    if column.unread:
        (value, head), *_ = column.examples
        does = "1 does" if column.unread == 1 else f"{column.unread:,} do"
        parts.append(f"{does} not fit of {column.cells:,}, such as '{value}' in {head}")
    if column.doubt:
        option = "" if column.kind == TEXT else " (--day-first)" if column.kind == DATE else " (--decimal)"
        parts.append(f"{column.doubt}{option}")
    return "; ".join(parts)


def _shown(report: LoadReport, triple: Evidence) -> str:
    if not kind_named(report.kind).has_facts:
        return f"{triple.node1} -> {triple.node2}"
    return f"({triple.node1}, {triple.node2}, [{', '.join(triple.condition)}])"


def _summary(report: LoadReport) -> str:
    what = f"'{report.source}'" if report.sources == 1 else f"{report.sources:,} tables"
    if report.unchanged:
        are = "is" if report.sources == 1 else "are"
        kept = (
            f"{report.facts:,} aliases"
            if not kind_named(report.kind).has_facts
            else f"{report.triples:,} condition triples"
        )
        return f"{what} {are} loaded already: nothing changed ({kept})."
    facts = "1 fact" if report.facts == 1 else f"{report.facts:,} facts"
    done = "Would load" if report.dry_run else "Loaded"
    if not kind_named(report.kind).has_facts:
        return f"{done} {what}: {report.facts:,} alias{'es' if report.facts != 1 else ''} in {report.seconds:.1f} s."
    return (
        f"{done} {what}: {facts} as {report.triples:,} condition triples "
        f"({report.has:,} HAS, {report.value:,} VALUE) over {report.nodes:,} nodes in {report.seconds:.1f} s."
    )
