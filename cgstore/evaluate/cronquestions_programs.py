"""Programs for CronQuestions: what a question's annotation says, in the LLM query language.

They serve as demonstrations for an LLM, in the manner of TrustUQA's eight for this benchmark (its appendix E.5), and
as what a perfect reader of the question would have written. Which program a question needs follows from its type, the
keys of its annotation, whether an entity or a time is asked for, and, for 'before' and 'after', its relation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypedDict

from cgstore.errors import BadInput
from cgstore.evaluate.cronquestions import Question
from cgstore.llm.prompts.quoting import quote

SUCCESSION = "position held"
"""The relation whose tails are held by one head after another: 'before X' asks for another head. In any other one
(employer, sports team) a head has one tail after another, and 'before Y' asks for another tail."""


class Demonstration(TypedDict):
    """A question with its program, one `QueryN: "..."` a line; `kind` is the kind of source, always `tkg` here."""

    question: str
    program: str
    kind: str


def demonstration_for(question: Question) -> Demonstration:
    """The question by its labels, and the program that answers it.

    Raises:
        BadInput: its type and annotation are of no kind that the benchmark has.
    """
    return {"question": question.canonical_text, "program": program_for(question), "kind": "tkg"}


def demonstrations_from(
    questions: Iterable[Question],
    *,
    exclude_template: str | None = None,
    exclude_id: str | None = None,
    per_template: int = 1,
) -> list[Demonstration]:
    """Demonstrations for another question, the first `per_template` of each template, in the order given.

    Args:
        questions: where they are taken from, normally training questions.
        exclude_template: a template to leave out, that of the question asked, to see how unseen wording fares.
        exclude_id: the question asked itself, where it is among them, in whatever wording: they share their id.
        per_template: at most so many of one template.

    Raises:
        BadInput: as `demonstration_for`.
    """
    taken: Counter[str] = Counter()
    demonstrations = []
    for question in questions:
        if (
            question.id == exclude_id
            or question.template == exclude_template
            or taken[question.template] >= per_template
        ):
            continue
        taken[question.template] += 1
        demonstrations.append(demonstration_for(question))
    return demonstrations


def program_for(question: Question) -> str:
    """The program that answers the question, one `QueryN: "..."` a line.

    Raises:
        BadInput: its type and annotation are of no kind that the benchmark has.
    """
    build = _BUILDERS.get(question.type)
    steps = _Steps()
    try:
        if build is None:
            raise KeyError("type")
        build(question, steps)
    except KeyError as error:
        raise BadInput(
            f"Question {question.id} is of no kind that CronQuestions has: {question.type} with "
            f"{', '.join(sorted(question.annotation))} ({error} is not understood)."
        ) from error
    return str(steps)


class _Steps:
    """The queries of a program while it is written; each method adds one and returns the reference to its output."""

    def __init__(self) -> None:
        self._queries: list[str] = []

    def search(self, **arguments: str) -> str:
        """Adds a get_information call with the arguments that are not empty."""
        given = ", ".join(f"{name}={quote(value)}" for name, value in arguments.items() if value)
        return self._add(f"get_information({given})")

    def extreme(self, function: str, output: str) -> str:
        """Adds `min` or `max` of an output."""
        return self._add(f"{function}(set='{output}')")

    def keep(self, output: str, comparator: str, bound: str) -> str:
        """Adds the elements of an output that compare with another output."""
        return self._add(f"keep(set='{output}', value{comparator}'{bound}')")

    def _add(self, call: str) -> str:
        self._queries.append(call)
        return f"output_of_query{len(self._queries)}"

    def __str__(self) -> str:
        return "\n".join(f'Query{number}: "{call}"' for number, call in enumerate(self._queries, 1))


def _simple_entity(question: Question, steps: _Steps) -> None:
    steps.search(**_fact(question), key="time", value=question.annotation["time"])


def _simple_time(question: Question, steps: _Steps) -> None:
    steps.search(**_fact(question), key="time")


def _first_last(question: Question, steps: _Steps) -> None:
    fact = _fact(question)
    times = steps.search(**fact, key="time")
    moment = steps.extreme({"first": "min", "last": "max"}[question.annotation["adj"]], times)
    if question.answer_type == "entity":
        steps.search(**fact, key="time", value=moment)


def _before_after(question: Question, steps: _Steps) -> None:
    """The nearest time before the start, or after the end, of what the question compares with, and who or what then."""
    annotation = question.annotation
    if "event_head" in annotation:
        times = steps.search(head_entity=annotation["event_head"], key="time")
        sequence = {"relation": question.relations[0], "tail_entity": annotation["tail"]}
    else:
        times = steps.search(**_fact(question), key="time")
        sequence = _sequence(question)
    edge, comparator, nearest = {"before": ("min", "<", "max"), "after": ("max", ">", "min")}[annotation["type"]]
    bound = steps.extreme(edge, times)
    candidates = steps.keep(steps.search(**sequence, key="time"), comparator, bound)
    steps.search(**sequence, key="time", value=steps.extreme(nearest, candidates))


def _sequence(question: Question) -> dict[str, str]:
    """What changes from one time to the next: the holders of the position, or the teams or employers of the head."""
    relation = question.relations[0]
    if relation == SUCCESSION:
        return {"relation": relation, "tail_entity": question.annotation["tail"]}
    return {"head_entity": question.annotation["head"], "relation": relation}


def _time_join(question: Question, steps: _Steps) -> None:
    annotation = question.annotation
    if "event_head" in annotation:
        times = steps.search(head_entity=annotation["event_head"], key="time")
    else:
        times = steps.search(**_fact(question), key="time")
    tail = annotation["tail2"] if question.incomplete else annotation.get("tail2", annotation["tail"])
    steps.search(relation=question.relations[0], tail_entity=tail, key="time", value=times)


def _fact(question: Question) -> dict[str, str]:
    """The head, the relation and the tail that the annotation gives, as arguments; what it lacks is left out."""
    annotation = question.annotation
    if not {"head", "tail"} & annotation.keys():
        raise KeyError("head")
    parts = {
        "head_entity": annotation.get("head", ""),
        "relation": question.relations[0],
        "tail_entity": annotation.get("tail", ""),
    }
    return {name: value for name, value in parts.items() if value}


_BUILDERS: dict[str, Callable[[Question, _Steps], None]] = {
    "simple_entity": _simple_entity,
    "simple_time": _simple_time,
    "first_last": _first_last,
    "before_after": _before_after,
    "time_join": _time_join,
}
