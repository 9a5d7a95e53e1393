"""Names and times in a question: what is taken, what is left, and the view of the graph that backends get."""

from __future__ import annotations

from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.llm.graph_view import GraphView
from cgstore.loaders.tkg import TkgOptions, load_tkg
from cgstore.mapping.mentions import Mention, choose_mentions, word_spans
from cgstore.text.asked_times import find_times
from tests.llm.memory_graph import row

FACTS = """Luca Buono\tmember of sports team\tA.C. Terrano\t1990\t1993
Luca Buono\taward received\t"Big Bowl" (A Crow Chief)\t1994\t1994
Kim O'Dell\tposition held\tdelegate\t1980\t1984
"""


def taken(question: str, *names: str | dict[str, object]) -> list[tuple[str, str, str]]:
    """(text, name, how) of the mentions in a question to a graph with these entities."""
    return [(m.text, m.name, m.how) for m in mentions(question, *names)]


def mentions(question: str, *names: str | dict[str, object]) -> list[Mention]:
    rows = [row(n) if isinstance(n, str) else n for n in names]
    spans = word_spans(question)
    return choose_mentions(question, spans, [r for r in rows if r["form"] in spans])


@pytest.mark.parametrize(
    "name",
    [
        "A.C. Milan",
        '"Big Bowl" (A Crow Chief)',
        "50/50",
        "Captain Rt. Hon. Edward Algernon FitzRoy",
        "Donny O'Hare",
        "Gyula Illyés",
        "Robert Stewart, Viscount Castlereagh",
        "AFC Ajax–player of the year",
        "Mayor of St. John's",
    ],
)
def test_names_with_punctuation_are_found_as_spelt(name: str) -> None:
    assert taken(f"Who knew {name} in those days?", name) == [(name, name, "exact")]


def test_a_possessive_s_is_no_part_of_the_name() -> None:
    assert taken("What was Luca Bucci's first team?", "Luca Bucci") == [("Luca Bucci", "Luca Bucci", "exact")]


def test_other_spellings_are_found_by_normal_form() -> None:
    assert taken("where did gyula illyes live", "Gyula Illyés") == [("gyula illyes", "Gyula Illyés", "normalised")]


def test_the_longest_name_wins() -> None:
    names = ("Milan", "A.C. Milan", "A.C. Milan Primavera")
    assert taken("Who played for A.C. Milan Primavera?", *names) == [("A.C. Milan Primavera",) * 2 + ("exact",)]


def test_nodes_of_one_normal_form_are_all_kept_exact_first_then_by_degree() -> None:
    names = (row("the hague", degree=9), row("The Hague", degree=2), row("THE HAGUE", degree=5))
    found = [name for _, name, _ in taken("Who lived in The Hague?", *names)]
    assert found == ["The Hague", "the hague", "THE HAGUE"]


def test_years_and_iso_times_are_times() -> None:
    found = [(m.text, m.kind) for m in mentions("Was it in 1981, 1982-03 or 1983-04-05?", "1981")]
    assert found == [("1981", "time"), ("1982-03", "time"), ("1983-04-05", "time")]


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("5 May 1995", "1995-05-05"),
        ("the 5th of May, 1995", "1995-05-05"),
        ("May 5, 1995", "1995-05-05"),
        ("Sept. 1st 1995", "1995-09-01"),
        ("29 February 1996", "1996-02-29"),
        ("May 1995", "1995-05"),
        ("may of 1995", "1995-05"),
    ],
)
def test_days_and_months_in_words_are_times_by_their_iso_names(text: str, iso: str) -> None:
    assert taken(f"Who was mayor on {text}?") == [(text, iso, "time")]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who was minister in the 1980s?", "1980s"),
        ("Who painted in the 19th century?", "19th century"),
        ("What was built in the 5th century BC?", "5th century BC"),
        ("Who was consul in 44 BC?", "-43"),
    ],
)
def test_decades_centuries_and_years_bc_are_times(question: str, name: str) -> None:
    assert [time.name for time in find_times(question)] == [name]


@pytest.mark.parametrize("question", ["Who sang in the 1900s?", "Which 300 BC games were there?"])
def test_what_may_be_no_decade_or_year_is_no_time(question: str) -> None:
    assert find_times(question) == []


