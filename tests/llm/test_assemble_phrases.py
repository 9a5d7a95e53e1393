"""Questions about what a phrase names, over a graph without times."""

from __future__ import annotations

import pytest

from cgstore.llm.backends import CannotPropose
from tests.llm.memory_graph import MemoryGraph
from tests.llm.test_assemble import proposals

GRAPH = MemoryGraph(
    [
        ("Dovetail", "designed by", "Vera Lund"),
        ("Dovetail", "made of", "maple"),
        ("Vera Lund", "born in", "Halden"),
        ("Vera Lund", "works for", "Lund Lutes"),
        ("Lund Lutes", "makes", "Dovetail"),
        ("Lund Lutes", "founded in", "1971"),
        ("Lund Lutes", "founded by", "Nils Arden"),
        ("Halden", "located in", "Norvale"),
    ],
    "kg",
)


def calls(question: str, graph: MemoryGraph = GRAPH) -> list[str]:
    try:
        found = proposals(question, graph)
    except CannotPropose:
        return []
    return [line.split('"', 1)[1].rstrip('"') for line in found[0].program.splitlines()] if found else []


DESIGNER = "get_information(head_entity='Dovetail', relation='designed by')"
MAKER = "get_information(relation='makes', tail_entity='Dovetail')"


@pytest.mark.parametrize(
    ("question", "program"),
    [
        (
            "Where was the designer of the Dovetail born?",
            [DESIGNER, "head_entity='output_of_query1', relation='born in'"],
        ),
        (
            "When was the maker of the Dovetail founded?",
            [MAKER, "head_entity='output_of_query1', relation='founded in'"],
        ),
        (
            "Who founded the company that makes the Dovetail?",
            [MAKER, "head_entity='output_of_query1', relation='founded by'"],
        ),
        (
            "who founded the company Vera Lund works for",
            [
                "get_information(head_entity='Vera Lund', relation='works for')",
                "head_entity='output_of_query1', relation='founded by'",
            ],
        ),
        (
            "What are the instruments designed by Vera Lund made of?",
            [
                "get_information(relation='designed by', tail_entity='Vera Lund')",
                "head_entity='output_of_query1', relation='made of'",
            ],
        ),
        (
            "The town where Vera Lund was born is located in what region?",
            [
                "get_information(head_entity='Vera Lund', relation='born in')",
                "head_entity='output_of_query1', relation='located in'",
            ],
        ),
    ],
)
def test_what_the_phrase_gives_takes_the_place_of_a_name(question: str, program: list[str]) -> None:
    first, second = program
    assert calls(question) == [first, f"get_information({second})"]


@pytest.mark.parametrize(
    "question",
    [
        "Who is the master of the designer of the Dovetail?",
        "Where was the designer of the Dovetail buried?",
        "Where was the buyer of the Dovetail born?",
        "Who founded the largest company that makes the Dovetail?",
        "Where was the designer of the Dovetail not born?",
    ],
)
def test_a_word_that_no_relation_has_leaves_no_program(question: str) -> None:
    assert calls(question) == []


FEW_WORDS = MemoryGraph(
    [
        ("Ann", "pupil of", "Bo"),
        ("Bo", "pupil of", "Cy"),
        ("Cy", "cousin", "Ann"),
        ("Mill", "stands in", "Velden"),
        ("Mill", "opened in", "1900"),
        ("Forge", "born in", "Velden"),
        ("Barn", "stands in", "Velden"),
        ("Barn", "location", "Hill"),
    ],
    "kg",
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Whose pupil was Bo?", "get_information(head_entity='Bo', relation='pupil of')"),
        ("Whose cousin is Ann?", "get_information(relation='cousin', tail_entity='Ann')"),
        ("Whose cousin is Cy?", "get_information(head_entity='Cy', relation='cousin')"),
        ("Where is the Mill?", "get_information(head_entity='Mill', relation='stands in')"),
    ],
)
def test_the_words_say_the_side_of_the_name(question: str, expected: str) -> None:
    assert calls(question, FEW_WORDS) == [expected]


@pytest.mark.parametrize(
    "question",
    [
        "Whose pupil is Cy?",
        "Where is the Barn?",
        "Where is the Forge?",
        "Whose best pupil was Bo?",
    ],
)
def test_what_no_relation_says_or_several_say_has_no_program(question: str) -> None:
    assert calls(question, FEW_WORDS) == []


