"""Samples of all benchmarks, and the real ones where they are."""

from __future__ import annotations

from pathlib import Path

import cron_sample
import freebase_sample
import oracle_sample
import pytest

DATA = Path(__file__).parents[3] / ".data"

WTQ_HEADER = "id\tutterance\tcontext\ttargetValue\n"
WTQ = f"""{WTQ_HEADER}ns-0\thow many years had the otters?\tcsv/200-csv/1.csv\t2
ns-1\twhich team was last?\tcsv/200-csv/1.csv\tOtters
ns-2\twhich teams are there?\tcsv/200-csv/1.csv\tOtters|Herons
"""
TABLE = "Year\tTeam\n2001\tOtters\n2002\tPikes\n2003\tOtters\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a sample of every benchmark."""
    folder = tmp_path / "data"
    oracle_sample.write(folder)
    freebase_sample.write(folder)
    freebase_sample.write_text(folder / "wtq" / "data" / "pristine-seen-tables.tsv", WTQ)
    freebase_sample.write_text(folder / "wtq" / "csv" / "200-csv" / "1.tsv", TABLE)
    _write_cronquestions(folder / "cronquestions")
    return folder


def _write_cronquestions(folder: Path) -> None:
    """Of the sample's facts, the flood is an event in ids and all others are in names."""
    folder.mkdir()
    cron_sample.write(folder).rename(folder / "ari_dev.jsonl")
    (folder / "complex_valid.jsonl").write_text("", encoding="utf-8")
    names, relations = cron_sample.ENTITIES, cron_sample.RELATIONS
    facts = [(names[h], relations[r], names[t], start, end) for h, r, t, start, end in cron_sample.FACTS if h != "Q8"]
    events = [fact for fact in cron_sample.FACTS if fact[0] == "Q8"]
    for name, rows in (
        ("ari_facts.tsv", facts),
        ("event2time.tsv", events),
        ("wd_id2entity_text.txt", names.items()),
        ("wd_id2relation_text.txt", relations.items()),
    ):
        freebase_sample.write_text(folder / name, "".join("\t".join(row) + "\n" for row in rows))


@pytest.fixture
def benchmark_data() -> Path:
    """The real benchmarks' files."""
    if not DATA.is_dir():
        pytest.skip("the benchmark data .data is not here")
    return DATA
