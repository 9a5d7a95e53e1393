"""The stage of a temporal knowledge graph: its distinct facts, the number of their condition triples, and the triples.

The facts are sorted by (head, relation, tail, start), so that all periods of one (head, relation, tail) come together.
Their years are a union of intervals. So the triples are counted and made without ever holding them.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from cgstore.catalog.registry import LoadRecord
from cgstore.errors import BadInput, setting
from cgstore.loaders.readers.records import printable
from cgstore.loaders.staging import Group, Stage, ValueAnnotation
from cgstore.loaders.tkg_notes import TimeNotes, load_notes
from cgstore.model import Role, TimeKey
from cgstore.text.dates import (
    OPEN_ENDS,
    Moment,
    Step,
    StepFinder,
    first,
    last,
    merged,
    number_at,
    read_moment,
    read_time,
    this_second,
    time_name,
)
from cgstore.text.names import shared_key

EMPTY, OPEN = 1 << 60, (1 << 60) + 1
"""The end in the table of a line without one, and of an open fact. Both sort after all moments."""

FARTHEST = 99_999_990
"""The farthest year, before or after year 0, of months and days: Neo4j's calendar has no more."""

_TABLE = """
CREATE TABLE fact (h INTEGER, r INTEGER, t INTEGER, s INTEGER, e INTEGER, PRIMARY KEY (h, r, t, s, e)) WITHOUT ROWID
"""


_HRT = itemgetter(0, 1, 2)

_BOUNDS = f"SELECT s FROM fact UNION SELECT e FROM fact WHERE e < {EMPTY} ORDER BY 1"
"""Every start and end that a line gives."""


Bounds = tuple[int, int]
"""The first and the last time of a period."""


class Fact(NamedTuple):
    """A temporal fact as its line states it. If it has no end, `end` is `start`, and `has_end` is false.

    `is_open`: the line says that it still holds, as with the end `present`. `is_interval`: its times stand in one
    column, which says nothing about the ends of other facts.
    """

    head: str
    relation: str
    tail: str
    start: Moment
    end: Moment
    line: int = 0
    has_end: bool = True
    is_open: bool = False
    is_interval: bool = False


class TripleCounts(NamedTuple):
    """The numbers of distinct condition triples by kind, and of facts that a note is about.

    `inverted` facts end before they start. `overlapping` counts the (head, relation, tail) with periods that overlap,
    such
    as `overlap`. Of the `open` facts, such as `opening`, `later` ones start after now. `events` have no end, since no
    fact
    of their file has one. `coarse` facts have a time that is less exact than the step, such as `example`. `clocks` have
    a
    time of day, and `days` a day. `found` is the step that keeps all times.
    """

    has: int = 0
    facts: int = 0
    starts: int = 0
    ends: int = 0
    times: int = 0
    inverted: int = 0
    overlapping: int = 0
    overlap: str = ""
    open: int = 0
    opening: str = ""
    later: int = 0
    events: int = 0
    coarse: int = 0
    example: Moment | None = None
    clocks: int = 0
    found: Step = Step.YEAR
    days: int = 0

    @property
    def value(self) -> int:
        """Triples with a condition."""
        return self.facts + self.starts + self.ends + self.times

    @property
    def total(self) -> int:
        """All triples."""
        return self.has + self.value


