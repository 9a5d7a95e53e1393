"""Each benchmark's reader: questions with gold answers, types, topics and sources, and what no program can give."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import freebase_sample
import pytest

from cgstore.cli.groups import evaluate
from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks import BENCHMARKS, multitq
from cgstore.evaluate.benchmarks.benchmark import Drawn, Question, Selection, with_unique_ids

FILES = {
    "wikisql": "wikisql/dev.jsonl",
    "wtq": "wtq/data/pristine-seen-tables.tsv",
    "metaqa": "metaqa/1-hop/vanilla/qa_dev.txt",
    "webqsp": "webqsp/WebQSP.dev.json",
    "cwq": "cwq/ComplexWebQuestions_dev.json",
    "cronquestions": "cronquestions/ari_dev.jsonl",
    "timequestions": "timequestions/test_half_with_facts.jsonl",
    "multitq": "multitq/questions_dev.jsonl",
    "words": "words/byre/questions.jsonl",
}


def read(name: str, data: Path, **options: object) -> Drawn:
    return BENCHMARKS[name].read(Selection(data, **options))  # type: ignore[arg-type]


def by_id(drawn: Drawn) -> dict[str, Question]:
    return {question.id: question for question in drawn.questions}


def test_there_is_a_command_for_every_benchmark() -> None:
    assert set(evaluate.commands) == {*BENCHMARKS, "mine", "replay", "oracle", "mapping", "compare"}


def test_wikisql_asks_a_table_and_has_gold_by_its_sql_and_the_aggregate_as_type(data: Path) -> None:
    questions = by_id(read("wikisql", data))
    assert (questions["1"].gold, questions["1"].type) == (("aldham",), "select")
    assert (questions["3"].gold, questions["3"].type) == (("1037.5",), "avg")
    assert questions["1"].sources == ("eval/wikisql/1-1",)
    assert questions["5"].gold == ()


def test_wikisql_questions_of_another_file_need_their_tables(data: Path) -> None:
    with pytest.raises(BadInput, match="need their tables"):
        read("wikisql", data, questions=data / "wikisql" / "dev.jsonl")


def test_wtq_types_are_those_of_the_gold_answer(data: Path) -> None:
    drawn = read("wtq", data)
    assert {q.id: q.type for q in drawn.questions} == {"ns-0": "number", "ns-1": "text", "ns-2": "list"}
    assert drawn.questions[0].sources == ("eval/wtq/200-csv/1",)


def test_a_text_that_no_cell_has_cannot_be_reached_and_a_number_may_be_computed(data: Path) -> None:
    assert {q.id: q.reachable for q in read("wtq", data).questions} == {"ns-0": True, "ns-1": True, "ns-2": False}


def test_metaqa_has_the_path_as_type_and_the_topic_in_the_text(data: Path) -> None:
    (question,) = read("metaqa", data, hop=3).questions
    assert question.type == "movie_to_director_to_movie_to_year"
    assert question.topic == ("The Mill",) and "[The Mill]" in question.text


def test_metaqa_takes_a_folder_of_other_questions(data: Path) -> None:
    drawn = read("metaqa", data, hop=2, questions=data / "metaqa" / "2-hop")
    assert [q.gold for q in drawn.questions] == [("Bo Lind",)]


def test_metaqa_knows_gold_that_no_film_has(data: Path) -> None:
    assert [q.reachable for q in read("metaqa", data, hop=1).questions] == [True, True, True, False]


def test_webqsp_leaves_out_questions_without_gold_and_tells_how_many(data: Path) -> None:
    drawn = read("webqsp", data)
    assert ([q.id for q in drawn.questions], drawn.without_gold) == (["WebQTest-1", "WebQTest-2"], 1)


def test_webqsp_has_the_length_of_the_chain_as_type_and_knows_what_the_union_lacks(data: Path) -> None:
    one, two = read("webqsp", data).questions
    assert (one.type, one.topic, one.sources, one.reachable) == ("1 hop", ("Ann Ash",), ("eval/webqsp",), True)
    assert (two.type, two.reachable) == ("2 hops", False)


def test_webqsp_of_own_graphs_has_no_source_where_none_is_published(data: Path) -> None:
    one, two = read("webqsp", data, graph="own").questions
    assert one.sources == ("eval/webqsp/WebQTest-1",) and one.reachable
    assert two.sources == () and not two.reachable


def test_cwq_takes_names_of_gold_ids_from_topics_and_keeps_an_id_without_a_name(data: Path) -> None:
    one, two = read("cwq", data).questions
    assert (one.gold, one.type, one.topic) == (("Ulm",), "composition", ("Bo Birch", "Ulm"))
    assert (two.gold, two.reachable) == (("m.nowhere",), False)


def test_cwq_takes_names_from_webqsp_beside_it(data: Path) -> None:
    topics = [{"ID": i, "topic_entity": {}} for i, _ in freebase_sample.CWQ_TOPICS]
    freebase_sample.write_lines(data / "cwq" / "dev_topic_entities.jsonl", topics)
    assert read("cwq", data).questions[0].gold == ("Ulm",)
    (data / "webqsp").rename(data / "elsewhere")
    assert read("cwq", data).questions[0].gold == ("m.ulm",)


def test_cwq_of_own_graphs_asks_the_questions_own_facts(data: Path) -> None:
    one, two = read("cwq", data, graph="own").questions
    assert (one.sources, two.sources) == (("eval/cwq/q-1",), ())


def test_cronquestions_has_alias_or_label_and_marks_incomplete_questions(data: Path) -> None:
    texts = {q.id: q.text for q in read("cronquestions", data).questions}
    labels = {q.id: q.text for q in read("cronquestions", data, canonical=True).questions}
    assert texts["12"] == "Who played with Bo O'Hara at B.U.?"
    assert labels["12"] == "Who played with Bo O'Hara at Bexley \\ United?"
    assert by_id(read("cronquestions", data))["14"].type == "time_join (incomplete)"


def test_cron_like_takes_years_within_a_span_as_reachable(data: Path) -> None:
    drawn = read("cron_like", data)
    assert [(q.type, q.reachable) for q in drawn.questions] == [("simple_entity", True), ("before_after", True)]


def test_timequestions_splits_facts_without_times_off_and_joins_two_types(data: Path) -> None:
    drawn = read("timequestions", data)
    one, two = drawn.questions
    assert one.sources == ("eval/timequestions/7", "eval/timequestions/7/undated")
    assert (two.sources, two.type) == (("eval/timequestions/8",), "Ordinal + Temp.Ans")
    assert drawn.without_gold == 1


def test_timequestions_knows_a_year_that_the_own_facts_lack(data: Path) -> None:
    assert [q.reachable for q in read("timequestions", data).questions] == [True, False]


def test_multitq_has_types_by_order_and_granularity_from_the_text_or_as_published(data: Path) -> None:
    types = {each.id: each.type for each in read("multitq", data).questions}
    assert types == {
        "1": "equal, day",
        "2": "first_last, month",
        "3": "after_first, day",
        "4": "before_after, year",
        "6": "equal, year",
    }


def test_multitq_leaves_out_questions_without_gold_and_knows_months_and_years_of_days(data: Path) -> None:
    drawn = read("multitq", data)
    assert drawn.without_gold == 1
    assert [each.id for each in drawn.questions if not each.reachable] == ["4"]


@pytest.mark.parametrize(
    ("text", "kind", "granularity"),
    [
        ("Who praised China in September 2007?", "equal", "month"),
        ("Who accused Kuwait in the same year as Iraq?", "equal_multi", "year"),
        ("Before Iraq, who was the last to visit Kuwait?", "before_last", "day"),
        ("After Feb 12th, 2011, whom did Malaysia accuse?", "before_after", "day"),
    ],
)
def test_the_type_of_a_question_of_multitq(text: str, kind: str, granularity: str) -> None:
    assert (multitq.type_of(text), multitq.granularity_of(text, ["Iraq"])) == (kind, granularity)


def test_timequestions_of_the_union_asks_all_facts(data: Path) -> None:
    sources = {q.sources for q in read("timequestions", data, graph="union").questions}
    assert sources == {("eval/timequestions/union", "eval/timequestions/union/undated")}


@pytest.mark.parametrize("name", BENCHMARKS)
def test_the_data_folder_may_be_the_benchmarks_own(name: str, data: Path) -> None:
    inside = BENCHMARKS[name].read(Selection(data / name)).questions
    assert [q.id for q in inside] == [q.id for q in BENCHMARKS[name].read(Selection(data)).questions]


@pytest.mark.parametrize("name", FILES)
def test_a_malformed_question_is_named_by_file_and_place(name: str, data: Path) -> None:
    path = data / FILES[name]
    lines = path.read_text(encoding="utf-8").splitlines()
    if path.suffix == ".json":
        document = json.loads(path.read_text(encoding="utf-8"))
        (document["Questions"] if name == "webqsp" else document)[1] = {"a": "stranger"}
        lines = [json.dumps(document)]
    else:
        lines[1] = '{"a": "stranger"}'
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(BadInput, match=rf"{path.name}, (line|question) 2"):
        BENCHMARKS[name].read(Selection(data))


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_missing_folder_is_bad_input(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no file|holds 0 files|cannot be read"):
        BENCHMARKS[name].read(Selection(tmp_path))


def test_a_draw_is_the_same_by_its_seed_and_in_the_files_order(data: Path) -> None:
    drawn = [[q.id for q in read("wikisql", data, limit=4, seed=seed).questions] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] == sorted(drawn[0]) != drawn[2]


def test_ids_that_repeat_get_a_number() -> None:
    question = Question("7", "who?", ("a",), "one", ())
    found = with_unique_ids([question, replace(question, text="whom?"), replace(question, id="8")])
    assert [q.id for q in found] == ["7", "7#2", "8"]


COUNTS = {
    ("wikisql", 1, None): (5_285, 0, 0),
    ("wtq", 1, None): (3_537, 0, 212),
    ("metaqa", 1, None): (9_992, 0, 0),
    ("metaqa", 2, None): (14_872, 0, 0),
    ("metaqa", 3, None): (14_274, 0, 0),
    ("webqsp", 1, "union"): (773, 10, 120),
    ("webqsp", 1, "own"): (773, 10, 152),
    ("cwq", 1, "union"): (1_742, 0, 382),
    ("cwq", 1, "own"): (1_742, 0, 834),
    ("cronquestions", 1, None): (103, 0, 9),
    ("cron_like", 1, None): (5_000, 0, 0),
    ("timequestions", 1, "own"): (1_542, 18, 615),
    ("timequestions", 1, "union"): (1_542, 18, 439),
}
"""Of the published files: questions, those left out for want of gold, and those whose gold is not in the data."""


@pytest.mark.parametrize(("name", "hop", "graph"), COUNTS)
def test_the_published_files_are_read_whole(name: str, hop: int, graph: str | None, benchmark_data: Path) -> None:
    drawn = BENCHMARKS[name].read(Selection(benchmark_data, hop=hop, graph=graph))
    unreachable = sum(not question.reachable for question in drawn.questions)
    assert (len(drawn.questions), drawn.without_gold, unreachable) == COUNTS[name, hop, graph]
    assert len({question.id for question in drawn.questions}) == len(drawn.questions)
