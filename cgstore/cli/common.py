"""What several commands share: the options that choose a database, and how one is opened."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cgstore.errors import BadInput

if TYPE_CHECKING:
    from cgstore.options import QueryKeywords
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


def mapping_options(command: F) -> F:
    """The options that say what names may be taken for: `exact`, `threshold`, `linked`."""
    for option in reversed(_MAPPING):
        command = option(command)
    return command


_MAPPING = (
    click.option("--exact", is_flag=True, help="Take no name for the nearest: one that no node has is an error."),
    click.option(
        "--threshold",
        type=click.FloatRange(0, 1),
        metavar="SCORE",
        help="Least score, from 0 to 1, at which an unknown name is taken for the nearest."
        "  [default: 0.8 of entities, 0.7 of relations]",
    ),
    click.option("--linked", is_flag=True, help="Take unknown names for nothing with which there is no answer."),
)


def mapping_choice(exact: bool, threshold: float | None, linked: bool) -> QueryKeywords:
    """The options of `mapping_options` as those of `Store.query`.

    Raises:
        BadInput: `--exact` and `--threshold` are both given.
    """
    if exact and threshold is not None:
        raise BadInput("--exact and --threshold exclude each other.", "Give one of them.")
    return {"exact": exact, "threshold": threshold, "linked": linked}


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def print_json(value: Any) -> None:
    """One JSON value on one line, in UTF-8 as it is."""
    click.echo(json.dumps(value, ensure_ascii=False))
