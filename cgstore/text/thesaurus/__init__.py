"""Other words by which people ask for a relation or a column: `who headed the school` for `headmaster of`.

The list is general English and knows no data. A line of `relations.txt` is a concept: how owners of data name it, other
words in the same direction, and names and words in the other direction (`employs` for `employer`).
`abbreviations.txt` has what headers write short.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import resources

from cgstore.text.names import normal_form
from cgstore.text.words import lemma

_PREPOSITIONS = "about after against among around at before behind by for from in into of on out over to under with"
_GRAMMAR = "a an the is was are were be been has have had does do did its his her their as that"
_SMALL = frozenset(f"{_PREPOSITIONS} {_GRAMMAR}".split())
"""Words that carry no meaning."""


def names_said(lemmas: Collection[str]) -> dict[frozenset[str], frozenset[str]]:
    """The names that data have for what a question says in other words.

    Args:
        lemmas: of all words of the question.

    Returns:
        By the lemmas of a name, those of the question that say it.
    """
    found: dict[frozenset[str], frozenset[str]] = {}
    for word in lemmas:
        for said, names in _by_words().get(word, ()):
            if said.issubset(lemmas):
                for name in names:
                    found[name] = found.get(name, frozenset()) | said
    return found


@lru_cache(1)
def _by_words() -> Mapping[str, Sequence[tuple[frozenset[str], Sequence[frozenset[str]]]]]:
    """The phrases of each concept with the lemmas of its names, by one of their words."""
    found: dict[str, list[tuple[frozenset[str], Sequence[frozenset[str]]]]] = defaultdict(list)
    for line in _lines("relations.txt"):
        parts = ([_lemmas(each) for each in part.split(",") if each.strip()] for part in line.split("|"))
        names, asked, inverse = parts
        for said in dict.fromkeys([*names, *asked, *inverse]):
            found[max(said, key=len)].append((said, names))
    return found


def _lemmas(phrase: str) -> frozenset[str]:
    """The lemmas of its words that carry meaning, or of all if none does."""
    words = re.findall(r"[^\W_]+", normal_form(phrase))
    return frozenset(lemma(word) for word in words if word not in _SMALL) or frozenset(map(lemma, words))


def written_out(word: str) -> str:
    """What a word of a header is short for; empty if nothing is known."""
    return _abbreviations().get(word, "")


@lru_cache(1)
def _abbreviations() -> Mapping[str, str]:
    """Whole words by what headers have for them."""
    found: dict[str, str] = {}
    for line in _lines("abbreviations.txt"):
        whole, _, short = line.partition(":")
        for each in short.split(","):
            found.setdefault(each.strip(), whole.strip())
    return found


def _lines(name: str) -> Iterator[str]:
    text = resources.files("cgstore.text.thesaurus").joinpath(name).read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