class TkgStage(Stage):
    """The facts of one temporal source: call `next_file` before those of each file.

    A fact without an end is open, which means that it holds until `now`, if any fact of its file has an end or says
    that it is open. Otherwise the file is one of events, and the fact holds at its start.
    Each stretch of its times is one period; `stored` counts the relationships. `has_ends` says whether any file has
    facts with ends; `times` are those of the input that are read by a rule.

    Args:
        source: the name of the source.
        in_memory: see `Stage`.
        has_ends: whether the source has files whose facts without an end are open, so that those of all others are too.
    """

    def __init__(self, source: str, *, in_memory: bool = False, has_ends: bool = False) -> None:
        super().__init__(source, in_memory=in_memory)
        self.sql.execute(_TABLE)
        self._hash = hashlib.sha256()
        self._finder = StepFinder()
        self._time_node = lru_cache(maxsize=100_000)(lambda moment: self.node(moment.name, Role.VALUE))
        self.step: Step = Step.YEAR
        self.now, self.times, self.counts = this_second(), TimeNotes(), TripleCounts()
        self._read = self._files = 0
        self.has_ends = self._had_ends = has_ends
        self._of_file = _Ends(given=has_ends)
        self._unended = hashlib.sha256()

    def add(self, fact: Fact) -> None:
        head = self.node(fact.head, Role.ENTITY)
        relation = self.node(fact.relation, Role.RELATION)
        tail = self.node(fact.tail, Role.ENTITY)
        start, end = code_of(fact.start), code_of(fact.end)
        times = f"{hashed(fact.start)}\0{hashed(fact.end)}"
        self._hash.update(f"{fact.head}\0{fact.relation}\0{fact.tail}\0{times}\n".encode())
        self._finder.add(fact.start, fact.end)
        self._read += 1
        if fact.is_open or not fact.has_end:
            end = OPEN if fact.is_open else EMPTY
            self._unended.update(f"{self._read} {fact.is_open}\n".encode())
            self._of_file.empty += not fact.is_open
        self._of_file.given |= end != EMPTY and not fact.is_interval
        self.has_ends |= self._of_file.given
        self.insert("fact", head, relation, tail, start, end)
        if not self.hint and fact.end < fact.start and fact.end.step is fact.start.step:
            self.hint = f"Line {fact.line} ends before it starts."

    def next_file(self) -> None:
        """Call it before the facts of another file: decides about the facts without an end so far."""
        if self._files and self._of_file.empty:
            self._end_file()
        self._files += 1
        self._of_file = _Ends(given=self._had_ends, events=self._of_file.all_events)

    def _end_file(self) -> None:
        """Makes the facts of the last file that have no end open, or events, which end at their start."""
        self.flush()
        end = OPEN if self._of_file.given else "s"
        self.sql.execute(f"UPDATE OR IGNORE fact SET e = {end} WHERE e = {EMPTY}")
        self.sql.execute(f"DELETE FROM fact WHERE e = {EMPTY}")  # those that are there already

    def end_files(self) -> None:
        """Call it once all facts are added: decides about the last facts without an end."""
        self.flush()
        if self._of_file.empty and (self._of_file.given or self._files > 1):
            self._end_file()  # a single file of events stays as it is, which saves a second

    def facts(self) -> Iterator[Fact]:
        """The distinct facts, once the files are ended."""
        for *nodes, start, end in self.sql.execute("SELECT h, r, t, s, e FROM fact ORDER BY h, r, t, s, e"):
            head, relation, tail = map(self.name_of, nodes)
            since, is_open = moment_of(start), end == OPEN
            until = since if end >= EMPTY else moment_of(end)
            yield Fact(head, relation, tail, since, until, has_end=not is_open, is_open=is_open)

    def settle(self, step: Step | None = None, now: Moment | None = None) -> TripleCounts:
        """Ends the adding: fixes the step, counts the triples, and numbers the nodes of times.

        Args:
            step: None for that of `StepFinder`.
            now: until when open facts hold; None for now.
        """
        self.end_files()
        for *fact, moment, text in self.times.marks:  # a source keeps the times that are not sure
            self._hash.update("\0".join((*map(str, fact), hashed(moment), text, "not sure\n")).encode())
        self.step = step or self._finder.step
        self.now = now or self.now.cut(self.step)
        self._hash.update(self.step.encode())
        coarse, example = self._coarse()
        if coarse:  # once such times were stored as days
            self._hash.update(b" as given")
        if self.single(f"SELECT EXISTS (SELECT 1 FROM fact WHERE e = {OPEN})"):
            self._hash.update(f" open until {last(self.now, self.step)} ".encode() + self._unended.digest())
        self.fingerprint = self._hash.hexdigest()
        self.fact_count = self.single("SELECT count(*) FROM fact")
        has = self.single("SELECT count(*) FROM (SELECT DISTINCT h, r FROM fact)")
        facts = starts = ends = times = inverted = overlapping = stretches = 0
        overlap = ""
        for fact, rows in groupby(self.sql.execute("SELECT h, r, t, s, e FROM fact ORDER BY h, r, t, s, e"), _HRT):
            periods = periods_of(rows, self.step, self.now)
            facts += 1
            starts += len(periods.starts)
            ends += len(periods.ends)
            times += sum(hi - lo + 1 for lo, hi in periods.spans)
            stretches += len(periods.spans)
            inverted += periods.inverted
            if periods.overlap:
                overlapping += 1
                overlap = overlap or self._example(fact, periods.overlap)
        events = self._of_file.all_events if self._has_ends() else 0
        found = self._finder
        oddities = (overlapping, overlap, *self._open(), events, coarse, example, found.clocks, found.step, found.days)
        self.counts = TripleCounts(has, facts, starts, ends, times, inverted, *oddities)
        self.has, self.value = has, self.counts.value
        self.stored = self.counts.total - times + stretches
        self._number_times()
        return self.counts

    def record(self, kind: str, columns: tuple[str, ...] | None = None) -> LoadRecord:
        return replace(
            super().record(kind, columns),
            now=self.now.cut(self.step).name if self.counts.open else None,
            ends=self.has_ends,
            unsure=self.times.marked(self.step),
            coarse=bool(self.counts.coarse),
        )

    def notes(self) -> Iterator[str]:
        yield from self.times.sentences()
        yield from load_notes(self.counts, self.step, self.now)

    def too_far(self) -> Moment | None:
        """A start or end that lies beyond the months and days of Neo4j's calendar, once the step is settled."""
        low, high = self.sql.execute(
            f"SELECT min(s), max(CASE WHEN e < {EMPTY} THEN e ELSE s END) FROM fact"
        ).fetchone()
        ends = () if low is None or self.step is Step.YEAR else (moment_of(low), moment_of(high))
        return next((each for each in ends if abs(each.year) > FARTHEST), None)

    def _has_ends(self) -> bool:
        return bool(self.single(f"SELECT EXISTS (SELECT 1 FROM fact WHERE e = {OPEN} OR e <> s AND e < {EMPTY})"))

    def _open(self) -> tuple[int, str, int]:
        """The number of open facts, the one with the earliest start, and how many start after now.

        The earliest one is the likeliest to be an event.
        """
        now, count, later, opening = last(self.now, self.step), 0, 0, ""
        for *fact, start in self.sql.execute(f"SELECT h, r, t, s FROM fact WHERE e = {OPEN} ORDER BY s, h, r, t"):
            opening = opening or f"({self._names(fact)}) from {as_stored(start, self.step).name}"
            count += 1
            later += first(moment_of(start), self.step) > now
        return count, opening, later

    def _names(self, fact: Iterable[int]) -> str:
        return ", ".join(printable(self.name_of(node))[:80] for node in fact)

    def _example(self, fact: tuple[int, int, int], overlap: tuple[Bounds, Bounds]) -> str:
        one, other = (" to ".join(time_name(number, self.step) for number in bounds) for bounds in overlap)
        return f"({self._names(fact)}) from {one}; and from {other}"

    def _coarse(self) -> tuple[int, Moment | None]:
        """The number of facts with a time that is less exact than the step, and one such time."""
        is_start, is_end = is_coarse("s", self.step), f"(e < {EMPTY} AND {is_coarse('e', self.step)})"
        rows = self.sql.execute(
            f"SELECT count(*), min(CASE WHEN {is_start} THEN s ELSE e END) FROM fact WHERE {is_start} OR {is_end}"
        )
        count, code = rows.fetchone()
        return count, None if code is None else moment_of(code)

    def _number_times(self) -> None:
        """Numbers the nodes of the starts and ends, and of the three time keys."""
        for key in TimeKey:
            self.node(key.value, Role.KEY)
        for (code,) in self.sql.execute(_BOUNDS):
            self._time_node(as_stored(code, self.step))

    def groups(self) -> Iterator[Group]:
        yield from self._has_groups()
        yield from self._fact_groups()
        yield from self._time_groups()

    def _has_groups(self) -> Iterator[Group]:
        rows = self.sql.execute("SELECT DISTINCT h, r FROM fact ORDER BY h, r")
        for head, pairs in groupby(rows, itemgetter(0)):
            yield Group(head, (), "", [relation for _, relation in pairs])

    def _fact_groups(self) -> Iterator[Group]:
        # The table is sorted by its key, so that DISTINCT is free. With the name beside it, SQLite would sort.
        rows = self.sql.execute(
            "SELECT f.h, f.r, f.t, coalesce(n.name, n.key) FROM (SELECT DISTINCT h, r, t FROM fact ORDER BY h, r, t) f "
            "CROSS JOIN node n ON n.id = f.h"
        )
        for (_, relation, name), facts in groupby(rows, itemgetter(0, 1, 3)):
            yield Group(relation, (name,), shared_key(name), [row[2] for row in facts])

    def _time_groups(self) -> Iterator[Group]:
        key = {k: self.node(k.value, Role.KEY) for k in TimeKey}
        rows = self.sql.execute(
            "SELECT f.h, f.r, f.t, f.s, f.e, coalesce(a.name, a.key), b.name, coalesce(c.name, c.key) FROM fact f "
            "CROSS JOIN node a ON a.id = f.h CROSS JOIN node b ON b.id = f.r CROSS JOIN node c ON c.id = f.t "
            "ORDER BY f.h, f.r, f.t, f.s, f.e"
        )
        for named, facts in groupby(rows, itemgetter(0, 1, 2, 5, 6, 7)):
            condition: tuple[str, ...] = named[3:]
            head = shared_key(condition[0])
            periods = periods_of(facts, self.step, self.now)
            yield self._bounds_group(key[TimeKey.START], condition, head, periods.starts, periods.paired)
            if periods.ends:
                yield self._bounds_group(key[TimeKey.END], condition, head, periods.ends)
            if periods.spans:
                nodes = [self._time_node(start) for start in periods.starts]
                if len(nodes) > 1:
                    opening = dict(zip((first(start, self.step) for start in periods.starts), nodes, strict=True))
                    nodes = [opening[lo] for lo, _ in periods.spans]
                yield Group(key[TimeKey.TIME], condition, head, nodes, periods=periods.spans)

    def _bounds_group(
        self,
        key: int,
        condition: tuple[str, ...],
        head: str,
        moments: list[Moment],
        paired: dict[Moment, list[str]] | None = None,
    ) -> Group:
        """Starts or ends. The node of a decade has no number, but the decade begins with a year here."""
        about = None
        if paired or any(moment.years > 1 for moment in moments):
            ends = paired or {}
            about = [ValueAnnotation(num=number_at(moment), ends=ends.get(moment)) for moment in moments]
        return Group(key, condition, head, [self._time_node(moment) for moment in moments], about)


