"""Triples in a text file: their columns, what is no triple, and names that come out of their notation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cgstore.errors import BadInput
from cgstore.loaders.kg import Cleaner, CleanName, KgOptions, clean_name, read_kg, without_full_stop
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
        _read(_write(tmp_path, b"head\trelation\tzi\xe8l\na\tr\tb\n"))
    assert caught.value.message.isprintable()


@pytest.mark.parametrize("relation", ["rdfs:label", "schema:name", "<http://www.w3.org/2004/02/skos/core#prefLabel>"])
def test_names_one_step_from_their_nodes_are_told(tmp_path: Path, relation: str) -> None:
    warnings: list[str] = []
    _read(_write(tmp_path, f"ex:m1\tex:in\tex:CH\nex:m1\t{relation}\tMatterhorn\n"), warnings)
    (note,) = warnings
    assert f"names stand under '{relation}', such as 'Matterhorn' of 'ex:m1'" in note and "load aliases" in note
    _read(_write(tmp_path, "a\tname\tb\n"), others := list[str]())
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
        _read(_write(tmp_path, text, name))


def test_a_fourth_column_of_marks_is_passed_over_with_a_warning(tmp_path: Path) -> None:
    warnings: list[str] = []
    path = _write(tmp_path, "a\tr\tb\tP\nc\tr\td\t\ne\tr\tf\tSP\ng\tr\th\n")
    assert len(_triples(path, warnings=warnings)) == 4
    assert "column 4 was passed over" in warnings[0]


def test_columns_can_be_said(tmp_path: Path) -> None:
    path = _write(tmp_path, "1\ta\t\tb\tr\tx\n2\tc\t\td\tr\n")
    assert _triples(path, columns=(2, 5, 4)) == [("a", "r", "b"), ("c", "r", "d")]


# Names in a notation


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("<Athletic_Park_(Vancouver)>", CleanName("Athletic Park (Vancouver)")),
        ("<wasBornIn>", CleanName("wasBornIn")),
        ("<Star_Wars:_Episode_IV>", CleanName("Star Wars: Episode IV")),
        ("<http://ex.org/a#Born_In>", CleanName("Born_In", iri="http://ex.org/a#Born_In")),
        ("<http://ex.org/Z%C3%BCrich>", CleanName("Zürich", iri="http://ex.org/Z%C3%BCrich")),
        ("<http://ex.org/AC%2FDC>", CleanName("AC/DC", iri="http://ex.org/AC%2FDC")),
        ("<http://ex.org/100%>", CleanName("100%", iri="http://ex.org/100%")),
        ("<http://ex.org/a%FF>", CleanName("a%FF", iri="http://ex.org/a%FF")),
        ("<http://ex.org/a%00>", CleanName("a%00", iri="http://ex.org/a%00")),
        ("<http://ex.org/a/#>", CleanName("a", iri="http://ex.org/a/#")),
        ("<http://ex.org/>", CleanName("http://ex.org/", iri="http://ex.org/")),
        ("<urn:isbn:123>", CleanName("123", iri="urn:isbn:123")),
        ("<_>", CleanName("_")),
        ("<>", CleanName("")),
        ('"text"@en-GB', CleanName("text", literal=True, language="en-GB")),
        (f'"5"^^<{XSD}integer>', CleanName("5", literal=True, datatype=f"{XSD}integer")),
        ('"1954-##-##"^^xsd:date', CleanName("1954-##-##", literal=True, datatype="xsd:date")),
        ('"a \\"b\\" \\u00e9\\n\\\\"', CleanName('a "b" é\n\\', literal=True)),
        ('"A" and "B"', CleanName('"A" and "B"')),
        ('"', CleanName('"')),
        ("_:b1", CleanName("_:b1")),
        ("a < b > c", CleanName("a < b > c")),
        ("snake_case", CleanName("snake_case")),
    ],
)
def test_a_name_comes_out_of_its_notation(text: str, name: CleanName) -> None:
    assert clean_name(text)._replace(full="") == name


@pytest.mark.parametrize(
    ("text", "without"),
    [("<b> .", "<b>"), ("<b>.", "<b>"), ('"x"@en .', '"x"@en'), ("Inc .", "Inc ."), ('"x."', '"x."'), ("<b>", "<b>")],
)
def test_the_full_stop_of_n_triples_is_no_part_of_a_name(text: str, without: str) -> None:
    assert without_full_stop(text) == without


def test_names_are_cleaned_if_asked(tmp_path: Path) -> None:
    lines = f'<http://e.org/Ada_L>\t<http://e.org/p#bornIn>\t<London_(UK)> .\n<x>\t<y>\t"5"^^<{XSD}integer>\t.\n'
    first, second = _read(_write(tmp_path, lines), clean=True, columns=(1, 2, 3))
    iris = ("http://e.org/Ada_L", "http://e.org/p#bornIn", "")
    assert first == Statement("Ada_L", "bornIn", "London (UK)", iris=iris, line=1)
    assert second == Statement("x", "y", "5", tail_role=Role.VALUE, datatype=f"{XSD}integer", line=2)


def test_different_iris_of_one_name_are_kept_apart_across_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cgstore.loaders.kg.CACHED", 1)
    cleaner = Cleaner()
    heads = ["<http://a.org/Paris>", "<http://b.org/Paris>", "<http://a.org/Paris>", "Paris", "<A_b>", "<A b>"]
    files = [_write(tmp_path, f"{head}\t<http://c.org/Paris>\tb\n", f"{n}.tsv") for n, head in enumerate(heads)]
    names = [_triples(file, cleaner=cleaner) for file in files]
    assert [head for ((head, relation, _),) in names if relation == "Paris"] == [
        "Paris", "Paris (http://b.org/Paris)", "Paris", "Paris", "A b", "A b (A b)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("tail", "problem"),
    [('""', "empty"), ("<>", "empty"), ('"\\u0000"', "a NUL"), ('"\\ud800"', "a lone surrogate U+D800")],
)
def test_a_name_that_cleaning_leaves_unusable_is_a_bad_line(tmp_path: Path, tail: str, problem: str) -> None:
    assert _bad(_write(tmp_path, f"a\tr\t{tail}\n"), clean=True)[0].startswith(f"1: column 3 (tail): {problem}")
