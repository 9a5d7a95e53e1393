"""Gold annotations as programs: how right is what comes behind the LLM, given a reader who never errs?

Each question's annotation (SQL, a path of relations, what CronQuestions says of a question) becomes a program, which
runs through the ordinary path and is compared with the gold answers. What is not right says why.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from cgstore.errors import BadInput, CgstoreError, QueryFailed
from cgstore.evaluate import cron_like, cronquestions, metaqa, metrics, wikisql
from cgstore.evaluate.cronquestions_programs import program_for
from cgstore.evaluate.reasons import Reason, metaqa_reason, unexplained
from cgstore.evaluate.report import Outcome, Report, Scorer, scores_of
from cgstore.evaluate.sample import sample
from cgstore.evaluate.scoring import accepted_first, accepted_table, settled
from cgstore.evaluate.wikisql_programs import program_of
from cgstore.evaluate.wikisql_reasons import wikisql_reason
from cgstore.model import Answer
from cgstore.store import Store

SETS = ("wikisql", "metaqa_1hop", "metaqa_2hop", "metaqa_3hop", "cron_like")

RIGHT = "right"
"""The group of the outcomes that are right; the others' is the class of their reason."""

IN_FLIGHT = 4
"""Programs under way at a time."""

WIKISQL, METAQA = "eval/wikisql", "eval/metaqa"
"""The source of the films, and what the source of each table begins with."""

TABLES_A_FILE = 200

T = TypeVar("T")

Explain = Callable[[Answer, CgstoreError | None], Reason]


@dataclass(frozen=True)
class Case:
    """One question as a program, the source that it is asked of, and what explains an answer that is not gold."""

    id: str
    text: str
    gold: tuple[str, ...]
    program: str
    source: str
    explain: Explain


@dataclass(frozen=True)
class Setting:
    """What is asked: the benchmark data, or other files of a benchmark's own format; at most `limit`, by `seed`.

    `data` is the folder with `wikisql`, `metaqa` and `cron_like` in it. `questions` is a file, for MetaQA a folder such
    as `2-hop`; `tables` belongs to WikiSQL's questions.
    """

    data: Path
    questions: Path | None = None
    tables: Path | None = None
    limit: int | None = None
    seed: int = 0


def run(
    store: Store,
    name: str,
    setting: Setting,
    on_start: Callable[[int], object] | None = None,
    on_outcome: Callable[[Outcome], None] | None = None,
) -> Report:
    """Loads what a set needs as sources `eval/...`, and runs its programs.

    Args:
        store: where the sources are, and where they are loaded if they are not.
        name: one of `SETS`.
        setting: what is asked.
        on_start: called with the number of questions when all is loaded.
        on_outcome: called with each outcome, in order.

    Returns:
        The report; its seconds are those of the questions, without the load.

    Raises:
        BadInput: a file is missing or malformed.
        NoDatabase: nothing answers.
    """
    cases, accepted = _PREPARE[name](store, setting)
    if on_start:
        on_start(len(cases))
    started, outcomes = time.perf_counter(), []
    with ThreadPoolExecutor(IN_FLIGHT, "oracle") as pool:
        try:
            for outcome in pool.map(partial(_outcome, store, accepted), cases):
                outcomes.append(outcome)
                if on_outcome:
                    on_outcome(outcome)
        finally:
            pool.shutdown(cancel_futures=True)
    return Report(tuple(outcomes), time.perf_counter() - started, (RIGHT,))


def _outcome(store: Store, accepted: Scorer, case: Case) -> Outcome:
    """A program that is refused or fails has no answer, and its error is the reason."""
    error: CgstoreError | None = None
    try:
        answer = store.query(case.program, [case.source], exact=True, evidence=False)
    except (BadInput, QueryFailed) as failure:
        answer, error = Answer((), case.program), failure
    scores = scores_of(case.gold, replace(answer, answer=settled(case.gold, answer.answer)), accepted)
    if scores["accuracy"]:
        refused = f": {error.message.splitlines()[0]}" if error else ""
        return Outcome(case, answer, scores, RIGHT + refused, RIGHT)
    reason = case.explain(answer, error)
    return Outcome(case, answer, scores, str(reason), reason.kind)


# The sets -------------------------------------------------------------------------------------------------------------

Prepared = tuple[Sequence[Case], Scorer]


def _wikisql(store: Store, setting: Setting) -> Prepared:
    folder = setting.data / "wikisql"
    questions = _sample(wikisql.read_questions(setting.questions or folder / "dev.jsonl"), setting)
    tables = wikisql.read_tables(setting.tables or folder / "dev.tables.jsonl", {q.table for q in questions})
    _load_tables(store, list(tables.values()))
    return [_sql_case(question, tables[question.table]) for question in questions], accepted_table


def _sql_case(question: wikisql.Question, table: wikisql.Table) -> Case:
    gold = wikisql.execute(table, question.query)
    program = program_of(question.query, table.header)
    explain = partial(wikisql_reason, question, table, gold)
    return Case(question.id, question.text, gold, program, f"{WIKISQL}/{table.id}", explain)


def _load_tables(store: Store, tables: Sequence[wikisql.Table]) -> None:
    """Loads these tables and no others, each as a source of its own."""
    with TemporaryDirectory() as folder:
        paths = []
        for start in range(0, len(tables), TABLES_A_FILE):
            lines = [table.line + "\n" for table in tables[start : start + TABLES_A_FILE]]
            paths.append(Path(folder) / f"{start}.jsonl")
            paths[-1].write_text("".join(lines), encoding="utf-8")
        name = WIKISQL if len(tables) > 1 else f"{WIKISQL}/{tables[0].id}"
        store.load_table(paths, name=name, replace=True, progress=True)


def _metaqa(hops: int, store: Store, setting: Setting) -> Prepared:
    folder = setting.data / "metaqa"
    questions = _sample(metaqa.read_questions(setting.questions or folder, hops), setting)
    graph = metaqa.read_kb(folder / "kb.txt")
    store.load_kg(folder / "kb.txt", name=METAQA, delimiter="pipe", header=False, replace=True, progress=True)
    return [_film_case(question, graph) for question in questions], accepted_first


def _film_case(question: metaqa.Question, graph: metaqa.Graph) -> Case:
    program = metaqa.program_of(question.qtype, question.topic)
    explain = partial(metaqa_reason, question, graph)
    return Case(question.id, question.text, question.gold, program, METAQA, explain)


def _cron_like(store: Store, setting: Setting) -> Prepared:
    folder = setting.data / "cron_like"
    questions = _sample(cronquestions.read_questions(setting.questions or folder / cron_like.QUESTIONS), setting)
    cron_like.load(store, folder)
    return [_fact_case(question) for question in questions], metrics.accepted


def _fact_case(question: cronquestions.Question) -> Case:
    explain = partial(unexplained, question.gold)
    return Case(question.id, question.text, question.gold, program_for(question), cron_like.SOURCE, explain)


def _sample(questions: Iterable[T], setting: Setting) -> list[T]:
    """All questions, or so many drawn at random, in the file's order."""
    every = list(questions)
    if not every:
        raise BadInput("There is no question in this file.")
    return sample(every, setting.limit, setting.seed)


_PREPARE: dict[str, Callable[[Store, Setting], Prepared]] = {
    "wikisql": _wikisql,
    "metaqa_1hop": partial(_metaqa, 1),
    "metaqa_2hop": partial(_metaqa, 2),
    "metaqa_3hop": partial(_metaqa, 3),
    "cron_like": _cron_like,
}
