"""A question with its misspelt words and names put right, each by the nearest one, if exactly one is that near.

A word is taken for misspelt if nothing knows it: neither the source, nor the parser, nor a list of English words and
names. Numbers, codes and whatever has digits are never put right. A note says how each word or name was read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import OSA

from cgstore.text.english import common_words, is_common_name, is_english
from cgstore.text.likeness import is_numeral
from cgstore.text.names import normal_form
from cgstore.text.thesaurus import lemma

SHORTEST = 5
"""Letters of the shortest word that may have any mistake.

One of four letters may lack a letter or have two turned, if it is a word that is looked for."""

LONG_WORD = 8
"""Letters from which a word may have two mistakes."""

LONG_NAME = 10
"""Letters from which a name may have two mistakes."""

MAX_WORDS = 6
"""Words of a text that may be a misspelt name."""

UNLIKELY = 2
"""The kind of a mistake that is none in a correct word; see `_kind_of_mistake`."""

MAX_SOUGHT = 4
"""Misspelt words of a question for which names are looked up."""

MISSPELT = {
    **dict.fromkeys(("wich", "whitch", "whcih"), "which"),
    **dict.fromkeys(("hwo", "woh"), "who"),
    **dict.fromkeys(("wat", "waht", "whta", "wath"), "what"),
    **dict.fromkeys(("wehn", "whne"), "when"),
    **dict.fromkeys(("wher", "whre"), "where"),
    **dict.fromkeys(("wsa", "aws"), "was"),
    **dict.fromkeys(("teh", "hte"), "the"),
    **dict.fromkeys(("fo",), "of"),
}
"""Short words of questions in which people often mistake a letter."""

_WORD = re.compile(r"[^\W_]+")
_ENGLISH = re.compile(r"[a-z]+")
_NOT = re.compile(r"['’]t\b")
_JOINT = re.compile(r"[\s.,'’&/-]*")
_ORDERING = """
    average highest lowest largest smallest biggest greatest longest shortest oldest youngest newest latest earliest
    cheapest heaviest fastest slowest first last second third before between without department difference different
