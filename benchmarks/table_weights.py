"""Learns the weights by which readings of questions about tables are ranked (`cgstore/llm/backends/compose`).

    python -m benchmarks.table_weights --data .data --out cgstore/llm/backends/compose/weights.json

The questions are those of WikiSQL's train split, whose SQL gives the answer, and of WikiTableQuestions' training split,
which has the answers alone. The marginal likelihood of the readings with the right answer is maximised by AdaGrad. One
question in six, with tables of their own, is held out: the confidence in an answer is fitted on half of these, and
measured on the other half.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from cgstore.evaluate.benchmarks import wikisql, wtq
from cgstore.llm.backends.compose.condition_features import Features
from cgstore.llm.backends.compose.conditions import Condition
from cgstore.llm.backends.compose.denotations import Denotation, denotation
from cgstore.llm.backends.compose.features import features_of
from cgstore.llm.backends.compose.ranking import Model
from cgstore.llm.backends.compose.readings import reading_of
from cgstore.llm.backends.compose.table import Table, table_of
from cgstore.llm.backends.compose.understanding import (
    CERTAIN,
    Understanding,
    candidates,
    faults,
    read,
    readings_of,
    understand,
)
from cgstore.loaders.readers.records import column_names
from cgstore.loaders.table import relations
from cgstore.text.columns import kind_of
from cgstore.text.names import normal_form
from cgstore.text.numbers import read_number

LEAST_PAIR = 12
"""Questions in which a pair of words must occur to be a feature."""

HELD_OUT = 6
"""One table in so many is held out."""

Array = np.ndarray
Judge = Callable[[Denotation], bool]


@dataclass(frozen=True)
class Example:
    """The readings of a question: their features, which are right, and a number for each different answer."""

    features: list[Features]
    right: list[bool]
    answers: list[int]
    held_out: bool
    origin: str
    asked: tuple[str, Table, Judge]


def table_in_memory(name: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table as the loader makes it."""
    names = list(relations(column_names(list(header), "The header")))
    kinds = [kind_of({row[place] for row in rows}) for place in range(len(names))]
    return table_of(name, list(zip(names, kinds, strict=True)), rows)


def example(question: str, table: Table, is_right: Judge, held_out: bool, origin: str) -> Example | None:
    """The readings of a question, or None if none of them is right; of a held-out question only the question."""
    if held_out:
        return Example([], [], [], True, origin, (question, table, is_right))
    context, stretches = read(question, table)
    found = readings_of(context, stretches)
    numbers: dict[Denotation, int] = {}
    given = [denotation(reading, table) for reading in found]
    answers = [numbers.setdefault(each, len(numbers)) for each in given]
    judged = {number: is_right(each) for each, number in numbers.items()}
    right = [judged[answer] for answer in answers]
    if not any(right):
        return None
    return Example(
        [features_of(each, context) for each in found], right, answers, held_out, origin, (question, table, is_right)
    )


# WikiSQL --------------------------------------------------------------------------------------------------------------


def wikisql_examples(folder: Path, limit: int, seed: int) -> Iterator[Example]:
    """Examples from WikiSQL train; the answer is what the SQL gives in memory, with names compared by their letters."""
    every = list(wikisql.read_questions(folder / "train.jsonl"))
    drawn = random.Random(seed).sample(every, min(limit, len(every)))
    prefix = f"{wikisql.SOURCE}/"
    tables = wikisql.read_tables(folder / "train.tables.jsonl", {q.sources[0].removeprefix(prefix) for q in drawn})
    made: dict[str, Table] = {}
    for question in drawn:
        name = question.sources[0].removeprefix(prefix)
        if name not in made:
            made[name] = table_in_memory(name, tables[name].header, tables[name].rows)
        gold = _sql_denotation(question.annotation, made[name])
        if gold is None:
            continue
        one = example(question.text, made[name], lambda given, gold=gold: given == gold, _is_held_out(name), "wikisql")
        if one:
            yield one


def _is_held_out(name: str) -> bool:
    return hashlib.sha256(name.encode()).digest()[0] % HELD_OUT == 0


