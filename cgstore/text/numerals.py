"""The numbers in a name: names with different numbers are different things, however similar they are.

`2003 AFL Grand Final` is not the final of 2004, nor `Elizabeth II` another Elizabeth, `Part Two` the whole, or `Type A`
`Type B`. A number may be written in several ways: `2nd`, `second`, `II` and `2` are one number, `1,000` and `1000` too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import OSA

from cgstore.text.names import normal_form
from cgstore.text.numbers import read_number

MISTYPED = 0.74
"""Least likeness of a mistyped word to the number that it stands for: `Sevn` for `Seven`."""

_CARDINALS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
"""
_ORDINALS = """
    zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth
"""
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {word: number for words in (_CARDINALS, _ORDINALS) for number, word in enumerate(words.split())}
_WORDS |= {word: 10 * (place + 2) for place, word in enumerate(_TENS)}
_WORDS |= {f"{word[:-1]}ieth": number for word, number in _WORDS.items() if word in _TENS}
_WORDS |= dict.fromkeys(("hundred", "hundredth"), 100) | dict.fromkeys(("thousand", "thousandth"), 1_000)

_TOKEN = re.compile(
    r"(?P<number>(?>(?:(?<![\w.])\.)?\d+(?:[.,]\d+)*))(?:(?:st|nd|rd|th|s)(?![^\W\d_]))?|(?P<word>[^\W\d_]+)", re.I
)
_SEASON = re.compile(r"\b(\d\d)(\d\d)(\s?[-–/]\s?)(\d\d)(?![-–/.,]?\d)")
_POSSESSIVE = re.compile(r"(?<=\w)['’]\w\b")
_ROMAN = re.compile(r"(?=[ivxl])(xl|l?x{0,3})(ix|iv|v?i{0,3})")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50}
_NAMES_TOO = frozenset(("li", "liv", "vi", "xi"))
"""Roman numerals that are also names of people, and so count in capitals only."""

_ASIDE = re.compile(r"[(\[]([^()\[\]]+)[)\]]\s*$")
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*")


class Token(NamedTuple):
    """A word or number of a name: its normal form, and its number if it is one.

    A number that is `spelt_out` may be mistyped. The `last` token ends the name and is not an initial.
    """

    form: str
    number: float | None = None
    spelt_out: bool = False
    last: bool = False


def other_number(asked: str, name: str, *, may_lack: bool = False) -> bool:
    """Whether two names differ in a number, or in a single letter that tells one of a series from the next.

    With `may_lack`, the asked name may lack a number of the name, as `population` does for a column `population 2010`.

    Brackets in the name tell it from others of the same name, and the asked name may lack them: `The Burglar` may be
    `The Burglar (1957 film)`, but not the other way round. If both end in brackets, these must agree in words too:
    `Head of Government (Benin)` is not that of Mali.
    """
    numbers = read_number(asked), read_number(name)
    if None not in numbers:
        return numbers[0] != numbers[1]
    if _other_aside(asked, name):
        return True
    own, others = _tokens(asked), _tokens(name)
    needed = _tokens(_BRACKETS.sub(" ", name)) if "(" in name or "[" in name else others
    return _says_more(own, others) or (not may_lack and _says_more(needed, own))


def _other_aside(asked: str, name: str) -> bool:
    """Whether both names end in brackets with different words, apart from mistyped letters."""
    one, other = _ASIDE.search(asked), _ASIDE.search(name)
    if one is None or other is None:
        return False
    return OSA.normalized_similarity(normal_form(one[1]), normal_form(other[1])) < MISTYPED


def with_digits(name: str) -> str | None:
    """The normal form of a name with its numbers in digits, so that all ways to write them agree; None without any."""
    tokens = _tokens(name)
    if all(token.number is None for token in tokens):
        return None
    return " ".join(token.form if token.number is None else f"{token.number:g}" for token in tokens)


def is_numeral(word: str) -> bool:
    """Whether a word after a name numbers it: `2`, `two`, `II`; not ordinals and `v`, which may mean something else."""
    token = _tokens(f"name {word}")[-1]
    return token.number is not None and token.form not in _ORDINALS.split() and (len(word) > 1 or not word.islower())


