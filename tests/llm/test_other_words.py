"""Questions over times in other words than those of the relations: what they are taken for, and what is refused."""

from __future__ import annotations

import pytest

from cgstore.llm.backends import CannotPropose, Proposal
from cgstore.llm.backends.rewrite import RewriteBackend
from cgstore.llm.demonstrations import load_demonstrations
from tests.llm.memory_graph import MemoryGraph

GRAPH = MemoryGraph(
    [
        ("Ann Lee", "prime minister of", "Veria", "1950", "1960"),
        ("Bo Field", "prime minister of", "Veria", "1960", "1971"),
        ("Bo Field", "governor of", "Hull Province", "1940", "1949"),
        ("Cy Gray", "governor of", "Hull Province", "1949", "1955"),
        ("Cy Gray", "governor of", "York Province", "1955", "1958"),
        ("Ada Roe", "monarch of", "Veria", "1930", "1965"),
        ("Ann Lee", "edited", "Verian Post", "1945", "1949"),
        ("Cy Gray", "edited", "Verian Post", "1949", "1952"),
        ("Ann Lee", "owned", "Castle Hill", "1940", "1970"),
        ("Ann Lee", "employer", "Acme Works", "1930", "1940"),
        ("Ann Lee", "married to", "Dan Moss", "1941", "1950"),
        ("Veria", "at war with", "Norra", "1944", "1946"),
        ("Bo Field", "member of", "Green League", "1938", "1970"),
    ]
)
BACKEND = RewriteBackend(load_demonstrations())


def proposal(question: str) -> Proposal:
    return next(BACKEND.propose(question, GRAPH))


def calls(question: str) -> list[str]:
    return [line.split('"', 1)[1].rstrip('"') for line in proposal(question).program.splitlines()]


PREMIER = "get_information(relation='prime minister of', tail_entity='Veria'"
POST = "get_information(relation='edited', tail_entity='Verian Post'"


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("Who headed the Verian Post in 1950?", f"{POST}, key='time', value='1950')"),
        ("Who was in charge of the Verian Post in 1950?", f"{POST}, key='time', value='1950')"),
        ("Who was on the payroll of Acme Works?", "get_information(relation='employer', tail_entity='Acme Works')"),
        ("Which newspaper did Ann Lee run?", "get_information(head_entity='Ann Lee', relation='edited')"),
        (
            "What belonged to Ann Lee in 1950?",
            "get_information(head_entity='Ann Lee', relation='owned', key='time', value='1950')",
        ),
        (
            "Who was Ann Lee employed by in 1935?",
            "get_information(head_entity='Ann Lee', relation='employer', key='time', value='1935')",
        ),
        (
            "Whom did Acme Works employ in 1935?",
            "get_information(relation='employer', tail_entity='Acme Works', key='time', value='1935')",
        ),
        (
            "Where did Ann Lee work in 1935?",
            "get_information(head_entity='Ann Lee', relation='employer', key='time', value='1935')",
        ),
        (
            "Who was on the throne of Veria in 1940?",
            "get_information(relation='monarch of', tail_entity='Veria', key='time', value='1940')",
        ),
        (
            "Against whom did Veria fight in 1945?",
            "get_information(head_entity='Veria', relation='at war with', key='time', value='1945')",
        ),
    ],
)
def test_other_words_say_a_relation_and_its_direction(question: str, program: str) -> None:
    assert calls(question) == [program]


@pytest.mark.parametrize(
    "question",
    [
        "Whom did Ann Lee employ?",
        "Who governed Cy Gray?",
        "Who did Castle Hill own in 1950?",
        "What did Veria own in 1950?",
        "Who led Ann Lee?",
        "Who headed the Green League?",
        "When did Hull Province become governor?",
    ],
)
def test_the_other_direction_or_another_relation_is_refused(question: str) -> None:
    with pytest.raises(CannotPropose):
        proposal(question)


def test_a_note_says_which_words_are_taken_for_the_relation() -> None:
    assert "'headed' is taken for the relation 'edited'." in proposal("Who headed the Verian Post in 1950?").notes


def test_two_relations_that_the_words_mean_equally_well_are_named() -> None:
    with pytest.raises(CannotPropose, match="may mean 'governor of' or 'prime minister of'"):
        proposal("What did Bo Field lead in 1945?")


def test_a_governor_is_not_the_head_of_a_government() -> None:
    assert calls("How long did Bo Field head the government?")[0] == (
        "get_information(head_entity='Bo Field', relation='prime minister of', key='start_time')"
    )


def test_a_relation_with_one_tail_needs_no_name() -> None:
    found = proposal("Who was prime minister in 1955?")
    assert found.program == f"Query1: \"{PREMIER}, key='time', value='1955')\""
    assert found.notes == ("'prime minister' is taken for 'prime minister of' of 'Veria', the only one in the data.",)


