"""The times that limit what a question asks: `in 1962`, `before Ann`, `when Bob was mayor`, `since 1970`.

They are parted from the rest of the question, which then asks for the fact alone, and come back as limits of the
program that finds it. So `before 1970` means any time before 1970 here, and not the nearest one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from cgstore.llm.backends.rewrite.clause_patterns import NO_VERB
from cgstore.llm.backends.rewrite.clauses import sure_names
from cgstore.mapping.mentions import Mention
from cgstore.text.asked_times import ERA
from cgstore.text.historical import read_time

_T, _E = r"(?:the )?(?:years? |month of |day of )?<t(\d+)>", r"(?:the )?<e(\d+)>"
_BETWEEN = re.compile(rf"\b(?P<side>between|from) {_T} (?:and|to|until|till|through) {_T}", re.IGNORECASE)
_AT = re.compile(
    rf"\b(?P<side>in|on|at|during|within|by|before|prior to|after|following|since|until|till|up to|from) {_T}"
    r"(?: on(?:wards?)?\b)?",
    re.IGNORECASE,
)
_EVENT = re.compile(
    rf"{NO_VERB}\b(?P<side>during|at the time of|before|prior to|after|following) {_E}(?:'s time)?(?=\s*[,?.!]|\s*$)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    rf"(?<=\S ){NO_VERB}\b"
    r"(?P<side>when|while|before|after|(?:(?:in|on|during) )?the (?:year|month|day)(?: when| that)?)"
    r" (?P<clause>(?:[^,?]*<e\d+>|(?:he|she|it|they) )[^,?]*?)"
    r"(?: was| did| had)?[?.! ]*$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"^(?:he|she|it|they)\b", re.IGNORECASE)
_SIGNS = {"before": "<", "prior to": "<", "after": ">", "following": ">", "by": "<=", "from": ">=", "till": "until"}
_SIGNS |= {"up to": "until", "since": "since", "until": "until"}
_STILL = re.compile(r"\b(?:still|already)\b", re.IGNORECASE)
"""What adds nothing where the time is said: `was Ann still mayor in 1960`."""
_MARK = re.compile(r"<[et]\d+>")

_TENS = "twenties thirties forties fifties sixties seventies eighties nineties"
_DECADES = _TENS.split()
_IN_WORDS = re.compile(
    rf"\b(?P<the>the )(?:(?:nineteen[ -])?(?P<word>{'|'.join(_DECADES)})|['’]?(?P<tens>[2-9]0)['’]?s)\b(?!\s+{ERA})",
    re.IGNORECASE,
)
_FIRST_DECADE = re.compile(r"\b(?:in|during) (the 2000s)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Limit:
    """One limit: a time (`times` has one, or two ends), another name, or a clause that says another fact.

    `sign` is one of = < > <= >=, `since`, `until`, `between`, or `from` (a start and an end); `text` is as said.
    `clauses` are the readings of a clause, with each name of the question in the place of a pronoun.
    """

    sign: str
    text: str
    times: tuple[str, ...] = ()
    name: Mention | None = None
    clauses: tuple[str, ...] = ()


@dataclass
class Marked:
    """A question with `<e0>`, `<t0>` for its names and times, and these."""

    text: str
    names: list[Mention] = field(default_factory=list)
    times: list[Mention] = field(default_factory=list)

    def restored(self, text: str) -> str:
        """A part of the text with its names and times as the question has them."""
        plain = _MARK.sub(lambda mark: self._said(mark[0]), text)
        return re.sub(r"\s+([?,.!])", r"\1", " ".join(plain.split()))

    def without(self, match: re.Match[str]) -> None:
        """Leaves a stretch of the text out, with a comma that stood beside it."""
        before, after = self.text[: match.start()].rstrip(), self.text[match.end() :].lstrip()
        after = after.lstrip(",").lstrip() if not before or before.endswith(",") else after
        self.text = f"{before.rstrip(',')} {after}".strip()

    def _said(self, mark: str) -> str:
        mentions = self.names if mark[1] == "e" else self.times
        return mentions[int(mark[2:-1])].text


def marked(question: str, mentions: Sequence[Mention]) -> Marked:
    """The question with its names and times marked; weak mentions stay words."""
    found, at = Marked(""), 0
    for mention in sure_names(mentions):
        kept = found.times if mention.kind == "time" else found.names
        found.text += question[at : mention.start] + f"<{'t' if mention.kind == 'time' else 'e'}{len(kept)}>"
        kept.append(mention)
        at = mention.end
    found.text = " ".join((found.text + question[at:]).replace("’", "'").split())
    return found


def part_limits(found: Marked) -> list[Limit]:
    """Takes the limits out of a marked question."""
    limits = []
    while match := _BETWEEN.search(found.text):
        times = tuple(found.times[int(match[place])].name for place in (2, 3))
        limits.append(Limit(match["side"].lower(), found.restored(match[0]), times))
        found.without(match)
    while match := _CLAUSE.search(found.text):
        limits += _of_clause(found, match)
        found.without(match)
    while match := _AT.search(found.text):
        sign = _SIGNS.get(match["side"].lower(), "=")
        limits.append(Limit(sign, found.restored(match[0]), (found.times[int(match[2])].name,)))
        found.without(match)
    while match := _EVENT.search(found.text):
        sign = _SIGNS.get(match["side"].lower(), "=")
        limits.append(Limit(sign, found.restored(match[0]), name=found.names[int(match[2])]))
        found.without(match)
    if any(limit.sign == "=" for limit in limits):
        found.text = " ".join(_STILL.sub(" ", found.text).split())
    return limits


def _of_clause(found: Marked, match: re.Match[str]) -> Iterator[Limit]:
    """The limit that a clause is."""
    clause = match["clause"].strip()
    sign = _SIGNS.get(match["side"].lower(), "=")
    said = found.restored(f"{match['side']} {clause}")
    if name := re.fullmatch(_E, clause, re.IGNORECASE):
        yield Limit(sign, said, name=found.names[int(name[1])])
    else:
        meant = [_PRONOUN.sub(f"<e{number}>", clause) for number in range(len(found.names))]
        yield Limit(sign, said, clauses=tuple(dict.fromkeys(map(found.restored, meant))))


def outside(limits: Sequence[Limit], spans: Iterable[tuple[str, str]]) -> str:
    """Why a limit says nothing about data whose times have these spans; empty if none is outside of them."""
    read = [(read_time(first), read_time(last)) for first, last in spans]
    known = [(first.start.year, last.end.year) for first, last in read if first and last]
    for limit in limits:
        times = [time for name in limit.times if (time := read_time(name))]
        if limit.sign != "=" or not known or not times:
            continue
        start, end = times[0].start.year, times[0].start.year + times[0].start.years - 1
        first, last = min(first for first, _ in known), max(last for _, last in known)
        if end < first or start > last:
            return f"the data say nothing of '{limit.text}': their times are {first} to {last}"
    return ""


def with_decades_as_years(question: str) -> tuple[str, tuple[str, ...]]:
    """The question with `the nineties` and `the 90s` as `the 1990s`, `the 2000s` as years, and notes on it."""
    notes = []

    def in_years(match: re.Match[str]) -> str:
        tens = match["tens"] or str(20 + 10 * _DECADES.index(match["word"].lower()))
        notes.append(f"'{match[0]}' is taken for the 19{tens}s.")
        return f"{match['the']}19{tens}s"

    def first_decade(match: re.Match[str]) -> str:
        notes.append(f"'{match[1]}' is taken for 2000 to 2009.")
        return "between 2000 and 2009"

    return _FIRST_DECADE.sub(first_decade, _IN_WORDS.sub(in_years, question)), tuple(notes)


def apart(mentions: Iterable[Mention]) -> list[Mention]:
    """The longest mentions that do not overlap, in the order of the question."""
    taken: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.start - m.end, m.start)):
        if all(mention.end <= other.start or other.end <= mention.start for other in taken):
            taken.append(mention)
    return sorted(taken, key=lambda m: m.start)
