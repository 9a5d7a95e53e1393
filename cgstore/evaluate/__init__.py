"""Measures answers on benchmarks.

- `benchmarks`: one module each, with its reader, sources, judge, gold programs and recorded replies.
- `run`: asks the questions by a backend; `oracle` runs gold annotations, `replay` recorded replies of an LLM.
- `scoring`: how right an answer is. `outcome`: the outcome of one question; `outcomes_file` stores it.
- `summary`: the figures of a run; `report_page` shows them, `compare` compares two runs.
- `mapping`: damaged names (`damage`), and which of them find their nodes again.
"""
