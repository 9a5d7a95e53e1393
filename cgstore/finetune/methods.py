"""Pretrained models to start from, and the ways to train them: which weights are new, which change, which stay.

The methods are those of ChatKBQA (section 4.1): LoRA (Hu et al. 2021), QLoRA (Dettmers et al. 2023), freeze (only the
last layers are trained), P-tuning v2 (Liu et al. 2021, peft's prefix tuning), and full fine-tuning.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from cgstore.errors import NoModel, optional

METHODS = ("lora", "qlora", "freeze", "ptuning", "full")

TRAINED_LAYERS = 2
"""The last layers that `freeze` trains."""

RANK, PREFIX = 16, 20
"""Rank of LoRA's matrices, and virtual tokens of P-tuning v2."""


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
    if method == "freeze":
        _freeze(model)
    return Base(model, tokenizer, seq2seq)


def _four_bits(torch: Any, transformers: Any) -> Any:
    if not torch.cuda.is_available() or not find_spec("bitsandbytes"):
        raise NoModel("The method qlora needs a GPU (CUDA) and the package bitsandbytes.", "Or use --method lora.")
    return transformers.BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )


def adapter_config(method: str, encoder_decoder: bool) -> Any | None:
    """The configuration of peft for a method; None where the model's own weights are trained."""
    if method not in ("lora", "qlora", "ptuning"):
        return None
    peft = optional("peft", "finetune")
    task = peft.TaskType.SEQ_2_SEQ_LM if encoder_decoder else peft.TaskType.CAUSAL_LM
    if method == "ptuning":
        return peft.PrefixTuningConfig(task_type=task, num_virtual_tokens=PREFIX)
    return peft.LoraConfig(task_type=task, r=RANK, lora_alpha=2 * RANK, lora_dropout=0.05, target_modules="all-linear")


def _freeze(model: Any) -> None:
    """Leaves only the last layers, and what follows them, to be trained."""
    import torch

    stacks = [module for module in model.modules() if isinstance(module, torch.nn.ModuleList)]
    layers = max(reversed(stacks), key=len)  # of an encoder-decoder, the decoder's
    for weights in model.parameters():
        weights.requires_grad = False
    for layer in layers[-TRAINED_LAYERS:]:
        for weights in layer.parameters():
            weights.requires_grad = True
