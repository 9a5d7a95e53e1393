"""`Store.check` over sources with contradictions that were put there on purpose."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from cgstore.async_store import AsyncStore
from cgstore.checks.report import CheckReport, FindingKind
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.store import Store
from tests.conftest import ROOT

EXAMPLES = ROOT / "examples"

Rows = Sequence[Sequence[object] | str]
"""Facts of three or five parts, or the lines of a table."""

MAYORS: list[tuple[object, ...]] = [(f"Mayor {n}", "mayor of", "Ulm", 1900 + 4 * n, 1904 + 4 * n) for n in range(60)]
"""One after the other, four years each."""

OFFICE = MAYORS[:30]
BY_DAY = [(f"Mayor {n}", "mayor of", "Ulm", f"{1900 + 4 * n}-05-02", f"{1904 + 4 * n}-05-02") for n in range(25)]
TWO_CHAIRS = [("Ann", "chairs", "Club", 1990, 1995), ("Bob", "chairs", "Club", 1993, 1999)]
TWO_TOWNS = [("Ann", "born in", "Ulm"), ("Ann", "born in", "Bonn"), ("Bob", "born in", "Ulm")]
TOWNS = [(f"Person {n}", "born in", f"Town {n % 7}") for n in range(120)]
INVERTED = ("Ann", "spouse", "Bob", 1999, 1990)
OPEN = [*OFFICE, ("Mayor A", "mayor of", "Ulm", 2020, "present")]


@pytest.fixture
def store(db: Database) -> Store:
    return Store(db)


def load(store: Store, folder: Path, rows: Rows) -> str:
    """The name of a source that has these rows: a table, triples or temporal facts."""
    if isinstance(rows[0], str):
        (folder / "table.csv").write_text("\n".join(map(str, rows)) + "\n", encoding="utf-8")
        store.load_table(folder / "table.csv")
        return "table"
    path = folder / "facts.tsv"
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    (store.load_kg if len(rows[0]) == 3 else store.load_tkg)(path, header=False, replace=True)
    return "facts"


def check(store: Store, folder: Path, rows: Rows, **options: Any) -> CheckReport:
    return store.check(load(store, folder, rows), **options)


FOUND: dict[str, tuple[Rows, dict[str, Any], list[dict[str, object]]]] = {
    "two at a time, where changes show that one holds": (
        [*OFFICE, ("Usurper", "mayor of", "Ulm", 1950, 1951)], {},
        [{"kind": FindingKind.SEVERAL, "text": "'Ulm' has several heads of 'mayor of' at a time, 1950 to 1951.",
          "facts": ("Mayor 12 | mayor of | Ulm | 1948 to 1952", "Usurper | mayor of | Ulm | 1950 to 1951"),
          "because": "of 30 changes, 29 come without an overlap"}],
    ),
    "two at a time, by day": (
        [*BY_DAY, ("Usurper", "mayor of", "Ulm", "1950-01-01", "1950-02-01")], {},
        [{"text": "'Ulm' has several heads of 'mayor of' at a time, 1950-01-01 to 1950-02-01."}],
    ),
    "nothing in a relation with many overlaps": (
        [(f"Player {n}", "plays for", "Ulm", 1900 + n, 1906 + n) for n in range(60)], {}, [],
    ),
    "nothing in single years far apart": (
        [*((f"Film {n}", "award", "Prize", 1900 + 5 * n, 1900 + 5 * n) for n in range(24)),
         ("Film 99", "award", "Prize", 1900, 1900)], {}, [],
    ),
    "nothing where nobody says that one holds": (TWO_CHAIRS, {}, []),
    "one head that the user names": (
        TWO_CHAIRS, {"one_head": ["chairs"]},
        [{"because": "as you say", "next": ("cgstore facts correct facts Ann chairs Club --new-end 1993",
                                            "cgstore facts remove facts Bob chairs Club --start 1993")}],
    ),
    "nothing in triples where nobody says that one holds": (TWO_TOWNS, {}, []),
    "one tail that the user names": (
        TWO_TOWNS, {"one_tail": ["born in"]},
        [{"text": "'Ann' has several tails of 'born in'.", "facts": ("Ann | born in | Bonn", "Ann | born in | Ulm")}],
    ),
    "a head with two tails, where nearly all have one": (
        [*TOWNS, ("Person 3", "born in", "Bonn")], {},
        [{"text": "'Person 3' has several tails of 'born in'.", "because": "of 120 heads, 119 have only one"}],
    ),
    "an open fact, and another within it": (
        [*OPEN, ("Mayor B", "mayor of", "Ulm", 2022, 2023)], {},
        [{"kind": FindingKind.SEVERAL,
          "facts": ("Mayor A | mayor of | Ulm | 2020 to present", "Mayor B | mayor of | Ulm | 2022 to 2023"),
          "next": ("cgstore facts remove facts 'Mayor A' 'mayor of' Ulm --start 2020",)}],
    ),
    "an open fact, and one that follows it": (
        [*OPEN, ("Mayor B", "mayor of", "Ulm", 2022, "present")], {},
        [{"text": "'Ulm' has several heads of 'mayor of' at a time, 2022 to present.",
          "next": ("cgstore facts close facts 'Mayor A' 'mayor of' Ulm --at 2022",
                   "cgstore facts remove facts 'Mayor B' 'mayor of' Ulm --start 2022")}],
    ),
    "a fact that ends before it starts": (
        [INVERTED, ("Ann", "spouse", "Cid", 2000, 2004)], {},
        [{"kind": FindingKind.INVERTED, "facts": ("Ann | spouse | Bob | 1999 to 1990",),
          "next": ("cgstore facts correct facts Ann spouse Bob --new-start 1990 --new-end 1999",)}],
    ),
    "a name that looks like an option": (
        [("--all", "spouse", "Bob's", 1999, 1990)], {},
        [{"next": ("cgstore facts correct --new-start 1990 --new-end 1999 -- facts --all spouse 'Bob'\"'\"'s'",)}],
    ),
    "only what the named relations have": (
        [INVERTED, ("Ann", "employer", "Firm", 1999, 1990)], {"relations": ["employer"]}, [{"relation": "employer"}],
    ),
    "gaps, the longest first": (
        [row for n, row in enumerate(MAYORS[:40]) if n not in (7, 20, 21)], {},
        [{"text": "'Ulm' has no head of 'mayor of', 1981 to 1987."},
         {"text": "'Ulm' has no head of 'mayor of', 1929 to 1931.",
          "facts": ("Mayor 6 | mayor of | Ulm | 1924 to 1928", "Mayor 8 | mayor of | Ulm | 1932 to 1936")}],
    ),
    "no gaps where there are many": ([row for n, row in enumerate(MAYORS) if n % 3], {}, []),
    "a title in two spellings, and not the tag of that name": (
        [("Film", "has tag", "war"), ("War", "directed by", "Ann"), ("WAR", "directed by", "Ann")], {},
        [{"facts": ("WAR (once)", "War (once)")}],
    ),
    "a relation in two spellings": (
        [("Ann", "born in", "Ulm"), ("Bob", "born_in", "Ulm")], {},
        [{"text": "These relations are likely one, 'born in', in 2 spellings."}],
    ),
    "equal rows, which are no repeated key": (
        ["id,city", *(f"{n},City {n}" for n in range(1, 13)), "3,City 3"], {},
        [{"kind": FindingKind.ROWS, "text": "Rows 3 and 13 are equal in every column."}],
    ),
    "two rows with one key": (
        ["id,size", *(f"{n},{n % 3}" for n in range(1, 13)), "3,100"], {},
        [{"kind": FindingKind.KEY, "relation": "id", "text": "Rows 3 and 13 have the same value of 'id'."}],
    ),
    "nothing in equal prices": (["item,price", *(f"Item {n},{n}.50" for n in range(1, 13)), "Item 13,3.50"], {}, []),
    "a value of another kind": (
        ["item,price", *(f"Item {n},{n * 3}.50" for n in range(1, 13)), "Item 13,soon", "Item 14,n/a"], {},
        [{"facts": ("row 13: soon",)}],
    ),
    "cells in two spellings within a column": (
        ["city,team", "London,Ulm", "london,Bonn", "ULM,Paris"], {},
        [{"text": "These values of 'city' are likely one, 'London', in 2 spellings."}],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FOUND)
def test_a_check_finds(store: Store, tmp_path: Path, name: str) -> None:
    rows, options, expected = FOUND[name]
    report = check(store, tmp_path, rows, **options)
    assert len(report.findings) == len(expected) == report.count
    for finding, parts in zip(report.findings, expected, strict=True):
        assert {part: getattr(finding, part) for part in parts} == parts


def test_a_report_has_its_rules_and_counts_its_findings(store: Store, tmp_path: Path) -> None:
    report = check(store, tmp_path, FOUND["two at a time, where changes show that one holds"][0])
    assert report.counts == {"several at a time": 1}
    rule = "'mayor of' has one head for each tail at a time: of 30 changes, 29 come without an overlap."
    assert report.rules == (rule,)


def test_a_change_in_one_year_is_a_note_and_no_contradiction(store: Store, tmp_path: Path) -> None:
    report = check(store, tmp_path, OFFICE)
    assert report.count == 0
    (note,) = report.notes
    assert note == "A fact begins at the time at which the one before it ends, 29 times: that counts as a change."


def test_spellings_of_one_name_are_found(store: Store, tmp_path: Path) -> None:
    alike = {("Angela Merkel", "Merkel, Angela", "angela  merkel"), ("Malmö", "Malmo"), ("New York", "NewYork")}
    names = [name for names in alike for name in names]
    names += [
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
    findings = check(store, tmp_path, [("Someone", "knows", name) for name in names]).findings
    found = {frozenset(fact.rpartition(" (")[0] for fact in finding.facts) for finding in findings}
    assert found == set(map(frozenset, alike))


def test_findings_beyond_the_limit_are_counted(store: Store, tmp_path: Path) -> None:
    rows = [(f"Person {n}", "spouse", "Bob", 2000, 1999 - n) for n in range(30)]
    report = check(store, tmp_path, rows, limit=3)
    assert (len(report.findings), report.counts) == (3, {"ends before it starts": 30})
    assert report.findings[0].facts == ("Person 29 | spouse | Bob | 2000 to 1970",)  # the gravest first


def test_a_relation_that_is_not_there_is_an_error_that_offers_one(store: Store, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="Source 'facts' has no relation 'mayor off'") as error:
        check(store, tmp_path, OFFICE[:3], relations=["mayor off"])
    assert error.value.hint == "Did you mean 'mayor of'?"


def test_aliases_and_the_tails_of_a_table_cannot_be_checked(store: Store, tmp_path: Path) -> None:
    store.load_aliases(EXAMPLES / "aliases.tsv")
    with pytest.raises(BadInput, match="no facts"):
        store.check("aliases")
    with pytest.raises(BadInput, match="no heads and tails"):
        check(store, tmp_path, ["city,size", "Ulm,1"], one_tail=["city"])


def test_facts_with_qualifiers_are_not_compared_and_a_note_says_so(store: Store, tmp_path: Path) -> None:
    facts: Iterable[dict[str, object]] = [
        {"head": "Ann", "relation": "chairs", "tail": "Club"},
        {"head": "Ann", "relation": "chairs", "tail": "Board", "qualifiers": {"since": "1999"}},
    ]
    path = tmp_path / "facts.jsonl"
    path.write_text("".join(f"{json.dumps(fact)}\n" for fact in facts), encoding="utf-8")
    store.load_statements(path)
    report = store.check("facts", one_tail=["chairs"])
    assert report.count == 0
    assert report.notes[0].startswith("1 fact with qualifiers was not compared with others")


@pytest.mark.parametrize("name", ["cities.csv", "films.txt", "prizes.jsonl", "places.ttl"])
def test_the_examples_have_no_contradictions(store: Store, name: str) -> None:
    path = EXAMPLES / name
    loads = {".csv": "table", ".txt": "kg", ".jsonl": "statements", ".ttl": "rdf"}
    getattr(store, f"load_{loads[path.suffix]}")(path)
    assert store.check(path.stem).findings == ()


def test_the_awaited_store_checks_too(store: Store, tmp_path: Path) -> None:
    load(store, tmp_path, OFFICE[:3])
    assert asyncio.run(AsyncStore(store).check("facts")).counts == {}
