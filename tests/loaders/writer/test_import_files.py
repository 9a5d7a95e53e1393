"""The files for the importer, without one."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest

from cgstore.errors import BadInput
from cgstore.loaders.statement import Fact
from cgstore.loaders.tkg import _record
from cgstore.loaders.tkg_stage import TkgStage
from cgstore.loaders.writer.import_files import ImportFiles, Written
from cgstore.text.dates import Moment, Step
from cgstore.text.names import MAX_BYTES
from tests.loaders.bulk_samples import nasty_sources, plain_source

Row = dict[str, str]


def _rows(path: Path) -> list[Row]:
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _write(folder: Path, *names: str) -> Written:
    """Files of one source for each name, in which that name is an entity beside others."""
    with ImportFiles(folder) as files:
        for number, name in enumerate(names):
            with TkgStage(f"s{number}") as stage:
                stage.add(Fact(name, "r", "b", Moment(2000), Moment(2001)))
                counts = stage.settle(Step.YEAR)
                stage.stage_times()
                files.add(_record(stage, counts), stage)
        return files.finish()


def test_a_small_source(tmp_path: Path) -> None:
    assert _write(tmp_path, "a").relationships == 6
    assert {path.name for path in tmp_path.iterdir()} == {
        "nodes.csv", "sources.csv", "has.csv", "value.csv", "import.args", "after.cypher", "README.txt",
    }  # fmt: skip
    keys = {row[":ID"]: row["key"] for row in _rows(tmp_path / "nodes.csv")}
    assert sorted(keys.values()) == sorted(
        ["a", "b", "2000", "2001", *(f"s0\x1f{x}" for x in ("r", "start time", "end time", "time"))]
    )
    value = _rows(tmp_path / "value.csv")
    assert all(keys[row[":START_ID"]] == row["node1"] and keys[row[":END_ID"]] == row["node2"] for row in value)
    assert {(row["node2"], row["num:double"]) for row in value} == {("b", ""), ("2000", "2000.0"), ("2001", "2001.0")}


def test_numbers_and_relationships_refer_to_nodes_that_are_there_once(tmp_path: Path) -> None:
    with nasty_sources() as sources, ImportFiles(tmp_path) as files:
        for plan, staged in sources:
            files.add(plan, staged)
        written = files.finish()
    nodes = _rows(tmp_path / "nodes.csv")
    assert len({row[":ID"] for row in nodes}) == len({row["key"] for row in nodes}) == len(nodes) == written.nodes
    ends = [row for name in ("has", "value", "value_about") for row in _rows(tmp_path / f"{name}.csv")]
    assert {row[side] for row in ends for side in (":START_ID", ":END_ID")} == {row[":ID"] for row in nodes}
    assert len(ends) == written.relationships == sum(plan.triples for plan, _ in sources)


def test_a_shared_node_has_the_roles_of_all_sources(tmp_path: Path) -> None:
    _write(tmp_path, "2000", "a")
    labels = {row["key"]: row[":LABEL"].split("\ufdd0") for row in _rows(tmp_path / "nodes.csv")}
    assert labels["2000"] == ["CgNode", "CgEntity", "CgValue"]
    assert labels["a"] == ["CgNode", "CgEntity"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a"], "--array-delimiter=U+FDD0"),
        (["a\ufdd0"], "--array-delimiter=U+FDD1"),
        (["a\nb"], "--multiline-fields=true"),
        (["a\rb"], "--multiline-fields=true"),
        (["x" * 3_000_000], "--read-buffer-size=60000"),
    ],
)
def test_the_importer_is_told_what_the_names_need(tmp_path: Path, names: list[str], expected: str) -> None:
    _write(tmp_path, *names)
    arguments = (tmp_path / "import.args").read_text(encoding="ascii")
    assert expected in arguments
    assert ("multiline" in arguments) == ("multiline" in expected)


@pytest.mark.parametrize("names", [["a", "a\ufdd0"], ["".join(map(chr, range(0xFDD0, 0xFDF0)))]])
def test_a_name_with_the_delimiter_is_refused(tmp_path: Path, names: list[str]) -> None:
    with pytest.raises(BadInput, match="reserves"):
        _write(tmp_path, *names)


def test_an_empty_name_in_a_condition_is_put_right_afterwards(tmp_path: Path) -> None:
    _write(tmp_path, "a")
    assert "SET" not in (tmp_path / "after.cypher").read_text(encoding="utf-8")
    _write(tmp_path, "")
    assert "SET r.condition = ['']" in (tmp_path / "after.cypher").read_text(encoding="utf-8")


def test_the_files_are_the_same_each_time(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        with plain_source(500) as [(plan, staged)], ImportFiles(tmp_path / folder) as files:
            files.add(plan, staged)
            files.finish()
    for name in ("nodes.csv", "has.csv", "value.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_long_names_are_shortened_in_keys_only(tmp_path: Path) -> None:
    name = "é" * 100_000
    _write(tmp_path, name)
    node = next(row for row in _rows(tmp_path / "nodes.csv") if row["name"] == name)
    assert len(node["key"].encode()) < MAX_BYTES and len(node["normal"].encode()) <= MAX_BYTES
    assert name in _rows(tmp_path / "value.csv")[0]["condition:string[]"]
