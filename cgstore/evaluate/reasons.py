"""Why a program's answer is not the gold one: a class, to be counted, and what it is about in this case."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from cgstore.errors import CgstoreError
from cgstore.evaluate.metaqa import Graph, Question, hops_of
from cgstore.model import Answer


class Reason(NamedTuple):
    """The class of a difference, and its detail; together they are a sentence."""

    kind: str
    detail: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}" if self.detail else self.kind


def unexplained(gold: Collection[str], answer: Answer, error: CgstoreError | None) -> Reason:
    """What can be said of any difference: the error, or what is missing and what is too much."""
    if error is not None:
        return Reason("the program is refused", error.message.splitlines()[0])
    given = {str(value) for value in answer.answer}
    missing, more = sorted(set(gold) - given), sorted(given - set(gold))
    return Reason("not explained", f"missing {_some(missing)}; too much {_some(more)}")


def metaqa_reason(question: Question, graph: Graph, answer: Answer, error: CgstoreError | None) -> Reason:
    """Why the answer to a question of MetaQA is not its gold, as its graph of facts has it."""
    path = graph.follow(question.topic, question.qtype)
    given, gold = {str(value) for value in answer.answer}, set(question.gold)
    if error is not None or given != path:
        return unexplained(question.gold, answer, error)
    if _split_at_comma(gold - given, given - gold):
        return Reason("gold splits a film's title at its comma", _some(sorted(given - gold)))
    if gold < given and not hops_of(question.qtype)[0].backwards:
        years = sorted(graph.tails.get(("release_year", question.topic), ()))
        known = f"release years {', '.join(years)}" if len(years) > 1 else "one release year or none for them"
        return Reason("films that share a title are one node; gold is of one of them", f"{question.topic}, {known}")
    return Reason("gold is not what the facts give", _some(sorted(path ^ gold)))


def _split_at_comma(missing: Collection[str], more: Collection[str]) -> bool:
    """Whether what gold has and the facts have not are the parts of the titles for which it is the other way round."""
    return bool(more) and {part for title in more for part in title.split(", ")} == set(missing)


def _some(names: Collection[str], most: int = 3) -> str:
    shown = ", ".join(f"'{name}'" for name in list(names)[:most])
    return (shown + (f" and {len(names) - most} more" if len(names) > most else "")) or "nothing"
