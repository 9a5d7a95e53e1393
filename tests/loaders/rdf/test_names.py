from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.loaders.rdf import read_rdf
from cgstore.loaders.rdf.statements import local_name
from cgstore.loaders.readers.records import Statement

PREFIXES = """
@prefix : <http://e.org/> . @prefix x: <http://x.org/> . @prefix y: <http://y.org/n#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix schema: <http://schema.org/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
"""


def _read(folder: Path, text: str, **options: object) -> list[Statement]:
    path = folder / "kg.ttl"
    path.write_text(PREFIXES + text, encoding="utf-8")
    found = list(read_rdf([path], source="S", **options))  # type: ignore[arg-type]
    return [item for item in found if isinstance(item, Statement)]


def _names(folder: Path, text: str, **options: object) -> dict[str, str]:
    """The names by the IRIs, of nodes and predicates."""
    found = _read(folder, text, **options)
    return {iri: name for item in found for name, iri in zip(item[:3], item.iris, strict=True) if iri}


@pytest.mark.parametrize(
    "iri, name",
    [
        ("http://e.org/a/Ada_Lovelace", "Ada_Lovelace"),
        ("http://e.org/n#birthPlace", "birthPlace"),
        ("http://e.org/Erd%C5%91s", "Erdős"),
        ("http://e.org/%FF", "%FF"),
        ("http://e.org/a%0Ab", "a%0Ab"),
        ("http://e.org/", ""),
        ("http://e.org/n#", ""),
        ("urn:isbn:1", ""),
        ("http://e.org/%20", ""),
    ],
)
def test_the_local_name_is_the_readable_part(iri: str, name: str) -> None:
    assert local_name(iri) == name


def test_an_iri_without_a_readable_part_is_its_own_name(tmp_path: Path) -> None:
    assert {item.head for item in _read(tmp_path, "<urn:isbn:1> :p 1 . <http://e.org/> :p 1 .")} == {
        "urn:isbn:1",
        "http://e.org/",
    }


@pytest.mark.parametrize(
    "labels, name",
    [
        ('rdfs:label "L" ; skos:prefLabel "P"', "L"),
        ('schema:name "N" ; skos:prefLabel "P"', "P"),
        ('foaf:name "F" ; schema:name "N"', "N"),
        ('foaf:name "F"', "F"),
        ('rdfs:label "D"@de, "E"@en, "N"', "E"),
        ('rdfs:label "D"@de, "E"@en-GB, "N"', "E"),
        ('rdfs:label "D"@de, "N"', "N"),
        ('rdfs:label "F"@fr, "D"@de', "D"),
        ('rdfs:label "Bobby", "Bob", "Rob"', "Bob"),
        ('rdfs:label "  two\\n words "', "two words"),
        ('rdfs:label "  "', "Q1"),
        ("rdfs:label :other", "Q1"),
    ],
)
def test_the_label_is_the_name(tmp_path: Path, labels: str, name: str) -> None:
    assert _names(tmp_path, f":Q1 {labels} ; :p 1 .")["http://e.org/Q1"] == name


def test_another_language_can_be_wanted(tmp_path: Path) -> None:
    text = ':Q1 rdfs:label "E"@en, "D"@de, "N" .'
    assert _names(tmp_path, text, language="de")["http://e.org/Q1"] == "D"
    assert _names(tmp_path, text, language=None)["http://e.org/Q1"] == "N"


def test_labels_can_be_left_alone(tmp_path: Path) -> None:
    assert _names(tmp_path, ':Q1 rdfs:label "E"@en .', labels=False)["http://e.org/Q1"] == "Q1"


def test_label_statements_stay_statements(tmp_path: Path) -> None:
    found = _read(tmp_path, ':Q1 rdfs:label "Ada"@en .')
    assert [item[:3] for item in found] == [("Ada", "label", "Ada")]


def test_two_nodes_of_one_label_stay_two(tmp_path: Path) -> None:
    names = _names(tmp_path, ':Q1 rdfs:label "Paris" . :Q2 rdfs:label "Paris" .')
    assert (names["http://e.org/Q1"], names["http://e.org/Q2"]) == ("Paris (Q1)", "Paris (Q2)")


def test_two_nodes_of_one_label_and_local_name_are_told_apart_by_their_iris(tmp_path: Path) -> None:
    names = _names(tmp_path, ':Q1 rdfs:label "P" . x:Q1 rdfs:label "P" . :Q3 rdfs:label "P" .')
    assert names["http://e.org/Q1"] == "P (http://e.org/Q1)"
    assert names["http://x.org/Q1"] == "P (http://x.org/Q1)"
    assert names["http://e.org/Q3"] == "P (Q3)"


def test_an_ambiguous_local_name_gives_way_to_the_iri(tmp_path: Path) -> None:
    names = _names(tmp_path, ":a :p x:a, :b .")
    assert (names["http://e.org/a"], names["http://x.org/a"]) == ("http://e.org/a", "http://x.org/a")
    assert names["http://e.org/b"] == "b"


def test_a_label_and_a_local_name_that_agree_stay_two(tmp_path: Path) -> None:
    names = _names(tmp_path, ':Q1 rdfs:label "Paris" ; :p x:Paris .')
    assert (names["http://e.org/Q1"], names["http://x.org/Paris"]) == ("Paris (Q1)", "http://x.org/Paris")


def test_a_label_that_looks_like_a_longer_name_stays_apart(tmp_path: Path) -> None:
    text = ':Q1 rdfs:label "P" . :Q2 rdfs:label "P" . :Q3 rdfs:label "P (Q1)" . :Q4 rdfs:label "http://e.org/Q5" .'
    text += ' <http://e.org/Q5> :p x:Q5 . :Q6 rdfs:label "P (http://e.org/Q1)" .'
    names = _names(tmp_path, text)
    nodes = [names[f"http://e.org/Q{n}"] for n in range(1, 7)] + [names["http://x.org/Q5"]]
    assert len(set(nodes)) == 7


def test_predicates_have_labels_too(tmp_path: Path) -> None:
    names = _names(tmp_path, ':a :P31 :b . :P31 rdfs:label "instance of"@en .')
    assert names["http://e.org/P31"] == "instance of"


def test_predicates_of_one_name_stay_two(tmp_path: Path) -> None:
    assert {item.relation for item in _read(tmp_path, ":a x:p 1 ; y:p 2 ; :q 3 .")} == {
        "http://x.org/p",
        "http://y.org/n#p",
        "q",
    }


def test_nodes_and_predicates_do_not_clash(tmp_path: Path) -> None:
    assert _read(tmp_path, ":a x:capital y:capital .")[0][:3] == ("a", "capital", "capital")


def test_a_blank_node_with_a_label_shows_both(tmp_path: Path) -> None:
    assert _read(tmp_path, '[] rdfs:label "Ada" .')[0].head == "Ada (_:S/b1)"


def test_a_label_cannot_take_a_blank_nodes_name(tmp_path: Path) -> None:
    found = _read(tmp_path, '[] :p 1 . :Q1 rdfs:label "_:S/b1" .')
    assert {item.head for item in found} == {"_:S/b1", "_:S/b1 (Q1)"}


def test_many_nodes_that_share_labels_are_told_apart_in_time(tmp_path: Path) -> None:
    count = 20_000  # with a look at every other node for each of them, this would take minutes
    found = _read(tmp_path, "".join(f':Q{n} rdfs:label "L{n // 2}" .\n' for n in range(count)))
    assert [item.head for item in found] == [f"L{n // 2} (Q{n})" for n in range(count)]
