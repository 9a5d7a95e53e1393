"""Loading: how long, how much memory and disk, beside what the plain driver needs for the same graph in the same run.

    python benchmarks/load.py plain --runs 3              # cron_like against the plain driver
    python benchmarks/load.py cells --runs 1              # a CSV of 2 million cells against the plain driver
    python benchmarks/load.py tenfold                     # ten times as many facts: memory
    python benchmarks/load.py formats                     # every data set, its count against the definition

Each measurement has an empty server of its own. `--data` is the folder of the public data sets.
"""

from __future__ import annotations

import argparse
import gzip
import statistics
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from benchmarks.plain_driver import InMemory, create_all, in_memory
from benchmarks.servers import Ran, disk, fresh_server, run_cgstore
from cgstore.loaders.fact_stage import FactStage
from cgstore.loaders.readers.records import Statement
from cgstore.loaders.table import read_tables, statements
from cgstore.loaders.tkg import read_tkg
from cgstore.loaders.tkg_stage import Fact, TkgStage

COPIES = 10

_TRIPLES = "MATCH ()-[r:CG_HAS|CG_VALUE|CG_PERIOD]->() RETURN sum(coalesce(r.last - r.first, 0) + 1) AS n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["plain", "cells", "tenfold", "formats"])
    parser.add_argument("--data", type=Path, default=Path(".data"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--by-row", action="store_true", help="plain: also the plain driver with a row a relationship")
    options = parser.parse_args()
    {"plain": plain, "cells": cells, "tenfold": tenfold, "formats": formats}[options.what](options)


def plain(options: argparse.Namespace) -> None:
    """cron_like: cgstore's command, end to end, and the plain driver, in turn."""
    path = options.data / "cron_like" / "kg.tsv.gz"
    _beside_the_plain_driver("tkg", path, _staged(path), options)


def cells(options: argparse.Namespace) -> None:
    """A table of 200,000 rows of ten columns, numbers and words, likewise."""
    with tempfile.TemporaryDirectory() as folder:
        path, draw = Path(folder) / "cells.csv", Random(1)
        with path.open("w", encoding="utf-8") as out:
            out.write(",".join(f"column {number}" for number in range(10)) + "\n")
            for row in range(200_000):
                numbers = [str(draw.randrange(100_000)) for _ in range(5)]
                words = [f"name {draw.randrange(5_000)}" for _ in range(4)]
                out.write(",".join([f"item {row}", *numbers, *words]) + "\n")
        (table,) = read_tables([str(path)])
        with FactStage("cells") as stage:
            for statement in statements(table):
                assert isinstance(statement, Statement)
                stage.add(statement)
            stage.settle()
            data = in_memory(stage)
        _beside_the_plain_driver("table", path, data, options)


def _beside_the_plain_driver(kind: str, path: Path, data: InMemory, options: argparse.Namespace) -> None:
    """Loads a file by cgstore's command, end to end, and its graph by the plain driver, in turn."""
    ours: list[Ran] = []
    theirs: dict[str, list[float]] = {"groups": [], "rows": []}
    for run in range(options.runs):
        for form in ("groups", "rows") if options.by_row else ("groups",):
            with fresh_server() as (_, db):
                seconds = create_all(db, data, by_row=form == "rows")
            theirs[form].append(seconds["all"])
            parts = ", ".join(f"{part} {value:.1f}" for part, value in seconds.items())
            print(f"{run + 1}. plain driver, {form}: {parts} s", flush=True)
        with fresh_server() as (home, _):
            ran = run_cgstore(home, "load", kind, str(path), "--name", "x", "--json")
            store, logs = disk(home)
        ours.append(ran)
        print(
            f"{run + 1}. cgstore load {kind}: {ran.seconds:.1f} s, peak {ran.peak_mb:.0f} MB, "
            f"{ran.report['triples']:,} triples, store {store:,.0f} MB "
            f"({1e6 * store / ran.report['triples']:.0f} bytes a triple), logs {logs:,.0f} MB",
            flush=True,
        )
    median = statistics.median(ran.seconds for ran in ours)
    for form, values in theirs.items():
        if values:
            other = statistics.median(values)
            print(f"medians: cgstore {median:.1f} s, plain driver by {form} {other:.1f} s: {median / other:.2f} times")


def _staged(path: Path) -> InMemory:
    with TkgStage("cron_like") as stage:
        for fact in read_tkg(path):
            assert isinstance(fact, Fact)
            stage.add(fact)
        stage.settle()
        return in_memory(stage, stage.step.value)


def tenfold(options: argparse.Namespace) -> None:
    """Ten times as many facts, by ten copies with other entities: memory and time."""
    small = options.data / "cron_like" / "kg.tsv.gz"
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "tenfold.tsv"
        _write_copies(small, large)
        for path in (small, large):
            with fresh_server() as (home, _):
                ran = run_cgstore(home, "load", "tkg", str(path), "--name", "x", "--json")
                store, logs = disk(home)
            print(
                f"{path.name}: {ran.report['facts']:,} facts, {ran.report['triples']:,} triples, "
                f"{ran.seconds:.1f} s, peak {ran.peak_mb:.0f} MB, store {store:,.0f} MB, logs {logs:,.0f} MB",
                flush=True,
            )


def _write_copies(path: Path, target: Path) -> None:
    with gzip.open(path, "rt", encoding="utf-8") as file, target.open("w", encoding="utf-8") as out:
        for line in file:
            head, relation, tail, *times = line.rstrip("\n").split("\t")
            for copy in range(COPIES):
                mark = f" {copy}" if copy else ""
                out.write("\t".join([head + mark, relation, tail + mark, *times]) + "\n")


def formats(options: argparse.Namespace) -> None:
    """Every data set: the report's count against one made independently, from the definition alone."""
    for kind, paths, flags, count in _data_sets(options.data):
        expected = count()
        with fresh_server() as (home, db):
            ran = run_cgstore(home, "load", kind, *map(str, paths), "--name", "x", "--json", *flags)
            stored = db.read(_TRIPLES, timeout=600)[0]["n"]
        agree = "as defined" if stored == expected == ran.report["triples"] else f"DEFINED {expected:,}"
        print(
            f"load {kind} {' '.join(p.name for p in paths)}: {ran.report['facts']:,} facts, "
            f"{ran.report['sources']:,} sources, {stored:,} triples ({agree}), {ran.seconds:.1f} s, "
            f"peak {ran.peak_mb:.0f} MB",
            flush=True,
        )


def _data_sets(data: Path) -> Iterator[tuple[str, list[Path], list[str], Callable[[], int]]]:
    from benchmarks import definitions as by

    kb, union = data / "metaqa" / "kb.txt", data / "webqsp" / "freebase_union.tsv"
    yield "kg", [kb], [], lambda: by.kg(kb, "|")
    yield "kg", [union], [], lambda: by.kg(union, "\t")
    yield "statements", [data / "wd50k" / "statements"], [], lambda: by.statements(data / "wd50k" / "statements")
    yield "tkg", [data / "yago_tkg"], [], lambda: by.yago(data / "yago_tkg")
    dev = data / "wikisql" / "dev.tables.jsonl"
    yield "table", [dev], [], lambda: by.wikisql(dev)
    yield "table", [data / "wtq" / "csv"], [], lambda: by.wtq(data / "wtq" / "csv")


if __name__ == "__main__":
    main()
