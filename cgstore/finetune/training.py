"""The training of a model on a file of pairs: seeded, and resumed after an interruption.

The folder of a model has its weights and tokenizer in the format of transformers (or peft's adapter), and
`cgstore.json`, which says how questions are given to it. While it is trained, `checkpoints/` has what it resumes from.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Any

from cgstore.errors import BadInput, NoModel, optional, setting
from cgstore.finetune.data import read_examples
from cgstore.llm.masking import PLACEHOLDER
from cgstore.llm.trained.generation import CHECKPOINTS, DESCRIPTION, Example, prompt_and_completion
from cgstore.observe.progress import bar
from cgstore.options import Options, option

METHODS = ("lora", "qlora", "full")

RANK = 16
"""Rank of LoRA's matrices."""


@dataclass(frozen=True)
class Base:
    """A model to train, with its tokenizer; `encoder_decoder`: whether it reads the question with an encoder."""

    model: Any
    tokenizer: Any
    encoder_decoder: bool


def load_base(name: str, method: str) -> Base:
    """Loads a pretrained model for training, by the name that its hub or its folder has.

    Raises:
        NoModel: there is no such model, or the method cannot be used on this machine.
    """
    transformers, torch = optional("transformers", "finetune"), optional("torch", "finetune")
    options: dict[str, Any] = {"dtype": torch.bfloat16 if torch.cuda.is_available() else torch.float32}
    if method == "qlora":
        options["quantization_config"] = _four_bits(torch, transformers)
    try:
        config = transformers.AutoConfig.from_pretrained(name)
        seq2seq = bool(config.is_encoder_decoder)
        kind = transformers.AutoModelForSeq2SeqLM if seq2seq else transformers.AutoModelForCausalLM
        model = kind.from_pretrained(name, **options)
        tokenizer = transformers.AutoTokenizer.from_pretrained(name)
    except (OSError, ValueError) as error:
        problem = f"The base model {name} cannot be loaded: {str(error).splitlines()[0]}"
        raise NoModel(problem, "Give a folder of a model, or a name that your hub has.") from error
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return Base(model, tokenizer, seq2seq)


def _four_bits(torch: Any, transformers: Any) -> Any:
    if not torch.cuda.is_available() or not find_spec("bitsandbytes"):
        raise NoModel(
            "The method qlora needs a GPU (CUDA) and the package bitsandbytes.", f"Or use {setting('method', 'lora')}."
        )
    return transformers.BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )


def lora_config(encoder_decoder: bool) -> Any:
    """The configuration of peft for matrices beside all linear layers."""
    peft = optional("peft", "finetune")
    task = peft.TaskType.SEQ_2_SEQ_LM if encoder_decoder else peft.TaskType.CAUSAL_LM
    return peft.LoraConfig(task_type=task, r=RANK, lora_alpha=2 * RANK, lora_dropout=0.05, target_modules="all-linear")


LONGEST = 1024
"""Most tokens of a prompt, and of an output; what is longer is cut off in training."""

_LOGGED = 50
"""About how many values of the loss are kept."""


@dataclass(frozen=True)
class Settings(Options):
    """How a model is trained."""

    base: str = option(MISSING, "The name or folder of a pretrained model; smollm2: the small model's.")
    method: str = option("lora", "Which weights are trained.", choices=METHODS)
    epochs: float = option(3, "Times that each pair is seen.")
    batch: int = option(32, "Pairs in a step.", within=(1, None))
    rate: float | None = option(None, "The highest learning rate.", unset="0.00002 for full, else 0.0002")
    seed: int = option(0, "Of new weights, order and dropout.")
    save_every: int = option(200, "Steps between checkpoints.", within=(1, None))

    @property
    def highest_rate(self) -> float:
        return self.rate or (2e-5 if self.method == "full" else 2e-4)


