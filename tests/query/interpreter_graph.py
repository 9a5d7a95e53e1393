"""The graph that the naive interpreter asks: plain lists of facts, and how the values of each relation are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cgstore.model import Evidence
from cgstore.text.columns import ColumnProfile, FormatHints, read_columns
from cgstore.text.dates import Span, Step, number_of, read_span, read_span_of_time, read_time_span, time_name
from cgstore.text.kinds import ValueKind, read_as, span_as
from cgstore.text.names import normal_form
from cgstore.text.numbers import read_number
from tests.loaders.definition import sets_of_qualifiers

TIMES = {"time": "time", "start_time": "start time", "end_time": "end time"}
"""The keys of temporal facts: as programs write them, and as the nodes are named."""

ROW_NUMBER = "row_number"


class Node(NamedTuple):
    """A node: `owner` is the source of a relation, a key or a row; entities and values belong to nobody."""

    name: str
    owner: str = ""

    @property
    def is_row(self) -> bool:
        return bool(self.owner) and self.name.startswith("[line_")


class Fact(NamedTuple):
    """A fact of a source; the head of a table's fact is a row."""

    source: str
    head: Node
    relation: Node
    tail: Node

    def __str__(self) -> str:
        return " | ".join(self.names)

    @property
    def names(self) -> tuple[str, str, str]:
        return self.head.name, self.relation.name, self.tail.name


class About(NamedTuple):
    """What a source says about a whole fact: a time, or the value of a qualifier.

    `number` is that of the statement of the fact: what belongs together has the same.
    """

    fact: Fact
    key: Node
    value: Node
    number: int = 1


class Reading(NamedTuple):
    """How the values of a relation or a key are read; `step` is that of a time key, and empty for any other."""

    kind: ValueKind = ValueKind.TEXT
    step: str = ""

    def number(self, text: str) -> float | None:
        """The number of a value."""
        return number_of(text) if self.kind is ValueKind.TEXT else read_as(self.kind, text)

    def span(self, text: str) -> Span | None:
        """What a literal means that is compared with the values: a year or a month stands for all its days."""
        if self.step:
            return read_span_of_time(text, self.step)
        if self.kind in (ValueKind.DATE, ValueKind.DAY_FIRST_DATE) and (span := read_time_span(text)) is not None:
            return span
        if (span := span_as(self.kind, text)) is not None:
            return span
        if (span := read_span(text)) is None and self.kind.plain in (ValueKind.NUMBER, ValueKind.SCALED):
            numbers = [read_as(kind, text) for kind in WITH_UNITS]
            return next((Span(number, number) for number in numbers if number is not None), None)
        return span


WITH_UNITS = (ValueKind.MEASURE, ValueKind.PERCENT, ValueKind.CURRENCY, ValueKind.ORDINAL)
"""How a literal may be written that is compared with plain numbers."""


PLAIN = Reading()


