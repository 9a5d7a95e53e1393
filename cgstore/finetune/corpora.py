"""What the small model learns from: questions with programs over sources in memory, from benchmarks and written ones.

Schemas are split once, by a hash of their name (`part_of`): those of `train` are learnt from, those of `tune` set
thresholds, and those of `test` are only measured. A question that its data do not answer has no program.
"""

from __future__ import annotations

import csv
import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.words import part_of
from cgstore.finetune.memory import Memory, MemorySource
from cgstore.llm.small.notation import NO_ANSWER, nested, read, written
from cgstore.llm.small.view import times_text
from cgstore.loaders.readers.records import column_names
from cgstore.loaders.table import relations
from cgstore.query.ast import Argument, Call, Literal
from cgstore.query.build import call, set_difference
from cgstore.query.functions import SEARCH
from cgstore.query.parse import parse
from cgstore.source_kinds import KG, STATEMENTS, TABLE, TKG

UNANSWERABLE = 0.1
"""Share of the questions of WikiSQL that are asked of a table without a column that they need."""


@dataclass(frozen=True)
class Task:
    """A question over sources, with its program, or None where they do not answer it. `schema` is what parts go by."""

    question: str
    program: Call | None
    memory: Memory
    schema: str


@dataclass(frozen=True)
class Example:
    """What the model reads and writes."""

    schema: str
    asked: str
    answer: str


def example_of(task: Task) -> Example | None:
    """A task as the model sees it; None if its prompt lacks a relation of its program."""
    prompt = task.memory.prompt(task.question)
    if task.program is None:
        return Example(prompt.schema, prompt.asked, f" {NO_ANSWER}")
    with suppress(KeyError):
        return Example(prompt.schema, prompt.asked, f" {written(prompt.shown(task.program), prompt.qualifiers)}")
    return None


# WikiSQL --------------------------------------------------------------------------------------------------------------

_AGGREGATES = ("", "max", "min", "count", "sum", "mean")
_OPERATORS = "=><"


def wikisql(folder: Path, draw: random.Random, tables: int) -> Iterator[Task]:
    """Questions of WikiSQL's train split, over tables with three or more; some lack a column that they need."""
    by_table: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (folder / "train.jsonl").open(encoding="utf-8"):
        question = json.loads(line)
        by_table[question["table_id"]].append(question)
    wanted = [each for each, questions in by_table.items() if len(questions) >= 3]
    draw.shuffle(wanted)
    kept = set(wanted[:tables])
    for line in (folder / "train.tables.jsonl").open(encoding="utf-8"):
        table = json.loads(line)
        if table["id"] in kept:
            yield from _of_wikisql(table, by_table[table["id"]], draw)


def _of_wikisql(table: dict[str, Any], questions: Sequence[dict[str, Any]], draw: random.Random) -> Iterator[Task]:
    columns = relations(column_names(table["header"], "The header"))
    rows = [[_cell(cell) for cell in row] for row in table["rows"]]
    source = table_source(str(table["id"]), columns, rows)
    memory, schema = Memory([source]), f"wikisql/{table['id']}"
    graph = _as_graph(source, columns, rows) if draw.random() < 0.25 else None
    for question in questions[:8]:
        text, sql = str(question["question"]), question["sql"]
        program = _of_sql(sql, columns)
        if draw.random() < UNANSWERABLE:
            lacking = draw.choice(sorted(_names_of(program)))
            left = [n for n, column in enumerate(columns) if column != lacking]
            less = table_source(source.name, [columns[n] for n in left], [[row[n] for n in left] for row in rows])
            yield Task(text, None, Memory([less]), schema)
        elif graph and (other := _of_sql_over_graph(sql, columns, graph[1])):
            yield Task(text, other, graph[0], schema)
        else:
            yield Task(text, program, memory, schema)


def _rows_of(sql: dict[str, Any], columns: Sequence[str]) -> Call | None:
    """The rows for which all conditions of a query hold; None without a condition."""
    calls = [
        Call(
            SEARCH,
            (
                Argument("relation", "=", Literal(columns[column])),
                Argument("tail_entity", _OPERATORS[operator], Literal(_cell(value))),
            ),
        )
        for column, operator, value in sql["conds"]
    ]
    if len(calls) > 1:
        return call("set_intersection", **{f"set{n}": each for n, each in enumerate(calls, 1)})
    return calls[0] if calls else None


