"""TimeQuestions over the facts of Wikidata that are published with it; no topic entity is given.

Each question is asked of the facts that were retrieved for it, about ten, as the papers do; the retrieval did not know
the answer. `--graph union` asks all questions of all these facts in one graph. The years 1 to 2916 stand for no time:
such facts are a source of their own without times. If only one end of a span is such a year, the span is kept as
published. Facts without a tail and questions without gold answers are left out. The type is the benchmark's; a question
of two types has a type of its own, such as `Ordinal + Temp.Ans`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cgstore.evaluate.benchmarks.benchmark import GraphBenchmark, Question, Selection
from cgstore.evaluate.benchmarks.files import Record, json_lines, read_each
from cgstore.evaluate.benchmarks.sources import Fact, clean

ALWAYS = ("1", "2916")
"""The years of a fact without a time."""


class TimeQuestions(GraphBenchmark):
    """The half of the test split that is published with facts."""

    name = "timequestions"
    title = "TimeQuestions: each question is asked of the temporal facts that were retrieved for it."
    example = "timequestions --data .data --limit 200 --graph union"
    file = "test_half_with_facts.jsonl"
    graph = "own"

    def questions(self, selection: Selection) -> Iterable[Question]:
        return [question for question, _ in self._read(selection)]

    def own_facts(self, selection: Selection) -> Mapping[str, Sequence[Fact]]:
        return {question.id: facts for question, facts in self._read(selection)}

    def sources(self, name: str, facts: Sequence[Fact]) -> Mapping[str, Sequence[Fact]]:
        """Returns `eval/timequestions/12945` with the facts that have times, and `.../undated` with the others."""
        dated = [fact for fact in facts if fact[3:] != ALWAYS]
        undated = list(dict.fromkeys(fact[:3] for fact in facts if fact[3:] == ALWAYS))
        source = f"eval/{self.name}/{name}"
        return {name: part for name, part in ((source, dated), (f"{source}/undated", undated)) if part}

    def _read(self, selection: Selection) -> Iterable[tuple[Question, list[Fact]]]:
        return read_each(json_lines(self.path(selection)), "question of TimeQuestions with its facts", _question)


def _question(record: Record) -> tuple[Question, list[Fact]]:
    gold = tuple(dict.fromkeys(str(answer) for answer in record["answers"]))
    kind = " + ".join(sorted(record["types"]))
    return Question(str(record["id"]), record["question"], gold, kind), clean(record["facts"], 5)


BENCHMARK = TimeQuestions()
