"""What readers make of an input: statements, temporal facts and aliases; and what a statement means in triples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cgstore.model import ConditionTriple, Node, Role
from cgstore.text.dates import Moment

PLAIN = '""'
"""Stands for nothing among what follows the texts of literals: a list of one empty text is nothing to the importer."""


class QualifierTerms(NamedTuple):
    """What RDF says of a qualifier beside its texts: the IRIs of its key and value, each empty where there is none.

    `suffix` is what follows the text of a literal in N-Triples (see `literal_suffix`), None of any other value.
    """

    key: str = ""
    value: str = ""
    suffix: str | None = None


class Statement(NamedTuple):
    """A fact (head, relation, tail) with its qualifiers, as the input states it.

    `head_role` is LINE for a row of a table and ENTITY for all else; `tail_role` is VALUE for a cell, a literal or a
    property. `datatype` and `language` are those of an RDF literal, `iris` the IRIs of head, relation and tail, each
    empty where there is none. `terms` says the same of the qualifiers: one for each, or none at all. `line` is the
    statement's line in the input, from 1.
    """

    head: str
    relation: str
    tail: str
    qualifiers: tuple[tuple[str, str], ...] = ()
    head_role: Role = Role.ENTITY
    tail_role: Role = Role.ENTITY
    datatype: str = ""
    language: str = ""
    iris: tuple[str, str, str] = ("", "", "")
    terms: tuple[QualifierTerms, ...] = ()
    line: int = 0


class Fact(NamedTuple):
    """A temporal fact as its line states it; `end` is `start` where the file leaves it out, and `has_end` is false."""

    head: str
    relation: str
    tail: str
    start: Moment
    end: Moment
    line: int = 0
    has_end: bool = True


class Alias(NamedTuple):
    """Another name of a node, and the node's own."""

    alias: str
    name: str


def literal_suffix(datatype: str, language: str) -> str:
    """What follows a literal's text in N-Triples, the IRI without its brackets; `PLAIN` for a plain one."""
    if language:
        return f"@{language}"
    return f"^^{datatype}" if datatype else PLAIN


def condition_triples(statement: Statement, source: str) -> Iterator[ConditionTriple]:
    """The condition triples of one statement, as the design defines them.

    `(h, r, [])`, `(r, t, [h])`, and `(q, v, [h, r, t])` for each qualifier. A source is the set of the triples of its
    statements. This is the definition that the faster way of a load (`cgstore.loaders.fact_stage`) is held against.
    """
    owner = source if statement.head_role.owned else None
    head = Node(statement.head, statement.head_role, owner)
    relation = Node(statement.relation, Role.RELATION, source)
    tail = Node(statement.tail, statement.tail_role)
    yield ConditionTriple(head, relation)
    yield ConditionTriple(relation, tail, (head,))
    for key, value in statement.qualifiers:
        yield ConditionTriple(Node(key, Role.KEY, source), Node(value, Role.VALUE), (head, relation, tail))
