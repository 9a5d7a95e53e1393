"""Names and times in a question: what is taken, what is left, and the view of the graph that backends get."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import Mention, choose_mentions, unknown_names, word_spans
from cgstore.store import Store
from tests.conftest import wipe
from tests.llm.memory_graph import MemoryGraph, row


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


@pytest.mark.parametrize(
    ("question", "names", "found"),
    [
        ("What was Luca Bucci's first team?", ["Luca Bucci"], ("Luca Bucci", "Luca Bucci", "exact")),
        ("where did gyula illyes live", ["Gyula Illyés"], ("gyula illyes", "Gyula Illyés", "normalised")),
        ("Who played for A.C. Milan?", ["Milan", "A.C. Milan", "A.C."], ("A.C. Milan", "A.C. Milan", "exact")),
        ("Who won at the 1992 Games?", ["1992 Games"], ("1992 Games", "1992 Games", "exact")),
    ],
    ids=["a possessive", "another spelling", "the longest name", "a year within a name"],
)
def test_the_whole_name_is_found_and_nothing_else(question: str, names: list[str], found: tuple[str, ...]) -> None:
    assert taken(question, *names) == [found]


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


def test_a_name_that_holds_a_month_is_no_time() -> None:
    assert taken("Who met Theresa May in 1995?", "Theresa May") == [
        ("Theresa May", "Theresa May", "exact"),
        ("1995", "1995", "time"),
    ]


def test_a_number_that_the_graph_has_as_value_is_a_time() -> None:
    assert [m.kind for m in mentions("Who ruled in 546?", row("546", value=True))] == ["time"]


@pytest.mark.parametrize("value", [True, False])
def test_a_number_is_not_the_negative_one_that_the_graph_has_and_no_year(value: bool) -> None:
    assert mentions("Who was queen in 40, with 12345 or 1,200 or 3.1415?", row("-40", value=value)) == []


def test_a_short_number_is_a_year_where_the_sources_have_such_years() -> None:
    question = "Who was queen in 40?"
    found = choose_mentions(question, word_spans(question), [], has_short_years=True)
    assert [(m.text, m.kind) for m in found] == [("40", "time")]


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


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("Which team did Nadia Orlov play for in 1994?", []),
        ("Which team did Zora Blum play for in 1994?", ["Zora Blum"]),
        ("Zora Blum was on which team?", ["Zora Blum"]),
        ("Was Zora Blum a governor?", ["Zora Blum"]),
        ("Who was the Duke of York in 1994?", ["Duke of York"]),
        ('Who sang "blue skies"?', ["blue skies"]),
        ("Who led the 44th session?", ["44th"]),
        ("Teams of Nadia Orlov?", []),
        ("which team was nadia orlov ii on?", ["ii"]),
        ("Which team was Nadia Orlov Two on?", ["Two"]),
        ("Which team was Nadia Orlov on second?", []),
        ("Nadia Orlov v the team?", []),
        ("Who beat Nadia Orlov at F.C. Nowhere?", ["F.C. Nowhere"]),
    ],
)
def test_what_stands_for_a_name_and_is_none_of_the_graph_is_told(question: str, unknown: list[str]) -> None:
    assert unknown_names(question, MemoryGraph().mentions(question)) == unknown


SOURCES = {
    "mine": """Luca Buono\tmember of sports team\tA.C. Terrano\t1990\t1993
Luca Buono\taward received\t"Big Bowl" (A Crow Chief)\t1994\t1994
Kim O'Dell\tposition held\tdelegate\t1980\t1984
""",
    "other": "Kim O'Dell\tspouse\tLuca Buono\t1999\t2001\nPetra Voss\tspouse\tOtto\t1990\t1991\n",
    "sets": "3\tpart of\t2001\n2001\tpart of\tyears\n",
    "wins": "Name,Wins,Year\nAnn,3,2001\nBob,2,2001\n",
}


@pytest.fixture(scope="module")
def db(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Database:
    wipe(shared_db)
    folder, store = tmp_path_factory.mktemp("mentions"), Store(shared_db)
    for name, text in SOURCES.items():
        (folder / f"{name}.tsv").write_text(text, encoding="utf-8")
    for name in ("mine", "other"):
        store.load_tkg(folder / f"{name}.tsv", name=name)
    store.load_kg(folder / "sets.tsv", header=False)
    store.load_table(folder / "wins.tsv", header=True, delimiter=",")
    return shared_db


@pytest.mark.parametrize(
    ("sources", "question", "found"),
    [
        (["mine"], "Did Petra Voss know Luca Buono of A.C. Terrano?", ["entity Luca Buono", "entity A.C. Terrano"]),
        (["mine", "other"], "Did Petra Voss know Luca?", ["entity Petra Voss"]),
        (
            ["mine"],
            "Which position held Kim O'Dell in 1980?",
            ["relation position held", "entity Kim O'Dell", "time 1980"],
        ),
        (["mine"], "At what start time and Time was it?", []),
        (["sets"], "Who won 3 times?", ["entity 3"]),
        (["wins"], "Who won 3 times?", ["time 3"]),
    ],
    ids=["one source", "two", "relations", "no keys of time", "a number that is a name", "a number in a cell"],
)
def test_mentions_come_from_the_sources_asked(
    db: Database, sources: list[str], question: str, found: list[str]
) -> None:
    assert [f"{m.kind} {m.name}" for m in GraphView(db, sources).mentions(question)] == found


def test_the_view_knows_the_relations_of_its_sources(db: Database) -> None:
    view = GraphView(db, ["mine"])
    assert view.relations == ("award received", "member of sports team", "position held")
    assert view.kinds == ("tkg",)
