"""TrustUQA's Table 1: each combination of get_information's arguments, rewritten into searches.

h, r, t, k, v stand for head_entity, relation, tail_entity, key and value. One row a rule, with what the rule answers.
The combinations that the paper leaves out are defined by the same logic: the answer is the part of the fact that is not
given, and where all parts are given, the head if the fact holds. With a time key, k and v are about the whole fact
[h, r, t] (the language page's rules T1 and T2), and with a qualifier likewise; with any other key, they are about a
property of the head.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cgstore.query.operands import Comparison, Names, Operand
from cgstore.query.operators import Part, Search, SetOperation, Step

Emit = Callable[[Step], Operand]
"""Adds a step before the rule's own and gives its output as an operand."""

Rule = Callable[[Search, Emit], Step]


def heads(relation: Operand | None, tail: tuple[Comparison, ...] = ()) -> Search:
    """The heads whose tail under a relation or key is so."""
    return Search(Part.HEAD, relation=relation, tail=tail)


def _fact(g: Search) -> Search:
    """The heads whose tail is so, under the relation or any."""
    return heads(g.relation, g.tail)


def _property(g: Search) -> Search:
    """The heads whose value under the key is so."""
    return heads(g.key, g.value)


def _under(relation: Operand | None, of: Operand | None = None, *, covalues: bool = False) -> Search:
    """The values of heads, or of all heads, under a relation or key."""
    return Search(Part.TAIL, of, relation, covalues=covalues)


def _both(emit: Emit, *steps: Step | Operand | None) -> SetOperation:
    """What two searches, or a name and a search, have in common."""
    given = (step for step in steps if step is not None)
    return SetOperation("set_intersection", tuple(s if isinstance(s, Operand) else emit(s) for s in given))


def _linking(g: Search, head: Operand | None, tail: tuple[Comparison, ...]) -> Search:
    """The relations that link a head and a tail."""
    return Search(Part.RELATION, head, g.relation, tail)


RULES: dict[str, Rule] = {
    "h": lambda g, emit: Search(Part.RELATIONS, g.head),  # the relations and keys that the head has
    "r": lambda g, emit: _under(g.relation),  # all tails under the relation
    "t": lambda g, emit: _fact(g),  # the heads that have the tail under any relation
    "hr": lambda g, emit: _under(g.relation, g.head, covalues=True),  # the tails of the head under the relation
    "ht": lambda g, emit: _linking(g, g.head, g.tail),  # the relations that link head and tail
    "rt": lambda g, emit: _fact(g),  # the heads whose tail under the relation is so
    "hrt": lambda g, emit: _both(emit, g.head, _fact(g)),  # the head, if the fact holds
    "k": lambda g, emit: _under(g.key),  # all values under the key
    "hk": lambda g, emit: _under(g.key, g.head, covalues=True),  # the head's values under the key
    "tk": lambda g, emit: heads(g.key, g.tail),  # the heads whose value under the key is so
    "kv": lambda g, emit: _property(g),  # the heads whose value under the key is so
    "v": lambda g, emit: heads(g.relation, g.value),  # the heads that have the value under any key
    "rv": lambda g, emit: heads(g.relation, g.value),  # the heads whose tail under the relation is so
    "hv": lambda g, emit: _linking(g, g.head, g.value),  # the keys under which the head has the value
    # the head, if its tail under the relation is so
    "hrv": lambda g, emit: _both(emit, g.head, heads(g.relation, g.value)),
    # the values under the key of the heads that have the relation
    "rk": lambda g, emit: _under(g.key, emit(heads(g.relation))),
    # the values under the key of the head's tails
    "hrk": lambda g, emit: _under(g.key, emit(_under(g.relation, g.head, covalues=True)), covalues=True),
    # the head, if its value under the key is so
    "htk": lambda g, emit: _both(emit, g.head, heads(g.key, g.tail)),
    "hkv": lambda g, emit: _both(emit, g.head, _property(g)),
    # the values under the key of the heads whose tail is so
    "rtk": lambda g, emit: _under(g.key, emit(_fact(g))),
    # the tails of the heads whose value under the key is so
    "rkv": lambda g, emit: _under(g.relation, emit(_property(g))),
    # the heads whose tail is so and whose value under the key is so
    "rtkv": lambda g, emit: _both(emit, _fact(g), _property(g)),
    "tkv": lambda g, emit: _both(emit, _fact(g), _property(g)),
    # the tails of the head, if its value under the key is so
    "hrkv": lambda g, emit: _under(g.relation, emit(_both(emit, g.head, _property(g)))),
    # the head's values under the key, if the fact holds
    "hrtk": lambda g, emit: _under(g.key, emit(_both(emit, g.head, _fact(g)))),
    # the relations that link head and tail, if the head's value under the key is so
    "htkv": lambda g, emit: _linking(g, emit(_both(emit, g.head, _property(g))), g.tail),
    # the head, if the fact holds and its value under the key is so
    "hrtkv": lambda g, emit: _both(emit, g.head, _both(emit, _fact(g), _property(g))),
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


def translate(letters: str, given: Search, emit: Emit) -> Step | None:
    """The step that answers the arguments of one get_information, or None where no rule fits (nothing is given).

    Args:
        letters: which of head, relation, tail, key and value are given.
        given: all of them, whatever it asks for; its relation is any relation if none is given.
        emit: adds a step.
    """
    key = given.key
    if not isinstance(key, Names) or not key.of_facts:
        rule = RULES.get(letters)
        return rule(given, emit) if rule else None
    asked = FACT_RULES[letters]
    if asked is Part.FACT and not key.time_key:
        asked = Part.SUBJECT
    relation = given.relation if "r" in letters or "t" in letters else None
    search = replace(given, asked=asked, relation=relation)
    is_head_given = asked is Part.HEAD and given.head is not None
    return _both(emit, given.head, replace(search, head=None)) if is_head_given else search
