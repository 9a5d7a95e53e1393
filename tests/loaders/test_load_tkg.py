from __future__ import annotations

import csv
import gzip
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cgstore.catalog.sources import drop_source, list_sources
from cgstore.cypher import indexes as schema
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders.tkg import TkgOptions, load_tkg, read_tkg
from cgstore.loaders.tkg_stage import Fact
from cgstore.loaders.writer.target import Online
from cgstore.model import SourceState
from cgstore.store import Store
from cgstore.text.dates import Moment, today
from tests.conftest import DATA
from tests.loaders.samples import Stages, expected, many_facts, stored, write_csv

ODD = [
    "Ὅμηρος", "李白", "عمر", "🦆", "a'b", 'a"b', "a`b", "$a", "a\nb", "a\\u0027b", "//", "1999", "time", "start time",
    "'}) DETACH DELETE n //", "`]->() MATCH (n) DETACH DELETE n //", "$source", "a\x1fb", "x" * 1500, "x" * 1501,
]  # fmt: skip

BAD = "a\tr\tb\t1\t2\na\tr\tb\tx\t2\n"


def _facts(path: Path) -> list[Fact]:
    return [item for item in read_tkg(path) if isinstance(item, Fact)]


def _nodes(db: Database) -> int:
    return int(db.read("MATCH (n) WHERE NOT n:CgMeta RETURN count(n) AS n")[0]["n"])


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
    load_tkg(db, write_csv(tmp_path / "kg.csv", [("1999", "Start_Time", "Ulm", "1998", "1999")]))
    rows = db.read("MATCH (n:CgNode) RETURN n.key AS key, labels(n) AS labels, properties(n) AS about")
    nodes = {row["key"]: (set(row["labels"]), row["about"]) for row in rows}
    assert nodes["1999"] == (
        {"CgNode", "CgEntity", "CgValue"},
        {"key": "1999", "name": "1999", "normal": "1999", "num": 1999},
    )
    labels, about = nodes["kg\x1fStart_Time"]
    assert (labels, about["normal"], about["source"]) == ({"CgNode", "CgRelation"}, "start time", "kg")
    labels, about = nodes["kg\x1ftime"]
    assert (labels, about["step"], about["source"]) == ({"CgNode", "CgKey"}, "year", "kg")


def test_a_key_has_its_step_though_a_relation_has_its_name(db: Database, tmp_path: Path) -> None:
    load_tkg(db, write_csv(tmp_path / "kg.csv", [("Ada", "time", "Ulm", "1998-01-02", "1998-01-03")]))
    (row,) = db.read("MATCH (n:CgKey:CgRelation) RETURN n.name AS name, n.step AS step")
    assert row == {"name": "time", "step": "day"}


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
    assert _nodes(db) == 0


def test_a_name_of_100_kB_is_kept(db: Database, tmp_path: Path) -> None:
    name = "ß" * 50_000
    path = write_csv(tmp_path / "kg.csv", [(name, name, name, "1", "2")])
    load_tkg(db, path)
    assert stored(db, "kg") == expected(_facts(path), "kg")
    assert db.read("MATCH (n:CgEntity) RETURN n.name AS name") == [{"name": name}]


def test_repeats_and_overlapping_periods_make_a_set(db: Database, tmp_path: Path) -> None:
    rows = [("a", "r", "b", "1", "5"), ("a", "r", "b", "1", "5"), ("a", "r", "b", "4", "7"), ("a", "r", "b", "9", "9")]
    report = load_tkg(db, write_csv(tmp_path / "kg.csv", rows))
    assert (report.facts, report.triples) == (3, 1 + 1 + 3 + 3 + 8)
    assert len(stored(db, "kg")) == report.triples


def test_dates_are_loaded_by_day_and_by_the_step_asked_for(db: Database, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "kg.csv", [("a", "r", "b", "2004-02-28", "2004-03-01")])
    assert load_tkg(db, path).step == "day"
    times = {node2 for node1, node2, _ in stored(db, "kg") if node1 == "kg\x1ftime"}
    assert times == {"2004-02-28", "2004-02-29", "2004-03-01"}
    assert load_tkg(db, path, TkgOptions(name="by year", step="year")).triples == 5
    assert ("by year\x1fstart time", "2004", ("a", "r", "b")) in stored(db, "by year")


OPEN = [("Ada", "queen", "Ostra", "1998", ""), ("Bob", "king", "Ostra", "1990", "1997")]


