"""`Store.check` over sources with contradictions that were put there on purpose."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from cgstore.async_store import AsyncStore
from cgstore.checks.report import CheckReport, Finding, FindingKind
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.store import Store
from tests.conftest import ROOT

EXAMPLES = ROOT / "examples"


@pytest.fixture
def store(db: Database) -> Store:
    return Store(db)


def lines(path: Path, rows: Iterable[Iterable[object]]) -> Path:
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    return path


def office(count: int = 30, place: str = "Ulm") -> list[tuple[object, ...]]:
    """Mayors one after the other, four years each."""
    return [(f"Mayor {n}", "mayor of", place, 1900 + 4 * n, 1904 + 4 * n) for n in range(count)]


def check_times(store: Store, path: Path, rows: Iterable[Iterable[object]], **options: object) -> CheckReport:
    store.load_tkg(lines(path / "facts.tsv", rows), name="facts", header=False)
    return store.check("facts", **options)  # type: ignore[arg-type]


def of(report: CheckReport, kind: FindingKind) -> list[Finding]:
    return [finding for finding in report.findings if finding.kind is kind]


def test_two_at_a_time_are_found_where_changes_show_that_one_holds(store: Store, tmp_path: Path) -> None:
    report = check_times(store, tmp_path, [*office(), ("Usurper", "mayor of", "Ulm", 1950, 1951)])
    (finding,) = of(report, FindingKind.SEVERAL)
    assert finding.text == "'Ulm' has several heads of 'mayor of' at a time, 1950 to 1951."
    assert finding.facts == ("Mayor 12 | mayor of | Ulm | 1948 to 1952", "Usurper | mayor of | Ulm | 1950 to 1951")
    assert finding.because == "of 30 changes, 29 come without an overlap"
    assert report.counts == {"several at a time": 1}
    assert report.rules == (
        "'mayor of' has one head for each tail at a time: of 30 changes, 29 come without an overlap.",
    )


def test_a_change_in_one_year_is_a_note_and_no_contradiction(store: Store, tmp_path: Path) -> None:
    report = check_times(store, tmp_path, office())
    assert report.count == 0
    assert report.notes == (
        "A fact begins at the time at which the one before it ends, 29 times: that counts as a change.",
    )


def test_by_day_too_and_with_times_that_are_kept_as_periods(store: Store, tmp_path: Path) -> None:
    rows = [(f"Mayor {n}", "mayor of", "Ulm", f"{1900 + 4 * n}-05-02", f"{1904 + 4 * n}-05-02") for n in range(25)]
    report = check_times(store, tmp_path, [*rows, ("Usurper", "mayor of", "Ulm", "1950-01-01", "1950-02-01")])
    assert next(source for source in store.sources()).stored is not None
    assert [finding.text for finding in report.findings] == [
        "'Ulm' has several heads of 'mayor of' at a time, 1950-01-01 to 1950-02-01."
    ]


def test_a_relation_with_many_overlaps_is_left_alone(store: Store, tmp_path: Path) -> None:
    rows = [(f"Player {n}", "plays for", "Ulm", 1900 + n, 1906 + n) for n in range(60)]
    report = check_times(store, tmp_path, rows)
    assert (report.count, report.rules) == (0, ())


def test_single_years_far_apart_do_not_show_that_one_holds(store: Store, tmp_path: Path) -> None:
    rows = [(f"Film {n}", "award", "Prize", 1900 + 5 * n, 1900 + 5 * n) for n in range(24)]
    report = check_times(store, tmp_path, [*rows, ("Film 99", "award", "Prize", 1900, 1900)])
    assert (report.count, report.rules) == (0, ())


def test_one_head_that_the_user_names_is_believed(store: Store, tmp_path: Path) -> None:
    rows = [("Ann", "chairs", "Club", 1990, 1995), ("Bob", "chairs", "Club", 1993, 1999)]
    assert check_times(store, tmp_path, rows).count == 0
    report = store.check("facts", one_head=["chairs"])
    (finding,) = report.findings
    assert (finding.because, finding.next) == (
        "as you say",
        (
            "cgstore facts correct facts Ann chairs Club --new-end 1993",
            "cgstore facts remove facts Bob chairs Club --start 1993",
        ),
    )


def test_one_tail_that_the_user_names_is_believed_without_times(store: Store, tmp_path: Path) -> None:
    rows = [("Ann", "born in", "Ulm"), ("Ann", "born in", "Bonn"), ("Bob", "born in", "Ulm")]
    store.load_kg(lines(tmp_path / "facts.tsv", rows), name="facts", header=False)
    (finding,) = store.check("facts", one_tail=["born in"]).findings
    assert finding.text == "'Ann' has several tails of 'born in'."
    assert set(finding.facts) == {"Ann | born in | Bonn", "Ann | born in | Ulm"}
    assert store.check("facts").count == 0


def test_a_head_with_two_tails_is_found_where_nearly_all_have_one(store: Store, tmp_path: Path) -> None:
    rows = [(f"Person {n}", "born in", f"Town {n % 7}") for n in range(120)]
    store.load_kg(lines(tmp_path / "facts.tsv", [*rows, ("Person 3", "born in", "Bonn")]), name="facts", header=False)
    report = store.check("facts")
    assert [(finding.text, finding.because) for finding in report.findings] == [
        ("'Person 3' has several tails of 'born in'.", "of 120 heads, 119 have only one")
    ]


def test_an_open_fact_is_closed_when_the_next_begins(store: Store, tmp_path: Path) -> None:
    rows = [*office(), ("Mayor A", "mayor of", "Ulm", 2020, "present"), ("Mayor B", "mayor of", "Ulm", 2022, 2023)]
    (finding,) = of(check_times(store, tmp_path, rows), FindingKind.SEVERAL)
    assert finding.facts[0] == "Mayor A | mayor of | Ulm | 2020 to present"
    assert (
        finding.next[0] == "cgstore facts remove facts 'Mayor A' 'mayor of' Ulm --start 2020"
    )  # the second lies within it
    rows[-1] = ("Mayor B", "mayor of", "Ulm", 2022, "present")
    store.drop("facts")
    (finding,) = of(check_times(store, tmp_path, rows), FindingKind.SEVERAL)
    assert finding.text == "'Ulm' has several heads of 'mayor of' at a time, 2022 to present."
    assert finding.next[0] == "cgstore facts close facts 'Mayor A' 'mayor of' Ulm --at 2022"


def test_a_fact_that_ends_before_it_starts_is_found(store: Store, tmp_path: Path) -> None:
    report = check_times(store, tmp_path, [("Ann", "spouse", "Bob", 1999, 1990), ("Ann", "spouse", "Cid", 2000, 2004)])
    (finding,) = report.findings
    assert finding.kind is FindingKind.INVERTED
    assert finding.facts == ("Ann | spouse | Bob | 1999 to 1990",)
    assert finding.next == ("cgstore facts correct facts Ann spouse Bob --new-start 1990 --new-end 1999",)


def test_gaps_are_found_the_longest_first(store: Store, tmp_path: Path) -> None:
    rows = [row for n, row in enumerate(office(40)) if n not in (7, 20, 21)]
    report = check_times(store, tmp_path, rows)
    assert [finding.text for finding in report.findings] == [
        "'Ulm' has no head of 'mayor of', 1981 to 1987.",
        "'Ulm' has no head of 'mayor of', 1929 to 1931.",
    ]
    assert report.findings[1].facts == (
        "Mayor 6 | mayor of | Ulm | 1924 to 1928",
        "Mayor 8 | mayor of | Ulm | 1932 to 1936",
    )


def test_gaps_are_no_news_where_there_are_many(store: Store, tmp_path: Path) -> None:
    rows = [row for n, row in enumerate(office(60)) if n % 3]
    assert of(check_times(store, tmp_path, rows), FindingKind.GAP) == []


def test_spellings_of_one_name_are_found(store: Store, tmp_path: Path) -> None:
    names = ["Angela Merkel", "Merkel, Angela", "angela  merkel", "Malmö", "Malmo", "New York", "NewYork"]
    others = [
        "Elizabeth I",
        "Elizabeth II",
        "Type A",
        "Type B",
        "C#",
        "C++",
        "North Bank",
        "South Bank",
        "1,000",
        "1000",
    ]
    rows = [("Someone", "knows", name) for name in [*names, *others, "Angela Merkel"]]
    store.load_kg(lines(tmp_path / "facts.tsv", rows), name="facts", header=False)
    found = {frozenset(fact.rpartition(" (")[0] for fact in each.facts) for each in store.check("facts").findings}
    assert found == {
        frozenset({"Angela Merkel", "Merkel, Angela", "angela  merkel"}),
        frozenset({"Malmö", "Malmo"}),
        frozenset({"New York", "NewYork"}),
    }


def test_a_tag_and_a_title_of_one_name_are_two_things(store: Store, tmp_path: Path) -> None:
    rows = [("Film", "has tag", "war"), ("War", "directed by", "Ann"), ("WAR", "directed by", "Ann")]
    store.load_kg(lines(tmp_path / "facts.tsv", rows), name="facts", header=False)
    (finding,) = store.check("facts").findings
    assert finding.facts == ("WAR (once)", "War (once)")


def test_relations_of_one_name_are_found(store: Store, tmp_path: Path) -> None:
    rows = [("Ann", "born in", "Ulm"), ("Bob", "born_in", "Ulm")]
    store.load_kg(lines(tmp_path / "facts.tsv", rows), name="facts", header=False)
    (finding,) = store.check("facts").findings
    assert finding.text == "These relations are likely one, 'born in', in 2 spellings."


def table(store: Store, path: Path, rows: Iterable[str]) -> CheckReport:
    file = path / "table.csv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    store.load_table(file, name="table")
    return store.check("table")


def test_equal_rows_are_found_and_are_no_repeated_key(store: Store, tmp_path: Path) -> None:
    rows = ["id,city", *(f"{n},City {n}" for n in range(1, 13)), "3,City 3"]
    report = table(store, tmp_path, rows)
    (finding,) = report.findings
    assert (finding.kind, finding.text) == (FindingKind.ROWS, "Rows 3 and 13 are equal in every column.")


def test_two_rows_with_one_key_are_found(store: Store, tmp_path: Path) -> None:
    rows = ["id,size", *(f"{n},{n % 3}" for n in range(1, 13)), "3,100"]
    (finding,) = table(store, tmp_path, rows).findings
    assert (finding.kind, finding.relation) == (FindingKind.KEY, "id")
    assert finding.text == "Rows 3 and 13 have the same value of 'id'."


def test_equal_prices_are_no_repeated_key(store: Store, tmp_path: Path) -> None:
    rows = ["item,price", *(f"Item {n},{n}.50" for n in range(1, 13)), "Item 13,3.50"]
    assert table(store, tmp_path, rows).count == 0


def test_values_of_another_kind_are_counted_with_examples(store: Store, tmp_path: Path) -> None:
    rows = ["item,price", *(f"Item {n},{n * 3}.50" for n in range(1, 13)), "Item 13,soon", "Item 14,n/a"]
    (finding,) = table(store, tmp_path, rows).findings
    assert finding.text.startswith("1 of 13 values of 'price' cannot be read as number")
    assert finding.facts == ("row 13: soon",)


def test_cells_are_alike_within_a_column(store: Store, tmp_path: Path) -> None:
    rows = ["city,team", "London,Ulm", "london,Bonn", "ULM,Paris"]
    (finding,) = table(store, tmp_path, rows).findings
    assert finding.text == "These values of 'city' are likely one, 'London', in 2 spellings."


def test_only_the_named_relations_are_checked(store: Store, tmp_path: Path) -> None:
    rows = [("Ann", "spouse", "Bob", 1999, 1990), ("Ann", "employer", "Firm", 1999, 1990)]
    report = check_times(store, tmp_path, rows, relations=["employer"])
    assert [finding.relation for finding in report.findings] == ["employer"]


def test_findings_beyond_the_limit_are_counted(store: Store, tmp_path: Path) -> None:
    rows = [(f"Person {n}", "spouse", "Bob", 2000, 1999 - n) for n in range(30)]
    report = check_times(store, tmp_path, rows, limit=3)
    assert (len(report.findings), report.counts) == (3, {"ends before it starts": 30})
    assert report.findings[0].facts == ("Person 29 | spouse | Bob | 2000 to 1970",)  # the gravest first


def test_a_relation_that_is_not_there_is_an_error_that_offers_one(store: Store, tmp_path: Path) -> None:
    check_times(store, tmp_path, office(3))
    with pytest.raises(BadInput) as error:
        store.check("facts", relations=["mayor off"])
    assert error.value.message == "Source 'facts' has no relation 'mayor off'."
    assert error.value.hint == "Did you mean 'mayor of'?"


def test_aliases_cannot_be_checked(store: Store) -> None:
    store.load_aliases(EXAMPLES / "aliases.tsv")
    with pytest.raises(BadInput, match="no facts"):
        store.check("aliases")


def test_a_table_has_no_tails(store: Store, tmp_path: Path) -> None:
    table(store, tmp_path, ["city,size", "Ulm,1"])
    with pytest.raises(BadInput, match="no heads and tails"):
        store.check("table", one_tail=["city"])


def test_facts_with_qualifiers_are_not_compared_and_a_note_says_so(store: Store, tmp_path: Path) -> None:
    facts = [{"head": "Ann", "relation": "chairs", "tail": tail} for tail in ("Club", "Board")]
    facts[1]["qualifiers"] = {"since": "1999"}  # type: ignore[assignment]
    path = tmp_path / "facts.jsonl"
    path.write_text("".join(f"{json.dumps(fact)}\n" for fact in facts), encoding="utf-8")
    store.load_statements(path, name="facts")
    report = store.check("facts", one_tail=["chairs"])
    assert report.count == 0
    assert report.notes == (
        "1 fact with qualifiers was not compared with others: a qualifier may say when, or in what sense, it holds.",
    )


def test_a_name_that_looks_like_an_option_stays_a_name(store: Store, tmp_path: Path) -> None:
    report = check_times(store, tmp_path, [("--all", "spouse", "Bob's", 1999, 1990)])
    (way,) = report.findings[0].next
    assert way == "cgstore facts correct --new-start 1990 --new-end 1999 -- facts --all spouse 'Bob'\"'\"'s'"


@pytest.mark.parametrize("name", ["cities.csv", "films.txt", "prizes.jsonl", "places.ttl"])
def test_the_examples_have_no_contradictions(store: Store, name: str) -> None:
    path = EXAMPLES / name
    loads = {".csv": "table", ".txt": "kg", ".jsonl": "statements", ".ttl": "rdf"}
    getattr(store, f"load_{loads[path.suffix]}")(path)
    assert store.check(path.stem).findings == ()


def test_the_awaited_store_checks_too(store: Store, tmp_path: Path) -> None:
    check_times(store, tmp_path, office(3))
    assert asyncio.run(AsyncStore(store).check("facts")).counts == {}
