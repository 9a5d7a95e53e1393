"""SPARQL text -> the patterns of its WHERE clause, by rdflib's parser and algebra."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from cgstore.errors import BadInput

XSD = "http://www.w3.org/2001/XMLSchema#"

MAX_LENGTH = 100_000
"""Most characters of a query."""

_WORD_OR = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|<[^<>\s]*>|\#[^\n]*)|\bOR\b""", re.IGNORECASE)


class NotConverted(BadInput):
    """A SPARQL query that has no counterpart among logical forms.

    Attributes:
        kind: what stands in the way, as a class: `OFFSET`, `cycle` ...
    """

    def __init__(self, kind: str, message: str, hint: str | None = None) -> None:
        super().__init__(message, hint)
        self.kind = kind


@dataclass
class Group:
    """The parts of one group of patterns: all of them hold for one solution."""

    triples: list[tuple[Any, Any, Any]] = field(default_factory=list)
    filters: list[Any] = field(default_factory=list)
    unions: list[list[Group]] = field(default_factory=list)
    minus: list[Group] = field(default_factory=list)
    values: list[tuple[Any, list[Any]]] = field(default_factory=list)
    binds: dict[Any, Any] = field(default_factory=dict)
    queries: list[Aggregate] = field(default_factory=list)

    def variables(self) -> set[Any]:
        """The variables that its triples, unions, values and the queries within it bind."""
        found = {term for triple in self.triples for term in (triple[0], triple[2]) if is_variable(term)}
        found |= {var for var, _ in self.values} | {query.alias for query in self.queries}
        return found.union(*(branch.variables() for union in self.unions for branch in union))


@dataclass(frozen=True)
class Aggregate:
    """`SELECT (MAX(?v) AS ?alias) WHERE {...}`; also MIN and COUNT(DISTINCT ?v)."""

    function: str
    variable: Any
    alias: Any
    group: Group


@dataclass(frozen=True)
class Select:
    """A query: the group, the variable that answers, and what is done with its solutions.

    Attributes:
        count: whether the number of its values is asked.
        order: the variable by which the first solution is taken, and whether the greatest value is first.
    """

    group: Group
    variable: Any
    count: bool = False
    order: tuple[Any, bool] | None = None


def read_select(text: str) -> Select:
    """The parts of a SELECT query. `OR` between conditions, as in the published queries, is read as `||`.

    Raises:
        BadInput: it is not SPARQL, or rdflib is not installed.
        NotConverted: it has something that no logical form has.
    """
    if len(text) > MAX_LENGTH:
        raise BadInput(f"The query has {len(text):,} characters; at most {MAX_LENGTH:,} are read.")
    try:
        from rdflib.plugins.sparql.algebra import translateQuery
        from rdflib.plugins.sparql.parser import parseQuery
    except ImportError as error:
        raise BadInput("Reading SPARQL needs rdflib.", "pip install 'cgstore[rdf]'") from error
    standard = in_standard_words(text)
    try:
        with _as_written():
            algebra = translateQuery(parseQuery(standard), initNs={"xsd": XSD}).algebra
    except RecursionError as error:
        raise BadInput("The SPARQL query is nested too deep.") from error
    except Exception as error:  # the parser of rdflib raises its own exceptions, and bare ones
        raise BadInput(f"This is not a SPARQL query that rdflib reads: {' '.join(str(error).split())[:300]}") from error
    if algebra.name != "SelectQuery":
        raise NotConverted("not SELECT", "Only SELECT queries have a counterpart among logical forms.")
    return _select(algebra)


def in_standard_words(text: str) -> str:
    """A query with `||` in the place of `OR`, which the published queries write as Virtuoso lets them."""
    return _WORD_OR.sub(lambda match: match[1] or "||", text)


_settings = threading.Lock()


