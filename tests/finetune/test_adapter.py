"""Examples of the small model, and the training of an adapter that llama.cpp reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cgstore.cli import main
from cgstore.errors import BadInput, NoModel
from cgstore.evaluate.benchmarks.words import PARTS, part_of
from cgstore.finetune.adapter import ADAPTER, LOG, AdapterSettings, collate, pack, train_adapter
from cgstore.finetune.corpora import Task, example_of, words
from cgstore.finetune.lexicon import learn_lexicon, write_lexicon
from cgstore.finetune.pipeline import corpora_in, curve_of, make_examples
from cgstore.llm.small.model import LocalModel
from cgstore.llm.small.weights import adapter, base_weights
from tests.conftest import ROOT

WORDS = ROOT / "benchmarks" / "words"


def test_schemas_have_one_part_each() -> None:
    schemas = [path.parent.name for path in WORDS.glob("*/sources.json")]
    parts = {name: part_of(f"words/{name}") for name in schemas}
    assert {part_of(f"words/{name}") for name in schemas} == set(PARTS)
    assert parts["t_moorings"] == "test" and parts["t_cows"] == "train"


def test_written_questions_become_examples() -> None:
    tasks = [task for task in words(WORDS, "test") if task.schema in ("words/t_moorings", "words/k_videogames")]
    examples = [example_of(task) for task in tasks]
    assert sum(each is not None for each in examples) >= 0.95 * len(tasks)
    assert {each.answer for each, task in zip(examples, tasks, strict=True) if each and task.program is None} == {
        " nothing"
    }


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    """The written questions of the part `tune`."""
    return list(words(WORDS, "tune"))


def test_examples_over_one_schema_stand_together(tasks: list[Task], tmp_path: Path) -> None:
    path = tmp_path / "examples.json"
    report = make_examples({"words": map(example_of, tasks)}, path)
    groups = json.loads(path.read_text(encoding="utf-8"))
    assert len({schema for schema, _ in groups}) == len(groups)
    assert sum(len(questions) for _, questions in groups) == report["words"]["kept"]


def test_without_data_there_is_nothing_to_learn() -> None:
    with pytest.raises(BadInput, match="nothing to learn"):
        corpora_in(None, None, 0)


def test_words_go_with_what_programs_do(tasks: list[Task], tmp_path: Path) -> None:
    lexicon = learn_lexicon(tasks)
    assert "does count" in lexicon.goes_with["many"] and "an exclusion" in lexicon.goes_with["not"]
    write_lexicon(lexicon, tmp_path / "lexicon.json")
    assert json.loads((tmp_path / "lexicon.json").read_text(encoding="utf-8"))["plain"] == sorted(lexicon.plain)


@pytest.mark.train
def test_questions_over_one_schema_do_not_see_each_other() -> None:
    import torch

    packed = pack(lambda text: list(text.encode()), "ab", [("c", "d"), ("ef", "g")], 0)
    assert packed is not None
    ids, positions, _, targets = packed
    assert bytes(ids) == b"abcdefg" and positions == [0, 1, 2, 3, 2, 3, 4]
    assert targets == [-1, -1, ord("d"), 0, -1, ord("g"), 0]
    mask = collate(torch, [packed])[2][0, 0].int().tolist()
    assert mask[3] == [1, 1, 1, 1, 0, 0, 0] and mask[6] == [1, 1, 0, 0, 1, 1, 1]


@pytest.mark.train
def test_an_adapter_learns_resumes_and_is_read_by_llama_cpp(tmp_path: Path) -> None:
    try:
        base = base_weights(quiet=True)
    except NoModel as error:
        pytest.skip(f"The weights of the small model are not here: {error}")
    data = tmp_path / "examples.json"
    one = ["# t\nship: a\n", [["who sails\n>", " captain : ship"], ["which boat\n>", " ship"]]]
    data.write_text(json.dumps([one] * 80), encoding="utf-8")
    settings = AdapterSettings(layers=8, rate=5e-3, tokens=60, warm_up=2, threads=1)
    train_adapter(base, data, tmp_path / "out", settings, seconds=0.1)  # one step, and its state is kept
    path = train_adapter(base, data, tmp_path / "out", settings, seconds=600)
    curve = curve_of(tmp_path / "out" / LOG, points=4)
    assert curve[-1]["loss"] < curve[0]["loss"] / 2
    assert LocalModel(base, path, threads=1).write("# t\nship: a\nwho sails\n>", most=8).text == " captain : ship"


@pytest.mark.train
def test_the_shipped_adapter_learns_on(tmp_path: Path) -> None:
    import gguf

    try:
        base = base_weights(quiet=True)
    except NoModel as error:
        pytest.skip(f"The weights of the small model are not here: {error}")
    data, out = tmp_path / "mine.json", tmp_path / "mine"
    data.write_text(json.dumps([["# t\nship: a\n", [["who sails\n>", " captain : ship"]]]] * 3), encoding="utf-8")
    shipped = {each.name: each.data.copy() for each in gguf.GGUFReader(adapter()).tensors}
    train_adapter(base, data, out, AdapterSettings(), seconds=0, start=adapter())
    first = {each.name: each.data.copy() for each in gguf.GGUFReader(out / ADAPTER).tensors}
    assert first.keys() == shipped.keys() and all((first[name] == shipped[name]).all() for name in shipped)
    command = f"finetune run --base smollm2 --data {data} --out {out} --epochs 1 --json"
    result = CliRunner().invoke(main, command.split())
    assert result.exit_code == 0, result.output
    after = {each.name: each.data for each in gguf.GGUFReader(out / ADAPTER).tensors}
    assert any((after[name] != shipped[name]).any() for name in shipped)


def test_examples_of_another_kind_are_refused(tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text('{"question": "who?"}\n{"question": "what?"}\n', encoding="utf-8")
    with pytest.raises(BadInput, match="no examples of the small model"):
        train_adapter(tmp_path / "base.gguf", tmp_path / "pairs.jsonl", tmp_path / "out", AdapterSettings())
