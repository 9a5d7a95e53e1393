"""Temporal facts: their file, the times and open ends in it, and what of them stands in the graph."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cgstore.catalog.sources import drop_source
from cgstore.cypher import indexes as schema
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.readers.records import BadLine
from cgstore.loaders.tkg import TkgOptions, load_tkg, read_tkg
from cgstore.loaders.tkg_stage import Fact
from cgstore.model import LoadReport
from cgstore.store import Store
from cgstore.text.dates import Moment, today
from tests.conftest import DATA
from tests.loaders.samples import Plain, Stages, everything, expected, stored, write_csv

ODD = [
    "Ὅμηρος", "李白", "عمر", "🦆", "a'b", 'a"b', "a`b", "$a", "a\nb", "a\\u0027b", "//", "1999", "time", "start time",
    "'}) DETACH DELETE n //", "`]->() MATCH (n) DETACH DELETE n //", "$source", "a\x1fb", "x" * 1500, "x" * 1501,
    "ß" * 50_000,
]  # fmt: skip

# The file


def _write(folder: Path, text: str, name: str = "kg.csv", encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_text(text, encoding)
    return path


def _facts(path: Path) -> list[Fact]:
    return [item for item in read_tkg(path) if isinstance(item, Fact)]


def test_a_fact_with_one_time_has_no_end(tmp_path: Path) -> None:
    (fact,) = _facts(_write(tmp_path, "Bob,born in,Ulm,1900\n"))
    assert fact == Fact("Bob", "born in", "Ulm", Moment(1900), Moment(1900), 1, has_end=False)


def test_a_title_that_is_not_known_means_the_column_of_its_place_with_a_note(tmp_path: Path) -> None:
    warnings: list[str] = []
    path = _write(tmp_path, "Who;What;Office;Began;Ended\na;r;b;1;2\n")
    (fact,) = read_tkg(path, warnings=warnings)
    assert isinstance(fact, Fact) and fact[:5] == ("a", "r", "b", Moment(1), Moment(2))
    assert warnings == [f"{path}: columns taken by their place as head, relation, tail: Who, What, Office."]


def test_titles_that_are_not_known_are_told_from_a_bad_time(tmp_path: Path) -> None:
    text = "Wer;Was;Amt;Anfang;Schluss\na;r;b;1;2\n"
    (header, _) = read_tkg(_write(tmp_path, text))
    assert "If the line is a header, its names are not known: `header=True` takes columns by their place." in str(
        header
    )
    (bad, _) = read_tkg(_write(tmp_path, text.replace("Anfang", "19x9")))
    assert isinstance(bad, BadLine) and str(bad) == "1: column 4 (start): '19x9' is not a year or an ISO date"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_json_lines_hold_facts_and_other_keys_are_passed_over_with_a_note(tmp_path: Path, encoding: str) -> None:
    lines = (
        '{"head": "ä", "relation": "r", "tail": "b\\nc", "start": 1990, "end": "1991-02"}\n'
        '{"Subject": "a", "predicate": "r", "object": "b", "time": "1990", "ende": [1]}\n'
    )
    warnings: list[str] = []
    assert list(read_tkg(_write(tmp_path, lines, "facts.jsonl", encoding), warnings=warnings)) == [
        Fact("ä", "r", "b\nc", Moment(1990), Moment(1991, 2), 1),
        Fact("a", "r", "b", Moment(1990), Moment(1990), 2, has_end=False),
    ]
    assert warnings[0].endswith("keys that are not part of a fact were passed over: ende.")


# The graph


def test_a_fact_becomes_its_condition_triples(db: Database, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "kg.csv", [("Ada", "member of", "RS", "1998", "1999")])
    report = load_tkg(db, path)
    assert stored(db, "kg") == sorted(
        [
            ("Ada", "kg\x1fmember of", ()),
            ("kg\x1fmember of", "RS", ("Ada",)),
            ("kg\x1fstart time", "1998", ("Ada", "member of", "RS")),
            ("kg\x1fend time", "1999", ("Ada", "member of", "RS")),
            ("kg\x1ftime", "1998", ("Ada", "member of", "RS")),
            ("kg\x1ftime", "1999", ("Ada", "member of", "RS")),
        ]
    )
    assert (report.source, report.facts, report.nodes, report.triples, report.has) == ("kg", 1, 8, 6, 1)
    schema.check_indexes(db)


def test_nodes_carry_their_labels_and_properties(db: Database, tmp_path: Path) -> None:
    facts = [("1999", "Start_Time", "Ulm", "1998", "1999"), ("Ulm", "time", "Ulm", "1998", "1999")]
    load_tkg(db, write_csv(tmp_path / "kg.csv", facts))
    rows = db.read("MATCH (n:CgNode) RETURN n.key AS key, labels(n) AS labels, properties(n) AS about")
    nodes = {row["key"]: (set(row["labels"]), row["about"]) for row in rows}
    assert nodes["1999"] == (
        {"CgNode", "CgEntity", "CgValue"},
        {"key": "1999", "name": "1999", "normal": "1999", "num": 1999},
    )
    labels, about = nodes["kg\x1fStart_Time"]
    assert (labels, about["normal"], about["source"]) == ({"CgNode", "CgRelation"}, "start time", "kg")
    labels, about = nodes["kg\x1ftime"]
    assert (labels, about["step"], about["source"]) == ({"CgNode", "CgKey", "CgRelation"}, "year", "kg")


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6))
def test_the_graph_holds_the_triples_of_the_definition_each_once(db: Database, tmp_path: Path, seed: int) -> None:
    choose = random.Random(seed)
    rows = [
        (*(choose.choice(ODD) for _ in range(3)), str(choose.randint(-9, 9)), str(choose.randint(-9, 9)))
        for _ in range(choose.randint(1, 12))
    ]
    path = write_csv(tmp_path / "odd.csv", rows)
    name = f"odd {seed} '`$"
    report = load_tkg(db, path, TkgOptions(name=name))
    assert stored(db, name) == expected(_facts(path), name)
    assert report.triples == len(stored(db, name))
    drop_source(db, name)
    assert everything(db) == ([], [])


def test_an_answer_says_which_times_behind_it_are_not_sure(db: Database, tmp_path: Path) -> None:
    rows = [("Ann", "mayor of", "Ulm", "c. 1340", "1347"), ("Bob", "mayor of", "Ulm", "1347", "1350")]
    load_tkg(db, write_csv(tmp_path / "kg.csv", rows))
    store = Store(db)
    asked = "get_information(head_entity='{}', relation='mayor of', tail_entity='Ulm', key='start time')"
    answer = store.query(asked.format("Ann"))
    assert answer.answer == ("1340",)
    assert answer.warnings == ("1340 stands for 'c. 1340' in the data, which is not sure: (Ann, mayor of, Ulm).",)
    assert store.query(asked.format("Bob")).warnings == ()


# Times


def _staged(folder: Path, rows: list[tuple[str, ...]], **options: Any) -> tuple[LoadReport, list[Plain]]:
    """The report and the triples of a load that writes nothing."""
    stages = Stages()
    report = load_tkg(stages, write_csv(folder / "kg.csv", rows), TkgOptions(**options))
    return report, stages.triples()


def _times(triples: list[Plain], head: str, key: str = "time") -> list[str]:
    return [node2.lstrip("\x1f") for node1, node2, of in triples if of[:1] == (head,) and node1.lstrip("\x1f") == key]


def test_dates_are_loaded_by_day_and_by_the_step_asked_for(tmp_path: Path) -> None:
    rows: list[tuple[str, ...]] = [("a", "r", "b", "2004-02-28", "2004-03-01")]
    report, triples = _staged(tmp_path, rows)
    assert report.step == "day" and _times(triples, "a") == ["2004-02-28", "2004-02-29", "2004-03-01"]
    report, triples = _staged(tmp_path, rows, step="year")
    assert report.triples == 5 and _times(triples, "a", "start time") == ["2004"]


OPEN: list[tuple[str, ...]] = [("Ada", "queen", "Ostra", "1998", ""), ("Bob", "king", "Ostra", "1990", "1997")]


def test_a_fact_without_an_end_holds_until_now_where_another_has_one(tmp_path: Path) -> None:
    report, triples = _staged(tmp_path, OPEN, now="2001-05-06")
    assert _times(triples, "Ada") == ["1998", "1999", "2000", "2001"]
    assert _times(triples, "Ada", "start time") == ["1998"] and _times(triples, "Ada", "end time") == []
    assert (report.open, report.now) == (1, "2001")
    assert report.warnings == (
        "1 fact has no end, such as (Ada, queen, Ostra) from 1998: taken to hold until now, 2001, which `now=` "
        "changes. An event needs an end, which is its start.",
    )
    report, triples = _staged(tmp_path, OPEN, now="1995")
    assert _times(triples, "Ada") == ["1998"]
    assert report.warnings[0].endswith("1 of them starts later: it holds at its start.")


def test_now_is_the_day_of_the_load(tmp_path: Path) -> None:
    rows = [("Ada", "queen", "Ostra", f"{today().name}", ""), ("Bob", "king", "Ostra", "1990", "1990-01-03")]
    report, _ = _staged(tmp_path, rows)
    assert (report.open, report.now, report.step) == (1, today().name, "day")


@pytest.mark.parametrize("end", ["present", "Now", "TODAY", "current", "ongoing", "..", "-", "–"])
def test_words_for_an_open_end_are_read_without_case(tmp_path: Path, end: str) -> None:
    report, triples = _staged(tmp_path, [("Ada", "queen", "Ostra", "1998", end)], now="1999")
    assert report.open == 1
    assert _times(triples, "Ada") == ["1998", "1999"] and _times(triples, "Ada", "end time") == []


def test_where_no_fact_of_a_file_has_an_end_they_are_events(tmp_path: Path) -> None:
    events = write_csv(tmp_path / "events.csv", [("Ada", "met", "Bob", "1998", ""), ("Ada", "met", "Cy", "1999", "")])
    stages = Stages()
    report = load_tkg(stages, events)
    assert (report.warnings, report.open, report.now) == ((), 0, None)
    assert _times(stages.triples(), "Ada", "end time") == ["1998", "1999"]
    periods = write_csv(tmp_path / "periods.csv", OPEN)
    both = load_tkg(Stages(), [events, periods], TkgOptions(name="both", now="2001"))
    assert both.open == 1 and both.warnings[1].startswith("2 facts have no end, in a file in which no fact has one")


def test_another_now_is_other_content_only_where_a_fact_is_open(db: Database, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "kg.csv", OPEN)
    load_tkg(db, path, TkgOptions(now="2001-05-06"))
    assert load_tkg(db, path, TkgOptions(now="2001-12-24")).unchanged  # by year it is the same
    with pytest.raises(BadInput, match="other content"):
        load_tkg(db, path, TkgOptions(now="2002"))
    closed = write_csv(tmp_path / "closed.csv", OPEN[1:])
    load_tkg(db, closed, TkgOptions(now="2001"))
    assert load_tkg(db, closed, TkgOptions(now="2002")).unchanged


def test_which_facts_are_open_is_part_of_the_content(tmp_path: Path) -> None:
    prints = set()
    for end, end_of_c in (("", "1990"), ("1990", "")):
        stages, rows = Stages(), [("a", "r", "b", "1990", end), ("a", "r", "c", "1990", end_of_c)]
        load_tkg(stages, write_csv(tmp_path / "kg.csv", rows), TkgOptions(now="2001"))
        prints.add(stages.sources[0].record.fingerprint)
    assert len(prints) == 2


HISTORY = [
    ("Caesar", "dictator of", "Rome", "49 BC", "44 BC"),
    ("Kenneth", "king of", "Picts", "c. 843", "858?"),
    ("Ada", "worked in", "Paris", "1820s", "19th century"),
    ("Bob", "lived in", "Ulm", "199X", ""),
]


def test_times_of_historians_are_read_with_notes_of_what_is_not_sure(tmp_path: Path) -> None:
    report, triples = _staged(tmp_path, HISTORY, now="2001")
    assert triples == expected(_facts(tmp_path / "kg.csv"), "", now=Moment(2001))
    assert report.warnings[:2] == (
        "2 times are approximate or uncertain, such as 'c. 843': taken as 843, as if that were sure.",
        "2 times are BC, such as '49 BC', which is -48: years are those of ISO 8601, whose year 0 is 1 BC.",
    )
    assert _times(triples, "Ada", "start time") == ["1820s"] and _times(triples, "Ada", "end time") == ["19th century"]
    times = _times(triples, "Ada")
    assert (times[0], times[-1], len(times)) == ("1820", "1900", 81)


def test_an_interval_in_one_column_is_a_period_and_leaves_other_facts_events(tmp_path: Path) -> None:
    rows = [("a", "r", "b", "1964/1966"), ("c", "r", "d", "1970"), ("e", "r", "f", "1975/..")]
    report, triples = _staged(tmp_path, rows, now="1977")
    facts = {
        fact.head: (fact.start.year, fact.end.year, fact.has_end, fact.is_open) for fact in _facts(tmp_path / "kg.csv")
    }
    assert facts == {"a": (1964, 1966, True, False), "c": (1970, 1970, False, False), "e": (1975, 1975, False, True)}
    assert report.open == 1
    assert triples == expected(_facts(tmp_path / "kg.csv"), "", now=Moment(1977))


@pytest.mark.parametrize(
    ("start", "end", "step"),
    [
        ("2004-07-01", "2005-03-31", "month"),
        ("2004-01-01", "2005-12-31", "year"),
        ("2004-07-02", "2005-03-31", ""),
        ("2004", "2005", ""),
    ],
)
def test_days_that_are_counted_as_months_or_years_are_told(tmp_path: Path, start: str, end: str, step: str) -> None:
    note = f"1 fact has days, all of them the first or the last of a {step}, so that this source counts {step}s. "
    rows: list[tuple[str, ...]] = [("a", "r", "b", start, end)]
    assert _staged(tmp_path, rows)[0].warnings == ((note + "`step='day'` keeps the days.",) if step else ())
    assert _staged(tmp_path, rows, step="day")[0].step == "day"


def test_times_less_exact_than_the_step_stay_and_are_told_with_what_they_become(tmp_path: Path) -> None:
    rows = [
        ("a", "r", "b", "1985", "1985"),
        ("c", "r", "c", "1985-03", "1985-04"),
        ("d", "r", "d", "1990-01-02", "1990"),
        ("e", "r", "e", "-0044-03-15", "-0044-03-16"),
    ]
    report, triples = _staged(tmp_path, rows)
    assert report.warnings == (
        "3 facts have times less exact than the days of this source, such as 1985. It stays 1985 as a start or an end; "
        "a fact that starts then holds from 1985-01-01, and one that ends then to 1985-12-31.",
    )
    assert _times(triples, "c", "start time") == ["1985-03"] and _times(triples, "d", "end time") == ["1990"]
    times = _times(triples, "c")
    assert (times[0], times[-1], len(times)) == ("1985-03-01", "1985-04-30", 31 + 30)
    (warning,) = _staged(tmp_path, rows, step="month")[0].warnings
    assert warning.startswith("2 facts have times less exact than the months of this source, such as 1985.")
    assert _staged(tmp_path, rows, step="year")[0].warnings == ()


def test_the_ari_facts_are_staged_completely() -> None:
    path = DATA / "cronquestions" / "ari_facts.tsv"
    if not path.exists():
        pytest.skip("needs .data/cronquestions/ari_facts.tsv")
    stages = Stages()
    report = load_tkg(stages, path)
    assert (report.facts, report.triples, report.has) == (8765, 71_572, 7063)
    assert stages.triples() == expected(_facts(path), "")
