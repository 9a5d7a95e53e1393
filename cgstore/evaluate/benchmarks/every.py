"""All benchmarks by name."""

from __future__ import annotations

from cgstore.evaluate.benchmarks import cron_like, cronquestions, cwq, metaqa, timequestions, webqsp, wikisql, wtq

BENCHMARKS = {
    benchmark.name: benchmark
    for benchmark in (
        wikisql.BENCHMARK,
        wtq.BENCHMARK,
        metaqa.BENCHMARK,
        webqsp.BENCHMARK,
        cwq.BENCHMARK,
        cronquestions.BENCHMARK,
        cron_like.BENCHMARK,
        timequestions.BENCHMARK,
    )
}
