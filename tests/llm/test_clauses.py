"""Questions about what held, read by their parts: the program of each, and what is not understood."""

from __future__ import annotations

import pytest

from cgstore.llm.backends.rewrite.clause_programs import programs_of
from cgstore.llm.backends.rewrite.clauses import clause_names, read_question
from cgstore.llm.backends.rewrite.relation_words import RelationWords
from tests.llm.memory_graph import MemoryGraph

GRAPH = MemoryGraph(
    [
        ("Ann Lee", "mayor of", "York"),
        ("Bo Field", "mayor of", "York"),
        ("Bo Field", "mayor of", "Hull"),
        ("Ann Lee", "played for", "York Rovers"),
        ("Ann Lee", "played for", "Hull Athletic"),
        ("Cy Gray", "coached", "York Rovers"),
        ("York Rovers", "won", "Amber Cup"),
        ("Swift Line", "headquarters in", "Hull"),
        ("Ann Lee", "married to", "Cy Gray"),
    ],
    "tkg",
)
FILMS = MemoryGraph(
    [
        ("Glass Hill", "directed by", "Vera Lund"),
        ("Glass Hill", "founded in", "1990"),
        ("Glass Hill", "founded by", "Nils Arden"),
        ("Glass Hill", "made of", "oak"),
    ],
    "kg",
)
TAUGHT = [("Who received the {entity}?", "award received"), ("Who won the {entity}?", "award received")]


def calls(question: str, graph: MemoryGraph = GRAPH) -> list[str]:
    words = RelationWords(graph.relations, TAUGHT)
    mentions = graph.mentions(question)
    asked = read_question(question, clause_names(question, mentions, mentions, words.is_word))
    if asked is None:
        return []
    found = programs_of(asked, words, graph.relations_of, frozenset({"founded in"}), graph is GRAPH)
    return [line.split('"', 1)[1].rstrip('"') for line in found[0].program.splitlines()] if found else []


MAYOR = "get_information(relation='mayor of', tail_entity='York'"
PLAYED = "get_information(head_entity='Ann Lee', relation='played for'"
ANN = "get_information(head_entity='Ann Lee', relation='mayor of', tail_entity='York'"
NEAREST = [
    f"{ANN}, key='time')",
    "min(set='output_of_query1')",
    f"{MAYOR}, key='time')",
    "keep(set='output_of_query3', value<'output_of_query2')",
    "max(set='output_of_query4')",
    f"{MAYOR}, key='time', value='output_of_query5')",
]
AFTER = [
    f"{ANN}, key='time')",
    "max(set='output_of_query1')",
    f"{MAYOR}, key='time')",
    "keep(set='output_of_query3', value>'output_of_query2')",
    "min(set='output_of_query4')",
    f"{MAYOR}, key='time', value='output_of_query5')",
]

