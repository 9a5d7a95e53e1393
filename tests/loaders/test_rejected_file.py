"""The file for bad lines, as Python gives it."""

from __future__ import annotations

from pathlib import Path

from cgstore.cypher.connection import Database
from cgstore.store import Store


def test_the_file_for_bad_lines_may_be_given_as_a_text(db: Database, tmp_path: Path) -> None:
    path, rejected = tmp_path / "facts.csv", tmp_path / "bad.tsv"
    path.write_text("head,relation,tail,start,end\nAda,works for,Acme,2019,2020\nBo,works for,Acme,soon,\n")
    report = Store(db).load_tkg(str(path), name="staff", on_error="skip", rejected=str(rejected))
    assert (report.rejected, report.rejected_file) == (1, str(rejected))
    assert "soon" in rejected.read_text()
