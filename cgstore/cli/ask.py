"""`cgstore ask`: a question in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cgstore.cli.answer import finish
from cgstore.cli.common import connected, json_option, mapping_options, sources_option, timeout_option
from cgstore.cli.llm_options import backend_from, llm_options

if TYPE_CHECKING:
    from cgstore.llm import BackendKeywords
    from cgstore.options import QueryKeywords
    from cgstore.store import Store


@click.command()
@click.argument("question")
@click.option("--explain", is_flag=True, help="Show names, execution query, Cypher, all evidence and timing.")
@llm_options
@mapping_options
@sources_option
@timeout_option
@json_option
@connected
def ask(
    store: Store,
    question: str,
    explain: bool,
    llm: BackendKeywords,
    mapping: QueryKeywords,
    sources: Sequence[str],
    timeout: float,
    as_json: bool,
) -> None:
    """Answer a QUESTION in plain words, with the program, and the condition triples that prove the answer.

    An LLM writes several programs, the database runs them, and the answers vote. If there is no answer, the LLM learns
    what its programs gave and writes others. Without an LLM, `demos` rewrites the nearest demonstration with the names
    in the question. If no program can be trusted, a note says why, with the closest names or questions (exit code 1).

    \b
    Examples:
      cgstore ask "Who was Chancellor of Germany in 1990?"
      cgstore ask --explain "Which team did Zinedine Zidane play for before Real Madrid CF?"
      cgstore ask --base-url http://localhost:8000/v1 --model llama --samples 1 "..."
      cgstore ask --explore "Who directed the films that Ada Brandt wrote?"
    """
    backend = backend_from(llm, store.db)
    finish(store.ask(question, backend, list(sources) or None, **mapping), as_json, explain)
