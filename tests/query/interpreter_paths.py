"""heads and reach, as the language page defines them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cgstore.query.ast import Call, Literal
from tests.query import interpreter_functions as functions
from tests.query.interpreter_arguments import whole_number
from tests.query.interpreter_graph import Node
from tests.query.interpreter_search import Found, NoMeaning, Output, Search

if TYPE_CHECKING:
    from tests.query.interpreter import Interpreter


def heads(interpreter: Interpreter, call: Call) -> Output:
    """The heads that have a value under a relation, or all, of one source if it is named."""
    graph = interpreter.of_source(call) if call.given("source") else interpreter.graph
    given = call.given("relation")
    relations = replace(interpreter, graph=graph, every=interpreter).relations(given[0].value) if given else None
    every = graph.heads if relations is None else {head for head, relation in graph.has if relation in relations}
    return functions.nodes(sorted(every), rows=graph.of_tables(relations))


def reach(interpreter: Interpreter, call: Call) -> Output:
    """What one or more steps along a relation lead to from the heads, or to the tails."""
    ends = [argument for name in ("head_entity", "tail_entity") for argument in call.given(name)]
    if len(ends) != 1:
        raise NoMeaning("reach begins at heads or at tails")
    value, forward = ends[0].value, ends[0].name == "head_entity"
    relation = call.given("relation")[0].value
    relations = interpreter.relations(relation)
    if interpreter.graph.of_tables(relations):
        raise NoMeaning("a column leads nowhere")
    at_most = whole_number(call, "at_most", most=10) if call.given("at_most") else 10
    start = interpreter.heads(value) if forward else frozenset(functions.names_only(interpreter.operand(value)).nodes)
    # Only relations of graphs have paths; a name may be that of a column too.
    of_graphs = {relation for relation in relations if relation.owner not in interpreter.graph.tables}
    facts = Search(interpreter.graph).match(None, of_graphs)
    pairs = {(f.head, f.tail) if forward else (f.tail, f.head) for f in facts}
    reached, last = set[Node](), set(start)
    for _ in range(at_most):
        last = {end for begin, end in pairs if begin in last} - reached
        reached |= last
    found = functions.nodes(sorted(reached), rows=False)
    if not isinstance(value, Literal):
        found = replace(found, disordered=interpreter.operand(value).was_sorted)
    if forward:
        columns = frozenset(node.name for node in relations) if isinstance(relation, Literal) else None
        return replace(found, columns=columns, whose=interpreter.asked_of(value))
    named = tuple(map(Found, sorted(start))) if isinstance(value, Literal) else None
    return replace(found, found_by=named)
