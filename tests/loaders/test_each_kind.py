"""What every kind of source promises: loaded once or again, in part, badly, cut short, replaced, dropped."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

from cgstore.catalog import registry, sources
from cgstore.catalog.kinds import SOURCE_KINDS
from cgstore.cypher import connection
from cgstore.cypher import indexes as schema
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, CgstoreError, NoDatabase
from cgstore.loaders import aliases
from cgstore.loaders.writer import target, write
from cgstore.loaders.writer.target import Online
from cgstore.model import LoadReport, SourceState
from cgstore.store import Store
from tests.loaders.samples import everything
from tests.moments import before_call, before_statement, raising


@dataclass(frozen=True)
class Kind:
    """A kind of source: the name of a file, its first line, a line for each number, and one that cannot be used.

    `first` is a condition triple that a dry run shows.
    """

    name: str
    file: str
    line: str
    bad: str
    problem: str
    first: tuple[str, str, tuple[str, ...]]
    header: str = ""
    facts: int = 1

    def write(self, folder: Path, numbers: range, *more: str, file: str = "") -> Path:
        """A file with a line for each number."""
        path = folder / (file or self.file)
        lines = [self.header, *(self.line.format(n, n % 7) for n in numbers), *more]
        path.write_text("".join(f"{line}\n" for line in lines if line), encoding="utf-8")
        return path

    def load(self, to: Database | target.Target, path: Path, **options: Any) -> LoadReport:
        """Loads a file, as one source `it`."""
        kind = SOURCE_KINDS[self.name]
        report: LoadReport = kind.load()(to, path, kind.load_options({"name": "it", **options}))
        return report


pytestmark = pytest.mark.usefixtures("batches")

KINDS = [
    Kind("table", "f.csv", "town {},{}", "a,b,c", "column 3: 3 cells", ("[line_1]", "town", ()), "town,people", 3),
    Kind("kg", "f.tsv", "Ann {}\tlikes\tdrink {}", "Ann\tlikes", "column 3 (tail): missing", ("Ann 0", "likes", ())),
    Kind("tkg", "f.tsv", "Ann {}\theld\tpost {}\t1990\t1992", "Ann\theld\tpost\tx\t1", "column 4 (start): 'x'",
         ("Ann 0", "held", ())),
    Kind("statements", "f.csv", "Ann {},won,prize {},year,1990", "Ann,won", "column 3 (object): missing",
         ("Ann 0", "won", ())),
    Kind("rdf", "f.nt", "<http://e/a{}> <http://e/likes> <http://e/d{}> .", "no triple", "", ("a0", "likes", ())),
    Kind("aliases", "f.tsv", "alias {}\tname {}", "a\tb\tc", "column 3: 3 columns", ("alias 0", "name 0", ())),
]  # fmt: skip


def test_every_kind_that_files_can_be_is_here() -> None:
    assert {kind.name for kind in KINDS} == {kind.name for kind in SOURCE_KINDS.values() if kind.menu}


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are written like large sources, in batches."""
    monkeypatch.setattr(target, "SMALL", 1)


EACH = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
WRITTEN = {"table", "tkg", "aliases"}
"""The kinds that are written each in its own way; the others are as `kg`, which is staged as a table is."""

EACH_WRITTEN = pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, id=kind.name, marks=() if kind.name in WRITTEN else pytest.mark.long) for kind in KINDS],
)


def _graph(db: Database) -> object:
    """All that the graph holds apart from the records of sources, whatever the version of a source is called."""
    pairs = db.read("MATCH (a:CgAlias) RETURN a.alias AS alias, a.name AS name")
    return re.sub(r"\\+x1e\d+", "", repr((everything(db), sorted(map(repr, pairs)))))


def _whole(db: Database, kind: Kind, path: Path) -> object:
    """All that the graph holds after a load that nothing disturbs, which is dropped again."""
    kind.load(_tens(db), path)
    whole = _graph(db)
    Store(db).drop("it")
    return whole


def _tens(db: Database, **options: Any) -> Online:
    return Online(db, batch=10, **options)


def _no_database() -> NoReturn:
    raise AssertionError("a dry run opened the database")


