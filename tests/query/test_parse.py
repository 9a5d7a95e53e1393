"""The grammar: what is read, and where an error is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.errors import BadInput
from cgstore.query.ast import Argument, Call, Literal, OutputRef
from cgstore.query.build import text_of
from cgstore.query.parse import ProgramError, parse

TIMES = "get_information(key='time')\n"


def arguments(text: str) -> list[tuple[str, str, object]]:
    """(name, op, text or number of each argument) of a program's last call."""
    return [(a.name, a.op, _plain(a.value)) for a in parse(text).queries[-1].arguments]


def _plain(value: object) -> object:
    return value.text if isinstance(value, Literal) else value.number if isinstance(value, OutputRef) else value


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
    ],
)
def test_a_literal_keeps_its_text(text: str, literal: str) -> None:
    assert arguments(f"get_information(head_entity={text}, key='time')") == [
        ("head_entity", "=", literal),
        ("key", "=", "time"),
    ]


@given(st.text(min_size=1).filter(lambda s: not s.startswith("output_of_query")))
def test_any_text_survives_when_quotes_and_backslashes_are_escaped(name: str) -> None:
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    assert arguments(f"get_information(head_entity='{escaped}', relation='r')")[0] == ("head_entity", "=", name)


def test_a_sign_after_an_escaped_apostrophe_is_no_comparison() -> None:
    assert arguments(r"count('\'=')") == [("set", "=", "'=")]


def test_every_comparison_is_read() -> None:
    text = "get_information(relation='r', value>1, value>=2, value<3, value<=4, value=5, value==6, value≥7)"
    assert [a[1] for a in arguments(text)] == ["=", ">", ">=", "<", "<=", "=", "=", ">="]


def test_two_bounds_on_one_argument_are_both_kept() -> None:
    text = "get_information(relation='r', tail_entity>='2005', tail_entity<='2007')"
    assert arguments(text)[1:] == [("tail_entity", ">=", "2005"), ("tail_entity", "<=", "2007")]


@pytest.mark.parametrize(
    "reference", ["output_of_query1", "'output_of_query1'", '"output_of_query1"', "output_of_query_1"]
)
def test_an_output_is_referred_to_with_and_without_quotes(reference: str) -> None:
    assert arguments(f"get_information(key='time')\nmax(set={reference})") == [("set", "=", 1)]


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
    text = FIRST + line.format("maximum(set='output_of_query1')")
    with pytest.raises(ProgramError, match=r"would be ignored(.|\n)*maximum") as error:
        parse(text)
    assert error.value.hint == "Write 'Query2: ' before it, or leave the line out."


@pytest.mark.parametrize(
    "line",
    [
        "Step2: max(set='output_of_query1')",
        "max(...) gives the last one = the answer",
        "Here max(set='output_of_query1') would be wrong.",
        "print(answer='yes')",
        "if (as I think) it = 5",
    ],
)
def test_prose_after_a_query_is_ignored(line: str) -> None:
    assert len(parse(FIRST + line).queries) == 1


@pytest.mark.parametrize("end", ["", ".", '"', ",", "  ", ";"])
def test_what_follows_a_quoted_query_is_ignored(end: str) -> None:
    assert len(parse(f"Query1: \"get_information(relation='spouse')\"{end}").queries) == 1


def test_the_target_type_stands_before_the_queries_in_braces() -> None:
    program = parse("{'Year'}\nQuery1: \"get_information(relation='spouse')\"")
    assert program.target is not None
    assert program.target.text == "Year"


def test_calls_nest() -> None:
    program = parse("count(set=get_information(relation='spouse'))")
    assert isinstance(program.queries[0].arguments[0].value, Call)


def test_a_set_function_takes_its_arguments_by_position() -> None:
    times = "get_information(key='time')\nget_information(key='end time')"
    assert arguments(f"{times}\nset_difference(output_of_query1, output_of_query2)") == [
        ("set1", "=", 1),
        ("set2", "=", 2),
    ]


@pytest.mark.parametrize(
    "call",
    [
        "set_union(set1=output_of_query1, set2=output_of_query2, set3=output_of_query3, set4='x', set5='[line_1]')",
        "set_union(output_of_query1, 'output_of_query2', output_of_query3, 'x', '[line_1]')",
        "union(set_1=output_of_query1, set_2=output_of_query2, set_3=output_of_query3, set_4='x', set_5='[line_1]')",
    ],
)
def test_a_union_takes_any_number_of_sets(call: str) -> None:
    names = [argument.name for argument in parse(f"{TIMES * 3}{call}").queries[-1].arguments]
    assert names == ["set1", "set2", "set3", "set4", "set5"]


@pytest.mark.parametrize(
    "call",
    [
        "set_intersection([output_of_query1, output_of_query2, output_of_query3])",
        "set_intersection(sets=['output_of_query1', 'output_of_query2','output_of_query3'])",
        "intersection( [ output_of_query1,output_of_query2 , output_of_query3 ] )",
    ],
)
def test_a_list_of_sets_is_read_as_its_elements(call: str) -> None:
    (*_, last) = parse(f"{TIMES * 3}{call}").queries
    assert [argument.name for argument in last.arguments] == ["set1", "set2", "set3"]
    assert [argument.value.number for argument in last.arguments if isinstance(argument.value, OutputRef)] == [1, 2, 3]


