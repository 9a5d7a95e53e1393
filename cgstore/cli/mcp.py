"""`cgstore mcp`: the graph as tools for agents, by the Model Context Protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cgstore.cli.common import connected, listening_options, sources_option, timeout_option
from cgstore.cli.llm_options import backend_from, llm_options
from cgstore.errors import optional, writing_settings

if TYPE_CHECKING:
    from cgstore.llm import BackendKeywords
    from cgstore.store import Store


@click.command()
@click.option("--http", "over_http", is_flag=True, help="Serve streamable HTTP at /mcp, instead of standard input.")
@listening_options(8765)
@llm_options
@sources_option
@timeout_option
@connected
def mcp(
    store: Store,
    over_http: bool,
    host: str,
    port: int,
    token: str | None,
    llm: BackendKeywords,
    sources: Sequence[str],
) -> None:
    """Give agents the graph as tools, by the Model Context Protocol. Nothing that they can call writes.

    The tools are `ask`, `query`, `evidence`, `find_names` and `describe_sources`; the query language is a resource, so
    that the agent's own model can write programs. With --source, agents see these sources alone. --host, --port and
    --token are for --http, those of the LLM for the tool `ask`.

    \b
    Examples:
      cgstore mcp                                # a host starts this and talks over standard input and output
      cgstore mcp --source films --source actors
      cgstore mcp --http --port 8765             # http://127.0.0.1:8765/mcp
    """
    optional("mcp", "mcp")
    from cgstore.web.bodies import in_json
    from cgstore.web.guard import http_server
    from cgstore.web.mcp import ARGUMENTS, Tools, http_app, server_of

    asked = store.ready(sources) if sources else None
    server = server_of(Tools(store, backend_from(llm, store.db), asked))
    if not over_http:
        with writing_settings(in_json(ARGUMENTS)):
            server.run("stdio")
        return
    app = http_app(server, host, token)
    click.echo(f"Listening on http://{host}:{port}/mcp. Stop it with Ctrl-C.", err=True)
    with writing_settings(in_json(ARGUMENTS)):
        http_server(app, host=host, port=port).run()
