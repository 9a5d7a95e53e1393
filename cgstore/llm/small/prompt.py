"""What the small model reads: a few lines of schema, the question, and the names of the question that the data have.

    # orders
    id!: 1001 | customer: miller | qty#: 4 | ordered~: 2024-04-05 | paid?: yes
    how many desk lamps did miller order?
    desk lamp @ item; miller @ customer
    >

    # careers, 1900 to 1990 by year
    position held: ann brandt > mayor of halden
    who was mayor of halden in 1926?
    mayor of halden < position held
    >

A relation is marked as an identifier (!), a quantity (#), a date (~), or yes or no (?); a line `@ since, role` has the
qualifiers of facts; `= orders.customer, customers.name` says that values of two columns are the same nodes. A name
stands with the columns that have it (@), or with the relations of which it is a head (>) or a tail (<). All is in lower
case and plain words, and the same text in training and in asking: the model writes these names, and `Prompt.program`
puts those of the graph in their place. The schema stands first, so that it stays in the model's cache.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cgstore.catalog.kinds import kind_named
from cgstore.llm.graph_view import GraphView, Outline, Relation
from cgstore.llm.joins import Join
from cgstore.llm.small.notation import TIME_KEYS, name_text, renamed
from cgstore.mapping.mentions import GRAMMAR_WORDS, Mention, is_quoted, words_of
from cgstore.model import ROW_NUMBER
from cgstore.query.ast import Call
from cgstore.text.columns import kind_of
from cgstore.text.names import in_words, local_name, normal_form
from cgstore.text.roles import Role, role_of

MOST_RELATIONS, CHOSEN_RELATIONS = 20, 10
"""Relations of a source in a prompt; of more, so many: around the names of the question, and most like its words."""

MOST_NAMES = 8
"""Names of the question in a prompt."""

MOST_PLACES = 5
"""Relations or columns shown of a name."""

FEW = 3
"""Values of a column that are all shown, if it has no more: a question may mean one of them by another word."""

LONGEST_EXAMPLE, LONGEST_NAME = 16, 60
"""Characters of an example, and of a name of the question."""

MARKS = {Role.IDENTIFIER: "!", Role.QUANTITY: "#", Role.DATE: "~", Role.YES_NO: "?"}

END = "\n>"
"""The line before the program."""

_SPACE = re.compile(r"\s+")
_BEFORE = re.compile(r" ([,.:;)\]'’%/-])")
_BEHIND = re.compile(r"([(\[/-]) ")


@dataclass(frozen=True)
class RelationView:
    """A relation in the prompt. `example` is the head and tail of a fact, or some values of a column."""

    name: str
    role: str = ""
    example: tuple[str, ...] = ()


@dataclass(frozen=True)
class SourceView:
    """A source: its relations (columns in their order), qualifiers, whether it has rows, its times in words."""

    name: str
    relations: tuple[RelationView, ...]
    qualifiers: tuple[str, ...] = ()
    has_rows: bool = False
    times: str = ""


@dataclass(frozen=True)
class NameView:
    """A name or time of the question: as it is said and as the graph has it, and the relations that have it."""

    name: str
    said: str
    as_head: tuple[str, ...] = ()
    as_tail: tuple[str, ...] = ()


@dataclass(frozen=True)
class Prompt:
    """The text in two parts, and for each name in it the graph's: of relations and qualifiers, sources, and entities.

    `schema` is the same for other questions over the same sources, as long as they have few relations. `said` has the
    words of the question for each name of an entity, `roles` the role of each relation; `only_rows`: all are tables.
    """

    schema: str
    asked: str
    relations: Mapping[str, str]
    sources: Mapping[str, str]
    values: Mapping[str, str]
    qualifiers: frozenset[str] = frozenset()
    said: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    only_rows: bool = False

    @property
    def text(self) -> str:
        """All of it."""
        return self.schema + self.asked

    def program(self, written: Call) -> Call:
        """A program of the model with the names that the graph has; those that the prompt lacks stay as they are."""
        return renamed(
            written,
            lambda name: self.relations.get(name, name),
            lambda name: self.sources.get(name, name),
            lambda text: self.values.get(text, text),
        )

    def check_names(self, written: Call) -> None:
        """Raises KeyError if a program of the model has a relation, qualifier or source that the prompt lacks."""
        known = {*self.relations, *TIME_KEYS, ROW_NUMBER}
        names = {name: name for name in known}
        renamed(written, names.__getitem__, self.sources.__getitem__, str)

    def shown(self, program: Call) -> Call:
        """A program over the graph in the names of the prompt, as the model is to write it.

        Raises:
            KeyError: the prompt lacks a relation, key or source of it.
        """
        relations = {name: shown for shown, name in self.relations.items()}
        relations |= {normal_form(name): shown for shown, name in self.relations.items()}
        relations |= {name: name for name in (*TIME_KEYS, ROW_NUMBER)} | {
            "start time": "start_time",
            "end time": "end_time",
        }
        sources = {name: shown for shown, name in self.sources.items()}
        values = {normal_form(name): shown for shown, name in self.values.items()}
        return renamed(
            program,
            lambda name: relations[name] if name in relations else relations[normal_form(name)],
            lambda name: sources[name],
            lambda text: values.get(normal_form(text)) or tidy(text),
        )


def column_example(role: str, values: Sequence[str]) -> tuple[str, ...]:
    """The values that stand beside a column, of its different ones in the order of the rows."""
    is_few = role in (Role.CATEGORY, Role.YES_NO) and len(values) <= FEW
    return tuple(values) if is_few else tuple(values[:1])


def tidy(text: str) -> str:
    """A text in lower case, with single blanks and none before punctuation."""
    plain = _SPACE.sub(" ", unicodedata.normalize("NFC", text).lower().strip())
    return _BEHIND.sub(r"\1", _BEFORE.sub(r"\1", plain)).replace("|", "/")


def plain_name(name: str) -> str:
    """The words of a relation's name: `directed by` for `directed_by`, `directedBy` and an IRI that ends so."""
    return tidy(in_words(local_name(name))) or tidy(name)


