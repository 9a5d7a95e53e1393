"""What a question asks for, in which order, and the rest of it, which must say a fact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from cgstore.llm.backends.rewrite import clause_patterns as P
from cgstore.llm.backends.rewrite.clauses import Clause, QuestionParts, Text
from cgstore.llm.backends.rewrite.timed.limits import Limit, take_limits

_AUXILIARY = r"(?:was|is|were|are|did|does|do|has|have|had)"
_PREPOSITION = r"(?:by|of|in|to|at|for|on|from|with|against|under)"
_RUN = rf"(?:(?!{_AUXILIARY}\b|{_PREPOSITION}\b|[et]\d|who\b|that\b|which\b|the\b)[a-z-]+ ?)"

_HOW_LONG = re.compile(r"\b(?:for )?how (?:long|many (?P<unit>years|months|weeks|days))\b")
_TERMS = re.compile(r"\bhow (?:many times|often)\b")
_WHEN = (
    (re.compile(r"\b(?:(?:in|during|for) )?(?:what|which) years\b"), "years"),
    (re.compile(r"\b(?:since|from) (?:when|(?:what|which) (?:year|date|day|month))\b"), "start_time"),
    (re.compile(r"\b(?:until|till|up to) (?:when|(?:what|which) (?:year|date|day|month))\b"), "end_time"),
    (re.compile(r"\b(?:(?:in|on|at) )?(?:what|which) (?:year|date|day|month)s?\b|\bwhen\b"), "time"),
)
_COUNT = re.compile(rf"\b(?:how many|(?:the )?number of) (?:different |distinct )?(?P<run>{_RUN}{{1,3}})")
_WHO = re.compile(rf"\b(?P<join>{_PREPOSITION} )?whom?\b")
_WHICH = re.compile(
    rf"\b(?P<join>{_PREPOSITION} )?(?:which|what) (?:(?:kind|type|sort)s? of )?(?:of the )?(?P<run>{_RUN}{{1,3}})?"
)
_LISTED = re.compile(
    rf"^(?:list |name |give |find )?(?:me )?(?:all |all of )?(?:the )?(?P<run>{_RUN}{{1,3}})"
    rf"(?P<join>{_PREPOSITION} )?(?:who|whom|that|which)\b"
)
_WHOSE = re.compile(
    rf"\bwhose (?P<noun>{_RUN}{{1,2}})(?:did|does|do|has|have|had) (?:the )?(?P<of>e\d+)(?:'s)?"
    r" (?:use|used|have|had|run|ran|wear|wore|worn|play|played|race|raced|carry|carried|drive|driven|sell|sold)\b"
)
_WHERE = re.compile(r"\bwhere\b")

_INDIRECT = re.compile(
    rf"^qq(?P<join> {_PREPOSITION})? (?P<name>(?:the )?e\d+) (?P<verb>was|were|has|have|had)(?= been| [a-z]+e[dn]\b)"
)
_WORDS_OF_ORDER = r"first|earliest|last|latest|final|maiden|original|initial|most recent"
_ORDER = re.compile(
    r"\b(?:for )?(?:(?:^|the |its |their |his |her |(?P<of>e\d+)(?:'s)? )(?:very )?)"
    rf"(?P<order>{_WORDS_OF_ORDER})(?: ever)?(?: (?:time|one|person|people))?\b(?: (?:to|who|that|which)(?= ))?"
)
_ORDER_BEHIND = re.compile(r" (?P<order>first|last|most recently)(?=$| (?:in|at|of|for|by|with)\b| e\d)")
_DEED_FIRST = re.compile(r"\b(?:came|come|comes|finish(?:ed)?) first\b")
_FIRST = frozenset(["first", "earliest", "maiden", "original", "initial"])
_THAT = re.compile(
    rf"(?<=^qq )(?:was|is) (?P<run>{_RUN}{{1,2}})(?:that |which )?(?=(?:the )?e\d+ [a-z]|.*\b(?:won|in)\b)"
)
_LONGEST = re.compile(
    r"\b(?:for )?(?:the )?(?P<word>longest|shortest)(?:[- ](?:serving|reigning|lasting|standing|running))?"
    r"(?: (?:time|period|spell|stretch|tenure|term|reign|stint)\b)?"
)
_MOST = re.compile(r"\b(?:the )?(?P<word>most|fewest)(?: (?:times|often)\b)?(?= |$)")
_ALL = re.compile(r"\b(?:which|what) [a-z]{3,}s\b|\b(?:who|which|what) (?:were|are|have)\b|\ball\b")
_TRUTH = re.compile(rf"^{_AUXILIARY}\b")
_FILLING = re.compile(r"\b(?:ever|already|altogether|in (?:total|all)|so far|all told|next|who was it that)\b")
_NOW = re.compile(
    r"\b(?:still|currently|now|today|nowadays|at present|at the moment|these days|current|present)\b"
    r"|^(?!.*\bt\d)(?:\w+ )*?(?:is|are|does)\b"
)
"""What asks for now, which `rewording` takes for a time."""
_DOES = re.compile(r"\bqq (?:did|does|has|had) the [a-z]+ of (?:the )?e\d")
"""Something is asked that somebody did who is said by an office: `what wages did the keeper of York get`."""


@dataclass(frozen=True)
class Reading:
    """The parts of a question.

    `unit`: `entity`, `time`, `years`, `start_time`, `end_time`, `duration`, `terms` (how often) or `truth`. `ways` are
    the rest of the text with `qq` for what is asked for, each with the noun of it that is left out. `order`: `min` or
    `max`; `extreme`: `argmax` or `argmin`, of durations (`by` is `longest`) or of numbers of times (`most`). `owner` is
    the noun of `whose engines did it use`, which `of` had.
    """

    unit: str
    ways: tuple[tuple[str, str], ...]
    text: Text
    limits: tuple[Limit, ...] = ()
    counted: bool = False
    several: bool = False
    person: bool = False
    where: bool = False
    order: str = ""
    extreme: str = ""
    by: str = ""
    length: str = ""
    owner: str = ""
    of: str = ""
    notes: tuple[str, ...] = ()

    def parts(self, kind: str) -> QuestionParts:
        """What the way to find facts must know of the question."""
        unit = "time" if self.unit in ("duration", "terms", "truth", "years") else self.unit
        core = Clause("", (), (), ())
        return QuestionParts(unit, core, kind, self.counted, self.several, self.where, self.person)


def read(left: Text) -> Reading | None:
    """The parts of a text; None if it is not understood what is asked for."""
    left.text = " ".join(_FILLING.sub(" ", _DEED_FIRST.sub("won", left.text)).split())
    if _NOW.search(left.text) and not (_ORDER.search(left.text) or _LONGEST.search(left.text)):
        return None
    limits = tuple(take_limits(left))
    several = bool(_ALL.search(left.text))
    extreme, by = _extreme(left)
    order = "" if extreme else _order(left)
    unit, length = _unit(left)
    notes = tuple(each.note for each in limits if each.note)
    reading = Reading(unit, (), left, limits, several=several, order=order, extreme=extreme, by=by, length=length)
    reading = replace(reading, notes=notes)
    return replace(reading, ways=(("", left.text),)) if unit else _of_names(left, reading)


def _of_names(left: Text, reading: Reading) -> Reading | None:
    """The reading of a question for names, or for a yes or no; None if it is neither."""
    reading = replace(reading, unit="entity")
    if match := left.find(_COUNT, "qq"):
        return replace(reading, ways=tuple(_ways(left.text, match)), counted=True, several=True)
    if match := left.find(_WHOSE, r"qq \g<noun> \g<of>"):
        return replace(reading, ways=(("", left.text),), owner=match["noun"], of=match["of"])
    if match := _listed(left, _LISTED):
        return _with_ways(reading, _ways(left.text, match))
    if left.find(_WHO, r"qq \g<join>" if (found := _WHO.search(left.text)) and found["join"] else "qq"):
        return _with_ways(replace(reading, person=True), [("", left.text)])
    if left.find(_WHERE, "qq in"):
        return _with_ways(replace(reading, where=True), [("", left.text)])
    if match := _listed(left, _WHICH):
        return _with_ways(reading, _ways(left.text, match))
    return replace(reading, unit="truth", ways=(("", left.text),)) if _TRUTH.search(left.text) else None


def _with_ways(reading: Reading, found: Iterable[tuple[str, str]]) -> Reading:
    ways = [*found]
    if reading.by == "most":  # the noun of what there is most of: `won the most races`
        ways += [(kind, text.rsplit(" ", 1)[0]) for kind, text in ways if re.search(r" [a-z]{3,}s$", text)]
    plain = dict.fromkeys(each for way in ways for each in _plainer(*way) if not _DOES.search(each[1]))
    return replace(reading, ways=tuple(plain))


def _listed(left: Text, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """What is asked for by `which` or `what`, or by a list without a question word."""
    match = pattern.search(left.text)
    if match is None or (pattern is _LISTED and re.match(P.QUESTION_WORD, left.text)):
        return None
    left.cut(match, f"qq {match['join'] or ''}")
    return match


def _ways(text: str, match: re.Match[str]) -> Iterator[tuple[str, str]]:
    """The text with the words behind `which` in it, or without the first, which may be a noun left unchecked."""
    run = (match["run"] or "").split()
    if not run:
        yield "", text
        return
    if len(run) > 1:
        yield "", text.replace("qq", f"qq {' '.join(run)}", 1)
    yield run[0], text.replace("qq", " ".join(["qq", *run[1:]]), 1)


def _plainer(kind: str, text: str) -> Iterator[tuple[str, str]]:
    """A way in direct order, and that of `what was the race that Ann won` as `which race did Ann win`."""
    text = _INDIRECT.sub(r"qq\g<join> \g<verb> \g<name>", text)
    yield kind, text
    if not kind and (match := _THAT.search(text)):
        run = match["run"].split()
        yield run[-1], " ".join([text[: match.start()].strip(), *run[:-1], text[match.end() :]])


def _unit(left: Text) -> tuple[str, str]:
    if match := left.find(_HOW_LONG):
        return "duration", match["unit"] or ""
    if left.find(_TERMS):
        return "terms", ""
    if not re.match(
        rf"(?:{_PREPOSITION} )?(?:who|whom|which(?! (?:years?|dates?|days?|months?)\b)|where)\b", left.text
    ):
        for pattern, unit in _WHEN:
            if left.find(pattern):
                return unit, ""
    return "", ""


def _order(left: Text) -> str:
    if match := left.find(_ORDER, r"\g<of>" if (found := _ORDER.search(left.text)) and found["of"] else " "):
        return "min" if match["order"] in _FIRST else "max"
    if match := left.find(_ORDER_BEHIND):
        return "min" if match["order"] in _FIRST else "max"
    return ""


def _extreme(left: Text) -> tuple[str, str]:
    if match := left.find(_LONGEST):
        return "argmax" if match["word"] == "longest" else "argmin", "longest"
    if not re.search(r"\bmost recent", left.text) and (match := left.find(_MOST)):
        return "argmax" if match["word"] == "most" else "argmin", "most"
    return "", ""
