"""Examples of a user's own questions over the sources that are loaded, by which an adapter of the small model learns.

They are questions with programs of a file, and those that were called right or corrected by a program (`feedback`).
The prompt is the one in use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from cgstore.errors import BadInput
from cgstore.finetune.corpora import Example, example_in
from cgstore.finetune.pipeline import make_examples
from cgstore.llm.demonstrations.build import TrainingQuestion
from cgstore.llm.demonstrations.stored import State
from cgstore.llm.graph_view import GraphView
from cgstore.llm.small.notation import nested
from cgstore.llm.small.view import prompt_of
from cgstore.query.parse import parse
from cgstore.store import Store


def collected(store: Store) -> list[TrainingQuestion]:
    """The questions of the graph whose programs are right, as users said or as demonstrations were added."""
    right = [each for each in store.demonstrations() if each.state == State.RIGHT]
    return [TrainingQuestion(each.question, each.gold, each.sources, each.program) for each in right]


def write_mine(store: Store, questions: Sequence[TrainingQuestion], path: Path) -> Counter[str]:
    """Writes the examples of questions with programs; returns how many were kept and left out.

    One is left out if its sources are not loaded, or its prompt lacks a relation of its program.

    Raises:
        BadInput: none is left.
    """
    views: dict[tuple[str, ...], GraphView] = {}

    def example(question: TrainingQuestion) -> Example | None:
        with suppress(BadInput):
            if question.sources not in views:
                views[question.sources] = GraphView(store.db, store.ready(list(question.sources) or None))
            prompt = prompt_of(question.text, views[question.sources])
            return example_in(prompt, nested(parse(question.program)))
        return None

    counts = make_examples({"mine": map(example, questions)}, path)["mine"]
    if not counts["kept"]:
        hint = "Say `right` to answers, or give questions with programs over sources that are loaded."
        raise BadInput("There is no question with a program to learn from.", hint)
    return counts