def test_a_kind_behind_a_name_says_what_that_is_after_an_article_alone() -> None:
    assert calls("Who designed the Dovetail violin?") == [DESIGNER]
    assert not calls("Who designed Dovetail Orchard?") and not calls("who designed dovetail orchard")


def rides(*more: tuple[str, str, str]) -> MemoryGraph:
    facts = [
        ("Log Tumble", "type", "water ride"),
        ("Log Tumble", "height", "12"),
        ("Log Tumble", "stands in", "Goblin Hollow"),
        ("Ghost Train", "type", "dark ride"),
        ("Ghost Train", "height", "6"),
        ("Ghost Train", "stands in", "Moonbase"),
        ("Moonbase", "type", "area"),
        ("Goblin Hollow", "type", "area"),
        *more,
    ]
    return MemoryGraph(facts, "kg")


def test_kinds_of_a_kind_are_all_of_it() -> None:
    found = proposals("what is the tallest ride", rides())
    assert "dark ride" in found[0].program
    assert "'ride' is taken for what is 'dark ride', 'water ride'." in found[0].notes


def test_kinds_of_a_kind_are_not_all_of_it_if_another_kind_has_the_same_relations() -> None:
    maze = [("Yew Walk", "type", "hedge maze"), ("Yew Walk", "height", "41"), ("Yew Walk", "stands in", "Moonbase")]
    assert calls("what is the tallest ride", rides(*maze)) == []
    other = [("Thornback", "type", "coaster"), ("Thornback", "height", "41"), ("Thornback", "stands in", "Moonbase")]
    assert "coaster" in proposals("what is the tallest ride", rides(*other))[0].program


MILLS = MemoryGraph(
    [
        ("Aldwick Mill", "is located in", "Aldwick"),
        ("Aldwick Mill", "is owned by", "Marsden Cloth"),
        ("Aldwick Mill", "weaves", "tweed"),
        ("Aldwick Mill", "weaves", "flannel"),
        ("Aldwick Mill", "looms", "40"),
        ("Aldwick Mill", "price per metre", "12"),
        ("Brigg Mill", "is located in", "Thornley"),
        ("Brigg Mill", "is owned by", "Marsden Cloth"),
        ("Brigg Mill", "weaves", "denim"),
        ("Brigg Mill", "looms", "90"),
        ("Brigg Mill", "has manager", "Josef Lantos"),
        ("Carrow Mill", "is located in", "Aldwick"),
        ("Carrow Mill", "is owned by", "Hebble Trust"),
        ("Carrow Mill", "weaves", "linen"),
        ("Carrow Mill", "has manager", "Nora Pell"),
        ("Carrow Mill", "employs", "65"),
        ("Aldwick", "lies on the river", "Aller"),
        ("Thornley", "lies on the river", "Brune"),
        ("Nora Pell", "lives in", "Thornley"),
        ("Josef Lantos", "lives in", "Thornley"),
    ],
    "kg",
)
ON_ALLER = "get_information(relation='lies on the river', tail_entity='Aller')"
OF_MARSDEN = "get_information(relation='is owned by', tail_entity='Marsden Cloth')"


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("Which mills lie on the river Aller?", [ON_ALLER, "relation='is located in', tail_entity='output_of_query1'"]),
        (
            "Which river is Brigg Mill on?",
            [
                "get_information(head_entity='Brigg Mill', relation='is located in')",
                "head_entity='output_of_query1', relation='lies on the river'",
            ],
        ),
    ],
)
def test_what_a_place_has_is_said_of_what_is_there(question: str, program: list[str]) -> None:
    *first, last = calls(question, MILLS)
    assert first == program[:-1]
    assert program[-1] in last


def test_the_place_asked_for_is_that_of_the_verb() -> None:
    found = calls("In which town does the manager of Brigg Mill live?", MILLS)
    assert found == [
        "get_information(head_entity='Brigg Mill', relation='has manager')",
        "get_information(head_entity='output_of_query1', relation='lives in')",
    ]


def test_an_adjective_before_a_kind_is_not_left_unchecked() -> None:
    assert calls("Which mills does Marsden Cloth own?", MILLS) == [OF_MARSDEN]
    assert calls("Which electric mills does Marsden Cloth own?", MILLS) == []