def test_a_relation_with_several_tails_is_asked_of_all_of_them() -> None:
    found = proposal("Who was governor in 1956?")
    assert found.program == "Query1: \"get_information(relation='governor of', key='time', value='1956')\""
    assert "of all that the data have: 'Hull Province', 'York Province'." in found.notes[0]


def test_what_came_before_needs_a_name_where_there_are_several() -> None:
    with pytest.raises(CannotPropose):
        proposal("Who was the first governor?")


@pytest.mark.parametrize(
    ("question", "times"),
    [
        (
            "Who edited the Verian Post during Bo Field's term as governor?",
            "get_information(head_entity='Bo Field', relation='governor of', key='time')",
        ),
        (
            "Who edited the Verian Post while Ada Roe was queen?",
            "get_information(head_entity='Ada Roe', relation='monarch of', key='time')",
        ),
        (
            "Who edited the Verian Post when the war with Norra ended?",
            "get_information(relation='at war with', tail_entity='Norra', key='end_time')",
        ),
    ],
)
def test_during_another_ones_term(question: str, times: str) -> None:
    assert calls(question) == [times, f"{POST}, key='time', value='output_of_query1')"]


@pytest.mark.parametrize(
    ("question", "program"),
    [
        (
            "Until when did Ada Roe reign?",
            "get_information(head_entity='Ada Roe', relation='monarch of', key='end_time')",
        ),
        (
            "When did the war with Norra break out?",
            "get_information(relation='at war with', tail_entity='Norra', key='start_time')",
        ),
        (
            "When did Ann Lee part with Castle Hill?",
            "get_information(head_entity='Ann Lee', relation='owned', tail_entity='Castle Hill', key='end_time')",
        ),
        (
            "Who joined the Green League in 1938?",
            "get_information(relation='member of', tail_entity='Green League', key='start_time', value='1938')",
        ),
        ("Whose wife was Dan Moss?", "get_information(relation='married to', tail_entity='Dan Moss')"),
    ],
)
def test_beginnings_and_ends_without_the_other_name_or_another_word(question: str, program: str) -> None:
    assert calls(question) == [program]


@pytest.mark.parametrize(
    "question",
    [
        "Who took over the Verian Post from Ann Lee?",
        "Who came right after Ann Lee at the head of the Verian Post?",
    ],
)
def test_who_took_over_from_somebody_came_next(question: str) -> None:
    assert calls(question)[:2] == [
        "get_information(head_entity='Ann Lee', relation='edited', tail_entity='Verian Post', key='time')",
        "max(set='output_of_query1')",
    ]


@pytest.mark.parametrize("question", ["Who succeeded Ada Roe?", "Who was Ada Roe's successor?"])
def test_who_succeeded_somebody_is_asked_of_the_only_office(question: str) -> None:
    assert calls(question)[2] == "get_information(relation='monarch of', tail_entity='Veria', key='time')"


def test_who_succeeded_somebody_with_several_offices_is_refused() -> None:
    with pytest.raises(CannotPropose):
        proposal("Who succeeded Bo Field?")


def test_the_first_after_a_time_began_after_it() -> None:
    assert calls("Who was the first prime minister of Veria after 1955?") == [
        f"{PREMIER}, key='start_time')",
        "keep(set='output_of_query1', value>'1955')",
        "min(set='output_of_query2')",
        f"{PREMIER}, key='start_time', value='output_of_query3')",
    ]


def test_a_pronoun_may_stand_for_each_name() -> None:
    assert calls("Was Hull Province governed by Bo Field before he became prime minister?")[0] == (
        "get_information(head_entity='Bo Field', relation='prime minister of', key='start_time')"
    )


@pytest.mark.parametrize(
    "question",
    ["I wonder how long Ann Lee and Dan Moss were married.", "How long were Ann Lee and Dan Moss married?"],
)
def test_how_long_two_were_married(question: str) -> None:
    assert calls(question)[0] == (
        "get_information(head_entity='Ann Lee', relation='married to', tail_entity='Dan Moss', key='start_time')"
    )


def test_who_spent_the_longest_time_as_something_held_it_longest() -> None:
    assert calls("Who spent the longest time in charge of the Verian Post?")[-1] == "argmax(set='output_of_query3')"


def test_never_leaves_those_of_a_set_that_another_search_does_not_find() -> None:
    question = "Which governors of Hull Province never edited the Verian Post?"
    assert calls(question) == [
        "get_information(relation='governor of', tail_entity='Hull Province')",
        f"{POST})",
        "set_difference(set1='output_of_query1', set2='output_of_query2')",
    ]
    assert "Left out are those that the data have for 'Who edited the Verian Post?'." in proposal(question).notes


def test_a_post_is_taken_up_when_it_begins() -> None:
    question = "When did Ann Lee take up the post of prime minister of Veria?"
    (call,) = calls(question)
    assert call.endswith("relation='prime minister of', tail_entity='Veria', key='start_time')")
