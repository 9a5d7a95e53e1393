"""Which words are English, so that a correct word is never taken for another one that is misspelt.

`english_words.txt.gz` has four lists, each word once: frequent words, common ones, others, and first names and places.
They are from SCOWL (copyright 2000 to 2020 by Kevin Atkinson, who permits use, copying and change for any purpose).
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from importlib import resources

SHORTEST = 3
"""Letters of the shortest word in the lists."""


def is_english(word: str) -> bool:
    """Whether a word, in lower case, is an English one, or too short to tell."""
    return len(word) < SHORTEST or any(word in words for words in _lists()[:3])


def is_common_name(word: str) -> bool:
    """Whether a word, in lower case, is a first name or a place, such as `anna` and `finland`."""
    return word in _lists()[3]


def common_words() -> tuple[frozenset[str], frozenset[str]]:
    """The frequent words and the common ones, with their inflected forms."""
    return _lists()[0], _lists()[1]


@lru_cache(1)
def _lists() -> tuple[frozenset[str], ...]:
    packed = resources.files("cgstore.text").joinpath("english_words.txt.gz").read_bytes()
    return tuple(frozenset(part.split()) for part in gzip.decompress(packed).decode().split("\n\n"))