@pytest.mark.parametrize(
    ("question", "last"),
    [
        ("What does Aldwick Mill weave besides tweed?", "set_difference(set1='output_of_query1', set2='tweed')"),
        (
            "Which mills other than Brigg Mill does Marsden Cloth own?",
            "set_difference(set1='output_of_query1', set2='Brigg Mill')",
        ),
        ("How many mills are there apart from Brigg Mill?", "count(set='output_of_query2')"),
    ],
)
def test_what_is_left_out_is_taken_away(question: str, last: str) -> None:
    assert calls(question, MILLS)[-1] == last


def test_only_what_may_be_an_answer_is_left_out() -> None:
    assert calls("What does Aldwick Mill weave besides Marsden Cloth?", MILLS) == []


def test_how_much_more_is_a_difference() -> None:
    assert calls("How many more looms does Brigg Mill have than Aldwick Mill?", MILLS) == [
        "get_information(head_entity='Brigg Mill', relation='looms')",
        "get_information(head_entity='Aldwick Mill', relation='looms')",
        "subtract('output_of_query1', 'output_of_query2')",
    ]


@pytest.mark.parametrize("question", ["Which company owns the most mills?", "Who owns the most mills?"])
def test_the_most_is_counted_for_the_other_side_of_a_kind(question: str) -> None:
    found = calls(question, MILLS)
    assert found[0] == "get_information(relation='is owned by')"
    assert any(call.startswith("argmax(") for call in found)


def test_what_two_things_share_is_the_same() -> None:
    found = calls("Do Brigg Mill and Aldwick Mill share an owner?", MILLS)
    assert found[-1] == "exists(set='output_of_query3')"
    found = calls("Which mills share an owner with Brigg Mill?", MILLS)
    assert found[-1] == "set_difference(set1='output_of_query2', set2='Brigg Mill')"


def test_a_name_before_a_noun_says_of_which_kind() -> None:
    found = calls("Which Marsden Cloth mills weave denim?", MILLS)
    assert set(found[:2]) == {"get_information(relation='weaves', tail_entity='denim')", OF_MARSDEN}
    found = calls("Which Marsden Cloth mills have no manager?", MILLS)
    assert found == [OF_MARSDEN, "heads(relation='has manager')", found[-1]]
    assert found[-1].startswith("set_difference(")


def test_how_many_people_is_the_number_itself() -> None:
    assert calls("How many people work at Carrow Mill?", MILLS) == [
        "get_information(head_entity='Carrow Mill', relation='employs')"
    ]


def test_a_refusal_says_what_does_not_go_together_and_what_names_have() -> None:
    with pytest.raises(CannotPropose) as refusal:
        proposals("Which mills make both tweed and flannel?", MILLS)
    assert refusal.value.reason.endswith("how 'tweed', 'flannel', 'mills' belong together")
    assert "'tweed' has 'weaves': ask in these words." in refusal.value.then


FILMS = MemoryGraph(
    [
        ("Night Ferry", "starred_actors", "Ida Moss"),
        ("Night Ferry", "written_by", "Oda Hart"),
        ("Night Ferry", "in_language", "Norwegian"),
        ("Salt Road", "starred_actors", "Ida Moss"),
        ("Salt Road", "written_by", "Tom Reed"),
        ("Salt Road", "in_language", "English"),
    ],
    "kg",
)


def test_a_name_of_a_participle_and_a_noun_has_the_words_for_the_noun() -> None:
    assert "relation='starred_actors'" in calls("Which actress is in Night Ferry?", FILMS)[-1]
    assert "relation='in_language'" in calls("Which languages are the films starring Ida Moss in?", FILMS)[-1]


def test_words_near_to_one_relation_are_no_name_of_another() -> None:
    found = calls("the films starred by Ida Moss were written by who", FILMS)
    assert found != ["get_information(relation='starred_actors', tail_entity='Ida Moss')"]


def test_also_leaves_out_the_name_that_the_way_comes_back_to() -> None:
    found = calls("the actress of Night Ferry also starred in which films", FILMS)
    assert found[-1].endswith("set2='Night Ferry')")


def test_a_prefix_is_no_noun() -> None:
    assert calls("Ida Moss is a co-star of who?", FILMS) == []


def test_what_films_share_is_said_before_the_name() -> None:
    assert calls("the films that share actors with Night Ferry are written by who", FILMS) == []


