"""Groups whose commands import much: each is imported when it is used."""

from __future__ import annotations

from pkgutil import resolve_name

import click

from cgstore.cli.common import Imported


def _commands_of(module: str) -> Imported:
    def commands() -> dict[str, click.Command]:
        found: dict[str, click.Command] = resolve_name(f"cgstore.cli.{module}:COMMANDS")
        return found

    return Imported(commands, lambda name: commands()[name])


@click.group(name="eval", commands=_commands_of("eval_commands"))
def evaluate() -> None:
    """Measure answers on a benchmark."""


@click.group(commands=_commands_of("finetune"))
def finetune() -> None:
    """Train a model to write programs for questions: of your own (`--llm hf:FOLDER`), or the small one's adapter."""
