"""A graph in memory: what backends need of one, without a database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from operator import itemgetter

from cgstore.llm.fact_view import NameLink, RelationFacts
from cgstore.llm.graph_view import GraphView, Neighbourhood, Outline, Relation
from cgstore.llm.table_view import TableRows
from cgstore.mapping.mentions import (
    CellNames,
    LookedUp,
    Mention,
    Names,
    NearMentions,
    Node,
    find_near_mentions,
    word_spans,
)
from cgstore.text.columns import kind_of
from cgstore.text.kinds import ValueKind
from cgstore.text.names import normal_form

FACTS = (
    ("Nadia Orlov", "member of sports team", "A.C. Terrano", "1990", "1993"),
    ("Nadia Orlov", "member of sports team", "Port Vell", "1994", "1997"),
    ("Pia Sand", "member of sports team", "A.C. Terrano", "1991", "1992"),
    ("Pia Sand", "award received", "Golden Boot", "1992", "1992"),
    ("Kim O'Dell", "position held", "Governor of Veria", "1980", "1984"),
    ("Rosa Winkler", "position held", "Governor of Veria", "1985", "1990"),
    ("Rosa Winkler", "position held", "Minister of Mines, Veria", "1975", "1979"),
    ("Rosa Winkler", "member of political party", "Green Dawn", "1970", "1990"),
    ("Verian Flood", "significant event", "occurrence", "1986", "1987"),
)


class MemoryGraph(GraphView):
    """A view of facts in memory: head, relation, tail, and what else there is, such as from and to."""

    sources: tuple[str, ...] = ("memory",)

    def __init__(
        self, facts: Iterable[tuple[str, ...]] = FACTS, kind: str = "tkg", keys: Sequence[str] = (), rows: int = 0
    ) -> None:
        self.facts = list(facts)
        self.kinds: tuple[str, ...] = (kind,)
        self._keys, self._rows = tuple(keys), rows
        self.step = "year" if kind == "tkg" else ""

    def _words_of(self, question: str) -> LookedUp:
        spans = word_spans(question)
        entities = {name for head, _, tail, *_ in self.facts for name in (head, tail)}
        names = [(n, False) for n in sorted(entities)] + [(r, True) for r in self.relations]
        rows = [row(name, relation) for name, relation in names if normal_form(name) in spans]
        return spans, rows

    @cached_property
    def relations(self) -> tuple[str, ...]:
        return tuple(sorted({relation for _, relation, *_ in self.facts}))

    @cached_property
    def outlines(self) -> list[Outline]:
        tails: dict[str, list[str]] = {}
        for _, relation, tail, *_ in self.facts:
            tails.setdefault(relation, []).append(tail)
        names = list(tails) if self._rows else self.relations
        relations = tuple(Relation(name, _kind(tails.get(name, []))) for name in names)
        return [Outline(self.sources[0], self.kinds[0], relations, self._keys, self.step, self._rows)]

    def table_rows(self, tables: Sequence[str], keys: Sequence[str] = ()) -> dict[str, TableRows]:
        numbers = range(1, self._rows + 1)
        rows = {n: tuple(tail for head, _, tail, *_ in self.facts if head == f"[line_{n}]") for n in numbers}
        return dict.fromkeys(tables, TableRows(rows, self._rows))

    def facts_of(self, relation: str) -> list[tuple[str, str]]:
        return sorted({(head, tail) for head, r, tail, *_ in self.facts if r == relation})

    def relation_facts(self, relations: Iterable[tuple[str, str]]) -> dict[tuple[str, str], RelationFacts]:
        by_relation = self._facts_by_relation()  # one pass: some graphs have thousands of relations
        found = {(source, r): sorted(by_relation.get(r, ())) for source, r in relations}
        return {each: RelationFacts(len(facts), *facts[0]) for each, facts in found.items() if facts}

    def _facts_by_relation(self) -> dict[str, set[tuple[str, str]]]:
        found: dict[str, set[tuple[str, str]]] = {}
        for head, relation, tail, *_ in self.facts:
            found.setdefault(relation, set()).add((head, tail))
        return found

    def around(self, keys: Iterable[str]) -> dict[str, Neighbourhood]:
        heads = {key: tuple(sorted({r for head, r, *_ in self.facts if head == key})) for key in keys}
        tails = {key: tuple(sorted({r for _, r, tail, *_ in self.facts if tail == key})) for key in heads}
        return {key: (heads[key], tails[key]) for key in heads}

    def spans(self, relations: Sequence[tuple[str, str]]) -> dict[tuple[str, str], tuple[str, str]]:
        found = {each: sorted(tail for _, tail in self.facts_of(each[1])) for each in relations}
        return {each: (values[0], values[-1]) for each, values in found.items() if values}

    def links(self, keys: Sequence[str]) -> dict[str, tuple[NameLink, ...]]:
        return {key: tuple(self._links_of(key)) for key in keys}

    def _links_of(self, key: str) -> Iterator[NameLink]:
        for as_head in (True, False):
            facts = {
                (r, tail if as_head else head) for head, r, tail, *_ in self.facts if key == (head if as_head else tail)
            }
            for relation, of in groupby(sorted(facts), itemgetter(0)):
                ends = [end for _, end in of]
                yield NameLink(relation, as_head, len(ends), tuple(ends[:2]))

    @property
    def times(self) -> dict[str, tuple[str, str]]:
        found = sorted(time for _, _, _, *times in self.facts for time in times)
        return {self.sources[0]: (found[0], found[-1])} if found else {}

    def near_mentions(self, question: str, mentions: Sequence[Mention], names: Names | None = None) -> NearMentions:
        nodes = (Node(name, name) for head, _, tail, *_ in self.facts for name in (head, tail))
        return find_near_mentions(question, mentions, self.relations, names or CellNames(nodes))


def _kind(values: Sequence[str]) -> str:
    kind = kind_of(values)
    return "" if kind is ValueKind.TEXT else kind.value


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> MemoryGraph:
    """A table as such a graph."""
    cells = [
        (f"[line_{number}]", column, cell)
        for number, row in enumerate(rows, 1)
        for column, cell in zip(columns, row, strict=True)
    ]
    return MemoryGraph(cells, "table", rows=len(rows))


def row(name: str, relation: bool = False, degree: int = 1, value: bool = False) -> dict[str, object]:
    """What the look-up statement returns for one node."""
    form = normal_form(name)
    return {"form": form, "key": name, "name": name, "relation": relation, "degree": degree, "value": value}
