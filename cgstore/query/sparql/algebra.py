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

    def variables(self) -> set[Any]:
        """The variables that its triples, unions and values bind."""
        found = {term for triple in self.triples for term in (triple[0], triple[2]) if is_variable(term)}
        found |= {var for var, _ in self.values}
        return found.union(*(branch.variables() for union in self.unions for branch in union))


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
    node, order, limited, distinct = algebra.p, None, False, False
    while node.name in ("Slice", "Distinct", "Reduced", "Project", "OrderBy"):
        if node.name == "Slice":
            _check_slice(node)
            limited = node.length is not None
        distinct = distinct or node.name == "Distinct"
        if node.name == "OrderBy":
            order = _order(node.expr)
        node = node.p
    if algebra.datasetClause:
        raise NotConverted("FROM", "A logical form has no counterpart of FROM: choose the sources when it runs.")
    if len(algebra.PV) != 1:
        raise NotConverted("several columns", "A logical form gives one set, and this query selects several variables.")
    if limited and order is None:
        raise NotConverted("LIMIT without ORDER BY", "A logical form has no counterpart of LIMIT without ORDER BY.")
    counted = _counted(node) if node.name == "Extend" else None
    variable = counted[0] if counted else algebra.PV[0]
    group = Group()
    _collect(counted[1] if counted else node, group)
    return Select(group, variable, counted is not None, order if limited else None)


def _check_slice(node: Any) -> None:
    if node.start:
        raise NotConverted("OFFSET", "A logical form has no counterpart of OFFSET: it knows the first, not the second.")
    if node.length not in (None, 1):
        raise NotConverted("LIMIT n", f"A logical form has no counterpart of LIMIT {node.length}: only of LIMIT 1.")


def _order(conditions: list[Any]) -> tuple[Any, bool]:
    if len(conditions) > 1:
        raise NotConverted("several orders", "A logical form has no counterpart of an order by several values.")
    variable = cast_of(conditions[0].expr)
    if not is_variable(variable):
        raise NotConverted("order by an expression", "Only an order by the value of a variable has a counterpart.")
    return variable, conditions[0].order == "DESC"


def _counted(node: Any) -> tuple[Any, Any]:
    """The variable that is counted, and the patterns."""
    inner = node.p
    if inner.name != "AggregateJoin":
        raise NotConverted("expression", "A logical form has no counterpart of a computed column.")
    only = inner.A[0] if len(inner.A) == 1 else None
    if only is None or only.name != "Aggregate_Count" or inner.p.expr is not None or not is_variable(only.vars):
        raise NotConverted("aggregate", "Of the aggregates, only COUNT(DISTINCT ?x) has a counterpart.")
    if not only.distinct:
        raise NotConverted("aggregate", "Only COUNT(DISTINCT ?x) has a counterpart, and this COUNT is not DISTINCT.")
    return only.vars, inner.p.p


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
            raise NotConverted("sub-query", "A query within the query has no counterpart among logical forms.")
        case "LeftJoin":
            raise NotConverted("OPTIONAL", "OPTIONAL has no counterpart among logical forms.")
        case name:
            raise NotConverted(name, f"{name} has no counterpart among logical forms.")


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
