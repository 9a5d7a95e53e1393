"""What a trained model writes for a question: candidates from beam search, the best first (ChatKBQA, section 3.3)."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput, NoModel
from cgstore.finetune import small_model
from cgstore.finetune.data import Example, as_input
from cgstore.finetune.methods import library
from cgstore.finetune.training import CHECKPOINTS, DESCRIPTION, prompt_and_completion

BEAMS = 8
"""Candidates for a question (ChatKBQA, section 4.1)."""

LONGEST_OUTPUT = 256
"""Most tokens of a candidate."""

TOGETHER = 16
"""Most questions that the small model writes for at a time."""


@dataclass(frozen=True)
class Candidate:
    """A program or skeleton as a model wrote it; `score` is the logarithm of its probability."""

    text: str
    score: float


class TrainedModel:
    """A model in a folder of `cgstore finetune run`; its weights are loaded with the first question.

    Args:
        folder: the model's.
        beams: candidates for a question.

    Raises:
        BadInput: the folder has no trained model.
    """

    def __init__(self, folder: Path, beams: int = BEAMS) -> None:
        self.folder, self._beams = folder, beams
        try:
            described = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
            self.lang, self.masked = str(described["lang"]), bool(described["masked"])
            self._words = frozenset(described["words"])
            self._instruction, self._encoder_decoder = described["instruction"], described["encoder_decoder"]
            self._adapter, self._base = described["adapter"], described["settings"]["base"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            unfinished = (folder / CHECKPOINTS).is_dir()
            hint = "Its training is not finished: give the same command again." if unfinished else None
            problem = f"{folder} has no trained model."
            raise BadInput(problem, hint or "`cgstore finetune run` makes such a folder.") from error
        self._turn = threading.Lock()
        self._waiting: deque[tuple[str, Future[list[Candidate]]]] = deque()

    def knows(self, word: str) -> bool:
        """Whether the word, in lower case, is in the questions that the model learnt from."""
        return word in self._words

    def write(self, questions: Sequence[str]) -> list[list[Candidate]]:
        """The candidates for each question, the most probable first.

        Threads take turns. The one whose turn it is writes for the questions of all that wait, since a small model
        takes little longer for several questions than for one.

        Raises:
            NoModel: a package is not installed, or the weights cannot be loaded.
        """
        results: list[Future[list[Candidate]]] = [Future() for _ in questions]
        self._waiting.extend(list(zip(questions, results, strict=True)))
        with self._turn:
            while not all(result.done() for result in results):
                self._write_together()
        return [result.result() for result in results]

    def _write_together(self) -> None:
        """Writes for the questions that have waited longest."""
        together = min(len(self._waiting), TOGETHER if self._small else 1)
        batch = [self._waiting.popleft() for _ in range(together)]
        try:
            written = self._candidates([question for question, _ in batch])
        except BaseException as error:  # each thread raises it for its own questions
            for _, result in batch:
                result.set_exception(error)
            return
        for (_, result), candidates in zip(batch, written, strict=True):
            result.set_result(candidates)

    def _candidates(self, questions: Sequence[str]) -> list[list[Candidate]]:
        model, tokenizer = self._loaded
        given = self._prompts(tokenizer, questions).to(model.device)
        with library("torch", "A trained model").inference_mode():
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
        candidates = [
            Candidate(small_model.program_text(text) if self._small else text.strip(), score)
            for text, score in zip(texts, scores, strict=True)
        ]
        return [candidates[first : first + self._beams] for first in range(0, len(candidates), self._beams)]

    @property
    def _small(self) -> bool:
        return bool(self._base == small_model.BASE)

    def _prompts(self, tokenizer: Any, questions: Sequence[str]) -> Any:
        """The questions as a model takes them; several have to be padded, which only the small model's are."""
        if self._small:
            texts = [small_model.encoder_text(as_input(question)) for question in questions]
            return tokenizer(texts, return_tensors="pt", padding=True)
        (question,) = questions
        example = Example(self._instruction, as_input(question), "")
        if self._encoder_decoder:
            return tokenizer(f"{example.instruction}\n{example.input}", return_tensors="pt")
        prompt = prompt_and_completion(tokenizer, example)["prompt"]
        if isinstance(prompt, str):
            return tokenizer(prompt, return_tensors="pt")
        return tokenizer.apply_chat_template(prompt, add_generation_prompt=True, return_tensors="pt", return_dict=True)

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        transformers = library("transformers", f"The backend hf:{self.folder}")
        safetensors = library("safetensors", f"The backend hf:{self.folder}")
        torch = library("torch", f"The backend hf:{self.folder}")
        cuda = torch.cuda.is_available()
        kind = transformers.AutoModelForSeq2SeqLM if self._encoder_decoder else transformers.AutoModelForCausalLM
        options = {"dtype": torch.bfloat16 if cuda and not self._small else torch.float32}
        progress = transformers.utils.logging.is_progress_bar_enabled()
        transformers.utils.logging.disable_progress_bar()
        try:
            model = kind.from_pretrained(self._base if self._adapter else str(self.folder), **options)
            if self._adapter:
                peft = library("peft", f"The backend hf:{self.folder}")
                model = peft.PeftModel.from_pretrained(model, str(self.folder))
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
