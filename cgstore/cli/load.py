"""`cgstore load`: a command for each kind of source, which turns an input into a source, or a folder into many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from cgstore.catalog.kinds import ALIASES, GRAPH, KG, RDF, SOURCE_KINDS, STATEMENTS, TABLE, TKG, SourceKind, kind_named
from cgstore.cli.common import Imported, Output, connected, printing
from cgstore.cli.facts import change_output, command_line
from cgstore.cli.options import Decorator, taking, with_options
from cgstore.errors import BadInput
from cgstore.text.kinds import ValueKind
from cgstore.text.names import many

if TYPE_CHECKING:
    from cgstore.model import ColumnReport, Evidence, LoadReport
    from cgstore.store import Store

MOST_LINES = 40
"""Columns that are shown a line each."""

_PATHS = click.argument("paths", metavar="PATH...", nargs=-1, required=True)
_CHANGES = (
    click.option("--append", is_flag=True, help="Add the facts or rows to a source of that name."),
    click.option("--upsert", is_flag=True, help="Replace the facts or rows of such a source that have the same key."),
    click.option(
        "--key",
        multiple=True,
        metavar="NAME",
        help="What --upsert goes by: columns of a table; else head, relation, tail, in this order.  "
        "[default: head and relation]",
    ),
)
_ORIGIN = (
    click.option("--from-uri", required=True, help="The other Neo4j: bolt://, neo4j:// or neo4j+s://"),
    click.option("--from-user", default="neo4j", show_default=True, help="Its user."),
    click.option("--from-password", envvar="CGSTORE_FROM_PASSWORD", show_envvar=True, default="", help="Its password."),
    click.option("--from-database", help="Its database.  [default: its own default one]"),
)

_HELP = {
    TABLE: """Load tables: CSV, TSV, XLSX, Parquet, JSON Lines, or a database by its SQLAlchemy URL.

    Each table is a source of its own, named after its file, sheet or id; with --name and several tables, NAME/TABLE.
    A folder is searched for such files.

    \b
    Examples:
      cgstore load table films.csv
      cgstore load table sales.xlsx --sheet 2024 --name sales
      cgstore load table tables/ --name wtq
      cgstore load table sqlite:///shop.db --query "SELECT * FROM orders" --name orders
    """,
    KG: """Load triples head, relation, tail from text files (TSV, CSV, pipes; also .gz).

    \b
    Examples:
      cgstore load kg kb.txt
      cgstore load kg yago.tsv.gz --clean --name yago
    """,
    TKG: """Load temporal facts from TSV, CSV or JSON Lines files (also .gz).

    Columns, or keys of an object a line: head, relation, tail, start, end. A fact whose end is empty or `present` holds
    until now; where no fact of a file has an end, each is an event. Times are years, ISO dates and times of day, or
    written as `3 March 1990`, `44 BC`, `c. 855`, `1990s` and the like.

    \b
    Examples:
      cgstore load tkg examples/world.tsv
      cgstore load tkg events.csv.gz --name events --step day
      cgstore load tkg raw.tsv --on-error skip --rejected raw.rejected.tsv
    """,
    STATEMENTS: """Load facts with qualifiers: lines `s,r,o,key,value,...`, or JSON Lines.

    A JSON line is an object with subject, relation, object and qualifiers.

    \b
    Examples:
      cgstore load statements wd50k/ --name wd50k
      cgstore load statements facts.jsonl
    """,
    ALIASES: """Load other names of nodes: text files of alias, name (TSV, CSV, pipes; also .gz).

    They are looked up first, in every question, whatever sources are asked. An alias may have several names, and a name
    several aliases. The nodes may be loaded before or after.

    \b
    Examples:
      cgstore load aliases examples/aliases.tsv
      cgstore load aliases wikidata.tsv.gz --name wikidata --on-error skip
    """,
    RDF: """Load RDF: Turtle, N-Triples, RDF/XML, JSON-LD, N-Quads or TriG (also .gz).

    \b
    Examples:
      cgstore load rdf cities.ttl
      cgstore load rdf dump.nt.gz --name dump --language de
    """,
    GRAPH: """Load another Neo4j: relationships are facts, their properties qualifiers, node properties keys.

    \b
    Example:
      cgstore load graph --from-uri bolt://localhost:7688 --label Film --label Person --name films
    """,
}


def _command(name: str) -> click.Command:
    """The command of a kind of source, with the options that such a load takes."""
    kind = SOURCE_KINDS[name]
    options_class = kind.options_class()
    left_out = {"progress"} if kind.has_formats else {"progress", "decimal", "day_first"}
    names = [each.name for each in fields(options_class) if each.name not in left_out]

    @printing
    @connected
    def command(store: Store, **given: Any) -> Output:
        return _load_graph(store, **given) if kind is GRAPH else _load_files(store, kind, **given)

    first: tuple[Decorator, ...] = _ORIGIN if kind is GRAPH else (_PATHS,)
    last: tuple[Decorator, ...] = _CHANGES if kind.can_change else ()
    options = (*first, taking("options", options_class, *names), *last)
    return click.command(kind.name, help=_HELP[kind])(with_options(command, options))


@click.group(commands=Imported(lambda: [kind.name for kind in _HELP], _command))
def load() -> None:
    """Load a source into the condition graph.

    To finish an interrupted load, give the command again. Loading the same input under the same name again changes
    nothing.
    """


def _load_files(
    store: Store,
    kind: SourceKind,
    paths: tuple[str, ...],
    options: dict[str, Any],
    append: bool = False,
    upsert: bool = False,
    key: tuple[str, ...] = (),
) -> Output:
    from cgstore.loaders.inputs import check_named

    check_named([path for path in paths if "://" not in path])  # before a database has to be started
    if append + upsert + options.get("replace", False) > 1:
        raise BadInput("--append, --upsert and --replace exclude each other.", "Give one of them.")
    if key and not upsert:
        raise BadInput("--key says which facts --upsert replaces.", "Give --upsert too, or leave --key out.")
    options["progress"] = True
    if not append and not upsert:
        report: LoadReport = getattr(store, f"load_{kind.name}")(list(paths), **options)
        return Output(report, _lines(report))
    from cgstore.change.load import find_source
    from cgstore.loaders.load import as_paths, source_name_for

    name = source_name_for(kind.load_options(options), as_paths(paths))
    find_source(store.db, name, kind)
    options.pop("name", None)
    if append:
        return change_output(store.append(name, list(paths), command=command_line(), **options))
    return change_output(store.upsert(name, list(paths), key, command=command_line(), **options))


def _load_graph(store: Store, options: dict[str, Any], **origin: Any) -> Output:
    from cgstore.cypher.connection import Database

    with Database(*(origin[f"from_{part}"] for part in ("uri", "user", "password", "database"))) as other:
        report = store.load_graph(other, progress=True, **options)
    return Output(report, _lines(report))


def _lines(report: LoadReport) -> Iterator[str]:
    yield from (f"  {_triple(report, triple)}" for triple in report.sample)
    yield report.summary
    if not report.unchanged:
        yield from _column_lines(report)
    yield from (f"Note: {warning}" for warning in report.warnings)
    if report.rejected:
        yield f"{many(report.rejected, 'line was', 'lines were')} rejected: {report.rejected_file}"


def _triple(report: LoadReport, triple: Evidence) -> str:
    if not kind_named(report.kind).has_facts:
        return f"{triple.node1} -> {triple.node2}"
    return f"({triple.node1}, {triple.node2}, [{', '.join(triple.condition)}])"


def _column_lines(report: LoadReport) -> Iterator[str]:
    """How the columns were read, a line each; where there are too many, only those that need a look."""
    columns, noun = list(report.columns), kind_named(report.kind).relations_noun
    if len(columns) > MOST_LINES:
        kinds = Counter(column.kind for column in columns)
        yield f"{len(columns):,} {noun}: {', '.join(f'{count:,} {kind}' for kind, count in kinds.most_common())}"
        columns = [column for column in columns if column.unread or column.doubt]
    elif columns and report.sources == 1:
        yield f"The {noun}, named by {report.header} (--no-header if it is a row):" if report.header else f"The {noun}:"
    for column in columns[:MOST_LINES]:
        name = f"{column.source}: {column.name}" if report.sources > 1 else column.name
        yield f"  {name}: {_column(column)}"
    if len(columns) > MOST_LINES:
        yield f"  ... and {len(columns) - MOST_LINES:,} more that need a look; --json has them."


def _column(column: ColumnReport) -> str:
    parts = [", ".join(part for part in (column.kind, column.format) if part)]
    if column.unread:
        (value, head), *_ = column.examples
        parts.append(f"{many(column.unread, 'does', 'do')} not fit of {column.cells:,}, such as '{value}' in {head}")
    if column.nothing:
        texts = ", ".join(f"'{text}'" for text in column.nothings)
        parts.append(f"{many(column.nothing, 'cell')} without a value: {texts}")
    if column.doubt:
        options: dict[str, str] = {ValueKind.TEXT: "", ValueKind.DATE: " (--day-first)"}
        option = options.get(column.kind, " (--decimal)")
        parts.append(f"{column.doubt}{option}")
    return "; ".join(parts)
