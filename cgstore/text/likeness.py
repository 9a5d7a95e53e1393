"""How well a node's name fits a name in a program: by its characters, its words, its numbers, and by meaning.

An LLM errs in ways of its own: it leaves out words or accents, swaps them, mistypes a letter, or says the same in other
words. Each way has a measure that sees it, in [0, 1]. The score joins the measures, and keeps them as its parts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from cgstore.text.names import normal_form
from cgstore.text.numbers import read_number

WORD_ALIKE = 0.74
"""Least likeness of two words that count as the same word, mistyped: one letter of four, or `Sevn` for `Seven`."""

BY_WORDS = 0.98
"""Factor of the likeness by words: less than 1, since the order of the words says something too."""

_SMALL = "the a an of in by to for at on from with and or is was are were"
SMALL_WORDS = frozenset(_SMALL.split())
"""Words that hardly tell one relation from another."""

MEASURES = frozenset(("date", "day", "year", "time", "place", "location", "number", "count"))
"""Words of relations whose values are no people."""

NAME_WORDS = frozenset(("the", "a", "an", "of", "in", "for"))
"""Words that hardly tell one entity from another; `from` and `to` do."""

NAMED_WHOLE = 0.7
"""Weight of the asked words that the name has, beside the weight of the name's words that were asked for."""

BY_MEANING = 0.03
"""Weight of meaning beside spelling, for entities. It only decides between names that are spelt equally alike, since a
mistyped name means something else to an encoder."""

MEANING_ALONE = 0.9
"""Factor of the likeness by meaning where the spelling differs."""

RELATION_SPELLING = 0.7
"""Weight of a relation's spelling, as far as it is over a half, beside its meaning."""

SURE = 0.9
"""Likeness by spelling from which meaning is not looked at: the name is mistyped, and its vector means nothing."""

MEANT = 0.65
"""Least meaning of a relation that has other words than the one asked for. With less it is another relation, as `cause
of death` (0.56) is beside `date of death`. Measured, see docs/benchmarks.md."""

OTHER_WORDS = 0.4
"""Highest score of such a relation when a threshold is compared with it."""

SPELT = 0.8
"""Factor of the likeness by spelling, when a threshold is compared with it, where vectors say that names are unlike."""

ONE_WORD = 0.85
"""Least likeness of two relations, written as one word each, that are the same: `birthplace`, `birth place`."""

WHOLE = 0.01
"""Weight of a relation's small words: they decide between `student` and `student of`, and nothing else."""


@dataclass(frozen=True)
class Likeness:
    """A score and its parts; `meaning` is the cosine of the two names' vectors, if both have one.

    `same_words` is false only for relations that each have a word that the other lacks.
    """

    characters: float
    words: float
    meaning: float | None
    score: float
    same_words: bool = True

    @property
    def near(self) -> float:
        """The value that a threshold is compared with: the score, unless it rests on some of the words alone.

        Names of the same words may be mistyped, of which their vectors know nothing, so that spelling alone may do.
        """
        if self.same_words:
            return max(self.score, SPELT * max(self.characters, self.words))
        meaning = self.meaning or 0.0
        return min(self.score, meaning if meaning >= MEANT else OTHER_WORDS)


def likeness(asked: str, name: str, meaning: float | None = None) -> Likeness:
    """How well the name of an entity or value fits the one asked for, both in normal form.

    Words that serve grammar count for little: `head of government of Benin` and `head of government benin` are alike.
    """
    characters, words = _spelling(asked, name)
    words = max(words, BY_WORDS * have_same_words(asked, name))
    spelling = max(characters, words)
    if meaning is None or spelling >= 1.0:
        return Likeness(characters, words, meaning, spelling)
    joined = (1 - BY_MEANING) * spelling + BY_MEANING * max(0.0, meaning)
    return Likeness(characters, words, meaning, max(joined, MEANING_ALONE * meaning))