@dataclass(frozen=True)
class TrainingReport:
    """A finished training.

    Attributes:
        folder: the model's.
        pairs: in the training file.
        weights: of the model, and how many of them were trained.
        steps: of the whole training.
        losses: the mean loss at some steps, from the first to the last.
        seconds: of this run, without those before an interruption.
    """

    folder: str
    pairs: int
    weights: int
    trained_weights: int
    steps: int
    losses: Sequence[tuple[int, float]]
    seconds: float


def train(data: Path, out: Path, settings: Settings, *, progress: bool = False) -> TrainingReport:
    """Trains a model; the same call again resumes a training that was interrupted.

    `data` is a file of `cgstore finetune data`, of either format, `out` the folder of the model.

    Raises:
        BadInput: the file cannot be used, or the folder has another training.
        NoModel: a package or the base model is not available.
        KeyboardInterrupt: after Ctrl-C, when a checkpoint is saved.
    """
    began = monotonic()
    examples = read_examples(data)
    optional("accelerate", "finetune")
    transformers = optional("transformers", "finetune")
    _claim(out, {**asdict(settings), "data": hashlib.sha256(data.read_bytes()).hexdigest()})
    transformers.set_seed(settings.seed)
    transformers.utils.logging.disable_progress_bar()
    base = load_base(settings.base, settings.method)
    trainer = _trainer(base, examples, out, settings)
    watch = _watch(transformers, progress)
    trainer.add_callback(watch)
    trainer.remove_callback(transformers.PrinterCallback)
    checkpoint = transformers.trainer_utils.get_last_checkpoint(str(out / CHECKPOINTS))
    with watch.stopping_on_interrupt():
        trainer.train(resume_from_checkpoint=checkpoint)
    if watch.interrupted:
        interrupt = KeyboardInterrupt()
        interrupt.add_note("A checkpoint is saved: the same command resumes the training.")
        raise interrupt
    counts = _weights(trainer.model)
    trainer.save_model(str(out))
    base.tokenizer.save_pretrained(str(out))
    losses = [(entry["step"], round(entry["loss"], 4)) for entry in trainer.state.log_history if "loss" in entry]
    report = TrainingReport(
        str(out), len(examples), *counts, trainer.state.global_step, losses, round(monotonic() - began, 1)
    )
    _describe(out, examples, base, settings, report)
    shutil.rmtree(out / CHECKPOINTS)
    return report


def _claim(out: Path, training: dict[str, Any]) -> None:
    """Notes in the folder which training it has; refuses a folder that has another one, or a finished one."""
    mark = out / CHECKPOINTS / "training.json"
    if (out / DESCRIPTION).exists():
        raise BadInput(f"{out} has a trained model.", "Give another folder, or remove this one.")
    if not mark.exists():
        if out.exists() and any(out.iterdir()):
            raise BadInput(f"{out} is not empty.", "Give another folder for the model.")
        mark.parent.mkdir(parents=True)
        mark.write_text(json.dumps(training), encoding="utf-8")
        return
    changed = [name for name, value in json.loads(mark.read_text(encoding="utf-8")).items() if value != training[name]]
    if changed:
        problem = f"{out} has an unfinished training with other {', '.join(changed)}."
        raise BadInput(problem, "Give the same options to resume it, or another folder.")


# The trainers of transformers and trl ---------------------------------------------------------------------------------