@contextmanager
def _as_written() -> Iterator[None]:
    """Literals keep their text, and rdflib does not warn of `"1961"^^xsd:dateTime`, as the published queries write."""
    import rdflib

    logger = logging.getLogger("rdflib.term")
    with _settings:
        normalized, disabled = rdflib.NORMALIZE_LITERALS, logger.disabled
        rdflib.NORMALIZE_LITERALS, logger.disabled = False, True
        try:
            yield
        finally:
            rdflib.NORMALIZE_LITERALS, logger.disabled = normalized, disabled


def _select(algebra: Any) -> Select:
    node, order, limited = algebra.p, None, False
    while node.name in ("Slice", "Distinct", "Reduced", "Project", "OrderBy"):
        if node.name == "Slice":
            _check_slice(node)
            limited = node.length is not None
        if node.name == "OrderBy":
            order = _order(node.expr)
        node = node.p
    if algebra.datasetClause:
        raise NotConverted("FROM", "FROM has no counterpart.", "Choose the sources when the form runs.")
    if len(algebra.PV) != 1:
        raise NotConverted(
            "several columns", "A logical form gives one set, and this query selects several variables.", "Select one."
        )
    if limited and order is None:
        raise NotConverted(
            "LIMIT without ORDER BY",
            "LIMIT without ORDER BY has no counterpart among logical forms.",
            "Leave LIMIT out; `cgstore query --limit` cuts the answers.",
        )
    ordered = order if limited else None
    if node.name != "Extend" or node.var != algebra.PV[0]:
        return Select(_group(node), algebra.PV[0], order=ordered)
    counted = _aggregate(node)
    if counted.function != "COUNT":
        raise NotConverted(
            "aggregate",
            f"{counted.function} as the answer has no counterpart among logical forms.",
            "ORDER BY ?v LIMIT 1 has: it becomes ARGMAX or ARGMIN.",
        )
    return Select(counted.group, counted.variable, True, ordered)


def _check_slice(node: Any) -> None:
    if node.start:
        raise NotConverted("OFFSET", "OFFSET has no counterpart: a logical form knows the first, not the second.")
    if node.length not in (None, 1):
        raise NotConverted("LIMIT n", f"LIMIT {node.length} has no counterpart among logical forms, only LIMIT 1.")


def _order(conditions: list[Any]) -> tuple[Any, bool]:
    if len(conditions) > 1:
        raise NotConverted("several orders", "ORDER BY several values has no counterpart.", "Order by one.")
    variable = cast_of(conditions[0].expr)
    if not is_variable(variable):
        raise NotConverted("order by an expression", "ORDER BY has a counterpart only with a variable.")
    return variable, conditions[0].order == "DESC"


_AGGREGATES = {"Aggregate_Count": "COUNT", "Aggregate_Max": "MAX", "Aggregate_Min": "MIN"}


def _aggregate(node: Any) -> Aggregate:
    """The one aggregate that a query selects."""
    inner = node.p
    if inner.name == "Filter" and inner.p.name == "AggregateJoin":
        raise NotConverted("aggregate", "HAVING has no counterpart among logical forms.")
    if inner.name != "AggregateJoin":
        raise NotConverted("expression", "A computed column has no counterpart.", "Select a variable.")
    if inner.p.expr is not None:
        raise NotConverted("aggregate", "GROUP BY has no counterpart among logical forms.")
    only = inner.A[0] if len(inner.A) == 1 else None
    function = _AGGREGATES.get(only.name) if only else None
    if only is None or function is None or not is_variable(only.vars):
        raise NotConverted("aggregate", "Of the aggregates, only COUNT(DISTINCT ?x) has a counterpart.")
    if function == "COUNT" and not only.distinct:
        raise NotConverted("aggregate", "COUNT without DISTINCT has no counterpart.", "Write COUNT(DISTINCT ?x).")
    return Aggregate(function, only.vars, node.var, _group(inner.p.p))


