"""CronQuestions' real part: all questions are asked of all the real facts and events; no topic entity is given.

The text is the benchmark's own, with an alias for many an entity; `--canonical` has each by its label instead. The type
is the benchmark's; questions that were published with a placeholder left in them are types of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cgstore.evaluate import cronquestions, metrics
from cgstore.evaluate.benchmarks.benchmark import Benchmark, Drawn, Names, Question, Setting, draw, with_unique_ids
from cgstore.evaluate.cronquestions_facts import SOURCE, Fact, load_facts, read_facts, read_labels
from cgstore.store import Store

QUESTIONS = "ari_dev.jsonl"

INCOMPLETE = " (incomplete)"
"""What the type of an incomplete question is marked with."""


def read_asked(setting: Setting) -> list[cronquestions.Question]:
    """The questions drawn, as the benchmark has them.

    Raises:
        BadInput: a file is missing or malformed.
    """
    folder = setting.folder("cronquestions")
    return draw(cronquestions.read_questions(setting.questions or folder / QUESTIONS, *read_labels(folder)), setting)


def as_questions(asked: Iterable[cronquestions.Question], facts: Iterable[Fact], setting: Setting) -> list[Question]:
    """The questions in the form that all benchmarks have, one each, with unique ids; asked of `SOURCE`."""
    names = _names_in(facts)
    return with_unique_ids(question_of(each, SOURCE, names, setting.canonical) for each in asked)


def question_of(asked: cronquestions.Question, source: str, names: Names, canonical: bool = False) -> Question:
    """One of CronQuestions' questions, or made in their manner, asked of one source."""
    text = asked.canonical_text if canonical else asked.text
    kind = asked.type + (INCOMPLETE if asked.incomplete else "")
    topic = tuple(asked.annotation[part] for part in ("head", "tail", "event_head") if part in asked.annotation)
    return Question(asked.id, text, asked.gold, kind, (source,), topic, names.have(asked.gold))


def _names_in(facts: Iterable[Fact]) -> Names:
    return Names(names_of(facts))


def names_of(facts: Iterable[Sequence[str]]) -> set[str]:
    """All that an answer over temporal facts of five columns may be: heads, tails, the years in which they hold."""
    names, spans = set(), set()
    for head, _, tail, start, end in facts:
        names |= {head, tail, start, end}
        spans.add((start, end))
    for start, end in spans:
        if start.isdecimal() and end.isdecimal():
            names |= {str(year) for year in range(int(start), int(end) + 1)}
    return names


def _read(setting: Setting) -> Drawn:
    return Drawn(as_questions(read_asked(setting), read_facts(setting.folder("cronquestions")), setting))


def _load(store: Store, setting: Setting, questions: Sequence[Question]) -> None:
    load_facts(store, setting.folder("cronquestions"))


def _set_name(setting: Setting) -> str:
    return "canonical" if setting.canonical else "text"


BENCHMARK = Benchmark("cronquestions", _read, _load, metrics.accepted, set_name=_set_name)