def _of_sql(sql: dict[str, Any], columns: Sequence[str]) -> Call:
    """The program of a query over one table; its COUNT counts rows."""
    rows = _rows_of(sql, columns)
    function, selected = _AGGREGATES[sql["agg"]], columns[sql["sel"]]
    if function == "count":
        return call("count", set=rows or call("heads"))
    cells = call("get_information", relation=selected, **({"head_entity": rows} if rows else {}))
    return call(function, set=cells) if function else cells


def _cell(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value).strip()


def _names_of(program: Call) -> set[str]:
    return {
        a.value.text
        for each in program.all_calls()
        for a in each.arguments
        if a.name in ("relation", "key") and isinstance(a.value, Literal)
    } or {""}


def _as_graph(source: MemorySource, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[Memory, str] | None:
    """A table as a graph whose heads are the values of the column that names its rows, if it has one."""
    label = next((c for c in columns if source.roles[c] == "label" and len(source.values[c]) == len(rows)), "")
    if not label or len(columns) < 3:
        return None
    place = columns.index(label)
    facts = [
        (row[place], column, cell)
        for row in rows
        for column, cell in zip(columns, row, strict=True)
        if column != label and cell and row[place]
    ]
    return Memory([MemorySource(source.name, KG.name, facts)]), label


def _of_sql_over_graph(sql: dict[str, Any], columns: Sequence[str], label: str) -> Call | None:
    """The program of a query over a table's graph, whose heads are the values of `label`, if it has a plain one."""
    place = columns.index(label)
    of_label = [(operator, value) for column, operator, value in sql["conds"] if column == place]
    if not of_label:
        program = _of_sql(sql, columns)
        if sql["sel"] != place or not sql["conds"]:
            return program if sql["sel"] != place else None
        return _rows_of(sql, columns) if not sql["agg"] else program if _AGGREGATES[sql["agg"]] == "count" else None
    (operator, value), *more = of_label
    if more or operator or len(sql["conds"]) > 1 or sql["agg"] or sql["sel"] == place:
        return None
    return call("get_information", head_entity=_cell(value), relation=columns[sql["sel"]])


# WikiTableQuestions, MetaQA, cron_like --------------------------------------------------------------------------------


def wtq(folder: Path, recorded: Path) -> Iterator[Task]:
    """Recorded programs of WikiTableQuestions' training questions, over tables of `train`."""
    contexts: dict[str, set[str]] = defaultdict(set)
    with (folder / "data" / "training.tsv").open(encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            _, utterance, context, _ = line.rstrip("\n").split("\t")
            contexts[utterance].add(context.removeprefix("csv/").removesuffix(".csv"))
    memories: dict[str, Memory] = {}
    for question, program in _recorded(recorded / "wtq.jsonl"):
        tables = contexts.get(question, set())
        if len(tables) != 1:
            continue
        (table,) = tables
        if part_of(f"wtq/{table}") != "train":
            continue
        if table not in memories:
            header, *rows = _tab_separated(folder / "csv" / f"{table}.tsv")
            columns = relations(column_names(header, table))
            memories[table] = Memory([table_source(table, columns, rows)])
        yield Task(question, program, memories[table], f"wtq/{table}")


def _tab_separated(path: Path) -> list[list[str]]:
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    rows = [
        [cell.replace("\\n", "\n").replace("\\p", "|").replace("\\\\", "\\") for cell in line.split("\t")]
        for line in lines
    ]
    return [
        [" ".join(cell.split()) for cell in (*row, *[""] * (len(rows[0]) - len(row)))][: len(rows[0])] for row in rows
    ]


def _recorded(path: Path) -> Iterator[tuple[str, Call]]:
    """The questions of a file of recorded replies with their programs, as far as these can be read."""
    for line in path.open(encoding="utf-8"):
        record = json.loads(line)
        with suppress(BadInput, IndexError):
            program = nested(parse(record["reply"]))
            if read(written(program)):
                yield record["question"], program


def metaqa(folder: Path, recorded: Path, draw: random.Random, each: int) -> Iterator[Task]:
    """Recorded programs of MetaQA's training questions, `each` of one to three hops, without the brackets of some."""
    facts = [_three(line) for line in (folder / "kb.txt").open(encoding="utf-8")]
    memory = Memory([MemorySource("films", KG.name, facts)])
    for hops in (1, 2, 3):
        found = list(_recorded(recorded / f"metaqa_{hops}hop.jsonl"))
        for question, program in draw.sample(found, min(each, len(found))):
            path = _path_of(program)
            if path is None or len(path[1]) != hops:
                continue
            text = question if draw.random() < 0.5 else question.replace("[", "").replace("]", "")
            yield Task(text, _along(*path), memory, "metaqa")


def _three(line: str) -> tuple[str, str, str]:
    head, relation, tail = line.rstrip("\n").split("|")
    return head, relation, tail


def _path_of(program: Call) -> tuple[str, list[tuple[str, bool]]] | None:
    """The topic of a program over one chain of searches, and its relations with whether each goes to heads."""
    if program.function == "set_difference":
        return _path_of(program.arguments[0].value) if isinstance(program.arguments[0].value, Call) else None
    named = {a.name: a.value for a in program.arguments}
    relation, backwards = named.get("relation"), "tail_entity" in named
    inner = named.get("tail_entity" if backwards else "head_entity")
    if program.function != "get_information" or not isinstance(relation, Literal) or len(named) != 2:
        return None
    if isinstance(inner, Literal):
        return inner.text, [(relation.text, backwards)]
    before = _path_of(inner) if isinstance(inner, Call) else None
    return (before[0], [*before[1], (relation.text, backwards)]) if before else None


def _along(topic: str, path: Sequence[tuple[str, bool]]) -> Call:
    """The program along a path, which does not lead back to its topic."""
    here: str | Call = topic
    for number, (relation, backwards) in enumerate(path):
        here = call("get_information", relation=relation, **{"tail_entity" if backwards else "head_entity": here})
        if number == 1 and path[0][0] == relation:
            here = set_difference(here, topic)
    assert isinstance(here, Call)
    return here


def cron_like(folder: Path, draw: random.Random, most: int) -> Iterator[Task]:
    """Questions of cron_like whose templates are of `train`."""
    from cgstore.evaluate.benchmarks.cronquestions import program_for, read_questions

    with gzip.open(folder / "kg.tsv.gz", "rt", encoding="utf-8", newline="") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    years = sorted(int(row[3]) for row in rows)
    memory = Memory(
        [
            MemorySource(
                "careers",
                TKG.name,
                [(r[0], r[1], r[2]) for r in rows],
                times=times_text(str(years[0]), str(years[-1]), "year"),
            )
        ]
    )
    questions = [
        q for q in read_questions(folder / "questions_dev.jsonl.gz") if part_of(f"cron/{q.template}") == "train"
    ]
    for question in draw.sample(questions, min(most, len(questions))):
        yield Task(question.text, nested(parse(program_for(question))), memory, f"cron/{question.template}")


# Written questions ----------------------------------------------------------------------------------------------------


def words(folder: Path, part: str) -> Iterator[Task]:
    """The written questions of `benchmarks/words` over the schemas of one part."""
    for schema in sorted(each.parent for each in folder.glob("*/questions.jsonl")):
        if part_of(f"words/{schema.name}") == part:
            yield from words_of_schema(schema)


def words_of_schema(folder: Path) -> Iterator[Task]:
    """The questions over one schema."""
    sources = [_source(folder, each) for each in json.loads((folder / "sources.json").read_text(encoding="utf-8"))]
    memories: dict[tuple[str, ...], Memory] = {}
    for line in (folder / "questions.jsonl").open(encoding="utf-8"):
        record = json.loads(line)
        asked = tuple(record.get("sources") or [each.name for each in sources])
        if asked not in memories:
            memories[asked] = Memory([each for each in sources if each.name in asked])
        program = nested(parse(record["program"])) if record["program"] else None
        yield Task(record["question"], program, memories[asked], f"words/{folder.name}")


def _source(folder: Path, record: dict[str, str]) -> MemorySource:
    path, kind = folder / record["file"], record["kind"]
    if kind == TABLE.name:
        with path.open(encoding="utf-8", newline="") as lines:
            header, *rows = csv.reader(lines)
        return table_source(record["name"], relations(column_names(header, path.name)), rows)
    facts = [line.rstrip("\n").split("\t") for line in path.open(encoding="utf-8") if line.strip()]
    keys = tuple(dict.fromkeys(key for fact in facts for key in fact[3::2])) if kind == STATEMENTS.name else ()
    source = MemorySource(record["name"], kind, [(f[0], f[1], f[2]) for f in facts], keys)
    if kind == TKG.name:
        times = sorted(time for fact in facts for time in fact[3:5] if time)
        source = replace(source, times=times_text(times[0], times[-1], record.get("step", "year")))
    return source


def table_source(name: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> MemorySource:
    """A table in memory."""
    facts = [(str(n), column, cell) for n, row in enumerate(rows, 1) for column, cell in zip(columns, row, strict=True)]
    return MemorySource(name, TABLE.name, facts, columns=tuple(columns))
