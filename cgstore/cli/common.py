"""What commands share: the options that choose a database, sources and mappings, and how results are printed."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cgstore.cli.completion import complete_source
from cgstore.errors import BadInput
from cgstore.options import RETRIEVALS

if TYPE_CHECKING:
    from cgstore.options import QueryKeywords
    from cgstore.server import ServerInfo

Command = TypeVar("Command", bound=Callable[..., Any])

WIDEST_COLUMN = 60
"""Most characters to which the fields of a column are filled up."""

NO_ANSWER = 1
"""Exit code of a command that found nothing."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

Decorated = TypeVar("Decorated", bound=Callable[..., Any] | click.Command)


def sources_option_for(help: str) -> Callable[[Decorated], Decorated]:
    """The option --source, whose names a shell completes."""
    return click.option(
        "--source", "-s", "sources", multiple=True, metavar="NAME", shell_complete=complete_source, help=help
    )


sources_option = sources_option_for("Answer from this source only; may be repeated.")
timeout_option = click.option(
    "--timeout", type=click.FloatRange(min=0.1), default=30.0, show_default=True, help="Seconds for one statement."
)
_CONNECTION = (
    click.option("--uri", envvar="CGSTORE_NEO4J_URI", show_envvar=True, help="bolt://, neo4j:// or neo4j+s://"),
    click.option("--user", envvar="CGSTORE_NEO4J_USER", show_envvar=True, help="User name.  [default: neo4j]"),
    click.option("--password", envvar="CGSTORE_NEO4J_PASSWORD", show_envvar=True, help="Password."),
    click.option("--database", envvar="CGSTORE_NEO4J_DATABASE", show_envvar=True, help="Database name."),
)
_MAPPING = (
    click.option("--exact", is_flag=True, help="A name without a node is an error, not mapped to the nearest name."),
    click.option(
        "--threshold",
        type=click.FloatRange(0, 1),
        metavar="SCORE",
        help="Least score, from 0 to 1, at which an unknown name is mapped to the nearest."
        "  [default: 0.8 for entities, 0.7 for relations]",
    ),
    click.option(
        "--linked", is_flag=True, help="Map an unknown name only to nodes with which the program has an answer."
    ),
    click.option(
        "--retrieve",
        type=click.Choice(RETRIEVALS),
        help="Retrieve names this way: entities first, then relations around them."
        "  [default: likeness for ask --lang sexpr; else only unknown names are mapped]",
    ),
    click.option("--entity-k", type=click.IntRange(1), help="Most nodes for a name of an entity.  [default: 10]"),
    click.option("--relation-k", type=click.IntRange(1), help="Most relations for a name.  [default: 15]"),
    click.option("--entity-threshold", type=click.FloatRange(0, 1), help="Least score of an entity."),
    click.option("--relation-threshold", type=click.FloatRange(0, 1), help="Least score of a relation."),
    click.option("--oracle-entities", is_flag=True, help="Entities must exist; relations alone are retrieved."),
    click.option("--oracle-relations", is_flag=True, help="Relations must exist; entities alone are retrieved."),
)


_RETRIEVAL = (
    "retrieve",
    "entity_k",
    "relation_k",
    "entity_threshold",
    "relation_threshold",
    "oracle_entities",
    "oracle_relations",
)


def with_options(command: Callable[..., Any], options: tuple[Callable[[Any], Any], ...]) -> Any:
    """The command with click's options, which `--help` shows in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def connected(command: Command) -> Command:
    """Adds the connection options to a command, and gives it an open Store as its first argument."""

    @functools.wraps(command)
    def with_store(
        *args: object, uri: str | None, user: str | None, password: str | None, database: str | None, **options: object
    ) -> Any:
        _import_driver()
        from cgstore.cypher.connection import READ_TIMEOUT
        from cgstore.store import connect

        timeout = options.get("timeout")
        seconds = timeout if isinstance(timeout, float) else READ_TIMEOUT
        with connect(uri, user, password, database, timeout=seconds, on_start=_say_started) as store:
            return command(store, *args, **options)

    return with_options(with_store, _CONNECTION)  # type: ignore[no-any-return]


def _import_driver() -> None:
    """Imports Neo4j's driver without pandas, numpy and pyarrow, which take it most of a second.

    It looks for them to encode their types, and a command sends it none. A process of somebody else may, so that the
    library itself leaves the driver as it is.
    """
    hidden = [name for name in ("numpy", "pandas", "pyarrow") if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        import neo4j  # noqa: F401
    finally:
        for name in hidden:
            del sys.modules[name]


def _say_started(info: ServerInfo) -> None:
    click.echo(f"No database given: started Neo4j {info.version} on this machine, {info.uri}", err=True)


def mapping_options(command: Command) -> Command:
    """Adds the options that say how unknown names are mapped; the command gets them as its argument `mapping`."""

    @functools.wraps(command)
    def with_mapping(*args: object, exact: bool, threshold: float | None, linked: bool, **options: Any) -> Any:
        if exact and threshold is not None:
            raise BadInput("--exact and --threshold exclude each other.", "Give one of them.")
        mapping: QueryKeywords = {"exact": exact, "threshold": threshold, "linked": linked}
        retrieval = {name: options.pop(name) for name in _RETRIEVAL}
        mapping.update({name: value for name, value in retrieval.items() if value})  # type: ignore[typeddict-item]
        return command(*args, mapping=mapping, **options)

    return with_options(with_mapping, _MAPPING)  # type: ignore[no-any-return]


_AS_OF = click.option(
    "--as-of",
    metavar="TIME",
    help="Answer from what was known then: a date (to its end, UTC), a date with a time, or '#12', after change 12.",
)


def as_of_option(command: Command) -> Command:
    """Adds the option --as-of, which joins the argument `mapping` of the command; stands below `mapping_options`."""

    @functools.wraps(command)
    def with_as_of(*args: object, as_of: str | None, mapping: QueryKeywords, **options: Any) -> Any:
        if as_of is not None:
            mapping["as_of"] = as_of
        return command(*args, mapping=mapping, **options)

    return with_options(with_as_of, (_AS_OF,))  # type: ignore[no-any-return]


def print_json(value: Any) -> None:
    """Prints one JSON value on one line, in UTF-8."""
    click.echo(json.dumps(value, ensure_ascii=False))


def print_report(report: Any, as_json: bool, *lines: str) -> None:
    """Prints a report: its fields as JSON, or the lines, which are for people."""
    if as_json:
        print_json(asdict(report) if is_dataclass(report) and not isinstance(report, type) else report)
        return
    for line in lines:
        click.echo(line)


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: `1 fact`, `1,200 facts`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def table_lines(
    heading: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[str] = (), ruled: bool = False
) -> list[str]:
    """Rows as lines of filled columns below their heading.

    Args:
        heading: the names of the columns.
        rows: the fields of each row.
        right: the columns that are aligned on the right.
        ruled: whether a line of dashes stands below the heading.
    """
    texts = [list(heading), *map(list, rows)]
    widths = [min(max(map(len, column)), WIDEST_COLUMN) for column in zip(*texts, strict=True)]
    if ruled:
        texts.insert(1, ["-" * width for width in widths])
    sides = [">" if name in right else "<" for name in heading]
    lines = (zip(row, sides, widths, strict=True) for row in texts)
    return ["  ".join(f"{field:{side}{width}}" for field, side, width in line).rstrip() for line in lines]
