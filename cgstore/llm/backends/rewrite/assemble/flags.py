"""Relations whose values are yes or no: which pigments are `toxic`, and whether one `fades in light`."""

from __future__ import annotations

from collections.abc import Iterator

from cgstore.llm.backends.rewrite.assemble.asked import Asked, Reading
from cgstore.llm.backends.rewrite.assemble.kinds import confined
from cgstore.llm.backends.rewrite.assemble.sets import Applied, Found, Named, Stated
from cgstore.llm.backends.rewrite.assemble.slots import Slots
from cgstore.text.names import name_of_key

_YES, _NO = frozenset(["true", "yes"]), frozenset(["false", "no"])


def is_flag(slots: Slots, relation: str) -> bool:
    """Whether a relation has no other values than yes and no."""
    tails = {each.lower() for each in _tails(slots, relation)}
    return bool(tails) and tails <= _YES | _NO


def flagged(asked: Asked) -> Iterator[Reading]:
    """The things of a kind of which a relation says yes, or no where that is denied; or whether it does of a name."""
    relation, wanted = asked.linking[0].relation, _NO if asked.is_denied else _YES
    value = next((each for each in _tails(asked.slots, relation) if each.lower() in wanted), "")
    is_plain = value and not (asked.bounds or asked.orders or asked.numeric or asked.cover.unchecked)
    kinds, names = asked.cover.kinds, [mention for _, mention in asked.names]
    if is_plain and asked.question.is_truth and len(names) == 1 and not (kinds or asked.is_denied):
        if relation in asked.graph.relations_of(names[0].key).head:
            yield Reading(Applied("exists", Stated(names[0].name, relation, value)), 0.0)
    elif is_plain and len(kinds) == 1 and not (names or asked.question.is_truth):
        things = confined(asked.slots, Found(relation, "tail", Named(value)), kinds[0])
        yield from [Reading(things, 0.0)] if things else ()


def _tails(slots: Slots, relation: str) -> list[str]:
    return sorted(name_of_key(key) for key in slots.things.get((relation, "tail"), ()))