"""
_MONTHS = "january february march april june july august september october november december"
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday"
_CALENDAR = frozenset(f"{_MONTHS} {_WEEKDAYS}".split())
_ASKING = _CALENDAR | frozenset(_ORDERING.split())
"""Words of questions about whatever data."""

_SENTENCE_END = re.compile(r"[.?!:]\s+$")
_VOWELS = frozenset("aeiouy")


class Repaired(NamedTuple):
    """A question that was put right, with what was read instead of what."""

    question: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Known:
    """What is known where a question is asked.

    Attributes:
        words: those that a misspelt word is sooner than another common one, in lower case: the words of relations or
            columns, and those that ask.
        others: further words that are right.
        covered: the places of names and times in the question, whose words are right.
        closest: names that may be spelt nearly like a text, whatever their number.
    """

    words: Set[str]
    others: Set[str]
    covered: Sequence[tuple[int, int]]
    closest: Callable[[str], Sequence[str]]


class _Word(NamedTuple):
    text: str
    start: int
    end: int
    form: str


def put_right(question: str, known: Known, names: Iterable[str] = (), has_rare: bool = False) -> Repaired | None:
    """The question with its mistakes put right; None if there are none, or none that can be.

    Args:
        question: in plain words.
        known: what is known.
        names: texts of the question that are names and that the source lacks; their words may all be right.
        has_rare: a less frequent English word may be one of `known.words`, misspelt: `manger` for `manager`.
    """
    words = [_Word(m[0], m.start(), m.end(), normal_form(m[0])) for m in _WORD.finditer(question)]
    lemmas = _lemmas(known)
    instead: list[tuple[int, int, str]] = []
    sought = 0
    for place, word in enumerate(words):
        if _overlaps(word.start, word.end, [*known.covered, *((start, end) for start, end, _ in instead)]):
            continue
        if word.form in MISSPELT and word.form not in known.words:
            instead.append((word.start, word.end, MISSPELT[word.form]))
        elif _is_strange(question, word, known, lemmas) and (sought := sought + 1) <= MAX_SOUGHT:
            instead += _read(question, words, place, known)
        elif has_rare and _is_rare(word.form, known, lemmas):
            near, distance = _nearest_word(word.form, [known.words])
            instead += [(word.start, word.end, near)] * (distance == 1 and _kind_of_mistake(word.form, near) < UNLIKELY)
    for name in names:
        start = question.find(name)
        if start >= 0 and not _overlaps(start, start + len(name), [(first, last) for first, last, _ in instead]):
            near, _ = _nearest_name(name, known.closest(name))
            instead += [(start, start + len(name), near)] * bool(near)
    if not instead:
        return None
    notes = tuple(f"'{question[start:end]}' is read as '{other}'" for start, end, other in sorted(instead))
    for start, end, other in sorted(instead, reverse=True):
        question = question[:start] + other + question[end:]
    return Repaired(question, tuple(dict.fromkeys(notes)))


def _lemmas(known: Known) -> frozenset[str]:
    return frozenset(map(lemma, (*known.words, *known.others)))


def _is_strange(question: str, word: _Word, known: Known, lemmas: Set[str]) -> bool:
    """Whether nothing knows a word."""
    form = word.form
    if len(form) < SHORTEST - 1 or any(map(str.isdigit, form)) or _NOT.match(question, word.end):
        return False
    if form in known.words or form in known.others or lemma(form) in lemmas:
        return False
    return not (is_english(form) or is_common_name(form))


def _is_rare(form: str, known: Known, lemmas: Set[str]) -> bool:
    """Whether a word is English, and neither a frequent one nor known."""
    if len(form) < SHORTEST or form in known.words or form in known.others or lemma(form) in lemmas:
        return False
    return is_english(form) and not is_common_name(form) and form not in common_words()[0]


def _read(question: str, words: Sequence[_Word], place: int, known: Known) -> Iterator[tuple[int, int, str]]:
    """What a strange word is read as, alone or with words beside it that are parts of its name."""
    word = words[place]
    is_capital = word.text[0].isupper() and not word.text.isupper() and not _begins_sentence(question, word.start)
    meant, cost = _nearest_word(word.form, [_CALENDAR] if is_capital else [known.words | _ASKING, *common_words()])
    names = _names_for(question, words, place, known)
    texts = [(first.start, last.end) for first, last in _runs(question, words, place, known.covered)]
    found = [(*_nearest_name(question[start:end], names), start, end) for start, end in texts]
    near = min((each for each in found if each[0]), key=lambda each: (each[1], each[2] - each[3]), default=None)
    if near and not (meant and cost < near[1]):
        yield near[2], near[3], near[0]
        return
    if any(word.form in normal_form(name).split() for name in names):
        return  # a word of a name that the source has
    of_names = {part for name in names for part in _WORD.findall(name)}
    part, distance = _nearest_name(word.text, sorted(of_names))
    if part and not (meant and cost < distance + (not is_capital)):
        yield word.start, word.end, part
    elif meant:
        yield word.start, word.end, meant.capitalize() if word.text[0].isupper() else meant


def _names_for(question: str, words: Sequence[_Word], place: int, known: Known) -> list[str]:
    """The names that are like the words around a strange one, and like this one."""
    around = [
        each
        for run in _runs(question, words, place, known.covered)
        for each in run
        if not _is_grammar(each.form, known)
    ]
    first, last = min(around, default=words[place], key=_start), max(around, default=words[place], key=_start)
    texts = dict.fromkeys((question[first.start : last.end], words[place].text))
    return list(dict.fromkeys(name for text in texts for name in known.closest(text)))


def _start(word: _Word) -> int:
    return word.start


def _is_grammar(form: str, known: Known) -> bool:
    """Whether a word is more likely one of the question than one of a name."""
    return len(form) < SHORTEST - 1 or form in known.words


def _runs(
    question: str, words: Sequence[_Word], place: int, covered: Sequence[tuple[int, int]]
) -> Iterator[tuple[_Word, _Word]]:
    """The first and last words of the texts around a word that may be a name, the longest first."""
    first = last = place
    while first and place - first < MAX_WORDS - 1 and _joined(question, words[first - 1], words[first], covered):
        first -= 1
    while last + 1 < len(words) and last - place < MAX_WORDS - 1:
        if not _joined(question, words[last], words[last + 1], covered):
            break
        last += 1
    pairs = [(a, b) for a in range(first, place + 1) for b in range(place, last + 1) if b - a < MAX_WORDS]
    for a, b in sorted(pairs, key=lambda pair: pair[0] - pair[1]):
        yield words[a], words[b]


def _joined(question: str, one: _Word, other: _Word, covered: Sequence[tuple[int, int]]) -> bool:
    """Whether two neighbours may belong to one name."""
    is_free = not _overlaps(one.start, other.end, covered)
    return is_free and bool(_JOINT.fullmatch(question[one.end : other.start]))


def _overlaps(start: int, end: int, others: Iterable[tuple[int, int]]) -> bool:
    return any(start < last and first < end for first, last in others)


def _begins_sentence(question: str, start: int) -> bool:
    before = question[:start]
    return not before.strip("\"“‘'«(¿¡ ") or bool(_SENTENCE_END.search(before))


def _nearest_word(word: str, lists: Sequence[Set[str]]) -> tuple[str, float]:
    """The one word with the fewest and likeliest mistakes, and how many; empty if several may be meant.

    Words of earlier lists are likelier.
    """
    if not _ENGLISH.fullmatch(word):
        return "", 0.0
    is_short = len(word) < SHORTEST
    most = 1 + (len(word) >= LONG_WORD)
    best, found = most + 1.0, list[str]()
    for rank, words in enumerate(lists[:1] if is_short else lists):
        for each, distance in _near(word, words, most):
            kind = _kind_of_mistake(word, each) if distance == 1 else 0.0
            if is_short and sorted(each) != sorted(word) and len(each) < SHORTEST:
                continue
            cost = distance + 0.1 * kind + 0.15 * rank
            if cost < best - 0.01:
                best, found = cost, []
            if cost < best + 0.01 and each not in found:
                found.append(each)
    if len(found) > 1 and len({lemma(each) for each in found}) == 1:  # forms of one word
        ends = {each: _shared_end(each, word) for each in found}
        found = [each for each in found if ends[each] == max(ends.values())]
    return (found[0], float(int(best))) if len(found) == 1 else ("", 0.0)


def _near(word: str, words: Iterable[str], most: int) -> Iterator[tuple[str, int]]:
    """The words with at most some mistakes in a word, and with its first letter."""
    for each in words if isinstance(words, list) else _by_letter(frozenset(words)).get(word[0], ()):
        if abs(len(each) - len(word)) <= most and each[:1] == word[0]:
            distance = OSA.distance(word, each, score_cutoff=most)
            if 0 < distance <= most:
                yield each, distance


@lru_cache(16)
def _by_letter(words: frozenset[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in sorted(words):
        if len(word) >= SHORTEST - 1:
            found.setdefault(word[0], []).append(word)
    return found


def _kind_of_mistake(word: str, meant: str) -> int:
    """How likely one mistake is, 0 being the likeliest: letters turned, or one doubled or not; a vowel; any other."""
    if len(word) == len(meant):
        if sorted(word) == sorted(meant):
            return 0
        at = next(n for n, (a, b) in enumerate(zip(word, meant, strict=True)) if a != b)
        return 1 if {word[at], meant[at]} <= _VOWELS else UNLIKELY
    short, long = sorted((word, meant), key=len)
    at = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return 0 if long[at] == long[at - 1] else 1


def _shared_end(one: str, other: str) -> int:
    """How many letters the ends of two words have in common."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _nearest_name(text: str, names: Sequence[str]) -> tuple[str, int]:
    """The one name with few mistakes in a text, the others being far, and how many; empty if there is none."""
    form = normal_form(text)
    if len(form) < SHORTEST:
        return "", 0
    most = 1 + (len(form) >= LONG_NAME)
    found: dict[str, int] = {}
    for name in names:
        for each in dict.fromkeys((normal_form(name), normal_form(name).removeprefix("the "))):
            if each == form:
                return "", 0
            if each[:1] != form[0] or abs(len(each) - len(form)) > most:
                continue
            distance = OSA.distance(form, each, score_cutoff=most)
            if distance <= most and _may_be_meant(form, each):
                found[name] = min(distance, found.get(name, distance))
    if len({normal_form(name) for name in found}) != 1:
        return "", 0
    name = next(iter(found))
    return name, found[name]


