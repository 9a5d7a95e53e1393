"""Examples of the small model, and the training of an adapter that llama.cpp reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cgstore.errors import BadInput, NoModel
from cgstore.evaluate.benchmarks.words import PARTS, part_of
from cgstore.finetune.adapter import LOG, AdapterSettings, collate, pack, train_adapter
from cgstore.finetune.corpora import example_of, words
from cgstore.finetune.lexicon import learn_lexicon, write_lexicon
from cgstore.finetune.pipeline import Mix, corpora_in, curve_of, make_examples
from cgstore.llm.small.model import LocalModel
from cgstore.llm.small.weights import base_weights
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


def test_examples_over_one_schema_stand_together(tmp_path: Path) -> None:
    path = tmp_path / "examples.json"
    report = make_examples({"words": map(example_of, words(WORDS, "tune"))}, path)
    groups = json.loads(path.read_text(encoding="utf-8"))
    assert len({schema for schema, _ in groups}) == len(groups)
    assert sum(len(questions) for _, questions in groups) == report["words"]["kept"]


def test_without_data_there_is_nothing_to_learn() -> None:
    with pytest.raises(BadInput, match="nothing to learn"):
        corpora_in(None, None, Mix(), 0)


def test_words_go_with_what_programs_do(tmp_path: Path) -> None:
    lexicon = learn_lexicon(words(WORDS, "tune"))
    assert "does count" in lexicon.goes_with["many"] and "an exclusion" in lexicon.goes_with["not"]
    write_lexicon(lexicon, tmp_path / "lexicon.json")
    assert json.loads((tmp_path / "lexicon.json").read_text(encoding="utf-8"))["plain"] == sorted(lexicon.plain)


def test_questions_over_one_schema_do_not_see_each_other() -> None:
    torch = pytest.importorskip("torch")
    packed = pack(lambda text: list(text.encode()), "ab", [("c", "d"), ("ef", "g")], 0)
    assert packed is not None
    ids, positions, _, targets = packed
    assert bytes(ids) == b"abcdefg" and positions == [0, 1, 2, 3, 2, 3, 4]
    assert targets == [-1, -1, ord("d"), 0, -1, ord("g"), 0]
    mask = collate(torch, [packed])[2][0, 0].int().tolist()
    assert mask[3] == [1, 1, 1, 1, 0, 0, 0] and mask[6] == [1, 1, 0, 0, 1, 1, 1]


def test_an_adapter_learns_resumes_and_is_read_by_llama_cpp(tmp_path: Path) -> None:
    for package in ("torch", "peft", "transformers", "gguf", "xllamacpp"):
        pytest.importorskip(package)
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
