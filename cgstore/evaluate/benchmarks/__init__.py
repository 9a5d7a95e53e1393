"""The benchmarks, one module each. A new one touches its module and this list; the command line learns of it here."""

from __future__ import annotations

from cgstore.evaluate.benchmarks import cron_like, cronquestions, cwq, metaqa, timequestions, webqsp, wikisql, wtq
from cgstore.evaluate.benchmarks.benchmark import Benchmark

BENCHMARKS: dict[str, Benchmark] = {
    module.BENCHMARK.name: module.BENCHMARK
    for module in (wikisql, metaqa, wtq, webqsp, cwq, cronquestions, cron_like, timequestions)
}
"""By name, in the order in which the sets of `eval oracle` and `eval replay` run."""

ORACLE_SETS = {name: each for each in BENCHMARKS.values() for name in each.oracle_sets}
REPLAY_SETS = {name: each for each in BENCHMARKS.values() for name in each.replay_sets}