def relation_likeness(
    asked: Mapping[str, float],
    names: Mapping[str, float],
    meaning: float | None = None,
    properties: Sequence[Collection[str]] = (),
    *,
    apart: bool = False,
) -> Likeness:
    """How well a relation or key fits the one asked for.

    People say relations in other words far more often than they mistype them, so that meaning counts more than for
    entities, and small words count less.

    Args:
        asked: the forms in which it may be meant, with their weights (`cgstore.text.names.relation_styles`).
        names: the forms of the relation; one of two compared forms is always a whole name.
        meaning: the cosine of the two names' vectors, if both have one.
        properties: the forms of the two properties, if both names have a domain. Then these must be the same relation:
            `music.artist.genre` has all words of `music.genre.artists`, and is another one.
        apart: whether these domains have nothing in common. Then neither property may lack a word of the other:
            `location.location.area` is not `broadcast.area_served`.
    """
    pairs = [(a, b, one * other) for a, one in asked.items() for b, other in names.items() if 1.0 in (one, other)]
    characters, words = max((_relation_spelling(a, b, weight) for a, b, weight in pairs), key=max)
    spelling = max(characters, words)
    compared = product(*properties) if properties else ((a, b) for a, b, _ in pairs)
    same = any(_are_same_relation(_without_small_words(a), _without_small_words(b), apart) for a, b in compared)
    if meaning is None or spelling >= SURE:
        return Likeness(characters, words, meaning, spelling, same)
    joined = max(0.0, meaning) + RELATION_SPELLING * max(0.0, spelling - 0.5)
    if same and characters >= ONE_WORD:
        joined = max(joined, characters)  # mistyped
    return Likeness(characters, words, meaning, min(joined, SURE), same)


def have_same_words(asked: str, name: str) -> bool:
    """Whether two normal forms have the same words, in any order, but for `of`, `the` and the like."""
    own, others = (sorted(word for word in form.split() if word not in NAME_WORDS) for form in (asked, name))
    return own == others != []


def _are_same_relation(asked: str, name: str, apart: bool) -> bool:
    """Whether one relation has all words of the other, if need be mistyped; the name may lack up to half of them.

    Of relations that are `apart`, each must have all words of the other.
    """
    own, others = asked.split(), name.split()
    if _is_agent_of(own, others) or _is_agent_of(others, own):
        return False
    one, other = "".join(own), "".join(others)
    found = _has_all(own, others), 2 * len(other) >= len(one) and _has_all(others, own)
    if all(found) or (any(found) and not apart):
        return True
    return OSA.normalized_similarity(one, other) >= ONE_WORD


