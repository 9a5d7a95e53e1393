"""The benchmarks that `cgstore eval BENCHMARK` asks: one module each, and `every` has them by name.

- `benchmark`: what each of them gives: `Question`, `Setting`, `Drawn`, `Benchmark`.
- `wikisql`, `wtq`: a table a question.
- `metaqa`, `webqsp`, `cwq`: knowledge graphs; `subgraphs` loads what is published as facts for each question.
- `cronquestions`, `cron_like`, `timequestions`: temporal knowledge graphs.
"""
