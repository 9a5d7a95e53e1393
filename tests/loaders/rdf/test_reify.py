from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.loaders.rdf import read_rdf
from cgstore.loaders.rdf.stage import NESTED, TRIPLE_NODE, UNASSERTED
from cgstore.loaders.readers.records import BadLine, Statement
from cgstore.model import Role

PREFIXES = "@prefix : <http://e.org/> .\n@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"
REIFIED = "rdf:type rdf:Statement ; rdf:subject :a ; rdf:predicate :p ; rdf:object :b"
IRI = "http://e.org/"
REIFIES = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies>"

Short = tuple[str, str, str, tuple[tuple[str, str], ...]]


def _read(folder: Path, text: str, name: str = "kg.ttl") -> tuple[list[Short], list[BadLine]]:
    path = folder / name
    path.write_text(text if name.endswith((".nt", ".rdf")) else PREFIXES + text, encoding="utf-8")
    found = list(read_rdf([path], source="S"))
    bad = [item for item in found if isinstance(item, BadLine)]
    return [item[:4] for item in found if isinstance(item, Statement)], bad


@pytest.mark.parametrize(
    "text",
    [
        ":a :p :b . << :a :p :b >> :q 1 .",
        "<< :a :p :b >> :q 1 . :a :p :b .",
        ":a :p :b {| :q 1 |} .",
        ":a :p :b ~ :r {| :q 1 |} .",
        ":a :p :b . << :a :p :b ~ :r >> :q 1 .",
        ":a :p :b . :r rdf:reifies <<( :a :p :b )>> ; :q 1 .",
        ":a :p :b ~ :r . :r :q 1 .",
        f"_:r {REIFIED} ; :q 1 . :a :p :b .",
        f"_:r {REIFIED} ; :q 1 .",
        f":r {REIFIED} ; :q 1 .",
    ],
)
def test_every_way_to_annotate_makes_qualifiers(tmp_path: Path, text: str) -> None:
    assert _read(tmp_path, text) == ([("a", "p", "b", (("q", "1"),))], [])


def test_ntriples_have_annotations_of_the_old_form_and_the_new(tmp_path: Path) -> None:
    triple = f"<{IRI}a> <{IRI}p> <{IRI}b>"
    new = f'{triple} .\n_:r {REIFIES} <<( {triple} )>> .\n_:r <{IRI}q> "1" .\n'
    assert _read(tmp_path, new, "kg.nt") == ([("a", "p", "b", (("q", "1"),))], [])
    assert _read(tmp_path, f'{triple} .\n<< {triple} >> <{IRI}q> "1" .\n', "kg.nt") == (
        [("a", "p", "b", (("q", "1"),))],
        [],
    )


