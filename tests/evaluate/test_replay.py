"""Replay: recorded programs through the whole path, on a sample of every kind of benchmark, and why they are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, QueryFailed
from cgstore.evaluate.benchmarks.benchmark import Reason
from cgstore.evaluate.benchmarks.cronquestions import program_for, read_labels, read_questions
from cgstore.evaluate.known_programs import (
    Recording,
    ReplyClass,
    reason_of_answer,
    reason_of_error,
    reasons_table,
    recordings_of,
    replay_backend,
)
from cgstore.evaluate.outcome import Outcome, OutcomeList, OutcomesFile
from cgstore.evaluate.run import run
from cgstore.evaluate.summary import Run
from cgstore.mapping.fuzzy import UnmappedName
from cgstore.model import Answer
from cgstore.query.parse import ProgramError, parse
from cgstore.store import Store
from tests.conftest import wipe
from tests.evaluate.benchmark_files import write_lines
from tests.evaluate.outcome_sample import outcome


@pytest.fixture(scope="module")
def store(shared_db: Database) -> Store:
    wipe(shared_db)
    return Store(shared_db)


def replayed(store: Store, data: Path, name: str, limit: int | None = None, outcomes: OutcomeList | None = None) -> Run:
    """Runs one set."""
    (recording,) = recordings_of(data, [name])
    benchmark, drawn = recording.benchmark, recording.read(data, limit, seed=3)
    ask = replay_backend(store, benchmark)
    return run(store, benchmark, recording.selection(data), drawn, ask, outcomes, set_name=name)


def test_only_the_tables_asked_are_loaded(store: Store, sample: Path) -> None:
    replayed(store, sample, "wtq", limit=1)
    names = [source.name for source in store.sources()]
    assert 0 < len(names) < 3 and all(name.startswith("eval/wtq/") for name in names)


SETS = {
    "metaqa_1hop": [("1", ["Ida Moor"], ["Ida Moor"], "right"), ("2", ["Ida Moor"], ["Ida Moor"], "right")],
    "metaqa_2hop": [("1", ["Clay Road"], ["Brass Lamp", "Clay Road"], "superset: 2 answers, 1 of them gold")],
    "wtq": [
        ("nt-0", ["2"], [2], "right"),
        ("nt-2", ["Terns"], ["Terns"], "right"),
        ("nt-3", ["Herons", "Terns"], [], "unknown function dance"),
    ],
    "webqsp_named": [
        ("WebQTrn-0", ["Ulm"], ["Ulm"], "right"),
        ("WebQTrn-1", ["Ulm"], ["Bern", "Ulm"], "superset: 2 answers, 1 of them gold"),
        ("WebQTrn-2", ["1931"], ["Bern"], "other answer: none of them gold"),
    ],
}
"""What comes of the replies of each set: a mistyped name is mapped, the first table that can answers."""


@pytest.mark.parametrize("name", SETS)
def test_a_set_is_replayed(store: Store, sample: Path, name: str) -> None:
    found = replayed(store, sample, name)
    assert [(one.id, one.gold, one.answer) for one in found.outcomes] == [each[:3] for each in SETS[name]]
    assert all(one.reason.startswith(each[3]) for one, each in zip(found.outcomes, SETS[name], strict=True))


def test_webqsp_accepts_more_than_the_gold(store: Store, sample: Path) -> None:
    assert [one.scores["accepted"] for one in replayed(store, sample, "webqsp_named").outcomes] == [1.0, 1.0, 0.0]


def test_line_ends_in_cells_of_wtq_are_decoded(store: Store, sample: Path) -> None:
    replayed(store, sample, "wtq")
    assert "a\nb" in store.query("get_information(relation='Note')", ["eval/wtq/200-csv/1"]).answer


def test_replies_without_known_gold_are_counted_apart(sample: Path) -> None:
    (recording,) = recordings_of(sample, ["metaqa_1hop"])
    drawn = recording.read(sample)
    assert (len(drawn.questions), drawn.without_gold) == (2, 1)


def test_programs_of_every_kind_of_cronquestions_give_their_gold(store: Store, data: Path) -> None:
    folder = data / "cronquestions"
    questions = [*read_questions(folder / "ari_dev.jsonl", read_labels(folder))]
    replies = ({"question": each.text, "reply": program_for(each)} for each in questions)
    write_lines(data / "recorded" / "cronquestions.jsonl", replies)
    assert [one.reason for one in replayed(store, data, "cronquestions").outcomes] == ["right"] * 14


class Interrupted(OutcomesFile):
    """A file that receives one outcome."""

    def write(self, outcome: Outcome) -> None:
        super().write(outcome)
        raise KeyboardInterrupt


def test_an_interrupted_run_says_how_it_goes_on(store: Store, sample: Path, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt) as caught:
        replayed(store, sample, "metaqa_1hop", outcomes=Interrupted(tmp_path / "out.jsonl", {}))
    (note,) = caught.value.__notes__
    assert note.startswith("1 of 2 questions are in") and "--resume" in note


def test_sets_are_given_or_those_whose_replies_are_there(sample: Path) -> None:
    assert [each.name for each in recordings_of(sample)] == ["metaqa_1hop", "metaqa_2hop", "wtq", "webqsp_named"]
    given = recordings_of(sample, ["cronquestions", "wtq"])
    assert [(each.name, each.path.is_file()) for each in given] == [("cronquestions", False), ("wtq", True)]
    with pytest.raises(BadInput, match="no recorded replies of cronquestions"):
        recordings_of(sample, ["cronquestions"])


def test_the_set_of_a_file_is_given_or_in_its_name(sample: Path) -> None:
    other = sample / "mine.jsonl"
    assert recordings_of(sample, ["wtq"], [other]) == [Recording("wtq", other)]
    assert recordings_of(sample, [], [sample / "wtq.jsonl"]) == [Recording("wtq", sample / "wtq.jsonl")]
    with pytest.raises(BadInput, match="not that of a set"):
        recordings_of(sample, [], [other])
    with pytest.raises(BadInput, match="takes one --set"):
        recordings_of(sample, ["wtq", "webqsp_named"], [other])


# Reasons.

GOOD = "get_information(relation='Team')"


def parsed(reply: str) -> BadInput:
    """The error of a reply that cannot be read."""
    with pytest.raises(BadInput) as caught:
        parse(reply)
    return caught.value


@pytest.mark.parametrize(
    ("reply", "error", "kind", "detail"),
    [
        (f"dance(set={GOOD})", None, ReplyClass.FUNCTION, "dance"),
        ("I cannot tell.", None, ReplyClass.MALFORMED, ""),
        ("get_information(relation='Team'", None, ReplyClass.MALFORMED, ""),
        (f"count(sets=1, {GOOD})", None, ReplyClass.MALFORMED, ""),
        (GOOD, UnmappedName("no entity is named 'x'", GOOD, (0, 1)), ReplyClass.UNMAPPED, "no entity is named 'x'"),
        (GOOD, ProgramError("set cannot be facts", GOOD, (0, 1)), ReplyClass.KINDS, "set cannot be facts"),
        (GOOD, QueryFailed("out of time"), ReplyClass.FAILED, "out of time"),
    ],
)
def test_an_error_of_a_program_has_a_class(reply: str, error: BadInput | None, kind: ReplyClass, detail: str) -> None:
    reason = reason_of_error(error or parsed(reply), reply)
    assert reason.kind is kind and detail in reason.detail


def test_an_error_that_is_not_the_programs_is_raised() -> None:
    with pytest.raises(BadInput, match="no source"):
        reason_of_error(BadInput("There is no source 'eval/wtq/1'."), GOOD)


@pytest.mark.parametrize(
    ("gold", "answer", "reason"),
    [
        (("a",), Answer((), GOOD, warnings=("x", "y")), Reason(ReplyClass.NOTHING, "x; y")),
        (("a",), Answer(("a", "b", "c"), GOOD), Reason(ReplyClass.SUPERSET, "3 answers, 1 of them gold")),
        (("a", "d"), Answer(("a", "b"), GOOD), Reason(ReplyClass.OTHER, "f1 0.50")),
        (("a",), Answer(("b",), GOOD, warnings=("x",)), Reason(ReplyClass.OTHER, "none of them gold; x")),
        ((), Answer(("b",), GOOD), Reason(ReplyClass.OTHER, "none of them gold")),
    ],
    ids=["nothing", "superset", "in part", "wrong", "no gold"],
)
def test_an_answer_that_is_not_right_is_of_one_class(gold: tuple[str, ...], answer: Answer, reason: Reason) -> None:
    assert reason_of_answer(gold, answer, right=False) == reason
    assert str(reason_of_answer(gold, answer, right=True)) == "right"


def test_the_table_counts_classes_and_names_unknown_functions() -> None:
    names = ["dance", "sing", "sing"]
    reasons = [(ReplyClass.NOTHING, "no answer: x"), *((ReplyClass.FUNCTION, f"unknown function {n}") for n in names)]
    reasons += [(ReplyClass.RIGHT, "right")] * 4
    lines = reasons_table([outcome("1", reason_class=kind, reason=text) for kind, text in reasons]).splitlines()
    assert [line.split() for line in lines] == [
        ["reason", "n", "share"],
        ["right", "4", "0.500"],
        ["no", "answer", "1", "0.125"],
        ["unknown", "function", "3", "0.375"],
        ["unknown", "function", "n"],
        ["sing", "2"],
        ["dance", "1"],
    ]
