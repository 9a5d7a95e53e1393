"""Questions over times that name offices by initials, people with a title, and the only thing of a kind by its noun."""

from __future__ import annotations

import pytest

from cgstore.llm.backends import CannotPropose, Proposal
from cgstore.llm.backends.rewrite import RewriteBackend
from cgstore.llm.demonstrations import load_demonstrations
from tests.llm.memory_graph import MemoryGraph

GRAPH = MemoryGraph(
    [
        ("Odo Pell", "prior of", "Corran Abbey", "1200", "1210"),
        ("Jon Vane", "prior of", "Corran Abbey", "1210", "1230"),
        ("Odo Pell", "abbot of", "Corran Abbey", "1210", "1225"),
        ("Sim Thorn", "abbot of", "Corran Abbey", "1225", "1240"),
        ("Corran Abbey", "held", "Low Manor", "1190", "1220"),
        ("Wat Lisle", "held", "Low Manor", "1220", "1250"),
        ("Corran Abbey", "held", "High Manor", "1200", "1250"),
        ("Long Fire", "happened at", "Corran Abbey", "1207", "1208"),
    ]
)
FIRMS = MemoryGraph(
    [
        ("Ann Lee", "chief_executive_of", "Brandt", "2000", "2010"),
        ("Bo Kerr", "chief_executive_of", "Brandt", "2010", "2015"),
        ("Cy Ross", "board_member_of", "Brandt", "2000", "2005"),
        ("Cy Ross", "board_member_of", "Tallis", "2006", "2012"),
        ("Dan Orr", "board_member_of", "Brandt", "2007", "2014"),
        ("Tallis", "invested_in", "Brandt", "2001", "2009"),
        ("Ann Lee", "owned", "Tallis", "2001", "2009"),
    ]
)
BACKEND = RewriteBackend(load_demonstrations())


def proposal(question: str, graph: MemoryGraph = GRAPH) -> Proposal:
    return next(BACKEND.propose(question, graph))


def calls(question: str, graph: MemoryGraph = GRAPH) -> list[str]:
    return [line.split('"', 1)[1].rstrip('"') for line in proposal(question, graph).program.splitlines()]


def test_an_acronym_stands_for_the_relation_with_these_initials() -> None:
    found = proposal("Who was CEO of Brandt in 2005?", FIRMS)
    assert "relation='chief_executive_of', tail_entity='Brandt', key='time', value='2005'" in found.program
    assert "'CEO' is taken for 'chief executive'." in found.notes


def test_an_acronym_that_no_relation_has_is_refused() -> None:
    with pytest.raises(CannotPropose):
        proposal("Who was CTO of Brandt in 2005?", FIRMS)


def test_a_title_is_part_of_the_name_of_who_has_it() -> None:
    assert calls("When did Abbot Sim Thorn become abbot of Corran Abbey?") == [
        "get_information(head_entity='Sim Thorn', relation='abbot of', tail_entity='Corran Abbey', key='start_time')"
    ]


def test_the_noun_of_one_name_alone_stands_for_it() -> None:
    found = proposal("In what year did the abbey give up Low Manor?")
    assert "head_entity='Corran Abbey', relation='held', tail_entity='Low Manor', key='end_time'" in found.program
    assert "'the abbey' is taken for 'Corran Abbey', the only one." in found.notes


def test_the_noun_of_several_names_stands_for_none() -> None:
    with pytest.raises(CannotPropose):
        proposal("In what year did the abbey give up the manor?")


def test_a_prior_is_an_office_and_no_word_of_time() -> None:
    assert calls("Was Jon Vane still prior in 1215?")[0] == (
        "get_information(head_entity='Jon Vane', relation='prior of', key='time', value='1215')"
    )
    assert calls("Which priors never became abbot?")[-1].startswith("set_difference(")


def test_a_noun_of_one_office_is_not_left_out_before_another() -> None:
    assert calls("Which priors never made it to abbot?")[0] == (
        "get_information(relation='prior of', tail_entity='Corran Abbey')"
    )


