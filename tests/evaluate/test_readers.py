"""Each benchmark's reader: questions with gold answers, types, topics and sources, and what no program can give."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cgstore.cli.groups import evaluate
from cgstore.errors import BadInput
from cgstore.evaluate.benchmarks import BENCHMARKS, cronquestions, metaqa, multitq, wtq
from cgstore.evaluate.benchmarks.benchmark import Drawn, Question, Selection, sample, with_unique_ids
from cgstore.llm.backends.replay import RecordedReply, read_recorded
from tests.evaluate.benchmark_files import write_lines, write_text

READ = [json.loads(line) for line in (Path(__file__).parent / "read.jsonl").open(encoding="utf-8")]
"""What is read of some questions of the sample."""


def read(name: str, data: Path, **options: Any) -> Drawn:
    return BENCHMARKS[name].read(Selection(data, **options))


def test_there_is_a_command_for_every_benchmark() -> None:
    assert set(evaluate.commands) == {*BENCHMARKS, "mine", "replay", "oracle", "mapping", "compare"}


@pytest.mark.parametrize("expected", READ, ids=[f"{each['benchmark']} {each['id']}" for each in READ])
def test_a_question_is_read(expected: dict[str, Any], data: Path) -> None:
    fields = {**expected}
    drawn = read(fields.pop("benchmark"), data, **fields.pop("options", {}))
    (question,) = [each for each in drawn.questions if each.id == expected["id"]]
    found = {name: getattr(question, name) for name in fields}
    assert {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()} == fields


@pytest.mark.parametrize(
    ("name", "asked", "without_gold"),
    [("wikisql", 12, 0), ("webqsp", 2, 1), ("timequestions", 2, 1), ("multitq", 5, 1), ("words", 4, 0)],
)
def test_questions_without_gold_are_left_out_and_counted(name: str, asked: int, without_gold: int, data: Path) -> None:
    drawn = read(name, data)
    assert (len(drawn.questions), drawn.without_gold) == (asked, without_gold)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_the_data_folder_may_be_the_benchmarks_own(name: str, data: Path) -> None:
    assert read(name, data / name).questions == read(name, data).questions


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_missing_folder_is_bad_input(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no file|holds 0 files|cannot be read"):
        read(name, tmp_path)


STRANGER = '{"a": "stranger"}'
FOUR_TYPES = "actor_to_movie_to_year\n" * 4

MALFORMED = [
    ("wikisql", "wikisql/dev.jsonl", STRANGER, "line 1: not a question of WikiSQL"),
    ("wikisql", "wikisql/dev.jsonl", "{", "line 1: not JSON"),
    ("wikisql", "wikisql/dev.jsonl", "", "no question"),
    ("wikisql", "wikisql/dev.tables.jsonl", '{"id": "1-2", "header": [], "rows": []}', "does not have the table 1-"),
    ("wikisql", "wikisql/dev.tables.jsonl", '{"id": "1-1", "header": ["a"], "rows": [["1", "2"]]}', "1 cells"),
    ("wikisql", "wikisql/dev.tables.jsonl", "[]", "line 1: not a JSON object"),
    ("wtq", f"wtq/{wtq.QUESTIONS}", "a\tb", r"line 1: expected 4 columns"),
    ("wtq", f"wtq/{wtq.QUESTIONS}", "a\tb\tc\td", "line 1: the columns id, utterance"),
    ("metaqa", "metaqa/1-hop/vanilla/qa_dev.txt", "who wrote The Mill\tIda Holm\n" * 4, r"line 1: .* \[topic\]"),
    ("metaqa", "metaqa/1-hop/qa_dev_qtype.txt", "movie_to_year", r"4 questions in qa_dev\.txt, but 1 types"),
    ("metaqa", "metaqa/1-hop/qa_dev_qtype.txt", FOUR_TYPES, "does not have 1 hops"),
    ("metaqa", "metaqa/1-hop/qa_dev_qtype.txt", "movie_to_colour\n" * 4, "not a MetaQA question type"),
    ("metaqa", "metaqa/1-hop/qa_dev_qtype.txt", "actor_to_director\n" * 4, "not a MetaQA question type"),
    ("metaqa", "metaqa/1-hop/qa_dev_qtype.txt", "movie\n" * 4, "not a MetaQA question type"),
    ("metaqa", "metaqa/kb.txt", "a|b|c\na|b", "line 2: expected 3 columns"),
    ("webqsp", "webqsp/WebQSP.dev.json", "[]", "no list of questions under Questions"),
    ("webqsp", "webqsp/WebQSP.dev.json", '{"Questions": [{}]}', "question 1: not a question of WebQSP"),
    ("cwq", "cwq/ComplexWebQuestions_dev.json", f"[{STRANGER}]", "question 1: not a question"),
    ("cronquestions", "cronquestions/ari_dev.jsonl", f"\n{STRANGER}", "line 2: not a question"),
    ("cronquestions", "cronquestions/wd_id2entity_text.txt", "Q1\tAda\nQ2 Bo", "line 2: expected 2 columns"),
    ("cronquestions", "cronquestions/wd_id2entity_text.txt", "Q1\tAda", r"line 1: Q\d+ has no label"),
    ("timequestions", "timequestions/test_half_with_facts.jsonl", STRANGER, "line 1"),
    ("multitq", "multitq/questions_dev.jsonl", STRANGER, "line 1"),
    ("words", "words/byre/questions.jsonl", STRANGER, "line 1"),
    (
        *("words", "words/byre/questions.jsonl"),
        '{"question": "who?", "program": "", "answer": [], "sources": ["pigs"]}',
        r"line 1: not a question of words: KeyError\('pigs'\)",
    ),
]
"""A file of the sample with other content, and the error that names it."""


@pytest.mark.parametrize(("name", "file", "text", "problem"), MALFORMED)
def test_a_malformed_file_is_named_with_the_place(name: str, file: str, text: str, problem: str, data: Path) -> None:
    write_text(data / file, f"{text}\n")
    with pytest.raises(BadInput, match=problem):
        read(name, data)


def test_a_part_a_schema_or_what_has_programs_is_chosen_of_words(data: Path) -> None:
    ids = [[each.id for each in read("words", data, **options).questions] for options in (
        {"part": "tune"}, {"questions": data / "words" / "inn"}, {"with_programs": True}
    )]  # fmt: skip
    assert ids == [["inn/1"], ["inn/1"], ["byre/1", "byre/2", "inn/1"]]


def test_a_question_of_words_may_name_the_sources_that_it_is_asked_of(data: Path) -> None:
    line = {"question": "which barns are there?", "program": "", "answer": [], "sources": ["barns"]}
    write_lines(data / "words" / "byre" / "questions.jsonl", [line])
    question = read("words", data).questions[0]
    assert (question.sources, question.type) == (("eval/words/byre/barns",), "table")


def test_wikisql_questions_of_another_file_need_their_tables(data: Path) -> None:
    questions = data / "wikisql" / "dev.jsonl"
    with pytest.raises(BadInput, match="need their tables"):
        read("wikisql", data, questions=questions)
    assert read("wikisql", data, questions=questions, tables=questions.with_name("dev.tables.jsonl")).questions


def test_metaqa_takes_a_folder_of_other_questions_also_of_another_split(data: Path) -> None:
    folder = data / "metaqa" / "2-hop"
    whole = read("metaqa", data, hop=2).questions
    assert read("metaqa", data, hop=2, questions=folder).questions == whole
    for path in (folder / "vanilla" / "qa_dev.txt", folder / "qa_dev_qtype.txt"):
        path.rename(path.with_name(path.name.replace("dev", "test")))
    assert read("metaqa", data, hop=2, questions=folder).questions == whole


def test_a_topic_of_metaqa_may_hold_brackets() -> None:
    assert metaqa.topic_of("who wrote [Saw [REC]]") == "Saw [REC]"


def test_cwq_takes_names_from_webqsp_beside_it(data: Path) -> None:
    write_lines(data / "cwq" / "dev_topic_entities.jsonl", [{"ID": i, "topic_entity": {}} for i in ("q-1", "q-2")])
    assert read("cwq", data).questions[0].gold == ("Ulm",)
    (data / "webqsp").rename(data / "elsewhere")
    assert read("cwq", data).questions[0].gold == ("m.ulm",)


def test_webqsp_has_the_gold_of_all_parses_by_name_or_as_a_value(data: Path) -> None:
    parses = [
        {"Answers": [{"AnswerArgument": "m.1", "EntityName": "Ulm"}, {"AnswerArgument": "1931", "EntityName": None}]},
        {"Answers": [{"AnswerArgument": "m.1", "EntityName": "Ulm"}, {"AnswerArgument": "g.2", "EntityName": ""}]},
    ]
    record = {"QuestionId": "WebQTest-0", "RawQuestion": "where?", "Parses": parses}
    write_text(data / "webqsp" / "WebQSP.dev.json", json.dumps({"Questions": [record]}))
    assert read("webqsp", data).questions[0].gold == ("Ulm", "1931", "g.2")


def test_a_missing_table_of_wtq_is_bad_input(data: Path) -> None:
    (data / "wtq" / "csv" / "200-csv" / "1.tsv").unlink()
    with pytest.raises(BadInput, match=r"1\.tsv cannot be read"):
        read("wtq", data)


def test_wtq_splits_lists_and_decodes_escapes(data: Path) -> None:
    line = "nt-7\twhat is a\\pb?\tcsv/200-csv/1.csv\tx\\ny|c\\\\d|1\\p2\n"
    write_text(data / "wtq" / wtq.QUESTIONS, "id\tutterance\tcontext\ttargetValue\n" + line)
    (question,) = read("wtq", data).questions
    assert (question.text, question.gold) == ("what is a|b?", ("x\ny", "c\\d", "1|2"))


def test_wtq_has_canonical_values_where_the_tagged_file_of_that_name_has_them(data: Path) -> None:
    assert [each.canonical for each in read("wtq", data).questions] == [(), (), ()]
    tagged = data / "wtq" / "tagged" / "data" / "pristine-seen-tables.tagged"
    write_text(tagged, "id\ttokens\ttargetCanon\nns-2\tx\t10.0|a\\pb\n")
    assert [each.canonical for each in read("wtq", data).questions] == [(), (), ("10.0", "a|b")]
    write_text(tagged, "id\ttokens\n")
    with pytest.raises(BadInput, match="targetCanon"):
        read("wtq", data)


def test_the_second_tail_of_cronquestions_is_the_first_where_no_entity_is_left(data: Path) -> None:
    path = data / "cronquestions" / "ari_dev.jsonl"
    last = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])
    write_lines(path, [last | {"entities": ["Q1", "Q5"]}])
    assert read("cronquestions", data).questions[0].annotation["tail2"] == "Reeve of Bexley"


def test_facts_of_cronquestions_are_in_ids_or_in_names_without_commas(data: Path) -> None:
    labels = cronquestions.read_labels(data / "cronquestions")
    names = write_text(data / "facts.tsv", "Cy Dunn- 2nd Earl\tposition held\tA- B\t1961\t1970\n")
    facts = [*cronquestions.read_facts(data / "cronquestions" / "event2time.tsv", labels)]
    facts += cronquestions.read_facts(names, labels)
    assert facts == [
        ("the Great Flood", "significant event", "occurrence", "1957", "1958"),
        ("Cy Dunn, 2nd Earl", "position held", "A- B", "1961", "1970"),
    ]


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


def test_a_draw_is_the_same_by_its_seed_and_in_the_files_order(data: Path) -> None:
    drawn = [[int(each.id) for each in read("wikisql", data, limit=4, seed=seed).questions] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] == sorted(drawn[0]) != drawn[2]
    assert [len(sample(range(3), limit, seed=0)) for limit in (None, 2, 3, 4)] == [3, 2, 3, 3]


def test_ids_that_repeat_get_a_number() -> None:
    question = Question("7", "who?", ("a",), "one", ())
    found = with_unique_ids([question, replace(question, text="whom?"), replace(question, id="8")])
    assert [each.id for each in found] == ["7", "7#2", "8"]


# Recorded replies.


def test_replies_have_the_numbers_of_their_lines(tmp_path: Path) -> None:
    path = write_text(tmp_path / "wtq.jsonl", '{"question": "q", "reply": "r"}\n\n{"question": "s", "reply": ""}\n')
    assert read_recorded(path) == [RecordedReply(1, "q", "r"), RecordedReply(3, "s", "")]


@pytest.mark.parametrize("line", ["no json", "[]", '"text"', '{"question": "q"}', '{"question": 1, "reply": "r"}'])
def test_a_line_that_is_no_reply_is_named(tmp_path: Path, line: str) -> None:
    path = write_text(tmp_path / "wtq.jsonl", f'{{"question": "q", "reply": "r"}}\n{line}\n')
    with pytest.raises(BadInput, match=r"wtq\.jsonl, line 2"):
        read_recorded(path)
    with pytest.raises(BadInput, match="There is no file"):
        read_recorded(tmp_path / "none.jsonl")


# The published files.

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


QUICK = ("wtq", "webqsp", "cwq", "cronquestions")


@pytest.mark.parametrize(
    ("name", "hop", "graph"),
    [pytest.param(*key, marks=[] if key[0] in QUICK else [pytest.mark.long]) for key in COUNTS],
)
def test_the_published_files_are_read_whole(name: str, hop: int, graph: str | None, real_data: Path) -> None:
    drawn = read(name, real_data, hop=hop, graph=graph)
    unreachable = sum(not question.reachable for question in drawn.questions)
    assert (len(drawn.questions), drawn.without_gold, unreachable) == COUNTS[name, hop, graph]
    assert len({question.id for question in drawn.questions}) == len(drawn.questions)


def test_every_name_of_the_published_facts_is_a_label(real_data: Path) -> None:
    labels = cronquestions.read_labels(real_data / "cronquestions")
    names = set(labels.entities.values())
    for file in cronquestions.FACTS:
        for head, relation, tail, _, _ in cronquestions.read_facts(real_data / "cronquestions" / file, labels):
            assert head in names and tail in names and relation in labels.relations.values()


@pytest.mark.long
def test_paths_give_the_gold_answers_of_the_published_questions(real_data: Path) -> None:
    graph = metaqa.read_kb(real_data / "metaqa" / "kb.txt")
    wrong = {
        hops: sum(
            graph.follow(q.topic[0], q.type) != set(q.gold) for q in read("metaqa", real_data, hop=hops).questions
        )
        for hops in metaqa.HOPS
    }
    # Of one hop: 512 films that share their title with another, two titles that gold splits at a comma.
    assert wrong == {1: 514, 2: 0, 3: 0}


def test_every_published_question_of_cronquestions_has_a_program(real_data: Path) -> None:
    folder = real_data / "cronquestions"
    labels = cronquestions.read_labels(folder)
    hard = [*cronquestions.read_questions(folder / cronquestions.TRAINING, labels)]
    lengths = {len(cronquestions.program_for(question).splitlines()) for question in hard}
    assert lengths == {2, 3, 6}
