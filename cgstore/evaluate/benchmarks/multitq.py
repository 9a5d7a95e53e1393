"""MultiTQ: questions over events of ICEWS by day, whose answers are entities, days, months or years.

MultiTQ (Chen, Liao, Zhao: "Multi-granularity Temporal Question Answering over Knowledge Graphs", ACL 2023). All
questions are asked of one temporal graph of all facts, and no topic entity is given. Facts and questions are read with
blanks for the underscores of published names. There are no gold programs.

The type of a question is its published one and its granularity: `after_first, day`. A file without these fields gets
them from the text, by the definitions of the paper (section 3.2): the words of order (`before`, `after`, `first`,
`last`, `same`), and the granularity of the gold answer if that is a time, else of the time in the text. Without any
time the granularity is that of the facts, a day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from cgstore.evaluate.benchmarks.benchmark import GraphBenchmark, Question, Selection
from cgstore.evaluate.benchmarks.files import Record, json_lines, read_each, rows
from cgstore.evaluate.benchmarks.sources import Fact
from cgstore.text.asked_times import find_times

GRANULARITIES = {4: "year", 7: "month", 10: "day"}
"""By the length of a time in ISO form."""

_TIME = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")
_SAME = re.compile(r"\bsame (day|month|year)\b", re.IGNORECASE)
_ORDERS = {
    word: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for word, words in {
        "before": "before|prior to|until|ahead of|preceding",
        "after": "after|following|since",
        "first": "first|earliest",
        "last": "last|latest|most recent(?:ly)?",
    }.items()
}


def read_facts(path: Path) -> Iterator[Fact]:
    """Reads facts in names: head, relation, tail, day."""
    for fact in rows(path, 4, columns="head, relation, tail, day"):
        yield tuple(_name(part) for part in fact)


def type_of(text: str) -> str:
    """Returns the type of a question by its words: that of its order, else `equal_multi` (the same time as another
    fact) or `equal`."""
    said = {word for word, pattern in _ORDERS.items() if pattern.search(text)}
    side, end = said & {"before", "after"}, said & {"first", "last"}
    if side and end:
        return "before_last" if "before" in side else "after_first"
    if side:
        return "before_after"
    if _SAME.search(text):
        return "equal_multi"
    return "first_last" if end else "equal"


def granularity_of(text: str, gold: Sequence[str]) -> str:
    """Returns `year`, `month` or `day`; see the module."""
    if gold and all(map(_TIME.fullmatch, gold)):
        return GRANULARITIES[len(gold[0])]
    times = {GRANULARITIES[len(time.name)] for time in find_times(text)}
    times |= {same.lower() for same in _SAME.findall(text)}
    return next((each for each in ("day", "month", "year") if each in times), "day")


def _name(text: str) -> str:
    return " ".join(text.replace("_", " ").split())


def _question(record: Record) -> Question:
    text = str(record["question"])
    gold = tuple(dict.fromkeys(_name(str(answer)) for answer in record["answers"]))
    kind = record.get("qtype") or type_of(text)
    granularity = record.get("time_level") or granularity_of(text, gold)
    return Question(str(record.get("quid", record.get("id"))), text, gold, f"{kind}, {granularity}")


class MultiTQ(GraphBenchmark):
    """The questions over all facts."""

    name = "multitq"
    title = "MultiTQ: questions by day, month and year over events of ICEWS; no topic entity is given."
    example = "multitq --data .data --limit 300 --llm small"
    file = "questions_dev.jsonl"

    def questions(self, selection: Selection) -> Iterable[Question]:
        return read_each(json_lines(self.path(selection)), "question of MultiTQ", _question)

    def all_facts(self, selection: Selection) -> Sequence[Fact]:
        return list(read_facts(selection.folder(self.name) / "facts.tsv"))

    def names(self, facts: Sequence[Fact]) -> set[str]:
        """Returns heads, tails, days, and the months and years of these."""
        return {name for head, _, tail, day in facts for name in (head, tail, day, day[:7], day[:4])}


BENCHMARK = MultiTQ()