def test_rdfxml_has_annotations_when_it_says_it_is_rdf_12(tmp_path: Path) -> None:
    text = f"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="{IRI}" rdf:version="1.2">
    <rdf:Description rdf:about="{IRI}a"><p rdf:annotation="{IRI}r" rdf:resource="{IRI}b"/></rdf:Description>
    <rdf:Description rdf:about="{IRI}r"><q>1</q></rdf:Description></rdf:RDF>"""
    assert _read(tmp_path, text, "kg.rdf") == ([("a", "p", "b", (("q", "1"),))], [])


def test_each_annotation_keeps_its_qualifiers_together(tmp_path: Path) -> None:
    found, _ = _read(tmp_path, ":a :p :b {| :from 1885 ; :to 1889 |} {| :from 1893 ; :to 1897 |} .")
    assert [qualifiers for *_, qualifiers in found] == [
        (("from", "1885"), ("to", "1889")),
        (("from", "1893"), ("to", "1897")),
    ]


@pytest.mark.parametrize(
    ("text", "qualifiers"),
    [
        (":g { :a :p :b {| :q 1 |} }", (("graph", "g"), ("q", "1"))),
        (f":g {{ _:r {REIFIED} ; :q 1 }}", (("graph", "g"), ("q", "1"))),
        (f":a :p :b . :g {{ _:r {REIFIED} ; :q 1 }}", (("q", "1"),)),
    ],
)
def test_an_annotation_comes_from_the_graph_of_its_triple_or_reification(
    tmp_path: Path, text: str, qualifiers: tuple[tuple[str, str], ...]
) -> None:
    assert _read(tmp_path, text, "kg.trig")[0] == [("a", "p", "b", qualifiers)]


def test_the_value_of_a_qualifier_goes_by_its_name(tmp_path: Path) -> None:
    text = ':a :p :b {| :q :Q1, [ :x 1 ] |} . :Q1 <http://www.w3.org/2000/01/rdf-schema#label> "One" .'
    found, _ = _read(tmp_path, text)
    qualifiers = next(qualifiers for *_, qualifiers in found if qualifiers)
    assert ("q", "One") in qualifiers and len(qualifiers) == 2
    blank = dict(q for q in qualifiers if q[1] != "One")["q"]
    assert (blank, "x", "1", ()) in found


def test_an_annotation_of_what_is_not_asserted_is_bad(tmp_path: Path) -> None:
    found, bad = _read(tmp_path, "<< :x :p :b >> :q 1 . :a :p :b .")
    assert found == [("_:S/b1", "q", "1", ()), ("a", "p", "b", ())]
    assert [line.problem for line in bad] == [UNASSERTED]
    assert f"<<( <{IRI}x> <{IRI}p> <{IRI}b> )>>" in bad[0].text


def test_an_annotation_in_two_graphs_of_what_is_not_asserted_is_taken_out_of_both(tmp_path: Path) -> None:
    link = "_:r rdf:reifies <<( :x :p :b )>>"
    found, bad = _read(tmp_path, f":a :p :b . :g {{ {link} }} :h {{ {link} }}", "kg.trig")
    assert (found, len(bad)) == ([("a", "p", "b", ())], 1)


@pytest.mark.parametrize("text", [":a :says <<( :x :y :z )>> ; :p :b .", ":a :p :b {| :q <<( :x :y :z )>> |} ."])
def test_a_triple_as_a_node_or_the_value_of_a_qualifier_is_bad(tmp_path: Path, text: str) -> None:
    found, bad = _read(tmp_path, text)
    assert (found, [line.problem for line in bad]) == ([("a", "p", "b", ())], [TRIPLE_NODE])


def test_an_annotated_triple_with_a_triple_in_it_is_bad(tmp_path: Path) -> None:
    found, bad = _read(tmp_path, ":a :says <<( :x :y :z )>> {| :q 1 |} .")
    assert [line.problem for line in bad] == [TRIPLE_NODE, UNASSERTED]
    assert found == [("_:S/b1", "q", "1", ())]


def test_a_qualifier_of_a_qualifier_is_bad(tmp_path: Path) -> None:
    found, bad = _read(tmp_path, ":a :p :b {| :q 1 {| :k 2 |} |} .")
    assert ("a", "p", "b", (("q", "1"),)) in found
    assert [line.problem for line in bad] == [NESTED]
    assert [statement[1:] for statement in found if statement[0] != "a"] == [("k", "2", ())]


def test_a_reification_of_a_qualifier_stays_as_it_is(tmp_path: Path) -> None:
    nested = "_:m rdf:type rdf:Statement ; rdf:subject _:r ; rdf:predicate :q ; rdf:object 1 ; :k 2"
    found, bad = _read(tmp_path, f"_:r {REIFIED} ; :q 1 . {nested} .")
    assert ("a", "p", "b", (("q", "1"),)) in found
    assert (len(found), bad) == (6, [])


@pytest.mark.parametrize(
    "text",
    [
        "_:r rdf:type rdf:Statement ; rdf:subject :a ; rdf:predicate :p ; :q 1 .",
        f"_:r {REIFIED}, :c ; :q 1 .",
        f"_:r {REIFIED} ; rdf:subject :c ; :q 1 .",
        "_:r rdf:subject :a ; rdf:predicate :p ; rdf:object :b ; :q 1 .",
        "_:r rdf:type rdf:Statement ; rdf:subject 'a' ; rdf:predicate :p ; rdf:object :b .",
        "_:r rdf:type rdf:Statement ; rdf:subject :a ; rdf:predicate _:p ; rdf:object :b .",
    ],
)
def test_an_incomplete_reification_stays_as_it_is(tmp_path: Path, text: str) -> None:
    found, bad = _read(tmp_path, text)
    assert {head for head, *_ in found} == {"_:S/b1"}
    assert not any(qualifiers for *_, qualifiers in found) and not bad


def test_the_object_of_a_reification_may_be_a_literal(tmp_path: Path) -> None:
    path = tmp_path / "kg.ttl"
    path.write_text(f"{PREFIXES}_:r {REIFIED.replace(':b', '1900')} ; :q 1 .")
    (found,) = read_rdf([path], source="S")
    assert isinstance(found, Statement)
    assert (found.tail, found.tail_role, found.iris[2]) == ("1900", Role.VALUE, "")
    assert found.datatype.endswith("#integer") and found.qualifiers == (("q", "1"),)


def test_what_points_at_a_reifier_stays_a_statement(tmp_path: Path) -> None:
    found, _ = _read(tmp_path, ":a :p :b ~ :r {| :q 1 |} . :c :mentions :r .")
    assert found == [("a", "p", "b", (("q", "1"),)), ("c", "mentions", "r", ())]
