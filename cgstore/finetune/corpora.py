"""What the small model learns from: questions with programs over sources in memory, from benchmarks and written ones.

Schemas are split once, by a hash of their name (`part_of`): those of `train` are learnt from, those of `tune` set
thresholds, and those of `test` are only measured. A question that its data do not answer has no program.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from cgstore.catalog.kinds import KG, TKG
from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks import cronquestions, wtq
from cgstore.evaluate.benchmarks import metaqa as films
from cgstore.evaluate.benchmarks import wikisql as sql
from cgstore.evaluate.benchmarks import words as written_questions
from cgstore.evaluate.benchmarks.benchmark import Question, Selection
from cgstore.evaluate.benchmarks.files import rows
from cgstore.evaluate.benchmarks.words import part_of
from cgstore.finetune.memory import Memory, MemorySource, read_table, source_of, table_source
from cgstore.llm.backends.replay import read_recorded
from cgstore.llm.small.notation import NO_ANSWER, nested, read, written
from cgstore.llm.small.prompt import Prompt, times_text
from cgstore.loaders.readers.records import column_names
from cgstore.loaders.table import relations
from cgstore.query.ast import Call, Literal
from cgstore.query.build import Bound, call, get_information, heads, set_difference, set_intersection
from cgstore.query.parse import parse

UNANSWERABLE, AS_GRAPH = 0.1, 0.25
"""Share of WikiSQL's questions that are asked of a table without a column that they need; of tables made graphs."""


class Task(NamedTuple):
    """A question over sources, with its program, or None where they do not answer it. `schema` is what parts go by."""

    question: str
    program: Call | None
    memory: Memory
    schema: str


class Example(NamedTuple):
    """What the model reads and writes."""

    schema: str
    asked: str
    answer: str


def example_of(task: Task) -> Example | None:
    """A task as the model sees it; None if its prompt lacks a relation of its program."""
    return example_in(task.memory.prompt(task.question), task.program)


def example_in(prompt: Prompt, program: Call | None) -> Example | None:
    """A prompt with the program that answers it, or None where nothing does; None if the prompt lacks a relation."""
    with suppress(KeyError):
        answer = written(prompt.shown(program), prompt.qualifiers) if program else NO_ANSWER
        return Example(prompt.schema, prompt.asked, f" {answer}")
    return None


# WikiSQL --------------------------------------------------------------------------------------------------------------


def wikisql(folder: Path, draw: random.Random, tables: int) -> Iterator[Task]:
    """Questions of WikiSQL's train split, over tables with three or more; some lack a column that they need."""
    by_table: dict[str, list[Question]] = defaultdict(list)
    for question in sql.read_questions(folder / "train.jsonl"):
        by_table[question.sources[0].removeprefix(f"{sql.SOURCE}/")].append(question)
    wanted = [each for each, questions in by_table.items() if len(questions) >= 3]
    draw.shuffle(wanted)
    for name, table in sql.read_tables(folder / "train.tables.jsonl", set(wanted[:tables])).items():
        yield from _of_wikisql(table, by_table[name], draw)


def _of_wikisql(table: sql.Table, questions: Sequence[Question], draw: random.Random) -> Iterator[Task]:
    columns = relations(column_names(table.header, "The header"))
    source = table_source(table.id, columns, table.rows)
    memory, schema = Memory([source]), f"wikisql/{table.id}"
    graph = _as_graph(source, table.rows) if draw.random() < AS_GRAPH else None
    for question in questions[:8]:
        query = question.annotation
        program = _of_sql(query, columns)
        if draw.random() < UNANSWERABLE:
            lacking = draw.choice(sorted(_names_of(program)))
            left = [n for n, column in enumerate(columns) if column != lacking]
            less = [[row[n] for n in left] for row in table.rows]
            yield Task(question.text, None, Memory([table_source(table.id, [columns[n] for n in left], less)]), schema)
        elif graph and (other := _of_sql_over_graph(query, columns, graph[1])):
            yield Task(question.text, other, graph[0], schema)
        else:
            yield Task(question.text, program, memory, schema)


def _rows_of(query: sql.Query, columns: Sequence[str]) -> Call | None:
    """The rows for which all conditions of a query hold; None without a condition."""
    found = [get_information(relation=columns[c.column], tail_entity=Bound(c.op, c.value)) for c in query.conditions]
    return set_intersection(*found) if len(found) > 1 else found[0] if found else None


def _of_sql(query: sql.Query, columns: Sequence[str]) -> Call:
    """The program of a query over one table; its COUNT counts rows."""
    found = _rows_of(query, columns)
    if query.aggregate == "COUNT":
        return call("count", set=found or heads())
    cells = get_information(head_entity=found, relation=columns[query.select])
    return call(sql.FUNCTIONS[query.aggregate], set=cells) if query.aggregate else cells


def _names_of(program: Call) -> set[str]:
    arguments = [a for each in program.all_calls() for a in each.given("relation")]
    return {a.value.text for a in arguments if isinstance(a.value, Literal)} or {""}


