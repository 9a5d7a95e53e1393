"""Programs for CronQuestions: what a question's annotation says, in the LLM query language.

They are what a reader who never errs would write. They also serve as demonstrations for an LLM, like TrustUQA's eight
for this benchmark (its appendix E.5). The type of a question, the keys of its annotation, the type of its answer and,
for 'before' and 'after', its relation determine the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.benchmark import Steps
from cgstore.llm.demonstrations import Demonstration

if TYPE_CHECKING:
    from cgstore.evaluate.benchmarks.cronquestions import CronQuestion

SUCCESSION = "position held"
"""The relation whose tails have one head after another, so that 'before X' asks for another head. In every other one
(employer, sports team) a head has one tail after another, so that 'before Y' asks for another tail."""


def program_for(question: CronQuestion) -> str:
    """Returns the program that answers the question, one `QueryN: "..."` a line."""
    build = _BUILDERS.get(question.type)
    steps = Steps()
    try:
        if build is None:
            raise KeyError("type")
        build(question, steps)
    except KeyError as error:
        raise BadInput(
            f"CronQuestions has no question like {question.id}: {question.type} with "
            f"{', '.join(sorted(question.annotation))} ({error} is not understood)."
        ) from error
    return str(steps)


def demonstrations_from(
    questions: Iterable[CronQuestion], exclude_template: str | None = None, exclude_id: str | None = None
) -> list[Demonstration]:
    """Makes demonstrations for another question: the first question of each template, by its labels.

    Args:
        questions: where they are taken from, normally training questions.
        exclude_template: a template to leave out, so that its wording has not been seen.
        exclude_id: the question that is asked; its paraphrases share its id.
    """
    taken: dict[str, CronQuestion] = {}
    for question in questions:
        if question.id != exclude_id and question.template != exclude_template:
            taken.setdefault(question.template, question)
    return [Demonstration(each.canonical_text, program_for(each), "tkg") for each in taken.values()]


def _simple_entity(question: CronQuestion, steps: Steps) -> None:
    steps.search(**_fact(question), key="time", value=question.annotation["time"])


def _simple_time(question: CronQuestion, steps: Steps) -> None:
    steps.search(**_fact(question), key="time")


def _first_last(question: CronQuestion, steps: Steps) -> None:
    fact = _fact(question)
    times = steps.search(**fact, key="time")
    moment = steps.add({"first": "min", "last": "max"}[question.annotation["adj"]], set=times)
    if question.answer_type == "entity":
        steps.search(**fact, key="time", value=moment)


def _before_after(question: CronQuestion, steps: Steps) -> None:
    """Finds the nearest time before the start, or after the end, of the given fact, and what held then."""
    annotation = question.annotation
    relation = question.relations[0]
    if "event_head" in annotation:
        times = steps.search(head_entity=annotation["event_head"], key="time")
        sequence = {"relation": relation, "tail_entity": annotation["tail"]}
    else:
        times = steps.search(**_fact(question), key="time")
        sequence = (
            {"relation": relation, "tail_entity": annotation["tail"]}
            if relation == SUCCESSION
            else {"head_entity": annotation["head"], "relation": relation}
        )
    edge, comparator, nearest = {"before": ("min", "<", "max"), "after": ("max", ">", "min")}[annotation["type"]]
    bound = steps.add(edge, set=times)
    candidates = steps.call(f"keep(set='{steps.search(**sequence, key='time')}', value{comparator}'{bound}')")
    steps.search(**sequence, key="time", value=steps.add(nearest, set=candidates))


def _time_join(question: CronQuestion, steps: Steps) -> None:
    annotation = question.annotation
    if "event_head" in annotation:
        times = steps.search(head_entity=annotation["event_head"], key="time")
    else:
        times = steps.search(**_fact(question), key="time")
    tail = annotation["tail2"] if question.incomplete else annotation.get("tail2", annotation["tail"])
    steps.search(relation=question.relations[0], tail_entity=tail, key="time", value=times)


def _fact(question: CronQuestion) -> dict[str, str]:
    """The head, the relation and the tail of the annotation, as arguments, without those that it lacks."""
    annotation = question.annotation
    if not {"head", "tail"} & annotation.keys():
        raise KeyError("head")
    parts = {
        "head_entity": annotation.get("head", ""),
        "relation": question.relations[0],
        "tail_entity": annotation.get("tail", ""),
    }
    return {name: value for name, value in parts.items() if value}


_BUILDERS: dict[str, Callable[[CronQuestion, Steps], None]] = {
    "simple_entity": _simple_entity,
    "simple_time": _simple_time,
    "first_last": _first_last,
    "before_after": _before_after,
    "time_join": _time_join,
}
