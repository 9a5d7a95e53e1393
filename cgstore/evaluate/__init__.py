"""Benchmarks: readers of their files, programs known to be right, metrics, and reports.

- `metrics`: how right an answer is.
- `cronquestions`: CronQuestions' files -> questions in names.
- `cronquestions_programs`: such questions -> programs and demonstrations.
- `report`: asking them, and the figures by type.
- `replay`, with `recorded`, `replay_sets`, `replay_reasons` and `scoring`: recorded programs, run and scored as the
  reference does.
- `oracle`, with `reasons`: annotations as programs. `metaqa`, `wikisql` with its `_programs` and `_reasons`, `wtq`,
  `cron_like` and `webqsp` read those benchmarks.
- `loaded`: which files need not be loaded again.
"""
