"""Times of the past: how they are read, which change of each source they mean, and what is said of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cgstore.cypher.connection import Database
from cgstore.cypher.indexes import HISTORY_INDEXES
from cgstore.errors import BadInput
from cgstore.options import QueryOptions
from cgstore.store import Store
from cgstore.text.dates import PastTime, read_past
from tests.history import LAST, THEN, add_history

BOSS = "get_information(head_entity='Ann', relation='boss')"


@pytest.mark.parametrize(
    ("text", "name", "begins", "until"),
    [
        ("2026-11-01", "at the end of 2026-11-01 UTC", "2026-11-01T00:00:00Z", "2026-11-01T23:59:59.999999999Z"),
        ("2026-11-01T10:00", "on 2026-11-01 10:00 UTC", "2026-11-01T10:00:00Z", "2026-11-01T10:00:00.999999999Z"),
        ("2026-11-01 10:00 UTC", "on 2026-11-01 10:00 UTC", "2026-11-01T10:00:00Z", "2026-11-01T10:00:00.999999999Z"),
        ("2026-11-01T00:30+01:00", "on 2026-10-31 23:30 UTC", "2026-10-31T23:30:00Z", "2026-10-31T23:30:00.999999999Z"),
        ("2026-11-01T10:00:05.2Z", "on 2026-11-01 10:00:05.2 UTC", "2026-11-01T10:00:05.2Z", "2026-11-01T10:00:05.2Z"),
    ],
)
def test_a_time_counts_to_its_end_in_utc(text: str, name: str, begins: str, until: str) -> None:
    assert read_past(text) == PastTime(name, begins, until)


def test_a_change_is_named_by_its_number() -> None:
    assert read_past("#12") == PastTime("after change 12", change=12)


NO_TIMES = ["", "now", "2026", "2026-02-30", "2026-11-01T25:00", "12", "#", "#-1", "0001-01-01T00:00+14:00"]


@pytest.mark.parametrize("text", NO_TIMES)
def test_what_is_not_a_time_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is not a time, nor the number of a change"):
        QueryOptions(as_of=text)


def test_what_is_not_a_text_is_refused_by_its_argument() -> None:
    with pytest.raises(BadInput, match="as_of"):
        QueryOptions(as_of=12)  # type: ignore[arg-type]


# Sources --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def store(db: Database, tmp_path: Path) -> Store:
    store = Store(db)
    load(store, tmp_path, "staff", "Ann\tboss\tBob\n")
    return store


def load(store: Store, folder: Path, name: str, lines: str, **options: Any) -> None:
    (folder / f"{name}.tsv").write_text(lines, encoding="utf-8")
    store.load_kg(folder / f"{name}.tsv", header=False, **options)


def now(store: Store) -> str:
    return str(store.db.read("RETURN toString(datetime()) AS now")[0]["now"])


def test_a_load_makes_the_indexes_of_the_past(store: Store) -> None:
    online = store.db.read("SHOW INDEXES YIELD name, state WHERE state = 'ONLINE' RETURN name")
    assert set(HISTORY_INDEXES) <= {row["name"] for row in online}


def test_a_note_says_when_and_after_which_change(store: Store) -> None:
    with pytest.raises(BadInput, match="'staff' has no changes: there is no change 1"):
        store.query(BOSS, as_of="#1")
    at = add_history(store.db, 1)
    time = at.replace("T", " ").removesuffix("Z")
    answer = store.query(BOSS, as_of=at)
    assert (answer.answer, answer.details) == (("Bob",), (f"As known on {time} UTC (staff: after change {THEN}).",))
    answer = store.query(BOSS, as_of=f"#{THEN}")
    assert answer.answer == ("Bob",)
    assert answer.details[0].startswith(f"As known after change {THEN} of 'staff', on 20")
    assert store.query(BOSS, as_of="#0").details[0] == "As known when 'staff' was loaded."
    with pytest.raises(BadInput, match=f"'staff' has {LAST} changes: there is no change 9"):
        store.query(BOSS, as_of="#9")


def test_a_change_of_several_sources_and_a_time_ahead_are_refused(store: Store, tmp_path: Path) -> None:
    load(store, tmp_path, "shops", "Ann\towns\tShop\n")
    with pytest.raises(BadInput, match="a change of one source, and 2 are asked"):
        store.query(BOSS, as_of="#0")
    assert store.query(BOSS, ["staff"], as_of="#0").answer == ("Bob",)
    with pytest.raises(BadInput, match="lies ahead"):
        store.query(BOSS, as_of="2999-01-01")


def test_the_date_of_today_means_now_and_sees_what_comes_later_today(store: Store, tmp_path: Path) -> None:
    today = now(store)[:10]
    answer = store.query(BOSS, as_of=today)
    assert (answer.answer, answer.details) == (("Bob",), ("As known now (staff: as loaded).",))
    assert "$at" not in answer.cypher[-1]
    load(store, tmp_path, "more", "Ann\tboss\tCid\n")
    assert store.query(BOSS, as_of=today).answer == ("Bob", "Cid")


def test_a_source_that_was_loaded_later_is_left_out_with_a_note(store: Store, tmp_path: Path) -> None:
    before = now(store)
    load(store, tmp_path, "more", "Ann\tboss\tCid\n")
    for _ in range(2):
        answer = store.query(BOSS, as_of=before)
        assert answer.answer == ("Bob",)
        assert answer.warnings[0].startswith("Left out, as loaded after that time: 'more' (20")


def test_a_source_that_is_named_says_when_it_was_loaded(store: Store, tmp_path: Path) -> None:
    before = now(store)
    load(store, tmp_path, "staff", "Ann\tboss\tDan\n", replace=True)
    for sources in (["staff"], None):
        with pytest.raises(BadInput, match=r"loaded after the time asked about .*: 'staff' on 20") as error:
            store.query(BOSS, sources, as_of=before)
    assert error.value.hint is not None and "has no past" in error.value.hint


def test_each_source_has_its_own_changes(store: Store, tmp_path: Path) -> None:
    load(store, tmp_path, "more", "Ann\tboss\tCid\n")
    at = add_history(store.db, 3)
    store.db.write("MATCH (c:CgChange {source: 'more'}) DELETE c")
    assert store.query(BOSS, ["staff"], as_of=at).answer == ("Bob",)
    assert store.query(BOSS, as_of=at).details[0].endswith(f"(more: as loaded; staff: after change {THEN}).")


def test_a_dead_end_names_the_relations_of_then(store: Store, tmp_path: Path) -> None:
    load(store, tmp_path, "town", "Ulm\tin\tGermany\nUlm\ton\tDanube\nRome\tmayor\tIda\n")
    program = "get_information(head_entity='Ulm', relation='mayor')"
    before = store.query(program, ["town"])
    after = store.query(program, ["town"], as_of=add_history(store.db, 5))
    assert after.answer == before.answer == ()
    assert after.warnings == before.warnings