@dataclass(frozen=True)
class Graph:
    """Facts of some sources.

    `has` are the pairs (head, relation), `relations` and `keys` all that can be asked for, `kinds` what the values of
    relations are read as, `steps` those of temporal sources, `tables` the sources that are tables, `names` every name
    of an entity or value that anything loaded has, `periods` the starts and ends that belong together.
    """

    sources: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    abouts: tuple[About, ...] = ()
    has: frozenset[tuple[Node, Node]] = frozenset()
    relations: frozenset[Node] = frozenset()
    keys: frozenset[Node] = frozenset()
    kinds: Mapping[Node, ValueKind] = field(default_factory=dict)
    steps: Mapping[str, str] = field(default_factory=dict)
    tables: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    periods: frozenset[tuple[Fact, str, str]] = frozenset()

    def asked(self, sources: Sequence[str]) -> Graph:
        """The facts of these sources alone; names are still those of everything loaded."""
        return replace(
            self,
            sources=tuple(sources),
            facts=tuple(f for f in self.facts if f.source in sources),
            abouts=tuple(a for a in self.abouts if a.fact.source in sources),
            has=frozenset((head, relation) for head, relation in self.has if relation.owner in sources),
            relations=frozenset(node for node in self.relations if node.owner in sources),
            keys=frozenset(node for node in self.keys if node.owner in sources),
            tables=self.tables & frozenset(sources),
            steps={source: step for source, step in self.steps.items() if source in sources},
        )

    @property
    def heads(self) -> set[Node]:
        """All heads: of a table its rows."""
        return {head for head, _ in self.has}

    def are_of_one_period(self, said: Iterable[About]) -> bool:
        """Whether the starts and ends among what is said of a fact are those of one of its periods."""
        of_keys = [(x.fact, x.key.name, x.value.name) for x in said if x.key.owner in self.steps]
        bounds = {(fact, key): {value for f, k, value in of_keys if (f, k) == (fact, key)} for fact, key, _ in of_keys}
        facts = {fact for fact, _ in bounds}
        return all(
            any(
                bounds.get((fact, "start time"), set()) <= {start} and bounds.get((fact, "end time"), set()) <= {end}
                for f, start, end in self.periods
                if f == fact
            )
            for fact in facts
        )

    def reading(self, relation: Node) -> Reading:
        return Reading(self.kinds.get(relation, ValueKind.TEXT))

    def reading_of_key(self, key: Node) -> Reading:
        """Times are read as such; what qualifiers say has no kind."""
        is_time = key.owner in self.steps and key.name in TIMES.values()
        return Reading(step=self.steps[key.owner]) if is_time else PLAIN

    def entity(self, name: str) -> set[Node]:
        """The entities and values of a name: exactly so, else without case, accents and punctuation.

        Of a number those that are the same number: `50` is not `50%`.
        """
        if name in self.names:
            return {Node(name)}
        number = read_number(name)
        same = {other for other in self.names if number is None or read_number(other) == number}
        return {Node(other) for other in same if normal_form(other) == normal_form(name)}

    def owned(self, name: str, nodes: Iterable[Node]) -> set[Node]:
        """The relations or keys of a name among some."""
        nodes = set(nodes)
        exact = {node for node in nodes if node.name == name}
        return exact or {node for node in nodes if normal_form(node.name) == normal_form(name)}

    def rows_with(self, name: str) -> set[Node]:
        """The rows that hold a name in any cell; row numbers are no cells."""
        cells = (fact for fact in self.facts if fact.source in self.tables and fact.relation.name != ROW_NUMBER)
        return {fact.head for fact in cells if fact.tail.name == name}

    @property
    def only_tables(self) -> bool:
        return self.tables == frozenset(self.sources)

    def of_tables(self, relations: Iterable[Node] | None) -> bool:
        """Whether the heads of relations, or of any, are rows, whatever is found."""
        if relations is None:
            return self.only_tables
        owners = {relation.owner for relation in relations}
        return bool(owners) and owners <= self.tables


def union(graphs: Iterable[Graph]) -> Graph:
    """Several sources as one graph; entities are shared."""
    every = list(graphs)
    return Graph(
        tuple(source for g in every for source in g.sources),
        tuple(fact for g in every for fact in g.facts),
        tuple(about for g in every for about in g.abouts),
        frozenset(pair for g in every for pair in g.has),
        frozenset(node for g in every for node in g.relations),
        frozenset(node for g in every for node in g.keys),
        {relation: kind for g in every for relation, kind in g.kinds.items()},
        {source: step for g in every for source, step in g.steps.items()},
        frozenset(source for g in every for source in g.tables),
        frozenset(name for g in every for name in g.names),
        frozenset(period for g in every for period in g.periods),
    )