AT_HULL = "get_information(head_entity='Ann Lee', relation='played for', tail_entity='Hull Athletic'"
CUP_AFTER = [
    "get_information(head_entity='York Rovers', relation='won', tail_entity='Amber Cup', key='time')",
    "max(set='output_of_query1')",
    "get_information(relation='won', tail_entity='Amber Cup', key='time')",
    "keep(set='output_of_query3', value>'output_of_query2')",
    "min(set='output_of_query4')",
    "get_information(relation='won', tail_entity='Amber Cup', key='time', value='output_of_query5')",
]


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("Which clubs did Ann Lee play for?", [f"{PLAYED})"]),
        ("I'd like to know which club Ann Lee played for in 1960.", [f"{PLAYED}, key='time', value='1960')"]),
        ("Mayor of York in 1960", [f"{MAYOR}, key='time', value='1960')"]),
        ("By whom was York Rovers coached?", ["get_information(relation='coached', tail_entity='York Rovers')"]),
        (
            "Who was mayor of York between 1950 and 1960?",
            [f"{MAYOR}, key='time', value>='1950', value<='1960')"],
        ),
        ("Who was mayor of York until 1960?", [f"{MAYOR}, key='end_time', value='1960')"]),
        ("When was Ann Lee mayor of York?", [f"{ANN}, key='time')"]),
        ("Since when was Ann Lee mayor of York?", [f"{ANN}, key='start_time')"]),
        ("When did Ann Lee stop being mayor of York?", [f"{ANN}, key='end_time')"]),
        ("Who was mayor of York immediately before Ann Lee?", NEAREST),
        ("Who was Ann Lee's predecessor as mayor of York?", NEAREST),
        ("Whom did Ann Lee succeed as mayor of York?", NEAREST),
        ("Who directly preceded Ann Lee as mayor of York?", NEAREST),
        ("Who was already mayor of York in 1960?", [f"{MAYOR}, key='time', value='1960')"]),
        (
            "Who coached York Rovers while Ann Lee was playing for them?",
            [
                "get_information(head_entity='Ann Lee', relation='played for', tail_entity='York Rovers', key='time')",
                "get_information(relation='coached', tail_entity='York Rovers', key='time', value='output_of_query1')",
            ],
        ),
        (
            "Who took over as mayor of York from Bo Field?",
            [line.replace("Ann Lee", "Bo Field") for line in AFTER],
        ),
        (
            "Which club was the earliest winner of the Amber Cup?",
            [
                "get_information(relation='won', tail_entity='Amber Cup', key='time')",
                "min(set='output_of_query1')",
                "get_information(relation='won', tail_entity='Amber Cup', key='time', value='output_of_query2')",
            ],
        ),
        (
            "Which people had been mayor of York at any time before Ann Lee?",
            [*NEAREST[:2], f"{MAYOR}, key='time', value<'output_of_query2')"],
        ),
        (
            "Who were the mayors of York before Ann Lee?",
            [*NEAREST[:2], f"{MAYOR}, key='time', value<'output_of_query2')"],
        ),
        ("Who was ever mayor of York before 1960?", [f"{MAYOR}, key='time', value<'1960')"]),
        ("Which mayors did York have until 1960?", [f"{MAYOR}, key='time', value<='1960')"]),
        (
            "Who coached York Rovers while Ann Lee was mayor of York?",
            [
                f"{ANN}, key='time')",
                "get_information(relation='coached', tail_entity='York Rovers', key='time', value='output_of_query1')",
            ],
        ),
        (
            "What was the first club Ann Lee played for?",
            [
                f"{PLAYED}, key='time')",
                "min(set='output_of_query1')",
                f"{PLAYED}, key='time', value='output_of_query2')",
            ],
        ),
        ("How many clubs did Ann Lee play for?", [f"{PLAYED})", "count(set='output_of_query1')"]),
        (
            "How many times did York Rovers win the Amber Cup?",
            [
                "get_information(head_entity='York Rovers', relation='won', tail_entity='Amber Cup', key='start_time')",
                "count(set='output_of_query1')",
            ],
        ),
        ("It would help me to know who was mayor of York in 1960.", [f"{MAYOR}, key='time', value='1960')"]),
        ("I'm looking for the names of all those who were mayor of York.", [f"{MAYOR})"]),
        ("Who was still mayor of York in 1960?", [f"{MAYOR}, key='time', value='1960')"]),
        ("Who remained in charge of York in 1960?", [f"{MAYOR}, key='time', value='1960')"]),
        ("Who was the next to win the Amber Cup after York Rovers?", CUP_AFTER),
        (
            "Where did Ann Lee play while she was mayor of York?",
            [f"{ANN}, key='time')", f"{PLAYED}, key='time', value='output_of_query1')"],
        ),
        (
            "Who was mayor of York during Ann Lee's time at Hull Athletic?",
            [
                f"{AT_HULL}, key='time')",
                f"{MAYOR}, key='time', value='output_of_query1')",
            ],
        ),
        (
            "When did Ann Lee stay at Hull Athletic?",
            [f"{AT_HULL}, key='time')"],
        ),
        (
            "Where did Swift Line have its headquarters?",
            ["get_information(head_entity='Swift Line', relation='headquarters in')"],
        ),
    ],
)
def test_the_parts_of_a_question_make_the_program(question: str, program: list[str]) -> None:
    assert calls(question) == program


