"""Names and times taken out of questions and programs, and put back."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.llm.masking import (
    mask,
    mask_form,
    mask_mentions,
    mask_program,
    masked_by_mentions,
    masked_by_program,
    names_in,
    names_in_form,
    put_back,
    spans_of,
)
from cgstore.mapping.mentions import Mention
from cgstore.query.ast import Program
from cgstore.query.build import call, text_of
from cgstore.query.parse import parse
from cgstore.query.sexpr.read import read_sexpr
from cgstore.query.sexpr.write import sexpr_text, skeleton_text
from tests.llm.memory_graph import MemoryGraph

WORDS = ("who", "directed", "the", "films", "of", "after", "and", "before", "when", "was")
NAMES = st.lists(
    st.text(alphabet="ABCDEFxyz'\\\"-.é 19", min_size=3, max_size=12).map(lambda text: f"N{text.strip()}q"),
    unique=True,
    max_size=4,
)


@pytest.mark.parametrize(
    ("question", "program", "masked"),
    [
        (
            "Did Fritz Lang make Metropolis?",  # names that the question lacks or writes otherwise
            "get_information(head_entity='Metropolis (film)', relation='directed by', tail_entity='fritz lang')",
            "Did {entity} make {entity}?",
        ),
        (
            "Who left Paris Saint-Germain?",
            "Query1: \"count(set='Paris')\"\nQuery2: \"get_information(head_entity='Paris Saint-Germain')\"",
            "Who left {entity}?",
        ),
        (
            "Who was spouse of Ann in 1990?",
            "get_information(head_entity='Ann', relation='spouse', key='time', value='1990')",
            "Who was spouse of {entity} in {time}?",
        ),
        ("Who wed Ann?", "get_information(head_entity='Ann'", "Who wed Ann?"),
    ],
)
def test_a_question_is_masked_by_its_program(question: str, program: str, masked: str) -> None:
    assert masked_by_program(question, program) == masked


def test_the_names_and_times_of_the_graph_are_masked(graph: MemoryGraph) -> None:
    question = "Which team did Nadia Orlov play for in 1992?"
    assert masked_by_mentions(question, graph.mentions(question)) == "Which team did {entity} play for in {time}?"


# Numbered placeholders, which are put back.


def test_names_are_numbered_in_the_order_of_the_question_and_relations_and_keys_stay() -> None:
    question = "Which teams did Ann Lee play for before Bo Ek did in 1990?"
    program = parse(
        "get_information(head_entity='Bo Ek', relation='team', key='Ann Lee')\n"
        "get_information(head_entity='Ann Lee', relation='team', key='time', value='1990')"
    )
    masked = mask(question, spans_of(question, names_in(program)))
    assert masked.question == "Which teams did <e0> play for before <e1> did in <y0>?"
    assert text_of(mask_program(program, masked.names)) == (
        "get_information(head_entity='<e1>', relation='team', key='Ann Lee')\n"
        "get_information(head_entity='<e0>', relation='team', key='time', value='<y0>')"
    )


@pytest.mark.parametrize(
    ("question", "names", "masked"),
    [
        ("who wrote [The Rookie]", ["The Rookie"], "who wrote <e0>"),
        ('who wrote "The Rookie"?', ["The Rookie"], "who wrote <e0>?"),
        ("who wrote the rookie's songs?", ["The Rookie"], "who wrote <e0>'s songs?"),
        ("what did van gogh paint", ["Vincent van Gogh"], "what did <e0> paint"),
        ("who was king on 5 May 1995?", ["1995-05-05"], "who was king on <y0>?"),
        ("who was it", ["Nobody"], "who was it"),
        ("did Ann or ann win", ["Ann"], "did <e0> or <e0> win"),
        ("the mayor of New York City", ["York", "New York City"], "the mayor of <e0>"),
    ],
)
def test_a_name_is_found_as_people_write_it(question: str, names: list[str], masked: str) -> None:
    assert mask(question, spans_of(question, names)).question == masked


@given(NAMES, st.lists(st.sampled_from(WORDS), min_size=5, max_size=5), st.booleans())
def test_names_that_are_taken_out_and_put_back_give_the_same_program(
    names: list[str], words: list[str], brackets: bool
) -> None:
    parts = [f"[{name}]" if brackets else name for name in names]
    question = " ".join(part for pair in zip(words, [*parts, *[""] * 5], strict=False) for part in pair)
    program = Program(tuple(call("get_information", head_entity=name, relation="spouse") for name in names), "")
    masked = mask(question, spans_of(question, names))
    written = text_of(mask_program(program, masked.names))
    assert put_back(written, masked.names) is not None
    assert text_of(parse(put_back(written, masked.names) or "")) == text_of(program) if names else not masked.names
    back = masked.question
    for placeholder, name in masked.names.items():
        back = back.replace(placeholder, name)
    assert back == question.replace("[", "").replace("]", "") if brackets else back == question


@given(NAMES.filter(bool))
def test_names_of_a_logical_form_are_put_back(names: list[str]) -> None:
    form = read_sexpr('(JOIN (R spouse) (JOIN child "first"))' if len(names) == 1 else '(AND "first" "second")')
    given_names = dict(zip(("first", "second"), names, strict=False))
    named = mask_form(form, {name: text for text, name in given_names.items()})
    placeholders = {f"<e{number}>": name for number, name in enumerate(dict.fromkeys(names_in_form(named)))}
    back = put_back(skeleton_text(mask_form(named, placeholders)), placeholders)
    assert sexpr_text(read_sexpr(back or "")) == sexpr_text(named)


def test_a_placeholder_without_a_name_gives_no_program() -> None:
    assert put_back("get_information(head_entity='<e1>')", {"<e0>": "Ann"}) is None


def mention(question: str, text: str, kind: Literal["entity", "relation", "time"] = "entity") -> Mention:
    start = question.index(text)
    return Mention(start, start + len(text), text, text, text, kind, "exact")


def test_names_of_the_graph_and_times_are_taken_out_and_relations_stay() -> None:
    question = "who directed [The Big Sleep] in 1990"
    mentions = [
        mention(question, "Big Sleep"),
        mention(question, "Sleep"),
        mention(question, "directed", "relation"),
        mention(question, "1990", "time"),
    ]
    masked = mask_mentions(question, mentions)
    assert masked.question == "who directed [The <e0>] in <y0>"
    assert masked.names == {"<e0>": "Big Sleep", "<y0>": "1990"}
