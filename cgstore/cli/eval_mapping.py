"""`cgstore eval mapping`: how many damaged names of a source find their node again."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from cgstore.cli.common import connected, json_option, print_json

if TYPE_CHECKING:
    from cgstore.evaluate.mapping import Found
    from cgstore.store import Store

SHOWN = 3
"""Misses of each kind that are shown."""


@click.command()
@click.option("--source", required=True, help="The source whose heads are damaged and sought again.")
@click.option("--count", type=click.IntRange(min=1), default=150, show_default=True, help="Names of each kind.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--vectors/--no-vectors", default=False, help="Whether meaning counts too, where the graph has vectors.")
@json_option
@connected
def mapping(store: Store, source: str, count: int, seed: int, vectors: bool, as_json: bool) -> None:
    """Names of a source, damaged as an LLM or a person may, mapped to nodes again.

    One typo and two, a word dropped, words swapped, case and accents, underscores, no brackets; each sought by exact
    name, by full text, by vector, and by all merged.

    \b
    Example:
      cgstore eval mapping --source films --count 200 --seed 1
    """
    from cgstore.evaluate.mapping import damaged, heads_of, measure

    (stored,) = store.ready([source])
    names = heads_of(store.db, stored)
    cases = damaged(names, count, seed)
    started = time.perf_counter()
    results = measure(store.db, cases, [stored], store.graph_encoder() if vectors else None)
    seconds = time.perf_counter() - started
    if not as_json:
        _show(results)
    shares = {kind: {way: right / f.asked for way, right in f.right.items()} for kind, f in results.items()}
    print_json(
        {"benchmark": "mapping", "set": source, "n": len(cases), "metrics": shares, "seconds": round(seconds, 3)}
    )


def _show(results: Mapping[str, Found]) -> None:
    for kind, found in results.items():
        shares = "  ".join(f"{way} {right / found.asked:.1%}" for way, right in found.right.items())
        click.echo(f"{kind:<17} {found.asked:>5}  {shares}")
        for name, text, instead in found.missed[:SHOWN]:
            click.echo(f"    '{text}' for '{name}': {repr(instead) if instead else 'nothing'}")
