"""What is in a source: its relations or columns, examples of them, its times, and programs to begin with (read-only).

All looks are bounded: by index seeks, and by the cells of tables that are read (`cgstore.llm.table_view`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cgstore.catalog.kinds import kind_named
from cgstore.cypher.connection import Database
from cgstore.embedding.vectors import as_words
from cgstore.llm.fact_view import RelationFacts
from cgstore.llm.graph_view import GraphView, Outline, Relation
from cgstore.llm.joins import Join
from cgstore.llm.table_view import TableRows, column_values
from cgstore.model import Source, SourceState, TimeKey
from cgstore.query import build as q
from cgstore.query.ast import Call
from cgstore.text.kinds import ValueKind
from cgstore.text.names import in_words, is_nameless, many

EXAMPLES = 3
"""Values shown of a column."""

LONGEST_NAME = 60
"""Characters of a name in an example question."""


@dataclass(frozen=True)
class RelationDescription:
    """A relation, a column of a table, or a qualifier of facts.

    Args:
        name: its name.
        kind: what its values are read as (see `cgstore.text.kinds`).
        role: what they are for (see `cgstore.text.roles`); empty where none is kept.
        facts: how many facts, or cells of a table, it has.
        example: one of them: head, relation, value. Empty for a column.
        values: some values of a column, the most frequent first.
        different: how many different values a column has in the rows that were read.
        missing: how many cells of these rows are empty or stand for nothing.
        least, greatest: its first and last value, where values are numbers or times.
    """

    name: str
    kind: str
    facts: int = 0
    example: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    different: int = 0
    missing: int = 0
    least: str = ""
    greatest: str = ""
    role: str = ""


@dataclass(frozen=True)
class ExampleQuestion:
    """A question that a source can answer, with the program for it."""

    question: str
    program: str


@dataclass(frozen=True)
class SourceDescription:
    """What is in a source.

    Args:
        name, kind, facts, triples: as in `cgstore.model.Source`.
        relations: its relations, or the columns of a table in their order.
        qualifiers: the keys of its facts, without the built-in times.
        step, first, last: the step, the first and the last of its times, where its facts hold at times.
        rows: how many rows a table has; `read`: how many were read to describe its columns.
        examples: questions to begin with.
        is_cut: whether there are more relations or qualifiers.
        joins: what joins it with other sources, since they share values.
    """

    name: str
    kind: str
    facts: int
    triples: int
    relations: tuple[RelationDescription, ...] = ()
    qualifiers: tuple[RelationDescription, ...] = ()
    step: str = ""
    first: str = ""
    last: str = ""
    rows: int = 0
    read: int = 0
    examples: tuple[ExampleQuestion, ...] = ()
    is_cut: bool = False
    joins: tuple[Join, ...] = ()

    def __repr__(self) -> str:
        return f"<SourceDescription: '{self.name}' ({self.kind}), {self.size}>"

    def __str__(self) -> str:
        lines = [f"'{self.name}' ({self.kind}), {self.size}"]
        lines += [f"Times from {self.first} to {self.last}, by {self.step}"] if self.step else []
        for each in (*self.relations, *self.qualifiers):
            span = f"{each.least} to {each.greatest}" if each.greatest else " | ".join(each.values or each.example[-1:])
            lines.append(f"  {each.name} ({', '.join(filter(None, (each.kind, each.role)))}): {span}")
        lines += [f"Joins: {join}" for join in self.joins]
        return "\n".join([*lines, *(f"Ask: {each.question}" for each in self.examples)])

    @property
    def size(self) -> str:
        """How large it is, in the words of its kind: `6 rows, 5 columns`, `12 facts, 3 relations`, `13 aliases`."""
        kind = kind_named(self.kind)
        if not kind.has_facts:
            return f"{self.facts:,} {self.kind}"
        number, noun = (self.rows, "row") if kind.has_rows else (self.facts, "fact")
        width, relations = len(self.relations), kind.relations_noun
        more = " or more" if self.is_cut else ""
        counts = many(number, noun)
        return f"{counts}, {width:,}{more} {relations[:-1] if width == 1 else relations}"


def describe_sources(
    db: Database,
    sources: Sequence[str],
    listed: Sequence[Source],
    most: int | None = None,
    beside: Sequence[str] | None = None,
) -> list[SourceDescription]:
    """What is in some sources.

    Args:
        db: the database.
        sources: their stored names (see `cgstore.catalog.sources.ready_sources`).
        listed: the records of the graph's sources.
        most: most relations, and most qualifiers, of each source; None: all of them.
        beside: the stored names of these and other sources, among which joins are looked for; None: these.
    """
    records = {source.name: source for source in listed if source.state == SourceState.READY}
    graph = GraphView(db, sources)
    outlines = [_cut(outline, most) for outline in graph.outlines]
    owned = [(one.name, each) for one in outlines for each in (*(r.name for r in one.relations), *one.keys)]
    facts = graph.relation_facts(owned)
    numeric = [(one.name, each.name) for one in outlines for each in one.relations if each.kind]
    spans = graph.spans(numeric)
    tables = [one.name for one in outlines if kind_named(one.kind).has_rows]
    rows = graph.table_rows(tables) if tables else {}
    joins = graph.joins() if beside is None else GraphView(db, beside).joins()
    described = []
    for whole, one in zip(graph.outlines, outlines, strict=True):
        record, times = records[one.name], graph.times.get(one.name, ("", ""))
        relations = [
            _relation(each, facts.get((one.name, each.name)), spans.get((one.name, each.name)))
            for each in one.relations
        ]
        if read := rows.get(one.name):
            relations = [_column(each, read.column(place)) for place, each in enumerate(relations)]
        source = SourceDescription(
            name=one.name,
            kind=one.kind,
            facts=record.facts,
            triples=record.triples,
            relations=tuple(relations),
            qualifiers=tuple(_relation(Relation(key), facts.get((one.name, key)), None) for key in one.keys),
            step=one.step,
            first=times[0],
            last=times[1],
            rows=one.rows,
            read=len(read.rows) if read else 0,
            is_cut=one != whole,
            joins=tuple(join for join in joins if one.name in (join.source, join.other_source)),
        )
        examples = _of_table(source, read) if read else _of_graph(source, graph)
        described.append(replace(source, examples=tuple(examples)))
    return described


def _cut(outline: Outline, most: int | None) -> Outline:
    return replace(outline, relations=outline.relations[:most], keys=outline.keys[:most])


def _relation(relation: Relation, facts: RelationFacts | None, span: tuple[str, str] | None) -> RelationDescription:
    """A relation or a qualifier."""
    described = RelationDescription(relation.name, relation.kind or ValueKind.TEXT.value, role=relation.role)
    if facts:
        described = replace(described, facts=facts.count, example=(facts.head, relation.name, facts.tail))
    return replace(described, least=span[0], greatest=span[1]) if span else described


def _column(relation: RelationDescription, cells: Sequence[str]) -> RelationDescription:
    """A column of a table, with what its cells show."""
    values = column_values(cells)
    often = [value for value, _ in values.repeated]
    shown = tuple(dict.fromkeys([*often, *(cell for cell in cells if cell.strip())]))[:EXAMPLES]
    return replace(relation, example=(), values=shown, different=values.different, missing=values.missing)


def _of_table(source: SourceDescription, read: TableRows) -> list[ExampleQuestion]:
    """A cell of the row that a name stands in, the row with the greatest number, the rows with a frequent value."""
    texts = [each for each in source.relations if each.kind == ValueKind.TEXT]
    names = [each for each in texts if each.different == source.read and not each.missing] or texts
    if not names or not _is_short(*names[0].values):
        return []
    name = names[0]
    place = next(place for place, each in enumerate(source.relations) if each is name)
    numbers = [each for each in source.relations if each.greatest and each is not name]
    others = [*numbers, *(each for each in source.relations if each is not name and each.different)]
    frequent = [each for each in texts if each is not name and each.values and each.different < source.read]
    examples = []
    if others and (value := next(filter(_is_short, read.column(place)), "")):
        program = q.get_information(relation=others[0].name, key=name.name, value=value)
        examples.append(_example(f"What is the {others[0].name} of {value}?", program))
    if numbers:
        program = q.get_information(relation=name.name, key=numbers[0].name, value=q.at_least("max"))
        examples.append(_example(f"Which {name.name} has the greatest {numbers[0].name}?", program))
    if frequent and _is_short(value := frequent[0].values[0]):
        program = q.count(q.get_information(relation=frequent[0].name, tail_entity=value))
        examples.append(_example(f"How many rows have the {frequent[0].name} {value}?", program))
    return examples


def _of_graph(source: SourceDescription, graph: GraphView) -> list[ExampleQuestion]:
    """The tails of a head, the heads of a tail, and the heads at a time or a qualifier of the fact."""
    known = [each for each in source.relations if each.example and _is_telling(each.example[0], each.example[2])]
    if not known:
        return []
    frequent = max(known, key=lambda each: (each.kind == ValueKind.TEXT, each.facts))
    head, relation, tail = frequent.example
    said = f'"{in_words(as_words(relation))}"'
    examples = [
        _example(f"What does {head} have as {said}?", q.get_information(head_entity=head, relation=relation)),
        _example(f"What has {tail} as {said}?", q.get_information(relation=relation, tail_entity=tail)),
    ]
    qualified = [fact for fact in graph.look_ups.facts_of(head, relation) if fact.head == head and fact.qualifiers]
    if not qualified:
        return examples
    fact = qualified[0]
    key, value = fact.qualifiers[0]
    start = dict(fact.qualifiers).get(TimeKey.START.value)
    if source.step and start:
        program = q.get_information(relation=relation, tail_entity=fact.tail, key=TimeKey.TIME.value, value=start)
        examples.append(_example(f"What had {fact.tail} as {said} in {start}?", program))
    else:
        program = q.get_information(relation=relation, key=key, value=value)
        examples.append(_example(f"What has {said} with the {key} {value}?", program))
    return examples


def _example(question: str, program: Call) -> ExampleQuestion:
    return ExampleQuestion(question, q.text_of(program))


def _is_telling(head: str, tail: str) -> bool:
    """Whether a fact makes an example that people understand: a label tells nothing of its own entity."""
    return head != tail and _is_short(head, tail) and not (is_nameless(head) or is_nameless(tail))


def _is_short(*names: str) -> bool:
    return all(name.strip() and len(name) <= LONGEST_NAME for name in names)
