"""`cgstore eval mapping`: how many damaged or paraphrased names find their node again."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import click

from cgstore.cli.common import connected, json_option, print_json
from cgstore.embedding.encoder import load_encoder
from cgstore.errors import BadInput
from cgstore.evaluate import mapping as names
from cgstore.evaluate.benchmarks import BENCHMARKS
from cgstore.evaluate.benchmarks.benchmark import Selection
from cgstore.evaluate.benchmarks.freebase import union_facts
from cgstore.evaluate.mapping import Found
from cgstore.store import Store

SHOWN = 3
"""The number of missed names shown for each kind of damage."""

SETS = ("metaqa", "cron_like", "webqsp_relations", "cronquestions_relations")
"""Damaged entities of the first two, damaged relations of the third, paraphrased relations of the fourth."""

THRESHOLDS = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)


@click.command()
@click.option("--source", help="A source whose heads are damaged and searched again.")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Instead of --source: the folder with the benchmarks' own folders.",
)
@click.option(
    "--set", "sets", multiple=True, type=click.Choice(SETS), help="A set of --data; may be repeated.  [default: all]"
)
@click.option("--count", type=click.IntRange(min=1), default=150, show_default=True, help="Names of each kind.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--vectors/--no-vectors", default=False, help="Whether meaning counts too.")
@json_option
@connected
def mapping(
    store: Store,
    source: str | None,
    data: Path | None,
    sets: tuple[str, ...],
    count: int,
    seed: int,
    vectors: bool,
    as_json: bool,
) -> None:
    """Damaged or paraphrased names, mapped to their nodes again.

    The damage is what an LLM or a person may do: one typo and two, a word dropped, words swapped, case and accents,
    underscores, no brackets. Each name is searched by exact name, by full text, by vector, and by all merged; the
    errors of several thresholds follow. With --vectors the source must have been embedded (cgstore embed).

    \b
    Examples:
      cgstore eval mapping --source films --count 200 --seed 1
      cgstore eval mapping --data .data --set webqsp_relations --vectors
    """
    if (source is None) == (data is None):
        raise BadInput("Either --source or --data says whose names are searched.", "Give one of them.")
    if source is not None:
        _measure_entities(store, source, source, count, seed, vectors, as_json)
        return
    assert data is not None
    for name in sets or SETS:
        if name.endswith("_relations"):
            _measure_relations(name, data, count, seed, vectors, as_json)
        else:
            BENCHMARKS[name].load(store, Selection(data), ())
            _measure_entities(store, name, f"eval/{name}", count, seed, vectors, as_json)


def _measure_entities(
    store: Store, name: str, source: str, count: int, seed: int, vectors: bool, as_json: bool
) -> None:
    (stored,) = store.ready([source])
    cases = names.damaged(names.heads_of(store.db, stored), count, seed)
    started = time.perf_counter()
    encoder = store.graph_encoder() if vectors else None
    if vectors and encoder is None:
        raise BadInput(f"'{source}' has no vectors.", f"Make them: cgstore embed {source}")
    results = names.measure(store.db, cases, [stored], encoder)
    seconds = time.perf_counter() - started
    errors = names.errors_of([each for found in results.values() for each in found.scored], THRESHOLDS)
    if not as_json:
        _show(results)
        for e in errors:
            click.echo(
                f"threshold {e.threshold:.2f}  right but rejected {e.rejected:.1%}  wrong and taken {e.wrong:.1%}  "
                f"taken though not there {e.accepted:.1%}"
            )
    _headline(name, len(cases), results, seconds, thresholds=[vars(e) for e in errors])


def _measure_relations(name: str, data: Path, count: int, seed: int, vectors: bool, as_json: bool) -> None:
    started = time.perf_counter()
    if name == "webqsp_relations":
        relations = sorted({relation for _, relation, _ in union_facts(data / "webqsp")})
        cases = names.damaged_relations(relations, count, seed)
    else:
        cases = names.paraphrased()
        relations = sorted({case.name for case in cases})
    results = names.measure_relations(cases, relations, load_encoder() if vectors else None)
    if not as_json:
        _show(results)
    _headline(name, len(cases), results, time.perf_counter() - started)


def _headline(name: str, n: int, results: Mapping[str, Found], seconds: float, **more: list[dict[str, float]]) -> None:
    metrics = {kind: found.shares for kind, found in results.items()}
    print_json({"benchmark": "mapping", "set": name, "n": n, "metrics": metrics, "seconds": round(seconds, 3), **more})


def _show(results: Mapping[str, Found]) -> None:
    """Prints the shares of each kind of damage, and some names that were missed."""
    for kind, found in results.items():
        named = {way.replace("_top1", "").replace("_top5", " in five"): share for way, share in found.shares.items()}
        shares = "  ".join(f"{way} {share:.1%}" for way, share in named.items())
        click.echo(f"{kind:<17} {found.asked:>5}  {shares}")
        for name, text, instead in found.missed[:SHOWN]:
            click.echo(f"    '{text}' for '{name}': {', '.join(map(repr, instead)) or 'nothing'}")
