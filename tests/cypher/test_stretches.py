"""Which outputs of times stay stretches, by how they are used, and where each time is written out."""

from __future__ import annotations

import pytest

from cgstore.cypher.compile.stretches import stretched_steps
from cgstore.query.operators import Search
from tests.rule_cases import JOB, PERIOD_PROGRAMS, SPOUSES, plan_of

TIMES = f"{SPOUSES})"
STRETCHED = {
    **{name: PERIOD_PROGRAMS[name] for name in PERIOD_PROGRAMS if not name.startswith("each_time")},
    "the first time": f"first({TIMES})",
    "whether there is a time": f"exists({TIMES})",
    "the last time in common": f"max(set_intersection({TIMES}, {JOB}, keep({TIMES}, value<'1900')))",
    "twice": f"set_union(min({TIMES}), max({TIMES}))",
}
WRITTEN = {
    "years of times": f"extract_year({TIMES})",
    "the mean": f"mean({TIMES})",
    "the second": f"nth({TIMES}, n='2')",
    "the first two": f"first({TIMES}, n='2')",
    "in order": f"sort({TIMES})",
    "what is taken away": f"set_difference({TIMES}, {JOB})",
    "text in times": f"keep({TIMES}, contains='19')",
    "times as tails": f"get_information(relation='spouse', tail_entity={TIMES})",
    "times that are starts": f"get_information(key='start_time', value={TIMES})",
    "starts among them": f"set_intersection({TIMES}, get_information(relation='spouse', key='start_time'))",
    "both uses of one": f"Query1: {TIMES}\nQuery2: max(set=output_of_query1)\nQuery3: mean(set=output_of_query1)",
}


def searches(program: str) -> tuple[set[int], set[int]]:
    """The searches for times of a program, and those of them whose outputs are stretches."""
    plan = plan_of(program)
    of_times = {n for n, step in enumerate(plan.steps) if isinstance(step, Search) and plan.types[n].is_times}
    return of_times, of_times & stretched_steps(plan).keys()


@pytest.mark.parametrize("program", STRETCHED.values(), ids=STRETCHED)
def test_times_stay_stretches_where_nothing_needs_each_of_them(program: str) -> None:
    of_times, stretched = searches(program)
    assert of_times == stretched


@pytest.mark.parametrize("program", WRITTEN.values(), ids=WRITTEN)
def test_times_are_written_out_where_each_is_needed(program: str) -> None:
    assert not searches(program)[1]
