"""Changes through a Store: files, lists, tables, transactions, lines of JSON, history and undo."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pandas
import pytest

from cgstore.async_store import AsyncStore
from cgstore.catalog.changes import in_turn
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.store import Store
from tests.change.graph import counts, triples

WORKS = "get_information(relation='works for', tail_entity='{}')"


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
    return set(store.query(WORKS.format(firm), ["staff"], **options).answer)


def test_a_file_is_appended_once(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "news.csv"
    path.write_text("head,relation,tail,start,end\nCy,works for,Acme,2021-05-03,\nAda,works for,Acme,2019-03-18,\n")
    report = store.append("staff", path)
    assert (report.changes, report.added, report.removed) == ((1,), 1, 0)
    assert store.append("staff", path).changes == ()
    assert who(store, "Acme") == {"Ada", "Bo", "Cy"}


def test_an_upsert_replaces_the_facts_of_a_head_and_relation(store: Store) -> None:
    report = store.upsert("staff", [("Bo", "works for", "Core", "2024-01-02", "")])
    assert (report.added, report.removed) == (1, 2)
    assert who(store, "Acme") == {"Ada"}
    assert who(store, "Core") == {"Bo"}


def test_a_bad_line_of_an_appended_file_changes_nothing(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "news.tsv"
    path.write_text("Cy\tworks for\tAcme\t2021-05-03\t\nDan\tworks for\tAcme\tsoon\t\n")
    with pytest.raises(BadInput, match="1 line cannot be used"):
        store.append("staff", path, header=False)
    assert store.history("staff") == []


def test_a_transaction_that_raises_changes_nothing(store: Store) -> None:
    before = triples(store.db, "staff")
    with pytest.raises(ZeroDivisionError), store.changing("staff") as change:
        change.append([("Cy", "works for", "Acme", "2021-05-03", "")])
        raise ZeroDivisionError
    with pytest.raises(BadInput, match="no fact"), store.changing("staff") as change:
        change.append([("Cy", "works for", "Acme", "2021-05-03", "")])
        change.remove("Nobody")
    assert triples(store.db, "staff") == before
    assert store.history("staff") == []


def test_operations_of_a_transaction_build_on_each_other(store: Store) -> None:
    with store.changing("staff") as change:
        change.append([("Cy", "works for", "Acme", "2021-05-03", "")])
        change.correct("Cy", "works for", to={"tail": "Bolt"})
        change.close("Cy", "works for", "Bolt", at="2023-12-31")
    assert change.report is not None and (change.report.added, change.report.removed) == (1, 0)
    assert store.history("staff")[0].facts_added == (["Cy", "works for", "Bolt", "2021-05-03", "2023-12-31"],)


def test_a_close_before_the_start_is_refused(store: Store) -> None:
    with pytest.raises(BadInput, match=r"would end \(2001-01-01\) before it starts \(2019-03-18\)"):
        store.changing("staff").close("Ada", at="2001-01-01")
        change = store.changing("staff")
        change.close("Ada", at="2001-01-01")
        change.commit()


def test_a_time_that_is_more_exact_than_the_step_is_refused(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "years.tsv"
    path.write_text("Ada\tborn in\tUlm\t1990\t1990\n")
    store.load_tkg(path, header=False)
    with pytest.raises(BadInput, match="Source 'years' counts years, and 1991-05-02 is more exact"):
        store.append("years", [("Bo", "born in", "Ulm", "1991-05-02", "1991-05-02")])
    path.write_text("Bo\tborn in\tUlm\t1991-05-02\t1991-05-02\n")
    assert store.append("years", path, step="year", header=False).added == 1


def test_every_kind_of_change_is_undone(store: Store) -> None:
    before = triples(store.db, "staff"), counts(store.db, "staff")
    store.append("staff", [("Cy", "works for", "Acme", "2021-05-03", "")])
    store.upsert("staff", [("Bo", "works for", "Core", "2024-01-02", "")])
    with store.changing("staff") as change:
        change.close("Ada", at="2024-03-31")
    with store.changing("staff") as change:
        change.remove("Cy")
    for number in (4, 3, 2, 1):
        assert store.undo("staff", number).changes == (9 - number,)
    assert (triples(store.db, "staff"), {**counts(store.db, "staff")}) == before
    assert [record.undone for record in store.history("staff")] == [8, 7, 6, 5, None, None, None, None]


def test_a_change_that_a_later_one_touched_is_not_undone(store: Store) -> None:
    store.append("staff", [("Cy", "works for", "Acme", "2021-05-03", "")])
    with store.changing("staff") as change:
        change.close("Cy", at="2023-12-31")
    with pytest.raises(BadInput, match=r"Change 1 cannot be undone: .* is not there any more"):
        store.undo("staff", 1)


def test_a_question_as_of_a_change_gives_what_was_known(store: Store) -> None:
    store.append("staff", [("Cy", "works for", "Acme", "2021-05-03", "")])
    with store.changing("staff") as change:
        change.remove("Bo", "works for", "Acme")
    assert who(store, "Acme") == {"Ada", "Cy"}
    assert who(store, "Acme", as_of="#1") == {"Ada", "Bo", "Cy"}
    assert who(store, "Acme", as_of="#0") == {"Ada", "Bo"}


def test_open_facts_hold_until_the_day_that_is_moved(store: Store) -> None:
    program = "get_information(relation='works for', tail_entity='Acme', key='time', value='2024-12-24')"
    assert store.query(program, ["staff"]).answer == ()
    with store.changing("staff") as change:
        change.hold_until("2024-12-31")
    assert store.query(program, ["staff"]).answer == ("Ada",)
    (source,) = (source for source in store.sources() if source.name == "staff")
    assert source.now == "2024-12-31"


def test_an_open_fact_that_begins_after_that_day_is_noted(store: Store) -> None:
    report = store.append("staff", [("Cy", "works for", "Acme", "2025-05-03", "")])
    assert "begins after 2024-06-30" in report.warnings[0]


def test_lines_are_committed_as_they_come(store: Store) -> None:
    lines = [
        '{"head": "Cy", "relation": "works for", "tail": "Acme", "start": "2021-05-03"}',
        '{"head": "Dan", "relation": "works for", "tail": "Acme", "start": "2021-05-04"}',
        None,
        '{"op": "remove", "head": "Dan", "relation": "works for"}',
    ]
    reports = list(store.apply("staff", lines))
    assert [(report.added, report.removed) for report in reports] == [(2, 0), (0, 1)]


def test_a_line_that_does_not_fit_ends_the_stream_after_those_before_it(store: Store) -> None:
    lines = [
        '{"head": "Cy", "relation": "works for", "tail": "Acme", "start": "2021-05-03"}',
        '{"op": "remove", "head": "Nobody"}',
        '{"head": "Dan", "relation": "works for", "tail": "Acme", "start": "2021-05-04"}',
    ]
    with pytest.raises(BadInput, match=r"Line 2: Source 'staff' has no fact \(Nobody\)"):
        list(store.apply("staff", lines))
    assert who(store, "Acme") == {"Ada", "Bo", "Cy"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[1]", "not a JSON object"),
        ("{", "not JSON"),
        ('{"op": "forget", "head": "Ada"}', "'forget' is not an operation"),
        ('{"op": "close", "head": "Ada"}', "'at' is missing"),
        ('{"op": "correct", "head": "Ada"}', "'to' is missing"),
        ('{"op": "correct", "head": "Ada", "to": {"name": "x"}}', "'name' is not a part of a fact"),
        ('{"head": "Ada", "relation": "works for"}', "tail"),
        ('{"op": "remove", "relation": "works for"}', "'head' is missing"),
    ],
)
def test_a_line_that_is_not_an_operation_is_refused(store: Store, line: str, said: str) -> None:
    with pytest.raises(BadInput, match=f"Line 1: .*{said}"):
        list(store.apply("staff", [line]))


def test_rows_are_appended_and_replaced_by_their_key(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "pay.csv"
    path.write_text("name,salary,city\nAda,4000,Graz\nBo,3900,Linz\n")
    store.load_table(path)
    store.append("pay", [{"name": "Cy", "salary": "5000"}])
    store.upsert("pay", pandas.DataFrame([{"name": "Bo", "salary": 4100}]), key=["name"])
    out = tmp_path / "out.csv"
    store.export("pay", out, "csv")
    assert out.read_text() == '"name","salary","city"\n"Ada","4000","Graz"\n"Bo","4100","Linz"\n"Cy","5000",""\n'
    assert store.query("sum(set=get_information(relation='salary'))", ["pay"]).answer == (13100,)


def test_the_number_of_a_removed_row_is_not_given_again(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "pay.csv"
    path.write_text("name,salary\nAda,4000\nBo,3900\n")
    store.load_table(path)
    with store.changing("pay") as change:
        change.remove("[line_2]", every=True)
    store.append("pay", [{"name": "Cy", "salary": "5000"}])
    assert store.query("get_information(relation='name', tail_entity='Cy')", ["pay"]).answer == ("[line_3]",)


def test_a_key_that_two_rows_have_is_refused(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "pay.csv"
    path.write_text("name,salary\nAda,4000\nAda,3900\n")
    store.load_table(path)
    with pytest.raises(BadInput, match="2 rows of 'pay' have 'Ada' as 'name'"):
        store.upsert("pay", [{"name": "Ada", "salary": "1"}], key=["name"])
    with pytest.raises(BadInput, match="no column 'wage'"):
        store.append("pay", [{"name": "Ada", "wage": "1"}])


def test_triples_and_statements_are_changed_like_those_of_a_load(store: Store, tmp_path: Path) -> None:
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


def test_statements_of_one_fact_keep_their_qualifiers_when_one_goes(store: Store, tmp_path: Path) -> None:
    def line(year: str, stars: str) -> str:
        qualifiers = {"year": year, "stars": stars}
        return json.dumps({"subject": "Ann", "relation": "rated", "object": "Alien", "qualifiers": qualifiers}) + "\n"

    path = tmp_path / "ratings.jsonl"
    path.write_text(line("2020", "3") + line("2021", "5"))
    store.load_statements(path)
    store.append("ratings", [json.loads(line("2022", "4"))])
    path.write_text(line("2020", "3") + line("2021", "5") + line("2022", "4"))
    store.load_statements(path, name="expected")
    assert triples(store.db, "ratings") == triples(store.db, "expected")
    store.undo("ratings")
    path.write_text(line("2020", "3") + line("2021", "5"))
    store.load_statements(path, name="before")
    assert triples(store.db, "ratings") == triples(store.db, "before")


def test_a_changed_source_survives_a_dump(store: Store, tmp_path: Path) -> None:
    store.append("staff", [("Ada", "works for", "Acme", "2024-06-01", "2024-06-20")])
    before = triples(store.db, "staff")
    store.dump(tmp_path / "all.cgdump")
    store.drop("staff")
    store.restore(tmp_path / "all.cgdump")
    assert triples(store.db, "staff") == before
    assert store.upsert("staff", [("Ada", "works for", "Core", "2024-06-25", "")]).removed == 2


def test_a_drop_leaves_nothing_of_a_history(store: Store) -> None:
    store.append("staff", [("Cy", "works for", "Acme", "2021-05-03", "")])
    store.undo("staff")
    store.drop("staff")
    left = "MATCH (n) WHERE NOT n:CgMeta RETURN count(n) AS nodes"
    assert store.db.read(left)[0]["nodes"] == 0


def test_a_mark_that_a_dead_process_left_is_no_harm(store: Store) -> None:
    store.db.write("CREATE (:CgMeta {name: 'changing staff', token: 'of a process that was killed'})")
    assert who(store, "Acme") == {"Ada", "Bo"}
    assert store.append("staff", [("Cy", "works for", "Acme", "2021-05-03", "")]).changes == (1,)
    assert store.db.read("MATCH (m:CgMeta {name: 'changing staff'}) RETURN m") == []


def test_a_change_waits_for_another_one_of_its_source(store: Store) -> None:
    import threading

    done = threading.Event()

    def append() -> None:
        store.append("staff", [("Cy", "works for", "Acme", "2021-05-03", "")])
        done.set()

    with in_turn(store.db, ["staff"]):
        thread = threading.Thread(target=append)
        thread.start()
        assert not done.wait(0.5)
    thread.join()
    assert done.is_set()


def test_a_source_of_another_kind_is_replaced_as_a_whole(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "cities.nt"
    path.write_text("<http://e.org/Ulm> <http://e.org/in> <http://e.org/Germany> .\n")
    store.load_rdf(path)
    with pytest.raises(BadInput, match="can only be replaced as a whole"):
        store.append("cities", path)


def test_an_async_store_changes_too(store: Store) -> None:
    async def change() -> None:
        async_store = AsyncStore(Store(store.db))
        await async_store.append("staff", [("Cy", "works for", "Acme", "2021-05-03", "")])
        async with await async_store.changing("staff") as change:
            change.remove("Cy")
        assert change.report is not None and change.report.changes == (2,)
        lines = ['{"head": "Cy", "relation": "works for", "tail": "Acme", "start": "2021-05-03"}']
        assert [report.changes async for report in async_store.apply("staff", lines)] == [(3,)]

    asyncio.run(change())


@pytest.mark.parametrize(
    "fact",
    [
        {"head": "Moe", "relation": "works for", "tail": "Acme", "start": "2001", "ende": "2002"},
        {"head": "Moe", "relation": "works for", "tail": "Acme", "start": "2001", "qualifiers": {"as": "clerk"}},
    ],
)
def test_what_is_not_a_part_of_a_temporal_fact_is_refused(store: Store, fact: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=r"Line 1: .* is not a part of a temporal fact"):
        list(store.apply("staff", [fact]))
    assert store.history("staff") == []


def test_statements_take_no_times(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "knows.tsv"
    path.write_text("Ann\tknows\tBob\tsince\t1999\n")
    store.load_statements(path, header=False)
    with pytest.raises(BadInput, match="Fact 1: 'start' is not a part of a fact"):
        store.append("knows", [("Ann", "knows", "Cy", "2001", "2002")])


def test_lines_may_be_dicts(store: Store) -> None:
    (report,) = store.apply("staff", [{"op": "close", "head": "Ada", "at": "2024-03-31"}])
    assert (report.added, report.removed) == (1, 1)
    with pytest.raises(BadInput, match="not several lines"):
        list(store.apply("staff", "changes.jsonl"))


def test_a_line_that_does_not_fit_is_named_where_all_are_one_change(store: Store) -> None:
    lines = [
        {"head": "Cy", "relation": "works for", "tail": "Acme", "start": "2021-05-03"},
        {"op": "close", "head": "Nobody", "at": "2024-03-31"},
    ]
    with pytest.raises(BadInput, match=r"^Line 2: .*nothing begins with 'Nobody'"):
        list(store.apply("staff", lines, together=True))


def test_times_that_are_read_by_a_rule_are_noted(store: Store) -> None:
    report = store.append("staff", [("Cy", "works for", "Acme", "c. 2020", "")])
    assert "1 time is approximate or uncertain, such as 'c. 2020': taken as 2020" in report.warnings[0]
    with store.changing("staff") as change:
        change.correct("Cy", to={"start": "about 2021"})
    assert change.report is not None and "such as 'about 2021'" in change.report.warnings[0]


def test_a_fact_that_ends_before_it_starts_is_noted(store: Store) -> None:
    (note,) = store.append("staff", [("Cy", "works for", "Acme", "2021", "2020")]).warnings
    assert note == "1 fact ends before the start, and so at no time: (Cy, works for, Acme, 2021, 2020)."


def test_a_block_that_has_ended_takes_no_more(store: Store) -> None:
    with store.changing("staff") as change:
        change.close("Ada", at="2024-03-31")
    with pytest.raises(BadInput, match="This block has ended"):
        change.remove("Bo", "works for", "Bolt")


def test_a_change_stands_again_once_its_undoing_is_undone(store: Store) -> None:
    store.append("staff", [("Cy", "works for", "Acme", "2021-05-03", "")])
    store.undo("staff")
    assert store.history("staff", 1)[0].undone == 2
    store.undo("staff", 2)
    assert (store.history("staff", 1)[0].undone, store.history("staff", 2)[0].undone) == (None, 3)
    assert who(store, "Acme") == {"Ada", "Bo", "Cy"}


def test_an_undo_that_waits_takes_back_the_change_that_it_waited_for(store: Store) -> None:
    store.append("staff", [("Cy", "works for", "Acme", "2021-05-03", "")])
    with ThreadPoolExecutor(1) as other, in_turn(store.db, ["staff"]):
        waiting = other.submit(store.undo, "staff")
        with pytest.raises(TimeoutError):
            waiting.result(0.5)
        store.db.write("MATCH (c:CgChange {number: 1}) SET c.undone = 99")
    with pytest.raises(BadInput, match="no change that could be undone"):
        waiting.result()


def test_the_end_of_open_facts_that_was_moved_again_is_not_moved_back(store: Store) -> None:
    for day in ("2025-01-31", "2025-02-28"):
        with store.changing("staff") as change:
            change.hold_until(day)
    with pytest.raises(BadInput, match="the end of open facts was moved again"):
        store.undo("staff", 1)
    assert store.undo("staff", 2).now == "2025-01-31"
    assert store.undo("staff", 1).now == "2024-06-30"


def test_a_change_that_is_not_there_has_no_record(store: Store) -> None:
    with pytest.raises(BadInput, match="Source 'staff' has no change 7"):
        store.history("staff", 7)
