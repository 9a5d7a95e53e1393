"""Values from a column named after a source, which are searched in that source alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cgstore.query.ast import Argument, Literal
from cgstore.text.names import normal_form
from tests.query.interpreter_graph import Node
from tests.query.interpreter_search import Arguments, Comparison, Output


def led(a: Arguments, given: Mapping[str, Sequence[Argument]]) -> Arguments:
    """The arguments, the relation or key being of one source where what is sought under it leads to that."""
    for name, comparisons in (("tail", a.tail), ("value", a.value)):
        is_key = bool(given["key"]) and (name == "value" or not given["relation"])
        if not given["key" if is_key else "relation"]:
            continue
        if not isinstance(given["key" if is_key else "relation"][0].value, Literal):
            continue
        for comparison in comparisons:
            nodes = (
                (a.fact_keys or frozenset()) | (a.properties or frozenset()) if is_key else a.relations or frozenset()
            )
            source = leads_to(comparison, nodes)
            if source is None or not _has_the_other(a, given, is_key, source):
                continue
            if is_key:
                a = a._replace(fact_keys=_of(a.fact_keys, source), properties=_of(a.properties, source))
            else:
                a = a._replace(relations=_of(a.relations, source))
    return a


def _has_the_other(a: Arguments, given: Mapping[str, Sequence[Argument]], is_key: bool, source: str) -> bool:
    """Whether the source has the relation beside the key, or the key beside the relation, if one is given by name."""
    other = given["relation" if is_key else "key"]
    if not other or not isinstance(other[0].value, Literal):
        return True
    nodes = a.relations if is_key else (a.fact_keys or frozenset()) | (a.properties or frozenset())
    return any(node.owner == source for node in nodes or ())


def _of(nodes: frozenset[Node] | None, source: str) -> frozenset[Node] | None:
    return frozenset(node for node in nodes or () if node.owner == source) or None


def leads_to(comparison: Comparison, nodes: frozenset[Node]) -> str | None:
    """The only one of several sources that has these nodes which the columns of the values sought are named after."""
    sources = {node.owner for node in nodes}
    op, output = comparison.op, comparison.bound
    if op != "=" or not isinstance(output, Output) or not output.columns or len(sources) < 2:
        return None
    keys = {node.name for node in nodes}
    leads = {tuple(s for s in sources if is_named_after(column, keys, s)) for column in output.columns}
    only = leads.pop()
    return only[0] if not leads and len(only) == 1 else None


def is_named_after(column: str, keys: Iterable[str], source: str) -> bool:
    """Whether a column is named as a source is, in the singular or the plural, with or without a key's name behind."""
    words, name = normal_form(column), normal_form(source)
    stems = {words, *(words.removesuffix(f" {normal_form(key)}") for key in keys)}
    return any(stem == name or name in (f"{stem}s", f"{stem}es") or stem == f"{name}s" for stem in stems)