def test_a_fact_without_an_end_holds_until_now_where_another_has_one(db: Database, tmp_path: Path) -> None:
    report = load_tkg(db, write_csv(tmp_path / "kg.csv", OPEN), TkgOptions(now="2001-05-06"))
    fact = ("Ada", "queen", "Ostra")
    held = [(node1.removeprefix("kg\x1f"), node2) for node1, node2, of in stored(db, "kg") if of == fact]
    assert held == [("start time", "1998"), *(("time", str(year)) for year in range(1998, 2002))]
    assert (report.open, report.now) == (1, "2001")
    assert report.warnings == (
        "1 fact has no end, such as (Ada, queen, Ostra) from 1998: taken to hold until now, 2001, which `now=` "
        "changes. An event needs an end, which is its start.",
    )


def test_now_is_the_day_of_the_load(db: Database, tmp_path: Path) -> None:
    rows = [("Ada", "queen", "Ostra", f"{today().name}", ""), ("Bob", "king", "Ostra", "1990", "1990-01-03")]
    report = load_tkg(Stages(), write_csv(tmp_path / "kg.csv", rows))
    assert (report.open, report.now, report.step) == (1, today().name, "day")


@pytest.mark.parametrize("end", ["present", "Now", "TODAY", "current", "ongoing", "..", "-", "–"])
def test_words_for_an_open_end_are_read_without_case(tmp_path: Path, end: str) -> None:
    stages = Stages()
    path = write_csv(tmp_path / "kg.csv", [("Ada", "queen", "Ostra", "1998", end)])
    report = load_tkg(stages, path, TkgOptions(now="1999"))
    assert report.open == 1
    assert stages.triples() == expected(_facts(path), "", now=Moment(1999))


def test_where_no_fact_of_a_file_has_an_end_they_are_events(db: Database, tmp_path: Path) -> None:
    rows = [("Ada", "met", "Bob", "1998", ""), ("Ada", "met", "Cy", "1999", "")]
    events = write_csv(tmp_path / "events.csv", rows)
    report = load_tkg(db, events)
    assert (report.warnings, report.open, report.now) == ((), 0, None)
    assert ("events\x1fend time", "1998", ("Ada", "met", "Bob")) in stored(db, "events")
    periods = write_csv(tmp_path / "periods.csv", OPEN)
    both = load_tkg(Stages(), [events, periods], TkgOptions(name="both", now="2001"))
    assert both.open == 1 and both.warnings[1].startswith("2 facts have no end, in a file in which no fact has one")


def test_an_open_fact_that_starts_after_now_holds_at_its_start(db: Database, tmp_path: Path) -> None:
    report = load_tkg(db, write_csv(tmp_path / "kg.csv", OPEN), TkgOptions(now="1995"))
    times = [node2 for node1, node2, of in stored(db, "kg") if node1 == "kg\x1ftime" and of[0] == "Ada"]
    assert times == ["1998"]
    assert report.warnings[0].endswith("1 of them starts later: it holds at its start.")


def test_another_now_is_other_content_only_where_a_fact_is_open(db: Database, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "kg.csv", OPEN)
    load_tkg(db, path, TkgOptions(now="2001-05-06"))
    assert load_tkg(db, path, TkgOptions(now="2001-12-24")).unchanged  # by year it is the same
    with pytest.raises(BadInput, match="other content"):
        load_tkg(db, path, TkgOptions(now="2002"))
    closed = write_csv(tmp_path / "closed.csv", OPEN[1:])
    load_tkg(db, closed, TkgOptions(now="2001"))
    assert load_tkg(db, closed, TkgOptions(now="2002")).unchanged


def test_which_facts_are_open_is_part_of_the_content(db: Database, tmp_path: Path) -> None:
    one, other = (
        [("a", "r", "b", "1990", end), ("a", "r", "c", "1990", end_of_c)]
        for end, end_of_c in (("", "1990"), ("1990", ""))
    )
    load_tkg(db, write_csv(tmp_path / "kg.csv", one), TkgOptions(now="2001"))
    with pytest.raises(BadInput, match="other content"):
        load_tkg(db, write_csv(tmp_path / "kg.csv", other), TkgOptions(now="2001"))


HISTORY = [
    ("Caesar", "dictator of", "Rome", "49 BC", "44 BC"),
    ("Kenneth", "king of", "Picts", "c. 843", "858?"),
    ("Ada", "worked in", "Paris", "1820s", "19th century"),
    ("Bob", "lived in", "Ulm", "199X", ""),
]


