"""A temporal source keeps stretches of times, and answers as the second interpreter does, which knows each time."""

from __future__ import annotations

import json
from contextlib import suppress
from operator import eq, ge, gt, le, lt
from pathlib import Path

import pytest

from cgstore.catalog.sources import drop_source, list_sources
from cgstore.cypher.connection import Database
from cgstore.model import Answer
from cgstore.query.parse import ProgramError
from cgstore.store import Store
from tests.query.corpus import load, whole
from tests.query.interpreter_graph import Graph
from tests.query.test_differential import answered, interpreted

AT = {
    "day": "1992-02-28",
    "month": "1992-03",
    "minute": "1992-02-29T00:02",
    "second": "1992-01-01T00:00:02",
    "year": "2",
}
"""A time of each step, in a program."""

PROGRAMS = {
    "tails, heads and facts at a time": [
        "get_information(relation='chair of', tail_entity='Club', key='time', value='AT')",
        "get_information(head_entity='Ann', relation='chair of', key='time', value='AT')",
        "get_information(head_entity='Ann', tail_entity='Club', key='time', value='AT')",
        "get_information(head_entity='Ann', relation='chair of', tail_entity='Club', key='time', value='AT')",
        "get_information(relation='member of', key='time', value='AT')",
        "get_information(tail_entity='Club', key='time', value='AT')",
        "get_information(head_entity='Ann', key='time', value='AT')",
        "get_information(key='time', value='AT')",
    ],
    "comparisons": [
        "get_information(relation='chair of', key='time', value>'AT')",
        "get_information(relation='chair of', key='time', value<='AT')",
        "get_information(relation='chair of', key='time', value>'AT', value<'1992-03-04')",
        "get_information(relation='member of', key='time', value='1992')",
        "get_information(key='time', value='1992-02')",
        "get_information(key='time', value>'AT', value<'AT')",
        "get_information(key='time', value='latest')",
        "get_information(key='time', value='earliest')",
        "get_information(key='time', value='most')",
        "get_information(key='time', value='least')",
    ],
    "times": [
        "get_information(head_entity='Ann', relation='member of', key='time')",
        "get_information(head_entity='Ann', key='time')",
        "get_information(relation='member of', key='time')",
        "get_information(tail_entity='Club', key='time')",
        "get_information(head_entity='Ann', relation='chair of', tail_entity='Club', key='time')",
        "get_information(key='time')",
        "count(set=get_information(relation='chair of', key='time'))",
        "last(set=get_information(relation='chair of', key='time'))",
        "nth(set=get_information(relation='chair of', key='time'), n=2)",
        "max(set=get_information(relation='friend of', key='time'))",
        "mean(set=extract_year(set=get_information(relation='friend of', key='time')))",
        "sort(set=get_information(relation='member of', key='time'), order='desc')",
        "keep(set=get_information(relation='chair of', key='time'), value>'AT')",
        "keep(set=get_information(relation='chair of', key='time'), contains='2')",
        "mode(set=get_information(relation='member of', key='time'))",
        "argmax(set=get_information(relation='member of', key='time'))",
        "for_each(set=heads(relation='member of'), value=max(get_information(head_entity=each, key='time')))",
        "group(set=heads(relation='member of'), by=get_information(head_entity=each, key='time'))",
        "select(set=heads(relation='friend of'), columns=get_information(head_entity=each, key='time'))",
    ],
    "times of other facts": [
        "Query1: get_information(head_entity='Dan', key='time')\n"
        f"Query2: get_information(relation='{relation}', key='time', value{op}'output_of_query1')"
        for relation in ("chair of", "member of")
        for op in ("=", ">", ">=", "<", "<=")
    ]
    + [
        "Query1: get_information(head_entity='Dan', key='time')\n"
        "Query2: get_information(relation='chair of', key='time')\n"
        f"Query3: set_{function}(set1='output_of_query1', set2='output_of_query2')"
        for function in ("union", "intersection", "difference")
    ]
    + [
        "Query1: min(set=get_information(head_entity='Dan', key='time'))\n"
        "Query2: get_information(relation='chair of', key='time', value='output_of_query1')",
        "Query1: get_information(head_entity='Dan', key='start_time')\n"
        "Query2: get_information(key='time', value='output_of_query1')",
    ],
    "times of several stretches": [
        f"Query1: {times}\nQuery2: {search[:-1]}{', ' if '=' in search else ''}key='time', value='output_of_query1')"
        for times in (
            "get_information(head_entity='Ann', key='time')",
            "get_information(relation='member of', key='time')",
            "extract_year(set=get_information(head_entity='Ann', key='time'))",
        )
        for search in (
            "get_information()",
            "get_information(relation='friend of')",
            "get_information(relation='chair of', tail_entity='Club')",
            "get_information(head_entity='Bob', relation='chair of')",
        )
    ],
}

