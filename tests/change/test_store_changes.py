"""Changes through a Store: files, lists, tables, transactions, lines of JSON, history and undo."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cgstore.async_store import AsyncStore
from cgstore.catalog.changes import in_turn
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.store import Store
from tests.change.graph import counts, triples

CY = ("Cy", "works for", "Acme", "2021-05-03", "")
BO_AT_CORE = ("Bo", "works for", "Core", "2024-01-02", "")


def line(head: str, start: str = "2021-05-03", **more: Any) -> dict[str, Any]:
    """Somebody who works for Acme, as a line of JSON has it."""
    return {"head": head, "relation": "works for", "tail": "Acme", "start": start, **more}


@pytest.fixture
def store(db: Database, tmp_path: Path) -> Store:
    path = tmp_path / "staff.tsv"
    path.write_text(
        "Ada\tworks for\tAcme\t2019-03-18\tpresent\n"
        "Bo\tworks for\tAcme\t2018-01-08\t2020-06-30\n"
        "Bo\tworks for\tBolt\t2020-07-01\tpresent\n"
    )
    store = Store(db)
    store.load_tkg(path, name="staff", now="2024-06-30", header=False)
    return store


def who(store: Store, firm: str, **options: str) -> set[object]:
    program = f"get_information(relation='works for', tail_entity='{firm}')"
    return set(store.query(program, ["staff"], **options).answer)


def test_a_file_is_appended_once(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "news.csv"
    path.write_text("head,relation,tail,start,end\nCy,works for,Acme,2021-05-03,\nAda,works for,Acme,2019-03-18,\n")
    report = store.append("staff", path)
    assert (report.changes, report.added, report.removed) == ((1,), 1, 0)
    assert store.append("staff", path).changes == ()
    assert who(store, "Acme") == {"Ada", "Bo", "Cy"}


def test_an_upsert_replaces_the_facts_of_a_head_and_relation(store: Store) -> None:
    report = store.upsert("staff", [BO_AT_CORE])
    assert (report.added, report.removed) == (1, 2)
    assert who(store, "Acme") == {"Ada"}
    assert who(store, "Core") == {"Bo"}


def test_triples_are_changed_like_those_of_a_load(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "films.tsv"
    path.write_text("Alien\tdirected by\tScott\nAlien\tyear\t1979\n")
    store.load_kg(path, header=False)
    store.append("films", [("Brazil", "directed by", "Gilliam"), ("Brazil", "year", "1985")])
    with store.changing("films") as change:
        change.remove("Alien", "year")
    path.write_text("Alien\tdirected by\tScott\nBrazil\tdirected by\tGilliam\nBrazil\tyear\t1985\n")
    store.load_kg(path, name="expected", header=False)
    assert triples(store.db, "films") == triples(store.db, "expected")
    assert counts(store.db, "films") == counts(store.db, "expected")


# What is refused, and what is noted -----------------------------------------------------------------------------------


def test_a_bad_line_of_an_appended_file_changes_nothing(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "news.tsv"
    path.write_text("Cy\tworks for\tAcme\t2021-05-03\t\nDan\tworks for\tAcme\tsoon\t\n")
    with pytest.raises(BadInput, match="1 line cannot be used"):
        store.append("staff", path, header=False)
    assert store.history("staff") == []


def test_a_time_that_is_more_exact_than_the_step_is_refused(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "years.tsv"
    path.write_text("Ada\tborn in\tUlm\t1990\t1990\n")
    store.load_tkg(path, header=False)
    with pytest.raises(BadInput, match="Source 'years' counts years, and 1991-05-02 is more exact"):
        store.append("years", [("Bo", "born in", "Ulm", "1991-05-02", "1991-05-02")])
    path.write_text("Bo\tborn in\tUlm\t1991-05-02\t1991-05-02\n")
    assert store.append("years", path, step="year", header=False).added == 1


def test_a_source_of_another_kind_is_replaced_as_a_whole(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "cities.nt"
    path.write_text("<http://e.org/Ulm> <http://e.org/in> <http://e.org/Germany> .\n")
    store.load_rdf(path)
    with pytest.raises(BadInput, match="can only be replaced as a whole"):
        store.append("cities", path)


@pytest.mark.parametrize(
    ("fact", "note"),
    [
        (("Cy", "works for", "Acme", "2025-05-03", ""), "begins after 2024-06-30"),
        (
            ("Cy", "works for", "Acme", "c. 2020", ""),
            "1 time is approximate or uncertain, such as 'c. 2020': taken as 2020",
        ),
        (
            ("Cy", "works for", "Acme", "2021", "2020"),
            "1 fact ends before the start, and so at no time: (Cy, works for, Acme, 2021, 2020).",
        ),
    ],
)
def test_an_odd_time_of_an_appended_fact_is_noted(store: Store, fact: tuple[str, ...], note: str) -> None:
    assert note in store.append("staff", [fact]).warnings[0]


# Transactions ---------------------------------------------------------------------------------------------------------


def test_a_transaction_that_raises_changes_nothing(store: Store) -> None:
    before = triples(store.db, "staff")
    with pytest.raises(ZeroDivisionError), store.changing("staff") as change:
        change.append([CY])
        raise ZeroDivisionError
    with pytest.raises(BadInput, match="no fact"), store.changing("staff") as change:
        change.append([CY])
        change.remove("Nobody")
    with (
        pytest.raises(BadInput, match=r"would end \(2001-01-01\) before it starts \(2019-03-18\)"),
        store.changing("staff") as change,
    ):
        change.close("Ada", at="2001-01-01")
    assert triples(store.db, "staff") == before
    assert store.history("staff") == []


def test_operations_of_a_transaction_build_on_each_other(store: Store) -> None:
    with store.changing("staff") as change:
        change.append([CY])
        change.correct("Cy", "works for", to={"tail": "Bolt", "start": "about 2021"})
        change.close("Cy", "works for", "Bolt", at="2023-12-31")
    assert change.report is not None and (change.report.added, change.report.removed) == (1, 0)
    assert "such as 'about 2021'" in change.report.warnings[0]
    assert store.history("staff")[0].facts_added == (["Cy", "works for", "Bolt", "2021", "2023-12-31"],)
    with pytest.raises(BadInput, match="This block has ended"):
        change.remove("Bo", "works for", "Bolt")


def test_open_facts_hold_until_the_day_that_is_moved(store: Store) -> None:
    program = "get_information(relation='works for', tail_entity='Acme', key='time', value='2024-12-24')"
    assert store.query(program, ["staff"]).answer == ()
    with store.changing("staff") as change:
        change.hold_until("2024-12-31")
    assert store.query(program, ["staff"]).answer == ("Ada",)
    assert [source.now for source in store.sources()] == ["2024-12-31"]


# Lines ----------------------------------------------------------------------------------------------------------------


def test_lines_are_committed_as_they_come(store: Store) -> None:
    remove = '{"op": "remove", "head": "Dan", "relation": "works for"}'
    close = {"op": "close", "head": "Ada", "at": "2024-03-31"}
    reports = list(store.apply("staff", [line("Cy"), line("Dan", "2021-05-04"), None, remove, close]))
    assert [(report.added, report.removed) for report in reports] == [(2, 0), (1, 2)]


@pytest.mark.parametrize(("together", "there"), [(False, {"Ada", "Bo", "Cy"}), (True, {"Ada", "Bo"})])
def test_a_line_that_does_not_fit_ends_the_stream_after_those_before_it_or_the_one_change(
    store: Store, together: bool, there: set[str]
) -> None:
    lines = [line("Cy"), {"op": "remove", "head": "Nobody"}, line("Dan", "2021-05-04")]
    with pytest.raises(BadInput, match=r"^Line 2: Source 'staff' has no fact \(Nobody\)"):
        list(store.apply("staff", lines, together=together))
    assert who(store, "Acme") == there


NOT_OPERATIONS: list[tuple[str | dict[str, Any], str]] = [
    ("[1]", "not a JSON object"),
    ("{", "not JSON"),
    ({"op": "forget", "head": "Ada"}, "'forget' is not an operation"),
    ({"op": "close", "head": "Ada"}, "'at' is missing"),
    ({"op": "correct", "head": "Ada"}, "'to' is missing"),
    ({"op": "correct", "head": "Ada", "to": {"name": "x"}}, "'name' is not a part of a fact"),
    ({"op": "remove", "relation": "works for"}, "'head' is missing"),
    ({"head": "Ada", "relation": "works for"}, "tail"),
    (line("Moe", ende="2002"), "is not a part of a temporal fact"),
    (line("Moe", qualifiers={"as": "clerk"}), "is not a part of a temporal fact"),
]


def test_a_line_that_is_not_an_operation_is_refused(store: Store) -> None:
    for each, said in NOT_OPERATIONS:
        with pytest.raises(BadInput, match=f"Line 1: .*{said}"):
            list(store.apply("staff", [each]))
    with pytest.raises(BadInput, match="not several lines"):
        list(store.apply("staff", "changes.jsonl"))
    assert store.history("staff") == []


# History and undo -----------------------------------------------------------------------------------------------------


def test_every_kind_of_change_is_undone(store: Store) -> None:
    before = triples(store.db, "staff"), counts(store.db, "staff")
    store.append("staff", [CY])
    store.upsert("staff", [BO_AT_CORE])
    with store.changing("staff") as change:
        change.close("Ada", at="2024-03-31")
    with store.changing("staff") as change:
        change.remove("Cy")
    for number in (4, 3, 2, 1):
        assert store.undo("staff", number).changes == (9 - number,)
    assert (triples(store.db, "staff"), counts(store.db, "staff")) == before
    assert [record.undone for record in store.history("staff")] == [8, 7, 6, 5, None, None, None, None]


def test_a_change_that_a_later_one_touched_is_not_undone(store: Store) -> None:
    store.append("staff", [CY])
    with store.changing("staff") as change:
        change.close("Cy", at="2023-12-31")
    with pytest.raises(BadInput, match=r"Change 1 cannot be undone: .* is not there any more"):
        store.undo("staff", 1)
    with pytest.raises(BadInput, match="Source 'staff' has no change 7"):
        store.history("staff", 7)


def test_a_question_as_of_a_change_gives_what_was_known(store: Store) -> None:
    store.append("staff", [CY])
    with store.changing("staff") as change:
        change.remove("Bo", "works for", "Acme")
    assert who(store, "Acme") == {"Ada", "Cy"}
    assert who(store, "Acme", as_of="#1") == {"Ada", "Bo", "Cy"}
    assert who(store, "Acme", as_of="#0") == {"Ada", "Bo"}


def test_a_change_stands_again_once_its_undoing_is_undone(store: Store) -> None:
    store.append("staff", [CY])
    store.undo("staff")
    assert store.history("staff", 1)[0].undone == 2
    store.undo("staff", 2)
    assert (store.history("staff", 1)[0].undone, store.history("staff", 2)[0].undone) == (None, 3)
    assert who(store, "Acme") == {"Ada", "Bo", "Cy"}


def test_the_end_of_open_facts_that_was_moved_again_is_not_moved_back(store: Store) -> None:
    for day in ("2025-01-31", "2025-02-28"):
        with store.changing("staff") as change:
            change.hold_until(day)
    with pytest.raises(BadInput, match="the end of open facts was moved again"):
        store.undo("staff", 1)
    assert store.undo("staff", 2).now == "2025-01-31"
    assert store.undo("staff", 1).now == "2024-06-30"


def test_a_changed_source_survives_a_dump_and_a_drop_leaves_nothing_of_its_history(
    store: Store, tmp_path: Path
) -> None:
    store.append("staff", [("Ada", "works for", "Acme", "2024-06-01", "2024-06-20")])
    before = triples(store.db, "staff")
    store.dump(tmp_path / "all.cgdump")
    store.drop("staff")
    assert store.db.read("MATCH (n) WHERE NOT n:CgMeta RETURN count(n) AS nodes") == [{"nodes": 0}]
    store.restore(tmp_path / "all.cgdump")
    assert triples(store.db, "staff") == before
    assert store.upsert("staff", [("Ada", "works for", "Core", "2024-06-25", "")]).removed == 2


# Others at the same time ----------------------------------------------------------------------------------------------


def test_a_mark_that_a_dead_process_left_is_no_harm(store: Store) -> None:
    store.db.write("CREATE (:CgMeta {name: 'changing staff', token: 'of a process that was killed'})")
    assert who(store, "Acme") == {"Ada", "Bo"}
    assert store.append("staff", [CY]).changes == (1,)
    assert store.db.read("MATCH (m:CgMeta {name: 'changing staff'}) RETURN m") == []


def test_an_undo_waits_and_takes_back_the_change_that_it_waited_for(store: Store) -> None:
    store.append("staff", [CY])
    with ThreadPoolExecutor(1) as other, in_turn(store.db, ["staff"]):
        waiting = other.submit(store.undo, "staff")
        with pytest.raises(TimeoutError):
            waiting.result(0.5)
        store.db.write("MATCH (c:CgChange {number: 1}) SET c.undone = 99")
    with pytest.raises(BadInput, match="no change that could be undone"):
        waiting.result()


def test_an_async_store_changes_too(store: Store) -> None:
    async def change() -> None:
        async_store = AsyncStore(Store(store.db))
        await async_store.append("staff", [CY])
        async with await async_store.changing("staff") as change:
            change.remove("Cy")
        assert change.report is not None and change.report.changes == (2,)
        assert [report.changes async for report in async_store.apply("staff", [line("Cy")])] == [(3,)]

    asyncio.run(change())
