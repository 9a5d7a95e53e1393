"""TrustUQA's Table 1: each combination of get_information's arguments, rewritten into searches.

h, r, t, k, v stand for head_entity, relation, tail_entity, key and value. One function a rule. The combinations that
the paper leaves out are defined by the same logic: the answer is the part of the fact that is not given, and where all
parts are given, the head if the fact holds. With a time key, k and v speak of the whole fact [h, r, t] (the language
page's rules T1 and T2); with any other key, of a property of the head.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cgstore.query.execution import (
    AnyRelation,
    Comparison,
    FactPattern,
    Operand,
    SearchCondition,
    SearchHead,
    SearchNode,
    SearchRelation,
    SetFunction,
    SetOperation,
    Step,
)


@dataclass(frozen=True)
class Given:
    """The arguments of one get_information; tail and value are empty where not given."""

    head: Operand | None = None
    relation: Operand | None = None
    tail: tuple[Comparison, ...] = ()
    key: Operand | None = None
    value: tuple[Comparison, ...] = ()
    time_key: bool = False

    @property
    def letters(self) -> str:
        """Which arguments are present, as a subset of `hrtkv` in that order."""
        present = (self.head, self.relation, self.tail, self.key, self.value)
        return "".join(letter for letter, argument in zip("hrtkv", present, strict=True) if argument)

    @property
    def holds(self) -> SearchCondition:
        """The facts that hold at the time asked: search_condition(K, V)."""
        return SearchCondition(_present(self.key), self.value)


Emit = Callable[[Step], Operand]
"""Adds a step before the rule's own and gives its output as an operand."""

Rule = Callable[[Given, Emit], Step]
RULES: dict[str, Rule] = {}
TIME_RULES: dict[str, Rule] = {}


def translate(given: Given, emit: Emit) -> Step | None:
    """The step that answers these arguments, or None where no rule fits (nothing is given)."""
    rule = (TIME_RULES if given.time_key else RULES).get(given.letters)
    return rule(given, emit) if rule else None


def _rule(letters: str, table: dict[str, Rule]) -> Callable[[Rule], Rule]:
    def register(rule: Rule) -> Rule:
        table[letters] = rule
        return rule

    return register


def _present(operand: Operand | None) -> Operand:
    assert operand is not None, "a rule applies only where its arguments are present"
    return operand


def _both(emit: Emit, *steps: Step | Operand) -> SetOperation:
    operands = tuple(s if isinstance(s, Operand) else emit(s) for s in steps)
    return SetOperation(SetFunction.INTERSECTION, operands)


# Without a key, or with a key that is a property of the head --------------------------------------------------------


@_rule("h", RULES)
def head(g: Given, emit: Emit) -> Step:
    """The relations and keys that the head has."""
    return SearchHead(_present(g.head))


@_rule("r", RULES)
def relation(g: Given, emit: Emit) -> Step:
    """All tails under the relation."""
    return SearchNode(_present(g.relation))


@_rule("t", RULES)
def tail(g: Given, emit: Emit) -> Step:
    """The heads that have the tail under any relation."""
    return SearchCondition(AnyRelation(), g.tail)


@_rule("hr", RULES)
def head_relation(g: Given, emit: Emit) -> Step:
    """The tails of the head under the relation."""
    return SearchNode(_present(g.relation), condition=g.head)


@_rule("ht", RULES)
def head_tail(g: Given, emit: Emit) -> Step:
    """The relations that link head and tail."""
    return SearchRelation(_present(g.head), g.tail)


@_rule("rt", RULES)
def relation_tail(g: Given, emit: Emit) -> Step:
    """The heads whose tail under the relation is so."""
    return SearchCondition(_present(g.relation), g.tail)


@_rule("hrt", RULES)
def head_relation_tail(g: Given, emit: Emit) -> Step:
    """The head, if the fact holds."""
    return _both(emit, _present(g.head), SearchCondition(_present(g.relation), g.tail))


@_rule("k", RULES)
def key(g: Given, emit: Emit) -> Step:
    """All values under the key."""
    return SearchNode(_present(g.key))


@_rule("hk", RULES)
def head_key(g: Given, emit: Emit) -> Step:
    """The head's values under the key."""
    return SearchNode(_present(g.key), condition=g.head)


@_rule("tk", RULES)
def tail_key(g: Given, emit: Emit) -> Step:
    """The heads whose value under the key is so."""
    return SearchCondition(_present(g.key), g.tail)


@_rule("kv", RULES)
def key_value(g: Given, emit: Emit) -> Step:
    """The heads whose value under the key is so."""
    return SearchCondition(_present(g.key), g.value)


@_rule("v", RULES)
def value(g: Given, emit: Emit) -> Step:
    """The heads that have the value under any key."""
    return SearchCondition(AnyRelation(), g.value)


@_rule("rv", RULES)
def relation_value(g: Given, emit: Emit) -> Step:
    """The heads whose tail under the relation is so."""
    return SearchCondition(_present(g.relation), g.value)


@_rule("hv", RULES)
def head_value(g: Given, emit: Emit) -> Step:
    """The keys under which the head has the value."""
    return SearchRelation(_present(g.head), g.value)


@_rule("hrv", RULES)
def head_relation_value(g: Given, emit: Emit) -> Step:
    """The head, if its tail under the relation is so."""
    return _both(emit, _present(g.head), SearchCondition(_present(g.relation), g.value))