def _as_graph(source: MemorySource, rows: Sequence[Sequence[str]]) -> tuple[Memory, int] | None:
    """A table as a graph whose heads are the values of the column that names its rows, with its place; None without."""
    columns = source.columns
    labels = [n for n, c in enumerate(columns) if source.roles[c] == "label" and len(source.values[c]) == len(rows)]
    if not labels or len(columns) < 3:
        return None
    label = labels[0]
    others = [(n, column) for n, column in enumerate(columns) if n != label]
    facts = [(row[label], column, row[n]) for row in rows if row[label] for n, column in others if row[n]]
    return Memory([MemorySource(source.name, KG.name, facts)]), label


def _of_sql_over_graph(query: sql.Query, columns: Sequence[str], label: int) -> Call | None:
    """The program of a query over a table's graph, whose heads are the values of a column, if it has a plain one."""
    conditions = query.conditions
    if any(each.column == label for each in conditions):
        is_plain = len(conditions) == 1 and conditions[0].op == "=" and not query.aggregate and query.select != label
        head, asked = conditions[0].value, columns[query.select]
        return get_information(head_entity=head, relation=asked) if is_plain else None
    if query.select != label:
        return _of_sql(query, columns)
    if query.aggregate not in ("", "COUNT") or not conditions:
        return None
    return _of_sql(query, columns) if query.aggregate else _rows_of(query, columns)


# WikiTableQuestions, MetaQA, cron_like --------------------------------------------------------------------------------


def wikitables(folder: Path, recorded: Path) -> Iterator[Task]:
    """Recorded programs of WikiTableQuestions' training questions, over tables of `train`."""
    tables: dict[str, set[str]] = defaultdict(set)
    for question in wtq.read_questions(folder / wtq.TRAINING):
        tables[question.text].add(question.sources[0].removeprefix(f"{wtq.SOURCE}/"))
    memories: dict[str, Memory] = {}
    for text, program in _recorded(recorded / "wtq.jsonl"):
        (table, *others) = tables.get(text) or ("",)
        if not table or others or part_of(f"wtq/{table}") != "train":
            continue
        if table not in memories:
            memories[table] = Memory([read_table(table, folder / "csv" / f"{table}.tsv", escapes=True)])
        yield Task(text, program, memories[table], f"wtq/{table}")


def _recorded(path: Path) -> Iterator[tuple[str, Call]]:
    """The questions of a file of recorded replies with their programs, as far as these can be read."""
    for each in read_recorded(path):
        with suppress(BadInput, IndexError):
            program = nested(parse(each.reply))
            if read(written(program)):
                yield each.question, program


def metaqa(folder: Path, recorded: Path, draw: random.Random, each: int) -> Iterator[Task]:
    """Recorded questions of MetaQA, `each` of one to three hops, with the programs of their types, some unmarked."""
    facts = [(head, relation, tail) for head, relation, tail in rows(folder / films.FACTS, 3, "|")]
    memory, types = Memory([MemorySource("films", KG.name, facts)]), films.read_templates(folder)
    for hops in films.HOPS:
        found = list(_recorded(recorded / f"metaqa_{hops}hop.jsonl"))
        for question, _ in draw.sample(found, min(each, len(found))):
            if kind := types.get((hops, films.template_of(question))):
                text = question if draw.random() < 0.5 else question.replace("[", "").replace("]", "")
                yield Task(text, _along(films.topic_of(question), films.hops_of(kind)), memory, "metaqa")


def _along(topic: str, path: Sequence[films.Hop]) -> Call:
    """The program along a path, which does not lead back to its topic."""
    here: str | Call = topic
    for number, hop in enumerate(path):
        head, tail = (None, here) if hop.backwards else (here, None)
        here = get_information(relation=hop.relation, head_entity=head, tail_entity=tail)
        if number == 1 and path[0].relation == hop.relation:
            here = set_difference(here, topic)
    assert isinstance(here, Call)
    return here


def cron_like(folder: Path, draw: random.Random, most: int) -> Iterator[Task]:
    """Questions of cron_like whose templates are of `train`."""
    facts = list(rows(folder / "kg.tsv.gz", 5))
    years = sorted(int(fact[3]) for fact in facts)
    times = times_text(str(years[0]), str(years[-1]), "year")
    memory = Memory([MemorySource("careers", TKG.name, [(h, r, t) for h, r, t, *_ in facts], times=times)])
    every = cronquestions.read_questions(folder / "questions_dev.jsonl.gz")
    questions = [each for each in every if part_of(f"cron/{each.template}") == "train"]
    for each in draw.sample(questions, min(most, len(questions))):
        program = nested(parse(cronquestions.program_for(each)))
        yield Task(each.text, program, memory, f"cron/{each.template}")


# Written questions ----------------------------------------------------------------------------------------------------


def words(folder: Path, part: str) -> Iterator[Task]:
    """The written questions of `benchmarks/words` over the schemas of one part."""
    for schema in written_questions.schemas(Selection(folder, part=part)):
        yield from words_of_schema(schema)


def words_of_schema(folder: Path) -> Iterator[Task]:
    """The questions over one schema."""
    memories: dict[tuple[str, ...], Memory] = {}
    for question in written_questions.read_schema(folder):
        program, files = question.annotation
        if question.sources not in memories:
            memories[question.sources] = Memory([source_of(file) for file in files])
        call = nested(parse(program)) if program else None
        yield Task(question.text, call, memories[question.sources], f"words/{folder.name}")
