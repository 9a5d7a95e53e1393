from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cgstore.loaders.staging import StagedNode
from cgstore.loaders.tkg_stage import Fact, TkgStage, TripleCounts
from cgstore.loaders.writer.write import BATCH, LANES, Group, cut
from cgstore.model import Role
from cgstore.text.dates import Moment, Step
from tests.loaders.definition import is_open
from tests.loaders.samples import Plain, expected, written_out


def _endless(fact: Fact, is_open: bool) -> Fact:
    return fact._replace(end=fact.start, has_end=False, is_open=is_open)


names = st.sampled_from(["a", "b", "1999", "time", "start time", "x" * 3000, "x" * 3001, "\x1f", "'`$"])
years = st.integers(-1, 1)
months, days, unsaid, one = st.integers(1, 12), st.integers(1, 28), st.just(0), st.just(1)
no_clock = st.just(-1), st.just(-1)
moments = st.one_of(
    st.builds(Moment, years, unsaid, unsaid, one, *no_clock),
    st.builds(Moment, years, months, unsaid, one, *no_clock),
    st.builds(Moment, years, months, days, one, *no_clock),
)
steps = st.sampled_from([Step.YEAR, Step.MONTH, Step.DAY])
clocks = st.builds(Moment, one, one, one, one, st.integers(0, 1), st.integers(-1, 59))
fine = st.sampled_from([Step.MINUTE, Step.SECOND])


def _facts(times: st.SearchStrategy[Moment]) -> st.SearchStrategy[Fact]:
    yes, no = st.just(True), st.just(False)
    ended = st.builds(Fact, names, names, names, times, times, unsaid, yes, no, no)
    return st.one_of(ended, st.builds(_endless, ended, st.booleans()))


def _files(times: st.SearchStrategy[Moment]) -> st.SearchStrategy[list[list[Fact]]]:
    return st.lists(st.lists(_facts(times), min_size=1, max_size=5), min_size=1, max_size=2)


def _triples(staged: Iterable[StagedNode], groups: Iterable[Group], step: Step) -> list[Plain]:
    key = {node.id: node.key for node in staged}
    return sorted(triple for group in groups for triple in written_out(group, key, step))


@settings(deadline=None, max_examples=60)
@given(_files(moments), steps, moments)
def test_staged_triples_are_those_of_the_definition_each_once(files: list[list[Fact]], step: Step, now: Moment) -> None:
    check_triples(files, step, now)


@settings(deadline=None, max_examples=30)
@given(_files(clocks), fine, clocks)
def test_staged_triples_of_times_of_day_are_those_of_the_definition(
    files: list[list[Fact]], step: Step, now: Moment
) -> None:
    check_triples(files, step, now)


def check_triples(files: list[list[Fact]], step: Step, now: Moment) -> None:
    with TkgStage("s") as stage:
        for file in files:
            stage.next_file()
            for fact in file:
                stage.add(fact)
        counts = stage.settle(step, now)
        nodes = [node for role in Role for node in stage.nodes(role)]
        triples = _triples(nodes, stage.groups(), step)
        assert triples == sorted({triple for file in files for triple in expected(file, "s", step, now)})
        assert counts.total == len(triples)
        assert counts.has == sum(not condition for _, _, condition in triples)
        assert {node.id for node in nodes} == set(range(stage.node_count))
        opened = {(*fact[:4], None) for file in files for fact in file if is_open(fact, file)}
        ended = {fact[:5] for file in files for fact in file if not is_open(fact, file)}
        assert stage.fact_count == len(opened | ended)


@pytest.mark.parametrize("step", [Step.YEAR, Step.MONTH])
def test_decades_and_centuries_are_their_years_and_keep_their_names(step: Step) -> None:
    start, end, century = Moment(1990, years=10), Moment(1995), Moment(-99, years=100)
    some = [
        Fact("a", "r", "b", start, end),
        Fact("a", "r", "b", Moment(1990), end),
        Fact("c", "r", "d", century, start),
    ]
    with TkgStage("s") as stage:
        for fact in some:
            stage.add(fact)
        counts = stage.settle(step)
        groups = list(stage.groups())
        nodes = [node for role in Role for node in stage.nodes(role)]
        assert _triples(nodes, groups, step) == expected(some, "s", step)
        name = {node.id: node.name for node in nodes}
        numbers = {name[node]: about.num for g in groups for node, about in zip(g.node2, g.about or [], strict=False)}
    assert (counts.coarse, counts.example) == ((3, century) if step is Step.MONTH else (2, century))
    assert {"1990s": 1990, "1st century BC": -99}.items() <= numbers.items()


def test_facts_that_end_before_they_start_have_a_start_and_an_end_but_hold_at_no_time() -> None:
    with TkgStage("s") as stage:
        stage.add(Fact("a", "r", "b", Moment(2000), Moment(1990)))
        assert stage.settle() == TripleCounts(has=1, facts=1, starts=1, ends=1, times=0, inverted=1)


def test_the_triples_are_counted_without_being_made() -> None:
    with TkgStage("s") as stage:
        stage.add(Fact("a", "r", "b", Moment(-(10**12) + 1), Moment(10**12 - 1)))
        assert stage.settle(Step.DAY).times > 7 * 10**14


groups = st.builds(
    Group,
    st.integers(0, 9),
    st.just(("condition",)),
    st.just("condition"),
    st.lists(st.integers(0, 9), max_size=12_000),
)


@settings(deadline=None, max_examples=30)
@given(st.lists(groups, max_size=5))
def test_batches_hold_every_triple_once_and_none_is_too_large(some: list[Group]) -> None:
    batches = list(cut(some))
    flat = [(group.node1, node) for batch in batches for group in batch.groups for node in group.node2]
    assert flat == [(group.node1, node) for group in some for node in group.node2]
    assert all(batch.size == sum(len(g.node2) for g in batch.groups) <= BATCH for batch in batches)
    assert [(batch.lane, batch.number) for batch in batches] == [
        (place % LANES, place // LANES) for place in range(len(batches))
    ]


def test_long_names_make_small_batches() -> None:
    group = Group(0, ("x" * 1_000_000,), "x", [1] * 20)
    assert [batch.size for batch in cut([group])] == [3, 3, 3, 3, 3, 3, 2]


def test_periods_of_one_fact_that_overlap_are_counted_and_one_is_shown() -> None:
    with TkgStage("s") as stage:
        for tail, start, end in (("a", 2000, 2004), ("a", 2003, 2008), ("b", 2000, 2004), ("b", 2005, 2008)):
            stage.add(Fact("Ann", "holds", tail, Moment(start), Moment(end)))
        counts = stage.settle()
    assert (counts.overlapping, counts.overlap) == (1, "(Ann, holds, a) from 2000 to 2004; and from 2003 to 2008")
