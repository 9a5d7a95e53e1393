"""`python -m benchmarks.analyst.check` runs `programs.jsonl` and compares the answers with the gold ones.

The sources `shops`, `staff` and `orders` must be loaded. It prints each wrong answer with its notes, and the share of
right ones; with `--all`, all answers.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.analyst import FOLDER
from cgstore import connect
from cgstore.errors import CgstoreError
from cgstore.evaluate.benchmarks.mine import FIELDS, same_answer
from cgstore.model import Answer
from cgstore.store import Store

IN_FLIGHT = 4
"""Programs run at a time."""


def records(path: Path) -> list[dict[str, Any]]:
    """The lines of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def is_right(gold: Sequence[Any], answer: Answer) -> bool:
    """Whether an answer has the gold values, or the gold rows where these have several columns, in whatever order."""
    if gold and isinstance(gold[0], list):
        return same_answer([FIELDS.join(row) for row in gold], answer.lines)
    return same_answer(gold, answer.answer)


def checked(store: Store) -> Iterator[tuple[dict[str, Any], Answer | CgstoreError, bool]]:
    """Each question with its program's answer, or error, and whether it is right."""
    programs = {record["id"]: record["program"] for record in records(FOLDER / "programs.jsonl")}

    def run(question: dict[str, Any]) -> Answer | CgstoreError:
        try:
            return store.query(programs[question["id"]], question["source"])
        except CgstoreError as error:
            return error

    questions = records(FOLDER / "questions.jsonl")
    with ThreadPoolExecutor(IN_FLIGHT) as pool:
        for question, answer in zip(questions, pool.map(run, questions), strict=True):
            yield question, answer, isinstance(answer, Answer) and is_right(question["answer"], answer)


def main() -> None:
    """Print what is wrong, and how many are right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="print all answers")
    everything = parser.parse_args().all
    right = noted = total = 0
    with connect(timeout=120) as store:
        for question, answer, good in checked(store):
            total, right = total + 1, right + good
            notes = answer.warnings if isinstance(answer, Answer) else ()
            noted += bool(notes)
            if everything or not good:
                given = (answer.rows or answer.answer) if isinstance(answer, Answer) else answer
                print(f"{'right' if good else 'WRONG'} {question['id']} {question['question']}")
                print(
                    f"   gold {question['answer']}\n   got  {given}", *(f"\n   note {note}" for note in notes), sep=""
                )
    print(f"{right} of {total} right; {noted} answers have notes.")


if __name__ == "__main__":
    main()
