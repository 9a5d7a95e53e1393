"""Benchmarks: readers of their files, programs known to be right, metrics, and reports.

- `metrics`: how right an answer is.
- `cronquestions`: CronQuestions' files -> questions in names.
- `cronquestions_programs`: such questions -> programs and demonstrations.
- `report`: asking them, and the figures by type.
"""
