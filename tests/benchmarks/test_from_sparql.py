"""SPARQL as forms: what is covered, and the class of what is not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from benchmarks.sparql.algebra import NotConverted
from benchmarks.sparql.from_sparql import from_sparql
from cgstore.errors import BadInput
from cgstore.query.sexpr.forms import Form
from cgstore.query.sexpr.read import read_sexpr
from cgstore.query.sexpr.write import sexpr_text
from cgstore.query.sparql.to_sparql import to_sparql
from tests.query.sparql.drawn_forms import forms
from tests.query.sparql.rdf_facts import answers, graph_of, run
from tests.query.sparql.test_sparql_oracle import written

PREFIX = "PREFIX ns: <http://rdf.freebase.com/ns/>\nSELECT DISTINCT ?x\nWHERE {\n"
LANGUAGE = "FILTER (!isLiteral(?x) OR lang(?x) = '' OR langMatches(lang(?x), 'en'))\n"


def times(variable: str, first: str, last: str) -> str:
    """The conditions on a time as WebQSP has them."""
    return (
        f"FILTER(NOT EXISTS {{{variable} ns:a.from ?sk0}} || EXISTS {{{variable} ns:a.from ?sk1 . "
        f'FILTER(xsd:datetime(?sk1) <= "{last}"^^xsd:dateTime) }})\n'
        f"FILTER(NOT EXISTS {{{variable} ns:a.to ?sk2}} || EXISTS {{{variable} ns:a.to ?sk3 . "
        f'FILTER(xsd:datetime(?sk3) >= "{first}"^^xsd:dateTime) }})\n'
    )


COVERED = {
    LANGUAGE + "FILTER (?x != ns:m.1)\nns:m.1 ns:r ?x . }": "(DIFF (JOIN (R r) m.1) m.1)",
    "?x ns:r ?y . ns:m.1 ns:s ?y . ?y ns:t ns:m.2 }": "(JOIN r (AND (JOIN t m.2) (JOIN (R s) m.1)))",
    '?x ns:r ?y . FILTER (str(?y) = "State OR not") }': '(JOIN r "State OR not"^^xsd:string)',
    "?x ns:r ?y . ?y ns:n ?z . FILTER (5 > ?z) }": "(JOIN r (LT n 5))",
    '?x ns:r "1961"^^xsd:dateTime }': '(JOIN r "1961"^^xsd:dateTime)',
    "?x ns:r 1961 }": "(JOIN r 1961)",
    "ns:m.1 ns:r ?x . " + times("?x", "1999-01-01", "1999-12-31") + "}": "(TC (JOIN (R r) m.1) a.from 1999)",
    "ns:m.1 ns:r ?x . " + times("?x", "1999-02-01", "1999-02-28") + "}": "(TC (JOIN (R r) m.1) a.from 1999-02)",
    "ns:m.1 ns:r ?x . " + times("?x", "1999-02-03", "1999-02-03") + "}": "(TC (JOIN (R r) m.1) a.from 1999-02-03)",
    "ns:m.1 ns:r ?x . " + times("?x", "1999-01-01", "2001-12-31") + "}": (
        "(DIFF (DIFF (JOIN (R r) m.1) (DIFF (GT a.from 2001-12-31) (LE a.from 2001-12-31))) "
        "(DIFF (LT a.to 1999-01-01) (GE a.to 1999-01-01)))"
    ),
    "ns:m.1 ns:r ?x . ?x ns:s ?n . } ORDER BY DESC(xsd:float(?n)) LIMIT 1": "(ARGMAX (JOIN (R r) m.1) s)",
    "ns:m.1 ns:r ?x . ?x ns:s ?c . ?c ns:t ?n . } ORDER BY ?n LIMIT 1": "(ARGMIN (JOIN (R r) m.1) (JOIN s t))",
    "ns:m.1 ns:r ?y . ?y ns:s ?x . ?y ns:t ?n . ?x ns:u ns:m.2 } ORDER BY ?n LIMIT 1": (
        "(AND (JOIN (R s) (ARGMIN (AND (JOIN (R r) m.1) (JOIN s (JOIN u m.2))) t)) (JOIN u m.2))"
    ),
    "{ ns:m.1 ns:r ?x } UNION { ns:m.1 ns:s ?y . ?y ns:t ?x } ?x ns:u ns:m.2 }": (
        "(AND (JOIN u m.2) (OR (JOIN (R r) m.1) (JOIN (R t) (JOIN (R s) m.1))))"
    ),
    "ns:m.1 ns:r ?x MINUS { ?x ns:s ns:m.2 } }": "(DIFF (JOIN (R r) m.1) (JOIN s m.2))",
    "ns:m.1 ns:r ?x FILTER NOT EXISTS { ?x ns:s ns:m.2 } }": "(DIFF (JOIN (R r) m.1) (JOIN s m.2))",
}  # fmt: skip


@pytest.mark.parametrize("pattern", COVERED)
def test_trees_of_patterns_become_forms(pattern: str) -> None:
    converted = from_sparql(PREFIX + pattern)
    assert sexpr_text(converted.form) == COVERED[pattern]
    assert not converted.notes


def test_a_count_of_distinct_values_becomes_count() -> None:
    query = "PREFIX ns: <http://rdf.freebase.com/ns/> SELECT (COUNT(DISTINCT ?y) AS ?n) WHERE { ns:m.1 ns:r ?y }"
    assert sexpr_text(from_sparql(query).form) == "(COUNT (JOIN (R r) m.1))"


@pytest.mark.parametrize(
    ("pattern", "sexpr", "note"),
    [
        ("?c ns:r ns:m.1 . ?c ns:s ?x FILTER (?x != ?c) }", "(JOIN (R s) (JOIN r m.1))", "is left out"),
        (
            "?c ns:r ns:m.1 . ?c ns:s ?y . ?y ns:t ?x FILTER (?x != ?c) }",
            "(DIFF (JOIN (R t) (JOIN (R s) (JOIN r m.1))) (JOIN r m.1))",
            "takes away every",
        ),
        (
            "ns:m.1 ns:r ?y . ?y ns:s ?x . ?y ns:t ?n } ORDER BY ?n LIMIT 1",
            "(JOIN (R s) (ARGMIN (JOIN (R r) m.1) t))",
            "leads to no answer",
        ),
    ],
)
def test_a_note_says_where_the_answer_may_differ(pattern: str, sexpr: str, note: str) -> None:
    converted = from_sparql(PREFIX + pattern)
    assert sexpr_text(converted.form) == sexpr
    assert [note in each for each in converted.notes] == [True]


NOT_COVERED = {
    "?x ns:r ?y . ?y ns:s ?x . ?x ns:t ns:m.1 }": "cycle",
    "?x ns:r ?y . ns:m.1 ns:s ?x }": "any value",
    "ns:m.1 ns:r ?x . ns:m.2 ns:s ?y }": "not connected",
    "ns:m.1 ns:r ?x . FILTER (?z != ns:m.2) }": "not connected",
    "ns:m.1 ns:r ?x . FILTER (?x != ?z) }": "not connected",
    "ns:m.1 ns:r ?x . FILTER(NOT EXISTS { ?x ns:a ?b } || EXISTS { ?x ns:a ?c FILTER(?c < 5 && ?c != 3) }) }": (
        "other condition"
    ),
    "ns:m.1 ns:r ?x . ns:m.2 ns:s ns:m.3 }": "fact",
    "ns:m.1 ?r ?x }": "variable relation",
    "VALUES ?x { UNDEF } }": "VALUES",
    "ns:m.1 ns:r/ns:s ?x }": "property path",
    "ns:m.1 ns:r ?x OPTIONAL { ?x ns:s ns:m.2 } }": "OPTIONAL",
    "ns:m.1 ns:r ?x . ns:m.1 ns:s ?y FILTER (?x > ?y) }": "two variables",
    "ns:m.1 ns:r ?x . ?x ns:s ?y FILTER (?y - 1 > 2) }": "arithmetic",
    "ns:m.1 ns:r ?x FILTER (?x = ns:a || ?x = ns:b) }": "alternative conditions",
    "ns:m.1 ns:r ?x FILTER regex(?x, 'a') }": "other condition",
    "ns:m.1 ns:r ?x FILTER (?x > 5) }": "compared node",
    "ns:m.1 ns:r ?x } ORDER BY ?x LIMIT 1": "order of answers",
    "ns:m.1 ns:r ?x . ?x ns:s ?n } ORDER BY ?n LIMIT 1 OFFSET 1": "OFFSET",
    "ns:m.1 ns:r ?x . ?x ns:s ?n } ORDER BY ?n LIMIT 3": "LIMIT n",
    "ns:m.1 ns:r ?x } LIMIT 1": "LIMIT without ORDER BY",
    "{ SELECT ?x { ns:m.1 ns:r ?x } LIMIT 3 } ?x ns:s ns:m.2 }": "sub-query",
}


@pytest.mark.parametrize("pattern", NOT_COVERED)
def test_what_is_not_covered_has_a_class(pattern: str) -> None:
    with pytest.raises(NotConverted) as raised:
        from_sparql(PREFIX + pattern)
    assert raised.value.kind == NOT_COVERED[pattern], raised.value


@pytest.mark.parametrize("text", ["", "SELECT", "x" * 200_000, "SELECT ?x WHERE { ?x a:b ?y }", "\x00"])
def test_what_is_not_sparql_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput):
        from_sparql(text)


HINTS = {
    "ns:m.1 ns:r ?x FILTER regex(?x, 'a') }": ("FILTER with REGEX", "Write the name itself"),
    "ns:m.1 ns:r ?x FILTER (?x IN (ns:a, ns:b)) }": ("FILTER with IN", "Write VALUES"),
    "ns:m.1 ns:r ?x FILTER EXISTS { ?x ns:r ?y } }": ("FILTER with EXISTS", "without EXISTS"),
    "ns:m.1 ns:r ?x FILTER (?x = ns:a || ?x = ns:b) }": ("||", "UNION"),
    "ns:m.1 ns:r ?x . ?x ns:s ?y BIND(?y + 1 AS ?z) }": ("BIND(... AS ?z)", "Leave it out"),
    "ns:m.1 ns:r ?x OPTIONAL { ?x ns:s ?y } }": ("OPTIONAL", "Leave it out"),
    "GRAPH ns:g { ns:m.1 ns:r ?x } }": ("GRAPH", "without GRAPH"),
    "ns:m.1 ns:r ?x } GROUP BY ?x": ("GROUP BY", ""),
    "ns:m.1 ns:r ?x . ?x ns:s ?n } ORDER BY ?n ?x LIMIT 1": ("ORDER BY several", "Order by one"),
    "{ SELECT (MAX(?n) AS ?m) { ?y ns:s ?n } } ns:m.1 ns:r ?x }": ("No FILTER(?v = ?m)", ""),
    "{ SELECT (MAX(?n) AS ?m) { ns:m.2 ns:r ?y . ?y ns:s ?n } } ns:m.1 ns:r ?x . ?x ns:s ?v FILTER(?v = ?m) }": (
        "MAX is taken of another set",
        "Repeat all patterns",
    ),
    "{ SELECT (MAX(?n) AS ?m) { ns:m.1 ns:r ?y . ?y ns:s ?n FILTER(?n < 5) } } "
    "ns:m.1 ns:r ?x . ?x ns:s ?v FILTER(?v = ?m) }": ("?n gives the order and has other conditions", ""),
    "{ SELECT (MAX(?n) AS ?m) { ns:m.1 ns:r ?y . ?y ns:s ?z . ?z ns:t ?n . ?z ns:u ns:m.3 } } "
    "ns:m.1 ns:r ?x . ?x ns:s ?w . ?w ns:t ?v FILTER(?v = ?m) }": ("by another path", ""),
    "{ SELECT (MAX(?k) AS ?m) { ns:m.1 ns:r ?y . ?y ns:s ?n BIND(STR(?n) AS ?k) } } "
    "ns:m.1 ns:r ?x . ?x ns:s ?v FILTER(?v = ?m) }": ("BIND(... AS ?k) computes a value", ""),
    "ns:m.1 ns:r ?x FILTER isNumeric(?x) }": ("?x is a number or a time", ""),
}


@pytest.mark.parametrize("pattern", HINTS)
def test_an_error_speaks_of_sparql_and_says_what_to_do(pattern: str) -> None:
    with pytest.raises(NotConverted) as raised:
        from_sparql(PREFIX + pattern)
    word, hint = HINTS[pattern]
    assert word in raised.value.message
    assert hint in (raised.value.hint or "")


WRITTEN = (
    *("(JOIN r m.1)", "(DIFF (JOIN (R r) m.1) m.2)", "(OR (JOIN r m.1) (JOIN s m.2))", "(COUNT (JOIN r (JOIN s m.1)))"),
    *("m.1", '(JOIN r "a b"^^xsd:string)', "(JOIN r (COUNT (JOIN s m.1)))", "(DIFF (JOIN r m.1) 5)"),
    *("(JOIN r 25)", "(JOIN r -2.5)", "(JOIN r 1999)", "(JOIN r 1999-05)", "(JOIN r 1999-05-31)"),
    *(f"({function} r {value})" for function in ("LT", "LE", "GT", "GE") for value in ("-7", "1999", "1999-05-03")),
    *(f"(TC (JOIN r m.1) job.from {time})" for time in ("1999", "1999-05", "1999-05-01", "1999-12-31")),
    *("(ARGMAX (JOIN r m.1) s)", "(ARGMIN (JOIN r (JOIN s m.1)) (JOIN t u))", "(ARGMAX (OR m.1 m.2) s)"),
    "(JOIN (R r) (ARGMAX (JOIN s (ARGMIN (JOIN t m.1) u)) v))",
    "(ARGMAX (ARGMIN (JOIN r m.1) s) s)",
    "(ARGMAX (DIFF (TC (JOIN r m.1) job.from 1999) (JOIN s m.2)) t)",
    "(OR (ARGMAX (JOIN r m.1) s) (TC (JOIN s m.2) job.from 1999))",
    "(DIFF (JOIN r m.1) (ARGMAX (JOIN r m.1) s))",
)


@pytest.mark.parametrize("sexpr", WRITTEN)
def test_what_is_written_reads_back(sexpr: str) -> None:
    converted = from_sparql(to_sparql(read_sexpr(sexpr)))
    assert sexpr_text(converted.form) == sexpr
    assert not converted.notes


FACTS = written(1)
GRAPH = graph_of(FACTS)


@settings(max_examples=60)
@given(forms(FACTS))
def test_a_drawn_form_reads_back_to_one_with_the_same_answers(form: Form) -> None:
    query = to_sparql(form)
    converted = from_sparql(query)
    assert not converted.notes
    if converted.form != form:
        assert run(GRAPH, query) == answers(GRAPH, converted.form)
