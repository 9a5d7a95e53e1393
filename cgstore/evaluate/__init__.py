"""Measures answers on benchmarks.

- `benchmarks`: each with its reader, sources, judge, gold programs and recorded replies.
- `run`: asks the questions by a backend; `known_programs` has those that run gold annotations and recorded replies.
- `scoring`: how right an answer is. `outcome`: the outcome of one question, and the file of a run.
- `summary`: the figures of a run and of two runs compared; `report_page` shows them.
- `mapping`: damaged names, and which of them find their nodes again.
"""
