"""English words: which there are, and which are forms of one word.

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


def is_common(word: str) -> bool:
    """Whether a word, in lower case, is a frequent or a common one, or an inflected form of one."""
    return any(word in words for words in _lists()[:2])


@lru_cache(1)
def _lists() -> tuple[frozenset[str], ...]:
    packed = resources.files("cgstore.text").joinpath("english_words.txt.gz").read_bytes()
    return tuple(frozenset(part.split()) for part in gzip.decompress(packed).decode().split("\n\n"))


# Forms: singular and plural, and the place that a people or a language is named after

_ENDINGS_OF_NAMES = (
    ("ies", ("y",)),
    ("es", ("",)),
    ("s", ("",)),
    ("y", ("ies",)),
    ("ian", ("y", "", "ia")),
    ("an", ("", "a", "y", "any")),
    ("ese", ("", "a")),
    ("ish", ("", "land")),
)
"""Endings of plurals, peoples and languages, with what stands in their place in the other form."""

_PEOPLES = """
    afghan afghanistan, american united states, argentine argentina, argentinian argentina, bangladeshi bangladesh,
    british united kingdom, burmese myanmar, cypriot cyprus, czech czech republic, danish denmark, dutch netherlands,
    emirati united arab emirates, english england, filipino philippines, finnish finland, french france,
    german germany, greek greece,
    icelandic iceland, iraqi iraq, irish ireland, israeli israel, kazakh kazakhstan, kuwaiti kuwait,
    kyrgyz kyrgyzstan, lao laos, malagasy madagascar, nepali nepal, norwegian norway, omani oman, pakistani pakistan,
    peruvian peru, polish poland, portuguese portugal, qatari qatar, saudi saudi arabia, slovak slovakia,
    scottish scotland, somali somalia, spanish spain, swedish sweden, swiss switzerland, tajik tajikistan,
    thai thailand,
    turkish turkey, turkmen turkmenistan, uk united kingdom, us united states, uzbek uzbekistan, welsh wales,
    yemeni yemen
"""
_PLACE_OF = dict(entry.split(maxsplit=1) for entry in _PEOPLES.replace("\n", " ").split(","))
"""Peoples whose places no ending tells."""


@lru_cache(10_000)
def word_forms(word: str) -> tuple[str, ...]:
    """A word in lower case and what may be another form of it: `rivers` and `river`, `austrian` and `austria`."""
    forms = [word]
    if len(word) >= 4:
        forms += [f"{word}s", f"{word}n"]
        for ending, others in _ENDINGS_OF_NAMES:
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                forms += [word[: -len(ending)] + other for other in others]
    return tuple(dict.fromkeys(forms))


def place_of(people: str) -> str:
    """The place of a people in lower case, such as `thailand` for `thai`; empty if an ending tells it, or nothing."""
    return _PLACE_OF.get(people, "")


MIN_STEM = 4
"""Letters at the beginning that two forms of one word share at least."""

_ENDINGS = """
    al ance ances ant d e ed ee ees ence ent ents er ers es iage iages ied ier iers ies ing ion ions ment ments or ors s
    ship ships y ying
"""
ENDINGS = frozenset(_ENDINGS.split()) | {""}
"""Endings of forms of one word, as in `employ`, `employment`; `recently` is not a form of `received`."""


def same_stem(one: str, other: str) -> bool:
    """Whether two words look like forms of one word: `marry`, `married`; `director`, `directed`."""
    if one == other:
        return True
    shared = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= MIN_STEM and any(
        one[cut:] in ENDINGS and other[cut:] in ENDINGS for cut in range(MIN_STEM, shared + 1)
    )
