from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.loaders.rdf import read_rdf
from cgstore.loaders.readers.records import Statement

E, X, Y = "http://e.org/", "http://x.org/", "http://y.org/n#"
PREFIXES = f"""
@prefix : <{E}> . @prefix x: <{X}> . @prefix y: <{Y}> .
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
        ("http://e.org/", "http://e.org/"),
        ("http://e.org/n#", "http://e.org/n#"),
        ("urn:isbn:1", "urn:isbn:1"),
        ("http://e.org/%20", "http://e.org/%20"),
    ],
)
def test_the_local_name_is_the_readable_part_or_the_iri(tmp_path: Path, iri: str, name: str) -> None:
    assert _names(tmp_path, f"<{iri}> :p 1 .")[iri] == name


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
    assert _names(tmp_path, f":Q1 {labels} ; :p 1 .")[f"{E}Q1"] == name


@pytest.mark.parametrize(
    "options, name", [({"language": "de"}, "D"), ({"language": None}, "N"), ({"labels": False}, "Q1")]
)
def test_another_language_or_no_label_can_be_wanted(tmp_path: Path, options: dict[str, object], name: str) -> None:
    assert _names(tmp_path, ':Q1 rdfs:label "E"@en, "D"@de, "N" .', **options)[f"{E}Q1"] == name


def test_label_statements_stay_statements(tmp_path: Path) -> None:
    found = _read(tmp_path, ':Q1 rdfs:label "Ada"@en .')
    assert [item[:3] for item in found] == [("Ada", "label", "Ada")]


@pytest.mark.parametrize(
    "text, names",
    [
        (':Q1 rdfs:label "P" . :Q2 rdfs:label "P" .', {f"{E}Q1": "P (Q1)", f"{E}Q2": "P (Q2)"}),
        (
            ':Q1 rdfs:label "P" . x:Q1 rdfs:label "P" . :Q3 rdfs:label "P" .',
            {f"{E}Q1": f"P ({E}Q1)", f"{X}Q1": f"P ({X}Q1)", f"{E}Q3": "P (Q3)"},
        ),
        (":a :p x:a, :b .", {f"{E}a": f"{E}a", f"{X}a": f"{X}a", f"{E}b": "b"}),
        (':Q1 rdfs:label "Paris" ; :p x:Paris .', {f"{E}Q1": "Paris (Q1)", f"{X}Paris": f"{X}Paris"}),
        (':a :P31 :b . :P31 rdfs:label "instance of"@en .', {f"{E}P31": "instance of"}),
        (":a x:p 1 ; y:p 2 ; :q 3 .", {f"{X}p": f"{X}p", f"{Y}p": f"{Y}p", f"{E}q": "q"}),
        (":a x:capital y:capital .", {f"{X}capital": "capital", f"{Y}capital": "capital"}),
    ],
    ids=["labels", "labels and local names", "local names", "label and local name", "label of a predicate",
         "predicates", "a predicate and a node"],
)  # fmt: skip
def test_nodes_of_one_name_stay_two_and_so_do_predicates(tmp_path: Path, text: str, names: dict[str, str]) -> None:
    found = _names(tmp_path, text)
    assert {iri: found[iri] for iri in names} == names


def test_a_label_that_looks_like_a_longer_name_stays_apart(tmp_path: Path) -> None:
    text = ':Q1 rdfs:label "P" . :Q2 rdfs:label "P" . :Q3 rdfs:label "P (Q1)" . :Q4 rdfs:label "http://e.org/Q5" .'
    text += ' <http://e.org/Q5> :p x:Q5 . :Q6 rdfs:label "P (http://e.org/Q1)" .'
    names = _names(tmp_path, text)
    nodes = [names[f"http://e.org/Q{n}"] for n in range(1, 7)] + [names["http://x.org/Q5"]]
    assert len(set(nodes)) == 7


def test_the_name_of_a_blank_node_is_its_own(tmp_path: Path) -> None:
    assert _read(tmp_path, '[] rdfs:label "Ada" .')[0].head == "Ada (_:S/b1)"
    found = _read(tmp_path, '[] :p 1 . :Q1 rdfs:label "_:S/b1" .')
    assert {item.head for item in found} == {"_:S/b1", "_:S/b1 (Q1)"}


def test_many_nodes_that_share_labels_are_told_apart_in_time(tmp_path: Path) -> None:
    count = 20_000  # with a look at every other node for each of them, this would take minutes
    found = _read(tmp_path, "".join(f':Q{n} rdfs:label "L{n // 2}" .\n' for n in range(count)))
    assert [item.head for item in found] == [f"L{n // 2} (Q{n})" for n in range(count)]
