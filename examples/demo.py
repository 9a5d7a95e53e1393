"""`make demo`: a real Neo4j is started, examples/world.tsv loaded, and the questions beside it asked and checked.

What it prints is what `cgstore ask` prints; the questions are asked in one process, so that the encoder loads once.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from cgstore.cli.query import render
from cgstore.errors import CgstoreError
from cgstore.llm import get_backend
from cgstore.store import connect

HERE = Path(__file__).parent
SOURCE = "examples/world"
SHOWN = 8
"""How many of the questions are asked: the first ones, each of another type."""


def main() -> int:
    started = time.perf_counter()
    with connect(on_start=lambda info: print(f"Started Neo4j {info.version}: {info.http}/browser/")) as store:
        report = store.load_tkg(HERE / "world.tsv", name=SOURCE, replace=True)
        done = "loaded already" if report.unchanged else "loaded"
        print(f"{done}: {report.facts} facts as {report.triples:,} condition triples\n")
        backend = get_backend("demos")
        right = 0
        questions = [line.split("\t") for line in (HERE / "questions.tsv").read_text(encoding="utf-8").splitlines()]
        for question, expected, kind in questions[:SHOWN]:
            answer = store.ask(question, backend, [SOURCE])
            correct = set(map(str, answer.answer)) == set(expected.split("|"))
            right += correct
            print(f'$ cgstore ask "{question}"    # {kind}\n')
            print(render(answer))
            print(f"\n{'Right.' if correct else f'WRONG: expected {expected}.'}\n{'-' * 100}")
    print(f"{right} of {SHOWN} right in {time.perf_counter() - started:.1f} s. Neo4j keeps running:")
    print('  ask more with   .venv/bin/cgstore ask "Who was pope in 1970?"')
    print("  stop it with    .venv/bin/cgstore server stop")
    return 0 if right == SHOWN else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CgstoreError as error:
        print(f"Error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
