"""From corpora to an adapter of the small model: examples, training, lexicon and a report, in one resumable run."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput
from cgstore.finetune.adapter import LOG, AdapterSettings, Schema, train_adapter
from cgstore.finetune.corpora import (
    Example,
    Task,
    cron_like,
    example_in,
    example_of,
    metaqa,
    wikisql,
    wikitables,
    words,
)
from cgstore.finetune.lexicon import learn_lexicon, write_lexicon
from cgstore.llm.demonstrations.build import TrainingQuestion
from cgstore.llm.demonstrations.stored import State
from cgstore.llm.graph_view import GraphView
from cgstore.llm.small.notation import nested
from cgstore.llm.small.prompt import prompt_of
from cgstore.llm.small.weights import LEXICON
from cgstore.observe.progress import waiting
from cgstore.query.parse import parse
from cgstore.store import Store

EXAMPLES, REPORT = "examples.json", "report.json"

LONGEST = (1200, 400, 260)
"""Characters of the schema, the question and the program of an example: longer ones cost more than they teach."""


TABLES, HOPS, TIMES, REPEATS = 3000, 600, 700, 2
"""What is learnt from: tables of WikiSQL's train split, questions of MetaQA for each number of hops, questions of
cron_like, and how often the written questions come."""


def corpora_in(data: Path | None, written: Path | None, seed: int) -> dict[str, Iterator[Task]]:
    """The tasks of each corpus that is there, by its name; those of `tune` and `test` schemas are left out.

    `data` is the folder of the benchmarks, `written` that of written questions (`benchmarks/words`).

    Raises:
        BadInput: there is none.
    """
    draw = random.Random(seed)
    found: dict[str, Iterator[Task]] = {}
    if written is not None:
        found["words"] = chain.from_iterable(words(written, "train") for _ in range(REPEATS))
    if data is not None:
        recorded = data / "recorded"
        if (data / "wikisql" / "train.jsonl").is_file():
            found["wikisql"] = wikisql(data / "wikisql", draw, TABLES)
        if (data / "wtq").is_dir() and (recorded / "wtq.jsonl").is_file():
            found["wtq"] = wikitables(data / "wtq", recorded)
        if (data / "metaqa").is_dir() and recorded.is_dir():
            found["metaqa"] = metaqa(data / "metaqa", recorded, draw, HOPS)
        if (data / "cron_like").is_dir():
            found["cron_like"] = cron_like(data / "cron_like", draw, TIMES)
    if not found:
        raise BadInput("There is nothing to learn from.", "Name a folder of benchmarks, of written questions, or both.")
    return found


def make_examples(corpora: Mapping[str, Iterable[Example | None]], path: Path) -> dict[str, Counter[str]]:
    """Writes the examples of some corpora, those over one schema together; returns how many were kept and left out."""
    report: dict[str, Counter[str]] = {}
    every: list[Schema] = []
    for name, examples in corpora.items():
        counts = report[name] = Counter()
        groups: dict[str, list[tuple[str, str]]] = {}
        for each in examples:
            if each is None:
                counts["not in the prompt"] += 1
            elif any(len(text) > most for text, most in zip(each, LONGEST, strict=True)):
                counts["too long"] += 1
            else:
                counts["kept"] += 1
                groups.setdefault(each.schema, []).append((each.asked, each.answer))
        every += groups.items()
    path.write_text(json.dumps(every, ensure_ascii=False), encoding="utf-8")
    return report


def run_pipeline(
    weights: Path,
    out: Path,
    settings: AdapterSettings,
    *,
    data: Path | None = None,
    written: Path | None = None,
    seconds: float,
) -> dict[str, Any]:
    """Makes examples, trains on them, learns the lexicon, and writes `report.json`; what is there already is kept.

    `weights` is the base, a GGUF file, `out` the folder of all that is made; see `corpora_in` and `train_adapter`.

    Raises:
        BadInput: there is nothing to learn from.
    """
    out.mkdir(parents=True, exist_ok=True)
    examples, report_path = out / EXAMPLES, out / REPORT
    report: dict[str, Any] = json.loads(report_path.read_text(encoding="utf-8")) if report_path.is_file() else {}
    if not examples.is_file():
        with waiting("the examples"):
            corpora = corpora_in(data, written, settings.seed)
            made = make_examples({name: map(example_of, tasks) for name, tasks in corpora.items()}, examples)
        report["examples"] = {name: dict(counts) for name, counts in made.items()}
        report_path.write_text(json.dumps(report, indent=1), encoding="utf-8")
    if not (out / LEXICON).is_file():
        with waiting("the lexicon"):
            corpora = corpora_in(data, written, settings.seed)
            write_lexicon(learn_lexicon(chain.from_iterable(corpora.values())), out / LEXICON)
    train_adapter(weights, examples, out, settings, seconds=seconds)
    report["curve"] = curve_of(out / LOG)
    report_path.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return report


def curve_of(log: Path, points: int = 20) -> list[dict[str, float]]:
    """The mean loss of a token over equal stretches of the training, with the number of questions until then."""
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    size = max(1, len(lines) // points)
    parts = [lines[at : at + size] for at in range(0, len(lines), size)]
    return [
        {"questions": part[-1]["questions"], "loss": round(sum(each["loss"] for each in part) / len(part), 4)}
        for part in parts
    ]


# A user's own questions: those with programs of a file, and those that were called right or corrected by a program


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