@dataclass
class _Ends:
    """The ends in a file: whether any is given, how many are empty, and of all files those that events left empty."""

    given: bool = False
    empty: int = 0
    events: int = 0

    @property
    def all_events(self) -> int:
        """The facts without an end in files without any, up to this one."""
        return self.events + (0 if self.given else self.empty)


# Periods, and moments as codes


class Periods(NamedTuple):
    """The periods of one (head, relation, tail): distinct starts and ends, and the union of the stretches between.

    A start or an end is a moment by step, or one that is less exact. `overlap` has two periods that overlap, if there
    are any. `paired` has the names of the ends by start, `present` for none, where the starts and ends alone do not say
    which belong together.
    """

    starts: list[Moment]
    ends: list[Moment]
    spans: list[Bounds]
    inverted: int
    overlap: tuple[Bounds, Bounds] | None = None
    paired: dict[Moment, list[str]] | None = None


def periods_of(rows: Iterable[tuple[int, ...]], step: Step, now: Moment) -> Periods:
    """From rows (h, r, t, start, end, ...), sorted by start."""
    codes = [(row[3], row[3] if row[4] == EMPTY else row[4]) for row in rows]
    bounds = [bounds_of(start, end, step, now) for start, end in codes]
    if len(bounds) == 1:  # nearly always
        (lo, hi), (start, end) = bounds[0], codes[0]
        ends = [] if end == OPEN else [as_stored(end, step)]
        return Periods([as_stored(start, step)], ends, bounds if lo <= hi else [], int(lo > hi))
    periods = [b for b in bounds if b[0] <= b[1]]
    starts = sorted({as_stored(start, step) for start, _ in codes})
    ends = sorted({as_stored(end, step) for _, end in codes if end != OPEN})
    paired = _paired(codes, step) if len(starts) > 1 or (ends and any(end == OPEN for _, end in codes)) else None
    return Periods(starts, ends, list(merged(periods)), len(bounds) - len(periods), _overlap(periods), paired)


