"""CronQuestions' real part through the whole path: facts loaded, demonstrations made, questions asked and scored."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from cgstore.evaluate.cronquestions import Question, read_facts, read_labels, read_questions
from cgstore.evaluate.cronquestions_programs import Demonstration, demonstrations_from
from cgstore.evaluate.report import Outcome, Report, evaluate_each
from cgstore.llm.demonstrations import Demonstration as Shot
from cgstore.llm.demos import DemosBackend
from cgstore.mapping.encoder import load_encoder
from cgstore.model import Answer
from cgstore.store import Store

SOURCE = "eval/cronquestions"
"""The source that the benchmark's facts are loaded as; kept for the next run."""


@dataclass(frozen=True)
class Setting:
    """What is asked, and from which demonstrations.

    `canonical` asks with every entity by its label, where the benchmark's own text may have an alias that the facts do
    not know. `unseen_templates` also leaves out the demonstration of the asked question's template, so that its wording
    has not been seen; the asked question itself is left out always.
    """

    canonical: bool = False
    unseen_templates: bool = False
    limit: int | None = None
    seed: int = 0

    @property
    def name(self) -> str:
        """The set's name in reports."""
        return f"{'canonical' if self.canonical else 'text'}, {'unseen' if self.unseen_templates else 'seen'} templates"


def run(
    store: Store,
    data: Path,
    questions_file: Path | None = None,
    setting: Setting | None = None,
    on_outcome: Callable[[Outcome], None] | None = None,
) -> Report:
    """Asks the questions by the backend `demos`, with demonstrations made from other questions' templates.

    Args:
        store: where the facts are loaded, as the source `eval/cronquestions`.
        data: the folder `cronquestions` of the benchmark data.
        questions_file: questions in the format of `ari_dev.jsonl`, which is the default.
        setting: what is asked.
        on_outcome: called after each question.

    Raises:
        BadInput: a file is missing or malformed.
        NoModel: there is no encoder.
    """
    setting = setting or Setting()
    entities, relations = read_labels(data / "wd_id2entity_text.txt"), read_labels(data / "wd_id2relation_text.txt")
    asked = list(read_questions(questions_file or data / "ari_dev.jsonl", entities, relations))
    training = [*asked, *read_questions(data / "complex_valid.jsonl", entities, relations)]
    load_facts(store, data, entities, relations)
    encoder = load_encoder()

    def ask(question: Question) -> Answer:
        template = question.template if setting.unseen_templates else None
        made = demonstrations_from(training, exclude_id=question.id, exclude_template=template)
        backend = DemosBackend([_shot(demonstration) for demonstration in made], encoder)
        text = question.canonical_text if setting.canonical else question.text
        return store.ask(text, backend, [SOURCE])

    return evaluate_each(ask, _sample(asked, setting), on_outcome=on_outcome)


def _sample(questions: list[Question], setting: Setting) -> list[Question]:
    if setting.limit is None or setting.limit >= len(questions):
        return questions
    return random.Random(setting.seed).sample(questions, setting.limit)


def _shot(demonstration: Demonstration) -> Shot:
    return Shot(demonstration["question"], demonstration["program"], demonstration["kind"])


def load_facts(store: Store, data: Path, entities: Mapping[str, str], relations: Mapping[str, str]) -> None:
    """Loads the facts and the events as one source, unless they are loaded already."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "cronquestions.tsv"
        with path.open("w", encoding="utf-8") as lines:
            lines.write("head\trelation\ttail\tstart\tend\n")
            for name in ("ari_facts.tsv", "event2time.tsv"):
                lines.writelines("\t".join(fact) + "\n" for fact in read_facts(data / name, entities, relations))
        store.load_tkg(path, name=SOURCE, replace=True, progress=True)
