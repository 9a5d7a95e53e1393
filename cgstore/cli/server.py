"""`cgstore server`: the managed Neo4j of this machine. The work is in cgstore.server, imported when a command runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cgstore.cli.common import Output, printing

if TYPE_CHECKING:
    from cgstore.server import ServerInfo

_version_option = click.option(
    "--neo4j-version", "version", metavar="VERSION", help="Act on this version instead of the one that runs."
)


@click.group()
def server() -> None:
    """A real Neo4j on this machine, without Docker.

    It listens on 127.0.0.1 only, sends nothing to anybody, and runs until `stop`. Data, logs and the generated
    password are in CGSTORE_HOME, by default the user's data folder.

    \b
    Examples:
      cgstore server start             # the first time this downloads about 143 MB
      cgstore server status
      cgstore server stop
    """


@server.command()
@click.option(
    "--neo4j-version",
    "version",
    metavar="VERSION",
    help="5.26.30 (the default, or CGSTORE_NEO4J_VERSION) or 2026.08.1.",
)
@click.option("--heap", metavar="SIZE", help="Java's heap, such as 2g. Default: a quarter of the memory, at most 4g.")
@click.option(
    "--page-cache",
    metavar="SIZE",
    help="Memory for the store's files, such as 1g. Default: a quarter of the memory, at most 4g.",
)
@click.option(
    "--timeout", type=click.FloatRange(min=1), default=600.0, show_default=True, help="Seconds until it must answer."
)
@click.option("-q", "--quiet", is_flag=True, help="No progress on standard error.")
@printing
def start(version: str | None, heap: str | None, page_cache: str | None, timeout: float, quiet: bool) -> Output:
    """Start Neo4j, or attach to the one that runs.

    The command returns when Neo4j answers queries, on ports 7687 and 7474 or the next free pair. Each
    version line (5.26, 2026.08) has data of its own. CGSTORE_NEO4J_HEAP and CGSTORE_NEO4J_PAGECACHE set the sizes too.

    \b
    Examples:
      cgstore server start
      cgstore server start --heap 8g --page-cache 4g
      cgstore server start --neo4j-version 2026.08.1
    """
    from cgstore import server as managed

    return _shown(managed.start(version, heap=heap, page_cache=page_cache, quiet=quiet, timeout=timeout))


@server.command()
@_version_option
@click.option("--force", is_flag=True, help="Kill it instead of asking; no committed data is lost.")
@click.option(
    "--timeout", type=click.FloatRange(min=1), default=60.0, show_default=True, help="Seconds until it must be down."
)
@printing
def stop(version: str | None, force: bool, timeout: float) -> Output:
    """Shut Neo4j down, and wait until it has ended.

    \b
    Examples:
      cgstore server stop
      cgstore server stop --force
    """
    from cgstore import server as managed

    stopped = managed.stop(version, force=force, timeout=timeout)
    done = "Neo4j is stopped." if stopped else "No managed Neo4j was running."
    return Output(managed.status(version).as_dict(), [done])


@server.command()
@_version_option
@printing
def status(version: str | None) -> Output:
    """Show whether Neo4j runs, and how to reach it.

    The exit code is 0 either way; scripts read `running` with --json.

    \b
    Examples:
      cgstore server status
      cgstore server status --json | jq -r .uri
    """
    from cgstore import server as managed

    return _shown(managed.status(version))


@server.command()
@_version_option
@click.option("-n", "--lines", type=click.IntRange(min=0), default=50, show_default=True, help="Number of last lines.")
@click.option("-f", "--follow", is_flag=True, help="Print new lines too, until Ctrl-C.")
def logs(version: str | None, lines: int, follow: bool) -> None:
    """Print the end of Neo4j's log.

    \b
    Examples:
      cgstore server logs -n 20
      cgstore server logs --follow
    """
    from cgstore import server as managed

    for line in managed.logs(lines, follow=follow, version=version):
        click.echo(line)


def _shown(info: ServerInfo) -> Output:
    lines = [f"No managed Neo4j is running (home {info.home}). Start it: cgstore server start"]
    if info.running:
        lines = [
            f"Neo4j {info.version} is running (pid {info.pid}).",
            f"  bolt      {info.uri}",
            f"  browser   {info.browser_url()}",
            f"  user      {info.user}",
            f"  password  in the file {info.password_file}",
            f"  home      {info.home}",
        ]
    return Output(info.as_dict(), lines)
