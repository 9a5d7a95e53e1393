"""Times in questions: `5 May 1995`, `2004-07`, `the 1990s`, `AD 40`, `80 B.C.`, `the 70s BC`, `the twelfth century`.

A number of up to three digits beside `BC` or `AD` may be anything (`which 300 BC games`): it is a year where a word for
a time stands before it, or where the era can be nothing else (`BCE`, `B.C.`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cgstore.text.dates import ENGLISH_MONTH, ordinal, read_moment, read_time

_CLOCK = r"[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[-+]\d\d(?::?\d\d)?)?"
_PLAIN = (
    re.compile(rf"(?<![\w-])\d{{4}}-\d{{2}}(?:-\d{{2}}(?:{_CLOCK})?)?(?![\w:-])"),
    re.compile(r"(?<![\w.,/-])\d{4}(?![\w/]|-\d|[.,]\d)"),
)
"""Times in ISO form, and years of four digits."""

_BC = r"B\.\s?C\.(?:\s?E\.)?|BCE?|bce?"
_ERA = rf"(?P<era>(?P<bc>{_BC})|A\.\s?D\.|AD|ad|C\.\s?E\.|CE|ce)(?!\w)"
"""Before or after a year; `bc` is the group of the years before it."""

_BEFORE = (
    "about after around and before between by circa during following from in of on or since through till to until year"
)
_OF_TIME = re.compile(rf"\b(?:{'|'.join(_BEFORE.split())})\s+(?:the\s+(?:years?\s+)?)?$", re.IGNORECASE)
_NUMBER = r"(?<![\w.,/-])(?P<year>\d{1,4})"
_ENDS = r"(?![\w/]|[.,]\d|-\d)"
_YEAR = re.compile(rf"{_NUMBER}\s*{_ERA}")
_ERA_FIRST = re.compile(rf"\b(?:AD|A\.\s?D\.)\s?(?P<year>\d{{1,4}}){_ENDS}")
_BOTH = re.compile(rf"\b(?:between|from)\s+{_NUMBER}\s+(?:and|to|until|till)\s+(?P<other>\d{{1,4}})\s*{_ERA}")
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_MONTH = rf"{ENGLISH_MONTH}\b\.?"
_DAYS = (rf"{_DAY}(?:\s+of)?\s+{_MONTH}", rf"{_MONTH}\s+{_DAY}", rf"{_MONTH}(?:\s+of)?")
_WRITTEN = (
    *(
        re.compile(rf"\b{the}(?P<time>{form},?\s+\d{{4}})(?![\w/]|-\d|[.,]\d)", re.IGNORECASE)
        for the, form in zip((r"(?:the\s+)?", "", ""), _DAYS, strict=True)
    ),
    re.compile(r"\b(?P<time>\d{3}0s)(?![\w/])", re.IGNORECASE),
)
"""Days and months in words, and decades."""

_WRITTEN_BC = (
    *(re.compile(rf"\b(?P<time>{form},?\s+\d{{1,4}}\s*(?:{_BC}))(?!\w)", re.IGNORECASE) for form in _DAYS),
    re.compile(rf"\b(?P<time>\d{{1,3}}0['’]?s\s+(?:{_BC}))(?!\w)", re.IGNORECASE),
)
_ORDINALS = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
    sixteenth seventeenth eighteenth nineteenth twentieth twenty-first
"""
_NUMBERS = {word: number for number, word in enumerate(_ORDINALS.split(), 1)}
_CENTURY = re.compile(
    rf"\b(?:(?P<figure>\d{{1,2}})(?:st|nd|rd|th)|(?P<word>{'|'.join(sorted(_NUMBERS, key=len, reverse=True))}))"
    rf"[ -]century(?:\s+{_ERA})?(?![\w/])",
    re.IGNORECASE,
)
_ENDS_THERE = r"\s+(?P<year>[1-9]\d{0,2})(?=\s*(?:[?,.!;]|$)|\s+(?:and|or|to|till|until|through)\s+[\dA])"
_SHORT = tuple(
    re.compile(rf"\b(?:{before}){_ENDS_THERE}")
    for before in (
        "after|before|between|by|during|from|in|since|till|until|year",
        r"(?:between|from)\s+\S+(?:\s+[A-Z.]+)?\s+(?:and|to|until|till|through)",
    )
)
_SIGNED = re.compile(r"(?:(?<=\bin )|(?<=\bbefore )|(?<=\bafter )|(?<=\bsince ))[-−]\d{1,4}(?![\w-])")