def make_prompt(
    question: str, sources: Sequence[SourceView], names: Sequence[NameView], joins: Iterable[Join] = ()
) -> Prompt:
    """The prompt for a question over some sources."""
    relations: dict[str, str] = {}
    shown_sources: dict[str, str] = {}
    blocks: list[str] = []
    around = relations_around(names)
    qualifiers: set[str] = set()
    for source in sources:
        kept = shown_relations([each.name for each in source.relations], question, around)
        chosen = [each for each in source.relations if each.name in kept]
        shown = [_named(relations, relation.name) for relation in chosen]
        keys = [_named(relations, key) for key in source.qualifiers]
        qualifiers.update(keys)
        blocks.append(
            _schema(source, _named(shown_sources, source.name, source_title(source.name)), chosen, shown, keys)
        )
    by_name = {name: shown for shown, name in relations.items()}
    of_source = {name: shown for shown, name in shown_sources.items()}
    for join in joins:
        sides = ((join.source, join.relation), (join.other_source, join.other_relation))
        if all(source in of_source and name in by_name for source, name in sides):
            blocks.append("= " + ", ".join(f"{of_source[source]}.{by_name[name]}" for source, name in sides))
    values: dict[str, str] = {}
    said = [text for each in names[:MOST_NAMES] if (text := _name(each, by_name, values, sources))]
    notes = f"\n{'; '.join(said)}" if said else ""
    asked = f"{tidy(question)}{notes}{END}"
    words = {tidy(each.name): each.said for each in names}
    roles = {by_name[each.name]: each.role for source in sources for each in source.relations if each.name in by_name}
    schema = "\n".join((*blocks, ""))
    only_rows = all(source.has_rows for source in sources)
    return Prompt(schema, asked, relations, shown_sources, values, frozenset(qualifiers), words, roles, only_rows)


def names_in(
    question: str, mentions: Iterable[Mention], places: Mapping[str, tuple[Sequence[str], Sequence[str]]]
) -> list[NameView]:
    """The names of a question: the longest mentions, none of which overlaps another or is but words of grammar.

    `mentions` are all that may be names or times; `places` has the relations of a node as head and as tail by its key.
    """
    known = [each for each in mentions if each.key in places or each.kind == "time"]
    taken: list[Mention] = []
    for each in sorted(known, key=lambda m: (-len(m.text), m.key not in places, m.how != "exact", m.start)):
        alike = [other for other in taken if each.start < other.end and other.start < each.end]
        same = len(alike) == 1 and (alike[0].start, alike[0].end) == (each.start, each.end) and each.key in places
        if (not alike or same) and _is_name(question, each):
            taken.append(each)
    views = []
    for each in sorted(taken, key=lambda m: m.start):
        as_head, as_tail = places.get(each.key, ((), ()))
        if as_head or as_tail or each.name != each.text:
            views.append(NameView(each.name, each.text, tuple(as_head), tuple(as_tail)))
    return list(dict.fromkeys(views))


def _is_name(question: str, mention: Mention) -> bool:
    words = [word.text.lower() for word in words_of(mention.text)]
    return any(word not in GRAMMAR_WORDS for word in words) or is_quoted(question, mention.start, mention.end)


def relations_around(names: Iterable[NameView]) -> set[str]:
    """The relations of which some names are heads or tails."""
    return {relation for each in names for relation in (*each.as_head, *each.as_tail)}


def shown_relations(relations: Sequence[str], question: str, around: Collection[str]) -> set[str]:
    """The relations of a source that are shown, those `around` the names of the question first."""
    if len(relations) <= MOST_RELATIONS:
        return set(relations)
    asked = [word for word in normal_form(question).split() if word not in GRAMMAR_WORDS]

    def likeness(relation: str) -> tuple[bool, float]:
        words = normal_form(in_words(relation)).split()
        shared = sum(any(alike(word, other) for other in asked) for word in words)
        return relation in around, shared / max(1, len(words)) ** 0.5

    return set(sorted(relations, key=likeness, reverse=True)[:CHOSEN_RELATIONS])


