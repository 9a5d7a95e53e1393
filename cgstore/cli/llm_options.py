"""The options that choose a backend and say how its LLM is asked: the same for `ask`, `eval` and `demos build`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cgstore.cli.common import with_options
from cgstore.llm import BACKENDS, DECISIONS, PROMPTS
from cgstore.options import LANGUAGES

if TYPE_CHECKING:
    from cgstore.cypher.connection import Database
    from cgstore.llm import BackendKeywords
    from cgstore.llm.backends import Backend
    from cgstore.llm.chat.batch import BatchChat

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(file_okay=False, path_type=Path)


class _BackendName(click.ParamType):  # type: ignore[type-arg]
    """The name of a backend: one of `BACKENDS`, or `hf:` and the folder of a trained model."""

    name = "backend"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in BACKENDS and not value.startswith("hf:"):
            self.fail(f"'{value}' is not one of {', '.join(BACKENDS)}.", param, ctx)
        return value

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return f"[{'|'.join(BACKENDS)}]"


_OPTIONS = {
    "llm": click.option(
        "--llm",
        type=_BackendName(),
        help="What writes the program.  [default: openai with an OPENAI_API_KEY or OPENAI_BASE_URL, else small]",
    ),
    "base_url": click.option(
        "--base-url", envvar="OPENAI_BASE_URL", show_envvar=True, help="Any OpenAI-compatible endpoint."
    ),
    "model": click.option("--model", envvar="CGSTORE_MODEL", show_envvar=True, help="The name of the LLM there."),
    "llm_timeout": click.option(
        "--llm-timeout",
        type=click.FloatRange(0, 86_400, min_open=True),
        help="Seconds to wait for a reply of the endpoint.  [default: 300]",
    ),
    "constrain": click.option(
        "--constrain", is_flag=True, help="The endpoint holds the LLM to the grammar of programs (llama.cpp, vLLM)."
    ),
    "samples": click.option(
        "--samples", type=click.IntRange(1, 50), help="Programs that vote for an answer.  [default: 5]"
    ),
    "retries": click.option(
        "--retries", type=click.IntRange(0, 20), help="Times to ask again without an answer.  [default: 3]"
    ),
    "no_functions": click.option(
        "--no-functions", is_flag=True, help="Functions that the language lacks are errors; none goes to the LLM."
    ),
    "explore": click.option("--explore", is_flag=True, help="The LLM may look at the graph before it writes."),
    "lang": click.option("--lang", type=click.Choice(LANGUAGES), help="What programs are written in.  [default: llm]"),
    "decide": click.option(
        "--decide",
        type=click.Choice(DECISIONS),
        help="Several programs vote, or the first one that answers decides.  [default: vote; first for --llm replay]",
    ),
    "shots": click.option("--shots", type=click.IntRange(0, 50), help="Demonstrations in a prompt.  [default: 8]"),
    "demonstrations": click.option(
        "--demonstrations",
        multiple=True,
        type=_FILE,
        help="More demonstrations for prompts, as JSON Lines {question, program, kind}; may be repeated.",
    ),
    "masked": click.option("--masked", is_flag=True, help="Choose demonstrations by questions with masked names."),
    "prompt": click.option(
        "--prompt",
        type=click.Choice(PROMPTS),
        help="compact: some hundred tokens, for endpoints with small contexts.  [default: full]",
    ),
    "prompts": click.option(
        "--prompts", type=_FOLDER, envvar="CGSTORE_PROMPTS", show_envvar=True, help="Your own prompt files."
    ),
    "prompt_tokens": click.option(
        "--prompt-tokens", type=click.IntRange(500), help="Most tokens of a prompt.  [default: 8000]"
    ),
    "rows": click.option(
        "--rows",
        type=click.IntRange(0),
        help="Most rows of each table in a prompt; 0: no cell and no fact.  [default: as many as have room]",
    ),
    "batch": click.option("--batch", type=_FOLDER, help="For --llm batch: the folder of requests and replies."),
    "replies": click.option(
        "--replies", multiple=True, type=_FILE, help="For --llm replay: recorded replies; may be repeated."
    ),
    "no_corrections": click.option(
        "--no-corrections", is_flag=True, help="The LLM does not see what users corrected with `cgstore wrong`."
    ),
    "no_cache": click.option("--no-cache", is_flag=True, help="Send requests to the LLM again, not to the cache."),
    "risk": click.option(
        "--risk",
        type=click.FloatRange(0, 1),
        help="For --llm small: the share of all questions that it may answer wrongly.  [default: 0.02]",
    ),
    "reading": click.option(
        "--reading", type=click.IntRange(1), help="For --llm small: answer this reading of the question."
    ),
    "adapter": click.option("--adapter", type=_FILE, help="For --llm small: another adapter, a GGUF file."),
    "encoder": click.option(
        "--encoder", envvar="CGSTORE_ENCODER", show_envvar=True, help="Sentence encoder: a name or ./FOLDER."
    ),
}


def llm_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options; the command gets them as its argument `llm`, the keywords of `cgstore.llm.get_backend`."""

    @wraps(command)
    def with_llm(*args: object, **options: object) -> Any:
        chosen = {name: options.pop(name) for name in _OPTIONS}
        return command(*args, llm=_keywords(chosen), **options)

    wrapped: Callable[..., Any] = with_options(with_llm, tuple(_OPTIONS.values()))
    return wrapped