CHAIR, MEMBER, FRIEND = (
    f"get_information(relation='{name}', key='time')" for name in ("chair of", "member of", "friend of")
)
PROGRAMS["stretches of times"] = [
    f"get_information(tail_entity='Club', key='time', value=max(keep({MEMBER}, value<'AT')))",
    f"get_information(relation='member of', key='time', value=min(keep({CHAIR}, value>'AT')))",
    f"max(set_intersection({CHAIR}, {FRIEND}))",
    f"set_intersection({CHAIR}, {MEMBER}, {FRIEND})",
    f"count(set_union({CHAIR}, {MEMBER}))",
    f"exists(set_intersection({CHAIR}, {FRIEND}))",
    f"keep({CHAIR}, value>{FRIEND})",
    f"get_information(tail_entity='Club', key='time', value={CHAIR}, value<'AT')",
    f"keep({CHAIR}, value<={FRIEND}, value>='AT')",
    f"get_information(relation='member of', key='start_time', value>{FRIEND})",
    f"mean(extract_year(set_intersection({MEMBER}, {CHAIR})))",
    f"first(set_union({MEMBER}, {FRIEND}))",
    f"get_information(key='time', value=set_intersection({MEMBER}, {FRIEND}))",
    f"mean(extract_year(keep({CHAIR}, value>'AT')))",
    f"set_union(min({MEMBER}), max({MEMBER}))",
    f"set_difference({CHAIR}, keep({FRIEND}, value>'AT'))",
    f"argmax(set=set_union({FRIEND}, max({CHAIR})))",
    f"get_information(head_entity='Ann', tail_entity='Club', key='time', value={FRIEND})",
    f"get_information(tail_entity='Club', key='time', value={FRIEND}, value=nth({MEMBER}, n='2'))",
    f"get_information(tail_entity='Club', key='time', value={FRIEND}, value=sort({MEMBER}))",
    f"keep({CHAIR}, value>min(keep({FRIEND}, value>'9999')))",
    f"Query1: {CHAIR}\nQuery2: max(set='output_of_query1')\nQuery3: mean(set='output_of_query1')\n"
    "Query4: count(set=keep(set='output_of_query1', value<'output_of_query2'))",
    "for_each(set=heads(relation='friend of'), value=count(set=keep("
    "set=get_information(head_entity=each, key='time'), value>'AT')))",
]


DAYS = ["by_day"]
CHAIRS = f"max(set={CHAIR})"


@pytest.fixture(scope="module")
def store(shared_db: Database) -> Store:
    return load(shared_db, *(f"by_{step}" for step in AT))


@pytest.fixture(scope="module")
def graph() -> Graph:
    return whole()


def check(store: Store, graph: Graph, program: str, *sources: str) -> None:
    """The answer is the interpreter's, and its evidence is of the definition."""
    asked = graph.asked(sources)
    assert answered(store, program, sources) == interpreted(asked, program), program
    with suppress(ProgramError):
        evidence = store.query(program, sources).evidence
        said = {(about.key.name, about.value.name, about.fact.head.name) for about in asked.abouts}
        assert {(e.node1, e.node2, e.condition[0]) for e in evidence if len(e.condition) == 3} <= said


