from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cgstore.errors import BadInput
from cgstore.loaders.kg import Cleaner, KgOptions, read_kg
from cgstore.loaders.readers.records import BadLine, Statement
from cgstore.model import Role

XSD = "http://www.w3.org/2001/XMLSchema#"


def _write(folder: Path, text: str | bytes, name: str = "kg.tsv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def _read(path: Path, warnings: list[str] | None = None, cleaner: Cleaner | None = None, **options: Any) -> list[Any]:
    return list(read_kg(path, KgOptions(**options), warnings, cleaner))


def _triples(path: Path, **options: Any) -> list[tuple[str, str, str]]:
    items = _read(path, **options)
    assert not [item for item in items if isinstance(item, BadLine)]
    return [item[:3] for item in items if isinstance(item, Statement)]


def _bad(path: Path, **options: Any) -> list[str]:
    return [str(item) for item in _read(path, **options) if isinstance(item, BadLine)]


def test_a_header_in_a_wrong_encoding_is_refused_in_plain_text(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no column 'tail'") as caught:
        list(read_kg(_write(tmp_path, b"head\trelation\tzi\xe8l\na\tr\tb\n")))
    assert caught.value.message.isprintable()


@pytest.mark.parametrize("relation", ["rdfs:label", "schema:name", "<http://www.w3.org/2004/02/skos/core#prefLabel>"])
def test_names_one_step_from_their_nodes_are_told(tmp_path: Path, relation: str) -> None:
    warnings: list[str] = []
    list(read_kg(_write(tmp_path, f"ex:m1\tex:in\tex:CH\nex:m1\t{relation}\tMatterhorn\n"), warnings=warnings))
    (note,) = warnings
    assert f"names stand under '{relation}', such as 'Matterhorn' of 'ex:m1'" in note and "load aliases" in note
    list(read_kg(_write(tmp_path, "a\tname\tb\n"), warnings=(others := list[str]())))
    assert others == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("kg.ttl", "@prefix ex: <http://ex.org/> .\nex:a ex:b ex:c .\n"),
        ("kg.txt", "PREFIX ex: <http://ex.org/>\nex:a ex:b ex:c .\n"),
        ("kg.ttl", "# Mountains\n@prefix ex: <http://ex.org/> .\n"),
        ("kg.rdf", '<?xml version="1.0"?>\n'),
    ],
)
def test_rdf_is_refused_with_the_command_that_loads_it(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(BadInput, match="cgstore load rdf FILE"):
        list(read_kg(_write(tmp_path, text, name)))


def test_a_comma_that_is_not_quoted_is_a_bad_line(tmp_path: Path) -> None:
    assert _bad(_write(tmp_path, "Bob,born in,Springfield,IL\nBob,knows,Eve\n", "kg.csv")) == [
        "1: column 4: 4 columns where 3 are expected (`columns=[1, 2, 3]` passes over the others)"
    ]


def test_a_fourth_column_of_marks_is_passed_over_with_a_warning(tmp_path: Path) -> None:
    warnings: list[str] = []
    path = _write(tmp_path, "a\tr\tb\tP\nc\tr\td\t\ne\tr\tf\tSP\ng\tr\th\n")
    assert len(_triples(path, warnings=warnings)) == 4
    assert "column 4 was passed over" in warnings[0]
    path = _write(tmp_path, "a\tr\tb\tP\nc\tr\td\t1999\n")
    assert [bad[:25] for bad in _bad(path)] == ["2: column 4: 4 columns wh"]


def test_columns_can_be_said(tmp_path: Path) -> None:
    path = _write(tmp_path, "1\ta\t\tb\tr\tx\n2\tc\t\td\tr\n")
    assert _triples(path, columns=(2, 5, 4)) == [("a", "r", "b"), ("c", "r", "d")]
    with pytest.raises(BadInput, match="no column 7"):
        _read(path, columns=(1, 2, 7))
    with pytest.raises(BadInput, match="'1,1,2' does not say"):
        _read(path, columns=(1, 1, 2))


def test_names_are_cleaned_if_asked(tmp_path: Path) -> None:
    lines = f'<http://e.org/Ada_L>\t<http://e.org/p#bornIn>\t<London_(UK)> .\n<x>\t<y>\t"5"^^<{XSD}integer>\t.\n'
    first, second = _read(_write(tmp_path, lines + ""), clean=True, columns=(1, 2, 3))
    iris = ("http://e.org/Ada_L", "http://e.org/p#bornIn", "")
    assert first == Statement("Ada_L", "bornIn", "London (UK)", iris=iris, line=1)
    assert second == Statement("x", "y", "5", tail_role=Role.VALUE, datatype=f"{XSD}integer", line=2)


def test_names_that_are_equal_once_cleaned_are_kept_apart_across_files(tmp_path: Path) -> None:
    cleaner = Cleaner()
    one, two = (_write(tmp_path, f"<http://{host}.org/Paris>\tr\tb\n", f"{host}.tsv") for host in "ab")
    assert _triples(one, cleaner=cleaner)[0][0] == "Paris"
    assert _triples(two, cleaner=cleaner)[0][0] == "Paris (http://b.org/Paris)"


@pytest.mark.parametrize(
    ("tail", "problem"),
    [('""', "empty"), ("<>", "empty"), ('"\\u0000"', "a NUL"), ('"\\ud800"', "a lone surrogate U+D800")],
)
def test_a_name_that_cleaning_leaves_unusable_is_a_bad_line(tmp_path: Path, tail: str, problem: str) -> None:
    assert _bad(_write(tmp_path, f"a\tr\t{tail}\n"), clean=True)[0].startswith(f"1: column 3 (tail): {problem}")