def _paired(codes: list[tuple[int, int]], step: Step) -> dict[Moment, list[str]]:
    """The names of the ends by start, in order."""
    ends: dict[Moment, dict[str, None]] = {}
    for start, end in sorted(codes):
        name = OPEN_ENDS[0] if end == OPEN else as_stored(end, step).name
        ends.setdefault(as_stored(start, step), {})[name] = None
    return {start: list(names) for start, names in ends.items()}


def _overlap(periods: list[Bounds]) -> tuple[Bounds, Bounds] | None:
    """The first two different periods that overlap; the periods are sorted by their starts."""
    last: Bounds | None = None
    for period in dict.fromkeys(periods):
        if last is not None and period[0] <= last[1]:
            return last, period
        last = period
    return None


@lru_cache(maxsize=100_000)
def as_stored(code: int, step: Step) -> Moment:
    """The start or the end that a code is, not more exact than the step."""
    return moment_of(code).cut(step)


@lru_cache(maxsize=100_000)
def bounds_of(start: int, end: int, step: Step, now: Moment) -> tuple[int, int]:
    """The first and the last time of a period in steps, by the codes of its moments. Many facts share a period."""
    since = moment_of(start)
    if end < EMPTY:
        return first(since, step), last(moment_of(end), step)
    is_past = end == OPEN and first(since, step) <= last(now, step)
    return first(since, step), last(now if is_past else since, step)


