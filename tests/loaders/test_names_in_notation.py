from __future__ import annotations

import pytest

from cgstore.loaders.kg import Cleaner, CleanName, clean_name, without_full_stop

XSD = "http://www.w3.org/2001/XMLSchema#"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("<Athletic_Park_(Vancouver)>", "Athletic Park (Vancouver)"),
        ("<wasBornIn>", "wasBornIn"),
        ("<Star_Wars:_Episode_IV>", "Star Wars: Episode IV"),
        ("<http://ex.org/a#Born_In>", "Born_In"),
        ("<http://www.wikidata.org/entity/Q42>", "Q42"),
        ("<http://ex.org/Z%C3%BCrich>", "Zürich"),
        ("<http://ex.org/AC%2FDC>", "AC/DC"),
        ("<http://ex.org/100%>", "100%"),
        ("<http://ex.org/a%FF>", "a%FF"),
        ("<http://ex.org/a%00>", "a%00"),
        ("<http://ex.org/a/#>", "a"),
        ("<http://ex.org/>", "http://ex.org/"),
        ("<urn:isbn:123>", "123"),
        ("<_>", "_"),
        ("<>", ""),
        ('"text"@en-GB', "text"),
        (f'"5"^^<{XSD}integer>', "5"),
        ('"a \\"b\\" \\u00e9\\n\\\\"', 'a "b" é\n\\'),
        ('"A" and "B"', '"A" and "B"'),
        ('"', '"'),
        ("_:b1", "_:b1"),
        ("a < b > c", "a < b > c"),
        ("snake_case", "snake_case"),
    ],
)
def test_a_name_comes_out_of_its_notation(text: str, name: str) -> None:
    assert clean_name(text).name == name


def test_a_literal_keeps_its_datatype_and_language() -> None:
    assert clean_name('"text"@en') == CleanName("text", literal=True, language="en")
    assert clean_name(f'"5"^^<{XSD}integer>') == CleanName("5", literal=True, datatype=f"{XSD}integer")
    assert clean_name('"1954-##-##"^^xsd:date').datatype == "xsd:date"


def test_an_iri_is_kept_beside_its_name() -> None:
    assert clean_name("<http://ex.org/a>").iri == "http://ex.org/a"
    assert clean_name("<A_b>").iri == ""


@pytest.mark.parametrize(
    ("text", "without"),
    [("<b> .", "<b>"), ("<b>.", "<b>"), ('"x"@en .', '"x"@en'), ("Inc .", "Inc ."), ('"x."', '"x."'), ("<b>", "<b>")],
)
def test_the_full_stop_of_n_triples_is_no_part_of_a_name(text: str, without: str) -> None:
    assert without_full_stop(text) == without


def test_different_iris_of_one_name_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cgstore.loaders.kg.CACHED", 1)
    cleaner = Cleaner()
    iris = ["<http://a.org/Paris>", "<http://b.org/Paris>", "<http://a.org/Paris>", "<http://b.org/Paris>", "Paris"]
    names = [cleaner.clean(iri).name for iri in iris]
    assert names == ["Paris", "Paris (http://b.org/Paris)", "Paris", "Paris (http://b.org/Paris)", "Paris"]
    assert cleaner.clean("<http://c.org/Paris>", relation=True).name == "Paris"
    assert [cleaner.clean(name).name for name in ("<A_b>", "<A b>")] == ["A b", "A b (A b)"]