@_rule("rk", RULES)
def relation_key(g: Given, emit: Emit) -> Step:
    """The values under the key of the heads that have the relation."""
    heads = emit(SearchCondition(_present(g.relation)))
    return SearchNode(_present(g.key), condition=heads)


@_rule("hrk", RULES)
def head_relation_key(g: Given, emit: Emit) -> Step:
    """The values under the key of the head's tails."""
    tails = emit(SearchNode(_present(g.relation), condition=g.head))
    return SearchNode(_present(g.key), condition=tails)


@_rule("htk", RULES)
def head_tail_key(g: Given, emit: Emit) -> Step:
    """The head, if its value under the key is so."""
    return _both(emit, _present(g.head), SearchCondition(_present(g.key), g.tail))


@_rule("hkv", RULES)
def head_key_value(g: Given, emit: Emit) -> Step:
    """The head, if its value under the key is so."""
    return _both(emit, _present(g.head), SearchCondition(_present(g.key), g.value))


@_rule("rtk", RULES)
def relation_tail_key(g: Given, emit: Emit) -> Step:
    """The values under the key of the heads whose tail is so."""
    heads = emit(SearchCondition(_present(g.relation), g.tail))
    return SearchNode(_present(g.key), condition=heads)


@_rule("rkv", RULES)
def relation_key_value(g: Given, emit: Emit) -> Step:
    """The tails of the heads whose value under the key is so."""
    heads = emit(SearchCondition(_present(g.key), g.value))
    return SearchNode(_present(g.relation), condition=heads)


@_rule("rtkv", RULES)
def relation_tail_key_value(g: Given, emit: Emit) -> Step:
    """The heads whose tail is so and whose value under the key is so."""
    return _both(emit, SearchCondition(_present(g.relation), g.tail), SearchCondition(_present(g.key), g.value))


@_rule("tkv", RULES)
def tail_key_value(g: Given, emit: Emit) -> Step:
    """The heads that have the tail, and whose value under the key is so."""
    return _both(emit, SearchCondition(AnyRelation(), g.tail), SearchCondition(_present(g.key), g.value))


@_rule("hrkv", RULES)
def head_relation_key_value(g: Given, emit: Emit) -> Step:
    """The tails of the head, if its value under the key is so."""
    heads = emit(head_key_value(g, emit))
    return SearchNode(_present(g.relation), condition=heads)


@_rule("hrtk", RULES)
def head_relation_tail_key(g: Given, emit: Emit) -> Step:
    """The head's values under the key, if the fact holds."""
    heads = emit(head_relation_tail(g, emit))
    return SearchNode(_present(g.key), condition=heads)


@_rule("htkv", RULES)
def head_tail_key_value(g: Given, emit: Emit) -> Step:
    """The relations that link head and tail, if the head's value under the key is so."""
    heads = emit(head_key_value(g, emit))
    return SearchRelation(heads, g.tail)


@_rule("hrtkv", RULES)
def head_relation_tail_key_value(g: Given, emit: Emit) -> Step:
    """The head, if the fact holds and its value under the key is so."""
    return _both(emit, _present(g.head), relation_tail_key_value(g, emit))


# With a time key: T1, the times of the facts that agree with what is given ------------------------------------------


def _times_of_facts(g: Given, emit: Emit) -> Step:
    """The times of the facts that agree with the parts given (T1)."""
    return SearchNode(_present(g.key), condition=FactPattern(g.head, g.relation, g.tail))


for _letters in ("hk", "rk", "tk", "hrk", "htk", "rtk", "hrtk"):
    TIME_RULES[_letters] = _times_of_facts


@_rule("k", TIME_RULES)
def all_times(g: Given, emit: Emit) -> Step:
    """All times under the key."""
    return SearchNode(_present(g.key))


# With a time key and a value: T2, the missing part of the facts that hold then --------------------------------------


@_rule("kv", TIME_RULES)
def facts_then(g: Given, emit: Emit) -> Step:
    """The facts that hold then."""
    return g.holds


@_rule("hkv", TIME_RULES)
def facts_of_head_then(g: Given, emit: Emit) -> Step:
    """The head's facts that hold then."""
    return SearchCondition(_present(g.key), g.value, condition=FactPattern(head=g.head))


@_rule("rkv", TIME_RULES)
def heads_of_relation_then(g: Given, emit: Emit) -> Step:
    """The heads of the relation's facts that hold then."""
    return SearchCondition(_present(g.relation), scope=g.holds)


@_rule("tkv", TIME_RULES)
def heads_of_tail_then(g: Given, emit: Emit) -> Step:
    """The heads of the facts with the tail that hold then."""
    return SearchCondition(AnyRelation(), g.tail, scope=g.holds)


@_rule("hrkv", TIME_RULES)
def tails_then(g: Given, emit: Emit) -> Step:
    """The tails of the head under the relation, of facts that hold then."""
    return SearchNode(_present(g.relation), condition=g.head, scope=g.holds)


@_rule("rtkv", TIME_RULES)
def heads_then(g: Given, emit: Emit) -> Step:
    """The heads whose tail under the relation is so, of facts that hold then."""
    return SearchCondition(_present(g.relation), g.tail, scope=g.holds)


@_rule("htkv", TIME_RULES)
def relations_then(g: Given, emit: Emit) -> Step:
    """The relations that link head and tail, of facts that hold then."""
    return SearchRelation(_present(g.head), g.tail, scope=g.holds)


@_rule("hrtkv", TIME_RULES)
def head_if_then(g: Given, emit: Emit) -> Step:
    """The head, if the fact holds then."""
    return _both(emit, _present(g.head), heads_then(g, emit))
