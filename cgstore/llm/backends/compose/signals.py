"""The words of a question that say what is done with rows and cells: counts, sums, extremes, groups, the rows beside.

A signal that stands in a question must be used by its reading. A reading that leaves one out says so, or is not given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from cgstore.llm.backends.compose.words import QuestionText, is_content, mask_of, word_list, word_set

_PHRASES = {
    "count": (
        "how many|number of|total number of|the number|amount of|total amount of|how often|count|count of|"
        "how many times|number of times"
    ),
    "much": "how much",
    "sum": (
        "total|sum|sum of|combined|altogether|together|in total|in all|overall|all together|total of|add up|adds up|"
        "add together|sum up"
    ),
    "mean": "average|mean|on average|averaged|averages|average of|avg",
    "distinct": "different|distinct|unique|various|separate",
    "difference": (
        "difference|difference between|difference in|how many more|how much more|how many fewer|"
        "how much less|how much higher|how much larger|how much longer|how much taller|how much older|"
        "how many years after|how many years before|how much higher|how much cheaper|how much lower|"
        "how many less|how much bigger"
    ),
    "each": "for each|per|each|for every|in each|by each|every|of each",
    "next": (
        "after|next|following|right after|directly after|immediately after|next after|just after|succeeded|"
        "follows|succeeds|comes after|came after|come after|listed after"
    ),
    "previous": (
        "before|previous|prior to|right before|directly before|immediately before|preceded|just before|"
        "comes before|came before|come before|preceding|previous to|precedes|listed before|prior"
    ),
    "or": "or|either",
    "both": "both",
    "same": "same|as many|equal|tied|as much|identical",
    "only": "only|exactly|just|solely",
    "not": (
        "not|nobody|no one|never|without|except|excluding|other than|besides|neither|nor|no|none|isn t|wasn t|didn t|"
        "aren t|weren t|doesn t|don t|apart from|other|another|else|no longer|lack|lacks|lacking"
    ),
    "time": (
        "become|becomes|became|until|since|during|recently|recent|ago|while|longest serving|most recent|"
        "most recently|late|too late|on time|in time|consecutive|consecutively|in a row|successive|between|ever"
    ),
    "now": "still|currently|current|now|right now|at the moment|at present|already|yet|today",
    "more": (
        "more than|less than|fewer than|at least|at most|over|under|above|below|greater than|larger than|"
        "smaller than|higher than|lower than|more|less|fewer|than|longer than|shorter than|older than|"
        "earlier than|later than|up to|better|worse|higher|lower|larger|smaller|longer|shorter|older|"
        "younger|bigger|taller|greater|exceed|exceeds|exceeding|cheaper|earlier|later"
    ),
    "rank": "second|third|fourth|fifth|top|2nd|3rd|4th|5th|runner up",
    "half": "half|double|twice|percent of|percentage of|ratio|proportion|share of|times as",
}
_PLACED: dict[str, list[tuple[tuple[str, ...], str]]] = {}
for _kind, _phrases in _PHRASES.items():
    for _phrase in _phrases.split("|"):
        _PLACED.setdefault(_phrase.split()[0], []).append((tuple(_phrase.split()), _kind))

_MAX = word_list(
    """
    most highest largest biggest greatest longest tallest latest last newest maximum max top best heaviest
    fastest quickest deepest widest farthest furthest richest strongest oldest hottest warmest costliest priciest
    dearest brightest highly youngest busiest
    """
)
_MIN = word_list(
    """
    least fewest lowest smallest shortest earliest soonest first minimum min lightest slowest cheapest narrowest poorest
    worst closest nearest coldest weakest
    """
)
EXTREMES: Mapping[str, str] = {**dict.fromkeys(_MAX, "max"), **dict.fromkeys(_MIN, "min")}
"""Superlatives, with the end of the order that they mean."""

BY_TIME = word_set("latest last newest earliest soonest first oldest youngest")
"""Superlatives of times, or of the order of the rows."""

OF_RANKS = word_set("best worst top highest lowest")
"""Superlatives by which either end of a ranking may be meant."""

OF_SPEEDS = word_set("fastest quickest slowest best worst")
"""Superlatives that mean the other end of the times that something takes."""

OF_SIZES = word_set(
    """
    most highest largest biggest greatest heaviest richest costliest priciest dearest least fewest lowest smallest
    lightest cheapest maximum minimum max min top poorest best worst
    """
)
"""Superlatives of numbers, by which times are not ordered where there are numbers."""

OF_AGES = word_set("oldest youngest")
"""Superlatives of ages, by which not any date orders: whoever was hired first need not be the oldest."""

OF_TIMES_SPENT = word_set("longest shortest")
"""Superlatives that mean the other end of the dates since when something goes on."""

TURNED = word_set("oldest")
"""Superlatives for which the other end is meant among dates."""

_ADVERBS = word_set("most least")
_DO = word_set("do does did")


class Signal(NamedTuple):
    """Words of the question that say what is done, from `first` to before `last`."""

    kind: str
    first: int
    last: int

    @property
    def mask(self) -> int:
        """Its words."""
        return mask_of(self.first, self.last)


@dataclass(frozen=True)
class Extreme:
    """A superlative: `word`, the end of the order, and which one counted from there; `several`: all up to there."""

    word: str
    end: str
    first: int
    last: int
    place: int = 1
    several: bool = False

    @property
    def mask(self) -> int:
        """Its words."""
        return mask_of(self.first, self.last)


_PLACES = {"second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5}


class Signals:
    """All signals of a question."""

    def __init__(self, text: QuestionText) -> None:
        self.text = text
        self.found = _signals(text)
        self.extremes = _extremes(text)
        forms = text.forms
        self.is_truth = bool(forms) and forms[0] in _TRUTH
        self.wh, self.wh_at = _asking(text)

    def without_extremes(self, mask: int) -> None:
        """Forgets superlatives that are among some words: they belong to the name of a column."""
        self.extremes = [extreme for extreme in self.extremes if not extreme.mask & mask]

    def without(self, mask: int, of_amounts: bool) -> None:
        """Forgets signals that are among some words; `of_amounts`: `amount of` does not count, and a total adds up."""
        kept = [signal for signal in self.found if signal.mask & ~mask]
        self.found = []
        for signal in kept:
            words = self.text.forms[signal.first : signal.last]
            if signal.kind != "count" or "amount" not in words or not of_amounts:
                self.found.append(signal)
            elif words[0] == "total":
                self.found.append(signal._replace(kind="sum"))

    def of(self, kind: str) -> list[Signal]:
        """The signals of a kind."""
        return [signal for signal in self.found if signal.kind == kind]

    def has(self, kind: str) -> bool:
        """Whether there is a signal of a kind."""
        return any(signal.kind == kind for signal in self.found)


_TRUTH = word_set("is are was were did does do has have had can could will would")
_WH = {
    "who": "who", "whom": "who", "whose": "who", "when": "when", "where": "where", "which": "which", "what": "what",
    "how": "how", "name": "list", "list": "list", "give": "list", "show": "list", "tell": "list", "find": "list",
    "whats": "what", "whos": "who", "why": "why",
}  # fmt: skip
_WHICH = word_set("what which who whom whose")
_PEOPLE = word_set("who everyone everybody people persons person anyone")
_DAYS = word_set("day date")
_AFTER_HOW = word_set("many much long old tall far high big large often fast wide deep heavy late early")


def _asking(text: QuestionText) -> tuple[str, int]:
    """What kind of thing is asked for, by the question's word for it, and where this stands."""
    for place, form in enumerate(text.forms):
        if form not in _WH or (form in ("when", "where") and _WHICH.intersection(text.forms[place + 2 :])):
            continue  # "when it was Monday, what ..."
        if form == "whose" and place and is_content(text.forms[place - 1]):
            continue  # "the schools whose type is ..."
        after = text.forms[place + 1] if place + 1 < len(text) else ""
        if form == "how":
            return (f"how {after}" if after in _AFTER_HOW else "how"), place
        if _WH[form] in ("what", "which") and after in ("year", "date", "day", "time", "month"):
            return "when", place
        behind = [each for each in text.forms[place + 1 : place + 4] if is_content(each) or each in _DAYS]
        if _WH[form] == "list" and behind[:1] and behind[0] in _DAYS:
            return "when", place  # "find me the day when"
        if _WH[form] == "list" and any(other in _PEOPLE for other in text.forms[place:]):
            return "who", place
        return _WH[form], place
    return "", 0


