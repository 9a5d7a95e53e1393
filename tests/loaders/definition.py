"""The condition triples of statements and of one temporal fact, as the design defines them.

A source is a set of triples. A load makes the same set in a faster way (`fact_stage`,
`tkg_stage`): tests compare both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cgstore.loaders.readers.records import Statement
from cgstore.loaders.tkg_stage import Fact
from cgstore.model import ConditionTriple, Node, Role, TimeKey
from cgstore.text.dates import Moment, Step, first, last, time_name

Pairs = frozenset[tuple[str, str]]
"""A set of qualifiers: pairs of a key and a value."""


def condition_triples(statements: Iterable[Statement], source: str) -> Iterator[ConditionTriple]:
    """`(h, r, [])`, `(r, t, [h])`, and `(q, v, [h, r, t])` for each qualifier; of statement i >= 2, [h, r, t, #i]."""
    facts: dict[tuple[str, str, str], list[Statement]] = {}
    for statement in statements:
        facts.setdefault(statement[:3], []).append(statement)
    for stated in facts.values():
        head = Node(stated[0].head, stated[0].head_role, source if stated[0].head_role.owned else None)
        relation = Node(stated[0].relation, Role.RELATION, source)
        yield ConditionTriple(head, relation)
        for tail in {Node(statement.tail, statement.tail_role) for statement in stated}:
            yield ConditionTriple(relation, tail, (head,))
        fact = (head, relation, Node(stated[0].tail, stated[0].tail_role))
        for number, pairs in enumerate(sets_of_qualifiers([frozenset(each.qualifiers) for each in stated]), 1):
            condition = (*fact, Node(f"#{number}", Role.VALUE)) if number > 1 else fact
            for key, value in pairs:
                yield ConditionTriple(Node(key, Role.KEY, source), Node(value, Role.VALUE), condition)


def sets_of_qualifiers(stated: Iterable[Pairs]) -> list[Pairs]:
    """The statements of a fact: its sets of qualifiers in their order, but those that another one contains.

    If all qualifiers have one key, they are one set.
    """
    sets = list(dict.fromkeys(stated))
    union = frozenset(pair for pairs in sets for pair in pairs)
    if len({key for key, _ in union}) <= 1:
        return [union]
    return [pairs for pairs in sets if not any(pairs < other for other in sets)]


def is_open(fact: Fact, file: Iterable[Fact]) -> bool:
    """Whether a fact of a file still holds: it says so, or it has no end where another fact of the file has one."""
    return fact.is_open or (not fact.has_end and any(_shows_ends(other) for other in file))


def _shows_ends(fact: Fact) -> bool:
    return (fact.has_end or fact.is_open) and not fact.is_interval


def temporal_triples(
    fact: Fact, source: str, step: Step = Step.YEAR, now: Moment | None = None
) -> Iterator[ConditionTriple]:
    """Those of the fact (h, r, t, from, to).

    `(h, r, [])`, `(r, t, [h])`, `(start time, from, [h, r, t])`, `(end time, to, [h, r, t])`, and
    `(time, y, [h, r, t])` for every y in from..to, which is none if the fact ends before it starts. A `from` or `to`
    that is less exact than the step stays as it is: by day, the fact (h, r, t, 1985, 1986) has the times 1985-01-01 to
    1986-12-31, the start time 1985 and the end time 1986. An open fact has no end time. It holds from its start until
    `now`, or at its start if that is later; None for a fact that is not open.
    """
    head, tail = Node(fact.head, Role.ENTITY), Node(fact.tail, Role.ENTITY)
    relation = Node(fact.relation, Role.RELATION, source)
    start, end = first(fact.start, step), last(fact.end, step)
    if now is not None:
        end = last(now, step) if start <= last(now, step) else last(fact.start, step)
    condition = (head, relation, tail)

    def at(key: TimeKey, time: str) -> ConditionTriple:
        return ConditionTriple(Node(key.value, Role.KEY, source), Node(time, Role.VALUE), condition)

    yield ConditionTriple(head, relation)
    yield ConditionTriple(relation, tail, (head,))
    yield at(TimeKey.START, fact.start.cut(step).name)
    if now is None:
        yield at(TimeKey.END, fact.end.cut(step).name)
    for number in range(start, end + 1):
        yield at(TimeKey.TIME, time_name(number, step))
