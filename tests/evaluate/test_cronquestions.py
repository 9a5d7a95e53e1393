"""The reader: ids become names, and what a question lacks is said."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import cron_sample as sample
import pytest

from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.cronquestions import (
    CronQuestion,
    Labels,
    label_file,
    read_facts,
    read_labels,
    read_questions,
)

LABELS = Labels(sample.ENTITIES, sample.RELATIONS)


def _one(questions: list[CronQuestion], template: str) -> CronQuestion:
    return next(question for question in questions if question.template == template)


def test_text_keeps_the_alias_and_canonical_text_has_the_label(questions: list[CronQuestion]) -> None:
    question = _one(questions, "Who played with {head} at {tail}?")
    assert question.text == "Who played with Bo O'Hara at B.U.?"
    assert question.canonical_text == "Who played with Bo O'Hara at Bexley \\ United?"


def test_gold_ids_become_labels_and_years_become_texts(questions: list[CronQuestion]) -> None:
    assert _one(questions, "Who was {tail} in {time}?").gold == ("Cy Dunn, 2nd Earl",)
    assert _one(questions, "When was {head} {tail}?").gold == ("1958", "1959")


def test_annotation_and_relations_are_in_names(questions: list[CronQuestion]) -> None:
    question = _one(questions, "Who was {tail} after {event_head}?")
    assert question.annotation == {"event_head": "the Great Flood", "tail": "Mayor of Aldham", "type": "after"}
    assert question.relations == ("position held",)


def test_unfilled_second_tail_marks_a_question_incomplete(questions: list[CronQuestion]) -> None:
    assert [question.id for question in questions if question.is_incomplete] == ["14"]


def test_canonical_text_fills_the_second_tail_from_the_entities(questions: list[CronQuestion]) -> None:
    question = questions[-1]
    assert question.canonical_text == "Who was Mayor of Aldham when Ada Brook was Reeve of Bexley?"
    assert question.annotation["tail2"] == "Mayor of Aldham"


def test_second_tail_is_the_first_where_no_entity_is_left(tmp_path: Path) -> None:
    record = sample.RECORDS[-1] | {"entities": ["Q1", "Q5"]}
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(record), encoding="utf-8")
    (question,) = read_questions(path, LABELS)
    assert question.annotation["tail2"] == "Reeve of Bexley"


def test_gzipped_questions_in_names_are_read(tmp_path: Path) -> None:
    record = {
        "question": "When was Ada Brook Reeve of Bexley?",
        "answers": ["1958", "1959"],
        "answer_type": "time",
        "type": "simple_time",
        "relations": ["position held"],
        "annotation": {"head": "Ada Brook", "tail": "Reeve of Bexley"},
        "template": "When was {head} {tail}?",
    }
    path = tmp_path / "questions.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(record).encode()))
    (question,) = read_questions(path)
    assert (question.id, question.text, question.gold) == ("1", record["question"], ("1958", "1959"))
    assert question.canonical_text == question.text


def test_missing_label_names_the_line_and_the_id(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"questions\.jsonl, line 1: Q\d+ has no label"):
        list(read_questions(sample.write(tmp_path), Labels({}, sample.RELATIONS)))


@pytest.mark.parametrize(
    ("line", "problem"), [("{", "not JSON"), ('{"question": "?"}', "not a question"), ("3", "not a JSON object")]
)
def test_malformed_line_is_named(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=rf"bad\.jsonl, line 2: .*{problem}"):
        list(read_questions(path))


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no file .*none\.jsonl"):
        list(read_questions(tmp_path / "none.jsonl"))


def test_label_line_without_a_tab_is_named(tmp_path: Path) -> None:
    path = tmp_path / "labels.txt"
    path.write_text("Q1\tAda\nQ2 Bo\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"labels\.txt, line 2"):
        label_file(path)


def test_facts_in_ids_become_names(tmp_path: Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text("Q8\tP4\tQ9\t1957\t1958\n", encoding="utf-8")
    facts = list(read_facts(path, LABELS))
    assert facts == [("the Great Flood", "significant event", "occurrence", "1957", "1958")]


def test_facts_in_names_get_their_commas_back(tmp_path: Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text("Cy Dunn- 2nd Earl\tposition held\tA- B\t1961\t1970\n", encoding="utf-8")
    facts = list(read_facts(path, LABELS))
    assert facts == [("Cy Dunn, 2nd Earl", "position held", "A- B", "1961", "1970")]


def test_every_name_of_the_published_facts_is_a_label(cronquestions_data: Path) -> None:
    labels = read_labels(cronquestions_data)
    names = set(labels.entities.values())
    for file in ("ari_facts.tsv", "event2time.tsv"):
        for head, relation, tail, _, _ in read_facts(cronquestions_data / file, labels):
            assert head in names and tail in names and relation in labels.relations.values()
