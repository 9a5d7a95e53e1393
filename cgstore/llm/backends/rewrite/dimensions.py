"""Relations whose values are numbers or times, and the words that compare, order and name these.

`cheapest`, `costs less than` and `a price below` speak of a relation `price`; `oldest` and `founded before` of one that
says in which year something began. The words of a question become a few codes for each relation (`coded`), over which
`quantities` has its patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from cgstore.mapping.mentions import GRAMMAR_WORDS
from cgstore.mapping.unknown_mentions import same_stem
from cgstore.text.kinds import ValueKind
from cgstore.text.names import in_words

_DIMENSIONS = """
    price cost fee fare charge rent: expensive costly dear pricey / cheap inexpensive affordable
    height elevation altitude: tall high lofty / low short
    length: long lengthy / short
    duration runtime minutes seconds hours weeks: long lengthy / short quick brief
    area size extent population capacity hectares acres: large big / small
    pages: long thick lengthy / short thin
    depth: deep / shallow
    weight mass weigh: heavy / light
    speed velocity: fast quick swift / slow
    width breadth: wide broad / narrow
    population inhabitants residents: populous populated /
    wealth fortune worth income: rich wealthy / poor
    temperature: hot warm / cold cool
    thickness: thick / thin
    strength: strong / weak
    distance: distant far / near close
    steepness gradient slope: steep / gentle
    age: old / young
"""
_BEGUN = """
    found founded foundation founding establish established establishment create created creation build built
    constructed construction open opened opening born birth launch launched start started begin began inception form
    formed formation release released publish published publication introduced invented discovered incorporated
    inaugurated commissioned installed manufactured completed erected planted
"""
_ENDED = "die died death dead close closed closing dissolve dissolved end ended demolished abolished disbanded retired"
_LIVING = "born birth die died death age"
_TIME_WORDS = frozenset(["in", "on", "year", "years", "date", "when", "since", "time"])
_BEGINNINGS, _ENDINGS, _LIFE = (frozenset(words.split()) for words in (_BEGUN, _ENDED, _LIVING))
_OF_PEOPLE = _LIFE | frozenset(["height", "weight", "wealth", "fortune", "worth", "income"])
_DATES = frozenset([ValueKind.DATE.value, ValueKind.DAY_FIRST_DATE.value])
_YEARS = re.compile(r"[1-9]\d\d|1\d{3}|20\d\d")

_OLD, _YOUNG = ("old", "ancient"), ("young", "new", "recent")
_IRREGULAR = {
    "pricey": ("pricier", "priciest"),
    "far": ("farther", "farthest"),
    "further": ("further", "furthest"),
    "elder": ("elder", "eldest"),
    "early": ("earlier", "earliest"),
    "late": ("later", "latest"),
}
_GENERIC = {
    "GX": "highest greatest largest biggest most maximum maximal",
    "GN": "lowest smallest least fewest minimum minimal",
    "GM": "higher greater larger bigger more",
    "GL": "lower smaller less fewer",
}
_SAID = tuple((word, code) for code, words in _GENERIC.items() for word in words.split())


def _table() -> list[tuple[frozenset[str], tuple[str, ...], tuple[str, ...]]]:
    """The words of each dimension's relations, the adjectives of much of it, and those of little."""
    found = []
    for line in _DIMENSIONS.strip().splitlines():
        names, adjectives = line.split(":")
        much, little = adjectives.split("/")
        found.append((frozenset(names.split()), tuple(much.split()), tuple(little.split())))
    return found


_TABLE = _table()


