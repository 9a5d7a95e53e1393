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

from cgstore.query.operands import AnyRelation, Comparison, Operand
from cgstore.query.operators import Part, Said, Search, SetOperation, Step


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
    further: tuple[Said, ...] = ()

    @property
    def letters(self) -> str:
        """Which arguments are present, as a subset of `hrtkv` in that order."""
        present = (self.head, self.relation, self.tail, self.key, self.value)
        return "".join(letter for letter, argument in zip("hrtkv", present, strict=True) if argument)

    @property
    def holds(self) -> Search:
        """The heads whose value under the key is so."""
        return heads(self.key, self.value)

    @property
    def relation_and_tail(self) -> Search:
        """The heads whose tail under the relation is so."""
        return heads(self.relation, self.tail)

    @property
    def any_and_tail(self) -> Search:
        """The heads that have the tail under any relation."""
        return heads(self.any_relation, self.tail)


Emit = Callable[[Step], Operand]
"""Adds a step before the rule's own and gives its output as an operand."""

Rule = Callable[[SearchArguments, Emit], Step]


def heads(relation: Operand | None, tail: tuple[Comparison, ...] = ()) -> Search:
    """The heads whose tail under a relation or key is so."""
    return Search(Part.HEAD, relation=relation, tail=tail)


def _under(relation: Operand | None, of: Operand | None = None, *, covalues: bool = False) -> Search:
    """The values of heads, or of all heads, under a relation or key."""
    return Search(Part.TAIL, of, relation, covalues=covalues)


def _both(emit: Emit, *steps: Step | Operand | None) -> SetOperation:
    """What two searches, or a name and a search, have in common."""
    given = (step for step in steps if step is not None)
    return SetOperation("set_intersection", tuple(s if isinstance(s, Operand) else emit(s) for s in given))


def _relations_that_link(g: SearchArguments, head: Operand | None, tail: tuple[Comparison, ...]) -> Search:
    return Search(Part.RELATION, head, g.any_relation, tail)


RULES: dict[str, Rule] = {
    "h": lambda g, emit: Search(Part.RELATIONS, g.head),  # the relations and keys that the head has
    "r": lambda g, emit: _under(g.relation),  # all tails under the relation
    "t": lambda g, emit: g.any_and_tail,  # the heads that have the tail under any relation
    "hr": lambda g, emit: _under(g.relation, g.head, covalues=True),  # the tails of the head under the relation
    "ht": lambda g, emit: _relations_that_link(g, g.head, g.tail),  # the relations that link head and tail
    "rt": lambda g, emit: g.relation_and_tail,  # the heads whose tail under the relation is so
    "hrt": lambda g, emit: _both(emit, g.head, g.relation_and_tail),  # the head, if the fact holds
    "k": lambda g, emit: _under(g.key),  # all values under the key
    "hk": lambda g, emit: _under(g.key, g.head, covalues=True),  # the head's values under the key
    "tk": lambda g, emit: heads(g.key, g.tail),  # the heads whose value under the key is so
    "kv": lambda g, emit: g.holds,  # the heads whose value under the key is so
    "v": lambda g, emit: heads(g.any_relation, g.value),  # the heads that have the value under any key
    "rv": lambda g, emit: heads(g.relation, g.value),  # the heads whose tail under the relation is so
    "hv": lambda g, emit: _relations_that_link(g, g.head, g.value),  # the keys under which the head has the value
    # the head, if its tail under the relation is so
    "hrv": lambda g, emit: _both(emit, g.head, heads(g.relation, g.value)),
    # the values under the key of the heads that have the relation
    "rk": lambda g, emit: _under(g.key, emit(heads(g.relation))),
    # the values under the key of the head's tails
    "hrk": lambda g, emit: _under(g.key, emit(_under(g.relation, g.head, covalues=True)), covalues=True),
    # the head, if its value under the key is so
    "htk": lambda g, emit: _both(emit, g.head, heads(g.key, g.tail)),
    "hkv": lambda g, emit: _both(emit, g.head, g.holds),
    # the values under the key of the heads whose tail is so
    "rtk": lambda g, emit: _under(g.key, emit(g.relation_and_tail)),
    # the tails of the heads whose value under the key is so
    "rkv": lambda g, emit: _under(g.relation, emit(g.holds)),
    # the heads whose tail is so and whose value under the key is so
    "rtkv": lambda g, emit: _both(emit, g.relation_and_tail, g.holds),
    "tkv": lambda g, emit: _both(emit, g.any_and_tail, g.holds),
    # the tails of the head, if its value under the key is so
    "hrkv": lambda g, emit: _under(g.relation, emit(_both(emit, g.head, g.holds))),
    # the head's values under the key, if the fact holds
    "hrtk": lambda g, emit: _under(g.key, emit(_both(emit, g.head, g.relation_and_tail))),
    # the relations that link head and tail, if the head's value under the key is so
    "htkv": lambda g, emit: _relations_that_link(g, emit(_both(emit, g.head, g.holds)), g.tail),
    # the head, if the fact holds and its value under the key is so
    "hrtkv": lambda g, emit: _both(emit, g.head, _both(emit, g.relation_and_tail, g.holds)),
}
"""The rules without a key, or with a key that is a property of the head."""

FACT_RULES: dict[str, Part] = {
    # T1: the times or qualifiers of the facts that agree with what is given
    **dict.fromkeys(("k", "hk", "rk", "tk", "hrk", "htk", "rtk", "hrtk"), Part.VALUE),
    # T2: the missing part of the facts that hold then, or are qualified so
    **dict.fromkeys(("kv", "hkv"), Part.FACT),  # the facts, of the head if one is given; for a qualifier, their heads
    **dict.fromkeys(("rkv", "tkv", "rtkv"), Part.HEAD),
    "hrkv": Part.TAIL,
    "htkv": Part.RELATION,
    "hrtkv": Part.HEAD,  # the head, if the fact holds then
}
"""What the rules with a key of facts ask for."""


def translate(given: SearchArguments, emit: Emit) -> Step | None:
    """The step that answers these arguments, or None where no rule fits (nothing is given)."""
    if not given.of_facts:
        rule = RULES.get(given.letters)
        return rule(given, emit) if rule else None
    asked = FACT_RULES.get(given.letters)
    if asked is None:
        return None
    if asked is Part.FACT and not given.time_key:
        asked = Part.SUBJECT
    relation = given.relation or (given.any_relation if given.tail else None)
    search = Search(asked, given.head, relation, given.tail, given.key, given.value, given.further)
    is_head_given = asked is Part.HEAD and given.head is not None
    return _both(emit, given.head, replace(search, head=None)) if is_head_given else search
