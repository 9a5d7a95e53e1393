"""An encoder-decoder of a few million weights, trained from nothing, with a tokenizer of whole words.

Its vocabulary is what the training pairs have: the words of the questions, in lower case, and the parts of the
programs. A relation is one word, however long, so that a program has few words and no misspelt relation. With names
taken out of the questions (`names`) this is enough to learn some hundred forms of questions in minutes, without a GPU.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cgstore.finetune.names import PLACEHOLDER

BASE = "small"
"""The name of this model, in the place of the name of a pretrained one."""

WIDTH, LAYERS, HEADS = 128, 3, 4
"""Width of a layer, layers of the encoder and of the decoder, and heads of attention."""

DROPPED_WORDS = 0.1
"""Share of a question's words that are hidden from the model in training: other wordings lack some too."""

_QUESTION = re.compile(rf"{PLACEHOLDER.pattern}|\w+|[^\w\s]")
_OUTPUT = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\[ .*? \]|(?:, )?\w+(?:\(|[<>]=|[<>=])|[<>]=?|\w+|[^\w\s]"""
)
"""Literals, surface names, the beginning of a call or of an argument (`, tail_entity=`), and other words and signs."""
_BLANK = "\u2581"
"""What stands for a blank within a word of the vocabulary."""

_SPECIAL = ("<pad>", "</s>", "<unk>")


def question_words(question: str) -> list[str]:
    """The words and signs of a question with placeholders, in lower case."""
    return _QUESTION.findall(question.lower())


def encoder_text(question: str) -> str:
    """A question as the tokenizer takes it: words between blanks."""
    return " ".join(question_words(question))


def decoder_text(output: str) -> str:
    """A program or skeleton as the tokenizer takes it: names of relations are one word each."""
    return " ".join(word.replace(" ", _BLANK) for word in _OUTPUT.findall(output))


def program_text(decoded: str) -> str:
    """The program or skeleton of a decoded text."""
    return decoded.replace(_BLANK, " ").strip()


def make_tokenizer(pairs: Iterable[tuple[str, str]]) -> Any:
    """A tokenizer of transformers whose vocabulary is the words of some questions and outputs."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    texts = [text for question, output in pairs for text in (encoder_text(question), decoder_text(output))]
    words = sorted({word for text in texts for word in text.split(" ")} - set(_SPECIAL))
    vocabulary = {word: number for number, word in enumerate((*_SPECIAL, *words))}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    tokenizer.post_processor = TemplateProcessing(single="$A </s>", special_tokens=[("</s>", vocabulary["</s>"])])
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", model_max_length=512
    )


def make_model(tokenizer: Any) -> Any:
    """A T5 model of this size with random weights."""
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(
        vocab_size=len(tokenizer),
        d_model=WIDTH,
        d_kv=WIDTH // HEADS,
        d_ff=4 * WIDTH,
        num_layers=LAYERS,
        num_decoder_layers=LAYERS,
        num_heads=HEADS,
        dropout_rate=0.1,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.pad_token_id,  # type: ignore[call-arg]
    )
    return T5ForConditionalGeneration(config)


class HidingCollator:
    """Makes batches as another collator does, and hides some words of the questions.

    Which words are hidden depends on the batch alone, so that a training that is resumed hides the same ones.

    Args:
        collate: the other collator.
        tokenizer: of the small model.
        share: of the words that are hidden.
    """

    def __init__(self, collate: Any, tokenizer: Any, share: float = DROPPED_WORDS) -> None:
        self._collate, self._share, self._unknown = collate, share, tokenizer.unk_token_id
        kept = [number for word, number in tokenizer.get_vocab().items() if PLACEHOLDER.fullmatch(word)]
        self._kept = [*kept, *tokenizer.all_special_ids]

    def __call__(self, features: list[dict[str, Any]]) -> Any:
        import torch

        batch = self._collate(features)
        words = batch["input_ids"]
        seed = int.from_bytes(hashlib.sha256(words.numpy().tobytes()).digest()[:7], "big")
        drawn = torch.rand(words.shape, generator=torch.Generator().manual_seed(seed))
        hidden = (drawn < self._share) & ~torch.isin(words, torch.tensor(self._kept))
        batch["input_ids"] = words.masked_fill(hidden, self._unknown)
        return batch


class SimilarLengths:
    """An order of the pairs in which those of a batch have outputs of similar length: little is spent on padding.

    The order of an epoch depends on the seed and its number alone, so that a training that is resumed has the same one.

    Args:
        lengths: of the outputs.
        batch: pairs in a batch.
        seed: of the order.
    """

    def __init__(self, lengths: Sequence[int], batch: int, seed: int) -> None:
        self._lengths, self._batch, self._seed, self._epoch = list(lengths), batch, seed, 0

    def set_epoch(self, epoch: int) -> None:
        """Chooses the epoch of the next iteration."""
        self._epoch = epoch

    def __len__(self) -> int:
        return len(self._lengths)

    def __iter__(self) -> Iterator[int]:
        draw = random.Random(f"{self._seed} {self._epoch}")
        order = sorted(range(len(self._lengths)), key=lambda number: self._lengths[number] * draw.uniform(0.8, 1.2))
        starts = list(range(0, len(order), self._batch))
        draw.shuffle(starts)
        for start in starts:
            yield from order[start : start + self._batch]
