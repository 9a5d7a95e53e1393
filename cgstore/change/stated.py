"""The facts of a source as its inputs state them: read back from the graph, and staged again as condition triples.

A source is a set of triples, and its facts share some of them. So a change works with the facts that the triples
state: it reads those of a few (head, relation, tail), has them changed, and stages them as a load does. The triples
that differ are the change (`cgstore.change.commit`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cgstore.catalog.kinds import SourceKind, kind_named
from cgstore.change.triples import StoredTriple
from cgstore.errors import BadInput, setting
from cgstore.loaders.fact_stage import FactStage
from cgstore.loaders.readers.records import Statement
from cgstore.loaders.tkg_stage import Fact, TkgStage, moment_named, pairs_of
from cgstore.model import Role, Source, TimeKey
from cgstore.text.columns import ColumnFormat
from cgstore.text.dates import OPEN_ENDS, Moment, Step, StepFinder, first, last, read_moment, this_second
from cgstore.text.kinds import ValueKind
from cgstore.text.names import many, statement_number
from cgstore.text.numbers import POINT

AnyFact = Fact | Statement
"""A fact of a temporal source with one of its periods, or a fact of another source with its qualifiers."""

Said = tuple[Any, ...]
"""The start and the end of a fact, or its qualifiers."""

PRESENT = OPEN_ENDS[0]
"""The end of an open fact in a record."""


class FactKey(NamedTuple):
    """The names of head, relation and tail."""

    head: str
    relation: str
    tail: str


def key_of(fact: AnyFact) -> FactKey:
    """The names of a fact."""
    return FactKey(fact.head, fact.relation, fact.tail)


@dataclass(frozen=True)
class Kind:
    """How the facts of one source are staged, read and recorded.

    Attributes:
        source: its record.
        stored: its name in the graph.
        formats: how the values of its relations are read, by name.
        now: the time until which open facts hold.
    """

    source: Source
    stored: str
    formats: Mapping[str, ColumnFormat]
    now: Moment

    @property
    def kind(self) -> SourceKind:
        """The kind of source."""
        return kind_named(self.source.kind)

    @property
    def step(self) -> Step:
        """Its time step."""
        return Step(self.source.step or Step.YEAR)

    def staged(self, facts: Iterable[AnyFact]) -> FactStage | TkgStage:
        """A settled stage with these facts, at least one; the caller closes it."""
        if not self.kind.has_times:
            stage = FactStage(self.stored, in_memory=True, known=self.formats)
            for fact in facts:
                assert isinstance(fact, Statement)
                stage.add(fact)
            stage.settle()
            return stage
        times = TkgStage(self.stored, in_memory=True, has_ends=True)
        for fact in facts:
            assert isinstance(fact, Fact)
            times.add(fact)
        times.settle(self.step, self.now)
        if far := times.too_far():
            raise BadInput(f"{far.name} is too far away for source '{self.source.name}', which counts {self.step}s.")
        return times

    def stated(self, triples: Iterable[StoredTriple]) -> dict[FactKey, list[AnyFact]]:
        """The facts that stored triples state, in order."""
        facts: dict[FactKey, list[StoredTriple]] = {}
        said: dict[FactKey, list[StoredTriple]] = defaultdict(list)
        for triple in triples:
            if len(triple.condition) == 1:
                facts[FactKey(triple.condition[0], triple.name1, triple.name2)] = []
            elif len(triple.condition) > 2:
                said[FactKey(*triple.condition[:3])].append(triple)
        read = self._temporal if self.kind.has_times else self._statements
        return {key: read(key, said[key]) for key in facts}

    def _temporal(self, key: FactKey, said: list[StoredTriple]) -> list[AnyFact]:
        starts = [(triple.name2, triple.ends) for triple in said if triple.name1 == TimeKey.START]
        ends = [triple.name2 for triple in said if triple.name1 == TimeKey.END]
        return [self.temporal(key, start, end) for start, end in pairs_of(self.source.name, starts, ends)]

    def temporal(self, key: FactKey, start: str, end: str) -> Fact:
        """The fact with these times, as `times_of` gives them."""
        if end == PRESENT:
            return Fact(*key, moment_named(start), moment_named(start), has_end=False, is_open=True)
        return Fact(*key, moment_named(start), moment_named(end))

    def _statements(self, key: FactKey, said: list[StoredTriple]) -> list[AnyFact]:
        of_statement: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
        for triple in said:
            of_statement[triple.condition].append((triple.name1, triple.name2))
        found = sorted(of_statement, key=statement_number) or [tuple(key)]
        return [self._statement(key, sorted(of_statement[condition])) for condition in found]

    def _statement(self, key: FactKey, qualifiers: Iterable[tuple[str, str]]) -> Statement:
        roles = (Role.LINE, Role.VALUE) if self.kind.has_rows else (Role.ENTITY, Role.ENTITY)
        return Statement(*key, tuple(qualifiers), *roles)

    def cut(self, fact: AnyFact) -> AnyFact:
        """The fact as the source has it, with times that are not more exact than its step and without its line.

        Raises BadInput if that would lose something: by month, a fact from 3 May on is not one from May on.
        """
        if isinstance(fact, Statement):
            return fact._replace(line=0)
        needed = max(_needed(fact), self.step, key=list(Step).index)
        given_start, given_end = (time.cut(needed) for time in (fact.start, fact.end))
        start = given_start.cut(self.step)
        end = start if fact.is_open else given_end.cut(self.step)
        if first(start, Step.SECOND) != first(given_start, Step.SECOND):
            raise self._too_exact(fact.start)
        if not fact.is_open and last(end, Step.SECOND) != last(given_end, Step.SECOND):
            raise self._too_exact(fact.end)
        return Fact(fact.head, fact.relation, fact.tail, start, end, has_end=not fact.is_open, is_open=fact.is_open)

    def is_coarse(self, fact: AnyFact) -> bool:
        """Whether its start or its end is less exact than the times of the source."""
        return isinstance(fact, Fact) and any(time.is_coarser_than(self.step) for time in (fact.start, fact.end))

    def _too_exact(self, time: Moment) -> BadInput:
        name, step = self.source.name, self.step
        return BadInput(
            f"Source '{name}' counts {step}s, and {time.name} is more exact.",
            f"Give {time.cut(step).name} for it ({setting('step', step)} cuts the times of a file), or load the source "
            f"again with {setting('step', time.step)} and {setting('replace', True)}.",
        )

    def notes(self, added: Sequence[AnyFact]) -> Iterator[str]:
        """Sentences about facts that are added, and that a user should know of."""
        now, name = last(self.now, self.step), self.source.name
        opened = (fact for fact in added if isinstance(fact, Fact) and fact.is_open)
        later = [fact for fact in opened if first(fact.start, self.step) > now]
        if later:
            which = many(len(later), "open fact begins", "open facts begin")
            yield (
                f"{which} after {self.now.name}, until when the open facts of '{name}' hold, so that it holds at its "
                f"start only: {shown(self.record(later[0]))}. `cgstore facts now {name}`, on that day or later, moves "
                "that date."
            )
        inverted = [fact for fact in added if isinstance(fact, Fact) and ends_before_start(fact)]
        if inverted:
            which = many(len(inverted), "fact ends", "facts end")
            yield f"{which} before the start, and so at no time: {shown(self.record(inverted[0]))}."

    def said(self, fact: AnyFact) -> Said:
        """What a fact says besides its names: it is one of the facts of these names, and no other says the same."""
        return times_of(fact) if isinstance(fact, Fact) else tuple(sorted(set(fact.qualifiers)))

    def record(self, fact: AnyFact) -> list[Any]:
        """A fact as the history keeps it: head, relation, tail, and its times or its qualifiers."""
        if isinstance(fact, Fact):
            return [*key_of(fact), *times_of(fact)]
        return [*key_of(fact), [list(pair) for pair in fact.qualifiers]] if fact.qualifiers else list(key_of(fact))

    def fact_of(self, record: list[Any]) -> AnyFact:
        """The fact of a record."""
        key = FactKey(*record[:3])
        if self.kind.has_times:
            return self.temporal(key, record[3], record[4])
        return self._statement(key, ((name, value) for name, value in (record[3] if len(record) > 3 else ())))


def _needed(fact: Fact) -> Step:
    """The step that the times of day of a fact need: a day is enough for midnights, as a load takes them."""
    finder = StepFinder()
    finder.add(fact.start, fact.end)
    return finder.step if finder.step.has_clock else Step.DAY


def times_of(fact: Fact) -> tuple[str, str]:
    """The names of a fact's start and end; `PRESENT` where it is open."""
    return fact.start.name, PRESENT if fact.is_open else fact.end.name


