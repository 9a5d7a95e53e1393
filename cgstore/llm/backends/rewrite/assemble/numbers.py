"""The bounds and superlatives of a question, and the relations of numbers by which they are meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from cgstore.llm.backends.rewrite.assemble.asked import TAKEN, Asked, Reading
from cgstore.llm.backends.rewrite.assemble.kinds import kind_set, stands
from cgstore.llm.backends.rewrite.assemble.sets import Applied, Extreme, Found, Having, Named, Things, Within, together
from cgstore.llm.backends.rewrite.assemble.signals import SIZES, Bound, Order
from cgstore.llm.backends.rewrite.assemble.units import UNITS, is_unit_of, units_of
from cgstore.text.thesaurus import lemma

_OF_LIVING = frozenset(["young", "younger", "youngest", "elder", "eldest"])


class By(NamedTuple):
    """A relation of numbers, what it costs to take it, and a note that says so."""

    relation: str
    penalty: float = 0.0
    notes: tuple[str, ...] = ()


class Numbers:
    """What a question says by numbers."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked

    def confined(self, base: Reading) -> Iterator[Reading]:
        """A set within the bounds of the question, and its first or last one if that is asked for."""
        for bounded in self._bounded(base):
            yield from self._ordered(bounded)

    def _bounded(self, base: Reading) -> Iterator[Reading]:
        bounds = self._asked.bounds
        if not bounds or isinstance(base.things, Applied):
            yield base
        if len(bounds) != 1 or isinstance(base.things, Named):
            return
        for by in self.measure_of(bounds[0]):
            within = Within(by.relation, self.signs_of(bounds[0]))
            things = within if _has(base.things, by.relation) else together([base.things, within])
            yield _taken(replace(base, things=things), by)

    def signs_of(self, bound: Bound) -> tuple[tuple[str, str], ...]:
        """The signs of a bound; an adjective before it turns `=` into more or less: `longer than 90`."""
        before = self._asked.words[bound.place - 1] if bound.place else ""
        comparing = [order for order in self._asked.orders if order.is_comparative]
        if before != "than" or not comparing or [sign for sign, _ in bound.signs] != ["="]:
            return bound.signs
        return ((">" if comparing[0].way == "max" else "<", bound.signs[0][1]),)

    def measure_of(self, bound: Bound) -> Iterator[By]:
        """The relation of numbers that a bound is said of."""
        if named := self._asked.numeric:
            nearest = min(named, key=lambda chunk: abs(chunk.first - bound.place)).relation
            yield from [By(nearest)] if self._fits_unit(bound, nearest) else []
            return
        asked, kinds = self._asked, self._asked.cover.kinds[:1]
        fitting = [each for each in asked.measures if bound.is_time is None or each.is_time == bound.is_time]
        fitting = [each for each in fitting if all(stands(asked.slots, each.relation, "head", kind) for kind in kinds)]
        fitting = [each for each in fitting if self._fits_unit(bound, each.relation)]
        unit = self._unit_behind(bound)
        fitting = [each for each in fitting if is_unit_of(unit, each.relation)] or fitting
        comparing = [order for order in self._asked.orders if order.is_comparative]
        if comparing:
            fitting = [each for each in fitting if each.relation in comparing[0].measures]
        if len(fitting) == 1 and (comparing or bound.is_time or is_unit_of(unit, fitting[0].relation)):
            relation = fitting[0].relation
            yield By(relation, TAKEN, (f"The number is taken by the relation '{relation}'.",))

    def _fits_unit(self, bound: Bound, relation: str) -> bool:
        """Whether the unit behind a bound may be that of a relation: fifty years are no year, nor are feet metres."""
        unit = self._unit_behind(bound)
        if unit not in UNITS | {"year"}:
            return True
        is_time = any(each.is_time for each in self._asked.measures if each.relation == relation)
        return not is_time and (not units_of(relation) or is_unit_of(unit, relation))

    def _unit_behind(self, bound: Bound) -> str:
        behind = bound.mask.bit_length()
        return lemma(self._asked.words[behind]) if behind < len(self._asked.words) else ""

    def _ordered(self, base: Reading) -> Iterator[Reading]:
        orders = [each for each in self._asked.orders if not (self._asked.bounds and each.is_comparative)]
        if not orders or isinstance(base.things, Applied):
            yield base
        elif not orders[0].is_comparative and not isinstance(base.things, Named):
            for by in self.ordering(orders[0]):
                of = None if _has(base.things, by.relation) else base.things
                yield _taken(replace(base, things=Extreme(of, by.relation, orders[0].way)), by)

    def ordering(self, order: Order) -> Iterator[By]:
        """The relation of numbers by which a superlative orders."""
        asked = self._asked
        times = {each.relation for each in asked.measures if each.is_time and asked.words[order.place] in SIZES}
        named = [chunk for chunk in asked.numeric if order.is_generic or chunk.relation in order.measures]
        named = [chunk for chunk in named if chunk.relation not in times]
        if times and not named and asked.numeric:
            return  # `the largest company` is not the one founded last
        named = named or [chunk for chunk in asked.numeric if chunk is not asked.value]
        if named:
            yield By(min(named, key=lambda chunk: abs(chunk.first - order.place)).relation)
            return
        kinds, word = asked.cover.kinds, asked.words[order.place]
        fitting = [each for each in order.measures if not kinds or stands(asked.slots, each, "head", kinds[0])]
        if word in _OF_LIVING and len(fitting) > 1:
            living = {measure.relation for measure in asked.measures if measure.is_of_the_living}
            fitting = [relation for relation in fitting if relation in living]
        if len(fitting) == 1:
            yield by_word(word, fitting[0])


def _has(things: Things, relation: str) -> bool:
    """Whether a set is all that have a relation of numbers."""
    return things == Having(relation, "head")


def than_name(asked: Asked) -> Iterator[Reading]:
    """What has more, or less, than a name has: `plays longer than Winter Ferry`, `built before the mill`."""
    kinds = asked.cover.kinds
    if len(asked.names) != 1 or len(asked.orders) != 1 or asked.bounds or asked.linking or len(kinds) > 1:
        return
    order, name = asked.orders[0], asked.names[0][1]
    heads = asked.graph.relations_of(name.key).head
    named = [chunk.relation for chunk in asked.numeric if order.is_generic or chunk.relation in order.measures]
    fitting = [relation for relation in named or order.measures if relation in heads]
    is_said = bool(named or kinds or asked.cover.unchecked or asked.cover.inner)
    if not order.is_comparative or len(fitting) != 1 or not is_said:
        return  # `what was there before the bridge` need not ask for all that is older
    relation, sign = fitting[0], ">" if order.way == "max" else "<"
    within = Within(relation, ((sign, Found(relation, "head", Named(name.name))),))
    by = By(relation) if named else by_word(asked.words[order.place], relation)
    yield _taken(Reading(together([*(kind_set(kind) for kind in kinds), within]), 0.0), by)


def by_word(word: str, relation: str) -> By:
    """A relation that a word is taken by."""
    return By(relation, TAKEN, (f"'{word}' is taken by the relation '{relation}'.",))


def _taken(reading: Reading, by: By) -> Reading:
    return replace(reading, penalty=reading.penalty + by.penalty, notes=(*reading.notes, *by.notes))