def _is_agent_of(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether words say who does what the others say the date or place of: `founder` is not `date founded`."""
    doers = {word[:-2] for word in words if word.endswith(("er", "or"))}
    done = {word.removesuffix("ed").removesuffix("ing") for word in others if word.endswith(("ed", "ing"))}
    return not doers.isdisjoint(done) and not MEASURES.isdisjoint(set(others) - set(words))


def _has_all(words: Sequence[str], others: Sequence[str]) -> bool:
    return all(best for _, best in _best_matches(words, others))


def _relation_spelling(asked: str, name: str, weight: float) -> tuple[float, float]:
    """The likenesses of two forms without their small words, and a little of those with them."""
    spelling = _spelling(_without_small_words(asked), _without_small_words(name))
    whole = WHOLE * OSA.normalized_similarity(asked, name)
    characters, words = (weight * ((1 - WHOLE) * part + whole) for part in spelling)
    return characters, words


def _spelling(asked: str, name: str) -> tuple[float, float]:
    """The likenesses by characters and by words."""
    own, others = asked.split(), name.split()
    named = _share_found(own, others)
    words = NAMED_WHOLE * named + (1 - NAMED_WHOLE) * _share_found(others, own) if named else 0.0
    return OSA.normalized_similarity(asked, name), BY_WORDS * words


def _without_small_words(form: str) -> str:
    return " ".join(word for word in form.split() if word not in SMALL_WORDS) or form


def _share_found(words: Sequence[str], others: Sequence[str]) -> float:
    """The share of the words' letters that stands in the other words."""
    total = sum(map(len, words))
    return sum(best * len(word) for word, best in _best_matches(words, others)) / total if total else 0.0


def _best_matches(words: Sequence[str], others: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Each word, the longest first, with its likeness to one of the other words, each of which serves once; else 0."""
    left = list(others)
    for word in sorted(words, key=len, reverse=True):
        likes = [OSA.normalized_similarity(word, other, score_cutoff=WORD_ALIKE) for other in left]
        best = max(likes, default=0.0)
        if best > 0:
            left.pop(likes.index(best))
        yield word, best


# Names that resemble a text


def trigrams(text: str) -> frozenset[str]:
    """The runs of three characters of a text's normal form, with a blank before it and after."""
    form = f" {normal_form(text)} "
    return frozenset(form[at : at + 3] for at in range(max(1, len(form) - 2)))


def nearest(text: str, names: Iterable[str]) -> tuple[str, float] | None:
    """The name that shares most trigrams with a text, and how many (Dice's coefficient); the first one of equals."""
    wanted = trigrams(text)
    scores = ((name, 2 * len(wanted & own) / (len(wanted) + len(own))) for name in names for own in [trigrams(name)])
    return max(scores, key=lambda scored: scored[1], default=None)


def similar(text: str, names: Iterable[str], count: int = 1, least: float = 0.6) -> list[str]:
    """The names that a mistyped text may stand for, the most similar first: those to offer in an error."""
    found = process.extract(text, list(names), scorer=fuzz.ratio, limit=count, score_cutoff=100 * least)
    return [name for name, *_ in found]


def did_you_mean(text: str, names: Iterable[str], otherwise: str) -> str:
    """A hint that offers the name most similar to a mistyped text, or says something else if there is none."""
    found = similar(text, names)
    return f"Did you mean '{found[0]}'?" if found else otherwise


# Numbers in names
#
# Names with different numbers are different things, however alike they are: `2003 AFL Grand Final` is not the final of
# 2004, `Elizabeth II` is not Elizabeth, `Part Two` is not the whole, and `Type A` is not `Type B`. A number may be
# written in several ways: `2nd`, `second`, `II` and `2` are one number, and so are `1,000` and `1000`.


_CARDINALS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
"""
_ORDINALS = """
    zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth
"""
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
CARDINALS = {word: number for number, word in enumerate(_CARDINALS.split())}
CARDINALS |= {word: 10 * (place + 2) for place, word in enumerate(_TENS)} | {"hundred": 100}
"""The numbers of one word up to a hundred."""
_WORDS = CARDINALS | {word: number for number, word in enumerate(_ORDINALS.split())}
_WORDS |= {f"{word[:-1]}ieth": number for word, number in _WORDS.items() if word in _TENS}
_WORDS |= {"hundredth": 100} | dict.fromkeys(("thousand", "thousandth"), 1_000)

_TOKEN = re.compile(
    r"(?P<number>(?>(?:(?<![\w.])\.)?\d+(?:[.,]\d+)*))(?:(?:st|nd|rd|th|(?<=\d\d)s)(?![^\W\d_]))?|(?P<word>[^\W\d_]+)",
    re.I,
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
    left, lacking = _apart(own, others)
    if _says_more(left, lacking) or _other_initials(own, others):
        return True
    if "(" in name or "[" in name:
        lacking, left = _apart(_tokens(_BRACKETS.sub(" ", name)), own)
    return not may_lack and _says_more(lacking, left)


def _other_aside(asked: str, name: str) -> bool:
    """Whether both names end in brackets with different words, apart from mistyped letters."""
    one, other = _ASIDE.search(asked), _ASIDE.search(name)
    if one is None or other is None:
        return False
    return OSA.normalized_similarity(normal_form(one[1]), normal_form(other[1])) < WORD_ALIKE


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


def _says_more(left: Sequence[Token], lacking: Sequence[Token]) -> bool:
    """Whether the tokens that one name alone has say a number, or a letter of a series, that the other one lacks."""
    if any(_is_missed(token, lacking) for token in left):
        return True
    letters = [token for token in left if _is_letter(token)]
    if any(token.last for token in letters):
        return True
    return bool(letters) and any(len(token.form) == 1 and token.number is None for token in lacking)


def _other_initials(own: tuple[Token, ...], others: tuple[Token, ...]) -> bool:
    """Whether both have single letters, and neither has those of the other and more: `H. W.` and `W.`."""
    one, other = ([token.form for token in tokens if _is_letter(token)] for tokens in (own, others))
    return one[: len(other)] != other[: len(one)]


def _apart(one: Sequence[Token], other: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    """The tokens that each of two names alone has, both as they are written and as numbers."""
    left, others = _minus(one, other, "form"), _minus(other, one, "form")
    return _minus(left, others, "number"), _minus(others, left, "number")


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
    return not token.spelt_out or all(OSA.normalized_similarity(token.form, word) < WORD_ALIKE for word in words)


def _is_letter(token: Token) -> bool:
    """Whether a token is a letter that may tell one of a series from the next; an article within a name is not one."""
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