def table(source: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Graph:
    """Row i, from 1, is `[line_i]`; each cell is a fact of it, and so is its number."""
    facts = []
    for number, cells in enumerate(rows, 1):
        row = Node(f"[line_{number}]", source)
        pairs = [*zip(columns, cells, strict=True), (ROW_NUMBER, str(number))]
        facts += [Fact(source, row, Node(column, source), Node(cell)) for column, cell in pairs]
    return replace(_graph(source, facts), tables=frozenset([source]))


def kg(source: str, triples: Iterable[tuple[str, str, str]]) -> Graph:
    """Facts head, relation, tail."""
    return _graph(source, [_fact(source, *triple) for triple in triples])


Statement = tuple[str, str, str, Sequence[tuple[str, str]]]
"""Head, relation, tail, and qualifiers as pairs of a key and a value."""


def statements(source: str, facts: Iterable[Statement]) -> Graph:
    """Facts with qualifiers; a fact may have several statements."""
    every = list(facts)
    stated: dict[tuple[str, str, str], list[frozenset[tuple[str, str]]]] = {}
    for h, r, t, pairs in every:
        stated.setdefault((h, r, t), []).append(frozenset(pairs))
    abouts = [
        About(_fact(source, *fact), Node(key, source), Node(value), number)
        for fact, sets in stated.items()
        for number, together in enumerate(sets_of_qualifiers(sets), 1)
        for key, value in sorted(together)
    ]
    return _graph(source, [_fact(source, h, r, t) for h, r, t, _ in every], abouts)


TemporalFact = tuple[str, str, str, int, int]
"""Head, relation, tail, first and last time, counted in the steps of the source (`text.dates.first`)."""


def tkg(source: str, facts: Iterable[TemporalFact], step: Step = Step.YEAR) -> Graph:
    """Facts that hold at every time from the first to the last; several periods of one fact are one fact."""
    every = list(facts)
    abouts = []
    for h, r, t, start, end in every:
        times = [("start time", start), ("end time", end), *(("time", time) for time in range(start, end + 1))]
        fact = _fact(source, h, r, t)
        abouts += [About(fact, Node(key, source), Node(time_name(time, step))) for key, time in times]
    graph = _graph(source, [_fact(source, h, r, t) for h, r, t, _, _ in every], abouts)
    periods = ((_fact(source, h, r, t), time_name(start, step), time_name(end, step)) for h, r, t, start, end in every)
    return replace(graph, kinds={}, steps={source: step.value}, periods=frozenset(periods))


def _fact(source: str, head: str, relation: str, tail: str) -> Fact:
    return Fact(source, Node(head), Node(relation, source), Node(tail))


def _graph(source: str, facts: Iterable[Fact], abouts: Iterable[About] = ()) -> Graph:
    facts, abouts = tuple(dict.fromkeys(facts)), tuple(dict.fromkeys(abouts))
    values: dict[Node, set[str]] = {}
    for fact in facts:
        values.setdefault(fact.relation, set()).add(fact.tail.name)
    nodes = [node for fact in facts for node in (fact.head, fact.tail)] + [about.value for about in abouts]
    return Graph(
        (source,),
        facts,
        abouts,
        frozenset((fact.head, fact.relation) for fact in facts),
        frozenset(values),
        frozenset(about.key for about in abouts),
        kinds_of(values),
        names=frozenset(node.name for node in nodes if not node.owner),
    )


def kinds_of(values: Mapping[Node, Iterable[str]]) -> dict[Node, ValueKind]:
    """What the values of the relations of a source are read as: by themselves, else as those of the other relations."""
    profiles = {relation: ColumnProfile() for relation in values}
    for relation, texts in values.items():
        for text in texts:
            profiles[relation].add(text)
    return {relation: column.kind for relation, column in read_columns(profiles, FormatHints()).items()}


def of_evidence(evidence: Iterable[Evidence], known: Graph) -> Graph:
    """The graph that the triples of an answer's evidence are.

    What triples do not say is taken from the whole graph: the kinds of values and sources, and which names there are.
    """
    facts: dict[Fact, None] = {}
    abouts: dict[About, None] = {}
    has: set[tuple[Node, Node]] = set()
    for node1, node2, condition, source in ((e.node1, e.node2, e.condition, e.source) for e in evidence):
        owner = source if source in known.tables else ""
        if not condition:
            has.add((Node(node1, owner), Node(node2, source)))
        elif len(condition) == 1:
            facts[Fact(source, Node(condition[0], owner), Node(node1, source), Node(node2))] = None
        else:
            fact, number = _fact(source, *condition[:3]), int(condition[3][1:]) if condition[3:] else 1
            abouts[About(fact, Node(node1, source), Node(node2), number)] = None
    has |= {(fact.head, fact.relation) for fact in facts}
    return replace(known, facts=tuple(facts), abouts=tuple(abouts), has=frozenset(has))
