"""TrustUQA's Table 1: each combination of get_information's arguments, rewritten into searches.

h, r, t, k, v stand for head_entity, relation, tail_entity, key and value. One row a rule, with what the rule answers.
The combinations that the paper leaves out are defined by the same logic: the answer is the part of the fact that is not
given, and where all parts are given, the head if the fact holds. With a time key, k and v are about the whole fact
[h, r, t] (the language page's rules T1 and T2), and with a qualifier likewise; with any other key, they are about a
property of the head.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from cgstore.query.operands import AnyRelation, Comparison, FactPattern, Operand
from cgstore.query.operators import SearchCondition, SearchHead, SearchNode, SearchRelation, SetOperation, Step


@dataclass(frozen=True)
class SearchArguments:
    """The arguments of one get_information; tail and value are empty where not given.

    `of_facts`: the key is a qualifier, or with `time_key` one of the built-in ones, and is about whole facts.
    `further` is what else is said in the same statement.
    `any_relation` stands where a rule needs a relation and none is given: all, or those that read their values alike.
    """

    head: Operand | None = None
    relation: Operand | None = None
    tail: tuple[Comparison, ...] = ()
    key: Operand | None = None
    value: tuple[Comparison, ...] = ()
    of_facts: bool = False
    time_key: bool = False
    any_relation: Operand = field(default_factory=AnyRelation)
    further: tuple[SearchCondition, ...] = ()

    @property
    def letters(self) -> str:
        """Which arguments are present, as a subset of `hrtkv` in that order."""
        present = (self.head, self.relation, self.tail, self.key, self.value)
        return "".join(letter for letter, argument in zip("hrtkv", present, strict=True) if argument)

    @property
    def h(self) -> Operand:
        """The head of a rule that has one."""
        return _present(self.head)

    @property
    def r(self) -> Operand:
        """The relation of a rule that has one."""
        return _present(self.relation)

    @property
    def k(self) -> Operand:
        """The key of a rule that has one."""
        return _present(self.key)

    @property
    def holds(self) -> SearchCondition:
        """The facts that hold at the time asked: search_condition(K, V)."""
        return SearchCondition(self.k, self.value, further=self.further)

    @property
    def relation_and_tail(self) -> SearchCondition:
        """The heads whose tail under the relation is so."""
        return SearchCondition(self.r, self.tail)

    @property
    def any_and_tail(self) -> SearchCondition:
        """The heads that have the tail under any relation."""
        return SearchCondition(self.any_relation, self.tail)


def _present(operand: Operand | None) -> Operand:
    assert operand is not None, "a rule applies only where its arguments are present"
    return operand


Emit = Callable[[Step], Operand]
"""Adds a step before the rule's own and gives its output as an operand."""

Rule = Callable[[SearchArguments, Emit], Step]


def _both(emit: Emit, *steps: Step | Operand) -> SetOperation:
    """What two searches, or a name and a search, have in common."""
    return SetOperation("set_intersection", tuple(s if isinstance(s, Operand) else emit(s) for s in steps))


def _under(relation: Operand, heads: Operand, *, covalues: bool = False) -> SearchNode:
    """The values of heads under a relation or key."""
    return SearchNode(relation, condition=heads, covalues=covalues)


def _head_if(g: SearchArguments, emit: Emit, *searches: SearchCondition) -> Step:
    return _both(emit, g.h, *searches)


def _values_of_facts(g: SearchArguments, emit: Emit) -> Step:
    """The times, or the qualifier's values, of the facts that agree with the parts given (T1)."""
    relation = g.relation or (g.any_relation if g.tail else None)
    return SearchNode(g.k, condition=FactPattern(g.head, relation, g.tail), further=g.further)


def _relations_that_link(g: SearchArguments, head: Operand, scope: SearchCondition | None = None) -> SearchRelation:
    return SearchRelation(head, g.tail, scope, g.any_relation)


