"""A benchmark's train split as training questions for `demos build` (TrustUQA, section 3.4)."""

from __future__ import annotations

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.benchmark import Benchmark, Selection, to_learn_from
from cgstore.llm.demonstrations.build import TrainingQuestion
from cgstore.store import Store


def training_questions(
    store: Store, benchmark: Benchmark, selection: Selection, *, oracle: bool = False
) -> list[TrainingQuestion]:
    """Reads the questions of a selection, of words only those of `train`, and loads their sources.

    With `oracle`, each gets the program that its annotation stands for, as in `eval oracle`.
    """
    if oracle and not benchmark.oracle_sets:
        raise BadInput(f"The questions of {benchmark.name} have no annotation that a program can be made from.")
    selection = to_learn_from(benchmark, selection)
    questions = benchmark.read(selection).questions
    benchmark.load(store, selection, questions)
    return [
        TrainingQuestion(
            question.text,
            question.gold,
            question.sources,
            benchmark.program(question) if oracle else "",
        )
        for question in questions
    ]
