"""Replay: recorded programs through the whole path, on a sample of every kind of benchmark."""

from __future__ import annotations

import json
from pathlib import Path

import cron_sample
import pytest
import replay_sample

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks.cronquestions import CronQuestion, Labels, program_for, read_questions
from cgstore.evaluate.known_programs import Recording, reasons_table, recordings_of, replay_backend
from cgstore.evaluate.outcome import Outcome, OutcomeList
from cgstore.evaluate.run import run
from cgstore.evaluate.summary import Run
from cgstore.store import Store


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return replay_sample.write(tmp_path / "data")


def _run(
    db: Database, data: Path, name: str, limit: int | None = None, seed: int = 0, outcomes: OutcomeList | None = None
) -> Run:
    (recording,) = recordings_of(data, [name])
    benchmark, drawn = recording.benchmark, recording.read(data, limit, seed)
    ask = replay_backend(Store(db), benchmark)
    return run(Store(db), benchmark, recording.selection(data), drawn, ask, outcomes, set_name=name)


def _reasons(report: Run) -> list[tuple[str, str]]:
    return [(outcome.id, outcome.reason) for outcome in report.outcomes]


def test_sets_are_those_whose_replies_are_there(data: Path) -> None:
    assert [task.name for task in recordings_of(data)] == ["metaqa_1hop", "metaqa_2hop", "wtq", "webqsp_named"]


def test_a_set_given_need_not_have_a_file(data: Path) -> None:
    tasks = recordings_of(data, ["cronquestions", "wtq"])
    assert [(task.name, task.path.is_file()) for task in tasks] == [("cronquestions", False), ("wtq", True)]


def test_no_set_with_a_file_is_bad_input(data: Path) -> None:
    with pytest.raises(BadInput, match="no recorded replies of cronquestions"):
        recordings_of(data, ["cronquestions"])


def test_the_set_of_a_file_is_given_or_in_its_name(data: Path) -> None:
    other = data / "mine.jsonl"
    assert recordings_of(data, ["wtq"], [other]) == [Recording("wtq", other)]
    assert recordings_of(data, [], [data / "wtq.jsonl"]) == [Recording("wtq", data / "wtq.jsonl")]
    with pytest.raises(BadInput, match="not that of a set"):
        recordings_of(data, [], [other])
    with pytest.raises(BadInput, match="takes one --set"):
        recordings_of(data, ["wtq", "webqsp_named"], [other])


def test_metaqa_gold_follows_the_templates_path(db: Database, data: Path) -> None:
    report = _run(db, data, "metaqa_1hop")
    assert [outcome.gold for outcome in report.outcomes] == [["Ida Moor"], ["Ida Moor"]]
    assert report.short_headline("replay")["metrics"]["accepted"] == 1.0


def test_a_name_that_no_node_has_is_taken_for_the_nearest(db: Database, data: Path) -> None:
    report = _run(db, data, "metaqa_1hop")
    assert _reasons(report)[1] == ("2", "right")
    assert "Clay Rode" in report.outcomes[1].program


def test_replies_without_known_gold_are_counted_apart(data: Path) -> None:
    (recording,) = recordings_of(data, ["metaqa_1hop"])
    drawn = recording.read(data)
    assert (len(drawn.questions), drawn.without_gold) == (2, 1)


def test_a_superset_is_told_from_another_answer(db: Database, data: Path) -> None:
    report = _run(db, data, "metaqa_2hop")
    (outcome,) = report.outcomes
    assert (outcome.gold, outcome.answer) == (["Clay Road"], ["Brass Lamp", "Clay Road"])
    assert (outcome.correct, outcome.reason) == (False, "superset: 2 answers, 1 of them gold")


def test_a_question_of_several_tables_is_answered_by_the_first_that_can(db: Database, data: Path) -> None:
    report = _run(db, data, "wtq")
    outcome = report.outcomes[1]
    assert (outcome.id, outcome.answer, outcome.correct) == ("nt-2", ["Terns"], True)


def test_an_unknown_function_is_that_questions_reason(db: Database, data: Path) -> None:
    report = _run(db, data, "wtq")
    assert _reasons(report) == [("nt-0", "right"), ("nt-2", "right"), ("nt-3", "unknown function dance")]
    assert reasons_table(report.outcomes).splitlines()[-1].split() == ["dance", "1"]


def test_only_the_tables_asked_are_loaded(db: Database, data: Path) -> None:
    store = Store(db)
    _run(db, data, "wtq", limit=1, seed=3)
    asked = len(store.sources())
    assert 0 < asked < 3
    assert all(source.name.startswith("eval/wtq/") for source in store.sources())


def test_webqsp_accepts_more_than_the_gold(db: Database, data: Path) -> None:
    report = _run(db, data, "webqsp_named")
    assert [outcome.scores["accepted"] for outcome in report.outcomes] == [1.0, 1.0, 0.0]
    kinds = [outcome.reason_class for outcome in report.outcomes]
    assert kinds[:2] == ["right", "superset"]
    assert report.outcomes[2].gold == ["1931"]


def test_outcomes_are_told_in_the_files_order(db: Database, data: Path) -> None:
    replies = [replay_sample.METAQA["metaqa_1hop"][0]] * 50
    replay_sample.write_replies(data / "recorded" / "metaqa_1hop.jsonl", replies)
    told: list[Outcome] = []
    _run(db, data, "metaqa_1hop", outcomes=OutcomeList(told.append))
    assert [outcome.id for outcome in told] == [str(number) for number in range(1, 51)]


def test_an_interruption_ends_the_run_at_once(db: Database, data: Path) -> None:
    replay_sample.write_replies(data / "recorded" / "metaqa_1hop.jsonl", [replay_sample.METAQA["metaqa_1hop"][0]] * 50)
    told: list[Outcome] = []

    def interrupt(outcome: Outcome) -> None:
        told.append(outcome)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _run(db, data, "metaqa_1hop", outcomes=OutcomeList(interrupt))
    assert len(told) == 1


def test_replies_of_cronquestions_are_compared_with_its_gold(
    db: Database, tmp_path: Path, questions: list[CronQuestion]
) -> None:
    data = _cronquestions(tmp_path, questions)
    report = _run(db, data, "cronquestions")
    assert [outcome.reason for outcome in report.outcomes] == ["right"] * len(questions)


def _cronquestions(folder: Path, questions: list[CronQuestion]) -> Path:
    part = folder / "cronquestions"
    part.mkdir()
    for name, labels in (("entity", cron_sample.ENTITIES), ("relation", cron_sample.RELATIONS)):
        lines = (f"{identifier}\t{label}\n" for identifier, label in labels.items())
        (part / f"wd_id2{name}_text.txt").write_text("".join(lines), encoding="utf-8")
    (part / "event2time.tsv").write_text("\n".join("\t".join(f) for f in cron_sample.FACTS[:2]), encoding="utf-8")
    (part / "ari_facts.tsv").write_text("\n".join("\t".join(f) for f in cron_sample.FACTS[2:]), encoding="utf-8")
    records = "".join(json.dumps(record | {"uniq_id": n}) + "\n" for n, record in enumerate(cron_sample.RECORDS, 1))
    (part / "ari_dev.jsonl").write_text(records, encoding="utf-8")
    replies = [(question.text, program_for(question)) for question in questions]
    replay_sample.write_replies(folder / "recorded" / "cronquestions.jsonl", replies)
    assert (
        list(read_questions(part / "ari_dev.jsonl", Labels(cron_sample.ENTITIES, cron_sample.RELATIONS))) == questions
    )
    return folder