def _cut(kind: Kind, patch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Has something done before each batch of relationships, or of aliases."""
    owner, name = (registry, "beat") if kind.name == "aliases" else (write, "relationship_rows")
    before_call(patch, owner, name, act)


@EACH
def test_the_same_input_again_changes_nothing(db: Database, kind: Kind, tmp_path: Path) -> None:
    path = kind.write(tmp_path, range(20))
    first = kind.load(db, path)
    graph = _graph(db)
    again = kind.load(db, path)
    assert again.unchanged and not first.unchanged
    assert (again.facts, again.triples) == (first.facts, first.triples) == (20 * kind.facts, first.has + first.value)
    assert _graph(db) == graph
    assert [(s.name, s.kind, s.state, s.facts) for s in Store(db).sources()] == [
        ("it", kind.name, SourceState.READY, first.facts)
    ]


@EACH_WRITTEN
def test_other_content_is_refused_or_replaces_as_if_it_had_been_the_first(
    db: Database, kind: Kind, tmp_path: Path
) -> None:
    old, new = kind.write(tmp_path, range(20)), kind.write(tmp_path, range(5, 15), file=f"new-{kind.file}")
    kind.load(db, new)
    fresh = _graph(db)
    Store(db).drop("it")
    kind.load(db, old)
    with pytest.raises(BadInput, match=r"other content.*\n.*`replace=True`"):
        kind.load(db, new)
    assert not kind.load(db, new, replace=True).unchanged
    assert _graph(db) == fresh
    assert kind.load(db, new).unchanged and kind.load(db, new, replace=True).unchanged
    assert [source.name for source in Store(db).sources()] == ["it"]


@EACH
def test_a_dry_run_counts_and_shows_and_needs_no_database(kind: Kind, tmp_path: Path) -> None:
    path = kind.write(tmp_path, range(3))
    report: LoadReport = getattr(Store(_no_database), f"load_{kind.name}")(path, dry_run=True)
    assert (report.facts, report.dry_run, report.unchanged) == (3 * kind.facts, True, False)
    assert (report.sample[0].node1, report.sample[0].node2, report.sample[0].condition) == kind.first


@EACH
def test_a_bad_line_stops_a_load_or_goes_into_a_file(db: Database, kind: Kind, tmp_path: Path) -> None:
    path, rejected = kind.write(tmp_path, range(3), kind.bad), tmp_path / "bad.tsv"
    number = 4 + bool(kind.header)
    with pytest.raises(BadInput) as caught:
        kind.load(db, path)
    assert f"{path}:{number}: {kind.problem}" in caught.value.message and "`on_error='skip'`" in str(caught.value.hint)
    assert Store(db).sources() == [] and everything(db) == ([], [])
    report = kind.load(db, path, on_error="skip", rejected=str(rejected))
    assert (report.facts, report.rejected, report.rejected_file) == (3 * kind.facts, 1, str(rejected))
    with rejected.open(encoding="utf-8", newline="") as file:
        header, row = csv.reader(file, delimiter="\t")
    assert (header, row[0], row[3]) == (["line", "column", "problem", "text"], str(number), kind.bad)


@EACH
def test_a_file_of_nothing_but_bad_lines_is_refused(db: Database, kind: Kind, tmp_path: Path) -> None:
    path = kind.write(tmp_path, range(0), kind.bad, kind.bad)
    with pytest.raises(BadInput, match=r"2 lines were rejected, see |has no column"):
        kind.load(db, path, on_error="skip")
    assert Store(db).sources() == []


@EACH
def test_several_files_are_one_source_and_need_a_name(db: Database, kind: Kind, tmp_path: Path) -> None:
    if kind.name == "table":
        pytest.skip("each table is a source of its own")
    kind.write(tmp_path, range(3), file=f"1-{kind.file}")
    kind.write(tmp_path, range(2, 5), file=f"2-{kind.file}")
    assert kind.load(db, tmp_path).facts == 5
    with pytest.raises(BadInput, match="2 inputs are to become one source"):
        getattr(Store(db), f"load_{kind.name}")(sorted(tmp_path.iterdir()))
    kind.write(tmp_path, range(2), kind.bad, file=f"2-{kind.file}")
    with pytest.raises(BadInput, match=f"2-{kind.file}: "):
        kind.load(db, tmp_path)


@EACH
def test_a_load_says_how_far_it_is(
    db: Database, kind: Kind, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    kind.load(db, kind.write(tmp_path, range(20)), progress=True)
    assert re.search(r"\bit: +\d+%", capsys.readouterr().err)


@EACH_WRITTEN
def test_a_load_cut_short_goes_on_where_it_stopped(
    db: Database, kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = kind.write(tmp_path, range(100))
    whole = _whole(db, kind, path)
    with monkeypatch.context() as patch:
        _cut(kind, patch, raising(KeyboardInterrupt, after=3))
        with pytest.raises(KeyboardInterrupt) as caught:
            kind.load(_tens(db), path)
    assert "goes on where it stopped" in caught.value.__notes__[0]
    assert Store(db).sources()[0].state is SourceState.LOADING
    with pytest.raises(BadInput, match="cut short") as refused:
        kind.load(db, kind.write(tmp_path, range(3), file=f"other-{kind.file}"))
    assert "cgstore drop it" in (refused.value.hint or "")
    assert not kind.load(_tens(db), path).unchanged
    assert _graph(db) == whole
    assert Store(db).sources()[0].state is SourceState.READY
    assert db.read("MATCH (l:CgLane) RETURN l") == []


@EACH_WRITTEN
def test_a_replacement_cut_short_leaves_the_old_version_and_goes_on_or_gives_way(
    db: Database, kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = kind.write(tmp_path, range(5)), kind.write(tmp_path, range(100), file=f"new-{kind.file}")
    other = kind.write(tmp_path, range(50, 60), file=f"other-{kind.file}")
    ready = "MATCH (s:CgSource {state: 'ready'}) RETURN s.facts AS facts"
    kind.load(db, old)
    for then, count in ((new, 100), (other, 10)):
        with monkeypatch.context() as patch:
            _cut(kind, patch, raising(KeyboardInterrupt, after=3))
            with pytest.raises(KeyboardInterrupt):
                kind.load(_tens(db, replace=True), new)
        assert db.read(ready) == [{"facts": 5 * kind.facts}]
        kind.load(_tens(db, replace=True), then)
        assert db.read(ready) == [{"facts": count * kind.facts}]
        kind.load(db, old, replace=True)
    Store(db).drop("it")
    assert everything(db) == ([], [])


@EACH_WRITTEN
def test_a_lost_answer_to_a_commit_doubles_nothing(
    db: Database, kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = kind.write(tmp_path, range(100))
    whole = _whole(db, kind, path)
    schema.ensure_indexes(db)
    real, calls = Database.transaction, iter(range(10**6))

    def flaky(self: Database, work: Any) -> Any:
        result = real(self, work)
        if next(calls) % 3 == 1:
            raise NoDatabase("The connection was lost.")
        return result

    monkeypatch.setattr(Database, "transaction", flaky)
    monkeypatch.setattr(connection, "PAUSE", 0)
    kind.load(_tens(db), path)
    assert _graph(db) == whole
    Store(db).drop("it")
    assert Store(db).sources() == [] and everything(db) == ([], [])


@EACH_WRITTEN
def test_a_source_dropped_while_it_loads_is_gone(
    db: Database, kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = iter(range(10**6))

    def drop_before() -> None:
        if next(begun) == 4:
            Store(db).drop("it")

    monkeypatch.setattr(aliases, "LANES", 1)  # else a batch is under way that the drop waits for
    _cut(kind, monkeypatch, drop_before)
    with pytest.raises(CgstoreError, match="dropped"):
        kind.load(_tens(db), kind.write(tmp_path, range(100)))
    assert Store(db).sources() == [] and everything(db) == ([], [])


@EACH_WRITTEN
def test_a_drop_leaves_the_graph_as_if_the_source_had_never_been(db: Database, kind: Kind, tmp_path: Path) -> None:
    for other in KINDS:
        other.load(db, other.write(tmp_path, range(3), file=f"other-{other.file}"), name=f"other {other.name}")
    before = _graph(db)
    kind.load(db, kind.write(tmp_path, range(2, 9)))
    assert _graph(db) != before
    Store(db).drop("it")
    assert _graph(db) == before
    assert len(Store(db).sources()) == len(KINDS)


@EACH_WRITTEN
def test_a_drop_that_was_cut_short_goes_on(
    db: Database, kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = kind.write(tmp_path, range(30))
    kind.load(db, path)
    whole = _size(db)
    with monkeypatch.context() as patch:
        patch.setattr(sources, "BATCH", 10)
        before_statement(
            patch, "DELETE a" if kind.name == "aliases" else "DELETE r", raising(KeyboardInterrupt, after=1)
        )
        with pytest.raises(KeyboardInterrupt):
            Store(db).drop("it")
    assert 0 < _size(db) < whole
    assert Store(db).sources()[0].state is SourceState.DROPPING
    with pytest.raises(BadInput, match="being dropped"):
        kind.load(db, path)
    Store(db).drop("it")
    assert Store(db).sources() == [] and _size(db) == 0


def _size(db: Database) -> int:
    return int(db.read("RETURN COUNT { ()-[]->() } + COUNT { (:CgNode|CgAlias) } AS size")[0]["size"])
