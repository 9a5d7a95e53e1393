"""`cgstore ask`: a question in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cgstore.cli.answer import finish
from cgstore.cli.common import connected, json_option, mapping_choice, mapping_options, sources_option, timeout_option

if TYPE_CHECKING:
    from cgstore.store import Store


@click.command()
@click.argument("question")
@click.option("--explain", is_flag=True, help="Show names, execution query, Cypher, all evidence and timing.")
@click.option(
    "--llm",
    type=click.Choice(["demos", "openai"]),
    help="What writes the program.  [default: openai with an OPENAI_API_KEY or OPENAI_BASE_URL, else demos]",
)
@click.option("--base-url", envvar="OPENAI_BASE_URL", show_envvar=True, help="Any OpenAI-compatible endpoint.")
@click.option("--model", envvar="CGSTORE_MODEL", show_envvar=True, help="The LLM's name there.")
@click.option(
    "--demonstrations",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="More demonstrations, as JSON Lines {question, program, kind}; may be repeated.",
)
@click.option("--encoder", envvar="CGSTORE_ENCODER", show_envvar=True, help="Sentence encoder, by name or folder.")
@mapping_options
@sources_option
@timeout_option
@json_option
@connected
def ask(
    store: Store,
    question: str,
    explain: bool,
    llm: str | None,
    base_url: str | None,
    model: str | None,
    demonstrations: Sequence[Path],
    encoder: str | None,
    exact: bool,
    threshold: float | None,
    linked: bool,
    sources: Sequence[str],
    timeout: float,
    as_json: bool,
) -> None:
    """Answer a QUESTION in plain words, with the program, and the condition triples that prove the answer.

    The LLM writes a program, never the answer. Without an LLM, `demos` rewrites the nearest demonstration with the
    names found in the question. What cannot be answered is said, with the closest that was found (exit code 1).

    \b
    Examples:
      cgstore ask "Who was Chancellor of Germany in 1990?"
      cgstore ask --explain "Which team did Zinedine Zidane play for before Real Madrid CF?"
      cgstore ask --llm openai --base-url http://localhost:8000/v1 --model llama "..."
    """
    from cgstore.llm import get_backend

    mapping = mapping_choice(exact, threshold, linked)
    chosen = None
    if encoder:
        from cgstore.mapping.encoder import load_encoder

        chosen = load_encoder(encoder)
    backend = get_backend(llm, base_url=base_url, model=model, demonstrations=list(demonstrations), encoder=chosen)
    finish(store.ask(question, backend, list(sources) or None, **mapping), as_json, explain)
