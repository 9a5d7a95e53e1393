"""The words that demonstrations understand, by relation."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.rewrite.unknown import Lexicon
from cgstore.llm.demonstrations import Demonstration
from cgstore.llm.demonstrations.masking import template_of
from cgstore.mapping.unknown_mentions import same_stem

SHOT = Demonstration("Which team had Ann?", "get_information(head_entity='Ann', relation='member of sports team')")
LEXICON = Lexicon([template_of(SHOT)])


def unsupported(masked: str, relation: str = "member of sports team") -> set[str]:
    own = "member of sports team"
    return LEXICON.unsupported(masked, {own: relation}, {own: own})


def test_words_of_the_demonstrations_and_of_the_relation_are_understood() -> None:
    assert unsupported("Of which teams was {entity} a member?") == set()


def test_other_words_are_not() -> None:
    assert unsupported("Which team did {entity} coach?") == {"coach"}


def test_a_relation_in_another_s_place_brings_only_the_words_of_its_own_name() -> None:
    assert unsupported("Of which party was {entity} a member?", "member of political party") == set()
    assert unsupported("On which team was {entity}?", "member of political party") == {"team"}


def test_who_a_person_is_and_where_must_be_understood() -> None:
    assert unsupported("Which woman was on the team of {entity}?") == {"woman"}
    assert unsupported("Where was the team of {entity}?") == {"where"}


def test_what_no_relation_of_the_graph_supports_is_known_without_a_template() -> None:
    assert LEXICON.unknown("Which team did {entity} coach?", ["member of sports team"]) == {"coach"}
    assert LEXICON.unknown("Which team did {entity} coach?", ["coached by"]) == {"team"}


def test_grammar_light_words_and_signals_need_no_support() -> None:
    assert unsupported("In what year did {entity} first become one of them?") == set()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("marry", "married", True),
        ("director", "directed", True),
        ("play", "place", False),
        ("won", "work", False),
        ("recently", "received", False),
    ],
)
def test_forms_of_one_word_share_its_beginning(one: str, other: str, same: bool) -> None:
    assert same_stem(one, other) is same
