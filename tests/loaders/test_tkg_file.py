from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.errors import BadInput
from cgstore.loaders.readers.records import BadLine
from cgstore.loaders.tkg import TkgOptions, read_tkg
from cgstore.loaders.tkg_stage import Fact
from cgstore.text.dates import Moment


def _write(folder: Path, text: str | bytes, name: str = "kg.tsv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def _facts(path: Path, header: bool | None = None) -> list[Fact]:
    items = list(read_tkg(path, TkgOptions(header=header)))
    assert not [item for item in items if isinstance(item, BadLine)]
    return [item for item in items if isinstance(item, Fact)]


def _bad(path: Path) -> list[str]:
    return [str(item) for item in read_tkg(path) if isinstance(item, BadLine)]


def test_a_line_is_a_fact(tmp_path: Path) -> None:
    path = _write(tmp_path, "Ada\tmember of\tRS\t1830\t1852\r\n\nBob\tborn in\tUlm\t1900\n")
    assert _facts(path) == [
        Fact("Ada", "member of", "RS", Moment(1830), Moment(1852), 1),
        Fact("Bob", "born in", "Ulm", Moment(1900), Moment(1900), 3, has_end=False),
    ]


def test_a_title_that_is_not_known_means_the_column_of_its_place_with_a_note(tmp_path: Path) -> None:
    warnings: list[str] = []
    path = _write(tmp_path, "Who;What;Office;Began;Ended\na;r;b;1;2\n", "kg.csv")
    (fact,) = read_tkg(path, warnings=warnings)
    assert isinstance(fact, Fact) and fact[:5] == ("a", "r", "b", Moment(1), Moment(2))
    assert warnings == [f"{path}: columns taken by their place as head, relation, tail: Who, What, Office."]


def test_a_missing_column_is_named_with_its_titles(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no column 'tail'") as caught:
        list(read_tkg(_write(tmp_path, "head,relation,start,end\na,r,1,2\n", "kg.csv")))
    assert "In a header, tail may be called tail, object, obj," in str(caught.value)


def test_titles_that_are_not_known_are_told_from_a_bad_time(tmp_path: Path) -> None:
    text = "Wer;Was;Amt;Anfang;Schluss\na;r;b;1;2\n"
    (problem,) = _bad(_write(tmp_path, text, "kg.csv"))
    assert "If the line is a header, its names are not known: `header=True` takes columns by their place." in problem
    assert _bad(_write(tmp_path, text.replace("Anfang", "19x9"), "kg.csv")) == [
        "1: column 4 (start): '19x9' is not a year or an ISO date"
    ]


def test_semicolons_in_names_separate_nothing(tmp_path: Path) -> None:
    assert _facts(_write(tmp_path, "a;b;c;d,r,t,1,2\n", "kg.csv"))[0].head == "a;b;c;d"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_json_lines_hold_facts(tmp_path: Path, encoding: str) -> None:
    lines = (
        '{"head": "ä", "relation": "r", "tail": "b\\nc", "start": 1990, "end": "1991-02"}\n'
        '{"Subject": "a", "predicate": "r", "object": "b", "time": "1990", "other": [1]}\n'
    )
    assert _facts(_write(tmp_path, lines.encode(encoding), "facts.jsonl")) == [
        Fact("ä", "r", "b\nc", Moment(1990), Moment(1991, 2), 1),
        Fact("a", "r", "b", Moment(1990), Moment(1990), 2, has_end=False),
    ]


def test_other_keys_of_an_object_are_passed_over_with_a_warning(tmp_path: Path) -> None:
    line = '{"head": "Ada", "relation": "in", "tail": "Ulm", "start": "1900", "ende": "1910"}\n'
    warnings: list[str] = []
    assert len(list(read_tkg(_write(tmp_path, line, "facts.jsonl"), warnings=warnings))) == 1
    assert warnings[0].endswith("keys that are not part of a fact were passed over: ende.")
