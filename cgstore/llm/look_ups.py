"""What an LLM that explores looks up in the graph: names that contain a text, values, rows and facts (read-only).

Every look is bounded, comes in an order that the data decide, and goes through an index. Texts are parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from cgstore.catalog.snapshot import FIND_ALIASES
from cgstore.cypher.connection import Database
from cgstore.llm.fact_view import NameLink, read_links
from cgstore.llm.table_view import read_cells, row_numbers
from cgstore.mapping.candidates import entity_candidates, relation_candidates
from cgstore.model import ROW_NUMBER, TimeKey
from cgstore.text.dates import Moment, Step, first, last, read_moment, time_name
from cgstore.text.kinds import ValueKind
from cgstore.text.names import normal_form, owned_key, relation_forms, shared_key, source_name

MAX_CONTAINING, LOOKED_AT = 20, 20_000
"""Names that contain a text, of entities and of relations, and names that full text looks at for them."""

MAX_ALIKE, MAX_NEAR = 8, 5
"""Entities, and relations, that are spelt like a text; names of relations offered for one that does not exist."""

MAX_LINKED, MAX_EXAMPLES, LONGEST_NAME = 500, 3, 1_000
"""Relations of a name as head, the other ends shown of each, and characters of one."""

MAX_VALUES, MAX_ODD, MAX_SAME = 20, 5, 3
"""The most frequent values shown of a relation, those shown that are read otherwise, and relations of one name."""

SCANNED = 100_000
"""Facts of one relation that are looked at."""

MAX_ROWS, MAX_FACTS = 10, 20
"""Rows of a table, and facts of a name, that are shown."""

LONGEST = 200
"""Characters of a name or cell."""

_EVER = 10**15
"""Steps to a time beyond all others."""

_CONTAINING = """
CALL db.index.fulltext.queryNodes('cg_node_text', $query, {limit: $looked_at}) YIELD node AS n
WHERE n.normal CONTAINS $form AND (
  EXISTS { (n)-[h:CG_HAS]->() WHERE h.source IN $sources } OR EXISTS { (n)<-[v:CG_VALUE]-() WHERE v.source IN $sources }
)
WITH left(n.name, $longest) AS name ORDER BY size(name), name
RETURN collect(name)[..$most] AS names, count(*) AS count
"""

_ALIASED = f"""{FIND_ALIASES}
UNWIND aliases AS alias
RETURN DISTINCT alias.name AS name ORDER BY name LIMIT $most
"""

_VALUES = """
CALL () {
  MATCH ()-[v:CG_VALUE {node1: $key}]->(c) USING INDEX SEEK v:CG_VALUE(node1, node2) WHERE v.node2 IS NOT NULL
  WITH v, c ORDER BY v.node1, v.node2 LIMIT $scanned
  RETURN v.num AS num, c.name AS name
}
WITH name, num WHERE $text = '' OR toLower(name) CONTAINS $text
WITH name, count(*) AS facts, max(num) AS num
WITH name, facts, num ORDER BY facts DESC, num, name
WITH collect({name: left(name, $longest), facts: facts, num: num}) AS each
RETURN size(each) AS different, reduce(all = 0, e IN each | all + e.facts) AS facts, each[..$most] AS top,
  [e IN each WHERE e.num IS NULL][..$odd] AS unread, size([e IN each WHERE e.num IS NULL]) AS more_unread,
  reduce(low = null, e IN each | CASE WHEN e.num < coalesce(low.num, e.num + 1) THEN e ELSE low END).name AS least,
  reduce(high = null, e IN each | CASE WHEN e.num > coalesce(high.num, e.num - 1) THEN e ELSE high END).name AS greatest