def test_the_head_of_an_abbey_is_no_prior_where_it_has_an_abbot() -> None:
    assert "relation='abbot of'" in calls("Who was in charge of Corran Abbey in 1227?")[-1]


def test_when_something_broke_out_is_the_start_of_its_only_fact() -> None:
    assert calls("Who was abbot when the Long Fire broke out?")[0] == (
        "get_information(head_entity='Long Fire', relation='happened at', key='start_time')"
    )


def test_what_had_happened_is_what_happened_before() -> None:
    assert any("value<" in call for call in calls("Had the Long Fire already happened when Sim Thorn became abbot?"))


@pytest.mark.parametrize("question", ["Low Manor in 1230 - whose was it?", "Whose was Low Manor in 1230?"])
def test_whose_something_was_asks_who_owned_it(question: str) -> None:
    assert calls(question) == ["get_information(relation='held', tail_entity='Low Manor', key='time', value='1230')"]


def test_pulling_out_is_leaving() -> None:
    assert "key='end_time'" in calls("In what year did Tallis pull out of Brandt?", FIRMS)[0]


def test_who_left_left_that_of_which_the_question_speaks() -> None:
    found = calls("After Cy Ross left, who was the next to join the Brandt board?", FIRMS)
    assert found[0] == (
        "get_information(head_entity='Cy Ross', relation='board_member_of', tail_entity='Brandt', key='end_time')"
    )


def test_the_name_of_another_relation_means_no_other_one() -> None:
    with pytest.raises(CannotPropose):
        proposal("Who owned Brandt in 2005?", FIRMS)
    assert "relation='invested_in'" in calls("Who backed Brandt in 2005?", FIRMS)[0]


def test_how_many_are_on_the_list_counts_all_of_any_time() -> None:
    assert calls("How many abbots are there on our list?") == [
        "get_information(relation='abbot of', tail_entity='Corran Abbey')",
        "count(set='output_of_query1')",
    ]


MINE = MemoryGraph(
    [
        ("Abe Lund", "manager of", "Torr Moor Colliery", "1840", "1860"),
        ("Ben Ash", "manager of", "Torr Moor Colliery", "1860", "1890"),
        ("Cal Fenn", "secretary of", "Torr Moor Miners' Lodge", "1850", "1870"),
        ("Dov Hale", "secretary of", "Torr Moor Miners' Lodge", "1870", "1880"),
        ("Dov Hale", "lodged with", "Eda Pratt", "1865", "1868"),
        ("East Pit", "shaft of", "Torr Moor Colliery", "1842", "1880"),
        ("West Pit", "shaft of", "Torr Moor Colliery", "1850", "1889"),
        ("Abe Lund", "worked in", "East Pit", "1845", "1850"),
        ("Titan", "in use at", "East Pit", "1844", "1870"),
        ("Rev. Ames", "minister of", "Bethel Chapel", "1850", "1870"),
        ("Rev. Birch", "minister of", "Zion Chapel", "1850", "1860"),
    ]
)


@pytest.mark.parametrize("question", ["Who ran Torr Moor after Abe Lund?", "who managed torr moor after abe lund?"])
def test_the_relation_says_which_of_several_names_is_said_in_part(question: str) -> None:
    found = proposal(question, MINE)
    assert "relation='manager of', tail_entity='Torr Moor Colliery'" in found.program
    assert any("is taken for 'Torr Moor Colliery', the only one of " in note for note in found.notes)


def test_the_words_at_the_end_of_a_name_stand_for_it() -> None:
    assert calls("Name everybody who had been secretary of the miners' lodge before 1875.", MINE) == [
        "get_information(relation='secretary of', tail_entity='Torr Moor Miners\\' Lodge', key='time', value<'1875')"
    ]


