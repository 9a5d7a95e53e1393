"""`cgstore load`: a command for each kind of source, which turns an input into a source, or a folder into many."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cgstore.catalog.kinds import ALIASES, GRAPH, KG, RDF, STATEMENTS, TABLE, TKG, SourceKind, kind_named
from cgstore.cli.common import connected, counted, json_option, print_json, with_options
from cgstore.cli.facts import command_line, print_change
from cgstore.errors import BadInput
from cgstore.text.dates import Step
from cgstore.text.kinds import ValueKind
from cgstore.text.roles import ROLES

if TYPE_CHECKING:
    from cgstore.change.report import ChangeReport
    from cgstore.model import ColumnReport, Evidence, LoadReport
    from cgstore.store import Store

CHANGED = (TABLE.name, KG.name, TKG.name, STATEMENTS.name)
"""The kinds of sources that can be changed."""

MOST_LINES = 40
"""Columns that are shown a line each."""

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
        help="The file for rejected lines; a new file, or one that a load wrote.  [default: NAME.rejected.tsv]",
    ),
    click.option("--replace", is_flag=True, help="Replace a source of that name, in one step."),
    click.option("--append", is_flag=True, help="Add the facts or rows to a source of that name."),
    click.option("--upsert", is_flag=True, help="Replace the facts or rows of such a source that have the same key."),
    click.option(
        "--key",
        multiple=True,
        metavar="NAME",
        help="What --upsert goes by: columns of a table; else head, relation, tail, in this order.  "
        "[default: head and relation]",
    ),
    click.option("--dry-run", is_flag=True, help="Count, show some triples, and write nothing."),
    json_option,
)
_PATHS = click.argument("paths", metavar="PATH...", nargs=-1, required=True)
_TEXT = (
    click.option(
        "--header/--no-header", default=None, help="Does the first line name the columns?  [default: detected]"
    ),
    click.option("--delimiter", help="Between the columns: one character, or tab.  [default: detected]"),
    click.option("--encoding", help="The encoding of text files.  [default: detected]"),
)
_FORMATS = (
    click.option(
        "--decimal",
        type=click.Choice([",", "."]),
        help="The mark before decimals, where a column leaves it open, as 1.250 does.  [default: by other columns]",
    ),
    click.option(
        "--day-first/--month-first",
        default=None,
        help="Dates such as 3/4/2004, where a column leaves it open.  [default: by the other columns]",
    ),
)


@click.group()
def load() -> None:
    """Load a source into the condition graph.

    To finish an interrupted load, give the command again. Loading the same input under the same name again changes
    nothing.
    """


def _columns_option(context: click.Context, option: click.Parameter, text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    places = tuple(int(part) for part in text.split(",") if part.strip().isdigit())
    if len(places) != 3 or 0 in places or len(text.split(",")) != 3:
        raise click.BadParameter(f"'{text}' is not three places such as 1,2,3.", param_hint="--columns")
    return places


def _roles_option(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[str, str] | None:
    roles = {}
    for text in given:
        column, equals, role = text.rpartition("=")
        if not equals:
            raise click.BadParameter(f"'{text}' is not a column and what it is: Room=category.", param_hint="--column")
        roles[column.strip()] = role.strip()
    return roles or None


def _load_files(store: Store, kind: SourceKind, options: dict[str, Any]) -> LoadReport:
    report: LoadReport = getattr(store, f"load_{kind.name}")(list(options.pop("paths")), **options)
    return report


def _load_graph(store: Store, kind: SourceKind, options: dict[str, Any]) -> LoadReport:
    from cgstore.cypher.connection import Database

    address = [options.pop(f"from_{part}", None) for part in ("uri", "user", "password", "database")]
    with Database(*address) as origin:
        return store.load_graph(origin, **options)


def _add_command(kind: SourceKind, help: str, *options: Any, run: Callable[..., LoadReport] = _load_files) -> None:
    """Adds the command of a kind of source: its own options and those of every load."""

    def command(store: Store, as_json: bool, **given: object) -> None:
        chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        changing = {name: chosen.pop(name) for name in ("append", "upsert", "key")}
        if _is_change(replace=bool(given["replace"]), **changing):
            print_change(_change(store, kind, {"progress": True, **chosen}, **changing), as_json)
            return
        _print(run(store, kind, {"progress": True, **chosen}), as_json)

    with_store = connected(command)

    @functools.wraps(with_store)
    def checked(**given: Any) -> None:
        _check_paths(given.get("paths", ()))
        with_store(**given)

    load.command(kind.name, help=help)(with_options(checked, (*options, *_COMMON)))


def _is_change(*, append: bool, upsert: bool, replace: bool, key: tuple[str, ...]) -> bool:
    """Whether a source that is there is changed, and not loaded."""
    if append + upsert + replace > 1:
        raise BadInput("--append, --upsert and --replace exclude each other.", "Give one of them.")
    if key and not upsert:
        raise BadInput("--key says which facts --upsert replaces.", "Give --upsert too, or leave --key out.")
    return append or upsert


def _change(
    store: Store, kind: SourceKind, chosen: dict[str, Any], *, append: bool, upsert: bool, key: tuple[str, ...]
) -> ChangeReport:
    """Appends or upserts. The name of the source is the one given, or that of the input."""
    from cgstore.change.load import find_source
    from cgstore.loaders.load import as_paths, source_name_for
    from cgstore.options import LoadOptions

    if kind.name not in CHANGED:
        raise BadInput(f"A source of the kind {kind.name} can only be replaced as a whole.", "Give --replace instead.")
    paths = list(chosen.pop("paths"))
    name = source_name_for(LoadOptions(name=chosen.pop("name", None)), as_paths(paths))
    given = {option: value for option, value in chosen.items() if option != "replace"}
    find_source(store.db, name, kind)
    if upsert:
        return store.upsert(name, paths, key, command=command_line(), **given)
    return store.append(name, paths, command=command_line(), **given)


def _check_paths(paths: Sequence[str]) -> None:
    """Says at once that a file is not there or cannot be read: a database may have to be started before the load."""
    from cgstore.loaders.inputs import check_named

    check_named([path for path in paths if "://" not in path])


_add_command(
    TABLE,
    """Load tables: CSV, TSV, XLSX, Parquet, JSON Lines, or a database by its SQLAlchemy URL.

    Each table is a source of its own, named after its file, sheet or id; with --name and several tables, NAME/TABLE.
    A folder is searched for such files.

    \b
    Examples:
      cgstore load table films.csv
      cgstore load table sales.xlsx --sheet 2024 --name sales
      cgstore load table tables/ --name wtq
      cgstore load table sqlite:///shop.db --query "SELECT * FROM orders" --name orders
      cgstore load table bookings.csv --column "Room=category"
    """,
    _PATHS,
    *_TEXT,
    click.option(
        "--escapes/--no-escapes",
        default=None,
        help=r"Decode \n, \p and \\ as in WikiTableQuestions.  [default: detected]",
    ),
    click.option("--sheet", help="The sheet of a workbook.  [default: all that are visible]"),
    click.option(
        "--query", help="For a database: a SELECT statement, or the name of one table.  [default: all tables]"
    ),
    click.option(
        "--footnotes/--no-footnotes",
        default=True,
        show_default=True,
        help="Leave the marks of footnotes at the end of cells (Graz*, Graz[1]), or take them off.",
    ),
    click.option(
        "--column",
        "columns",
        multiple=True,
        metavar="NAME=ROLE",
        callback=_roles_option,
        help=f"What a column is: {ROLES}; may be repeated.  [default: by its values]",
    ),
    *_FORMATS,
)
_add_command(
    KG,
    """Load triples head, relation, tail from text files (TSV, CSV, pipes; also .gz).

    \b
    Examples:
      cgstore load kg kb.txt
      cgstore load kg yago.tsv.gz --clean --name yago
    """,
    _PATHS,
    *_TEXT,
    click.option(
        "--columns",
        metavar="H,R,T",
        callback=_columns_option,
        help="Places of head, relation and tail, from 1.  [default: 1,2,3]",
    ),
    click.option("--clean", is_flag=True, help="Take brackets, quotes and prefixes off names in N-Triples style."),
    *_FORMATS,
)
_add_command(
    TKG,
    """Load temporal facts from TSV, CSV or JSON Lines files (also .gz).

    Columns, or keys of an object a line: head, relation, tail, start, end. A fact whose end is empty or `present` holds
    until now; where no fact of a file has an end, each is an event. Times are years, ISO dates, times of day such as
    `2024-05-01T10:30`, or written as `3 March 1990`, `44 BC`, `c. 855`, `1990s`, `19th century`, `1964/2008` and the
    like. A folder with entity2id.txt, relation2id.txt and facts of numbers is read too.

    \b
    Examples:
      cgstore load tkg examples/world.tsv
      cgstore load tkg events.csv.gz --name events --step day
      cgstore load tkg raw.tsv --on-error skip --rejected raw.rejected.tsv
    """,
    _PATHS,
    click.option(
        "--step",
        type=click.Choice([step.value for step in Step]),
        help="Length of a time step.  [default: the coarsest that keeps the data apart]",
    ),
    *_TEXT,
    click.option(
        "--max-triples",
        type=click.IntRange(min=1),
        default=50_000_000,
        show_default=True,
        help="Refuse an input that makes more relationships.",
    ),
    click.option(
        "--now", metavar="DATE", help="The time until which facts without an end hold.  [default: now, in UTC]"
    ),
)
_add_command(
    STATEMENTS,
    """Load facts with qualifiers: lines `s,r,o,key,value,...`, or JSON Lines.

    A JSON line is an object with subject, relation, object and qualifiers.

    \b
    Examples:
      cgstore load statements wd50k/ --name wd50k
      cgstore load statements facts.jsonl
    """,
    _PATHS,
    *_TEXT,
    *_FORMATS,
)
_add_command(
    ALIASES,
    """Load other names of nodes: text files of alias, name (TSV, CSV, pipes; also .gz).

    A name in a question or a program is looked up among the aliases first. An alias may have several names, and a name
    several aliases. The nodes may be loaded before or after. Aliases are not facts: they serve every question,
    whatever sources are asked.

    \b
    Examples:
      cgstore load aliases examples/aliases.tsv
      cgstore load aliases wikidata.tsv.gz --name wikidata --on-error skip
    """,
    _PATHS,
    *_TEXT,
)
_add_command(
    RDF,
    """Load RDF: Turtle, N-Triples, RDF/XML, JSON-LD, N-Quads or TriG (also .gz).

    \b
    Examples:
      cgstore load rdf cities.ttl
      cgstore load rdf dump.nt.gz --name dump --language de
    """,
    _PATHS,
    click.option(
        "--format", metavar="FORMAT", help="turtle, nt, xml, json-ld, nquads or trig.  [default: by the ending]"
    ),
    click.option("--language", default="en", show_default=True, help="Language of the labels that name the nodes."),
    click.option("--labels/--no-labels", default=True, show_default=True, help="Do labels name the nodes?"),
)
_add_command(
    GRAPH,
    """Load another Neo4j: relationships are facts, their properties qualifiers, node properties keys.

    \b
    Example:
      cgstore load graph --from-uri bolt://localhost:7688 --label Film --label Person --name films
    """,
    click.option("--from-uri", required=True, help="The other Neo4j: bolt://, neo4j:// or neo4j+s://"),
    click.option("--from-user", default="neo4j", show_default=True, help="Its user."),
    click.option("--from-password", envvar="CGSTORE_FROM_PASSWORD", show_envvar=True, default="", help="Its password."),
    click.option("--from-database", help="Its database.  [default: its own default one]"),
    click.option("--label", "labels", multiple=True, help="Only nodes with this label; may be repeated."),
    click.option("--type", "types", multiple=True, help="Only relationships of this type; may be repeated."),
    click.option("--name-property", help="The property that names a node.  [default: name, title, label, id, ...]"),
    run=_load_graph,
)


def _print(report: LoadReport, as_json: bool) -> None:
    if as_json:
        print_json(report.to_json())
        return
    for triple in report.sample:
        click.echo(f"  {_triple(report, triple)}")
    click.echo(report.summary)
    if not report.unchanged:
        for line in _column_lines(report):
            click.echo(line)
    for warning in report.warnings:
        click.echo(f"Note: {warning}")
    if report.rejected:
        were = "was" if report.rejected == 1 else "were"
        click.echo(f"{counted(report.rejected, 'line')} {were} rejected: {report.rejected_file}")


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
        does = "1 does" if column.unread == 1 else f"{column.unread:,} do"
        parts.append(f"{does} not fit of {column.cells:,}, such as '{value}' in {head}")
    if column.nothing:
        texts = ", ".join(f"'{text}'" for text in column.nothings)
        parts.append(f"{counted(column.nothing, 'cell')} without a value: {texts}")
    if column.doubt:
        options: dict[str, str] = {ValueKind.TEXT: "", ValueKind.DATE: " (--day-first)"}
        option = options.get(column.kind, " (--decimal)")
        parts.append(f"{column.doubt}{option}")
    return "; ".join(parts)
