"""Benchmarks: readers of their files, programs known to be right, measures, and reports.

- `metrics`: how right an answer is; `scoring`: the same as the reference judges it. `report`: the measures by name, and
  what came of many questions.
- `cronquestions`, with `cronquestions_facts` and `cronquestions_programs`, `cron_like`, `metaqa`, `webqsp`, `wikisql`,
  with `wikisql_programs` and `wikisql_reasons`, and `wtq`: each reads the files of one benchmark, and may make programs
  of its annotations. `loaded`: which files need not be loaded again.
- `benchmarks`: what `cgstore eval BENCHMARK` asks. `benchmark_run` runs one: `asking` asks the questions, `asked` is
  what came of one, `outcomes_file` keeps it, `summary` has the figures with their `intervals`; `report_page`, with
  `svg`, shows them, and `compare` sets two runs side by side.
- `oracle`, with `reasons`: annotations as programs.
- `replay`, with `sample`, `replay_sets` and `replay_reasons`: recorded programs, run and scored as the reference
  does.
- `mapping` and `mapping_relations`: names mistyped by `damage`, and which of them find their nodes again.
"""