@pytest.mark.parametrize(
    "question", ["Who was minister of the chapel in 1855?", "When did Ned Moor become manager of Torr Moor Colliery?"]
)
def test_a_name_said_in_part_that_may_be_several_or_another_is_refused(question: str) -> None:
    with pytest.raises(CannotPropose):
        proposal(question, MINE)


def test_a_name_with_something_in_brackets_is_not_said_in_part_by_what_stands_before() -> None:
    called = [
        ("Torr (Mine)", "manager", "Abe Lund", "1840", "1860"),
        ("Torr (Hill)", "climbed by", "Ben Ash", "1850", "1850"),
    ]
    with pytest.raises(CannotPropose):
        proposal("Who was the manager of Torr in 1850?", MemoryGraph(called))


def test_the_thing_at_a_place_is_the_name_of_both() -> None:
    found = proposal("Who was manager of the colliery at Torr Moor in 1850?", MINE)
    assert "'the colliery at Torr Moor' is taken for 'Torr Moor Colliery', the only one." in found.notes


@pytest.mark.parametrize("question", ["lodge secretary in 1875?", "Who was the lodge secretary in 1875?"])
def test_an_office_is_that_of_the_name_with_the_noun_before_it(question: str) -> None:
    assert calls(question, MINE) == [
        "get_information(relation='secretary of', tail_entity='Torr Moor Miners\\' Lodge', key='time', value='1875')"
    ]


def test_a_kind_that_another_relation_says_is_not_left_out() -> None:
    with pytest.raises(CannotPropose):
        proposal("Which of the two shafts at Torr Moor Miners' Lodge was the first to close?", MINE)
    assert "relation='shaft of'" in calls("Which of the two shafts at Torr Moor was the first to close?", MINE)[0]


def test_what_opened_or_closed_did_it_with_what_it_is() -> None:
    opened = calls("Who was manager of Torr Moor Colliery when the West Pit opened?", MINE)
    assert opened[:2] == [
        "get_information(head_entity='West Pit', relation='shaft of', key='start_time')",
        "min(set='output_of_query1')",
    ]
    closed = calls("When did the East Pit close?", MINE)
    assert closed == [
        "get_information(head_entity='East Pit', relation='shaft of', key='end_time')",
        "max(set='output_of_query1')",
    ]


def test_what_is_taken_out_of_use_ends() -> None:
    found = calls("Who was manager of Torr Moor Colliery when Titan was taken out of use?", MINE)
    assert found[0] == "get_information(head_entity='Titan', relation='in use at', key='end_time')"


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        (
            "Who came first as manager, Abe Lund or Ben Ash?",
            "Who was manager first, Abe Lund or Ben Ash?",
        ),
        (
            "Of all the managers Torr Moor Colliery had, which one served the longest?",
            "Which manager of Torr Moor Colliery served the longest?",
        ),
        ("In whose house was Dov Hale lodging in 1866?", "With whom was Dov Hale lodging in 1866?"),
        ("Where did Titan go after East Pit?", "Where was Titan after East Pit?"),
        (
            "How many managers did Torr Moor Colliery have over the years?",
            "How many managers did Torr Moor Colliery have?",
        ),
        (
            "Which managers of Torr Moor Colliery are not down as having worked in East Pit?",
            "Which managers of Torr Moor Colliery never worked in East Pit?",
        ),
        (
            "Who managed Torr Moor Colliery in the years that Cal Fenn was secretary?",
            "Who managed Torr Moor Colliery while Cal Fenn was secretary?",
        ),
    ],
)
def test_a_wording_asks_what_a_plainer_one_asks(question: str, plain: str) -> None:
    assert calls(question, MINE) == calls(plain, MINE)


def test_signs_in_the_name_of_a_relation_are_no_pattern() -> None:
    held = [("Abe Lund", "head (acting of", "Torr Lodge", "1840", "1860")]
    with pytest.raises(CannotPropose):
        proposal("Who worked at Mill Lodge in 1850?", MemoryGraph(held))
