"""Times of day: how a load reads them, what programs find by them, and what changes make of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.model import LoadReport
from cgstore.store import Store
from cgstore.text.asked_times import find_times
from tests.conftest import wipe
from tests.loaders.samples import write_csv

SHIFTS = Path(__file__).parents[2] / "examples" / "shifts.tsv"
SENSOR = [
    ("door", "state", "open", "2024-05-01T10:30:00", "2024-05-01T10:30:07"),
    ("door", "state", "shut", "2024-05-01T10:30:08", "present"),
    ("lamp", "state", "on", "2024-05-01", "2024-05-01T12:00:59"),
]


@pytest.fixture(scope="module")
def store(shared_db: Database) -> Store:
    wipe(shared_db)
    store = Store(shared_db)
    store.load_tkg(SHIFTS)
    return store


def answer(store: Store, program: str) -> list[str]:
    return [str(element) for element in store.query(program, ["shifts"]).answer]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("='2024-05-01T13:30'", ["Ada Moss", "Cy Park"]),
        ("='2024-05-01 13:30'", ["Ada Moss", "Cy Park"]),
        ("='2024-05-01T15:30+02:00'", ["Ada Moss", "Cy Park"]),
        ("='2024-05-01T14:00:30'", ["Ada Moss", "Cy Park"]),
        ("='2024-05-02'", ["Dan Reed"]),
        ("='2024'", ["Ada Moss", "Bo Lund", "Cy Park", "Dan Reed"]),
        (">'2024-05-01T22:00'", ["Dan Reed"]),
        (">'2024-05-01'", ["Dan Reed"]),
        ("<'2024-05-01T10:30'", ["Ada Moss"]),
        ("<='2024-05-01T10:30'", ["Ada Moss", "Cy Park"]),
        (">'2024-05-01T18:30', value<'2024-05-01T20:00'", ["Bo Lund"]),
    ],
)
def test_facts_are_found_by_a_time_of_day(store: Store, value: str, found: list[str]) -> None:
    assert answer(store, f"get_information(relation='on shift', key='time', value{value})") == found


def test_the_first_and_the_last_and_those_before_are_told_by_the_minute(store: Store) -> None:
    assert answer(store, "last(get_information(relation='on shift', key='start_time'))") == ["2024-05-01T22:01"]
    assert answer(store, "get_information(relation='on shift', key='end_time', value='earliest')") == ["Ada Moss"]
    others = "get_information(head_entity='Bo Lund', key='start_time')\n"
    assert answer(store, f"{others}get_information(relation='on shift', key='end_time', value<'output_of_query1')") == [
        "Ada Moss"
    ]


def test_an_answer_that_is_times_is_a_period_of_minutes(store: Store) -> None:
    found = store.query("get_information(head_entity='Eve Hart', relation='on call for', key='time')", ["shifts"])
    assert found.periods == ("2024-05-01T22:00 to 2024-05-02T06:00",) and len(found.answer) == 481


def test_a_time_that_is_read_by_a_rule_is_told(store: Store) -> None:
    found = store.query("get_information(key='time', value='2024-05-01T15:30:20+02:00')", ["shifts"])
    assert found.warnings[:2] == (
        "In 'shifts', whose times are minutes, '2024-05-01T15:30:20+02:00' was read as 2024-05-01T13:30.",
        "'2024-05-01T15:30:20+02:00' was read as 2024-05-01T13:30:20.",
    )


def test_parts_of_a_date_are_those_of_the_day(store: Store) -> None:
    starts = "get_information(head_entity='Dan Reed', key='start_time')"
    assert answer(store, f"extract_day({starts})") == ["1"]
    assert answer(store, f"extract_weekday({starts})") == ["Wednesday"]
    assert answer(store, f"day_difference({starts}, '2024-05-03')") == ["2"]


def loaded(store: Store, folder: Path, facts: list[tuple[str, ...]], **options: object) -> LoadReport:
    path = write_csv(folder / "sensor.csv", facts)
    return store.load_tkg(path, header=False, replace=True, **options)  # type: ignore[arg-type]


@pytest.fixture
def own(db: Database) -> Store:
    return Store(db)


def test_seconds_are_kept_and_a_day_among_them_stays_a_day(own: Store, tmp_path: Path) -> None:
    report = loaded(own, tmp_path, SENSOR, now="2024-05-01T11:00:00")
    assert (report.step, report.open, report.now) == ("second", 1, "2024-05-01T11:00:00")
    assert any("less exact than the seconds of this source, such as 2024-05-01" in each for each in report.warnings)
    at = "get_information(head_entity='{}', relation='state', key='time', value='2024-05-01T10:30:{}')"
    found = [own.query(at.format(*each)).answer for each in (("door", "07"), ("door", "08"), ("lamp", "08"))]
    assert found == [("open",), ("shut",), ("on",)]
    assert own.query("get_information(head_entity='lamp', key='start_time')").answer == ("2024-05-01",)


def test_an_offset_is_taken_in_utc_and_noted_beside_times_without_one(own: Store, tmp_path: Path) -> None:
    facts = [("a", "r", "b", "2024-05-01T01:30+02:00", ""), ("a", "r", "c", "2024-05-01T01:30:20.25", "")]
    report = loaded(own, tmp_path, facts)
    assert report.warnings[:3] == (
        "1 time has Z or an offset, such as '2024-05-01T01:30+02:00': taken in UTC, as 2024-04-30T23:30.",
        "1 time of day has neither Z nor an offset, such as '2024-05-01T01:30:20.25': taken as if in UTC too.",
        "1 time has a fraction of a second, such as '2024-05-01T01:30:20.25': cut to the second.",
    )
    assert own.query("get_information(head_entity='a', key='start_time')").answer == (
        "2024-04-30T23:30",
        "2024-05-01T01:30:20",
    )


def test_times_of_day_that_are_cut_to_the_day_are_told(own: Store, tmp_path: Path) -> None:
    midnights = [("a", "r", "b", "2024-05-01T00:00:00Z", "2024-05-03T00:00:00Z")]
    report = loaded(own, tmp_path, midnights)
    assert report.step == "day" and any("cut to the day, since all of them" in each for each in report.warnings)
    report = loaded(own, tmp_path, SENSOR, step="day", now="2024-05-02")
    assert report.warnings[0].startswith("3 facts have times of day: cut to the day. `step='minute'` keeps them.")


def test_an_export_gives_the_times_back(own: Store, tmp_path: Path) -> None:
    loaded(own, tmp_path, SENSOR, now="2024-05-01T11:00:00")
    own.export("sensor", tmp_path / "out.csv")
    lines = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    assert sorted(lines[1:]) == sorted(",".join(fact) for fact in SENSOR)


def test_facts_are_closed_corrected_appended_and_asked_as_they_were(own: Store, tmp_path: Path) -> None:
    loaded(own, tmp_path, SENSOR, now="2024-05-01T11:00:00")
    with own.changing("sensor") as change:
        change.close("door", "state", "shut", at="2024-05-01T10:45:00")
        change.correct("lamp", to={"start": "2024-05-01T09:00:00"})
        change.append([("door", "state", "open", "2024-05-01T10:45:01Z", "2024-05-01T10:46:00")])
    at = "get_information(head_entity='door', relation='state', key='time', value='2024-05-01T10:45:{}')"
    assert own.query(at.format("00")).answer == ("shut",) and own.query(at.format("01")).answer == ("open",)
    assert own.query(at.format("01"), as_of="#0").answer == ("shut",)
    assert own.query("get_information(head_entity='lamp', key='start_time')").answer == ("2024-05-01T09:00:00",)
    assert not own.check("sensor").findings


def test_a_time_more_exact_than_the_source_is_refused_in_a_change(own: Store, tmp_path: Path) -> None:
    loaded(own, tmp_path, [("a", "r", "b", "2024-05-01", "2024-05-03")])
    with pytest.raises(BadInput) as caught, own.changing("sensor") as change:
        change.append([("a", "r", "c", "2024-05-01T10:30", "2024-05-02")])
    assert "counts days, and 2024-05-01T10:30 is more exact" in caught.value.message


def test_timestamps_of_a_table_and_of_qualifiers_compare_by_time(own: Store, tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text(
        "id,at\n1,2024-05-01 10:30:15\n2,2024-05-01T23:59:59\n3,2024-05-02T00:00:00\n4,2024-05-01T14:00+02:00\n"
    )
    own.load_table(tmp_path / "log.csv")
    found = "get_information(relation='id', key='at', value{})"
    for value, ids in [
        ("='2024-05-01'", ("1", "2", "4")),
        (">'2024-05-01'", ("3",)),
        ("<='2024-05-01'", ("1", "2", "4")),
        ("='2024-05-01T10:30'", ("1",)),
        (">'2024-05-01T10:30', value<'2024-05-01T12:01'", ("4",)),
    ]:
        assert own.query(found.format(value), ["log"]).answer == ids, value
    (tmp_path / "s.jsonl").write_text(
        '{"subject": "a", "relation": "r", "object": "b", "qualifiers": {"at": "2024-05-01T10:30:15Z"}}\n'
        '{"subject": "c", "relation": "r", "object": "d", "qualifiers": {"at": "2024-05-02"}}\n'
    )
    own.load_statements(tmp_path / "s.jsonl")
    asked = "get_information(relation='r', key='at', value{})"
    for value, heads in [("='2024-05-01'", ("a",)), ("<'2024-05-01T10:31'", ("a",)), (">'2024-05-01'", ("c",))]:
        assert own.query(asked.format(value), ["s"]).answer == heads, value


def test_a_day_beside_a_bound_with_a_time_of_day_is_noted(own: Store, tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("id,at\n1,2024-05-01\n2,2024-05-02 09:00\n")
    own.load_table(tmp_path / "log.csv")
    found = own.query("get_information(relation='id', key='at', value>'2024-05-01T10:30')")
    assert found.answer == ("2",)
    assert found.warnings == (
        "Query 1: a date is less exact than the time asked for ('2024-05-01'); it was compared as its beginning.",
    )


def test_a_question_mentions_a_time_of_day() -> None:
    found = find_times("Who was on shift at 2024-05-01 13:30?")
    assert [each.name for each in found] == ["2024-05-01T13:30"]
