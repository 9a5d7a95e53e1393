"""What columns are for, as loads and changes keep it, against a real Neo4j."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cgstore.cli import main
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.store import Store

JOBS = "Job no,Customer,Room,Price,Paid\n" + "".join(
    f"{1041 + n},Customer {n % 4},{100 + n % 3},{n * 3.5},{'yes' if n % 2 else 'no'}\n" for n in range(12)
)
FACTS = "Ulm\tarea code\t0731\nBern\tarea code\t031\nUlm\tfounded\t1184\nBern\tfounded\t1191\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "jobs.csv").write_text(JOBS, encoding="utf-8")
    (tmp_path / "towns.tsv").write_text(FACTS, encoding="utf-8")
    return tmp_path


def roles(store: Store, source: str) -> dict[str, str]:
    return {each.name: each.role for each in store.describe(source).relations}


def test_roles_are_kept_told_changed_dumped_and_restored(db: Database, store: Store, folder: Path) -> None:
    store.load_table(folder / "jobs.csv")
    store.load_kg(folder / "towns.tsv")
    found = {
        "Job no": "identifier",
        "Customer": "category",
        "Room": "quantity",
        "Price": "quantity",
        "Paid": "yes or no",
    }
    assert roles(store, "jobs") == found
    assert roles(store, "towns") == {"area code": "identifier", "founded": "date"}
    assert "Job no (number, identifier): 1041 to 1052" in str(store.describe("jobs"))
    store.append("towns", [("Ulm", "walled", "yes"), ("Bern", "walled", "no")])
    assert roles(store, "towns")["walled"] == "yes or no"  # a new relation, and the others as they were
    assert roles(store, "towns")["founded"] == "date"

    store.load_table(folder / "jobs.csv", columns={"room": "category"}, replace=True)
    assert roles(store, "jobs") == {**found, "Room": "category"}
    assert store.load_table(folder / "jobs.csv", columns={"room": "category"}).unchanged
    store.dump(folder / "all.cgstore")
    store.drop("jobs")
    store.restore(folder / "all.cgstore")
    assert roles(store, "jobs") == {**found, "Room": "category"}

    db.write("MATCH (r:CgRelation) REMOVE r.role")  # as older versions loaded it
    assert set(roles(store, "jobs").values()) == {""}
    assert store.query("sum(set=get_information(relation='Job no'))", ["jobs"]).warnings == ()


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"Rom": "category"}, "no column 'Rom'.*'Job no', 'Customer', 'Room'.*identifier, label"),
        ({"Room": "group"}, "'group' is not what a column may be.*identifier, label"),
        ("Room", "not a mapping"),
    ],
)
def test_a_role_that_cannot_be_is_refused(store: Store, folder: Path, columns: Any, said: str) -> None:
    with pytest.raises(BadInput, match=f"(?s){said}"):
        store.load_table(folder / "jobs.csv", columns=columns)
    assert store.sources() == []


def test_the_command_says_a_role(db: Database, folder: Path, neo4j_settings: dict[str, str]) -> None:
    def run(*arguments: str) -> Any:
        return CliRunner(env=neo4j_settings).invoke(main, arguments)

    load = ("load", "table", str(folder / "jobs.csv"), "--column")
    assert run(*load, "Room=category", "--column", "Price = text").exit_code == 0
    described = json.loads(run("describe", "jobs", "--json").stdout)
    assert [each["role"] for each in described["relations"]][1:4] == ["category", "category", "text"]
    assert described["joins"] == []
    assert "is not a column and what it is" in run(*load, "Room").output
    assert "What a column is can be said when" in run(*load, "Room=category", "--append").output


SUMS = {
    "sum(set=get_information(relation='Job no'))": True,
    "mean(set=keep(set=get_information(relation='Job no'), value>'1045'))": True,
    "group(by='Customer', function='sum', of='Job no')": True,
    "count(set=get_information(relation='Job no'))": False,
    "max(set=get_information(relation='Job no'))": False,
    "sum(set=get_information(relation='Price'))": False,
}


def test_a_sum_of_identifiers_has_a_note(store: Store, folder: Path) -> None:
    store.load_table(folder / "jobs.csv")
    notes = {program: [each for each in store.query(program).warnings if "identifiers" in each] for program in SUMS}
    assert {program: len(told) for program, told in notes.items()} == SUMS