def test_times_of_historians_are_read_with_notes_of_what_is_not_sure(db: Database, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "kg.csv", HISTORY)
    report = load_tkg(db, path, TkgOptions(now="2001"))
    assert stored(db, "kg") == expected(_facts(path), "kg", now=Moment(2001))
    assert report.warnings[:2] == (
        "2 times are approximate or uncertain, such as 'c. 843': taken as 843, as if that were sure.",
        "2 times are BC, such as '49 BC', which is -48: years are those of ISO 8601, whose year 0 is 1 BC.",
    )
    bounds = {(node1.removeprefix("kg\x1f"), node2) for node1, node2, of in stored(db, "kg") if of[:1] == ("Ada",)}
    assert {("start time", "1820s"), ("end time", "19th century"), ("time", "1820"), ("time", "1900")} <= bounds


def test_an_interval_in_one_column_is_a_period_and_leaves_other_facts_events(tmp_path: Path) -> None:
    path = write_csv(
        tmp_path / "kg.csv", [("a", "r", "b", "1964/1966"), ("c", "r", "d", "1970"), ("e", "r", "f", "1975/..")]
    )
    facts = {fact.head: (fact.start.year, fact.end.year, fact.has_end, fact.is_open) for fact in _facts(path)}
    assert facts == {"a": (1964, 1966, True, False), "c": (1970, 1970, False, False), "e": (1975, 1975, False, True)}
    stages = Stages()
    assert load_tkg(stages, path, TkgOptions(now="1977")).open == 1
    assert stages.triples() == expected(_facts(path), "", now=Moment(1977))


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
    path = write_csv(tmp_path / "kg.csv", [("a", "r", "b", start, end)])
    note = f"1 fact has days, all of them the first or the last of a {step}, so that this source counts {step}s. "
    assert load_tkg(Stages(), path).warnings == ((note + "`step='day'` keeps the days.",) if step else ())
    assert load_tkg(Stages(), path, TkgOptions(step="day")).step == "day"


def test_bytes_of_another_encoding_are_answered_with_the_option_for_it(tmp_path: Path) -> None:
    (tmp_path / "kg.tsv").write_bytes("Hélène\tr\tb\t1\t2\n".encode("cp1252"))
    with pytest.raises(BadInput) as caught:
        load_tkg(Stages(), tmp_path / "kg.tsv")
    assert "Name the encoding, such as `encoding='cp1252'`" in str(caught.value)
    assert "on_error" not in str(caught.value)
    assert load_tkg(Stages(), tmp_path / "kg.tsv", TkgOptions(encoding="cp1252")).facts == 1


def test_facts_that_end_before_they_start_are_warned_of(db: Database, tmp_path: Path) -> None:
    report = load_tkg(db, write_csv(tmp_path / "kg.csv", [("a", "r", "b", "9", "1")]))
    assert (report.triples, report.facts) == (4, 1)
    assert report.warnings == ("1 fact ends before it starts: it has a start and an end, but holds at no time.",)


def test_times_less_exact_than_the_step_are_told_with_what_they_become(db: Database, tmp_path: Path) -> None:
    rows = [
        ("a", "r", "b", "1985", "1985"),
        ("a", "r", "c", "1985-03", "1985-04"),
        ("a", "r", "d", "1990-01-02", "1990"),
    ]
    path = write_csv(tmp_path / "kg.csv", [*rows, ("a", "r", "e", "-0044-03-15", "-0044-03-16")])
    (warning,) = load_tkg(db, path).warnings
    assert warning == (
        "3 facts have times less exact than the days of this source, such as 1985. It stays 1985 as a start or an end; "
        "a fact that starts then holds from 1985-01-01, and one that ends then to 1985-12-31."
    )
    (warning,) = load_tkg(db, path, TkgOptions(name="months", step="month")).warnings
    assert warning.startswith("2 facts have times less exact than the months of this source, such as 1985.")
    assert load_tkg(db, path, TkgOptions(name="years", step="year")).warnings == ()


def test_a_start_or_an_end_stays_as_exact_as_it_is(db: Database, tmp_path: Path) -> None:
    rows = [("a", "r", "b", "1985", "1986-02"), ("a", "r", "c", "1990-01-02", "1990-01-03")]
    load_tkg(db, write_csv(tmp_path / "kg.csv", rows))
    triples = stored(db, "kg")
    fact = ("a", "r", "b")
    assert {node1: node2 for node1, node2, of in triples if of == fact and not node1.endswith("\x1ftime")} == {
        "kg\x1fstart time": "1985",
        "kg\x1fend time": "1986-02",
    }
    times = sorted(node2 for node1, node2, of in triples if of == fact and node1 == "kg\x1ftime")
    assert (times[0], times[-1], len(times)) == ("1985-01-01", "1986-02-28", 365 + 31 + 28)


