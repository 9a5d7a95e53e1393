"""Training: the loss falls, what is saved is loaded and generates, and an interrupted training resumes."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cgstore.errors import BadInput, NoModel
from cgstore.finetune import training
from cgstore.finetune.data import Pair, write_pairs
from cgstore.finetune.training import Settings, train
from cgstore.llm.trained.generation import TrainedModel

pytestmark = pytest.mark.train

RELATIONS = {"directed": "directed_by", "wrote": "written_by", "scored": "music_by"}
PAIRS = [
    Pair(f"{opening} {word} <e0>", f"get_information(head_entity='<e0>', relation='{relation}')")
    for word, relation in RELATIONS.items()
    for opening in ("who", "the person who", "tell me who")
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "pairs.jsonl"
    write_pairs(PAIRS, path, "llm")
    return path


def _tokenizer(folder: Path) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate(["<pad>", "</s>", *alphabet])}
    made = Tokenizer(models.BPE(vocabulary, [], unk_token=None))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, pad_token="<pad>", eos_token="</s>")
    tokenizer.save_pretrained(folder)
    return tokenizer


def _decoder(folder: Path) -> Path:
    """A Llama with random weights, in the place of a pretrained one."""
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = _tokenizer(folder)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 3, "num_attention_heads": 2}
    config = LlamaConfig(vocab_size=len(tokenizer), **sizes, pad_token_id=0, eos_token_id=1, bos_token_id=1)
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def _encoder_decoder(folder: Path) -> Path:
    """A T5 with random weights."""
    from transformers import T5Config, T5ForConditionalGeneration

    tokenizer = _tokenizer(folder)
    sizes = {"d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 3, "num_heads": 2}
    config = T5Config(vocab_size=len(tokenizer), **sizes, pad_token_id=0, eos_token_id=1, decoder_start_token_id=0)
    T5ForConditionalGeneration(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(_encoder_decoder(tmp_path_factory.mktemp("base")))


@pytest.fixture(scope="module")
def trained(base: str, data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained") / "model"
    train(data, folder, Settings(base, "full", epochs=1))
    return folder


def test_candidates_come_best_first_and_threads_take_turns(trained: Path) -> None:
    model = TrainedModel(trained, beams=3)
    assert (model.lang, model.masked) == ("llm", True)
    questions = ["who wrote <e0>", "tell me who directed <e0>"] * 2
    alone = [model.write(question) for question in questions]
    assert [each.score for each in alone[0]] == sorted((each.score for each in alone[0]), reverse=True)
    with ThreadPoolExecutor(len(questions)) as threads:
        assert list(threads.map(model.write, questions)) == alone


def test_weights_that_cannot_be_loaded_are_an_error_of_each_question(trained: Path, tmp_path: Path) -> None:
    shutil.copytree(trained, tmp_path / "model")
    (tmp_path / "model" / "model.safetensors").write_text("broken")
    model = TrainedModel(tmp_path / "model")
    for _ in range(2):
        with pytest.raises(NoModel, match="cannot be loaded"):
            model.write("who wrote <e0>")


def test_the_same_seed_gives_the_same_weights(base: str, data: Path, tmp_path: Path) -> None:
    few = Settings(base, "full", epochs=2, batch=4, seed=3)
    losses = [train(data, tmp_path / name, few).losses for name in ("one", "other")]
    assert losses[0] == losses[1]


def test_a_training_that_ctrl_c_ended_resumes_to_the_same_model(
    base: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(base, "full", epochs=4, batch=4)
    whole = train(data, tmp_path / "whole", settings)
    watch = training._watch

    def interrupting(*arguments: Any) -> Any:
        callback = watch(*arguments)
        on_step_end = callback.on_step_end

        def at_step_5(args: Any, state: Any, control: Any, **more: Any) -> None:
            if state.global_step == 5:
                os.kill(os.getpid(), signal.SIGINT)
            on_step_end(args, state, control, **more)

        callback.on_step_end = at_step_5
        return callback

    with monkeypatch.context() as patched:
        patched.setattr(training, "_watch", interrupting)
        with pytest.raises(KeyboardInterrupt) as interrupt:
            train(data, tmp_path / "model", settings)
    assert "resumes" in interrupt.value.__notes__[0]
    with pytest.raises(BadInput, match="no trained model"):
        TrainedModel(tmp_path / "model")
    resumed = train(data, tmp_path / "model", settings)
    assert resumed.steps == whole.steps
    assert resumed.losses == whole.losses
    assert not (tmp_path / "model" / "checkpoints").exists()


def test_a_folder_with_another_training_is_refused(data: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    (model / "checkpoints").mkdir(parents=True)
    training._claim(tmp_path / "new", {"seed": 1, "data": "x"})
    with pytest.raises(BadInput, match="other seed"):
        training._claim(tmp_path / "new", {"seed": 2, "data": "x"})
    (model / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match="not empty"):
        train(data, model, Settings("nothing"))


def test_a_finished_folder_is_not_trained_over(trained: Path, base: str, data: Path) -> None:
    with pytest.raises(BadInput, match="has a trained model"):
        train(data, trained, Settings(base, "full", epochs=1))


def test_a_base_that_is_not_there_is_an_error(data: Path, tmp_path: Path) -> None:
    with pytest.raises(NoModel, match="cannot be loaded"):
        train(data, tmp_path / "model", Settings(str(tmp_path / "nothing"), "lora"))


@pytest.mark.parametrize(
    ("make", "method"),
    [
        (_decoder, "lora"),
        (_encoder_decoder, "full"),
        pytest.param(_decoder, "full", marks=pytest.mark.long),
        pytest.param(_encoder_decoder, "lora", marks=pytest.mark.long),
    ],
)
def test_a_pretrained_model_is_trained_by_each_method_and_generates(
    make: Callable[[Path], Path], method: str, data: Path, tmp_path: Path
) -> None:
    settings = Settings(str(make(tmp_path / "base")), method, epochs=3, batch=3, rate=1e-2)
    report = train(data, tmp_path / "model", settings)
    assert report.losses[-1][1] < report.losses[0][1]
    assert (report.trained_weights < report.weights) == (method != "full")
    described = json.loads((tmp_path / "model" / "cgstore.json").read_text(encoding="utf-8"))
    assert described["adapter"] == (method == "lora")
    assert len(TrainedModel(tmp_path / "model", beams=2).write("who wrote <e0>")) == 2


def test_qlora_without_a_gpu_is_an_error(data: Path, tmp_path: Path) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("this machine has a GPU")
    with pytest.raises(NoModel, match="needs a GPU"):
        train(data, tmp_path / "model", Settings(str(_decoder(tmp_path / "base")), "qlora"))
