"""Comparisons and sums that are written out become calls."""

from __future__ import annotations

import pytest

from cgstore.query.build import text_of
from cgstore.query.parse import ProgramError, parse

FIRST = "\n".join(f"get_information(relation='r{n}')" for n in (1, 2))


def last_call(text: str) -> str:
    return text_of(parse(f'{_lines(FIRST)}\nQuery3: "{text}"').queries[-1])


def _lines(program: str) -> str:
    return "\n".join(f'Query{n}: "{line}"' for n, line in enumerate(program.splitlines(), 1))


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
    assert last_call(written) == meant


@pytest.mark.parametrize("written", ["output_of_query1 > ", "if output_of_query1 then", "> 5", "output_of_query1 ~ 5"])
def test_what_is_no_comparison_is_an_error_with_its_place(written: str) -> None:
    with pytest.raises(ProgramError, match="Line 3"):
        last_call(written)


def test_an_output_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ProgramError, match="outputs of queries before it"):
        last_call("output_of_query1 > output_of_query7")
