"""The facts of a source in a temporary file, with their times as numbers, sorted as the checks need them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from cgstore.catalog.kinds import kind_named
from cgstore.export.read import ExportStage, StoredFact
from cgstore.export.text import fact_periods
from cgstore.loaders.tkg_stage import moment_named
from cgstore.model import Source
from cgstore.observe.progress import Bar
from cgstore.text.dates import OPEN_ENDS, Step, first, last, period_name, time_name

PRESENT = OPEN_ENDS[0]

_TABLES = """
CREATE TABLE period (relation TEXT, head TEXT, tail TEXT, lo INTEGER, hi INTEGER, start TEXT, end TEXT);
"""

_LAST = "SELECT max(max(lo, coalesce(hi, lo))) FROM period"


class Period(NamedTuple):
    """A fact with a time at which it begins and one at which it ends, by name and as numbers of steps.

    A fact without times has no names, and holds at time 0.
    """

    relation: str
    head: str
    tail: str
    lo: int
    hi: int
    start: str = ""
    end: str = ""

    @property
    def is_open(self) -> bool:
        """Whether it has no end."""
        return self.end == PRESENT

    def __str__(self) -> str:
        span = "" if not self.start else self.start if self.start == self.end else f"{self.start} to {self.end}"
        return " | ".join(filter(None, (self.head, self.relation, self.tail, span)))


class CheckStage(ExportStage):
    """An `ExportStage` that also has every period of every fact."""

    def __init__(self) -> None:
        super().__init__()
        self.sql.executescript(_TABLES)
        self.period_count = self.qualified = 0
        self._step, self._after_all = Step.YEAR, 0

    def index(self) -> None:
        """Call it once all facts are read, and before cells are looked up by their row or their column."""
        self.sql.execute("CREATE INDEX fact_head ON fact (head)")
        self.sql.execute("CREATE INDEX fact_relation ON fact (relation, tail)")

    def add_periods(self, source: Source, relations: Collection[str], shown: Bar) -> None:
        """Fills the table of periods, once all facts are read."""
        has_times = kind_named(source.kind).has_times
        self._step = Step(source.step or Step.YEAR)
        facts = (fact for fact in self._counted(shown) if fact.relation in relations)
        rows = (row for fact in facts for row in (self._temporal(source, fact) if has_times else self._timeless(fact)))
        self.period_count = self.sql.executemany("INSERT INTO period VALUES (?, ?, ?, ?, ?, ?, ?)", rows).rowcount
        if self.period_count:  # an open fact outlasts all others
            self._after_all = self.single(_LAST) + 1
            self.sql.execute("UPDATE period SET hi = ? WHERE hi IS NULL", (self._after_all,))

    def _counted(self, shown: Bar) -> Iterator[StoredFact]:
        for fact in self.facts():
            yield fact
            shown.update()

    def _temporal(self, source: Source, fact: StoredFact) -> Iterator[Row]:
        for start, end in fact_periods(source, fact):
            until = None if end == PRESENT else _number(end, last, self._step)
            yield fact.relation, fact.head, fact.tail, _number(start, first, self._step), until, start, end

    def _timeless(self, fact: StoredFact) -> Iterator[Row]:
        if fact.qualifiers:  # which may say when, or in what sense, it holds
            self.qualified += 1
        else:
            yield fact.relation, fact.head, fact.tail, 0, 0, "", ""

    def span_name(self, lo: int, hi: int) -> str:
        """A stretch of times as text: `1982 to 1998`, and `1990 to present` where it lasts as long as open facts."""
        return f"{time_name(lo, self._step)} to {PRESENT}" if hi >= self._after_all else period_name(lo, hi, self._step)

    def periods(self, order: str, condition: str = "lo <= hi") -> Iterator[Period]:
        """The periods in an order of columns."""
        return map(Period._make, self.sql.execute(f"SELECT * FROM period WHERE {condition} ORDER BY {order}"))


Row = tuple[str, str, str, int, int | None, str, str]


@lru_cache(100_000)
def _number(name: str, of: Callable[..., int], step: Step) -> int:
    return of(moment_named(name), step)
