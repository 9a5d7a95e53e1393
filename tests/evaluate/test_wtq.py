r"""WikiTableQuestions: its questions, and its tables as sources."""

from __future__ import annotations

from pathlib import Path

import pytest
import replay_sample

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.benchmark import Question, Selection
from cgstore.evaluate.benchmarks.wtq import BENCHMARK, SOURCE, questions_by_text, read_questions
from cgstore.store import Store

HEADER = "id\tutterance\tcontext\ttargetValue\n"


def load_tables(store: Store, data: Path, *tables: str) -> None:
    BENCHMARK.load(store, Selection(data), [Question("1", "?", (), sources=(f"{SOURCE}/{each}",)) for each in tables])


def test_list_answers_are_split_and_escapes_decoded(tmp_path: Path) -> None:
    path = tmp_path / "training.tsv"
    path.write_text(f"{HEADER}nt-7\twhat is a\\pb?\tcsv/200-csv/7.csv\tx\\ny|c\\\\d|1\\p2\n", encoding="utf-8")
    (question,) = read_questions(path)
    assert (question.id, question.text, question.sources) == ("nt-7", "what is a|b?", ("eval/wtq/200-csv/7",))
    assert question.gold == ("x\ny", "c\\d", "1|2")


@pytest.mark.parametrize("text", ["", "a\tb\n", f"{HEADER}nt-7\tonly two\n"])
def test_other_columns_are_bad_input(tmp_path: Path, text: str) -> None:
    path = tmp_path / "training.tsv"
    path.write_text(text or "\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"training\.tsv, line \d: (expected 4|the) columns"):
        list(read_questions(path))


def test_a_text_asked_of_several_tables_has_all_its_questions(tmp_path: Path) -> None:
    found = questions_by_text(replay_sample.write(tmp_path) / "wtq")
    assert [question.id for question in found["which team was last?"]] == ["nt-1", "nt-2"]


def test_what_training_asks_is_not_sought_elsewhere(tmp_path: Path) -> None:
    folder = replay_sample.write(tmp_path) / "wtq"
    rows = "ns-0\twhich team was last?\tcsv/201-csv/2.csv\tx\nns-1\twhich area has ulm?\tcsv/201-csv/2.csv\t119\n"
    replay_sample.write_text(folder / "data" / "pristine-seen-tables.tsv", HEADER + rows)
    found = questions_by_text(folder)
    assert [question.id for question in found["which team was last?"]] == ["nt-1", "nt-2"]
    assert found["which area has ulm?"][0].gold == ("119",)


def test_each_table_asked_becomes_a_source_of_its_name(db: Database, tmp_path: Path) -> None:
    store = Store(db)
    load_tables(store, replay_sample.write(tmp_path), "200-csv/1", "201-csv/2", "201-csv/1", "200-csv/1")
    names = [source.name for source in store.sources()]
    assert names == ["eval/wtq/200-csv/1", "eval/wtq/201-csv/1", "eval/wtq/201-csv/2"]
    answer = store.query("get_information(relation='Note')", ["eval/wtq/200-csv/1"])
    assert "a\nb" in answer.answer


def test_a_missing_table_is_bad_input(db: Database, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"9\.tsv"):
        load_tables(Store(db), replay_sample.write(tmp_path), "200-csv/9")
