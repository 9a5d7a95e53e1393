"""`cgstore eval`: measurements on benchmarks, whose commands are in `eval_commands`."""

from __future__ import annotations

from collections.abc import MutableMapping

import click


class _EvalGroup(click.Group):
    """Imports its commands when one is wanted, so that no other command of cgstore waits for the benchmarks."""

    @property
    def commands(self) -> MutableMapping[str, click.Command]:
        from cgstore.cli.eval_commands import COMMANDS

        return COMMANDS

    @commands.setter
    def commands(self, _: MutableMapping[str, click.Command]) -> None:
        """Ignores the empty dictionary that click sets."""


@click.group(name="eval", cls=_EvalGroup)
def evaluate() -> None:
    """Measure answers on a benchmark."""
