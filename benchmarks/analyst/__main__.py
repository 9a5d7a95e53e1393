"""`python -m benchmarks.analyst` writes `questions.jsonl` with the gold answers computed from the three tables."""

import json

from benchmarks.analyst import FOLDER
from benchmarks.analyst.gold import answers

lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in answers()]
(FOLDER / "questions.jsonl").write_text("".join(lines), encoding="utf-8")