def alike(one: str, other: str) -> bool:
    """Whether two words begin alike, as forms of one word do."""
    shared = min(len(one), len(other))
    return one == other or (shared >= 4 and one[: max(4, shared - 2)] == other[: max(4, shared - 2)])


def source_title(name: str) -> str:
    """The words of a source's name, whose folders say nothing of what is in it; `table` where it has none."""
    title = plain_name(name.rpartition("/")[2])
    return title if any(map(str.isalpha, title)) else "table"


def _named(names: dict[str, str], name: str, plain: str = "") -> str:
    """A name in plain words; a number tells it from another one with the same words."""
    plain = shown = plain or plain_name(name)
    number = 1
    while names.setdefault(shown, name) != name:
        number += 1
        shown = f"{plain} {number}"
    return shown


def _schema(
    source: SourceView, name: str, chosen: Sequence[RelationView], shown: Sequence[str], keys: Sequence[str]
) -> str:
    parts = []
    for relation, text in zip(chosen, shown, strict=True):
        mark = MARKS.get(relation.role, "")  # type: ignore[call-overload]
        joint = "/" if source.has_rows else " > "
        example = joint.join(_cut(tidy(part), LONGEST_EXAMPLE) for part in relation.example if part)
        parts.append(f"{name_text(text)}{mark}{f': {example}' if example else ''}")
    times = f", {source.times}" if source.times else ""
    lines = [f"# {name}{times}", " | ".join(parts)]
    return "\n".join([*lines, f"@ {', '.join(map(name_text, keys))}"] if keys else lines)


def _name(each: NameView, by_name: Mapping[str, str], values: dict[str, str], sources: Sequence[SourceView]) -> str:
    """A name of the question with its places; empty if none of these is shown."""
    shown = tidy(each.name)
    if len(shown) > LONGEST_NAME:
        return ""
    values.setdefault(shown, each.name)
    if values[shown] != each.name:  # another node in other letters
        return ""
    only_rows = all(source.has_rows for source in sources)
    sides = []
    for sign, relations in ((">", each.as_head), ("@" if only_rows else "<", each.as_tail)):
        listed = [text for relation, text in by_name.items() if relation in relations]
        if listed:
            sides.append(f"{sign} {', '.join(map(name_text, listed[:MOST_PLACES]))}")
    said = tidy(each.said)
    if not sides:
        return f"{said} = {shown}" if said != shown else ""
    return " ".join([shown, *sides])


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    return text[:longest].rsplit(" ", 1)[0] if " " in text[:longest] else text[:longest]


# From the graph

MOST_SOURCES = 5
"""Sources in one prompt."""


def prompt_of(question: str, graph: GraphView) -> Prompt:
    """The prompt for a question, with the names and the relations of the sources that the view has."""
    names = names_of(question, graph)
    around = relations_around(names)
    views = []
    for outline in graph.outlines[:MOST_SOURCES]:
        kept = shown_relations([each.name for each in outline.relations], question, around)
        chosen = {place: each for place, each in enumerate(outline.relations) if each.name in kept}
        has_rows = kind_named(outline.kind).has_rows
        views.append((_table if has_rows else _facts)(outline, chosen, graph))
    return make_prompt(question, views, names, graph.joins())


def names_of(question: str, graph: GraphView) -> list[NameView]:
    """The names and times of a question, with the relations that have them."""
    mentions = graph.possible_mentions(question)
    keys = dict.fromkeys(each.key for each in mentions if each.kind != "relation")
    places = {key: around for key, around in graph.around(keys).items() if any(around)}
    return names_in(question, mentions, places)


def _table(outline: Outline, chosen: Mapping[int, Relation], graph: GraphView) -> SourceView:
    rows = graph.table_rows([outline.name])[outline.name]
    relations = []
    for place, relation in chosen.items():
        cells = rows.column(place)
        role = relation.role or str(role_of(cells, relation.kind or kind_of(cells), relation.name))
        filled = list(dict.fromkeys(cell for cell in cells if cell.strip()))
        relations.append(RelationView(relation.name, role, column_example(role, filled)))
    return SourceView(outline.name, tuple(relations), has_rows=True)


def _facts(outline: Outline, chosen: Mapping[int, Relation], graph: GraphView) -> SourceView:
    facts = graph.relation_facts([(outline.name, each.name) for each in chosen.values()])
    relations = []
    for relation in chosen.values():
        fact = facts.get((outline.name, relation.name))
        relations.append(RelationView(relation.name, relation.role, (fact.head, fact.tail) if fact else ()))
    first, last = graph.times.get(outline.name, ("", ""))
    times = times_text(first, last, outline.step) if outline.step and first else ""
    return SourceView(outline.name, tuple(relations), outline.keys, times=times)


def times_text(first: str, last: str, step: str) -> str:
    """The times of a source in words."""
    return f"{first} to {last} by {step}"