def _may_be_meant(said: str, name: str) -> bool:
    """Whether the words in which a text and a name differ are mistakes: `john die` is not John Dix, nor `II` III."""
    ours, theirs = said.split(), name.split()
    if _numbers(ours) != _numbers(theirs):
        return False
    if len(ours) != len(theirs):
        return True
    changed = [(one, other) for one, other in zip(ours, theirs, strict=True) if one != other]
    is_named = any(one == other and not is_english(one) for one, other in zip(ours, theirs, strict=True))
    return not any(_is_other(one, other, is_named) for one, other in changed)


def _is_other(said: str, name: str, is_named: bool) -> bool:
    """Whether a word is right though a name has another one there: `salt lodger` is not Salt Ledger, nor Joan John.

    It may be the same, as in Thomas and Tomas, if a letter within is left out or turned. A common word may be so only
    if another word of the name, which is no English one, is the same (`is_named`): `lena fisher` is Lena Fischer.
    """
    is_same = sorted(said) == sorted(name) or (len(said) != len(name) and said[-1] == name[-1])
    if len(said) < SHORTEST - 1 or any(said in words for words in common_words()):
        return not (is_same and is_named)
    return not is_same and is_common_name(said) and (is_common_name(name) or is_english(name))


def _numbers(words: Sequence[str]) -> list[str]:
    """The words with digits, and the numerals behind the first word: of Henry II and III neither is misspelt."""
    return [
        word
        for place, word in enumerate(words)
        if any(map(str.isdigit, word)) or (place and is_numeral(word.upper() if len(word) < SHORTEST else word))
    ]
