"""The corpus of `tests.loaders.malformed`: no input ends in a traceback, a hang, or a wrong answer that nobody sees."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from click.testing import CliRunner

from cgstore.catalog.kinds import SOURCE_KINDS
from cgstore.cli import main
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.loaders import kg, table
from cgstore.model import LoadReport
from cgstore.store import Store
from tests.loaders.malformed import CORPUS, Case
from tests.loaders.samples import everything

SECONDS = 30
"""No input may take longer, on a slow machine."""

MEMORY = 1500 << 20
"""Bytes of address space for a heavy input; without any, the libraries take a third of it."""

ROOT = Path(__file__).parents[2]

BAD = [case for case in CORPUS if case.facts is None and not case.heavy]
HEAVY = [case for case in CORPUS if case.heavy]
ODD = [case for case in CORPUS if case.facts is not None]

FAULTS = {
    "table": "encoding compression format quote width empty size value syntax option reference hostile path",
    "kg": "encoding compression format quote width empty size value option path",
    "tkg": "encoding quote width empty size value syntax option path",
    "statements": "encoding format width empty size value syntax path",
    "rdf": "encoding compression format empty size value syntax option hostile path",
    "aliases": "encoding width empty value path",
}
"""The classes of faults that an input of each kind may have."""


def _name(case: Case) -> str:
    return f"{case.fault}-{case.name}"


def _no_database() -> NoReturn:
    raise AssertionError("a dry run opened the database")


def _made(case: Case, folder: Path) -> Path | str:
    place = folder / "given"
    place.mkdir()
    try:
        return case.make(place)
    except (AttributeError, NotImplementedError, OSError):
        if sys.platform == "linux":
            raise
        pytest.skip("this system cannot make it")


def _load(case: Case, path: Path | str, on_error: str, store: Store | None = None) -> LoadReport:
    options: dict[str, Any] = {**case.options, "on_error": on_error, "dry_run": store is None}
    report: LoadReport = getattr(store or Store(_no_database), f"load_{case.kind}")(path, **options)
    return report


def _refused(case: Case, path: Path | str, on_error: str, store: Store | None = None) -> BadInput:
    with pytest.raises(BadInput) as caught:
        _load(case, path, on_error, store)
    return caught.value


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    """Ends a test that waits for ever."""

    def give_up(*_: object) -> NoReturn:
        raise TimeoutError(f"longer than {SECONDS} s")

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(4 * SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets nothing be fetched."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def test_each_kind_has_a_case_of_each_fault() -> None:
    assert FAULTS.keys() == {kind.name for kind in SOURCE_KINDS.values() if kind.menu}
    assert len({case.name for case in CORPUS}) == len(CORPUS)
    assert {(case.kind, case.fault) for case in CORPUS} == {
        (kind, fault) for kind, faults in FAULTS.items() for fault in faults.split()
    }


def _there(folder: Path) -> dict[str, tuple[int, int]]:
    """The files of a folder, each with its size and when it was written; those of rejected lines are left out."""
    about = {path.name: path.lstat() for path in folder.rglob("*") if not path.name.endswith(".rejected.tsv")}
    return {name: (each.st_size, each.st_mtime_ns) for name, each in about.items()}


@pytest.mark.parametrize("case", BAD, ids=_name)
def test_a_bad_input_is_refused_or_loses_its_bad_lines(case: Case, tmp_path: Path, offline: None) -> None:
    path = _made(case, tmp_path)
    before = _there(tmp_path / "given")
    error = _refused(case, path, "stop")
    said = f"{error.message}\n{error.hint}"
    assert re.search(case.says, said, re.DOTALL), said
    assert error.hint or "it must be" in error.message
    assert len(error.message) < 5000 and "hunter2" not in said
    if case.named:
        assert Path(str(path)).name in error.message
    if case.skip is None:
        again = _refused(case, path, "skip")
        said = f"{again.message}\n{again.hint}"
        assert "rejected, see" in said or re.search(case.says, said, re.DOTALL)
    else:
        with contextlib.chdir(tmp_path):  # where the lines of a database's table go
            report = _load(case, path, "skip")
        assert (report.rejected, report.facts) == case.skip
        assert report.rejected_file
        with (tmp_path / report.rejected_file).open(encoding="utf-8", errors="surrogateescape", newline="") as file:
            csv.field_size_limit(1 << 30)
            assert len(list(csv.reader(file, delimiter="\t"))) == 1 + report.rejected
    assert _there(tmp_path / "given") == before


@pytest.mark.parametrize("case", ODD, ids=_name)
def test_an_odd_input_is_read_by_a_stated_rule(case: Case, tmp_path: Path, offline: None) -> None:
    report = _load(case, _made(case, tmp_path), "stop")
    assert (report.facts, report.rejected) == (case.facts, 0)
    assert re.search(case.says, "\n".join(report.warnings))
    assert bool(case.says) == bool(report.warnings)


def _limited() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


SECONDS_EACH = (
    "csv-50-mb-cell",
    "csv-50-mb-line",
    "csv-50-mb-quote",
    "csv-bomb-of-a-line",
    "kg-bomb-of-blank-lines",
    "kg-bomb-of-zeros",
    "statements-bomb-of-zeros",
    "tkg-bomb",
    "xml-20-mb-literal",
)
"""Cases that take seconds, where another case of the same reader takes less."""


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=pytest.mark.long if case.name in SECONDS_EACH else (), id=case.name) for case in HEAVY],
)
def test_a_heavy_input_takes_little_memory(case: Case, tmp_path: Path) -> None:
    path = _made(case, tmp_path)
    command = [sys.executable, "-m", "cgstore", "load", case.kind, str(path), "--dry-run", "--json"]
    for on_error in ("stop", "skip") if case.skip else ("skip",):
        done = subprocess.run(
            [*command, "--on-error", on_error],
            capture_output=True,
            encoding="utf-8",
            timeout=SECONDS,
            cwd=ROOT,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            preexec_fn=_limited if sys.platform == "linux" else None,
        )
        assert "Traceback" not in done.stderr
        answer = json.loads(done.stdout)
        if case.skip and on_error == "skip":
            assert done.returncode == 0
            assert (answer["rejected"], answer["facts"]) == case.skip
        else:
            assert done.returncode == 2, done.stderr[-2000:]
            assert re.search(case.says, answer["error"], re.DOTALL), answer
            assert Path(str(path)).name in answer["error"]


def _arguments(case: Case, path: Path | str) -> list[str]:
    options = {name: value for name, value in case.options.items() if isinstance(value, str | int)}
    given = [text for name, value in options.items() for text in (f"--{name.replace('_', '-')}", str(value))]
    return ["load", case.kind, *given, "--dry-run", "--", str(path)]


# What click itself refuses, and what a Python caller alone can say, is not ours.
_EACH_FAULT = {(case.kind, case.fault): case for case in BAD if not {"columns", "step"} & set(case.options)}


@pytest.mark.parametrize("case", _EACH_FAULT.values(), ids=_name)
def test_the_command_line_ends_with_code_2_and_a_hint(case: Case, tmp_path: Path) -> None:
    command, *rest = _arguments(case, _made(case, tmp_path))
    plain = CliRunner().invoke(main, [command, *rest])
    assert plain.exit_code == 2
    assert "Traceback" not in plain.output
    assert re.search(case.says, plain.stderr, re.DOTALL)
    result = CliRunner().invoke(main, [command, rest[0], "--json", *rest[1:]])
    assert result.exit_code == 2
    assert set(json.loads(result.stdout)) == {"error", "hint"}


def test_tables_of_one_name_are_refused(tmp_path: Path) -> None:
    paths = [tmp_path / "a" / "t.csv", tmp_path / "b" / "t.csv"]
    for path in paths:
        path.parent.mkdir()
        path.write_text("a,b\n1,2\n")
    with pytest.raises(BadInput, match="Two tables are named 't'"):
        Store(_no_database).load_table(paths, dry_run=True)


def test_a_file_that_goes_away_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f.tsv"
    path.write_text("a\tr\tb\n")
    tables, files = table.read_tables, kg.input_files

    def vanishing_tables(*given: Any, **options: Any) -> Iterator[Any]:
        for each in tables(*given, **options):
            path.unlink()
            yield each

    def vanishing_files(*given: Any) -> list[Path]:
        found = files(*given)
        path.unlink()
        return found

    monkeypatch.setattr(table, "read_tables", vanishing_tables)
    with pytest.raises(BadInput, match=r"f\.tsv cannot be read: No such file"):
        Store(_no_database).load_table(path, dry_run=True)
    path.write_text("a\tr\tb\n")
    monkeypatch.setattr(kg, "input_files", vanishing_files)
    with pytest.raises(BadInput, match=r"f\.tsv cannot be read: No such file"):
        Store(_no_database).load_kg(path, dry_run=True)


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("kind", ["table", "kg", "tkg", "statements", "rdf"])
def test_a_file_that_may_not_be_read(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_text("a,r,b,1\n")
    path.chmod(0)
    with pytest.raises(BadInput, match=r"f\.csv cannot be read: Permission denied"):
        getattr(Store(_no_database), f"load_{kind}")(path, dry_run=True)


REPRESENTATIVE = (
    "csv-too-many-cells", "xlsx-formula-never-computed", "sql-bytes", "kg-empty-name", "kg-truncated-gzip",
    "tkg-31-february", "tkg-a-trillion-years-by-day", "statements-null", "nt-bad-middle", "xml-external-entity",
    "aliases-nul",
)  # fmt: skip


def test_no_bad_input_leaves_a_trace_in_the_graph(db: Database, tmp_path: Path) -> None:
    store = Store(db)
    good = tmp_path / "good.tsv"
    good.write_text("Ada\tborn in\tLondon\n")
    store.load_kg(good)
    graph = everything(db)
    cases = {case.name: case for case in BAD}
    for number, name in enumerate(REPRESENTATIVE):
        case = cases[name]
        place = tmp_path / str(number)
        place.mkdir()
        path = _made(case, place)
        _refused(case, path, "stop", store)
        assert everything(db) == graph, name
        if case.skip is None:
            _refused(case, path, "skip", store)
        else:
            with contextlib.chdir(place):
                report = _load(case, path, "skip", store)
            assert (report.rejected, report.facts) == case.skip
            assert [source.name for source in store.sources()] == sorted(["good", report.source])
            store.drop(report.source)
        assert everything(db) == graph, name
        assert [row["name"] for row in db.read("MATCH (s:CgSource) RETURN s.name AS name")] == ["good"]
        assert not db.read("MATCH (l:CgLane) RETURN l.number AS number")