def test_a_relation_is_spoken_of_in_the_words_of_its_like() -> None:
    """`won` is a word of demonstrations of `award received`; so `received` speaks of it."""
    assert calls("Who received the Amber Cup?") == ["get_information(relation='won', tail_entity='Amber Cup')"]


@pytest.mark.parametrize(
    "question",
    [
        "Who was not mayor of York in 1960?",
        "Who else was mayor of York?",
        "Who was deputy mayor of York?",
        "Who almost played for York Rovers?",
        "Which clubs did Ann Lee own?",
        "Who was mayor of York or Hull?",
        "For how many years did Ann Lee play for York Rovers?",
        "Who was mayor of York under Ann Lee?",
        "Which coach won the Amber Cup?",
        "Which other clubs did Ann Lee play for?",
        "Which English clubs did Ann Lee play for?",
        "How many English clubs did Ann Lee play for?",
        "Who were the first two mayors of York?",
        "Who was mayor of York in 1960 and 1970?",
        "Name all English clubs Ann Lee played for",
        "How many games did Ann Lee play?",
        "Which women were mayor of York?",
        "Who was mayor of York at the end of 1960?",
        "Who won the Amber Cup once?",
        "Who appointed the mayor of York?",
        "When was Ann Lee re-elected mayor of York?",
        "How many children did the mayor of York have?",
        "Who won the Amber Cup in 1960 for the first time?",
        "Who played with Ann Lee?",
        "Who was still mayor of York after 1960?",
        "Who was mayor of York while she was coaching Hull Athletic?",
        "When did Ann Lee stay at York?",
    ],
)
def test_a_word_that_is_left_over_leaves_no_program(question: str) -> None:
    assert calls(question) == []


@pytest.mark.parametrize(
    "question", ["Whom did York Rovers coach?", "Who was Cy Gray coached by?", "By whom was Cy Gray coached?"]
)
def test_a_name_on_the_other_side_of_the_relation_leaves_no_program(question: str) -> None:
    assert calls(question) == []


FAMILY = MemoryGraph(
    [
        ("Ann", "parent", "Bo"),
        ("Cy", "parent", "Ann"),
        ("Ann", "mother of", "Cy"),
        ("Bo", "trained", "Ann"),
        ("Ann", "trained", "Di"),
    ],
    "kg",
)


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("Who is the parent of Ann?", "get_information(head_entity='Ann', relation='parent')"),
        ("Who is Ann's parent?", "get_information(head_entity='Ann', relation='parent')"),
        ("Who is the mother of Cy?", "get_information(relation='mother of', tail_entity='Cy')"),
        ("Who was Ann's trainer?", "get_information(relation='trained', tail_entity='Ann')"),
        ("Who trained Ann?", "get_information(relation='trained', tail_entity='Ann')"),
        ("Whom did Ann train?", "get_information(head_entity='Ann', relation='trained')"),
        ("Who are the trainers of Ann?", "get_information(relation='trained', tail_entity='Ann')"),
        ("Which trainers does Ann have?", "get_information(relation='trained', tail_entity='Ann')"),
    ],
)
def test_the_words_say_the_side_of_a_name_that_has_both(question: str, program: str) -> None:
    assert calls(question, FAMILY) == [program]


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("In which year was Glass Hill founded?", ["get_information(head_entity='Glass Hill', relation='founded in')"]),
        ("Who founded Glass Hill?", ["get_information(head_entity='Glass Hill', relation='founded by')"]),
        ("Which company is Glass Hill made by?", []),
    ],
)
def test_what_is_asked_for_tells_relations_apart(question: str, program: list[str]) -> None:
    assert calls(question, FILMS) == program
