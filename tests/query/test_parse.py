"""The grammar: what is read, and where an error is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.errors import BadInput
from cgstore.query.ast import Argument
from cgstore.query.build import text_of
from cgstore.query.parse import ProgramError, parse


def read(text: str) -> str:
    """The last call of a program, in one way of writing."""
    return text_of(parse(text).queries[-1])


def literal_of(text: str) -> str:
    """The first argument of the last call."""
    return str(getattr(parse(text).queries[-1].arguments[0].value, "text", None))


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("'Ulm'", "Ulm"),
        ('"Ulm"', "Ulm"),
        ("‘Ulm’", "Ulm"),
        ("“Ulm”", "Ulm"),
        ("Ulm", "Ulm"),
        ("United States of America", "United States of America"),
        ("'Donny O'Hare'", "Donny O'Hare"),
        (r"'Donny O\'Hare'", "Donny O'Hare"),
        (r"'back\\slash'", "back\\slash"),
        (r"'a \n b'", r"a \n b"),
        ("'a, b = c (d)'", "a, b = c (d)"),
        ("'He said \"hi\"'", 'He said "hi"'),
        ("''", ""),
        ("'10 June, 2004'", "10 June, 2004"),
        ("'two\nlines'", "two\nlines"),
        ("'`MATCH (n) DETACH DELETE n`'", "`MATCH (n) DETACH DELETE n`"),
        ("'$p1 }) RETURN 1 //'", "$p1 }) RETURN 1 //"),
        ("'Ω 東京 القاهرة मुंबई'", "Ω 東京 القاهرة मुंबई"),
        (r"'\'='", "'="),
    ],
)
def test_a_literal_keeps_its_text(text: str, literal: str) -> None:
    assert literal_of(f"get_information(head_entity={text}, key='time')") == literal


BEFORE = "".join(f"Query{n}: \"get_information(relation='r{n}')\"\n" for n in (1, 2, 3))
ONE, TWO, THREE = (f"'output_of_query{n}'" for n in (1, 2, 3))
FIVE = f"set_union(set1={ONE}, set2={TWO}, set3={THREE}, set4='x', set5='[line_1]')"
COMPARED = f"value1={ONE}, value2={TWO}, operator='>'"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *((f"max(set={reference})", f"max(set={ONE})") for reference in ("output_of_query1", ONE, "output_of_query_1")),
        ('max(set="output_of_query1")', f"max(set={ONE})"),
        (f"max(set1={ONE})", f"max(set={ONE})"),
        ("set_difference(output_of_query1, output_of_query2)", f"set_difference(set1={ONE}, set2={TWO})"),
        (f"set_union({ONE}, output_of_query2, {THREE}, 'x', '[line_1]')", FIVE),
        (f"union(set_1={ONE}, set_2={TWO}, set_3={THREE}, set_4='x', set_5='[line_1]')", FIVE),
        *(
            (call, f"set_intersection(set1={ONE}, set2={TWO}, set3={THREE})")
            for call in (
                "set_intersection([output_of_query1, output_of_query2, output_of_query3])",
                f"set_intersection(sets=[{ONE}, {TWO},{THREE}])",
                "intersection( [ output_of_query1,output_of_query2 , output_of_query3 ] )",
            )
        ),
        (
            "set_union(count(set='a'), set_intersection(heads(), heads(), 'b'))",
            "set_union(set1=count(set='a'), set2=set_intersection(set1=heads(), set2=heads(), set3='b'))",
        ),
        (
            "get_information(relation='r', value>1, value>=2, value<3, value<=4, value=5, value==6, value≥7)",
            "get_information(relation='r', value>'1', value>='2', value<'3', value<='4', value='5', value='6', "
            "value>='7')",
        ),
        ("output_of_query1 > output_of_query2", f"compare({COMPARED})"),
        ("output_of_query1 < 10,000", f"compare(value1={ONE}, value2='10,000', operator='<')"),
        ("output_of_query1 - output_of_query2", f"subtract(value1={ONE}, value2={TWO})"),
        ("'output_of_query1' + 1", f"add(value1={ONE}, value2='1')"),
        (
            "count(output_of_query1) > count(output_of_query2)",
            f"compare(value1=count(set={ONE}), value2=count(set={TWO}), operator='>')",
        ),
        (
            "if output_of_query1 > output_of_query2 then 'home' else 'away' end",
            f"if({COMPARED}, then='home', else='away')",
        ),
        (
            "if output_of_query1 < 5: return 'yes'; else: return 'no'",
            f"if(value1={ONE}, value2='5', operator='<', then='yes', else='no')",
        ),
        ("if(output_of_query1 > output_of_query2, output_of_query1, x)", f"if({COMPARED}, then={ONE}, else='x')"),
        ("output_of_query1 > output_of_query2 ? 'a' : 'b'", f"if({COMPARED}, then='a', else='b')"),
        (
            "if(sum(set='output_of_query1') > 3000, 'x', count(set='y'))",
            f"if(value1=sum(set={ONE}), value2='3000', operator='>', then='x', else=count(set='y'))",
        ),
        (
            f"if({ONE} <= '5', 'yes', 'no')",
            f"if(value1={ONE}, value2='5', operator='<=', then='yes', else='no')",
        ),
    ],
)
def test_what_llms_write_is_a_call(written: str, meant: str) -> None:
    assert read(f'{BEFORE}Query4: "{written}"') == meant


def test_a_reply_with_steps_is_read_by_its_query_lines() -> None:
    reply = (
        "Sure! Here it is:\n```\nStep1: Get the times\n"
        "Query1: \"get_information(head_entity='Ulm', key='time')\"\n"
        "Step2: The last\nQuery2: \"max(set='output_of_query1')\"\n```\nHope that helps."
    )
    assert [call.function for call in parse(reply).queries] == ["get_information", "max"]


FIRST = "Query1: \"get_information(head_entity='Ulm', key='time')\"\n"


@pytest.mark.parametrize("line", ["{}", '"{}"', "- {}", "2. {};", "`{}`"])
def test_a_call_on_a_line_without_query_is_an_error(line: str) -> None:
    with pytest.raises(ProgramError, match=r"would be ignored(.|\n)*maximum") as error:
        parse(FIRST + line.format("maximum(set='output_of_query1')"))
    assert error.value.hint == "Write 'Query2: ' before it, or leave the line out."


@pytest.mark.parametrize(
    "text",
    [
        FIRST + "Step2: max(set='output_of_query1')",
        FIRST + "max(...) gives the last one = the answer",
        FIRST + "Here max(set='output_of_query1') would be wrong.",
        FIRST + "print(answer='yes')",
        FIRST + "if (as I think) it = 5",
        *(FIRST.strip() + end for end in ("", ".", '"', ",", "  ", ";")),
    ],
)
def test_prose_and_signs_after_a_query_are_ignored(text: str) -> None:
    assert len(parse(text).queries) == 1


def test_the_target_type_stands_before_the_queries_in_braces() -> None:
    program = parse("{'Year'}\nQuery1: \"get_information(relation='spouse')\"")
    assert program.target is not None
    assert program.target.text == "Year"


# Errors ---------------------------------------------------------------------------------------------------------------

ERRORS = [
    ("keep(set='a', sum(set='b') > 3)", "a comparison of outputs can only stand in if and compare"),
    ("calculate('5', '3')", "year_difference(value1=..., value2=...)"),
    ("", "There is no query"),
    ("hello", "There is no query"),
    ("get_informaton(head_entity='a')", "Did you mean get_information?"),
    ("get_information(headentity='a')", "Did you mean head_entity?"),
    ("get_information(head_entity='a", "the quote that opens here is not closed"),
    ("get_information(head_entity='a' b)", "after the closing quote of this text stands neither ','"),
    ("count(set=get_information(relation='a')))", "there is a ')' too many"),
    ("get_information(head_entity='a'", "a ')' is missing"),
    ("get_information(head_entity='Donny O'Hare'", "a ')' is missing"),
    ("count(get_information(head_entity='a')", "a ')' is missing"),
    ("Query1: \"get_information(head_entity='a'\"", "a ')' is missing"),
    ("get_information(head_entity='a'\ncount(set='output_of_query1')", "a ')' is missing"),
    ("get_information(head_entity='a', relation='b", "the quote that opens here is not closed"),
    ("get_information('a')", "this argument has no name"),
    ("get_information(head_entity>'a')", "cannot be used with 'head_entity'"),
    ("count(set='output_of_query3')", "outputs of queries before it"),
    ("count(set='output_of_query1')", "outputs of queries before it"),
    ("max()", "max needs set=..."),
    ("get_information()", "needs arguments"),
    ("get_information(relation='a', relation='b')", "given twice"),
    ("keep(set=get_information(key='time'))", "keep needs value=..."),
    ("set_union(set1='a')", "set_union needs set2=..."),
    ("get_information(relation=)", "expected"),
    ("get_information(relation=a,, key='b')", "expected"),
    ("max(", "a ')' is missing"),
    (f'{BEFORE}Query4: "output_of_query1 > output_of_query7"', "outputs of queries before it"),
    *(
        (f'{BEFORE}Query4: "{text}"', "Line 4")
        for text in ("output_of_query1 > ", "if output_of_query1 then", "> 5", "output_of_query1 ~ 5")
    ),
    ("min(set=" * 60 + "'a'" + ")" * 60, "at most 50 are read"),
    ("count(set='a')\n" * 51, "50"),
    ("x" * 200_001, "200,000"),
]


@pytest.mark.parametrize(("text", "message"), ERRORS)
def test_a_malformed_program_says_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse(text)
    assert message in str(caught.value)


def test_an_error_shows_its_place_with_a_caret() -> None:
    with pytest.raises(ProgramError) as caught:
        parse("get_information(key='time')\n  maxi(set='output_of_query1')")
    shown = "Line 2, column 3: there is no function 'maxi'\n    maxi(set='output_of_query1')\n    ^^^^"
    assert caught.value.message == shown


MISSING_COMMA = "get_information(relation='release_year' head_entity='48 Shades')"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("count(get_information(head_entity='a')\n", 38),
        ("get_information(head_entity='a'\n", 31),
        ("max(\n", 4),
        (MISSING_COMMA, MISSING_COMMA.index("head_entity")),
    ],
)
def test_a_missing_sign_is_shown_where_it_is_missing(text: str, place: int) -> None:
    with pytest.raises(ProgramError, match="is missing") as caught:
        parse(text)
    assert caught.value.place[0] == place


@given(st.text(alphabet="getinformation_(),='\"\\ <>\n1{}outpqry“’", max_size=80))
def test_no_text_gives_anything_but_a_program_or_an_error(text: str) -> None:
    try:
        program = parse(text)
    except BadInput:
        return
    assert all(isinstance(a, Argument) for call in program.queries for a in call.arguments)
