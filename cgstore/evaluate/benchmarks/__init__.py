"""The benchmarks. A new one touches its module and this list; the command line learns of it here."""

from __future__ import annotations

from cgstore.evaluate.benchmarks import cronquestions, freebase, metaqa, multitq, timequestions, wikisql, words, wtq
from cgstore.evaluate.benchmarks.benchmark import Benchmark

BENCHMARKS: dict[str, Benchmark] = {
    each.name: each
    for each in (
        wikisql.BENCHMARK,
        metaqa.BENCHMARK,
        wtq.BENCHMARK,
        *freebase.BENCHMARKS,
        *cronquestions.BENCHMARKS,
        timequestions.BENCHMARK,
        multitq.BENCHMARK,
        words.BENCHMARK,
    )
}
"""By name, in the order in which the sets of `eval oracle` and `eval replay` run."""

ORACLE_SETS = {name: each for each in BENCHMARKS.values() for name in each.oracle_sets}
REPLAY_SETS = {name: each for each in BENCHMARKS.values() for name in each.replay_sets}
