"""A source that was changed equals one that was loaded from the facts as they are then."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cgstore.change.commit import commit
from cgstore.change.operations import AnyOperation, Append, Close, Correct, Remove, Selection, Upsert
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.tkg import TkgOptions, load_tkg
from cgstore.loaders.tkg_stage import Fact
from cgstore.text.dates import read_moment
from tests.change.graph import counts, triples
from tests.conftest import wipe

Period = tuple[str, str, str, str, str]
"""Head, relation, tail, start and end; the end may be `present`."""

NOW = "2000-03-10"


def fact(line: Period) -> Fact:
    start, end = read_moment(line[3]), read_moment(line[4])
    assert start is not None
    if end is None:
        return Fact(*line[:3], start, start, has_end=False, is_open=True)
    return Fact(*line[:3], start, end)


def load(db: Database, folder: Path, lines: list[Period], name: str, step: str) -> None:
    path = folder / f"{name}.tsv"
    path.write_text("".join("\t".join(line) + "\n" for line in lines))
    load_tkg(db, path, TkgOptions(name=name, step=step, now=NOW, header=False))


NAMES = st.sampled_from(["Ada", "Bo", "Cy"])
RELATIONS = st.sampled_from(["works for", "leads"])
DAYS = st.sampled_from(["1999-12-30", "2000-01-01", "2000-01-02", "2000-02-28", "2000-03-01", "2000-03-10"])
YEARS = st.sampled_from(["1995", "1997", "1998", "1999", "2000"])


@st.composite
def lines(draw: st.DrawFn, times: st.SearchStrategy[str]) -> Period:
    start = draw(times)
    end = draw(st.one_of(st.just("present"), times.filter(lambda time: time >= start)))
    return draw(NAMES), draw(RELATIONS), draw(NAMES), start, end


@st.composite
def histories(draw: st.DrawFn) -> tuple[str, list[Period], list[tuple[str, list[Period]]]]:
    step = draw(st.sampled_from(["year", "day"]))
    times = YEARS if step == "year" else DAYS
    first = draw(st.lists(lines(times), min_size=1, max_size=8, unique=True))
    kinds = st.sampled_from(["append", "upsert", "remove", "close", "correct"])
    steps = draw(st.lists(st.tuples(kinds, st.lists(lines(times), min_size=1, max_size=4)), min_size=1, max_size=5))
    return step, first, steps


def applied(there: list[Period], kind: str, given: list[Period]) -> tuple[list[Period], list[AnyOperation]]:
    """The facts after a change, worked out on lists, and the operations that make it."""
    facts = [fact(line) for line in given]
    if kind == "append":
        return list(dict.fromkeys([*there, *given])), [Append(facts)]
    if kind == "upsert":
        replaced = {line[:2] for line in given}
        return list(dict.fromkeys([*(line for line in there if line[:2] not in replaced), *given])), [Upsert(facts)]
    one = next((line for line in there if line[0] == given[0][0]), None)
    if one is None:
        return there, []
    selection = Selection(*one)
    others = [line for line in there if line != one]
    if kind == "remove":
        return others, [Remove(selection)]
    if kind == "correct":
        right = (*one[:2], given[0][2], *one[3:])
        return list(dict.fromkeys([*others, right])), [Correct(selection, tail=right[2])]
    if one[4] != "present":
        return there, []
    at = max(one[3], given[0][3])
    return list(dict.fromkeys([*others, (*one[:4], at)])), [Close(Selection(*one[:4]), at)]


@pytest.mark.parametrize("examples", [4, pytest.param(60, marks=pytest.mark.long)])
def test_a_changed_source_equals_one_loaded_from_its_facts(
    shared_db: Database, tmp_path_factory: pytest.TempPathFactory, examples: int
) -> None:
    settings(max_examples=examples)(given(histories())(lambda history: check(shared_db, tmp_path_factory, history)))()


def check(shared_db: Database, tmp_path_factory: pytest.TempPathFactory, history: tuple) -> None:
    step, there, steps = history
    wipe(shared_db)
    folder = tmp_path_factory.mktemp("change")
    if not any(line[4] == "present" for line in there):
        there = [("Zoe", "leads", "Bo", "1996" if step == "year" else "2000-01-01", "present"), *there]
    load(shared_db, folder, there, "staff", step)
    states = [triples(shared_db, "staff")]
    for kind, given_lines in steps:
        after, operations = applied(there, kind, given_lines)
        if not after:
            continue
        if operations:
            done = commit(shared_db, "staff", operations, "test")
            assert (done is None) == (set(after) == set(there)), (kind, given_lines)
            states += [triples(shared_db, "staff")] if done else []
        there = after
    load(shared_db, folder, there, "expected", step)
    assert triples(shared_db, "staff") == triples(shared_db, "expected")
    assert counts(shared_db, "staff") == counts(shared_db, "expected")
    for number, then in enumerate(states):
        assert triples(shared_db, "staff", number) == then


def test_a_removal_that_fits_several_facts_lists_them_and_changes_nothing(db: Database, tmp_path: Path) -> None:
    jobs = [("Ada", "works for", "Acme", "1990", "1995"), ("Ada", "works for", "Bolt", "1996", "present")]
    load(db, tmp_path, jobs, "staff", "year")
    with pytest.raises(BadInput, match=r"2 facts fit; nothing was changed\.\n  \(Ada, works for, Acme, 1990, 1995\)"):
        commit(db, "staff", [Remove(Selection("Ada", "works for"))], "test")
    assert counts(db, "staff")["facts"] == 2
