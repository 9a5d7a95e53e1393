"""`cgstore serve`: the page and its API."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from cgstore.cli.common import connected, listening_options, mapping_options, sources_option, timeout_option
from cgstore.cli.llm_options import backend_from, llm_options, settings_of
from cgstore.cli.options import taking
from cgstore.errors import BadInput, optional, writing_settings
from cgstore.web.limits import Limits

if TYPE_CHECKING:
    from cgstore.llm import BackendKeywords
    from cgstore.llm.backends import Backend
    from cgstore.options import QueryKeywords
    from cgstore.store import Store


@click.command()
@listening_options(8764)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@click.option("--no-upload", is_flag=True, help="Take no files.")
@click.option("--read-only", is_flag=True, help="Take no files and no judgements: nothing is written to the graph.")
@taking("limits", Limits, "most_upload", "seconds", "at_once")
@llm_options
@mapping_options()
@sources_option
@timeout_option
@connected
def serve(
    store: Store,
    host: str,
    port: int,
    token: str | None,
    opens: bool,
    no_upload: bool,
    read_only: bool,
    limits: dict[str, Any],
    llm: BackendKeywords,
    mapping: QueryKeywords,
    sources: Sequence[str],
) -> None:
    """Open a page on this machine for questions, and the HTTP API behind it. Stop it with Ctrl-C.

    The process stays, with its connection and its encoder, so that a question costs no start; `cgstore ask` uses it
    too, where its graph and settings are the same. With --source, it shows these sources alone.

    \b
    Examples:
      cgstore serve --open
      cgstore serve --llm small --read-only
      cgstore serve --host 0.0.0.0 --token "$TOKEN"
    """
    for package in ("fastapi", "uvicorn"):
        optional(package, "serve")
    from cgstore.web.app import create_app
    from cgstore.web.bodies import FIELDS, in_json
    from cgstore.web.guard import check_host, http_server
    from cgstore.web.running import announced
    from cgstore.web.service import Service

    def make_backend(explore: bool) -> Backend:
        return backend_from({**llm, "explore": True} if explore else llm, store.db)

    served = store.ready(sources) if sources else None
    service = Service(
        store, make_backend, sources=served, writes=not read_only, uploads=not no_upload, options=dict(mapping)
    )
    check_host(host, token)  # before anything is said
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # so that the server is not announced any more
    with _listening(host, port) as listener:
        address = _address(host, listener.getsockname()[1])
        with announced(address, _settings(llm, mapping, sources)) as secret:
            app = create_app(service, host, [token] if token else [], Limits(**limits), secret)
            page = f"{address}/#token={token}" if token else address
            click.echo(f"Open {page} in a browser. Stop it with Ctrl-C.", err=True)
            if opens:
                click.launch(page)
            with writing_settings(in_json(FIELDS)):
                http_server(app).run([listener])


def _settings(llm: BackendKeywords, mapping: QueryKeywords, sources: Sequence[str]) -> dict[str, Any]:
    """What `cgstore ask` compares; a server that shows some sources, or maps otherwise, is none of its."""
    own = {"own": mapping, "sources": sources} if mapping or sources else {}
    return {**settings_of(click.get_current_context().params, llm), **own}


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens there.

    Raises:
        BadInput: the address or the port cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        hint = "Is it running already? Give another --port, or 0 for a free one."
        raise BadInput(f"{host}:{port} cannot be listened on: {error.strerror or error}.", hint) from error


def _address(host: str, port: int) -> str:
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"
