"""What superlatives are said of: the number whose noun stands behind them, as in `the shortest runway`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cgstore.llm.backends.rewrite.assemble.relations import PART, Chunk
from cgstore.llm.backends.rewrite.assemble.signals import Order
from cgstore.llm.backends.rewrite.assemble.tokens import Question
from cgstore.llm.backends.rewrite.dimensions import Measure, way_of


def of_their_nouns(
    question: Question, orders: Sequence[Order], chunks: Sequence[Chunk], measures: Sequence[Measure]
) -> list[Order]:
    """The orders of a question; a superlative right before the noun of an amount is said of that alone."""
    amounts = {each.relation for each in measures if not each.is_time}
    nouns: dict[int, list[str]] = {}
    for chunk in chunks:
        if chunk.relation in amounts and chunk.quality >= PART:
            nouns.setdefault(chunk.first, []).append(chunk.relation)
    found = {each.place: each for each in orders}
    for place, word in enumerate(question.words):
        behind = dict.fromkeys(nouns.get(place + 1, ()))
        if len(behind) == 1 and (way := way_of(word)):
            order = found.get(place, Order(way, place, 1 << place, (), False))
            found[place] = order if order.is_comparative else replace(order, measures=tuple(behind), is_generic=False)
    return [found[place] for place in sorted(found)]
