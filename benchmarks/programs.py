"""Programs over cron_like: are the answers the gold answers, and how long does a statement take?

    python benchmarks/programs.py --data .data/cron_like --count 500

The programs are written from the questions' annotations, no LLM; names are mapped, the program compiled and run through
the ordinary path. The facts are loaded as the source `eval/cron_like`, if they are not there yet.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import defaultdict
from pathlib import Path

from cgstore.evaluate.benchmarks.cronquestions import program_for, read_questions
from cgstore.store import connect

SOURCE = "eval/cron_like"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(".data/cron_like"))
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-evidence", action="store_true")
    options = parser.parse_args()
    questions = list(read_questions(options.data / "questions_dev.jsonl.gz"))
    asked = random.Random(options.seed).sample(questions, options.count)
    times: dict[str, list[float]] = defaultdict(list)
    right: dict[str, int] = defaultdict(int)
    texts = set()
    with connect(timeout=120) as store:
        store.load_tkg(options.data / "kg.tsv.gz", name=SOURCE, replace=True, progress=True)
        for warm in (True, False):  # the first round fills Neo4j's plan cache
            for question in asked if not warm else asked[:100]:
                started = time.perf_counter()
                answer = store.query(program_for(question), [SOURCE], evidence=not options.no_evidence)
                if not warm:
                    times[question.type].append(1000 * (time.perf_counter() - started))
                    right[question.type] += set(map(str, answer.answer)) == set(question.gold)
                    texts.add(answer.cypher[0])
    for kind, values in sorted(times.items()):
        median, slow = statistics.median(values), sorted(values)[int(0.95 * len(values))]
        print(f"{kind:<14} {right[kind]:>4} of {len(values):<4} right   median {median:7.1f} ms   95% {slow:8.1f} ms")
    total = sum(len(v) for v in times.values())
    print(f"{'all':<14} {sum(right.values()):>4} of {total:<4} right   {len(texts)} distinct statements")


if __name__ == "__main__":
    main()
