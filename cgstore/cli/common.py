"""What commands share: the options that choose a database, sources and mappings, and how results are printed."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from cgstore.cli.options import Decorator, taking, with_options
from cgstore.errors import CgstoreError
from cgstore.options import QueryOptions

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from cgstore.server import ServerInfo

Command = TypeVar("Command", bound=Callable[..., Any])

NO_ANSWER = 1
"""Exit code of a command that found nothing."""


class Imported(Mapping[str, click.Command]):
    """The commands of a group, each imported when it is used.

    Args:
        names: gives the names.
        make: gives the command of a name.
    """

    def __init__(self, names: Callable[[], Collection[str]], make: Callable[[str], click.Command]) -> None:
        self._names, self._make = names, make

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._names():
            raise KeyError(name)
        return self._make(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def complete_source(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Completes the name of a source. Starts no server, and shows no error."""
    from click.shell_completion import CompletionItem

    from cgstore.store import connect

    names: list[str] = []
    with suppress(Exception):
        options = {name: ctx.params.get(name) for name in ("uri", "user", "password", "database")}
        if options["uri"] is None:
            from cgstore.server import status

            if not status().running:
                return []
        with connect(**options, timeout=2.0) as store:
            names = [source.name for source in store.sources()]
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


source_argument = click.argument("source", shell_complete=complete_source)


def sources_option_for(help: str) -> Decorator:
    """The option --source, whose names a shell completes."""
    return click.option(
        "--source", "-s", "sources", multiple=True, metavar="NAME", shell_complete=complete_source, help=help
    )


sources_option = sources_option_for("Answer from this source only; may be repeated.")
timeout_option = click.option(
    "--timeout", type=click.FloatRange(min=0.1), default=30.0, show_default=True, help="Seconds for one statement."
)


def listening_options(port: int) -> Decorator:
    """Adds the options of a server: --host, --port with this default, and --token."""
    options = (
        click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on."),
        click.option(
            "--port", type=click.IntRange(0, 65535), default=port, show_default=True, help="The port; 0: a free one."
        ),
        click.option(
            "--token",
            envvar="CGSTORE_TOKEN",
            show_envvar=True,
            help="What each request must carry; needed on an address that other machines can reach.",
        ),
    )
    return lambda command: with_options(command, options)


_CONNECTION = (
    click.option("--uri", envvar="CGSTORE_NEO4J_URI", show_envvar=True, help="bolt://, neo4j:// or neo4j+s://"),
    click.option("--user", envvar="CGSTORE_NEO4J_USER", show_envvar=True, help="User name.  [default: neo4j]"),
    click.option("--password", envvar="CGSTORE_NEO4J_PASSWORD", show_envvar=True, help="Password."),
    click.option("--database", envvar="CGSTORE_NEO4J_DATABASE", show_envvar=True, help="Database name."),
)
_MAPPING = (
    "exact",
    "threshold",
    "linked",
    "retrieve",
    "entity_k",
    "relation_k",
    "entity_threshold",
    "relation_threshold",
)


def mapping_options(*more: str) -> Decorator:
    """Adds the options that say how unknown names are mapped, and more fields of `QueryOptions`.

    The command gets those that were given as its argument `mapping`.
    """
    return taking("mapping", QueryOptions, *_MAPPING, *more)


def connected(command: Command) -> Command:
    """Adds the connection options to a command, and gives it an open Store as its first argument."""

    @functools.wraps(command)
    def with_store(
        *args: object, uri: str | None, user: str | None, password: str | None, database: str | None, **options: Any
    ) -> Any:
        _import_driver()
        from cgstore.cypher.connection import READ_TIMEOUT
        from cgstore.store import connect

        timeout = options.pop("timeout", READ_TIMEOUT)
        with connect(uri, user, password, database, timeout=timeout, on_start=_say_started) as store:
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


def input_lines() -> Iterator[tuple[int, str]]:
    """The lines of standard input that are not empty, with their numbers. Each is to be answered, also a bad one."""
    for number, line in enumerate(sys.stdin, start=1):
        if line.strip():
            yield number, line.strip()


def parameter_lines(parameters: Mapping[str, Any]) -> list[str]:
    """The parameters of a statement as comments of Cypher."""
    return [f"// ${name} = {json.dumps(value, ensure_ascii=False)}" for name, value in parameters.items()]


def print_json(value: Any) -> None:
    """Prints one JSON value on one line, in UTF-8."""
    click.echo(json.dumps(value, ensure_ascii=False))


class Output(NamedTuple):
    """What a command prints.

    Attributes:
        value: with --json: a report, or what JSON has.
        lines: for people.
        exit_code: of the command.
    """

    value: Any
    lines: Iterable[str] = ()
    exit_code: int = 0


def printing(command: Callable[..., Output | None]) -> Callable[..., None]:
    """Adds --json to a command, and prints the `Output` that it returns, if any."""

    @functools.wraps(command)
    def printed(*args: object, as_json: bool, **options: object) -> None:
        output = command(*args, **options)
        if output is not None:
            print_output(output, as_json)

    return json_option(printed)


def print_output(output: Output, as_json: bool) -> None:
    """Prints an output, and ends the command if it has an exit code."""
    if as_json:
        print_json(_plain(output.value))
    else:
        for line in output.lines:
            click.echo(line)
    if output.exit_code:
        click.get_current_context().exit(output.exit_code)


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if hasattr(value, "to_json"):
        return value.to_json()
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def print_error(error: CgstoreError) -> None:
    """Prints an error and its hint on standard error."""
    click.echo(f"Error: {error}", err=True)
