"""The options that say which LLM writes programs and how it is asked: the same for `ask`, `eval` and `demos build`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from cgstore.cypher.connection import Database
    from cgstore.llm.backend import Backend
    from cgstore.llm.chat.batch import BatchChat

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(file_okay=False, path_type=Path)

_OPTIONS = {
    "llm": click.option(
        "--llm",
        type=click.Choice(["demos", "openai", "batch", "replay"]),
        help="What writes the program.  [default: openai with an OPENAI_API_KEY or OPENAI_BASE_URL, else demos]",
    ),
    "base_url": click.option(
        "--base-url", envvar="OPENAI_BASE_URL", show_envvar=True, help="Any OpenAI-compatible endpoint."
    ),
    "model": click.option("--model", envvar="CGSTORE_MODEL", show_envvar=True, help="The LLM's name there."),
    "samples": click.option(
        "--samples", type=click.IntRange(1, 50), help="Programs that vote for an answer.  [default: 5]"
    ),
    "retries": click.option(
        "--retries", type=click.IntRange(0, 20), help="Times to ask again without an answer.  [default: 3]"
    ),
    "no_functions": click.option(
        "--no-functions", is_flag=True, help="Functions that nobody defined are errors: none goes to the LLM."
    ),
    "explore": click.option("--explore", is_flag=True, help="The LLM may look at the graph before it writes."),
    "shots": click.option("--shots", type=click.IntRange(0, 50), help="Demonstrations in a prompt.  [default: 8]"),
    "demonstrations": click.option(
        "--demonstrations",
        multiple=True,
        type=_FILE,
        help="More demonstrations, as JSON Lines {question, program, kind}; may be repeated.",
    ),
    "masked": click.option(
        "--masked", is_flag=True, help="Compare questions with the names taken out, to choose demonstrations."
    ),
    "prompts": click.option(
        "--prompts", type=_FOLDER, envvar="CGSTORE_PROMPTS", show_envvar=True, help="Your own prompt files."
    ),
    "prompt_tokens": click.option(
        "--prompt-tokens", type=click.IntRange(500), help="Most tokens of a prompt.  [default: 6000]"
    ),
    "batch": click.option("--batch", type=_FOLDER, help="Of --llm batch: where requests and replies are."),
    "replies": click.option(
        "--replies", multiple=True, type=_FILE, help="Of --llm replay: recorded replies; may be repeated."
    ),
    "no_cache": click.option("--no-cache", is_flag=True, help="Ask the LLM again what it was asked before."),
    "encoder": click.option(
        "--encoder",
        envvar="CGSTORE_ENCODER",
        show_envvar=True,
        help="Sentence encoder: a name or ./FOLDER.",
    ),
}


def llm_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options; the command gets them as one argument `llm`: what `cgstore.llm.get_backend` takes."""

    @wraps(command)
    def with_llm(*args: Any, **options: Any) -> Any:
        chosen = {name: options.pop(name) for name in _OPTIONS}
        return command(*args, llm=_given(chosen), **options)

    wrapped: Callable[..., Any] = with_llm
    for option in reversed(_OPTIONS.values()):
        wrapped = option(wrapped)
    return wrapped


def _given(chosen: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `get_backend`, without those that were not given."""
    from cgstore.embedding.encoder import load_encoder

    given = {name: value for name, value in chosen.items() if value is not None and value is not False and value != ()}
    given["name"] = given.pop("llm", None)
    if given.pop("no_functions", False):
        given["functions"] = False
    if given.pop("no_cache", False):
        given["cache"] = False
    if encoder := given.pop("encoder", None):
        given["encoder"] = load_encoder(encoder)
    return given


def contents_of(llm: dict[str, Any]) -> dict[str, str]:
    """What tells the files that the options name from others of the same names: a hash of each kind of them."""
    given = {name: llm.get(name) or () for name in ("prompts", "demonstrations", "replies")}
    files = {
        name: sorted(paths.glob("*.txt")) if isinstance(paths, Path) else list(paths) for name, paths in given.items()
    }
    return {
        f"contents of {name}": hashlib.sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()[:16]
        for name, paths in files.items()
        if paths
    }


def backend_from(llm: dict[str, Any], db: Database | None = None) -> Backend:
    """The backend that the options say; at the end of the command a batch folder's state is told, on standard error.

    Args:
        llm: what `llm_options` gave.
        db: where demonstrations are stored; None: those are left out.
    """
    from cgstore.llm import get_backend
    from cgstore.llm.chat.batch import BatchChat

    backend = get_backend(db=db, **llm)
    if isinstance(chat := getattr(backend, "chat", None), BatchChat):
        click.get_current_context().call_on_close(lambda: _tell(chat))
    return backend


def _tell(chat: BatchChat) -> None:
    state = chat.state
    missing = chat.write_missing()
    click.echo(f"Batch folder: {state}.", err=True)
    for problem in state.problems:
        click.echo(f"  {problem}", err=True)
    if missing:
        click.echo(f"Those without a reply, to be sent again: {missing}", err=True)
