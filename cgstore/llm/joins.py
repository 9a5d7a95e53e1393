"""Which columns join tables with other sources: those whose values are the same nodes there (read-only, bounded).

`joined` is the rule, over values that were read: of the graph here, of sources in memory in `cgstore.finetune.memory`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from cgstore.cypher.connection import Database
from cgstore.text.columns import is_missing
from cgstore.text.names import name_of_key, normal_form, source_name, spaced
from cgstore.text.roles import NUMBERING, Role

MAX_SOURCES = 20
"""Sources whose joins are worked out; of more, there are none."""

MAX_COLUMNS = 30
"""Columns of a source, or relations, that are looked at."""

MAX_FACTS = 1_000
"""Cells of a column that are read for its values; where it has more, it is looked into for the values of others."""

MAX_VALUES, FEW = 200, 20
"""Values of a column that are compared with those of others; of these, some are looked for before all are."""

LEAST_SHARE = 0.2
"""Share of the values, at least, that join."""

_JOINING = (Role.IDENTIFIER, Role.LABEL, Role.CATEGORY)

_VALUES = """
UNWIND $keys AS key
CALL (key) {
  MATCH ()-[v:CG_VALUE]->() USING INDEX SEEK v:CG_VALUE(node1, head)
  WHERE v.node1 = key AND v.head >= ''
  RETURN v.node2 AS value LIMIT $most
}
RETURN key, collect(DISTINCT value) AS values, count(*) AS facts
"""

_LOOK = """
UNWIND $asked AS asked
UNWIND asked.others AS other
CALL (asked, other) {
  UNWIND asked.values AS value
  CALL (other, value) {
    %s
    RETURN 1 AS one LIMIT 1
  }
  RETURN count(one) AS shared
}
WITH asked, other, shared WHERE shared > 0
RETURN asked.key AS key, other, shared
"""

_SHARED = _LOOK % "MATCH ()-[v:CG_VALUE {node1: other, node2: value}]->() USING INDEX SEEK v:CG_VALUE(node1, node2)"

# An entity has one such relationship for each of its relations.
_HEADS = (
    _LOOK
    % "MATCH (n:CgNode {key: value})-[h:CG_HAS]->(:CgRelation) USING INDEX SEEK n:CgNode(key) WHERE h.source = other"
)

Pair = tuple[str, str]
"""The keys of a column and of what it may join."""


class Joinable(NamedTuple):
    """A column of a table, or a relation of a graph by its tails: the stored name of its source, its own, its key."""

    source: str
    name: str
    key: str


class Values(NamedTuple):
    """The keys of values of a column: all of those that were read, and some to compare.

    `whole`: it has no others. `is_unique`: each stands in one fact.
    """

    every: frozenset[str]
    some: list[str]
    whole: bool
    is_unique: bool


def values_of(keys: Iterable[str], facts: int, whole: bool = True) -> Values:
    """The values with these keys, each once, without blanks; `facts` have them."""
    every = list(keys)
    values = [value for value in every if not is_missing(name_of_key(value))]
    return Values(frozenset(values), values[:MAX_VALUES], whole, len(every) == facts)


@dataclass(frozen=True)
class Join:
    """A column of a table whose values another source has: `shared` of the `of` values that were looked at.

    They are values of `other_relation` there. Where it is empty, they are heads of facts of a graph.
    """

    source: str
    relation: str
    other_source: str
    other_relation: str
    shared: int
    of: int

    def __str__(self) -> str:
        other = (
            f"{self.other_source}.{self.other_relation}" if self.other_relation else f"the heads of {self.other_source}"
        )
        return f"{self.source}.{self.relation} = {other} ({self.shared:,} of {self.of:,} values)"


def is_joinable(kind: str, role: str) -> bool:
    """Whether a column may join; where no role is known, one of texts."""
    return role in _JOINING if role else not kind


def read_joins(
    db: Database, columns: Sequence[Joinable], tails: Sequence[Joinable], graphs: Sequence[str]
) -> list[Join]:
    """The joins of columns of tables with each other, with tails of graphs' relations, and with heads of graphs.

    The ones with the greatest share come first; two columns join once.
    """
    values = _values_of(db, [each.key for each in (*columns, *tails)])
    some = {column.key: values[column.key].some for column in columns if column.key in values}
    by_key = {column.key: column for column in columns}
    of_heads = _in_two_looks(db, _HEADS, some, [(key, graph) for key in some for graph in graphs])
    heads = [Join(*_called(by_key[key]), source_name(graph), "", *counts) for (key, graph), counts in of_heads.items()]
    found = joined(columns, tails, values, lambda pairs: _in_two_looks(db, _SHARED, some, pairs))
    return sorted([*found, *heads], key=_rank)


def joined(
    columns: Sequence[Joinable],
    tails: Sequence[Joinable],
    values: Mapping[str, Values],
    look: Callable[[Sequence[Pair]], Mapping[Pair, tuple[int, int]]] = lambda pairs: {},
) -> list[Join]:
    """The joins of columns with those of other sources, the ones with the greatest share first; two join once.

    `values` has those of both by their keys; what has none is left out. `look` counts shared values of pairs of keys
    whose second has more values than were read, and of how many.
    """
    by_key = {each.key: each for each in (*columns, *tails)}
    pairs = [
        (column.key, other)
        for column in columns
        if column.key in values
        for other in values
        if column.source != by_key[other].source and _may_join(column, by_key[other], values[column.key].some)
    ]
    counts = {
        (key, other): (len(values[other].every.intersection(values[key].some)), len(values[key].some))
        for key, other in pairs
        if values[other].whole
    }
    counts |= look([pair for pair in pairs if not values[pair[1]].whole])
    found: dict[frozenset[str], Join] = {}
    # Of two columns that join both ways, the one that repeats the values of the other comes first.
    for key, other in sorted(counts, key=lambda pair: values[pair[1]].is_unique):
        shared, of = counts[key, other]
        join, pair = Join(*_called(by_key[key]), *_called(by_key[other]), shared, of), frozenset((key, other))
        if _are_enough(shared, of) and (pair not in found or _share(found[pair]) <= _share(join)):
            found[pair] = join
    return sorted(found.values(), key=_rank)


def _called(column: Joinable) -> tuple[str, str]:
    return source_name(column.source), column.name


def _share(join: Join) -> float:
    return join.shared / join.of


def _rank(join: Join) -> tuple[float, int, str]:
    return -_share(join), -join.shared, str(join)


def _values_of(db: Database, keys: Sequence[str]) -> dict[str, Values]:
    """The values of columns, by the keys of these, without blanks; a column without any is left out."""
    rows = db.read(_VALUES, {"keys": list(keys), "most": MAX_FACTS}) if keys else []
    found = {row["key"]: values_of(row["values"], row["facts"], row["facts"] < MAX_FACTS) for row in rows}
    return {key: values for key, values in found.items() if values.some}


def _in_two_looks(
    db: Database, statement: str, values: Mapping[str, Sequence[str]], pairs: Sequence[Pair]
) -> dict[Pair, tuple[int, int]]:
    """How many values of a column another place has, and of how many, where these are enough; looks for a few first."""
    found: dict[Pair, tuple[int, int]] = {}
    for most in (FEW, MAX_VALUES):
        asked = [
            {"key": key, "values": values[key][:most], "others": [other for _, other in of_key]}
            for key, of_key in groupby(pairs, itemgetter(0))
        ]
        rows = db.read(statement, {"asked": asked}) if asked else []
        counts = {(row["key"], row["other"]): (row["shared"], min(most, len(values[row["key"]]))) for row in rows}
        found = {pair: each for pair, each in counts.items() if _are_enough(*each)}
        pairs = sorted(found)
    return found


def _are_enough(shared: int, of: int) -> bool:
    return shared >= min(2, of) and shared >= LEAST_SHARE * of


def _may_join(column: Joinable, other: Joinable, values: Sequence[str]) -> bool:
    """Whether two columns may have the same things: numbers are the same only where the names of the columns say so."""
    if not all(map(str.isdecimal, values)):
        return True
    own, others = _things(column.name), _things(other.name)
    return not (own.isdisjoint(others | _things(other.source)) and others.isdisjoint(own | _things(column.source)))


def _things(name: str) -> set[str]:
    """The words of a name without plurals, and without those that only say that something is numbered."""
    return {word.removesuffix("s") for word in normal_form(spaced(source_name(name))).split()} - NUMBERING
