"""Sources in memory, seen as the small model's prompt sees those of the graph: what training data are made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from cgstore.catalog.kinds import STATEMENTS, TABLE, TKG
from cgstore.evaluate.benchmarks.files import text_lines
from cgstore.evaluate.benchmarks.words import SourceFile
from cgstore.llm.joins import MAX_COLUMNS, Join, Joinable, Values, is_joinable, joined, values_of
from cgstore.llm.small.prompt import (
    NameView,
    Prompt,
    RelationView,
    SourceView,
    column_example,
    make_prompt,
    names_in,
    times_text,
)
from cgstore.loaders.readers.records import BadLine
from cgstore.loaders.readers.text import TextLoadOptions, read_text_table
from cgstore.loaders.table import relations
from cgstore.mapping.mentions import possible_mentions, word_spans
from cgstore.text.columns import kind_of
from cgstore.text.names import normal_form, owned_key
from cgstore.text.roles import Role, role_of

Places = tuple[set[str], set[str]]
"""The relations that have a name as head, and as tail."""


@dataclass
class MemorySource:
    """A source of one kind: its facts as head, relation, tail; of a table the head is the number of its row."""

    name: str
    kind: str
    facts: Sequence[tuple[str, str, str]]
    qualifiers: tuple[str, ...] = ()
    times: str = ""
    columns: tuple[str, ...] = ()
    places: dict[str, Places] = field(default_factory=dict)
    values: dict[str, Counter[str]] = field(default_factory=dict)
    first: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        is_table = self.kind == TABLE.name
        self.values = {column: Counter() for column in self.columns}
        for head, relation, tail in self.facts:
            self.values.setdefault(relation, Counter())[tail] += 1
            if not tail.strip():
                continue
            self.first[relation] = min(self.first.get(relation, (head, tail)), (head, tail))
            self.places.setdefault(tail, (set(), set()))[1].add(relation)
            if not is_table:
                self.places.setdefault(head, (set(), set()))[0].add(relation)

    @property
    def view(self) -> SourceView:
        """The source as prompts see it: columns in their order, other relations by name, as the graph has them."""
        names = self.columns or sorted(self.values)
        relations = tuple(RelationView(name, str(self.roles[name]), self._example(name)) for name in names)
        return SourceView(self.name, relations, tuple(sorted(self.qualifiers)), bool(self.columns), self.times)

    def _example(self, relation: str) -> tuple[str, ...]:
        if self.kind != TABLE.name:
            return self.first.get(relation, ())
        return column_example(self.roles[relation], [value for value in self.values[relation] if value.strip()])

    @cached_property
    def roles(self) -> dict[str, Role]:
        """What each relation is for."""
        return {name: role_of(counts, kind_of(list(counts)), name) for name, counts in self.values.items()}


class Memory:
    """Sources in memory that are asked together."""

    def __init__(self, sources: Sequence[MemorySource]) -> None:
        self.sources = list(sources)
        self._by_form: dict[str, dict[str, None]] = {}
        for source in sources:
            for name in source.places:
                self._by_form.setdefault(normal_form(name), {})[name] = None
        self._views = [source.view for source in sources]
        self._joins = _joins(self.sources)

    def prompt(self, question: str) -> Prompt:
        """The prompt for a question."""
        return make_prompt(question, self._views, self.names(question), self._joins)

    def names(self, question: str) -> list[NameView]:
        """The names of the sources in a question."""
        spans = word_spans(question)
        rows = [
            {"form": form, "key": name, "name": name, "relation": False, "value": False, "degree": 1, "alias": False}
            for form in spans
            for name in self._by_form.get(form, ())
        ]
        mentions = possible_mentions(question, spans, rows)
        return names_in(question, mentions, {each.key: self._places(each.key) for each in mentions if each.key in self})

    def __contains__(self, name: str) -> bool:
        return any(name in source.places for source in self.sources)

    def _places(self, name: str) -> tuple[list[str], list[str]]:
        found = [source.places[name] for source in self.sources if name in source.places]
        heads, tails = (sorted(set().union(*(places[side] for places in found))) for side in (0, 1))
        return heads, tails


def _joins(sources: Sequence[MemorySource]) -> list[Join]:
    """The columns that join sources, by the rule for those of the graph."""
    columns: list[Joinable] = []
    tails: list[Joinable] = []
    values: dict[str, Values] = {}
    for source in sources if len(sources) > 1 else ():
        some = [name for name, role in source.roles.items() if is_joinable("", role)][:MAX_COLUMNS]
        found = [Joinable(source.name, name, owned_key(source.name, name)) for name in some]
        (columns if source.kind == TABLE.name else tails).extend(found)
        for each in found:
            cells = source.values[each.name]
            if (of := values_of(cells, cells.total())).some:
                values[each.key] = of
    return joined(columns, tails, values)


def source_of(file: SourceFile) -> MemorySource:
    """A source of written questions."""
    if file.kind == TABLE.name:
        return read_table(file.name, file.path)
    facts = [line.split("\t") for _, line in text_lines(file.path)]
    keys = tuple(dict.fromkeys(key for fact in facts for key in fact[3::2])) if file.kind == STATEMENTS.name else ()
    now = str(file.options.get("now", ""))  # until which a fact without an end holds
    times = sorted(time or now for fact in facts for time in fact[3:5] if time or now) if file.kind == TKG.name else []
    span = times_text(times[0], times[-1], str(file.options.get("step", "year"))) if times else ""
    return MemorySource(file.name, file.kind, [(f[0], f[1], f[2]) for f in facts], keys, span)


def read_table(name: str, path: Path, escapes: bool | None = None) -> MemorySource:
    """A table of delimited text, with the rows and cells that a load keeps."""
    table = read_text_table(path, name, TextLoadOptions(header=True), escapes)
    cells = [[cell.strip() for cell in row.cells] for row in table.rows if not isinstance(row, BadLine)]
    return table_source(name, relations(table.columns), cells)


def table_source(name: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> MemorySource:
    """A table in memory."""
    facts = [(str(n), column, cell) for n, row in enumerate(rows, 1) for column, cell in zip(columns, row, strict=True)]
    return MemorySource(name, TABLE.name, facts, columns=tuple(columns))
