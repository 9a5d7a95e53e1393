"""S-expressions: what is read, what is written, and which program they become."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.errors import BadInput
from cgstore.query.build import text_of
from cgstore.query.parse import ProgramError, parse
from cgstore.query.sexpr.forms import (
    ClassName,
    Combination,
    Count,
    Extreme,
    Form,
    Join,
    Name,
    OrderComparison,
    Step,
    TimeConstraint,
    TypedLiteral,
)
from cgstore.query.sexpr.from_program import from_program
from cgstore.query.sexpr.read import read_sexpr
from cgstore.query.sexpr.to_program import parse_sexpr
from cgstore.query.sexpr.write import sexpr_text, skeleton_text

NAMES = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=12)
STEPS = st.builds(Step, NAMES, st.booleans())
PATHS = st.lists(STEPS, min_size=1, max_size=3).map(tuple)
VALUES = st.one_of(st.builds(Name, NAMES), st.builds(TypedLiteral, NAMES, st.sampled_from(["integer", "date"])))
FORWARD = st.builds(Step, NAMES)


def larger(forms: st.SearchStrategy[Form]) -> st.SearchStrategy[Form]:
    two = st.tuples(forms, forms)
    return st.one_of(
        st.builds(Join, STEPS, forms),
        st.builds(Combination, st.sampled_from(["AND", "OR", "DIFF"]), two),
        st.builds(Count, forms),
        st.builds(Extreme, st.sampled_from(["ARGMAX", "ARGMIN"]), forms, PATHS),
        st.builds(OrderComparison, st.sampled_from(["LT", "LE", "GT", "GE"]), PATHS, VALUES),
        st.builds(TimeConstraint, forms, FORWARD, st.builds(Name, NAMES)),
    )


FORMS = st.recursive(st.one_of(VALUES, st.just(ClassName("film.film"))), larger, max_leaves=6)


@given(FORMS)
def test_what_is_written_reads_to_the_same(form: Form) -> None:
    again = read_sexpr(sexpr_text(form))
    assert sexpr_text(again) == sexpr_text(form)


@given(st.builds(Join, STEPS, st.builds(Name, NAMES)))
def test_a_name_with_any_characters_is_kept(form: Join) -> None:
    assert read_sexpr(sexpr_text(form)) == form


@pytest.mark.parametrize("text", ["68.8", "film.film", "amazon.com", "m.0a"])
def test_a_name_in_a_set_stays_a_name(text: str) -> None:
    form = Count(Combination("AND", (Name(text), ClassName("film.film"))))
    assert read_sexpr(sexpr_text(form)) == form


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("(JOIN (R people.person.spouse_s) m.06c97)", Join(Step("people.person.spouse_s", True), Name("m.06c97"))),
        ("(join r x)", Join(Step("r"), Name("x"))),
        ("(AND film.film (JOIN r x))", Combination("AND", (ClassName("film.film"), Join(Step("r"), Name("x"))))),
        ("(JOIN r film.film)", Join(Step("r"), Name("film.film"))),
        ("(COUNT (AND m.0a m.0b))", Count(Combination("AND", (Name("m.0a"), Name("m.0b"))))),
        (
            "(lt r 5^^http://www.w3.org/2001/XMLSchema#integer)",
            OrderComparison("LT", (Step("r"),), TypedLiteral("5", "integer")),
        ),
        ('(GE r "2001-02-03"^^xsd:date)', OrderComparison("GE", (Step("r"),), TypedLiteral("2001-02-03", "date"))),
        ("(ARGMAX x (JOIN (R r) s))", Extreme("ARGMAX", Name("x"), (Step("r", True), Step("s")))),
        ("(ARGMAX x r s)", Extreme("ARGMAX", Name("x"), (Step("r"), Step("s")))),
        ("(JOIN (R (JOIN r s)) x)", Join(Step("s", True), Join(Step("r", True), Name("x")))),
        ("(TC (JOIN r x) a.from NOW)", TimeConstraint(Join(Step("r"), Name("x")), Step("a.from"), Name("NOW"))),
        ("( JOIN ( R [ people , person , place of birth ] ) [ Tom Hanks ] )",
         Join(Step("people.person.place_of_birth", True), Name("Tom Hanks"))),
        ("( LESS EQUAL [ a , b ] 5 )", OrderComparison("LE", (Step("a.b"),), Name("5"))),
        ("(JOIN (R Points) [line_3])", Join(Step("Points", True), Name("[line_3]"))),
        ("( AND [ film , film ] ( JOIN [ r ] [ x ] ) )",
         Combination("AND", (ClassName("film.film"), Join(Step("r"), Name("x"))))),
        ("(JOIN r [ Robert Louis , Stevenson ])", Join(Step("r"), Name("Robert Louis, Stevenson"))),
    ],
)  # fmt: skip
def test_forms_are_read(text: str, form: Form) -> None:
    assert read_sexpr(text) == form


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(JOIN r x", "a '\\)' is missing at the end"),
        ('(JOIN r "x)', "the quote that opens here is not closed"),
        ('(JOIN r "x (y")\n)', "there is a '\\)' too many"),
        ("(AND (JOIN r x", "2 '\\)' are missing at the end"),
        ("(JOIN r x))", "there is a '\\)' too many"),
        ("(JOIN r x) y", "does not belong to the S-expression"),
        ("(JOINS r x)", "not a function"),
        ("()", "this list is empty"),
        ("(JOIN r)", "JOIN has 1 argument"),
        ("(R r)", "a set is needed"),
        (f"(AND {'x ' * 21})", "AND has 21 arguments, and takes at most 20"),
        ("(JOIN (AND a b) x)", "AND is not a relation"),
        ("(LT r (JOIN r x))", "compares with a value as written"),
        ("(TC x (R a.from) 1990)", "takes one relation"),
        ("(TC x a.from (JOIN r y))", "a year, a month, a day or NOW"),
        ("(TC x a.from yesterday)", "'yesterday' is not a year"),
        ("(TC x a.from 900)", "A year has four digits: write 0900"),
        ("(TC x a.place 1990)", "does not say when something begins"),
        ("(TC x time 1990)", "speaks of facts"),
        ("(ARGMAX x (R r))", "heads have no order"),
        ("(LT (R r) 5)", "heads are not compared"),
        ("(" * 60 + "JOIN", "missing"),
        ("(COUNT " * 60 + "x" + ")" * 60, "nested more than 50 deep"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, problem: str) -> None:
    with pytest.raises(ProgramError, match=problem) as raised:
        parse_sexpr(text)
    assert "\n" in raised.value.message


@pytest.mark.parametrize("text", ["", "  \n", "x" * 300_000, "\ud800"])
def test_what_cannot_be_read_at_all_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput):
        parse_sexpr(text)


@pytest.mark.parametrize(
    ("text", "skeleton"),
    [
        (
            "(JOIN (R people.person.spouse_s) m.06c97)",
            "( JOIN ( R [ people , person , spouse s ] ) [ Richard Nixon ] )",
        ),
        ("(LE a.b 5^^xsd:integer)", "( LESS EQUAL [ a , b ] 5 )"),
        ('(JOIN r "a (b) [c]")', '( JOIN [ r ] [ "a (b) [c]" ] )'),
        ('(JOIN (R "height (m)") x)', '( JOIN ( R [ "height (m)" ] ) [ x ] )'),
        ('(JOIN r "a\\"b c"^^xsd:string)', '( JOIN [ r ] [ "a\\"b c" ] )'),
        ("(COUNT film.film)", "( COUNT [ film , film ] )"),
        ("(AND film.film (JOIN r x))", "( AND [ film , film ] ( JOIN [ r ] [ x ] ) )"),
    ],
)
def test_a_skeleton_has_names_in_brackets(text: str, skeleton: str) -> None:
    assert skeleton_text(read_sexpr(text), {"m.06c97": "Richard Nixon"}) == skeleton


@pytest.mark.parametrize(("time", "notes"), [("1914", 0), ("1914-06", 1), ("1914-12-31", 1)])
def test_a_constraint_on_a_day_says_how_years_in_the_data_count(time: str, notes: int) -> None:
    assert len(parse_sexpr(f"(TC m.1 job.from {time})").notes) == notes


@pytest.mark.parametrize(
    ("sexpr", "program"),
    [
        ("(JOIN r x)", "get_information(relation='r', tail_entity='x')"),
        ("(JOIN (R r) x)", "get_information(head_entity='x', relation='r')"),
        ("(GT r 5)", "get_information(relation='r', tail_entity>'5')"),
        ("x", "distinct(set='x')"),
        (
            "(TC (JOIN (R held) x) time 1990)",
            "get_information(relation='held', head_entity='x', key='time', value='1990')",
        ),
        (
            "(ARGMIN (JOIN r x) (JOIN s t))",
            "get_information(relation='r', tail_entity='x')\n"
            "get_information(head_entity='output_of_query1', relation='s')\n"
            "argmin(set='output_of_query2', relation='t')\n"
            "get_information(relation='s', tail_entity='output_of_query3')\n"
            "set_intersection(set1='output_of_query1', set2='output_of_query4')",
        ),
        (
            '(TC m.1 a.from "2001-02-03T00:00:00Z"^^xsd:dateTime)',
            "get_information(relation='a.from', tail_entity>'2001-02-03')\n"
            "get_information(relation='a.from', tail_entity<='2001-02-03')\n"
            "set_difference(set1='output_of_query1', set2='output_of_query2')\n"
            "set_difference(set1='m.1', set2='output_of_query3')\n"
            "get_information(relation='a.to', tail_entity<'2001-02-03')\n"
            "get_information(relation='a.to', tail_entity>='2001-02-03')\n"
            "set_difference(set1='output_of_query5', set2='output_of_query6')\n"
            "set_difference(set1='output_of_query4', set2='output_of_query7')",
        ),
    ],
)
def test_forms_become_calls(sexpr: str, program: str) -> None:
    assert text_of(parse_sexpr(sexpr)) == program


@pytest.mark.parametrize(
    ("program", "sexpr"),
    [
        ("get_information(relation='r', tail_entity='x')", "(JOIN r x)"),
        ("get_information(head_entity='Tom Hanks', relation='r')", '(JOIN (R r) "Tom Hanks")'),
        ("get_information(relation='r', tail_entity>'5', tail_entity<='9')", "(AND (GT r 5) (LE r 9))"),
        ("get_information(relation='r', key='k', value='v')", "(JOIN (R r) (JOIN k v))"),
        ("get_information(relation='r', tail_entity='x', key='time', value='1990')", "(TC (JOIN r x) time 1990)"),
        ("count(get_information(relation='r', tail_entity='x'))", "(COUNT (JOIN r x))"),
        ("argmax(get_information(head_entity='x', relation='r'))", "(ARGMAX x r)"),
        (
            "get_information(relation='r', tail_entity='x')\nset_difference(set1='output_of_query1', set2='y')",
            "(DIFF (JOIN r x) y)",
        ),
    ],
)
def test_programs_become_forms(program: str, sexpr: str) -> None:
    assert sexpr_text(from_program(parse(program))) == sexpr


@pytest.mark.parametrize(
    ("program", "what"),
    [
        ("get_information(head_entity='x')", "head_entity alone"),
        ("max(set=get_information(head_entity='x', relation='r'))", "the function max"),
        ("{r}\nget_information(relation='r', tail_entity='x')", "a type in braces"),
        ("get_information(relation='r', key='time', value='1990')", "a time with relation and key and value"),
        ("get_information(head_entity='x', relation='r', source='s')", "a call of one source"),
    ],
)
def test_what_has_no_counterpart_is_named(program: str, what: str) -> None:
    with pytest.raises(ProgramError, match=what):
        from_program(parse(program))
