"""Programs built with plain functions are the programs that their text says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cgstore import q
from cgstore.query.ast import Call, Literal
from cgstore.query.build import text_of
from cgstore.query.parse import parse


def test_a_call_reads_as_one_writes_it() -> None:
    popes = q.get_information(relation="position held", tail_entity="pope", key="time", value=q.after(1900))
    assert text_of(q.count(popes)) == (
        "count(set=get_information(relation='position held', tail_entity='pope', key='time', value>'1900'))"
    )


def test_several_bounds_on_one_argument_all_stand() -> None:
    program = q.get_information(relation="Points", tail_entity=[q.at_least(3), q.below("1,000")])
    assert text_of(program) == "get_information(relation='Points', tail_entity>='3', tail_entity<'1,000')"


def test_sets_are_numbered() -> None:
    assert text_of(q.set_union("a", "b", "c")) == "set_union(set1='a', set2='b', set3='c')"


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
