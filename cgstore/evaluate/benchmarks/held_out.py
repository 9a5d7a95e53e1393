"""CronQuestions without an LLM: demonstrations made from other questions, the asked one left out."""

from __future__ import annotations

from collections.abc import Callable

from cgstore.embedding.encoder import Encoder, load_encoder
from cgstore.evaluate import cronquestions
from cgstore.evaluate.benchmarks.benchmark import Question, Setting
from cgstore.evaluate.benchmarks.cronquestions import QUESTIONS
from cgstore.evaluate.cronquestions_facts import read_labels
from cgstore.evaluate.cronquestions_programs import demonstrations_from
from cgstore.llm.backend import Backend
from cgstore.llm.backends.rewrite import RewriteBackend
from cgstore.llm.demonstrations import Demonstration

TRAINING = "complex_valid.jsonl"
"""Real questions of the hard types, whose facts are published nowhere; demonstrations need none."""


def held_out_backends(
    setting: Setting, unseen_templates: bool = False, encoder: Encoder | None = None
) -> Callable[[Question], Backend]:
    """The backend `demos` for each question, with the demonstrations that may be known when it is asked.

    Args:
        setting: which questions are asked.
        unseen_templates: whether the demonstration of the question's own template is left out too, so that its wording
            has not been seen.
        encoder: loaded if None.

    Raises:
        BadInput: a file is missing or malformed.
        NoModel: there is no encoder.
    """
    folder = setting.folder("cronquestions")
    labels = read_labels(folder)
    asked = list(cronquestions.read_questions(setting.questions or folder / QUESTIONS, *labels))
    training = [*asked, *cronquestions.read_questions(folder / TRAINING, *labels)]
    by_text = {(each.id, each.canonical_text if setting.canonical else each.text): each for each in asked}
    chosen = encoder or load_encoder()

    def backend_of(question: Question) -> Backend:
        origin = by_text[question.id.partition("#")[0], question.text]
        template = origin.template if unseen_templates else None
        made = demonstrations_from(training, exclude_id=origin.id, exclude_template=template)
        return RewriteBackend([Demonstration(d["question"], d["program"], d["kind"]) for d in made], chosen)

    return backend_of
