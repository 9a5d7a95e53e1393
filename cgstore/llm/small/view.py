"""The prompt of the small model for a question over the graph."""

from __future__ import annotations

from dataclasses import replace

from cgstore.llm.graph_view import GraphView, Outline
from cgstore.llm.small.prompt import (
    JoinView,
    NameView,
    Prompt,
    RelationView,
    SourceView,
    chosen_relations,
    column_example,
    make_prompt,
    names_in,
    relations_around,
)
from cgstore.source_kinds import kind_named
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
        relations = chosen_relations([RelationView(each.name) for each in outline.relations], question, around)
        kept = {each.name for each in relations}
        chosen = replace(outline, relations=tuple(each for each in outline.relations if each.name in kept))
        views.append(_table(chosen, graph) if kind_named(outline.kind).has_rows else _facts(chosen, graph))
    return make_prompt(question, views, names, _joins(graph) if len(views) > 1 else ())


def names_of(question: str, graph: GraphView) -> list[NameView]:
    """The names and times of a question, with the relations that have them."""
    mentions = graph.possible_mentions(question)
    links = graph.links(list(dict.fromkeys(each.key for each in mentions if each.kind != "relation")))
    places = {
        key: ([each.relation for each in found if each.as_head], [each.relation for each in found if not each.as_head])
        for key, found in links.items()
        if found
    }
    return names_in(question, mentions, places)


def _table(outline: Outline, graph: GraphView) -> SourceView:
    read = graph.table_rows([outline.name])[outline.name]
    of_all = [each.name for each in next(o for o in graph.outlines if o.name == outline.name).relations]
    relations = []
    for relation in outline.relations:
        cells = read.column(of_all.index(relation.name))
        role = relation.role or str(role_of(cells, relation.kind or kind_of(cells), relation.name))
        filled = list(dict.fromkeys(cell for cell in cells if cell.strip()))
        relations.append(RelationView(relation.name, role, column_example(role, filled)))
    return SourceView(outline.name, tuple(relations), has_rows=True)


def _facts(outline: Outline, graph: GraphView) -> SourceView:
    facts = graph.relation_facts([(outline.name, each.name) for each in outline.relations])
    relations = []
    for relation in outline.relations:
        fact = facts.get((outline.name, relation.name))
        example = (fact.head, fact.tail) if fact else ()
        relations.append(RelationView(relation.name, relation.role, example))
    return SourceView(outline.name, tuple(relations), outline.keys, times=_times(outline, graph))


def _joins(graph: GraphView) -> list[JoinView]:
    return [
        JoinView(each.source, each.relation, each.other_source, each.other_relation)
        for each in graph.joins()
        if each.other_relation
    ]


def _times(outline: Outline, graph: GraphView) -> str:
    first, last = graph.times.get(outline.name, ("", ""))
    return times_text(first, last, outline.step) if outline.step and first else ""


def times_text(first: str, last: str, step: str) -> str:
    """The times of a source in words."""
    return f"{first} to {last} by {step}"