def _keywords(chosen: dict[str, Any]) -> BackendKeywords:
    """The keywords of `get_backend` for the options that were given."""
    given = {name: value for name, value in chosen.items() if value is not None and value is not False and value != ()}
    keywords: BackendKeywords = {"name": given.pop("llm", None)}
    if given.pop("no_functions", False):
        keywords["functions"] = False
    if given.pop("no_corrections", False):
        keywords["corrections"] = False
    if given.pop("no_cache", False):
        keywords["cache"] = False
    if "llm_timeout" in given:
        keywords["timeout"] = given.pop("llm_timeout")
    if encoder := given.pop("encoder", None):
        from cgstore.embedding.encoder import load_encoder

        keywords["encoder"] = load_encoder(encoder)
    return keywords | given


CONNECTION = ("uri", "user", "password", "database", "timeout")
"""The options that choose the graph, as click names them."""


def settings_of(parameters: Mapping[str, Any], llm: BackendKeywords) -> dict[str, Any]:
    """The options of a command that choose its graph and its backend, with what the files that they name hold.

    Two commands with the same ones, in the same environment, answer questions alike.

    Args:
        parameters: the options as the command line gave them.
        llm: from `llm_options`.
    """
    chosen = {name: parameters.get(name) for name in (*CONNECTION, *_OPTIONS)}
    is_relative = any(isinstance(value, str) and value.startswith(("hf:", ".")) for value in chosen.values())
    return {**chosen, **contents_of(llm), "folder": str(Path.cwd()) if is_relative else ""}


def contents_of(llm: BackendKeywords) -> dict[str, str]:
    """A hash of each kind of file that the options name, which tells files of the same names apart.

    A missing file counts for nothing here: whoever loads it says what is wrong.
    """
    prompts, name = llm.get("prompts"), llm.get("name") or ""
    files = {
        "model": [Path(name.removeprefix("hf:")) / "cgstore.json"] if name.startswith("hf:") else [],
        "prompts": sorted(prompts.glob("*.txt")) if prompts else [],
        "demonstrations": llm.get("demonstrations") or (),
        "replies": llm.get("replies") or (),
    }
    return {
        f"contents of {name}": hashlib.sha256(
            b"\0".join(path.read_bytes() for path in paths if path.is_file())
        ).hexdigest()[:16]
        for name, paths in files.items()
        if paths
    }


def backend_from(llm: BackendKeywords, db: Database | None = None) -> Backend:
    """The backend that the options choose; when the command ends, the state of a batch folder is printed.

    Args:
        llm: from `llm_options`.
        db: where demonstrations are stored; None: stored ones are not used.
    """
    from cgstore.llm import get_backend
    from cgstore.llm.chat.batch import BatchChat

    backend = get_backend(**llm, db=db)
    if isinstance(chat := backend.chat, BatchChat):
        click.get_current_context().call_on_close(lambda: _print_state(chat))
    return backend


def _print_state(chat: BatchChat) -> None:
    chat.sort_requests()
    state = chat.state
    missing = chat.write_missing()
    click.echo(f"Batch folder: {state}.", err=True)
    for problem in state.problems:
        click.echo(f"  {problem}", err=True)
    if missing:
        click.echo(f"Those without a reply, to be sent again: {missing}", err=True)