def _collect(node: Any, group: Group) -> None:
    """Adds the parts of a node of the algebra to a group."""
    match node.name:
        case "BGP":
            group.triples += node.triples
        case "Join":
            _collect(node.p1, group)
            _collect(node.p2, group)
        case "Filter":
            _collect(node.p, group)
            group.filters += conjuncts(node.expr)
        case "Union":
            group.unions.append([_group(branch) for branch in _branches(node)])
        case "Minus":
            _collect(node.p1, group)
            group.minus.append(_group(node.p2))
        case "ToMultiSet" if node.p.name == "values":
            group.values.append(_values(node.p.res))
        case "ToMultiSet":
            group.queries.append(_query_within(node.p))
        case "Extend":
            _collect(node.p, group)
            group.binds[node.var] = node.expr
        case name:
            keyword = _KEYWORDS.get(name, name)
            raise NotConverted(keyword, f"{keyword} has no counterpart among logical forms.", _HINTS.get(keyword))


_KEYWORDS = {"LeftJoin": "OPTIONAL", "Graph": "GRAPH", "ServiceGraphPattern": "SERVICE", "AggregateJoin": "GROUP BY"}
_HINTS = {
    "OPTIONAL": "Leave it out if the answer does not need it.",
    "GRAPH": "Write its patterns without GRAPH, and choose the sources when the form runs.",
    "SERVICE": "Load what it gives, and choose the sources when the form runs.",
}


def _query_within(node: Any) -> Aggregate:
    """A query within the query, which must be an aggregate."""
    if node.name == "Project" and len(node.PV) == 1 and node.p.name == "Extend" and node.p.var == node.PV[0]:
        return _aggregate(node.p)
    raise NotConverted(
        "sub-query",
        "Of the queries within { SELECT ... }, only those of one MAX, MIN or COUNT(DISTINCT ?x) have a counterpart.",
        "Write the patterns of the inner query in the outer one.",
    )


def _group(node: Any) -> Group:
    group = Group()
    _collect(node, group)
    return group


def _branches(node: Any) -> Iterator[Any]:
    if node.name == "Union":
        yield from _branches(node.p1)
        yield from _branches(node.p2)
    else:
        yield node


def _values(rows: list[dict[Any, Any]]) -> tuple[Any, list[Any]]:
    variables = {var for row in rows for var in row}
    if len(variables) != 1 or any(value == "UNDEF" for row in rows for value in row.values()):
        raise NotConverted("VALUES", "VALUES has a counterpart only with one variable, and without UNDEF.")
    (variable,) = variables
    return variable, [row[variable] for row in rows]


def exists_group(expr: Any) -> Group:
    """The group of an EXISTS or NOT EXISTS, which rdflib leaves as it is parsed."""
    from rdflib.plugins.sparql.algebra import translateGroupGraphPattern

    node = expr.graph
    return _group(translateGroupGraphPattern(node) if node.name == "GroupGraphPatternSub" else node)


def conjuncts(expr: Any) -> list[Any]:
    """The conditions that `&&` joins."""
    if getattr(expr, "name", None) != "ConditionalAndExpression":
        return [expr]
    return [each for part in (expr.expr, *expr.other) for each in conjuncts(part)]


def is_variable(term: Any) -> bool:
    """Whether a term is a variable, or a blank node, which is one without a name."""
    from rdflib.term import BNode, Variable

    return isinstance(term, Variable | BNode)


def cast_of(expr: Any) -> Any:
    """What an expression casts: `?v` for `xsd:float(?v)` and `str(?v)`; other expressions as they are."""
    name = getattr(expr, "name", None)
    if name == "Function" and str(expr.iri).startswith(XSD) and len(expr.expr) == 1:
        return expr.expr[0]
    return expr.arg if name == "Builtin_STR" else expr


def operand_of(expr: Any) -> Any:
    """An operand of a comparison: what it casts, or a number with its sign."""
    from rdflib.term import Literal

    if getattr(expr, "name", None) == "UnaryMinus" and isinstance(expr.expr, Literal):
        return Literal(f"-{expr.expr}", datatype=expr.expr.datatype)
    return cast_of(expr)
