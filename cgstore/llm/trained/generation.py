"""A trained model: what it reads, in its training and when it is asked, and what it writes.

It writes candidates by beam search, the best first (ChatKBQA, section 3.3).
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput, NoModel, optional

DESCRIPTION = "cgstore.json"
"""The file in a model's folder that says how questions are given to the model."""

CHECKPOINTS = "checkpoints"
"""The folder in a model's folder from which an unfinished training resumes."""

BEAMS = 8
"""Candidates for a question (ChatKBQA, section 4.1)."""

LONGEST_OUTPUT = 256
"""Most tokens of a candidate."""


@dataclass(frozen=True)
class Example:
    """A line of a training file, or a question to be asked, whose output is empty."""

    instruction: str
    input: str
    output: str = ""

    @property
    def prompt(self) -> str:
        """The instruction and the input, a line each."""
        return "\n".join(filter(None, (self.instruction, self.input)))


def as_input(question: str) -> str:
    """The question in the form in which a model gets it (ChatKBQA)."""
    return f"Question: {{ {question} }}"


def prompt_and_completion(tokenizer: Any, example: Example) -> dict[str, Any]:
    """An example as trl takes it: as chat messages where the model has a template for them, else as text."""
    if tokenizer.chat_template:
        roles = ("user", example.prompt), ("assistant", example.output)
        messages = [{"role": role, "content": content} for role, content in roles]
        return {"prompt": messages[:1], "completion": messages[1:]}
    return {"prompt": f"{example.prompt}\n", "completion": example.output}


@dataclass(frozen=True)
class Candidate:
    """A program or skeleton as a model wrote it; `score` is the logarithm of its probability."""

    text: str
    score: float


class TrainedModel:
    """A model in a folder of `cgstore finetune run`; its weights are loaded with the first question.

    Raises:
        BadInput: the folder has no trained model.
    """

    def __init__(self, folder: Path, beams: int = BEAMS) -> None:
        self.folder, self._beams = folder, beams
        try:
            described = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
            self.lang, self.masked = str(described["lang"]), bool(described["masked"])
            self._instruction, self._encoder_decoder = described["instruction"], described["encoder_decoder"]
            self._adapter, self._base = described["adapter"], described["settings"]["base"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            unfinished = (folder / CHECKPOINTS).is_dir()
            hint = "Its training is not finished: give the same command again." if unfinished else None
            problem = f"{folder} has no trained model."
            raise BadInput(problem, hint or "`cgstore finetune run` makes such a folder.") from error
        self._turn = threading.Lock()

    def write(self, question: str) -> list[Candidate]:
        """The candidates for a question, the most probable first. Threads take turns.

        Raises:
            NoModel: a package is not installed, or the weights cannot be loaded.
        """
        with self._turn:
            model, tokenizer = self._loaded
            given = self._prompt(tokenizer, question).to(model.device)
            with optional("torch", "finetune").inference_mode():
                made = model.generate(
                    **given,
                    num_beams=self._beams,
                    num_return_sequences=self._beams,
                    max_new_tokens=LONGEST_OUTPUT,
                    do_sample=False,
                    **({"length_penalty": 0.0} if self._beams > 1 else {}),  # scores are not divided by lengths
                    return_dict_in_generate=True,
                    output_scores=True,
                )
        written = made.sequences if self._encoder_decoder else made.sequences[:, given["input_ids"].shape[1] :]
        texts = [tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False) for ids in written]
        scores = made.sequences_scores.tolist() if self._beams > 1 else [0.0] * len(texts)
        return [Candidate(text.strip(), score) for text, score in zip(texts, scores, strict=True)]

    def _prompt(self, tokenizer: Any, question: str) -> Any:
        example = Example(self._instruction, as_input(question))
        if self._encoder_decoder:
            return tokenizer(example.prompt, return_tensors="pt")
        prompt = prompt_and_completion(tokenizer, example)["prompt"]
        if isinstance(prompt, str):
            return tokenizer(prompt, return_tensors="pt")
        return tokenizer.apply_chat_template(prompt, add_generation_prompt=True, return_tensors="pt", return_dict=True)

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        transformers, torch = optional("transformers", "finetune"), optional("torch", "finetune")
        safetensors = optional("safetensors", "finetune")
        cuda = torch.cuda.is_available()
        kind = transformers.AutoModelForSeq2SeqLM if self._encoder_decoder else transformers.AutoModelForCausalLM
        progress = transformers.utils.logging.is_progress_bar_enabled()
        transformers.utils.logging.disable_progress_bar()
        try:
            model = kind.from_pretrained(
                self._base if self._adapter else str(self.folder), dtype=torch.bfloat16 if cuda else torch.float32
            )
            if self._adapter:
                model = optional("peft", "finetune").PeftModel.from_pretrained(model, str(self.folder))
            tokenizer = transformers.AutoTokenizer.from_pretrained(str(self.folder))
        except (OSError, ValueError, RuntimeError, safetensors.SafetensorError) as error:
            problem = f"The model in {self.folder} cannot be loaded: {str(error).splitlines()[0]}"
            raise NoModel(
                problem, f"Is its base {self._base} still where it was?" if self._adapter else None
            ) from error
        finally:
            if progress:
                transformers.utils.logging.enable_progress_bar()
        return model.to("cuda" if cuda else "cpu").eval(), tokenizer