def _sql_denotation(query: wikisql.Query, table: Table) -> Denotation | None:
    """What SQL gives; None if a value of it is not in the table, which its files write otherwise now and then."""
    conditions = []
    for each in query.conditions:
        rows = _rows(table, each)
        if each.op == "=" and not rows:
            return None
        conditions.append(Condition(each.column, "and", (each.value,), rows, 0, 0, 0, "exact"))
    operation = {"": "list", "COUNT": "count", "AVG": "mean"}.get(query.aggregate, query.aggregate.lower())
    return denotation(replace(reading_of(table, tuple(conditions), operation=operation), target=query.select), table)


def _rows(table: Table, condition: wikisql.Condition) -> int:
    column = table.columns[condition.column]
    number = read_number(condition.value)
    letters = normal_form(condition.value).replace(" ", "")
    rows = 0
    for row, cell in enumerate(column.cells):
        own = column.numbers[row]
        if condition.op == "=":
            holds = normal_form(cell).replace(" ", "") == letters or (number is not None and own == number)
        else:
            holds = own is not None and number is not None and (own > number if condition.op == ">" else own < number)
        rows |= holds << row
    return rows


# WikiTableQuestions ---------------------------------------------------------------------------------------------------


def wtq_examples(folder: Path, limit: int, seed: int) -> Iterator[Example]:
    """Examples from the training split of WikiTableQuestions, of tables that are here."""
    every = list(wtq.read_questions(folder / wtq.TRAINING))
    made: dict[str, Table] = {}
    for question in random.Random(seed).sample(every, min(limit, len(every))):
        name = question.sources[0].removeprefix(f"{wtq.SOURCE}/")
        if name not in made:
            lines = (folder / "csv" / f"{name}.tsv").read_text("utf-8").rstrip("\n").split("\n")
            cells = [[_plain(cell) for cell in line.split("\t")] for line in lines]
            width = len(cells[0])
            rows = [row[:width] + [""] * (width - len(row)) for row in cells[1:]]
            made[name] = table_in_memory(name, cells[0], rows)
        gold = question.gold
        one = example(
            question.text,
            made[name],
            lambda given, gold=gold: wtq.same_denotation(gold, [str(each) for each in given]),
            _is_held_out(name),
            "wtq",
        )
        if one:
            yield one


def _plain(cell: str) -> str:
    return " ".join(cell.replace("\\n", " ").replace("\\p", "|").replace("\\\\", "\\").split())


# Learning -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Coded:
    """An example in numbers: the features of all readings one after the other, and where each reading begins."""

    ids: Array
    values: Array
    starts: Array
    right: Array
    answers: Array
    origin: str


def coded(examples: Sequence[Example]) -> tuple[list[str], list[Coded]]:
    """The names of the features that are kept, and the examples in these."""
    counts: Counter[str] = Counter()
    for each in examples:
        counts.update({name for features in each.features for name in features})
    kept = [name for name, count in counts.items() if count >= (LEAST_PAIR if name.startswith("pair ") else 3)]
    number = {name: place for place, name in enumerate(kept)}
    found = []
    for each in examples:
        ids, values, starts = [], [], []
        for features in each.features:
            starts.append(len(ids))
            for name, value in features.items():
                if value and name in number:
                    ids.append(number[name])
                    values.append(value)
        found.append(
            Coded(
                np.array(ids, np.int32),
                np.array(values, np.float32),
                np.array(starts, np.int32),
                np.array(each.right),
                np.array(each.answers),
                each.origin,
            )
        )
    return kept, found


def scores_of(one: Coded, weights: Array) -> Array:
    """The score of each reading."""
    return np.add.reduceat(weights[one.ids] * one.values, one.starts)


def softmax(scores: Array) -> Array:
    """The probability of each reading."""
    parts = np.exp(scores - scores.max())
    return parts / parts.sum()


def learn(examples: Sequence[Coded], size: int, epochs: int, rate: float, decay: float, seed: int) -> Array:
    """The weights that make the right readings likely, by AdaGrad with weights drawn to 0 (`decay`)."""
    weights, squares = np.zeros(size), np.full(size, 1e-4)
    order = list(examples)
    rng = random.Random(seed)
    for _ in range(epochs):
        rng.shuffle(order)
        for one in order:
            p = softmax(scores_of(one, weights))
            right = p * one.right
            total = right.sum()
            if total <= 0:
                continue
            by_reading = right / total - p
            lengths = np.diff(np.append(one.starts, len(one.ids)))
            gradient_of = np.repeat(by_reading, lengths) * one.values
            ids, places = np.unique(one.ids, return_inverse=True)
            gradient = np.bincount(places, weights=gradient_of) - decay * weights[ids]
            squares[ids] += gradient**2
            weights[ids] += rate * gradient / np.sqrt(squares[ids])
    return weights