def _says_more(one: tuple[Token, ...], other: tuple[Token, ...]) -> bool:
    """Whether the first has a number, or a letter of a series, that the second lacks."""
    left, lacking = _without(one, other), _without(other, one)
    if any(_is_missed(token, lacking) for token in left):
        return True
    letters = [token for token in left if _is_letter(token)]
    return any(token.last for token in letters) or bool(letters and any(map(_is_letter, lacking)))


def _without(one: Sequence[Token], other: Sequence[Token]) -> list[Token]:
    """The tokens of the first that the second lacks, both as they are written and as numbers."""
    left, others = _minus(one, other, "form"), _minus(other, one, "form")
    return _minus(left, others, "number")


def _minus(one: Sequence[Token], other: Sequence[Token], what: str) -> list[Token]:
    """The tokens of the first without one for each equal token of the second."""
    there = Counter(getattr(token, what) for token in other)
    there.pop(None, None)
    left = []
    for token in one:
        if there[getattr(token, what)] > 0:
            there[getattr(token, what)] -= 1
        else:
            left.append(token)
    return left


def _is_missed(token: Token, lacking: Iterable[Token]) -> bool:
    """Whether a number is missing, even in a mistyped form such as `Sevn` for `Seven`."""
    if token.number is None:
        return False
    words = (other.form for other in lacking if other.number is None)
    return not token.spelt_out or all(OSA.normalized_similarity(token.form, word) < MISTYPED for word in words)


def _is_letter(token: Token) -> bool:
    """Whether it is a letter that may tell one of a series from the next; an article within a name is not one."""
    return len(token.form) == 1 and token.number is None and (token.form != "a" or token.last)


@lru_cache(50_000)
def _tokens(name: str) -> tuple[Token, ...]:
    found = list(_TOKEN.finditer(_SEASON.sub(_in_full, _POSSESSIVE.sub("", name))))
    tokens: list[Token] = []
    for place, match in enumerate(found):
        last = place == len(found) - 1 > 0 and not match.string.startswith(".", match.end())
        if match["number"]:
            tokens += _written(match["number"])
        else:
            following = found[place + 1] if place + 1 < len(found) else None
            tokens.append(
                _word(match, first=not place, last=last, before_digits=bool(following and following["number"]))
            )
    return _joined(tokens)


def _in_full(season: re.Match[str]) -> str:
    """`2011-2012` for `2011-12`, if the second year follows the first."""
    century, year, between, following = season.groups()
    whole = f"{century}{following}" if int(following) == int(year) + 1 else following
    return f"{century}{year}{between}{whole}"


def _written(digits: str) -> list[Token]:
    """A number in digits; several numbers if it is not one, as in `9.11.2001`."""
    number = read_number(digits)
    if number is not None:
        return [Token(f"{number:g}", number)]
    return [Token(f"{int(part):g}", float(part)) for part in re.split("[.,]", digits) if part]


def _word(match: re.Match[str], *, first: bool, last: bool, before_digits: bool) -> Token:
    form = normal_form(match["word"])
    if form in _WORDS:
        return Token(form, float(_WORDS[form]), spelt_out=True)
    initial = match.string.startswith(".", match.end()) or first or before_digits  # `4 x 100`
    is_name = form in _NAMES_TOO and not match["word"].isupper()
    if _ROMAN.fullmatch(form) and not is_name and not (len(form) == 1 and (initial or form == "l")):
        return Token(form, float(_roman(form)))
    return Token(form, last=last)


def _roman(form: str) -> int:
    digits = [_ROMAN_DIGITS[letter] for letter in form]
    return sum(-digit if digit < after else digit for digit, after in zip(digits, [*digits[1:], 0], strict=True))


def _joined(tokens: Iterable[Token]) -> tuple[Token, ...]:
    """The tokens, with each number of several words as one: `twenty-first`, `two hundred`."""
    joined: list[Token] = []
    for token in tokens:
        before = joined[-1] if joined else None
        number = _one_number(before, token) if before else None
        if before is not None and number is not None:
            joined[-1] = Token(f"{before.form} {token.form}", number, spelt_out=True)
        else:
            joined.append(token)
    return tuple(joined)


def _one_number(before: Token, token: Token) -> float | None:
    """The number that two words make together; None if they are two numbers."""
    if not (before.spelt_out and token.spelt_out) or before.number is None or token.number is None:
        return None
    if before.number in range(20, 100, 10) and 0 < token.number < 10:
        return before.number + token.number
    return before.number * token.number if before.number < 100 <= token.number else None
