"""A user's own questions over the sources that are loaded: JSON Lines `{"question", "answer", "source"}`.

The answer is a text, a number, or a list of these; questions without one are left out. The source is a name or a list
of names. The type of a question, by which reports count, is its sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.benchmark import Benchmark, Drawn, Question, Selection, draw_with_gold
from cgstore.llm.demonstrations.build import TrainingQuestion, read_questions
from cgstore.store import Store
from cgstore.text.names import source_name

FORM = '{"question": "...", "answer": ["..."], "source": "..."}'


def benchmark_of(path: Path, sources: Sequence[str], every: Sequence[str]) -> Benchmark:
    """Returns the benchmark of a user's file.

    Args:
        path: the file.
        sources: the sources of a question that names none.
        every: all that are ready, for a question that names none if `sources` is empty.
    """

    def asked(number: int, given: TrainingQuestion) -> Question:
        named = given.sources or tuple(sources)
        kind = ", ".join(map(source_name, named)) or "all sources"
        return Question(str(number), given.text, tuple(dict.fromkeys(given.gold)), kind, named or tuple(every))

    def read(selection: Selection) -> Drawn:
        questions = [asked(*each) for each in enumerate(read_questions(path), 1)]
        if questions and not any(each.gold for each in questions):
            raise BadInput(f"No question of {path.name} has an answer to compare with.", f"A line looks like {FORM}")
        return draw_with_gold(questions, selection)

    return Benchmark("mine", "Your own questions over the sources that are loaded.", "", read, _check, set_name=_name)


def _name(selection: Selection) -> str:
    return selection.questions.name if selection.questions else "mine"


def _check(store: Store, selection: Selection, questions: Sequence[Question]) -> None:
    """Nothing is loaded.

    Raises:
        BadInput: a source is missing or not ready.
    """
    for sources in dict.fromkeys(question.sources for question in questions):
        store.ready(list(sources))
