"""`cgstore completion`: the script by which a shell completes commands, options and names of sources."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the script by which a SHELL completes commands, options and names of sources.

    \b
    Examples:
      source <(cgstore completion bash)                                  # in ~/.bashrc
      source <(cgstore completion zsh)                                   # in ~/.zshrc
      cgstore completion fish > ~/.config/fish/completions/cgstore.fish
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None  # click has all of `SHELLS`
    variable = {"complete_func": "_cgstore_completion", "complete_var": "_CGSTORE_COMPLETE", "prog_name": "cgstore"}
    click.echo(made.source_template % variable)


def complete_source(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of sources that begin with what is typed. No server is started for this, and no error is shown."""
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
