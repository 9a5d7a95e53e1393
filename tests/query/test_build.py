"""Programs built with plain functions are the programs that their text says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore import q
from cgstore.query.ast import Call, Literal
from cgstore.query.build import text_of
from cgstore.query.functions import FUNCTIONS
from cgstore.query.parse import parse


@pytest.mark.parametrize(
    ("built", "text"),
    [
        (
            q.count(q.get_information(relation="held", tail_entity="pope", key="time", value=q.after(1900))),
            "count(set=get_information(relation='held', tail_entity='pope', key='time', value>'1900'))",
        ),
        (
            q.get_information(relation="Points", tail_entity=[q.at_least(3), q.below("1,000")]),
            "get_information(relation='Points', tail_entity>='3', tail_entity<'1,000')",
        ),
        (q.set_union("a", "b", "c"), "set_union(set1='a', set2='b', set3='c')"),
        (
            q.group(q.fold("club"), of="goals", function="sum"),
            "group(by=fold(set='club'), of='goals', function='sum')",
        ),
        (
            q.keep("x", q.above(3), contains=["a", "b"]),
            "keep(set='x', value>'3', contains='a', contains='b')",
        ),
        (
            q.for_each(q.heads("won"), q.count(q.get_information(head_entity=q.each, relation="won"))),
            "for_each(set=heads(relation='won'), value=count(set=get_information(head_entity='each', relation='won')))",
        ),
    ],
)
def test_a_call_reads_as_one_writes_it(built: Call, text: str) -> None:
    assert text_of(built) == text


NAMES = {"least": "min", "greatest": "max", "total": "sum", "absolute": "abs", "if_else": "if"}
"""The functions that have another name in Python."""

ARGUMENTS: dict[str, tuple[object, ...]] = {
    "keep": ("a", q.above(5)),
    "for_each": ("a", q.subtract("won", "lost")),
    "select": ("a", "b", "c"),
    "nth": ("a", 2),
    "calculate": (1, "+", 2),
    "if_else": (1, ">", 2, "yes", "no"),
}
KEYWORDS = {"get_information": {"relation": "a"}, "reach": {"head_entity": "a", "relation": "b", "at_most": 3}}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_each_function_can_be_built(function: str) -> None:
    name = {function: name for name, function in NAMES.items()}.get(function, function)
    row = FUNCTIONS[function]
    arguments = () if name in KEYWORDS else ARGUMENTS.get(name, ("a", "b") if row.required == 2 else ("a",))
    built = getattr(q, name)(*arguments, **KEYWORDS.get(name, {}))
    (read,) = parse(text_of(built)).queries
    assert read.function == function
    assert {argument.name for argument in read.arguments} <= set(row.arguments)


@given(st.text(min_size=1).filter(lambda text: not text.strip().startswith("output_of_query")))
def test_any_text_comes_back_from_the_text_of_its_program(name: str) -> None:
    (call,) = parse(text_of(q.get_information(head_entity=name, relation="r"))).queries
    value = call.given("head_entity")[0].value
    assert isinstance(value, Literal)
    assert value.text == name


def test_the_text_of_a_parsed_program_parses_to_the_same() -> None:
    queries = ("get_information(relation='Points', tail_entity>'5')", "max(set='output_of_query1')")
    text = "{Team}\n" + "\n".join(f'Query{number}: "{query}"' for number, query in enumerate(queries, 1))
    again = parse(text_of(parse(text)))
    assert [_shape(call) for call in again.queries] == [_shape(call) for call in parse(text).queries]
    assert again.target is not None
    assert again.target.text == "Team"


def _shape(call: Call) -> object:
    return call.function, [(a.name, a.op, _plain(a.value)) for a in call.arguments]


def _plain(value: object) -> object:
    return _shape(value) if isinstance(value, Call) else getattr(value, "text", getattr(value, "number", None))
