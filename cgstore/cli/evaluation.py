"""`cgstore eval`: measurements on benchmarks, whose commands are in `eval_commands`."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

import click

from cgstore.cli.common import Imported


def _commands() -> Any:
    return resolve_name("cgstore.cli.eval_commands:COMMANDS")


@click.group(name="eval", commands=Imported(_commands, lambda name: _commands()[name]))
def evaluate() -> None:
    """Measure answers on a benchmark."""
