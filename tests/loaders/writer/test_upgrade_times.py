"""A temporal source as older versions kept it is refused, and brought up to date: in the graph, and from a dump."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from cgstore.change.commit import commit
from cgstore.change.operations import Append, Remove, Selection
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.model import Role
from cgstore.store import Store
from cgstore.text.dates import Step, number_of, time_name
from cgstore.text.names import owned_key
from tests.change.graph import counts, triples, triples_as_of
from tests.change.test_commit import fact
from tests.conftest import wipe
from tests.loaders.samples import everything

FACTS = [
    ("Ann", "chair of", "Club", "1990-05-03", "1990-05-09"),
    ("Ann", "member of", "Club", "1989-11-10", "1989-11-11"),
    ("Ann", "member of", "Club", "1989-12-01", "1989-12-01"),
    ("Dan", "friend of", "Ann", "1990-05-08", "1990-05-10"),
    ("Dan", "time", "Ann", "1990-05-08", "1990-05-08"),
]
ASKED = "get_information(tail_entity='Club', key='time', value='1990-05-04')"
KEY = owned_key("club", "time")

_PERIODS = """
MATCH (k:CgNode {key: $key})-[p:CG_PERIOD|CG_WAS_PERIOD]->()
RETURN elementId(p) AS id, type(p) = 'CG_PERIOD' AS now, p.first AS first, p.last AS last
"""

_WRITE_OUT = """
UNWIND $times AS time
MATCH (k)-[p]->() WHERE elementId(p) = $id
MERGE (y:CgNode {key: time.name}) ON CREATE SET y.name = time.name, y.normal = time.name, y.num = time.num
SET y:CgValue
CREATE (k)-[v:%s]->(y)
SET v = properties(p), v.node2 = time.name, v.num = time.num, v.first = null, v.last = null, v.level = null
"""

_OLD = "MATCH (s:CgSource {name: 'club'}) SET s.format = $format, s.stored = $stored"


@pytest.fixture
def club(db: Database, tmp_path: Path) -> Store:
    """A source that was changed twice."""
    store, path = Store(db), tmp_path / "club.tsv"
    path.write_text("".join("\t".join(fact) + "\n" for fact in FACTS), encoding="utf-8")
    store.load_tkg(path, name="club", header=False, step="day")
    commit(db, "club", [Append([fact(("Bob", "chair of", "Club", "1990-05-04", "1990-05-06"))])], "test")
    commit(db, "club", [Remove(Selection("Ann", "chair of", "Club"))], "test")
    return store


def write_out(db: Database) -> None:
    """Makes of each period the triples that it stands for, as the first versions kept them."""
    for row in db.read(_PERIODS, {"key": KEY}):
        names = [time_name(place, Step.DAY) for place in range(row["first"], row["last"] + 1)]
        times = [{"name": name, "num": number_of(name)} for name in names]
        db.write(_WRITE_OUT % ("CG_VALUE" if row["now"] else "CG_WAS_VALUE"), {"times": times, "id": row["id"]})
        db.write("MATCH ()-[p]->() WHERE elementId(p) = $id DELETE p", {"id": row["id"]})
    db.write(_OLD, {"format": 5, "stored": None})


def with_forks(db: Database) -> None:
    """Takes the levels of the periods, and gives them what a version between had."""
    db.write("MATCH ()-[p:CG_PERIOD|CG_WAS_PERIOD]->() SET p.fork = p.last, p.level = null")
    db.write("MATCH (k:CgNode {key: $key}) SET k.periods = true", {"key": KEY})
    db.write(_OLD, {"format": 5, "stored": Store(db).sources()[0].stored})


@pytest.mark.parametrize("age", [write_out, with_forks])
def test_an_upgrade_makes_stretches_of_times_and_keeps_the_history(
    club: Store, age: Callable[[Database], None]
) -> None:
    before = everything(club.db), counts(club.db, "club"), [triples_as_of(club.db, "club", n) for n in range(3)]
    age(club.db)
    with pytest.raises(BadInput, match=r"another version(?s:.*)cgstore upgrade"):
        club.query(ASKED)
    assert club.upgrade().sources == 1
    after = everything(club.db), counts(club.db, "club"), [triples_as_of(club.db, "club", n) for n in range(3)]
    assert after == before
    assert club.query(ASKED).answer == ("Bob",)
    assert club.upgrade().sources == 0
    done = commit(club.db, "club", [Append([fact(("Ann", "member of", "Club", "1989-11-12", "1989-11-30"))])], "test")
    assert done and done.changes == (3,)


def test_an_upgrade_that_was_cut_short_goes_on(club: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from cgstore.loaders.writer import upgrade as upgrading

    before = triples(club.db, "club")
    write_out(club.db)
    monkeypatch.setattr(upgrading, "HEADS", 1)
    with monkeypatch.context() as patch:
        patch.setattr(upgrading, "_LEVELS", "RETURN nothing")
        with pytest.raises(Exception, match="nothing"):
            club.upgrade()
    assert club.upgrade().sources == 1 and triples(club.db, "club") == before


def test_a_dump_of_an_older_version_is_restored_as_stretches(club: Store, tmp_path: Path) -> None:
    club.dump(tmp_path / "new")
    before = triples(club.db, "club"), counts(club.db, "club")
    with zipfile.ZipFile(tmp_path / "new") as new, zipfile.ZipFile(tmp_path / "old", "w") as old:
        nodes, lines = (
            [json.loads(line) for line in new.read(f"sources/0/{name}.jsonl").splitlines()]
            for name in ("nodes", "triples")
        )
        manifest = json.loads(new.read("manifest.json"))
        place = {node[0]: number for number, node in enumerate(nodes)}
        written = [line if len(line) > 4 else _written(line, nodes, place) for line in lines]
        manifest["graph_format"] = 2
        del manifest["sources"][0]["stored"]
        manifest["sources"][0]["nodes"] = len(nodes)
        old.writestr("manifest.json", json.dumps(manifest))
        old.writestr("demonstrations.jsonl", "")
        for name, some in (("nodes", nodes), ("triples", written)):
            old.writestr(f"sources/0/{name}.jsonl", "".join(json.dumps(line) + "\n" for line in some))
    wipe(club.db)
    club.restore(tmp_path / "old")
    assert (triples(club.db, "club"), counts(club.db, "club")) == before
    assert club.query(ASKED).answer == ("Bob",)
    assert club.restore(tmp_path / "old").unchanged == ("club",)


def _written(line: list, nodes: list, place: dict[str, int]) -> list:
    """A line of periods as one of the times in them; adds the nodes of the times."""
    key, condition, _, periods = line
    names = [time_name(at, Step.DAY) for first, last in periods for at in range(first, last + 1)]
    for name in names:
        if place.setdefault(name, len(nodes)) == len(nodes):
            nodes.append([name, [list(Role).index(Role.VALUE)], None, None])
    return [key, condition, [place[name] for name in names], [[number_of(name), None, None] for name in names], None]
