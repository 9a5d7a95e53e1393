"""`cgstore eval mapping`: how many damaged or paraphrased names find their node again."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cgstore.cli.common import connected, json_option, print_json
from cgstore.errors import BadInput

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder
    from cgstore.evaluate.mapping import Found
    from cgstore.evaluate.mapping_relations import Ranked
    from cgstore.store import Store

SHOWN = 3
"""Misses of each kind that are shown."""

SETS = ("metaqa", "cron_like", "webqsp_relations", "cronquestions_relations")
"""Entities of the first two, damaged; relations of the third, damaged, and of the fourth, paraphrased."""

THRESHOLDS = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)


@click.command()
@click.option("--source", help="A source whose heads are damaged and sought again.")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Instead of it, the folder with the benchmarks' own folders.",
)
@click.option(
    "--set", "sets", multiple=True, type=click.Choice(SETS), help="Of --data; may be repeated.  [default: all]"
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
    """Names, damaged as an LLM or a person may, or in other words, mapped to nodes again.

    One typo and two, a word dropped, words swapped, case and accents, underscores, no brackets; each sought by exact
    name, by full text, by vector, and by all merged; and which errors a threshold makes. Of the set
    cronquestions_relations, 203 relations are sought by two paraphrases each. With --vectors the source must have been
    embedded (cgstore embed); relations are encoded here.

    \b
    Examples:
      cgstore eval mapping --source films --count 200 --seed 1
      cgstore eval mapping --data .data --set webqsp_relations --vectors
    """
    if (source is None) == (data is None):
        raise BadInput("Either --source or --data says whose names are sought.", "Give one of them.")
    if source is not None:
        _entities(store, source, source, count, seed, vectors, as_json)
        return
    assert data is not None
    for name in sets or SETS:
        if name in ("metaqa", "cron_like"):
            _entities(store, name, _loaded(store, data, name), count, seed, vectors, as_json)
        else:
            _relations(name, data, count, seed, vectors, as_json)


def _loaded(store: Store, data: Path, name: str) -> str:
    """The source of a set, loaded if it is not."""
    from cgstore.evaluate.benchmarks import BENCHMARKS
    from cgstore.evaluate.benchmarks.benchmark import Selection

    BENCHMARKS[name].load(store, Selection(data), ())
    return f"eval/{name}"


def _entities(store: Store, name: str, source: str, count: int, seed: int, vectors: bool, as_json: bool) -> None:
    from cgstore.evaluate.mapping import damaged, errors_of, heads_of, measure

    (stored,) = store.ready([source])
    cases = damaged(heads_of(store.db, stored), count, seed)
    started = time.perf_counter()
    encoder = store.graph_encoder() if vectors else None
    if vectors and encoder is None:
        raise BadInput(f"'{source}' has no vectors.", f"Make them: cgstore embed {source}")
    results = measure(store.db, cases, [stored], encoder)
    seconds = time.perf_counter() - started
    errors = errors_of([each for found in results.values() for each in found.scored], THRESHOLDS)
    if not as_json:
        _show(results)
        for e in errors:
            click.echo(
                f"threshold {e.threshold:.2f}  right but rejected {e.rejected:.1%}  wrong and taken {e.wrong:.1%}  "
                f"taken though not there {e.accepted:.1%}"
            )
    shares = {kind: {way: right / f.asked for way, right in f.right.items()} for kind, f in results.items()}
    _headline(name, len(cases), shares, seconds, thresholds=[vars(e) for e in errors])


def _relations(name: str, data: Path, count: int, seed: int, vectors: bool, as_json: bool) -> None:
    from cgstore.evaluate.mapping_relations import damaged_relations, freebase_relations, measure_relations, paraphrased

    started = time.perf_counter()
    if name == "webqsp_relations":
        names = freebase_relations(data / "webqsp")
        cases = damaged_relations(names, count, seed)
    else:
        cases = paraphrased()
        names = sorted({case.name for case in cases})
    results = measure_relations(cases, names, _encoder(vectors))
    if not as_json:
        _show_ranked(results)
    shares = {
        kind: {f"{way}_top{top}": right[way] / r.asked for top, right in ((1, r.first), (5, r.near)) for way in right}
        for kind, r in results.items()
    }
    _headline(name, len(cases), shares, time.perf_counter() - started)


def _encoder(vectors: bool) -> Encoder | None:
    if not vectors:
        return None
    from cgstore.embedding.encoder import load_encoder

    return load_encoder()


def _headline(name: str, n: int, metrics: dict[str, Any], seconds: float, **more: Any) -> None:
    print_json({"benchmark": "mapping", "set": name, "n": n, "metrics": metrics, "seconds": round(seconds, 3), **more})


def _show(results: Mapping[str, Found]) -> None:
    for kind, found in results.items():
        shares = "  ".join(f"{way} {right / found.asked:.1%}" for way, right in found.right.items())
        click.echo(f"{kind:<17} {found.asked:>5}  {shares}")
        _show_missed([(name, text, (instead,) if instead else ()) for name, text, instead in found.missed])


def _show_ranked(results: Mapping[str, Ranked]) -> None:
    for kind, ranked in results.items():
        shares = "  ".join(
            f"{way} {ranked.first[way] / ranked.asked:.1%}, in five {ranked.near[way] / ranked.asked:.1%}"
            for way in ranked.first
        )
        click.echo(f"{kind:<17} {ranked.asked:>5}  {shares}")
        _show_missed(ranked.missed)


def _show_missed(missed: Sequence[tuple[str, str, Sequence[str]]]) -> None:
    for name, text, instead in missed[:SHOWN]:
        click.echo(f"    '{text}' for '{name}': {', '.join(map(repr, instead)) or 'nothing'}")
