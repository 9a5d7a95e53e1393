"""TrustUQA's Table 1: each combination of get_information's arguments, rewritten into searches.

h, r, t, k, v stand for head_entity, relation, tail_entity, key and value. One function a rule. The combinations that
the paper leaves out are defined by the same logic: the answer is the part of the fact that is not given, and where all
parts are given, the head if the fact holds. With a time key, k and v speak of the whole fact [h, r, t] (the language
page's rules T1 and T2), and with a qualifier likewise; with any other key, of a property of the head.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from cgstore.query.operands import AnyRelation, Comparison, FactPattern, Operand
from cgstore.query.operators import (
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
    """The arguments of one get_information; tail and value are empty where not given.

    `of_facts`: the key is a qualifier, or with `time_key` one of the built-in ones, and speaks of whole facts.
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
FACT_RULES: dict[str, Rule] = {}


def translate(given: Given, emit: Emit) -> Step | None:
    """The step that answers these arguments, or None where no rule fits (nothing is given)."""
    rule = (FACT_RULES if given.of_facts else RULES).get(given.letters)
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
    return SearchCondition(g.any_relation, g.tail)


@_rule("hr", RULES)
def head_relation(g: Given, emit: Emit) -> Step:
    """The tails of the head under the relation."""
    return SearchNode(_present(g.relation), condition=g.head, covalues=True)


@_rule("ht", RULES)
def head_tail(g: Given, emit: Emit) -> Step:
    """The relations that link head and tail."""
    return SearchRelation(_present(g.head), g.tail, relations=g.any_relation)


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
    return SearchNode(_present(g.key), condition=g.head, covalues=True)


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
    return SearchCondition(g.any_relation, g.value)


@_rule("rv", RULES)
def relation_value(g: Given, emit: Emit) -> Step:
    """The heads whose tail under the relation is so."""
    return SearchCondition(_present(g.relation), g.value)


@_rule("hv", RULES)
def head_value(g: Given, emit: Emit) -> Step:
    """The keys under which the head has the value."""
    return SearchRelation(_present(g.head), g.value, relations=g.any_relation)


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
    tails = emit(SearchNode(_present(g.relation), condition=g.head, covalues=True))
    return SearchNode(_present(g.key), condition=tails, covalues=True)


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
    return _both(emit, SearchCondition(g.any_relation, g.tail), SearchCondition(_present(g.key), g.value))


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
    return SearchRelation(heads, g.tail, relations=g.any_relation)


@_rule("hrtkv", RULES)
def head_relation_tail_key_value(g: Given, emit: Emit) -> Step:
    """The head, if the fact holds and its value under the key is so."""
    return _both(emit, _present(g.head), relation_tail_key_value(g, emit))


# With a key of facts: T1, the times or qualifiers of the facts that agree with what is given -------------------------


def _values_of_facts(g: Given, emit: Emit) -> Step:
    """The times, or the qualifier's values, of the facts that agree with the parts given (T1)."""
    relation = g.relation or (g.any_relation if g.tail else None)
    return SearchNode(_present(g.key), condition=FactPattern(g.head, relation, g.tail))


for _letters in ("hk", "rk", "tk", "hrk", "htk", "rtk", "hrtk"):
    FACT_RULES[_letters] = _values_of_facts


@_rule("k", FACT_RULES)
def all_values_of_facts(g: Given, emit: Emit) -> Step:
    """All values under the key."""
    return SearchNode(_present(g.key))


# With a key of facts and a value: T2, the missing part of the facts that hold then, or are qualified so ---------------


@_rule("kv", FACT_RULES)
def facts_then(g: Given, emit: Emit) -> Step:
    """The facts that hold then; of a qualifier, their heads."""
    return replace(g.holds, heads=not g.time_key)


@_rule("hkv", FACT_RULES)
def facts_of_head_then(g: Given, emit: Emit) -> Step:
    """The head's facts that hold then; of a qualifier, the head if it has one."""
    return SearchCondition(_present(g.key), g.value, condition=FactPattern(head=g.head), heads=not g.time_key)


@_rule("rkv", FACT_RULES)
def heads_of_relation_then(g: Given, emit: Emit) -> Step:
    """The heads of the relation's facts that hold then."""
    return SearchCondition(_present(g.relation), scope=g.holds)


@_rule("tkv", FACT_RULES)
def heads_of_tail_then(g: Given, emit: Emit) -> Step:
    """The heads of the facts with the tail that hold then."""
    return SearchCondition(g.any_relation, g.tail, scope=g.holds)


@_rule("hrkv", FACT_RULES)
def tails_then(g: Given, emit: Emit) -> Step:
    """The tails of the head under the relation, of facts that hold then."""
    return SearchNode(_present(g.relation), condition=g.head, scope=g.holds)


@_rule("rtkv", FACT_RULES)
def heads_then(g: Given, emit: Emit) -> Step:
    """The heads whose tail under the relation is so, of facts that hold then."""
    return SearchCondition(_present(g.relation), g.tail, scope=g.holds)


@_rule("htkv", FACT_RULES)
def relations_then(g: Given, emit: Emit) -> Step:
    """The relations that link head and tail, of facts that hold then."""
    return SearchRelation(_present(g.head), g.tail, g.holds, g.any_relation)


@_rule("hrtkv", FACT_RULES)
def head_if_then(g: Given, emit: Emit) -> Step:
    """The head, if the fact holds then."""
    return _both(emit, _present(g.head), heads_then(g, emit))