class AskedTime(NamedTuple):
    """A time in a question: its place, and its name as `cgstore.text.dates.read_time` has it."""

    start: int
    end: int
    name: str


def find_times(question: str, *, has_short_years: bool = False) -> list[AskedTime]:
    """The times in a question; a year within a longer time is one too, but not one within a time of an era.

    With `has_short_years`, numbers of up to three digits are years where a year may stand.
    """
    eras = _times_of_eras(question)
    found = [AskedTime(*m.span(), _plain_name(m[0])) for form in _PLAIN for m in form.finditer(question)]
    found = [each for each in [*found, *_written(question, _WRITTEN)] if not _overlaps(each, eras)] + eras
    short = short_years(question) if has_short_years else []
    return found + [each for each in short if not _overlaps(each, found)]


def short_years(question: str) -> list[AskedTime]:
    """The numbers of up to three digits that stand where a year may: `in 40`, `before 20`, `between 35 and 45`."""
    return [AskedTime(*match.span("year"), match["year"]) for form in _SHORT for match in form.finditer(question)]


def _overlaps(time: AskedTime, others: Iterable[AskedTime]) -> bool:
    return any(time.start < other.end and other.start < time.end for other in others)


def _plain_name(text: str) -> str:
    """The text itself; a time of day in the form that its node has."""
    moment = read_moment(text)
    return moment.name if moment and moment.step.has_clock else text


def _written(question: str, forms: Iterable[re.Pattern[str]]) -> Iterator[AskedTime]:
    for match in (match for form in forms for match in form.finditer(question)):
        if time := read_time(match["time"].replace("’", "'")):
            yield AskedTime(*match.span(), time.start.name)


def _times_of_eras(question: str) -> list[AskedTime]:
    """The years, days and decades of an era, the years with a minus, and the centuries; none overlaps a longer one."""
    found = [*_years(question), *_written(question, _WRITTEN_BC), *_centuries(question)]
    found += [AskedTime(*match.span(), str(int(match[0].replace("−", "-")))) for match in _SIGNED.finditer(question)]
    kept: list[AskedTime] = []
    for each in sorted(found, key=lambda time: (time.start - time.end, time.start)):
        if not _overlaps(each, kept):
            kept.append(each)
    return sorted(kept)


def _years(question: str) -> Iterator[AskedTime]:
    for match in _YEAR.finditer(question):
        is_sure = len(match["year"]) == len("1000") or "." in match["era"] or match["era"] in ("BCE", "bce")
        if is_sure or _OF_TIME.search(question[: match.start()]):
            yield from _year(match.start(), match.end(), match["year"], match["bc"])
    for match in _ERA_FIRST.finditer(question):
        yield from _year(match.start(), match.end(), match["year"], None)
    for match in _BOTH.finditer(question):
        # Years BC count down; else the era may be that of the second year alone.
        if not match["bc"] or int(match["year"]) > int(match["other"]):
            yield from _year(*match.span("year"), match["year"], match["bc"])


def _year(start: int, end: int, digits: str, bc: str | None) -> Iterator[AskedTime]:
    if int(digits):
        yield AskedTime(start, end, str(1 - int(digits) if bc else int(digits)))


def _centuries(question: str) -> Iterator[AskedTime]:
    for match in _CENTURY.finditer(question):
        number = int(match["figure"] or 0) or _NUMBERS.get((match["word"] or "").lower(), 0)
        if time := read_time(f"{ordinal(number)} century{' BC' if match['bc'] else ''}"):
            yield AskedTime(*match.span(), time.start.name)