CLOCK = 17
"""The bits of a code that have the time of day: 0 for none, then the minutes, each followed by its seconds."""

_CLOCKS = (1 << CLOCK) - 1

_FAR = 1 << 44
"""What the code of a year that has no times of day, before -9999 or after 9999, lies beyond."""

_NEAR = 10_000 * 13 * 32 * 4


def code_of(moment: Moment) -> int:
    """A moment as one whole number, in the same order."""
    code = _code_of_date(moment) * 4 + len(str(moment.years)) - 1
    if abs(code) >= _NEAR:
        return code + (_FAR if code > 0 else -_FAR)
    clock = 0 if moment.minute < 0 else 61 * moment.minute + moment.second + 2
    return (code << CLOCK) + clock


def moment_of(code: int) -> Moment:
    """The moment of a code."""
    clock = 0
    if abs(code) > _FAR:
        code += -_FAR if code > 0 else _FAR
    else:
        code, clock = code >> CLOCK, code & _CLOCKS
    rest, zeros = divmod(code, 4)
    rest, day = divmod(rest, 32)
    year, month = divmod(rest, 13)
    minute, second = divmod(clock - 1, 61) if clock else (-1, 0)
    return Moment(year, month, day, int(10**zeros), minute, second - 1)


def is_coarse(code: str, step: Step) -> str:
    """The condition in SQL that a code is that of a moment less exact than a step."""
    date = f"CASE WHEN {code} > {_FAR} THEN {code} - {_FAR} WHEN {code} < -{_FAR} THEN {code} + {_FAR}"
    date = f"({date} ELSE {code} >> {CLOCK} END)"
    clock = f"(CASE WHEN abs({code}) > {_FAR} THEN 0 ELSE {code} & {_CLOCKS} END)"
    return {
        Step.SECOND: f"({clock} = 0 OR {clock} % 61 = 1)",
        Step.MINUTE: f"{clock} = 0",
        Step.DAY: f"({date} >> 2) % 32 = 0",
        Step.MONTH: f"(({date} >> 7) % 13 = 0 OR {date} & 3 > 0)",
        Step.YEAR: f"{date} & 3 > 0",
    }[step]


def _code_of_date(moment: Moment) -> int:
    return (moment.year * 13 + moment.month) * 32 + moment.day


def hashed(moment: Moment) -> str:
    """Returns the form of a moment in a fingerprint."""
    if moment.minute >= 0:
        return f"{_code_of_date(moment)} {moment.minute}:{moment.second}"
    return f"{_code_of_date(moment)}" if moment.years == 1 else f"{_code_of_date(moment)} {moment.years}"


# Periods as they are stored


def pairs_of(
    source: str, starts: Sequence[tuple[str, Sequence[str] | None]], ends: Sequence[str]
) -> list[tuple[str, str]]:
    """The names of the starts and ends of a fact's periods as they are stored, sorted; an open one ends in `present`.

    A start has its own ends where the fact has several starts. An older version kept none: such periods must follow one
    another, or BadInput is raised.
    """
    present = OPEN_ENDS[0]
    pairs = [(start, end) for start, own in starts for end in (ends or [present] if own is None else own)]
    if len(starts) > 1 and any(own is None for _, own in starts):
        until = [*sorted(ends, key=moment_named), *[present] * (len(starts) - len(ends))]
        pairs = list(zip(sorted((start for start, _ in starts), key=moment_named), until, strict=False))
        if len(until) != len(starts) or not _follow(pairs):
            raise BadInput(
                f"Source '{source}' was loaded by an earlier version of cgstore, and does not say which end belongs to "
                "which start.",
                f"Load it again with {setting('replace', True)}.",
            )
    return sorted(pairs, key=lambda pair: (moment_named(pair[0]), _place(pair[1]), pair[1]))


def _follow(pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether each period ends when the next one starts, or before; before, if the last one may be no open one."""
    place = last if pairs[-1][1] == OPEN_ENDS[0] else first
    bounds = [bound for start, end in pairs for bound in (first(moment_named(start), Step.SECOND), _place(end, place))]
    return all(here <= there for here, there in pairwise(bounds))


def _place(end: str, place: Callable[[Moment, Step], int] = last) -> float:
    return math.inf if end == OPEN_ENDS[0] else place(moment_named(end), Step.SECOND)


@lru_cache(maxsize=100_000)
def moment_named(name: str) -> Moment:
    """The moment that a stored time is the name of."""
    moment = read_moment(name)
    if moment is None:
        time = read_time(name)
        assert time is not None, name
        moment = time.start
    return moment