def shown(record: Iterable[Any]) -> str:
    """A record of a fact as a message shows it: `(Ada, works for, Acme, 2019, present)`."""
    parts: list[str] = []
    for part in record:
        parts += [f"{key}: {value}" for key, value in part] if isinstance(part, list) else [str(part)]
    return f"({', '.join(parts)})"


def kind_of(source: Source, stored: str, kinds: Mapping[str, str]) -> Kind:
    """How a source is changed, given the kinds of values of its relations by name; raises BadInput if it cannot be."""
    if not kind_named(source.kind).can_change:
        raise BadInput(
            f"Source '{source.name}' is {kind_named(source.kind).phrase}, which can only be replaced as a whole.",
            f"Load it again: cgstore load {source.kind} ... --name {source.name} --replace",
        )
    read = {name: ValueKind(kind) for name, kind in kinds.items()}
    mark = next((kind.decimal for kind in read.values() if kind.decimal != POINT), POINT)
    formats = {
        name: ColumnFormat(kind, mark if kind is ValueKind.TEXT else kind.decimal) for name, kind in read.items()
    }
    now = read_moment(source.now or "") or this_second().cut(Step(source.step or Step.YEAR))
    return Kind(source, stored, formats, now)


def ends_before_start(fact: Fact) -> bool:
    """Whether it holds at no time: 2004-03 to 2004 does not end before it starts."""
    if fact.is_open or fact.end >= fact.start:
        return False
    return last(fact.end, Step.SECOND) < last(fact.start, Step.SECOND)


def with_times(fact: Fact, start: Moment | None = None, end: Moment | None = None, *, is_open: bool = False) -> Fact:
    """The fact with another start or end."""
    since = start or fact.start
    if is_open or (fact.is_open and end is None):
        return fact._replace(start=since, end=since, has_end=False, is_open=True)
    return fact._replace(start=since, end=end or fact.end, has_end=True, is_open=False)
