"""Forms as SPARQL: what they give over facts that rdflib holds, and how names and values are written."""

from __future__ import annotations

import pytest

from cgstore.errors import BadInput
from cgstore.query.sexpr.read import read_sexpr
from cgstore.query.sparql.to_sparql import NoSparql, to_sparql
from cgstore.query.sparql.vocabulary import Vocabulary
from tests.query.sparql.rdf_facts import answers, graph_of

FACTS = [
    ("Ada", "wrote", "Storm"),
    ("Bob", "wrote", "Storm"),
    ("Bob", "wrote", "Calm sea"),
    ("Storm", "year", "1999"),
    ("Calm sea", "year", "2004"),
    ("Storm", "shown", "1999-05-03"),
    ("Calm sea", "shown", "2004-07-02"),
    ("Storm", "rating", "25"),
    ("Calm sea", "rating", "25.0"),
    ("Storm", "set in", "0900-05-03"),
    ("Calm sea", "set in", "0732-10-10"),
    ("Ada", "job", "m.1"),
    ("Bob", "job", "m.2"),
    ("m.1", "job.from", "1990-01-01"),
    ("m.1", "job.to", "1995-06-30"),
    ("m.1", "job.title", "editor"),
    ("m.2", "job.title", 'an "odd" \\ one\n?x }'),
    ("Storm", "type.object.type", "film.film"),
]

CASES = {
    "(JOIN wrote Storm)": {"Ada", "Bob"},
    "(JOIN (R wrote) Bob)": {"Storm", "Calm sea"},
    '(JOIN wrote "Calm sea")': {"Bob"},
    "(JOIN year 1999)": {"Storm"},
    "(JOIN shown 1999)": {"Storm"},
    "(JOIN shown 1999-05)": {"Storm"},
    "(JOIN shown 1999-06)": set(),
    '(JOIN year "1999"^^xsd:integer)': {"Storm"},
    '(JOIN shown "1999-05-03T00:00:00"^^xsd:dateTime)': {"Storm"},
    "(JOIN rating 25)": {"Storm", "Calm sea"},
    "(JOIN rating 25.00)": {"Storm", "Calm sea"},
    '(JOIN rating "25"^^xsd:float)': {"Storm", "Calm sea"},
    '(JOIN rating "25"^^xsd:string)': {"Storm"},
    "(GT shown 1999)": {"Calm sea"},
    "(GE shown 1999)": {"Storm", "Calm sea"},
    '(LT "set in" 0900-01-01)': {"Calm sea"},
    '(GT "set in" 0800)': {"Storm"},
    '(JOIN "set in" 0732-10)': {"Calm sea"},
    "(LE shown 1999-05-03)": {"Storm"},
    "(LT year 2004.5)": {"Storm", "Calm sea"},
    "(LE (JOIN wrote year) 2003)": {"Ada", "Bob"},
    "(AND (JOIN wrote Storm) (JOIN wrote \"Calm sea\"))": {"Bob"},
    "(OR (JOIN year 1999) (JOIN year 2004))": {"Storm", "Calm sea"},
    "(DIFF (JOIN wrote Storm) Ada)": {"Bob"},
    "(AND (JOIN wrote (JOIN (R wrote) Ada)) (DIFF Ada Bob))": {"Ada"},
    "(DIFF (JOIN wrote Storm) (JOIN wrote \"Calm sea\"))": {"Ada"},
    "(AND film.film (JOIN (R wrote) Bob))": {"Storm"},
    "(COUNT (JOIN wrote Storm))": {"2"},
    "(COUNT (JOIN wrote nothing))": {"0"},
    "(ARGMAX (JOIN (R wrote) Bob) year)": {"Calm sea"},
    "(ARGMIN (JOIN (R wrote) Bob) shown)": {"Storm"},
    "(ARGMIN (JOIN wrote Storm) (JOIN wrote year))": {"Ada", "Bob"},
    "(JOIN (R wrote) (ARGMAX (JOIN wrote Storm) (JOIN wrote year)))": {"Storm", "Calm sea"},
    "(JOIN job (TC (JOIN job.title editor) job.from 1995))": {"Ada"},
    "(JOIN job (TC (JOIN job.title editor) job.from 1996))": set(),
    "(TC (JOIN (R job) Bob) job.from 1996)": {"m.2"},
    "Ada": {"Ada"},
}  # fmt: skip


@pytest.mark.parametrize("sexpr", CASES)
def test_the_query_gives_the_elements_of_the_form(sexpr: str) -> None:
    assert answers(graph_of(FACTS), read_sexpr(sexpr)) == CASES[sexpr]


@pytest.mark.parametrize("name", ['an "odd" \\ one\n?x }', "<a> > {b}", "a'b", "naïve 電", "ns:x", "a.", "%41"])
def test_a_name_never_becomes_a_part_of_the_query(name: str) -> None:
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    graph = graph_of([("Ada", "likes", name), ("Ada", name, "Bob"), ("Bob", "likes", "Ada")])
    assert answers(graph, read_sexpr(f'(JOIN likes "{quoted}")')) == {"Ada"}
    assert answers(graph, read_sexpr(f'(JOIN (R "{quoted}") Ada)')) == {"Bob"}
    assert answers(graph, read_sexpr(f'(JOIN likes "{quoted}"^^xsd:string)')) == set()


def test_the_published_names_have_the_prefix_of_freebase() -> None:
    assert to_sparql(read_sexpr('(JOIN people.person.parents (DIFF (JOIN r "Tom Hanks") m.02mjmr))')) == (
        "PREFIX ns: <http://rdf.freebase.com/ns/>\n"
        "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
        "SELECT DISTINCT ?x\n"
        "WHERE {\n"
        "  ?v1 ns:r <http://rdf.freebase.com/ns/Tom%20Hanks> .\n"
        "  FILTER(?v1 != ns:m.02mjmr)\n"
        "  ?x ns:people.person.parents ?v1 .\n"
        "}\n"
    )


def test_a_base_replaces_that_of_freebase() -> None:
    text = to_sparql(read_sexpr("(JOIN r http://example.org/a)"), Vocabulary("http://mine.org/"))
    assert "PREFIX ns: <http://mine.org/>" in text
    assert "?x ns:r <http://example.org/a> ." in text


@pytest.mark.parametrize("base", ["", "mine", "http://a b/", "http://a>/"])
def test_a_base_is_an_absolute_iri(base: str) -> None:
    with pytest.raises(BadInput, match="not an absolute IRI"):
        Vocabulary(base)


@pytest.mark.parametrize(
    ("sexpr", "problem"),
    [
        ("(TC (JOIN r x) time 1990)", "speaks of facts"),
        ("(LT r tall)", "'tall' is not a number"),
        ("(LT r -0044-03-15)", "from year 0001 to 9999"),
        ("(LT r 900-01-01)", "'900-01-01' is not a number"),
    ],
)
def test_what_has_no_counterpart_is_named(sexpr: str, problem: str) -> None:
    with pytest.raises(NoSparql, match=problem):
        to_sparql(read_sexpr(sexpr))
