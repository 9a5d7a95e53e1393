"""Questions that compare or order by a number or a year, over graphs without times: the program of each."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cgstore.llm.backends import CannotPropose, Proposal
from cgstore.llm.backends.rewrite.clause_programs import programs_of
from cgstore.llm.backends.rewrite.clauses import clause_names, read_question
from cgstore.llm.backends.rewrite.quantity_programs import Quantities, instead
from cgstore.llm.backends.rewrite.relation_words import RelationWords
from tests.llm.memory_graph import MemoryGraph

FACTS = [
    ("Port Aldra", "opened in", "1881"),
    ("Port Aldra", "depth", "14"),
    ("Port Aldra", "lies on", "Lake Sool"),
    ("Port Aldra", "built by", "Ebba Kron"),
    ("Cape Tarn", "opened in", "1933"),
    ("Cape Tarn", "depth", "22"),
    ("Cape Tarn", "lies on", "Lake Sool"),
    ("Cape Tarn", "built by", "Odo Marsh"),
    ("Quay Nine", "opened in", "1960"),
    ("Quay Nine", "depth", "9"),
    ("Quay Nine", "lies on", "Moss Fjord"),
]
GRAPH = MemoryGraph(FACTS, "kg")
TYPED = MemoryGraph([*FACTS, ("Port Aldra", "type", "harbour"), ("Quay Nine", "type", "pier")], "kg")


def proposals(question: str, graph: MemoryGraph = GRAPH) -> Sequence[Proposal]:
    words = RelationWords(graph.relations, ())

    def find(easier: str) -> list[Proposal]:
        mentions = graph.mentions(easier)
        asked = read_question(easier, clause_names(easier, mentions, mentions, words.is_word))
        found = programs_of(asked, words, graph.relations_of, graph.relations_of_numbers, False) if asked else []
        return [Proposal(each.program, 1.0, "") for each in found]

    mentions = graph.mentions(question)
    names = clause_names(question, mentions, mentions, words.is_word)
    return Quantities(question, names, graph, words, find).proposals()


def calls(question: str, graph: MemoryGraph = GRAPH) -> list[str]:
    found = proposals(question, graph)
    return [line.split('"', 1)[1].rstrip('"') for line in found[0].program.splitlines()] if found else []


def refusal(question: str, facts: Sequence[tuple[str, str, str]]) -> str:
    with pytest.raises(CannotPropose) as raised:
        proposals(question, MemoryGraph(facts, "kg"))
    return raised.value.reason


OLDEST = "get_information(relation='opened in', tail_entity>='min')"
ON_SOOL = "get_information(relation='lies on', tail_entity='Lake Sool')"


@pytest.mark.parametrize(
    "question",
    [
        "Which harbour was opened first?",
        "Which harbour is the oldest?",
        "what is the oldest harbour",
        "Which harbour opened earliest?",
        "the harbour that was opened first",
        "Which is the oldest harbour of all?",
        "Name the harbour with the earliest opening year.",
    ],
)
def test_the_oldest_is_what_began_first(question: str) -> None:
    assert calls(question) == [OLDEST]


@pytest.mark.parametrize(
    ("question", "bounds"),
    [
        ("Which harbours were opened before 1950?", "opened in', tail_entity<'1950'"),
        ("Which harbours opened after 1900?", "opened in', tail_entity>'1900'"),
        ("harbours opened since 1933", "opened in', tail_entity>='1933'"),
        ("Which harbours were opened by 1933?", "opened in', tail_entity<='1933'"),
        ("Which harbours were opened between 1880 and 1940?", "opened in', tail_entity>='1880', tail_entity<='1940'"),
        ("Which harbours were opened in the 1930s?", "opened in', tail_entity>='1930', tail_entity<='1939'"),
        ("Which harbours were opened after the 1930s?", "opened in', tail_entity>'1939'"),
        ("Which harbours have a depth of more than 10?", "depth', tail_entity>'10'"),
        ("Which harbours have a depth below 1,000?", "depth', tail_entity<'1000'"),
        ("Which harbours are deeper than 10?", "depth', tail_entity>'10'"),
        ("Which harbours have a depth of at least 14?", "depth', tail_entity>='14'"),
        ("Which harbours have a depth of 14 or less?", "depth', tail_entity<='14'"),
    ],
)
def test_words_that_bound_a_number_are_comparisons(question: str, bounds: str) -> None:
    assert calls(question) == [f"get_information(relation='{bounds})"]


def test_what_is_within_bounds_may_be_counted() -> None:
    assert calls("How many harbours were opened after 1900?") == [
        "get_information(relation='opened in', tail_entity>'1900')",
        "count(set='output_of_query1')",
    ]


def test_a_name_may_stand_for_its_number() -> None:
    assert calls("Which harbours are deeper than Quay Nine?") == [
        "get_information(head_entity='Quay Nine', relation='depth')",
        "get_information(relation='depth', tail_entity>'output_of_query1')",
    ]
    assert calls("Which harbours were opened before Cape Tarn?") == [
        "get_information(head_entity='Cape Tarn', relation='opened in')",
        "get_information(relation='opened in', tail_entity<'output_of_query1')",
    ]


ALDRA, TARN = ("get_information(head_entity='" + name + "', relation='" for name in ("Port Aldra", "Cape Tarn"))


@pytest.mark.parametrize(
    ("question", "call"),
    [
        ("Which is deeper, Port Aldra or Cape Tarn?", f"compare({ALDRA}depth'), {TARN}depth'), operator='>')"),
        (
            "Which harbour is older: Port Aldra or Cape Tarn?",
            f"compare({ALDRA}opened in'), {TARN}opened in'), operator='<')",
        ),
        (
            "Which opened first, Port Aldra or Cape Tarn?",
            f"compare({ALDRA}opened in'), {TARN}opened in'), operator='<')",
        ),
        ("Is Port Aldra or Cape Tarn older?", f"compare({ALDRA}opened in'), {TARN}opened in'), operator='<')"),
        ("Is Port Aldra deeper than Cape Tarn?", f"greater_than({ALDRA}depth'), {TARN}depth'))"),
        ("Was Port Aldra opened before Cape Tarn?", f"less_than({ALDRA}opened in'), {TARN}opened in'))"),
    ],
)
def test_two_names_are_compared(question: str, call: str) -> None:
    assert calls(question) == [call]


def test_whether_a_name_is_within_bounds() -> None:
    assert calls("Was Port Aldra opened before 1900?") == [
        "get_information(head_entity='Port Aldra', relation='opened in', tail_entity<'1900')",
        "exists(set='output_of_query1')",
    ]


def test_an_adjective_asks_for_a_number() -> None:
    assert calls("How deep is Cape Tarn?") == [f"{TARN}depth')"]
    assert calls("How old is Cape Tarn?") == []


def test_the_number_itself_may_be_asked_for() -> None:
    assert calls("What is the greatest depth?") == ["get_information(relation='depth')", "max(set='output_of_query1')"]


def test_what_is_said_beside_the_number_restricts_it() -> None:
    assert calls("Which harbour that lies on Lake Sool was opened first?") == [
        ON_SOOL,
        "argmin(set='output_of_query1', relation='opened in')",
    ]
    assert calls("Which harbours that lie on Lake Sool have a depth over 20?") == [
        ON_SOOL,
        "get_information(relation='depth', tail_entity>'20')",
        "set_intersection(set1='output_of_query1', set2='output_of_query2')",
    ]


def test_what_is_said_beside_the_number_must_be_understood() -> None:
    assert "without an LLM" in refusal("What is the deepest harbour sung of on Lake Sool?", FACTS)


@pytest.mark.parametrize(
    ("question", "second"),
    [
        ("Who built the oldest harbour?", "get_information(head_entity='output_of_query1', relation='built by')"),
        (
            "When was the oldest harbour opened?",
            "get_information(head_entity='output_of_query1', relation='opened in')",
        ),
        ("How deep is the oldest harbour?", "get_information(head_entity='output_of_query1', relation='depth')"),
        (
            "Who built the harbour that was opened first?",
            "get_information(head_entity='output_of_query1', relation='built by')",
        ),
    ],
)
def test_a_phrase_that_orders_may_stand_for_a_name(question: str, second: str) -> None:
    assert calls(question) == [OLDEST, second]


def test_a_preposition_with_a_name_is_the_one_relation_that_links_them() -> None:
    assert calls("What is the deepest harbour on Lake Sool?") == [
        ON_SOOL,
        "argmax(set='output_of_query1', relation='depth')",
    ]
    (found,) = proposals("What is the deepest harbour on Lake Sool?")
    assert "'on lake sool' is taken by the relation 'lies on'." in [note.lower() for note in found.notes]


def test_first_may_be_a_word_of_the_relation() -> None:
    graph = MemoryGraph([("Salt", "first shown in", "1934"), ("Rain", "first shown in", "1951")], "kg")
    assert calls("Which plays were first shown after 1940?", graph) == [
        "get_information(relation='first shown in', tail_entity>'1940')"
    ]
    assert calls("In what year was Salt first shown?", graph) == [
        "get_information(head_entity='Salt', relation='first shown in')"
    ]
    assert calls("Which play was shown first?", graph) == [
        "get_information(relation='first shown in', tail_entity>='min')"
    ]


def test_a_length_in_minutes_is_no_year() -> None:
    graph = MemoryGraph([("Salt", "length in minutes", "110"), ("Rain", "length in minutes", "185")], "kg")
    assert calls("Which plays are longer than 120?", graph) == [
        "get_information(relation='length in minutes', tail_entity>'120')"
    ]


def test_a_graph_that_says_what_things_are_is_believed() -> None:
    assert calls("Which harbour is the deepest?", TYPED) == [
        "get_information(relation='type', tail_entity='harbour')",
        "argmax(set='output_of_query1', relation='depth')",
    ]
    with pytest.raises(CannotPropose, match="says of nothing that it is 'company'"):
        proposals("Which company is the deepest?", TYPED)


def test_a_note_says_what_was_taken_for_the_kind_and_for_the_adjective() -> None:
    (found,) = proposals("Which harbour is the oldest?")
    assert found.notes == (
        "'oldest' is taken by the relation 'opened in'.",
        "The graph does not say what things are: all that have 'opened in' are taken for 'harbour'.",
    )


def test_an_adjective_that_may_mean_several_relations_is_refused() -> None:
    facts = [("Sool", "area", "12"), ("Sool", "population", "900")]
    assert refusal("Which town is the largest?", facts).startswith("'largest' may be said of 'area' or 'population'")


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("Who is the oldest?", "are people"),
        ("Which builder is the oldest?", "also a word of the relation 'built by'"),
    ],
)
def test_a_noun_that_the_relation_does_not_fit_is_refused(question: str, why: str) -> None:
    assert why in refusal(question, FACTS)


def test_a_birth_is_not_that_of_a_firm() -> None:
    assert "is 'company'" in refusal(
        "Which company is the oldest?", [("Ann", "born in", "1950"), ("Bo", "born in", "1960")]
    )


def test_heads_of_several_kinds_are_refused_where_the_graph_does_not_say_which_is_which() -> None:
    facts = [
        ("Sool", "founded in", "1200"),
        ("Sool", "lies on", "Moss"),
        ("Kron", "founded in", "1900"),
        ("Kron", "sells", "oil"),
    ]
    assert "of several kinds" in refusal("Which company was founded first?", facts)


@pytest.mark.parametrize(
    "question",
    [
        "Which harbours have a depth of more than 10 feet?",
        "Which harbours were not opened before 1950?",
        "Which harbour was the second to be opened?",
        "Which harbours are older than 50 years?",
        "Which harbour opened first after 1900?",
        "Which year was the first?",
        "Which harbours were opened immediately before Cape Tarn?",
        "Who first opened Cape Tarn?",
        "Which harbour was almost the deepest?",
        "Which large harbours were opened before 1950?",
        "Which harbours closed before 1950?",
    ],
)
def test_words_that_are_not_understood_leave_no_program(question: str) -> None:
    assert calls(question) == []


def test_a_time_outside_the_phrase_that_orders_leaves_no_program() -> None:
    assert not calls("Who built the newest harbour by 1961?")


def test_a_refusal_names_the_numbers_of_the_graph() -> None:
    found = instead(CannotPropose("no"), "What is the heaviest harbour?", [], ["depth"])
    assert found.reason == "it is not understood by which numbers of the graph 'heaviest' is meant (these are 'depth')"
    assert instead(CannotPropose("no"), "Who built it?", [], []).reason == "no"
