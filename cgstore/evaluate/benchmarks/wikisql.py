"""WikiSQL: each question is asked of its own table, whose name the benchmark gives.

The gold answer is what the question's SQL gives in SQLite on that table (`cgstore.evaluate.wikisql`), which may be
nothing. The type is the aggregate, in small letters; `select` where there is none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from cgstore.errors import BadInput
from cgstore.evaluate import wikisql
from cgstore.evaluate.benchmarks.benchmark import Benchmark, Drawn, Question, Setting, draw
from cgstore.evaluate.loaded import load_changed
from cgstore.evaluate.scoring import accepted_table
from cgstore.store import Store

SOURCE = "eval/wikisql"
"""What the names of the tables' sources begin with: `eval/wikisql/1-10015132-16`."""

TABLES_A_FILE = 200


def _read(setting: Setting) -> Drawn:
    drawn = draw(wikisql.read_questions(setting.questions or _folder(setting) / "dev.jsonl"), setting)
    tables = _tables(setting, {question.table for question in drawn})
    return Drawn([_question(question, tables[question.table]) for question in drawn])


def _question(question: wikisql.Question, table: wikisql.Table) -> Question:
    try:
        gold = wikisql.execute(table, question.query)
    except BadInput as error:
        raise BadInput(f"Question {question.id} of WikiSQL: {error.message}", error.hint) from error
    kind = question.query.aggregate.lower() or "select"
    return Question(question.id, question.text, gold, kind, (f"{SOURCE}/{table.id}",))


def _folder(setting: Setting) -> Path:
    return setting.folder("wikisql")


def _tables(setting: Setting, only: Collection[str]) -> dict[str, wikisql.Table]:
    if setting.questions and not setting.tables:
        raise BadInput("WikiSQL's --questions need their tables.", "Give the file of them by --tables.")
    return wikisql.read_tables(setting.tables or _folder(setting) / "dev.tables.jsonl", only)


def _load(store: Store, setting: Setting, questions: Sequence[Question]) -> None:
    """Loads the tables of these questions, each as the source `eval/wikisql/TABLE`."""
    ids = {source.removeprefix(f"{SOURCE}/") for question in questions for source in question.sources}
    tables = _tables(setting, ids)
    with TemporaryDirectory() as folder:
        files = {}
        for number, table in enumerate(tables.values()):
            files[f"{SOURCE}/{table.id}"] = path = Path(folder) / f"{number}.jsonl"
            path.write_text(table.line + "\n", encoding="utf-8")

        def load(sources: list[str]) -> None:
            lines = [files[source].read_text(encoding="utf-8") for source in sources]
            paths = []
            for start in range(0, len(lines), TABLES_A_FILE):
                paths.append(Path(folder) / f"tables-{start}.jsonl")
                paths[-1].write_text("".join(lines[start : start + TABLES_A_FILE]), encoding="utf-8")
            # The loader names several tables NAME/TABLE, and one alone NAME.
            name = SOURCE if len(sources) > 1 else sources[0]
            store.load_table(paths, name=name, replace=True, progress=True)

        load_changed(store, files, load)


BENCHMARK = Benchmark("wikisql", _read, _load, accepted_table, ("accepted", "accuracy"))