def test_a_bad_line_stops_the_load_and_nothing_is_written(db: Database, tmp_path: Path) -> None:
    rows = [("a", "r", "b", "1", "2")] + [("a", "r", "b", f"{n}x", "2") for n in range(12)]
    path = write_csv(tmp_path / "kg.csv", rows)
    with pytest.raises(BadInput) as caught:
        load_tkg(db, path)
    assert f"{path}:2: column 4 (start): '0x' is not a year or an ISO date" in caught.value.message
    assert "12 lines cannot be used" in caught.value.message and "... and 2 more" in caught.value.message
    assert "`on_error='skip'`" in (caught.value.hint or "")
    assert _nodes(db) == 0


def test_bad_lines_can_be_skipped_into_a_file(db: Database, tmp_path: Path) -> None:
    path = tmp_path / "kg.tsv"
    path.write_bytes(b"a\tr\tb\t1\t2\na\tr\tb\tx\t2\na\tr\tb\xff\t1\t2\n")
    report = load_tkg(db, path, TkgOptions(on_error="skip"))
    assert (report.facts, report.rejected, report.rejected_file) == (1, 2, str(tmp_path / "kg.rejected.tsv"))
    assert b"b\xff" in (tmp_path / "kg.rejected.tsv").read_bytes()
    header, first, second = _rejects(tmp_path / "kg.rejected.tsv")
    assert header == ["line", "column", "problem", "text"]
    assert first == ["2", "4", "'x' is not a year or an ISO date", "a\tr\tb\tx\t2"]
    assert second == ["3", "3", "byte 0xff at position 2 is not UTF-8", "a\tr\tb\udcff\t1\t2"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["kg.rejected.tsv", "kg.tsv"]


def _rejects(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        return list(csv.reader(file, delimiter="\t"))


def test_a_rejected_line_reads_back_as_it_was(db: Database, tmp_path: Path) -> None:
    rows = [("a", "r", "b", "1", "2"), ('q"\t\n\r\r\n\\t', "r", "b", "x", "2")]
    path = write_csv(tmp_path / "kg.csv", rows)
    load_tkg(db, path, TkgOptions(on_error="skip"))
    text = path.read_bytes().decode().split("\r\n", 1)[1].removesuffix("\r\n")
    assert _rejects(tmp_path / "kg.rejected.tsv")[1:] == [["2", "4", "'x' is not a year or an ISO date", text]]


@pytest.mark.parametrize("kind", ["itself", "a link", "a hard link"])
def test_the_rejected_file_cannot_be_the_input(db: Database, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "kg.tsv"
    path.write_text(BAD)
    rejected = path
    if kind != "itself":
        rejected = tmp_path / "other.tsv"
        (rejected.symlink_to if kind == "a link" else rejected.hardlink_to)(path)
    with pytest.raises(BadInput, match="is the input itself"):
        load_tkg(db, path, TkgOptions(on_error="skip", rejected=rejected))
    assert path.read_text() == BAD
    assert _nodes(db) == 0


def test_a_file_of_others_is_not_overwritten_with_rejected_lines(db: Database, tmp_path: Path) -> None:
    path, notes = tmp_path / "kg.tsv", tmp_path / "notes.tsv"
    path.write_text(BAD)
    notes.write_text("dear\n")
    with pytest.raises(BadInput, match="no load wrote it"):
        load_tkg(db, path, TkgOptions(on_error="skip", rejected=notes))
    assert notes.read_text() == "dear\n"
    mine = tmp_path / "mine.tsv"
    for _ in range(2):
        assert load_tkg(db, path, TkgOptions(on_error="skip", rejected=mine)).rejected_file == str(mine)
        assert len(_rejects(mine)) == 2


def test_the_default_rejected_file_goes_beside_a_file_of_others(db: Database, tmp_path: Path) -> None:
    path, taken, second = tmp_path / "kg.tsv", tmp_path / "kg.rejected.tsv", tmp_path / "kg.rejected-2.tsv"
    path.write_text(BAD)
    taken.write_text("dear\n")
    for _ in range(2):
        assert load_tkg(db, path, TkgOptions(on_error="skip")).rejected_file == str(second)
    assert taken.read_text() == "dear\n"
    assert sorted(tmp_path.iterdir()) == sorted([path, taken, second])


def test_a_load_that_cannot_read_on_leaves_the_rejected_file_as_it_was(db: Database, tmp_path: Path) -> None:
    path, rejected = tmp_path / "kg.tsv.gz", tmp_path / "kg.rejected.tsv"
    path.write_bytes(gzip.compress(BAD.encode() * 9999)[:-20])
    rejected.write_text("line\tcolumn\tproblem\ttext\nbefore\n")
    with pytest.raises(BadInput, match="not a whole gzip"):
        load_tkg(db, path, TkgOptions(on_error="skip"))
    assert rejected.read_text().endswith("before\n")
    assert sorted(tmp_path.iterdir()) == sorted([path, rejected])


def test_a_rejected_file_in_no_folder_is_refused(db: Database, tmp_path: Path) -> None:
    path = tmp_path / "kg.tsv"
    path.write_text(BAD)
    with pytest.raises(BadInput, match="cannot be written"):
        load_tkg(db, path, TkgOptions(on_error="skip", rejected=tmp_path / "none" / "r.tsv"))


def test_too_many_triples_are_refused_with_the_count_before_they_are_made(db: Database, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="makes 45 relationships, more than 42"):
        load_tkg(db, write_csv(tmp_path / "kg.csv", many_facts(9)), TkgOptions(max_triples=42))
    assert _nodes(db) == 0


@pytest.mark.parametrize("option", [{"step": "week"}, {"on_error": "ignore"}, {"now": "soon"}])
def test_an_option_of_no_meaning_is_refused(db: Database, tmp_path: Path, option: dict[str, str]) -> None:
    with pytest.raises(BadInput):
        load_tkg(db, write_csv(tmp_path / "kg.csv", many_facts(1)), TkgOptions(**option))  # type: ignore[arg-type]


def test_searches_seek_in_the_relationship_indexes(db: Database, tmp_path: Path) -> None:
    load_tkg(db, write_csv(tmp_path / "kg.csv", many_facts(3)))
    for other in ("head", "node2", "num"):
        with db.session() as session:
            # Left to itself the planner goes by counts that may be older than the load.
            hint = f"USING INDEX SEEK r:CG_VALUE(node1, {other})"
            query = f"EXPLAIN MATCH ()-[r:CG_VALUE {{node1: $a, {other}: $b}}]->() {hint} RETURN r"
            plan = session.run(query, a="kg\x1ftime", b=1).consume().plan
        assert "DirectedRelationshipIndexSeek" in str(plan)


@pytest.fixture
def ari_facts() -> Path:
    path = DATA / "cronquestions" / "ari_facts.tsv"
    if not path.exists():
        pytest.skip("needs .data/cronquestions/ari_facts.tsv")
    return path


def test_the_ari_facts_are_staged_completely(ari_facts: Path) -> None:
    stages = Stages()
    report = load_tkg(stages, ari_facts)
    assert (report.facts, report.triples, report.has) == (8765, 71_572, 7063)
    assert stages.triples() == expected(_facts(ari_facts), "")


@pytest.mark.long
def test_the_ari_facts_load_completely(db: Database, ari_facts: Path) -> None:
    load_tkg(db, ari_facts)
    source = list_sources(db)[0]
    assert (source.name, source.state, source.facts, source.triples) == ("ari_facts", SourceState.READY, 8765, 71_572)
    assert stored(db, "ari_facts") == expected(_facts(ari_facts), "ari_facts")


def test_every_batch_is_loaded(db: Database, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "kg.csv", many_facts(150))
    report = load_tkg(Online(db, batch=200), path)
    assert report.triples > 9 * 200
    source = list_sources(db)[0]
    assert (source.state, source.facts, source.triples) == (SourceState.READY, 150, report.triples)
    assert stored(db, "kg") == expected(_facts(path), "kg")


def test_an_answer_says_which_times_behind_it_are_not_sure(db: Database, tmp_path: Path) -> None:
    rows = [("Ann", "mayor of", "Ulm", "c. 1340", "1347"), ("Bob", "mayor of", "Ulm", "1347", "1350")]
    load_tkg(db, write_csv(tmp_path / "kg.csv", rows))
    store = Store(db)
    asked = "get_information(head_entity='{}', relation='mayor of', tail_entity='Ulm', key='start time')"
    answer = store.query(asked.format("Ann"))
    assert answer.answer == ("1340",)
    assert answer.warnings == ("1340 stands for 'c. 1340' in the data, which is not sure: (Ann, mayor of, Ulm).",)
    assert store.query(asked.format("Bob")).warnings == ()
