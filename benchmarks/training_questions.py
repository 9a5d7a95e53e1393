"""Training and test questions of MetaQA and cron_like (docs/benchmarks.md): nothing that is tested is trained.

    python benchmarks/training_questions.py --data .data --out questions

writes into the folder `questions`

- `metaqa.jsonl`: recorded programs for training questions, without those that the dev files have too;
- `cron_like.jsonl`: programs of two thirds of the questions of the templates that may be seen;
- `cron_like_seen.jsonl`, `cron_like_unseen.jsonl`: other questions of these templates, and all questions of a sixth of
  the templates, for `cgstore eval cron_like --questions`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from pathlib import Path

from cgstore.evaluate.benchmarks.cronquestions import program_for, read_questions
from cgstore.finetune.data import question_key, questions_in, read_lines

HOPS = (1, 2, 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    _metaqa(given.data, given.out)
    _cron_like(given.data / "cron_like", given.out, random.Random(given.seed))


def _metaqa(data: Path, out: Path) -> None:
    """Recorded programs, without dev questions."""
    dev = {question_key(q) for hop in HOPS for q in questions_in(data / f"metaqa/{hop}-hop/vanilla/qa_dev.txt")}
    lines = [line for hop in HOPS for line in read_lines(data / f"recorded/metaqa_{hop}hop.jsonl")]
    kept = [line for line in lines if question_key(line.question) not in dev]
    _write(out / "metaqa.jsonl", [{"question": line.question, "reply": line.program} for line in kept])
    print(f"metaqa: {len(kept):,} of {len(lines):,} recorded questions, the others are dev questions")


def _cron_like(folder: Path, out: Path, draw: random.Random) -> None:
    path = folder / "questions_dev.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    questions = list(read_questions(path))
    templates = sorted({question.template for question in questions})
    unseen = set(draw.sample(templates, len(templates) // 6))
    seen = [number for number, question in enumerate(questions) if question.template not in unseen]
    draw.shuffle(seen)
    training, test = seen[: 2 * len(seen) // 3], seen[2 * len(seen) // 3 :]
    trained = {question_key(questions[number].text) for number in training}
    test = [number for number in test if question_key(questions[number].text) not in trained]
    never = [number for number, question in enumerate(questions) if question.template in unseen]
    programs = [{"question": questions[n].text, "program": program_for(questions[n])} for n in training]
    _write(out / "cron_like.jsonl", programs)
    _write(out / "cron_like_seen.jsonl", [records[number] for number in test])
    _write(out / "cron_like_unseen.jsonl", [records[number] for number in never])
    print(f"cron_like: {len(training):,} questions for training, {len(test):,} others of their templates,")
    print(f"{len(never):,} of {len(unseen)} other templates, of {len(templates)} in all")


def _write(path: Path, records: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records), encoding="utf-8")


if __name__ == "__main__":
    main()
