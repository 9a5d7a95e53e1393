"""`cgstore eval`: benchmarks through the ordinary path."""

from __future__ import annotations

import click


@click.group(name="eval")
def evaluate() -> None:
    """Measure answers on a benchmark."""
