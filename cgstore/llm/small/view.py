"""The prompt of the small model for a question over the graph."""

from __future__ import annotations

from collections.abc import Mapping

from cgstore.catalog.kinds import kind_named
from cgstore.llm.graph_view import GraphView, Outline, Relation
from cgstore.llm.small.prompt import (
    NameView,
    Prompt,
    RelationView,
    SourceView,
    column_example,
    make_prompt,
    names_in,
    relations_around,
    shown_relations,
)
from cgstore.text.columns import kind_of
from cgstore.text.roles import role_of

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
