"""What several commands share: the options that choose a database, and how one is opened."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from cgstore.store import Store

F = TypeVar("F", bound=Callable[..., Any])

_CONNECTION = (
    click.option("--uri", envvar="CGSTORE_NEO4J_URI", show_envvar=True, help="bolt://, neo4j:// or neo4j+s://"),
    click.option("--user", envvar="CGSTORE_NEO4J_USER", show_envvar=True, help="User name.  [default: neo4j]"),
    click.option("--password", envvar="CGSTORE_NEO4J_PASSWORD", show_envvar=True, help="Password."),
    click.option("--database", envvar="CGSTORE_NEO4J_DATABASE", show_envvar=True, help="Database name."),
)


def connected(command: F) -> F:
    """Gives a command the connection options, and an open Store as its first argument."""

    @functools.wraps(command)
    def with_store(
        *args: Any,
        uri: str | None,
        user: str | None,
        password: str | None,
        database: str | None,
        **options: Any,
    ) -> Any:
        with open_store(uri, user, password, database, timeout=options.get("timeout")) as store:
            return command(store, *args, **options)

    for option in reversed(_CONNECTION):
        with_store = option(with_store)
    return with_store  # type: ignore[return-value]


def open_store(
    uri: str | None, user: str | None, password: str | None, database: str | None, timeout: float | None = None
) -> Store:
    """A Store on the database chosen, or on the managed one; starting that, when it is needed, is said."""
    from cgstore.cypher.connection import READ_TIMEOUT
    from cgstore.store import connect

    def say(info: Any) -> None:
        click.echo(f"No database given: started Neo4j {info.version} on this machine, {info.uri}", err=True)

    return connect(uri, user, password, database, timeout=timeout or READ_TIMEOUT, on_start=say)


sources_option = click.option(
    "--source", "-s", "sources", multiple=True, metavar="NAME", help="Answer from this source only; may be repeated."
)
timeout_option = click.option(
    "--timeout", type=click.FloatRange(min=0.1), default=30.0, show_default=True, help="Seconds for one statement."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def print_json(value: Any) -> None:
    """One JSON value on one line, in UTF-8 as it is."""
    click.echo(json.dumps(value, ensure_ascii=False))