def trust_of(judged: Sequence[tuple[Understanding, bool]], steps: int = 3000, decay: float = 0.01) -> dict[str, float]:
    """The weights of doubts that make the outcomes likely, by gradient descent."""
    names = sorted({name for found, _ in judged for name in found.doubts})
    x = np.array([[found.doubts.get(name, 0.0) for name in names] for found, _ in judged])
    y = np.array([right for _, right in judged], float)
    weights = np.zeros(len(names))
    for _ in range(steps):
        p = 1 / (1 + np.exp(-x @ weights))
        weights += 0.1 * (x.T @ (y - p) / len(y) - decay * weights)
    return {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)}


def judged(examples: Sequence[Example], model: Model) -> list[tuple[Understanding, bool]]:
    """What is understood of questions, and whether it is right, without those that are refused for a word."""
    found = []
    for one in examples:
        question, table, is_right = one.asked
        understood = understand(candidates(question, table, model), model)
        if understood is not None and not any(faults(understood)):
            found.append((understood, is_right(understood.best.gives)))
    return found


def report(title: str, every: int, judged: Sequence[tuple[Understanding, bool]], model: Model) -> dict[str, float]:
    """Coverage and accuracy of held-out questions by the least confidence, and a reliability table."""
    given = sorted(((model.confidence(found.doubts), right) for found, right in judged), reverse=True)
    print(f"{title}: {every} questions, {len(given)} without a word that must not be dropped")
    for least in (0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        part = [each for each in given if each[0] >= least]
        right = sum(right for _, right in part)
        print(f"  {least:.1f} answered {len(part) / every:.3f}, right {_mean(part):.3f}, of all {right / every:.3f}")
    for low in np.arange(0, 1, 0.1):
        part = [each for each in given if low <= each[0] < low + 0.1]
        if part:
            print(f"  confidence {low:.1f} {len(part):6} {np.mean([p for p, _ in part]):.2f} {_mean(part):.2f}")
    part = [each for each in given if each[0] >= CERTAIN]
    return {
        "questions": every,
        "answered": round(len(part) / every, 3),
        "right of answered": round(_mean(part), 3),
    }


def _mean(given: Sequence[tuple[float, bool]]) -> float:
    return float(np.mean([right for _, right in given])) if given else 0.0


def main() -> None:
    """Learns the weights and writes them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--wikisql", type=int, default=10_000, help="questions of WikiSQL train")
    parser.add_argument("--wtq", type=int, default=4_000, help="questions of WikiTableQuestions' training split")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    examples = list(wikisql_examples(given.data / "wikisql", given.wikisql, given.seed))
    if given.wtq:
        examples += wtq_examples(given.data / "wtq", given.wtq, given.seed)
    names, numbered = coded([each for each in examples if each.features])
    weights = learn(numbered, len(names), given.epochs, rate=0.1, decay=1e-4, seed=given.seed)
    kept = {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True) if abs(weight) >= 0.02}
    held_out = [one for one in examples if one.held_out]
    model = Model(kept)
    fitted = [each for n, each in enumerate(held_out) if n % 2]
    trust = trust_of(judged(fitted, model))
    model = Model(kept, trust)
    print(trust)
    figures = {}
    for origin in ("wikisql", "wtq"):
        part = [one for n, one in enumerate(held_out) if one.origin == origin and not n % 2]
        if part:
            figures[origin] = report(origin, len(part), judged(part, model), model)
    stored = {
        "about": "Weights of features that rank readings of questions about tables; see cgstore/llm/backends/compose.",
        "made_by": "python -m benchmarks.table_weights",
        "questions": {"wikisql": given.wikisql, "wtq": given.wtq, "seed": given.seed},
        "learnt_from": "WikiSQL, train split (BSD 3-Clause); WikiTableQuestions, training split (CC BY-SA 4.0)",
        "held_out": figures,
        "trust": trust,
        "weights": dict(sorted(kept.items())),
    }
    given.out.write_text(json.dumps(stored, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    print(len(kept), "weights,", given.out.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
