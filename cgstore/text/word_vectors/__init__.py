"""How near English words are in meaning: `ground` and `soil`, `backed` and `sponsor`.

The vectors are those of all-MiniLM-L6-v2 for each word alone, reduced to `DIMENSIONS` bytes, for 32,000 base forms
(`benchmarks/word_vectors.py` makes them). They need no model at run time, and only the rows of the words that are
asked for are read.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import resources
from operator import mul

from cgstore.text.thesaurus import base_of

DIMENSIONS = 96
"""Numbers in a vector."""

Vector = tuple[float, ...]
"""Of length 1."""

_ENDINGS = (
    ("s", ""),
    ("es", ""),
    ("ies", "y"),
    ("ed", ""),
    ("d", ""),
    ("ied", "y"),
    ("ing", ""),
    ("ing", "e"),
    ("ly", ""),
    ("ness", ""),
)
_DOUBLED = re.compile(r"(.*)([bdgklmnprt])\2(?:ed|ing)")


def base_forms(word: str) -> Iterator[str]:
    """What a word in lower case may be a form of, without itself: `run` for `running`."""
    if (base := base_of(word)) != word:
        yield base
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            yield word.removesuffix(ending) + instead
    if doubled := _DOUBLED.fullmatch(word):
        yield doubled[1] + doubled[2]


def vector_of(words: Iterable[str]) -> Vector | None:
    """What words in lower case mean together; None if none of them is known."""
    known = [vector for word in words if (vector := _vector(word))]
    return _scaled([sum(column) for column in zip(*known, strict=True)]) if known else None


def likeness(one: Sequence[float], other: Sequence[float]) -> float:
    """The cosine similarity of two vectors: 1 for the same meaning, about 0 for words that are not related."""
    return float(sum(map(mul, one, other)))


@lru_cache(20_000)
def _vector(word: str) -> Vector | None:
    rows = _rows()
    row = rows.get(word)
    if row is None:
        row = next((rows[form] for form in base_forms(word) if form in rows), None)
    return None if row is None else _scaled(_numbers()[row * DIMENSIONS : (row + 1) * DIMENSIONS])


def _scaled(numbers: Sequence[float]) -> Vector | None:
    length = math.sqrt(sum(each * each for each in numbers))
    return tuple(each / length for each in numbers) if length else None


@lru_cache(1)
def _rows() -> dict[str, int]:
    """The place of each word."""
    text = (resources.files(__name__) / "words.txt").read_text(encoding="utf-8")
    return {word: row for row, word in enumerate(text.split())}


@lru_cache(1)
def _numbers() -> array[int]:
    return array("b", (resources.files(__name__) / "vectors.bin").read_bytes())