@dataclass(frozen=True)
class Measure:
    """A relation whose values are numbers or times; `is_time`: they are years or dates."""

    relation: str
    kind: str
    is_time: bool

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The content words of its name."""
        words = tuple(re.findall(r"[^\W\d_]+", in_words(self.relation)))
        return tuple(word for word in words if word not in GRAMMAR_WORDS or word in ("first", "last")) or words

    @property
    def is_beginning(self) -> bool:
        """Whether it says when something began, so that the least is the oldest."""
        return self.is_time and not _BEGINNINGS.isdisjoint(self.own) and _ENDINGS.isdisjoint(self.own)

    @property
    def is_of_the_living(self) -> bool:
        """Whether it speaks of births, deaths and ages: of people, and not of firms."""
        return not _LIFE.isdisjoint(self.own)

    @property
    def is_of_people(self) -> bool:
        """Whether people have it too, as they have a height."""
        return not _OF_PEOPLE.isdisjoint(self.own)

    @cached_property
    def adjectives(self) -> Mapping[str, str]:
        """Comparatives and superlatives that mean it: `DM`, `DX` of more and most, `DL`, `DN` of less and least."""
        much: list[str] = []
        little: list[str] = []
        for names, high, low in _TABLE:
            if self._is_of(names, high, low) and not self.is_time:
                much += high
                little += low
        if self.is_beginning:
            much += [*_YOUNG, "late"]
            little += [*_OLD, "early", "elder"]
        elif self.is_time:
            much += ["recent", "late"]
            little.append("early")
        elif "age" in self.own:
            much.append("elder")
        codes: dict[str, str] = {}
        for adjectives, more, most in ((much, "DM", "DX"), (little, "DL", "DN")):
            opposite, least = ("DL", "DN") if more == "DM" else ("DM", "DX")
            for each in adjectives:
                codes |= dict.fromkeys(_compared(each)[:1], more) | dict.fromkeys(_compared(each)[1:], most)
                codes |= {f"more_{each}": more, f"most_{each}": most, f"less_{each}": opposite, f"least_{each}": least}
                codes |= {f"most_{each}ly": most} if self.is_time else {}
        return codes

    def _is_of(self, names: frozenset[str], high: Iterable[str], low: Iterable[str]) -> bool:
        """Whether it is of a dimension, by its nouns or by a superlative in its own name: `longest runway`."""
        superlatives = {_compared(each)[1] for each in (*high, *low)}
        return not names.isdisjoint(self.own) or not superlatives.isdisjoint(self.own)

    @cached_property
    def bases(self) -> frozenset[str]:
        """Adjectives that ask for it after `how`: `how tall`."""
        known = [high for names, high, low in _TABLE if self._is_of(names, high, low)]
        return frozenset() if self.is_time else frozenset(each for high in known for each in high)

    @cached_property
    def others(self) -> frozenset[str]:
        """Other nouns and verbs of what it measures: `cost` for `price`."""
        wanted = [names for names, *_ in _TABLE if not names.isdisjoint(self.own) and "capacity" not in names]
        return frozenset(word for names in wanted for word in names) - {*self.own, "worth"}

    def code_of(self, word: str) -> str:
        """The code of a word: `R` for one that names the relation, `S` for another name of it; empty for others."""
        if word in self.adjectives:
            return self.adjectives[word]
        if any(same_stem(word, each) or word.removesuffix("s") == each for each in self.own):
            return "R"
        if any(word in (each, f"{each}s") for each in self.others) or (word == "priced" and "price" in self.own):
            return "S"
        if self.is_time and word in ("first", "earliest", "last", "latest"):
            return "F" if word in ("first", "earliest") else "L"
        return dict(_SAID).get(word, "")


def measures_of(relations: Iterable[tuple[str, str]], spans: Mapping[str, tuple[str, str]]) -> list[Measure]:
    """The relations of numbers and times.

    Args:
        relations: their names, each with the kind of its values.
        spans: the first and the last value of each.
    """
    return [Measure(name, kind, _is_time(name, kind, spans.get(name))) for name, kind in dict(relations).items()]


def _is_time(relation: str, kind: str, span: tuple[str, str] | None) -> bool:
    """Whether values are dates, or numbers that look like years under a name that speaks of times."""
    if kind in _DATES:
        return True
    words = in_words(relation).split()
    speaks_of_times = not {*_BEGINNINGS, *_ENDINGS, "year", "date"}.isdisjoint(words) or words[-1:][0] in _TIME_WORDS
    return bool(kind == ValueKind.NUMBER and speaks_of_times and span and all(map(_YEARS.fullmatch, span)))


def joined(text: str) -> str:
    """The text with `most expensive`, `at least` and the like as one word."""
    return re.sub(rf"\b(more|most|less|least) ({_GRADED})\b|\b(at) (least|most)\b", _with_line, text)


def way_of(superlative: str) -> str:
    """`max` or `min` for a superlative of any dimension, as far as it always means that: `longest`, `cheapest`."""
    return _WAYS.get(superlative, "")


def _with_line(match: re.Match[str]) -> str:
    return match[0].replace(" ", "_")


def is_comparing(word: str) -> bool:
    """Whether a word of a question compares or orders something by a number or a time."""
    return word in _COMPARING or "_" in word


def _compared(adjective: str) -> tuple[str, str]:
    """The comparative and the superlative with an ending: `cheaper`, `cheapest`."""
    if adjective in _IRREGULAR:
        return _IRREGULAR[adjective]
    if adjective.endswith("y"):
        stem = adjective[:-1] + "i"
    elif adjective.endswith("e"):
        stem = adjective[:-1]
    elif re.fullmatch(r"[^aeiou]*[aeiou][bdgnt]", adjective):
        stem = adjective + adjective[-1]
    else:
        stem = adjective
    return f"{stem}er", f"{stem}est"


_WAYS = {
    _compared(word)[1]: way for _, high, low in _TABLE for words, way in ((high, "max"), (low, "min")) for word in words
}
_WAYS |= {word: "max" if code == "GX" else "min" for word, code in _SAID if code in ("GX", "GN")}
_EVERY = {word for _, high, low in _TABLE for word in (*high, *low)} | {*_OLD, *_YOUNG}
GRADED = frozenset(_EVERY | {"recently", "newly"})
"""Words behind `most` and `least`."""

_GRADED = "|".join(sorted(GRADED, key=len, reverse=True))
_COMPARING = frozenset(form for each in (*_EVERY, *_IRREGULAR) for form in _compared(each)) | {
    word for word, _ in _SAID
}
