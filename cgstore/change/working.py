"""The facts that one change looks at and changes, within its transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cgstore.change.stated import AnyFact, FactKey, Kind, Said, key_of, shown
from cgstore.change.triples import (
    FactPlace,
    Identity,
    StoredTriple,
    read_facts,
    read_has,
    read_statements,
    relations_of,
    with_other_tails,
)
from cgstore.errors import BadInput
from cgstore.loaders.readers.records import Statement
from cgstore.model import TimeKey
from cgstore.text.dates import Moment
from cgstore.text.likeness import did_you_mean
from cgstore.text.names import owned_key, shared_key

if TYPE_CHECKING:
    from neo4j import Transaction

_KEYS = "MATCH (k:CgKey {source: $source}) RETURN k.key AS key"

_OPEN = """
MATCH (k:CgKey {key: $start})-[v:CG_VALUE]->()
WHERE (v.ends IS NOT NULL AND 'present' IN v.ends) OR (v.ends IS NULL AND NOT EXISTS {
  MATCH ()-[e:CG_VALUE {node1: $end, head: v.head}]->() WHERE e.condition = v.condition
})
RETURN DISTINCT v.condition AS fact
"""

_RELATIONS = "MATCH (r:CgRelation {source: $source}) RETURN r.name AS name"


class Working:
    """The facts of one source as a change finds them (`before`) and leaves them (`after`), by their names.

    The transaction has locked the source.
    """

    def __init__(self, tx: Transaction, kind: Kind) -> None:
        self.tx, self.kind = tx, kind
        self.before: dict[FactKey, dict[Said, AnyFact]] = {}
        self.after: dict[FactKey, dict[Said, AnyFact]] = {}
        self.triples: list[StoredTriple] = []
        self._keys: list[str] | None = None
        self._again: set[FactKey] = set()

    # Reading.

    def fetch(self, keys: Iterable[FactKey]) -> None:
        """Reads the facts of these names that were not read yet."""
        wanted = [key for key in dict.fromkeys(keys) if key not in self.before]
        of_place: dict[tuple[str, str], list[str]] = {}
        for key in wanted:
            of_place.setdefault(self._place(key.head, key.relation), []).append(shared_key(key.tail))
        self._take(wanted, read_facts(self.tx, [FactPlace(*place, tails) for place, tails in of_place.items()]))

    def find(self, head: str, relation: str | None = None, tail: str | None = None) -> list[AnyFact]:
        """The facts of a head, as the change leaves them so far: of a relation, with a tail, or all."""
        names = [relation] if relation is not None else relations_of(self.tx, self.kind.stored, self._head_key(head))
        if relation is not None and tail is not None:
            self.fetch([FactKey(head, relation, tail)])
        else:
            places = [FactPlace(*self._place(head, name), None) for name in names]
            found = read_facts(self.tx, places)
            self._take([FactKey(head, each.name1, each.name2) for each in found], found)
        of_head = (fact for key, facts in self.after.items() if key.head == head for fact in facts.values())
        return [fact for fact in of_head if relation in (None, fact.relation) and tail in (None, fact.tail)]

    def find_heads(self, heads: Iterable[tuple[str, str | None]]) -> None:
        """Reads all facts of many heads, each with a relation or of all relations."""
        wanted = dict.fromkeys(heads)
        places = [FactPlace(*self._place(head, relation), None) for head, relation in wanted if relation is not None]
        found = read_facts(self.tx, places)
        self._take([self._names(each) for each in found], found)
        for head, relation in wanted:
            if relation is None:
                self.find(head)

    def relations(self) -> list[str]:
        """The names of the relations of the source."""
        return [row["name"] for row in self.tx.run(_RELATIONS, source=self.kind.stored)]

    def _take(self, wanted: Iterable[FactKey], found: list[StoredTriple]) -> None:
        new = [
            triple for triple in found if FactKey(triple.condition[0], triple.name1, triple.name2) not in self.before
        ]
        facts = [(self._head_key(triple.condition[0]), *self._names(triple)) for triple in new]
        said = read_statements(self.tx, facts, self._source_keys())
        self.triples += [*new, *said]
        stated = self.kind.stated([*new, *said])
        for key in wanted:
            if key not in self.before:
                self.before[key] = {self.kind.said(fact): fact for fact in stated.get(key, ())}
                self.after[key] = dict(self.before[key])

    def _names(self, triple: StoredTriple) -> FactKey:
        return FactKey(triple.condition[0], triple.name1, triple.name2)

    def _source_keys(self) -> list[str]:
        if self._keys is None:
            self._keys = [row["key"] for row in self.tx.run(_KEYS, source=self.kind.stored)]
        return self._keys

    def _head_key(self, head: str) -> str:
        return owned_key(self.kind.stored, head) if self.kind.kind.has_rows else shared_key(head)

    def _place(self, head: str, relation: str) -> tuple[str, str]:
        return self._head_key(head), owned_key(self.kind.stored, relation)

    # Changing.

    def add(self, fact: AnyFact) -> bool:
        """Adds a fact, whose names were fetched; returns whether it is new.

        One whose qualifiers another fact of these names has all is not: it says nothing more.
        """
        fact = self.kind.cut(fact)
        facts, said = self.after[key_of(fact)], self.kind.said(fact)
        if said in facts or (isinstance(fact, Statement) and any(set(said) <= set(other) for other in facts)):
            return False
        if isinstance(fact, Statement):
            for less in [other for other in facts if set(other) < set(said)]:
                del facts[less]
        facts[said] = fact
        return True

    def remove(self, fact: AnyFact) -> None:
        """Removes a fact that was found."""
        del self.after[key_of(fact)][self.kind.said(fact)]

    def hold_until(self, now: Moment) -> None:
        """Has all open facts of the source hold until another day."""
        start, end = (owned_key(self.kind.stored, name) for name in (TimeKey.START, TimeKey.END))
        rows = self.tx.run(_OPEN, start=start, end=end).values()
        self.kind = replace(self.kind, now=now)
        self._again = {FactKey(*fact[:3]) for (fact,) in rows}
        self.fetch(self._again)

    def has(self, fact: AnyFact) -> bool:
        """Whether a fact, whose names were fetched, is there."""
        return self.kind.said(fact) in self.after[key_of(fact)]

    # The outcome.

    def edits(self) -> tuple[list[AnyFact], list[AnyFact]]:
        """The facts that were removed, and those that were added."""
        removed, added = list[AnyFact](), list[AnyFact]()
        for key, before in self.before.items():
            after = self.after[key]
            removed += [fact for said, fact in before.items() if said not in after]
            added += [fact for said, fact in after.items() if said not in before]
        return removed, added

    def changed(self) -> list[FactKey]:
        """The names of the facts that are changed."""
        return [
            key for key, before in self.before.items() if key in self._again or before.keys() != self.after[key].keys()
        ]

    def stored(self, changed: Sequence[FactKey]) -> tuple[list[StoredTriple], set[Identity]]:
        """The triples of some facts as they are in the graph, and which of them other facts need too."""
        names = set(changed)
        found = [triple for triple in self.triples if self._fact_of(triple) in names]
        places: dict[tuple[str, str], list[str]] = {}
        for key in changed:
            places.setdefault(self._place(key.head, key.relation), []).append(shared_key(key.tail))
        others = with_other_tails(self.tx, [FactPlace(*place, tails) for place, tails in places.items()])
        has = read_has(self.tx, places)
        return found + has, {triple.identity for triple in has if (triple.node1, triple.node2) in others}

    def _fact_of(self, triple: StoredTriple) -> FactKey:
        is_fact = len(triple.condition) == 1
        return self._names(triple) if is_fact else FactKey(*triple.condition[:3])


def nothing_like(working: Working, head: str, relation: str | None, tail: str | None) -> BadInput:
    """The error of a fact that is not there, with what is known of its head."""
    named = ", ".join(part for part in (head, relation, tail) if part is not None)
    source = working.kind.source.name
    known = [working.kind.record(fact) for fact in working.find(head)]
    if known:
        most = ", ".join(shown(record) for record in known[:3])
        more = f" and {len(known) - 3:,} more" if len(known) > 3 else ""
        return BadInput(f"Source '{source}' has no fact ({named}).", f"Of '{head}' it has {most}{more}.")
    hint = None
    if relation is not None and relation not in working.relations():
        hint = did_you_mean(relation, working.relations(), "")
    return BadInput(
        f"Source '{source}' has no fact ({named}): nothing begins with '{head}'.",
        f'Names are exact here: `cgstore map "{head}" --source {source}` finds the nearest. {hint or ""}'.rstrip(),
    )
