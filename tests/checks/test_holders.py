"""Overlaps and gaps of drawn facts, compared with their definition."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from cgstore.checks.holders import Holder, Side, holders, overlap
from cgstore.checks.stage import CheckStage, Period

drawn = st.lists(
    st.tuples(st.sampled_from("abcd"), st.integers(1, 14), st.integers(0, 6)), min_size=1, max_size=8, unique=True
).map(lambda facts: [Period("r", "h", tail, lo, lo + length, "s", "e") for tail, lo, length in facts])


def swept(facts: list[Period]) -> Holder:
    with CheckStage() as stage:
        stage.sql.executemany("INSERT INTO period VALUES (?, ?, ?, ?, ?, ?, ?)", facts)
        (holder,) = holders(stage, Side.TAIL, lambda _: None)
    return holder


def clash(one: Period, other: Period) -> bool:
    first, second = sorted((one, other), key=lambda fact: (fact.lo, fact.hi))
    return one.tail != other.tail and overlap(first, second)


@given(drawn)
def test_an_overlap_is_found_if_and_only_if_two_different_ones_overlap(facts: list[Period]) -> None:
    holder = swept(facts)
    pairs = [(one, other) for one, other in combinations(facts, 2) if clash(one, other)]
    assert (holder.overlap_count > 0) == bool(pairs)
    assert (holder.clashes > 0) == bool(pairs)


@given(drawn)
def test_gaps_and_the_filled_share_are_those_of_the_times(facts: list[Period]) -> None:
    holder = swept(facts)
    held = {time for fact in facts for time in range(fact.lo, fact.hi + 1)}
    span = range(min(held), max(held) + 1)
    assert holder.filled == len(held) / len(span)
    assert holder.gaps == sum(time not in held and time - 1 in held for time in span)
    assert all(after.lo - before.hi > 1 for before, after in holder.holes)


@given(drawn.filter(lambda facts: len({fact.tail for fact in facts}) == len(facts)))
def test_clashes_are_the_fewest_facts_that_must_go(facts: list[Period]) -> None:
    fewest = min(
        len(facts) - size
        for size in range(len(facts) + 1)
        for kept in combinations(facts, size)
        if not any(clash(one, other) for one, other in combinations(kept, 2))
    )
    assert swept(facts).clashes == fewest
