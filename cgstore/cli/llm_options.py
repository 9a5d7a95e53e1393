"""The options that choose a backend and say how its LLM is asked: the same for `ask`, `eval` and `demos build`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cgstore.cli.options import parameter_of, taking
from cgstore.llm import BackendOptions

if TYPE_CHECKING:
    from cgstore.cypher.connection import Database
    from cgstore.llm import BackendKeywords
    from cgstore.llm.backends import Backend
    from cgstore.llm.chat.batch import BatchChat

llm_options = taking("llm", BackendOptions)
"""Adds the options; the command gets them as its argument `llm`, the keywords of `cgstore.llm.get_backend`."""

CONNECTION = ("uri", "user", "password", "database", "timeout")
"""The options that choose the graph, as click names them."""


def settings_of(parameters: Mapping[str, Any], llm: BackendKeywords) -> dict[str, Any]:
    """The options of a command that choose its graph and its backend, with what the files that they name hold.

    Two commands with the same ones, in the same environment, answer questions alike.

    Args:
        parameters: the options as the command line gave them.
        llm: from `llm_options`.
    """
    chosen = {name: parameters.get(name) for name in (*CONNECTION, *map(parameter_of, fields(BackendOptions)))}
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
