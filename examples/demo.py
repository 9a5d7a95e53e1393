"""`make demo`: a real Neo4j is started, examples/world.tsv loaded, and the questions beside it asked and checked.

What it prints is what `cgstore ask` prints; the questions are asked in one process, so that the small model loads once.
Where the model is not sure enough of any reading, the program of the question is run, as by `cgstore query`.
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
        backend = get_backend("small")
        right = wrong = 0
        questions = [line.split("\t") for line in (HERE / "questions.tsv").read_text(encoding="utf-8").splitlines()]
        for question, expected, kind, program in questions[:SHOWN]:
            answer = store.ask(question, backend, [SOURCE])
            print(f'$ cgstore ask "{question}"    # {kind}\n')
            print(render(answer))
            right += not answer.abstained
            if answer.abstained:
                answer = store.query(program, [SOURCE])
                print(f'\n$ cgstore query "{program}"\n')
                print(render(answer))
            is_right = set(map(str, answer.answer)) == set(expected.split("|"))
            wrong += not is_right
            print(f"\n{'Right.' if is_right else f'WRONG: expected {expected}.'}\n{'-' * 100}")
    asked = f"{right} of {SHOWN} questions answered by the small model, the others by their programs; {wrong} wrong"
    print(f"{asked}; {time.perf_counter() - started:.1f} s. Neo4j keeps running:")
    print('  ask more with   .venv/bin/cgstore ask "Who was pope in 1970?"')
    print("  stop it with    .venv/bin/cgstore server stop")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CgstoreError as error:
        print(f"Error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