"""

_PERIODS = """
CALL () {
  MATCH ()-[p:CG_PERIOD {node1: $key}]->() USING INDEX SEEK p:CG_PERIOD(node1, head)
  WHERE p.head IS NOT NULL AND p.first <= $high AND p.last >= $low
  WITH p ORDER BY p.node1, p.head LIMIT $scanned
  RETURN p
}
RETURN count(p) AS periods, count(DISTINCT p.condition) AS facts, min(p.first) AS first, max(p.last) AS last
"""

_LINES = """
CALL () {
  UNWIND $columns AS column
  CALL (column) {
    MATCH ()-[v:CG_VALUE {node1: column}]->(c) USING INDEX SEEK v:CG_VALUE(node1, node2) WHERE v.node2 IS NOT NULL
    WITH v, c ORDER BY v.node1, v.node2 LIMIT $scanned
    WITH v, c WHERE toLower(c.name) CONTAINS $text
    RETURN v.head AS line
  }
  RETURN DISTINCT line
}
MATCH (l:CgNode {key: line}) USING INDEX SEEK l:CgNode(key)
WITH l.num AS number ORDER BY number
WITH collect(toInteger(number)) AS numbers
RETURN [n IN numbers WHERE n >= $first][..$most] AS numbers, size(numbers) AS count
"""

_FACTS = """
UNWIND $relations AS relation
CALL (relation) {
  MATCH ()-[v:CG_VALUE {node1: relation.key, head: $key}]->(t) USING INDEX SEEK v:CG_VALUE(node1, head)
  WITH v, t.name AS tail, true AS as_head ORDER BY tail LIMIT $most
  RETURN v, tail, as_head
  UNION
  MATCH ()-[v:CG_VALUE {node1: relation.key, node2: $key}]->(t) USING INDEX SEEK v:CG_VALUE(node1, node2)
  WITH v, t.name AS tail, false AS as_head ORDER BY v.head LIMIT $most
  RETURN v, tail, as_head
}
WITH relation, v, tail, as_head WHERE size(v.condition) = 1
MATCH (h:CgNode {key: v.head}) USING INDEX SEEK h:CgNode(key)
CALL (relation, v, tail) {
  UNWIND [key IN $qualifiers WHERE key.source = relation.source] AS key
  MATCH ()-[q:CG_VALUE {node1: key.key, head: v.head}]->(x) USING INDEX SEEK q:CG_VALUE(node1, head)
  WHERE q.relation = relation.name AND q.condition[2] = tail
  WITH q.condition AS statement, key.name AS key, left(x.name, $longest) AS value
  ORDER BY size(statement), statement, key, value LIMIT $most
  WITH statement, collect([key, value]) AS qualifiers
  WITH collect(qualifiers) AS statements
  UNWIND CASE WHEN statements = [] THEN [[]] ELSE statements END AS qualifiers
  RETURN qualifiers
}
RETURN h.name AS head, relation.name AS relation, tail, as_head, qualifiers
ORDER BY as_head DESC, relation, head, tail LIMIT $most
"""


@dataclass(frozen=True)
class Found:
    """The names that a text finds.

    Args:
        containing: the shortest entities that contain it; `count` is how many do.
        relations: those that contain it.
        like: entities that are spelt like it, the nearest first; `relations_like` likewise.
        others: other things, by a number or a word.
        aliased: what it is an alias of.
    """

    containing: tuple[str, ...]
    count: int
    relations: tuple[str, ...]
    like: tuple[str, ...] = ()
    relations_like: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    aliased: tuple[str, ...] = ()


@dataclass(frozen=True)
class Values:
    """The values of a relation or qualifier of one source.

    Args:
        relation, source: their names.
        kind: what its values are read as; empty: text.
        facts: how many facts were looked at; `is_cut`: there may be more.
        different: how many different values they have.
        top: the most frequent values, each with the number of its facts.
        least, greatest: by number or time; empty if nothing is read so.
        unread: values that are not read as `kind`; `more_unread` counts all of them.
        periods: how many periods were looked at, where times are kept so; `different` and `top` are empty then.
    """

    relation: str
    source: str
    kind: str = ""
    facts: int = 0
    is_cut: bool = False
    different: int = 0
    top: tuple[tuple[str, int], ...] = ()
    least: str = ""
    greatest: str = ""
    unread: tuple[str, ...] = ()
    more_unread: int = 0
    periods: int | None = None


@dataclass(frozen=True)
class Fact:
    """A fact with its qualifiers: keys and values."""

    head: str
    relation: str
    tail: str
    qualifiers: tuple[tuple[str, str], ...]


class LookUps:
    """Looks into some sources (stored names), whose relations and qualifiers `GraphView` has read."""

    def __init__(self, db: Database, sources: Sequence[str], owned: Sequence[dict[str, Any]]) -> None:
        self._db, self._sources = db, list(sources)
        self._relations = [row for row in owned if not row["is_key"]]
        nodes = dict[str, dict[str, Any]]()
        for row in owned:  # a relation may be a qualifier too
            nodes.setdefault(row["key"], {**row, "periods": row["step"] is not None and row["name"] == TimeKey.TIME})
        self._owned = list(nodes.values())

    def find(self, text: str) -> Found:
        """The names that contain a text, without regard to case, accents and punctuation, or are spelt like it."""
        form = normal_form(text)
        words = [word for word in form.split() if word.replace("_", "").isalnum()]
        found: dict[str, Any] = {"names": [], "count": 0}
        if words:
            given = {"query": " AND ".join(f"*{word}*" for word in words), "form": form, "looked_at": LOOKED_AT}
            given |= {"sources": self._sources, "longest": LONGEST, "most": MAX_CONTAINING}
            found = self._db.read(_CONTAINING, given)[0]
        names = tuple(dict.fromkeys([*self._within_periods(text), *found["names"]]))[:MAX_CONTAINING]
        relations = dict.fromkeys(row["name"] for row in self._owned if form and form in normal_form(row["name"]))
        like = entity_candidates(self._db, [text], self._sources, top=MAX_ALIKE)[0]
        relations_like = relation_candidates(text, self._relations, top=MAX_ALIKE)
        aliased = self._db.read(_ALIASED, {"said": [form], "most": MAX_ALIKE})
        return Found(
            names,
            max(found["count"], len(names)),
            tuple(relations)[:MAX_CONTAINING],
            tuple(dict.fromkeys(each.name for each in like if not each.another)),
            tuple(dict.fromkeys(each.name for each in relations_like if not each.another)),
            tuple(dict.fromkeys(each.name for each in like if each.another)),
            tuple(row["name"] for row in aliased),
        )

    def links_of(self, name: str) -> Sequence[NameLink]:
        """How the entity of this exact name is linked, with an end more than are shown; empty if there is none."""
        key, shown = shared_key(name), MAX_EXAMPLES + 1
        links = read_links(self._db, self._sources, [key], most=MAX_LINKED, shown=shown, longest=LONGEST_NAME)
        return links[key]

    def values_of(self, relation: str, contains: str = "") -> list[Values]:
        """The values of the relations and qualifiers of a name, of each source that has it; empty if there is none.

        Of times that are kept as periods it counts the periods; `contains` may be a time at which they hold.
        """
        found = []
        for node in self._named(relation)[:MAX_SAME]:
            if node["periods"]:
                found.append(self._periods(node, contains))
            if not (node["periods"] and node["is_key"]):
                found.append(self._values(node, contains))
        return found

    def relations_like(self, name: str) -> list[str]:
        """The names of relations and qualifiers that are like one that does not exist."""
        found = relation_candidates(name, self._owned, top=MAX_NEAR)
        return list(dict.fromkeys(candidate.name for candidate in found))

    def rows(
        self, source: str, columns: Sequence[str], count: int, first: int = 1, contains: str = ""
    ) -> tuple[dict[int, tuple[str, ...]], int]:
        """Rows of a table (its stored name) by their numbers, from `first` on, and how many there are.

        `count` is how many the table has; `contains` keeps to rows with a cell that has a text in it, in any case.
        """
        keys = [owned_key(source, column) for column in columns]
        if not contains:
            place = owned_key(source, ROW_NUMBER)
            numbers = row_numbers(self._db, [place], first, MAX_ROWS).get(place, [])
        else:
            given = {"columns": keys, "text": contains.lower(), "first": first, "most": MAX_ROWS, "scanned": SCANNED}
            found = self._db.read(_LINES, given)[0]
            numbers, count = found["numbers"], found["count"]
        lines = {number: owned_key(source, f"[line_{number}]") for number in numbers}
        cells = read_cells(self._db, [{"columns": keys, "lines": list(lines.values())}])
        return {number: tuple(cells.get((key, line), "") for key in keys) for number, line in lines.items()}, count

    def facts_of(self, name: str, relation: str) -> list[Fact]:
        """The facts of a name under a relation, as head and as tail: at most `MAX_FACTS`, and one if there are more.

        A fact with several statements is given once for each.
        """
        timed = {node["source"] for node in self._owned if node["is_key"] and node["name"] == TimeKey.START}
        qualifiers = [
            node  # without all the times between start and end
            for node in self._owned
            if node["is_key"] and not (node["name"] == TimeKey.TIME and node["source"] in timed)
        ]
        given = {"relations": self._named(relation), "key": shared_key(name), "qualifiers": qualifiers}
        read = self._db.read(_FACTS, given | {"most": MAX_FACTS + 1, "longest": LONGEST})
        facts = (
            Fact(row["head"], row["relation"], row["tail"], tuple(tuple(each) for each in row["qualifiers"]))
            for row in read
        )
        return list(dict.fromkeys(facts))

    def _values(self, node: dict[str, Any], contains: str) -> Values:
        given = {"key": node["key"], "text": contains.lower(), "scanned": SCANNED, "longest": LONGEST}
        row = self._db.read(_VALUES, given | {"most": MAX_VALUES, "odd": MAX_ODD})[0]
        found = Values(
            node["name"],
            source_name(node["source"]),
            facts=row["facts"],
            is_cut=row["facts"] >= SCANNED,
            different=row["different"],
            top=tuple((each["name"], each["facts"]) for each in row["top"]),
        )
        if node["kind"] in (None, ValueKind.TEXT):
            return found
        return replace(
            found,
            kind=str(node["kind"]),
            least=row["least"] or "",
            greatest=row["greatest"] or "",
            unread=tuple(each["name"] for each in row["unread"]),
            more_unread=row["more_unread"],
        )

    def _periods(self, node: dict[str, Any], contains: str) -> Values:
        step, moment = Step(node["step"]), read_moment(contains.strip())
        row = self._read_periods(node, moment)
        least, greatest = (time_name(row[end], step) if row["periods"] else "" for end in ("first", "last"))
        return Values(
            node["name"],
            source_name(node["source"]),
            facts=row["facts"],
            is_cut=row["periods"] >= SCANNED,
            least=least,
            greatest=greatest,
            periods=row["periods"],
        )

    def _read_periods(self, node: dict[str, Any], moment: Moment | None) -> dict[str, Any]:
        """The number of periods, of facts, and the first and the last time; of those at a moment, if it is given."""
        step = Step(node["step"])
        low, high = (first(moment, step), last(moment, step)) if moment else (-_EVER, _EVER)
        return self._db.read(_PERIODS, {"key": node["key"], "low": low, "high": high, "scanned": SCANNED})[0]

    def _within_periods(self, text: str) -> list[str]:
        """The time that a text names exactly, if it lies within a period: it may have no node then."""
        moment = read_moment(text.strip())
        if moment is None:
            return []
        keys = [node for node in self._owned if node["periods"] and node["step"] == moment.step]
        found = any(self._read_periods(node, moment)["periods"] for node in keys)
        return [time_name(first(moment, moment.step), moment.step)] if found else []

    def _named(self, name: str) -> list[dict[str, Any]]:
        """Returns the nodes with a name, exactly or else in any case and punctuation."""
        exact = [node for node in self._owned if node["name"] == name]
        return exact or [node for node in self._owned if relation_forms(node["name"]) & relation_forms(name)]