def _signals(text: QuestionText) -> list[Signal]:
    found: list[Signal] = []
    taken = 0
    here = [
        (phrase, kind, first)
        for first, form in enumerate(text.forms)
        for phrase, kind in _PLACED.get(form, ())
        if text.forms[first : first + len(phrase)] == phrase
    ]
    for phrase, kind, first in sorted(here, key=lambda each: -len(each[0])):
        mask = mask_of(first, first + len(phrase))
        if phrase == ("number", "of") and first and is_content(text.forms[first - 1]):
            continue  # "the phone number of Ann"
        if phrase == ("together",) and not EXTREMES.keys().isdisjoint(text.forms):
            continue  # "the fastest of all years together"
        if not taken & mask:
            found.append(Signal(kind, first, first + len(phrase)))
            if kind not in ("next", "previous", "more"):
                taken |= mask
    return sorted(found, key=lambda signal: signal.first)


def _extremes(text: QuestionText) -> list[Extreme]:
    found = []
    for place, form in enumerate(text.forms):
        before = text.forms[place - 1] if place else ""
        after = text.forms[place + 1] if place + 1 < len(text) else ""
        if form not in EXTREMES or (form in _ADVERBS and before == "at"):
            continue
        if form == "last" and "long" in text.forms[:place] and not _DO.isdisjoint(text.forms[:place]):
            continue  # "how long does it last"
        if form in ("most", "least") and after in ("recent", "recently"):
            found.append(
                Extreme(
                    "latest" if form == "most" else "earliest", "max" if form == "most" else "min", place, place + 2
                )
            )
            continue
        number = text.tokens[place + 1].number if after else None
        number = int(after) if after.isdigit() and len(after) < 3 else number
        if form in ("top", "first", "last") and number and number < 50:
            found.append(Extreme(form, EXTREMES[form], place, place + 2, number, True))
        elif before in _PLACES:
            found.append(Extreme(form, EXTREMES[form], place - 1, place + 1, _PLACES[before]))
        elif form != "top" or after:
            found.append(Extreme(form, EXTREMES[form], place, place + 1))
    return found


def group_bounds(text: QuestionText) -> list[tuple[str, int, int]]:
    """The comparisons of how often something occurs: an order, a number, and the words that say so."""
    found = []
    for place, form in enumerate(text.forms):
        for phrase, op, number in _OFTEN.get(form, ()):
            if text.forms[place : place + len(phrase)] == phrase:
                found.append((op, number, mask_of(place, place + len(phrase))))
                break
    return found


_OFTEN: dict[str, list[tuple[tuple[str, ...], str, int]]] = {}
for _phrase, _op, _number in (
    ("more than one", ">", 1),
    ("more than once", ">", 1),
    ("more than two", ">", 2),
    ("more than twice", ">", 2),
    ("at least two", ">=", 2),
    ("at least twice", ">=", 2),
    ("at least three", ">=", 3),
    ("multiple", ">", 1),
    ("several", ">", 1),
    ("only once", "=", 1),
    ("only one", "=", 1),
    ("exactly one", "=", 1),
    ("just one", "=", 1),
    ("twice", "=", 2),
    ("exactly two", "=", 2),
    ("only two", "=", 2),
):
    _OFTEN.setdefault(_phrase.split()[0], []).append((tuple(_phrase.split()), _op, _number))