def test_a_reading_that_leaves_a_relation_out_does_not_stand_for_one_that_has_it() -> None:
    found = calls("what were the languages of films written by the writer of Night Ferry", FILMS)
    assert not found or "relation='in_language'" in found[-1]


ENCLOSURES = MemoryGraph(
    [
        *((animal, "type", "animal") for animal in ("Kofi", "Suki", "Pepper", "Mirabel", "Otto", "Lola")),
        *((place, "type", "enclosure") for place in ("Lion Rock", "Mountain Trail", "Penguin Cove", "Tropical Dome")),
        ("Kofi", "enclosure", "Lion Rock"),
        ("Suki", "enclosure", "Mountain Trail"),
        ("Pepper", "enclosure", "Penguin Cove"),
        ("Lola", "enclosure", "Tropical Dome"),
        ("Lion Rock", "vet", "Ines Calloway"),
        ("Mountain Trail", "vet", "Ruben Stahl"),
        ("Penguin Cove", "vet", "Ruben Stahl"),
    ],
    "kg",
)


def test_the_noun_of_a_relation_that_is_asked_for_is_not_what_has_it() -> None:
    found = calls("Which enclosures have Ruben Stahl as vet?", ENCLOSURES)
    assert not any("relation='enclosure', tail_entity" in call for call in found)


def test_a_noun_for_a_kind_says_no_less_than_the_same_noun_for_a_relation() -> None:
    programs = [each.program for each in proposals("Which enclosures have Ruben Stahl as vet?", ENCLOSURES)]
    assert any("relation='type', tail_entity='enclosure'" in each for each in programs)


SPECIES = MemoryGraph(
    [
        *((animal, "type", "animal") for animal in ("Kofi", "Tamsin", "Otto", "Hugo", "Admiral")),
        ("Kofi", "species", "lion"),
        ("Tamsin", "species", "lion"),
        ("Otto", "species", "Asian elephant"),
        ("Hugo", "species", "orangutan"),
        ("Admiral", "species", "giant tortoise"),
        *((animal, "enclosure", "Dome") for animal in ("Hugo", "Admiral")),
        ("Kofi", "weight_kg", "168"),
        ("Tamsin", "weight_kg", "132"),
        ("lion", "food", "beef"),
        ("Asian elephant", "food", "hay"),
        ("Dome", "keeper", "Ann Vale"),
        ("Dome", "type", "enclosure"),
        ("Otto", "donor", "Eleanor Pym"),
    ],
    "kg",
)


def test_the_last_word_of_a_kind_stands_for_the_things_of_it() -> None:
    elephants = "get_information(relation='species', tail_entity='Asian elephant')"
    assert calls("How many elephants are there?", SPECIES)[0] == elephants


def test_what_several_weigh_together_is_added_up() -> None:
    assert calls("How much do all the lions weigh together?", SPECIES)[-1].startswith("sum(")
    assert calls("Which lions live together?", SPECIES) == []


def test_what_a_kind_has_itself_is_asked_of_the_kind() -> None:
    assert calls("What do the elephants eat?", SPECIES) == [
        "get_information(head_entity='Asian elephant', relation='food')"
    ]


def test_the_noun_that_is_asked_for_is_no_part_of_other_words_for_a_relation() -> None:
    found = calls("Which animals does Ann Vale look after?", SPECIES)
    assert found != ["get_information(relation='keeper', tail_entity='Ann Vale')"]


def test_what_is_not_of_a_kind_is_left_out() -> None:
    found = calls("Which animal in the Dome isn't an orangutan?", SPECIES)
    assert "get_information(relation='species', tail_entity='orangutan')" in found
    assert found[-1].startswith("set_difference(")


def test_a_noun_for_the_whole_says_nothing_where_the_graph_has_no_such_thing() -> None:
    assert calls("the heaviest animal in the zoo?", SPECIES)[-1].startswith("argmax(")
    assert calls("Which animals were given to the zoo by Eleanor Pym?", SPECIES)


def test_the_kinds_of_things_are_asked_for_and_not_the_things() -> None:
    cheeses = [("Round", "hard cheese"), ("Ash", "soft cheese"), ("Blue", "blue cheese")]
    graph = MemoryGraph([(cheese, "is a kind of", kind) for cheese, kind in cheeses], "kg")
    assert calls("What kinds of cheese are there?", graph)[-1].endswith("relation='is a kind of')")