def test_sets_may_be_calls() -> None:
    inner = "get_information(relation='r')"
    (call,) = parse(f"set_union({inner}, set_intersection({inner}, {inner}, {inner}), {inner})").queries
    assert [argument.name for argument in call.arguments] == ["set1", "set2", "set3"]


def test_an_alias_that_llms_write_is_understood() -> None:
    assert arguments("get_information(key='time')\nmax(set1='output_of_query1')") == [("set", "=", 1)]


def test_a_call_may_be_compared_within_if() -> None:
    text = "get_information(relation='a')\nif(sum(set='output_of_query1') > 3000, 'x', count(set='y'))"
    call = parse(text).queries[1]
    assert [(a.name, type(a.value)) for a in call.arguments] == [
        ("value1", Call),
        ("value2", Literal),
        ("operator", Literal),
        ("then", Literal),
        ("else", Call),
    ]
    assert parse("if(count(set='a') <= count(set='b'), x, y)").queries[0].given("operator")[0].value.text == "<="


def test_an_output_in_quotes_is_compared_within_if() -> None:
    call = parse("count(set='a')\nif('output_of_query1' > '5', 'yes', 'no')").queries[1]
    left, right, sign = call.arguments[:3]
    assert isinstance(left.value, OutputRef) and left.value.number == 1
    assert isinstance(right.value, Literal) and right.value.text == "5"
    assert isinstance(sign.value, Literal) and sign.value.text == ">"


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
]


@pytest.mark.parametrize(("text", "message"), ERRORS)
def test_a_malformed_program_says_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse(text)
    assert message in str(caught.value)


def test_an_error_shows_its_place_with_a_caret() -> None:
    with pytest.raises(ProgramError) as caught:
        parse("get_information(key='time')\n  maxi(set='output_of_query1')")
    assert caught.value.message == (
        "Line 2, column 3: there is no function 'maxi'\n    maxi(set='output_of_query1')\n    ^^^^"
    )


@pytest.mark.parametrize("text", ["count(get_information(head_entity='a')", "get_information(head_entity='a'", "max("])
def test_a_missing_parenthesis_is_shown_at_the_end(text: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse(f"{text}\n")
    assert caught.value.place[0] == len(text)


@pytest.mark.parametrize("text", ["min(set=" * 60 + "'a'" + ")" * 60, "count(set='a')\n" * 51, "x" * 200_001])
def test_a_program_beyond_the_bounds_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        parse(text)


@given(st.text(alphabet="getinformation_(),='\"\\ <>\n1{}outpqry“’", max_size=80))
def test_no_text_gives_anything_but_a_program_or_an_error(text: str) -> None:
    try:
        program = parse(text)
    except BadInput:
        return
    assert all(isinstance(a, Argument) for call in program.queries for a in call.arguments)


def test_a_missing_comma_is_an_error_where_it_is_missing() -> None:
    with pytest.raises(ProgramError, match="a ',' is missing") as caught:
        parse("get_information(relation='release_year' head_entity='48 Shades')")
    assert caught.value.place[0] == len("get_information(relation='release_year' ")


# Comparisons and sums that are written out ----------------------------------------------------------------------------

TWO_QUERIES = "".join(f"Query{n}: \"get_information(relation='r{n}')\"\n" for n in (1, 2))


def written_out(text: str) -> str:
    """The third query of a program, whose first two it uses."""
    return text_of(parse(f'{TWO_QUERIES}Query3: "{text}"').queries[-1])


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (
            "output_of_query1 > output_of_query2",
            "compare(value1='output_of_query1', value2='output_of_query2', operator='>')",
        ),
        ("output_of_query1 < 10,000", "compare(value1='output_of_query1', value2='10,000', operator='<')"),
        ("output_of_query1 - output_of_query2", "subtract(value1='output_of_query1', value2='output_of_query2')"),
        ("'output_of_query1' + 1", "add(value1='output_of_query1', value2='1')"),
        (
            "if output_of_query1 > output_of_query2 then 'home' else 'away' end",
            "if(value1='output_of_query1', value2='output_of_query2', operator='>', then='home', else='away')",
        ),
        (
            "if output_of_query1 < 5: return 'yes'; else: return 'no'",
            "if(value1='output_of_query1', value2='5', operator='<', then='yes', else='no')",
        ),
        (
            "if(output_of_query1 > output_of_query2, output_of_query1, output_of_query2)",
            "if(value1='output_of_query1', value2='output_of_query2', operator='>', "
            "then='output_of_query1', else='output_of_query2')",
        ),
        (
            "output_of_query1 > output_of_query2 ? 'a' : 'b'",
            "if(value1='output_of_query1', value2='output_of_query2', operator='>', then='a', else='b')",
        ),
        (
            "count(output_of_query1) > count(output_of_query2)",
            "compare(value1=count(set='output_of_query1'), value2=count(set='output_of_query2'), operator='>')",
        ),
    ],
)
def test_what_is_written_out_is_a_call(written: str, meant: str) -> None:
    assert written_out(written) == meant


@pytest.mark.parametrize("written", ["output_of_query1 > ", "if output_of_query1 then", "> 5", "output_of_query1 ~ 5"])
def test_what_is_no_comparison_is_an_error_with_its_place(written: str) -> None:
    with pytest.raises(ProgramError, match="Line 3"):
        written_out(written)


def test_an_output_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ProgramError, match="outputs of queries before it"):
        written_out("output_of_query1 > output_of_query7")