def _trainer(base: Base, examples: Sequence[Example], out: Path, settings: Settings) -> Any:
    steps = max(1, round(settings.epochs * len(examples) / settings.batch))
    options: dict[str, Any] = {
        "output_dir": str(out / CHECKPOINTS),
        "num_train_epochs": settings.epochs,
        "per_device_train_batch_size": settings.batch,
        "learning_rate": settings.highest_rate,
        "lr_scheduler_type": "cosine",
        "warmup_steps": max(1, steps // 20),
        "logging_steps": max(1, steps // _LOGGED),
        "logging_first_step": True,
        "save_steps": settings.save_every,
        "save_total_limit": 2,
        "seed": settings.seed,
        "data_seed": settings.seed,
        "report_to": "none",
        "disable_tqdm": True,
        "log_level": "error",
        "dataloader_pin_memory": False,
    }
    adapter = None if settings.method == "full" else lora_config(base.encoder_decoder)
    if base.encoder_decoder:
        return _encoder_decoder_trainer(base, examples, adapter, options)
    return _decoder_trainer(base, examples, adapter, options | {"gradient_checkpointing": True})


def _encoder_decoder_trainer(
    base: Base, examples: Sequence[Example], adapter: Any | None, options: dict[str, Any]
) -> Any:
    transformers = optional("transformers", "finetune")
    return transformers.Trainer(
        model=optional("peft", "finetune").get_peft_model(base.model, adapter) if adapter else base.model,
        args=transformers.TrainingArguments(**options),
        train_dataset=[_encoded(base.tokenizer, each) for each in examples],
        data_collator=transformers.DataCollatorForSeq2Seq(base.tokenizer, model=base.model),
    )


def _encoded(tokenizer: Any, example: Example) -> dict[str, Any]:
    given = tokenizer(example.prompt, truncation=True, max_length=LONGEST)
    wanted = tokenizer(text_target=example.output, truncation=True, max_length=LONGEST)
    return {**{name: given[name] for name in ("input_ids", "attention_mask")}, "labels": wanted["input_ids"]}


def _decoder_trainer(base: Base, examples: Sequence[Example], adapter: Any | None, options: dict[str, Any]) -> Any:
    trl, gpu = optional("trl", "finetune"), optional("torch", "finetune").cuda.is_available()
    rows = [prompt_and_completion(base.tokenizer, each) for each in examples]
    return trl.SFTTrainer(
        model=base.model,
        args=trl.SFTConfig(**options, bf16=gpu, max_length=2 * LONGEST, completion_only_loss=True, packing=False),
        train_dataset=optional("datasets", "finetune").Dataset.from_list(rows),
        processing_class=base.tokenizer,
        peft_config=adapter,
    )


def _watch(transformers: Any, progress: bool) -> Any:
    """A callback that shows progress, and stops the training with a checkpoint after Ctrl-C."""

    class Watch(transformers.TrainerCallback):  # type: ignore[misc]
        interrupted = False
        shown: Any = None

        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self.shown = bar("Training", "steps", state.max_steps, initial=state.global_step, show=progress)

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self.shown.update(1)
            if self.interrupted:
                control.should_save = control.should_training_stop = True

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            if logs and "loss" in logs:
                self.shown.set_postfix_str(f"loss {logs['loss']:.3f}")

        def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            self.shown.close()

        @contextmanager
        def stopping_on_interrupt(self) -> Iterator[None]:
            if threading.current_thread() is not threading.main_thread():  # only it receives signals
                yield
                return

            def stop(*_: object) -> None:
                if self.interrupted:
                    raise KeyboardInterrupt
                self.interrupted = True

            before = signal.signal(signal.SIGINT, stop)
            try:
                yield
            finally:
                signal.signal(signal.SIGINT, before)

    return Watch()


def _weights(model: Any) -> tuple[int, int]:
    every = [(weights.numel(), weights.requires_grad) for weights in model.parameters()]
    return sum(count for count, _ in every), sum(count for count, trained in every if trained)


def _describe(out: Path, examples: Sequence[Example], base: Base, settings: Settings, report: TrainingReport) -> None:
    description = {
        "settings": asdict(settings),
        "training": asdict(report),
        "instruction": examples[0].instruction,
        "lang": "sexpr" if examples[0].output.startswith("(") else "llm",
        "masked": any(PLACEHOLDER.search(each.input) for each in examples),
        "encoder_decoder": base.encoder_decoder,
        "adapter": settings.method != "full",
    }
    (out / DESCRIPTION).write_text(json.dumps(description, ensure_ascii=False, indent=1), encoding="utf-8")
