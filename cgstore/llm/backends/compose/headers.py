"""What the short names of columns stand for: `No. Rms`, `GM`, `Chk-in`, `Irrig.`, `Pool (Y/N)`.

A list has what spreadsheets write short. Other words are looked for among the words that name columns, of which only
one may be meant, and among those of the question: `Rms` has letters of `rooms`, and `GM` its words' first letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from cgstore.llm.backends.compose.words import ABBREVIATIONS, QuestionText, is_content
from cgstore.text.names import normal_form
from cgstore.text.thesaurus import known_words, lemma, words_of_columns, written_out

_YES_OR_NO = re.compile(
    r"\s*[(\[]\s*(?:y(?:es)?\s*/\s*no?|t(?:rue)?\s*/\s*f(?:alse)?|0\s*/\s*1)\s*[)\]]|\?", re.IGNORECASE
)
_WORD = re.compile(r"([^\W\d_]+)(\.?)")
_UNIT = re.compile(r"[(\[]")
_SQUARE = re.compile(r"\bsq\.?\s?m\b\.?", re.IGNORECASE)
_BARE_UNIT = re.compile(r"(?<=\w)[ _,]+([kKmM]?[€£$¥]|m²|km²|°C|%)$")
_SHORT = 7
"""Most letters of a word that is written short."""

_VOWELS = frozenset("aeiouy")
_LEAST = 3
"""Letters with which another word begins, so that they stand for it."""


def meaning_of(name: str, form: str) -> str:
    """The name of a column with values of a form, its words written out as far as lists tell."""
    return _with_words(name, lambda word: _from_lists(word, form))


def meaning_in(name: str, form: str, text: QuestionText) -> str:
    """The same, with the words of a question for those of which no list tells."""
    return _with_words(name, lambda word: _in_question(word, form, text))


def has_minutes(meanings: Sequence[str]) -> bool:
    """Whether a column called `min` has minutes: no other column has a bound or a mean."""
    return [each for each in meanings if each in ("minimum", "maximum", "average", "mean")] == ["minimum"]


def _in_question(word: str, form: str, text: QuestionText) -> str:
    if normal_form(word) in text.forms:
        return ""  # it is asked for as it stands
    return _from_lists(word, form) or _from_question(word, text)


def _with_words(name: str, whole: Callable[[str], str]) -> str:
    """A name with what its words stand for; what is in brackets is a unit, and stays."""
    plain = _SQUARE.sub("square metres", _BARE_UNIT.sub(r" (\1)", _YES_OR_NO.sub("", name)))
    unit = _UNIT.search(plain)
    end = unit.start() if unit and unit.start() else len(plain)
    return _WORD.sub(lambda match: whole(match[1]) or match[0], plain[:end]) + plain[end:]


def _from_lists(word: str, form: str) -> str:
    plain = word.lower()
    return written_out(plain, form) or _only_word(plain)


@lru_cache(5_000)
def _only_word(word: str) -> str:
    """The one word that names columns and whose consonants a word has; empty if there are several, or it is a word.

    Of several, one that has no other consonants is meant: `Prjct` is a project.
    """
    if not may_be_short(word) or not _VOWELS.isdisjoint(word):
        return ""
    found = sorted(each for each in words_of_columns() if is_short_for(word, each))
    found = [each for each in found if _consonants(each) == word] or found
    return found[0] if len({lemma(each) for each in found}) == 1 else ""


def _consonants(word: str) -> str:
    return word[0] + "".join(letter for letter in word[1:] if letter not in _VOWELS)


def may_be_short(word: str) -> bool:
    """Whether a word may be written short: it has few letters, and is none that the lists have."""
    return 2 <= len(word) <= _SHORT and is_content(word) and word not in known_words() and word not in ABBREVIATIONS


def _from_question(word: str, text: QuestionText) -> str:
    """The word of a question that a word is short for, or several whose first letters it has."""
    plain = normal_form(word)
    if word.isupper() and 2 <= len(word) <= 4 and (words := _words_of_letters(plain, text.forms)):
        return words
    if not may_be_short(plain) or plain in text.forms:
        return ""
    begun = [form for form in text.forms if is_content(form) and form.startswith(plain)]
    short = [form for form in text.forms if is_content(form) and is_short_for(plain, form)]
    short = [form for form in short if len(plain) >= _LEAST or form[-1] == plain[-1]]
    found = dict.fromkeys(begun or short)
    return next(iter(found)) if len({lemma(form) for form in found}) == 1 else ""


def _words_of_letters(letters: str, forms: Sequence[str]) -> str:
    """The words of a question, one after the other, with these first letters."""
    for first in range(len(forms) - len(letters) + 1):
        words = forms[first : first + len(letters)]
        if all(map(is_content, words)) and "".join(word[0] for word in words) == letters:
            return " ".join(words)
    return ""


def is_short_for(short: str, word: str) -> bool:
    """Whether letters stand for a longer word: its beginning, or its consonants in their order: `bkg` for `booking`."""
    if not short or len(word) <= len(short) or word[0] != short[0] or len(word) < 4:
        return False
    if word.startswith(short):
        return len(short) >= _LEAST
    rest = iter(word[1:])
    return _VOWELS.isdisjoint(short[1:]) and all(letter in rest for letter in short[1:])