@pytest.mark.parametrize("of_days", [8, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize("step", AT)
@pytest.mark.parametrize("programs", PROGRAMS.values(), ids=PROGRAMS)
def test_stretches_answer_as_each_time_of_them_would(
    store: Store, graph: Graph, step: str, programs: list[str], of_days: int
) -> None:
    for program in programs[:: of_days if step == "day" else 2 * of_days + 1]:
        check(store, graph, program.replace("AT", AT[step]), f"by_{step}")


def test_sources_of_different_steps_are_asked_together(store: Store, graph: Graph) -> None:
    for programs in PROGRAMS.values():
        check(store, graph, programs[0].replace("AT", AT["day"]), "by_day", "by_month", "by_year")


def test_the_first_times_of_an_answer_have_their_evidence(store: Store) -> None:
    program = f"set_union(set1={CHAIR}, set2=get_information(key='time'))"
    all_of_them, cut = (store.query(program, DAYS, limit=limit) for limit in (1_000, 70))
    assert cut.answer == all_of_them.answer[:70]
    assert {each.node2 for each in cut.evidence if each.node1 == "time"} == set(cut.answer)
    assert set(cut.evidence) <= set(all_of_them.evidence)


def periods_shown(answer: Answer) -> list[str]:
    return [each.node2 for each in answer.evidence_shown if each.node1 == "time"]


def test_the_evidence_of_long_periods_is_cut_and_shown_with_one_triple_for_each(store: Store) -> None:
    answer = store.query(CHAIRS, DAYS, evidence_limit=5)
    assert answer.evidence_cut and len({each.node2 for each in answer.evidence if each.node1 == "time"}) == 5
    assert periods_shown(answer) == ["1991-12-30 to 1992-03-02", "1992-03-03 to 1992-03-10"]
    assert not answer.warnings


def test_the_evidence_of_a_search_has_the_part_of_a_period_that_fits(store: Store) -> None:
    program = "get_information(relation='chair of', key='time', value>='1992-02-28', value<='1992-03-04')"
    assert periods_shown(store.query(program, DAYS)) == ["1992-02-28 to 1992-03-02", "1992-03-03 to 1992-03-04"]


def test_an_answer_keeps_the_periods_of_its_evidence_as_json(store: Store) -> None:
    answer = store.query(CHAIRS, DAYS)
    assert answer.evidence_periods and Answer.from_json(json.loads(json.dumps(answer.to_json()))) == answer


def test_each_query_says_how_many_times_it_gave(store: Store) -> None:
    program = f"Query1: {MEMBER}\nQuery2: max(set='output_of_query1')"
    assert store.query(program, DAYS).queries[0].startswith('Query1 gave 11: "1992-01-01", "1992-01-02"')


def test_an_answer_that_is_times_comes_as_periods(store: Store) -> None:
    answer = store.query("get_information(head_entity='Ann', relation='member of', key='time')", DAYS)
    assert answer.periods == ("1992-02-25 to 1992-03-01", "1992-03-05") and len(answer.answer) == 7
    assert str(answer).startswith("1992-02-25 to 1992-03-01\n1992-03-05\n")
    assert "1992-02-25 to 1992-03-01, 1992-03-05 (all 2 shown)" in answer.sentence


def test_the_primitives_read_periods(store: Store, graph: Graph) -> None:
    days = ["1992-01-01", "1992-01-02", "1992-01-03", "1992-01-04"]
    assert store.search_node("time", ("Cid", "member of", "Club"), sources=DAYS) == days
    times = [about for about in graph.asked(DAYS).abouts if about.key.name == "time"]
    for op, compare in (("=", eq), ("<", lt), (">", gt), ("<=", le), (">=", ge)):
        holding = {about.fact.names for about in times if compare(about.value.name, "1992-03-01")}
        assert set(store.search_condition("time", "1992-03-01", op, sources=DAYS)) == holding
    assert len(store.search_node("time", sources=DAYS)) == 72


def test_a_drop_removes_the_periods_and_their_nodes(db: Database, tmp_path: Path) -> None:
    path = tmp_path / "long.tsv"
    path.write_text("Ann\tchair of\tClub\t1900-01-01\t1999-12-31\n", encoding="utf-8")
    report = Store(db).load_tkg(path, name="long", header=False, step="day")
    assert (report.triples, report.stored, report.nodes) == (36_528, 5, 8)
    assert list_sources(db)[0].stored == 5
    drop_source(db, "long")
    assert db.read("MATCH (n:CgNode) RETURN count(n) AS n")[0]["n"] == 0


def test_a_description_has_the_first_and_the_last_time_also_of_open_facts(db: Database, tmp_path: Path) -> None:
    path = tmp_path / "terms.tsv"
    lines = "Ann\tchair of\tClub\t1985\t1989-11-09\nBob\tchair of\tClub\t1989-11-10\tpresent\n"
    path.write_text(lines, encoding="utf-8")
    store = Store(db)
    store.load_tkg(path, name="terms", header=False, now="1990-02-01")
    assert "Times from 1985-01-01 to 1990-02-01, by day" in str(store.describe("terms"))
