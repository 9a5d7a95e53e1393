"""Names and times taken out of questions and programs, and put back."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgstore.llm.masking import (
    PLACEHOLDER,
    Span,
    mask,
    mask_form,
    mask_mentions,
    mask_program,
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

WORDS = ("who", "directed", "the", "films", "of", "after", "and", "before", "when", "was")
NAMES = st.lists(
    st.text(alphabet="ABCDEFxyz'\\\"-.é 19", min_size=3, max_size=12).map(lambda text: f"N{text.strip()}q"),
    unique=True,
    max_size=4,
)


def _masked(question: str, program: str) -> tuple[str, str]:
    parsed = parse(program)
    masked = mask(question, spans_of(question, names_in(parsed)))
    return masked.question, text_of(mask_program(parsed, masked.names))


def test_names_are_numbered_in_the_order_of_the_question() -> None:
    question, program = _masked(
        "Which teams did Ann Lee play for before Bo Ek did in 1990?",
        "get_information(head_entity='Bo Ek', relation='team')\n"
        "get_information(head_entity='Ann Lee', relation='team', key='time', value='1990')",
    )
    assert question == "Which teams did <e0> play for before <e1> did in <y0>?"
    assert program == (
        "get_information(head_entity='<e1>', relation='team')\n"
        "get_information(head_entity='<e0>', relation='team', key='time', value='<y0>')"
    )


@pytest.mark.parametrize(
    ("question", "name", "masked"),
    [
        ("who wrote [The Rookie]", "The Rookie", "who wrote <e0>"),
        ('who wrote "The Rookie"?', "The Rookie", "who wrote <e0>?"),
        ("who wrote the rookie's songs?", "The Rookie", "who wrote <e0>'s songs?"),
        ("what did van gogh paint", "Vincent van Gogh", "what did <e0> paint"),
        ("who was king on 5 May 1995?", "1995-05-05", "who was king on <y0>?"),
        ("who was it", "Nobody", "who was it"),
        ("did Ann or Ann win", "Ann", "did <e0> or <e0> win"),
    ],
)
def test_a_name_is_found_as_people_write_it(question: str, name: str, masked: str) -> None:
    assert mask(question, spans_of(question, [name])).question == masked


def test_a_longer_name_is_not_cut_by_a_shorter_one() -> None:
    masked = mask("the mayor of New York City", spans_of("the mayor of New York City", ["York", "New York City"]))
    assert masked.question == "the mayor of <e0>"


def test_relations_and_keys_stay_though_the_question_has_them() -> None:
    _, program = _masked("the spouse of Ann", "get_information(head_entity='Ann', relation='spouse', key='Ann')")
    assert program == "get_information(head_entity='<e0>', relation='spouse', key='Ann')"


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


# A question that is asked ---------------------------------------------------------------------------------------------


def _mention(question: str, text: str, kind: Literal["entity", "relation", "time"] = "entity") -> Mention:
    start = question.index(text)
    return Mention(start, start + len(text), text, text, text, kind, "exact")


def test_names_of_the_graph_and_times_are_taken_out_and_relations_stay() -> None:
    question = "who directed [Metropolis] in 1990"
    mentions = [
        _mention(question, "Metropolis"),
        _mention(question, "directed", "relation"),
        _mention(question, "1990", "time"),
    ]
    masked = mask_mentions(question, mentions)
    assert masked.question == "who directed <e0> in <y0>"
    assert masked.names == {"<e0>": "Metropolis", "<y0>": "1990"}


def test_of_mentions_that_overlap_the_first_is_a_name() -> None:
    question = "who directed The Big Sleep"
    assert mask_mentions(question, [_mention(question, "Sleep"), _mention(question, "Big Sleep")]).question == (
        "who directed The Big <e0>"
    )


def test_spans_of_one_name_share_a_placeholder() -> None:
    masked = mask("Ann and ann", [Span(0, 3, "Ann"), Span(8, 11, "Ann")])
    assert PLACEHOLDER.findall(masked.question) == ["<e0>", "<e0>"]