def test_a_name_that_holds_a_month_is_no_time() -> None:
    assert taken("Who met Theresa May in 1995?", "Theresa May") == [
        ("Theresa May", "Theresa May", "exact"),
        ("1995", "1995", "time"),
    ]


def test_a_year_within_a_name_is_no_time() -> None:
    assert taken("Who won at the 1992 Summer Games?", "1992 Summer Games")[0][0] == "1992 Summer Games"


def test_a_number_that_the_graph_has_as_value_is_a_time() -> None:
    assert [m.kind for m in mentions("Who ruled in 546?", row("546", value=True))] == ["time"]


@pytest.mark.parametrize("value", [True, False])
def test_a_number_is_not_the_negative_one_that_the_graph_has(value: bool) -> None:
    assert mentions("Who was queen in 40?", row("-40", value=value)) == []


def test_a_year_of_four_digits_before_christ_is_not_that_year_after() -> None:
    assert [time.name for time in find_times("Who reigned in Egypt, 1200 BC?")] == ["-1199"]


def test_a_short_number_is_a_year_where_the_sources_have_such_years() -> None:
    question = "Who was queen in 40?"
    found = choose_mentions(question, word_spans(question), [], has_short_years=True)
    assert [(m.text, m.kind) for m in found] == [("40", "time")]


def test_a_long_number_is_no_year() -> None:
    assert mentions("Who has 12345 or 1,200 or 3.1415?") == []


def test_grammar_words_name_nothing_unless_capitalised_or_quoted() -> None:
    assert mentions("Who was the first?", "was", "Who", "the first") == []
    assert [m.text for m in mentions('Who sang for The Who and "was"?', "The Who", "was")] == ["The Who", "was"]


def test_a_lower_case_word_is_a_weak_mention_only_where_the_name_is_spelt_so() -> None:
    assert [(m.text, m.weak) for m in mentions("Who was the delegate?", "delegate")] == [("delegate", True)]
    assert mentions("Who was on the team?", "Team") == []


def test_a_capitalised_word_is_weak_only_where_it_begins_the_sentence() -> None:
    found = mentions("Veria had a governor. Who left Veria?", "Veria")
    assert [m.weak for m in found] == [True, False]


def test_a_weak_mention_yields_to_any_other() -> None:
    assert [m.text for m in mentions("Who was state treasurer?", "treasurer", "state treasurer")] == ["state treasurer"]


def test_a_question_beyond_the_limit_is_refused() -> None:
    with pytest.raises(BadInput, match="at most"):
        word_spans("x " * 3000)


@pytest.fixture(scope="module")
def _file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("facts") / "facts.tsv"
    file.write_text(FACTS, encoding="utf-8")
    return file


@pytest.fixture
def view(db: Database, _file: Path) -> GraphView:
    load_tkg(db, _file, TkgOptions(name="mine"))
    other = _file.with_name("other.tsv")
    other.write_text("Kim O'Dell\tspouse\tLuca Buono\t1999\t2001\nPetra Voss\tspouse\tOtto\t1990\t1991\n")
    load_tkg(db, other, TkgOptions(name="other"))
    return GraphView(db, ["mine"])


def test_mentions_come_from_the_sources_asked(view: GraphView, db: Database) -> None:
    question = "Did Petra Voss know Luca Buono of A.C. Terrano?"
    assert [m.name for m in view.mentions(question)] == ["Luca Buono", "A.C. Terrano"]
    assert next(m.name for m in GraphView(db, ["mine", "other"]).mentions(question)) == "Petra Voss"


def test_relations_are_mentions_of_their_own_kind(view: GraphView) -> None:
    found = [(m.name, m.kind) for m in view.mentions("Which position held Kim O'Dell in 1980?")]
    assert found == [("position held", "relation"), ("Kim O'Dell", "entity"), ("1980", "time")]


def test_the_keys_of_time_are_no_mentions(view: GraphView) -> None:
    assert view.mentions("At what start time and Time was it?") == []


def test_the_view_knows_the_relations_of_its_sources(view: GraphView) -> None:
    assert view.relations == ("award received", "member of sports team", "position held")
    assert view.kinds == ("tkg",)