RULES: dict[str, Rule] = {
    "h": lambda g, emit: SearchHead(g.h),  # the relations and keys that the head has
    "r": lambda g, emit: SearchNode(g.r),  # all tails under the relation
    "t": lambda g, emit: g.any_and_tail,  # the heads that have the tail under any relation
    "hr": lambda g, emit: _under(g.r, g.h, covalues=True),  # the tails of the head under the relation
    "ht": lambda g, emit: _relations_that_link(g, g.h),  # the relations that link head and tail
    "rt": lambda g, emit: g.relation_and_tail,  # the heads whose tail under the relation is so
    "hrt": lambda g, emit: _head_if(g, emit, g.relation_and_tail),  # the head, if the fact holds
    "k": lambda g, emit: SearchNode(g.k),  # all values under the key
    "hk": lambda g, emit: _under(g.k, g.h, covalues=True),  # the head's values under the key
    "tk": lambda g, emit: SearchCondition(g.k, g.tail),  # the heads whose value under the key is so
    "kv": lambda g, emit: g.holds,  # the heads whose value under the key is so
    "v": lambda g, emit: SearchCondition(g.any_relation, g.value),  # the heads that have the value under any key
    "rv": lambda g, emit: SearchCondition(g.r, g.value),  # the heads whose tail under the relation is so
    # the keys under which the head has the value
    "hv": lambda g, emit: SearchRelation(g.h, g.value, relations=g.any_relation),
    # the head, if its tail under the relation is so
    "hrv": lambda g, emit: _head_if(g, emit, SearchCondition(g.r, g.value)),
    # the values under the key of the heads that have the relation
    "rk": lambda g, emit: _under(g.k, emit(SearchCondition(g.r))),
    # the values under the key of the head's tails
    "hrk": lambda g, emit: _under(g.k, emit(_under(g.r, g.h, covalues=True)), covalues=True),
    # the head, if its value under the key is so
    "htk": lambda g, emit: _head_if(g, emit, SearchCondition(g.k, g.tail)),
    "hkv": lambda g, emit: _head_if(g, emit, g.holds),
    # the values under the key of the heads whose tail is so
    "rtk": lambda g, emit: _under(g.k, emit(g.relation_and_tail)),
    # the tails of the heads whose value under the key is so
    "rkv": lambda g, emit: _under(g.r, emit(g.holds)),
    # the heads whose tail is so and whose value under the key is so
    "rtkv": lambda g, emit: _both(emit, g.relation_and_tail, g.holds),
    "tkv": lambda g, emit: _both(emit, g.any_and_tail, g.holds),
    # the tails of the head, if its value under the key is so
    "hrkv": lambda g, emit: _under(g.r, emit(_head_if(g, emit, g.holds))),
    # the head's values under the key, if the fact holds
    "hrtk": lambda g, emit: _under(g.k, emit(_head_if(g, emit, g.relation_and_tail))),
    # the relations that link head and tail, if the head's value under the key is so
    "htkv": lambda g, emit: _relations_that_link(g, emit(_head_if(g, emit, g.holds))),
    # the head, if the fact holds and its value under the key is so
    "hrtkv": lambda g, emit: _both(emit, g.h, _both(emit, g.relation_and_tail, g.holds)),
}
"""The rules without a key, or with a key that is a property of the head."""

FACT_RULES: dict[str, Rule] = {
    # T1: the times or qualifiers of the facts that agree with what is given
    **dict.fromkeys(("hk", "rk", "tk", "hrk", "htk", "rtk", "hrtk"), _values_of_facts),
    "k": lambda g, emit: SearchNode(g.k, further=g.further),  # all values under the key
    # T2: the missing part of the facts that hold then, or are qualified so
    "kv": lambda g, emit: replace(g.holds, heads=not g.time_key),  # the facts; for a qualifier, their heads
    # the head's facts; for a qualifier, the head if it has one
    "hkv": lambda g, emit: replace(g.holds, condition=FactPattern(head=g.head), heads=not g.time_key),
    "rkv": lambda g, emit: SearchCondition(g.r, scope=g.holds),  # the heads of the relation's facts
    "tkv": lambda g, emit: replace(g.any_and_tail, scope=g.holds),  # the heads of the facts with the tail
    "hrkv": lambda g, emit: SearchNode(g.r, condition=g.head, scope=g.holds),  # the tails of the head
    "rtkv": lambda g, emit: replace(g.relation_and_tail, scope=g.holds),  # the heads whose tail is so
    "htkv": lambda g, emit: _relations_that_link(g, g.h, g.holds),  # the relations that link head and tail
    # the head, if the fact holds then
    "hrtkv": lambda g, emit: _head_if(g, emit, replace(g.relation_and_tail, scope=g.holds)),
}
"""The rules with a key of facts."""


def translate(given: SearchArguments, emit: Emit) -> Step | None:
    """The step that answers these arguments, or None where no rule fits (nothing is given)."""
    rule = (FACT_RULES if given.of_facts else RULES).get(given.letters)
    return rule(given, emit) if rule else None
