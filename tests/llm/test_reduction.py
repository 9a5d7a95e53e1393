"""Yes or no, durations, counts and `not` over graphs: reduced to questions that demonstrations or relations answer."""

from __future__ import annotations

import pytest

from cgstore.cypher.connection import OUT_OF_TIME
from cgstore.embedding.encoder import Encoder
from cgstore.llm.backends import Attempt, CannotPropose, Proposal, first_that_answers
from cgstore.llm.backends.rewrite import RewriteBackend
from cgstore.llm.backends.rewrite.limits_of_time import marked, part_limits, with_decades_as_years
from cgstore.llm.demonstrations import load_demonstrations
from cgstore.model import Answer
from cgstore.query.external_functions import Evaluator
from cgstore.query.parse import parse
from tests.llm.memory_graph import FACTS, MemoryGraph

KIM = "get_information(head_entity='Kim O\\'Dell', relation='position held', tail_entity='Governor of Veria'"
ROSA = "get_information(head_entity='Rosa Winkler', relation='position held', tail_entity='Governor of Veria'"
NADIA = "get_information(head_entity='Nadia Orlov', relation='member of sports team'"
GOVERNORS = "get_information(relation='position held', tail_entity='Governor of Veria'"
FILMS = (
    ("Glass Hill", "directed by", "Vera Lund"),
    ("Glass Hill", "starred", "Nils Arden"),
    ("Glass Hill", "genre", "drama"),
    ("Red Barn", "starred", "Nils Arden"),
    ("Red Barn", "directed by", "Nils Arden"),
    ("Port Sella", "located in", "Lorvia"),
    ("Lorvia", "located in", "Norra"),
    ("Port Sella", "inhabitants", "1200"),
    ("Vera Lund", "born in", "Port Sella"),
)


@pytest.fixture(scope="module")
def backend(encoder: Encoder) -> RewriteBackend:
    return RewriteBackend(load_demonstrations(), encoder)


@pytest.fixture
def films() -> MemoryGraph:
    return MemoryGraph(FILMS, "kg")


def proposal(backend: RewriteBackend, graph: MemoryGraph, question: str) -> Proposal:
    return next(backend.propose(question, graph))


def calls(backend: RewriteBackend, graph: MemoryGraph, question: str) -> list[str]:
    program = proposal(backend, graph, question).program
    parse(program)
    return [line.split('"', 1)[1].rstrip('"') for line in program.splitlines()]


def why_not(backend: RewriteBackend, graph: MemoryGraph, question: str) -> str:
    with pytest.raises(CannotPropose) as caught:
        proposal(backend, graph, question)
    return caught.value.reason


@pytest.mark.parametrize(
    ("question", "search"),
    [
        ("Was Rosa Winkler Governor of Veria in 1986?", f"{ROSA}, key='time', value='1986')"),
        ("was rosa winkler governor of veria before 1986", f"{ROSA}, key='time', value<'1986')"),
        ("In 1986, was Rosa Winkler Governor of Veria?", f"{ROSA}, key='time', value='1986')"),
        ("Can you tell me whether Rosa Winkler was Governor of Veria in 1986?", f"{ROSA}, key='time', value='1986')"),
        ("Did Rosa Winkler become Governor of Veria in 1986?", f"{ROSA}, key='start_time', value='1986')"),
        ("Was Rosa Winkler Governor of Veria until 1990?", f"{ROSA}, key='end_time', value='1990')"),
        (
            "Did Nadia Orlov play for Port Vell between 1980 and 1995?",
            f"{NADIA}, tail_entity='Port Vell', key='time', value>='1980', value<='1995')",
        ),
    ],
)
def test_yes_or_no_is_whether_the_fact_holds_then(
    question: str, search: str, backend: RewriteBackend, graph: MemoryGraph
) -> None:
    assert calls(backend, graph, question) == [search, "exists(set='output_of_query1')"]


def test_a_no_says_what_was_looked_for(backend: RewriteBackend, graph: MemoryGraph) -> None:
    note = proposal(backend, graph, "Was Rosa Winkler Governor of Veria in 1983?").if_no
    assert "'Rosa Winkler | position held | Governor of Veria', in 1983" in note


@pytest.mark.parametrize(
    ("question", "bound"),
    [
        ("Was Rosa Winkler Governor of Veria during the Verian Flood?", "head_entity='Verian Flood', key='time'"),
        (
            "Was Rosa Winkler Governor of Veria after Kim O'Dell?",
            "head_entity='Kim O\\'Dell', relation='position held'",
        ),
        ("Was Rosa Winkler Governor of Veria when Pia Sand played for A.C. Terrano?", "tail_entity='A.C. Terrano'"),
    ],
)
def test_another_fact_bounds_a_yes_or_no(
    question: str, bound: str, backend: RewriteBackend, graph: MemoryGraph
) -> None:
    first, *_, fact, last = calls(backend, graph, question)
    assert bound in first
    assert fact.startswith(f"{ROSA}, key='time', value")
    assert last.startswith("exists(")


def test_an_order_is_asked_of_the_question_with_who(backend: RewriteBackend, graph: MemoryGraph) -> None:
    found = calls(backend, graph, "Was Kim O'Dell the first Governor of Veria?")
    assert found[1] == "min(set='output_of_query1')"
    assert found[-2].endswith("set2='Kim O\\'Dell')")


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Did Verian Flood receive the Golden Boot?", "'Verian Flood' has no 'award received'"),
        ("Is Rosa Winkler Governor of Veria?", "'is' asks for now"),
        ("Was Rosa Winkler never Governor of Veria?", "a yes or a no to a question with 'not'"),
        (
            "Was Rosa Winkler Governor of Veria in 2050?",
            "the data say nothing of 'in 2050': their times are 1970 to 1997",
        ),
        ("Was Zed Quill Governor of Veria?", "the graph has no node named 'Zed Quill'"),
        ("Was the deputy of Rosa Winkler Governor of Veria?", "the word 'deputy'"),
        ("How long was Rosa Winkler Governor of Veria in 1986?", "how long something was within a time ('in 1986')"),
        ("Who was never Governor of Veria?", "nothing says who all the people are"),
    ],
)
def test_what_a_no_cannot_say_is_refused(
    question: str, reason: str, backend: RewriteBackend, graph: MemoryGraph
) -> None:
    assert why_not(backend, graph, question).startswith(reason)


def test_a_duration_is_the_sum_of_the_terms_from_start_to_end(backend: RewriteBackend, graph: MemoryGraph) -> None:
    found = proposal(backend, graph, "how long was Rosa Winkler Governor of Veria?")
    assert f"year_difference(each, {ROSA}, key='end_time', where_key='start_time', where_value=each))" in found.program
    assert "the end minus the start of each term" in found.notes[0]
    assert "each start is the year of its end" in found.if_nothing


def test_days_are_counted_where_the_source_has_days(backend: RewriteBackend, graph: MemoryGraph) -> None:
    graph.step = "day"
    found = proposal(backend, graph, "For how many years was Kim O'Dell Governor of Veria?")
    assert "day_difference" in found.program
    assert "365.25" in found.notes[0]


def test_years_say_no_months(backend: RewriteBackend, graph: MemoryGraph) -> None:
    assert "which do not say how many months" in why_not(
        backend, graph, "For how many months was Rosa Winkler Governor of Veria?"
    )


@pytest.mark.parametrize(
    "question", ["Who was Governor of Veria longest?", "Who was the longest-serving Governor of Veria?"]
)
def test_the_longest_is_that_of_the_longest_terms(question: str, backend: RewriteBackend, graph: MemoryGraph) -> None:
    found = calls(backend, graph, question)
    assert found[0] == f"{GOVERNORS})"
    assert found[-1] == "argmax(set='output_of_query3')"


@pytest.mark.parametrize(
    ("question", "search"),
    [
        (
            "How many people were Governor of Veria between 1980 and 1990?",
            f"{GOVERNORS}, key='time', value>='1980', value<='1990')",
        ),
        ("How many governors did Veria have before 1985?", f"{GOVERNORS}, key='time', value<'1985')"),
        ("how many clubs did Nadia Orlov play for before 1994", f"{NADIA}, key='time', value<'1994')"),
        ("How many times was Kim O'Dell Governor of Veria?", f"{KIM}, key='start_time')"),
    ],
)
def test_a_number_is_the_count_of_the_set(
    question: str, search: str, backend: RewriteBackend, graph: MemoryGraph
) -> None:
    assert calls(backend, graph, question) == [search, "count(set='output_of_query1')"]


def test_not_leaves_the_other_values_of_the_relation(backend: RewriteBackend, graph: MemoryGraph) -> None:
    assert calls(backend, graph, "which team did Nadia Orlov not play for in 1995?") == [
        "get_information(relation='member of sports team')",
        f"{NADIA}, key='time', value='1995')",
        "set_difference(set1='output_of_query1', set2='output_of_query2')",
    ]


def test_the_longer_of_two_is_the_longest_among_them(backend: RewriteBackend, graph: MemoryGraph) -> None:
    found = calls(backend, graph, "Who was Governor of Veria for longer, Kim O'Dell or Rosa Winkler?")
    assert found[:2] == [f"{GOVERNORS})", "set_intersection(set1='output_of_query1', set2='Kim O\\'Dell')"]
    assert found[-2:] == ["argmax(set='output_of_query6')", "if(count(set='output_of_query4') > 1, 'output_of_query7')"]


def test_still_adds_nothing_to_a_time(backend: RewriteBackend, graph: MemoryGraph) -> None:
    asked = "Was Kim O'Dell{} Governor of Veria in 1983?"
    assert calls(backend, graph, asked.format(" still")) == calls(backend, graph, asked.format(""))


def test_since_says_how_it_is_taken(backend: RewriteBackend, graph: MemoryGraph) -> None:
    began = proposal(backend, graph, "Who was Governor of Veria since 1985?")
    assert "key='start_time', value='1985'" in began.program
    assert began.notes == ("'since 1985' is taken to say that it began then.",)
    begun, later, _ = calls(backend, graph, "Which teams did Nadia Orlov play for since 1994?")
    assert begun == f"{NADIA}, key='start_time', value>='1994')"
    assert later == f"{NADIA}, key='time', value>'1994')"


def test_a_decade_in_words_is_that_of_the_last_century(backend: RewriteBackend, graph: MemoryGraph) -> None:
    assert with_decades_as_years("in the '80s") == ("in the 1980s", ("'the '80s' is taken for the 1980s.",))
    found = proposal(backend, graph, "Who was Governor of Veria in the eighties?")
    assert "value='1980s'" in found.program
    assert found.notes == ("'the eighties' is taken for the 1980s.",)


@pytest.mark.parametrize(
    ("question", "search"),
    [
        (
            "Did Vera Lund direct Glass Hill?",
            "head_entity='Glass Hill', relation='directed by', tail_entity='Vera Lund'",
        ),
        (
            "Was Glass Hill directed by Vera Lund?",
            "head_entity='Glass Hill', relation='directed by', tail_entity='Vera Lund'",
        ),
        ("did nils arden star in red barn", "head_entity='Red Barn', relation='starred', tail_entity='Nils Arden'"),
        ("Is Glass Hill a drama?", "head_entity='Glass Hill', relation='genre', tail_entity='drama'"),
    ],
)
def test_yes_or_no_in_the_words_of_a_relation(
    question: str, search: str, backend: RewriteBackend, films: MemoryGraph
) -> None:
    assert calls(backend, films, question) == [f"get_information({search})", "exists(set='output_of_query1')"]


def test_a_place_is_in_what_its_place_is_in(backend: RewriteBackend, films: MemoryGraph) -> None:
    first, *_ = calls(backend, films, "Is Port Sella in Norra?")
    assert first == "reach(head_entity='Port Sella', relation='located in')"


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Did Vera Lund star in Glass Hill?", "'Vera Lund' has no 'starred' in the graph"),
        ("Is Vera Lund in Port Sella?", "it is not understood of which fact this asks"),
        ("Did Nils Arden sing in Glass Hill?", "the word 'sing' is not understood"),
    ],
)
def test_a_relation_that_is_not_understood_or_lacking_is_no_no(
    question: str, reason: str, backend: RewriteBackend, films: MemoryGraph
) -> None:
    assert why_not(backend, films, question).startswith(reason)


@pytest.mark.parametrize(
    "question", ["how long was Rosa Winkler Governor of Veria?", "Who was Governor of Veria longest?"]
)
def test_a_term_without_an_end_has_no_duration(question: str, backend: RewriteBackend, graph: MemoryGraph) -> None:
    def run(program: str, evaluate: Evaluator | None = None) -> Attempt:
        values = ("1985",) if program.splitlines()[-1].startswith('Query3: "keep(') and "count(" in program else ("9",)
        return Attempt(program, Answer(answer=values, program=program))

    decision = backend.decide(question, graph, run)
    assert decision.chosen is None
    assert "'1985' has no end in the data" in decision.warnings[0]


def test_a_number_in_the_data_is_not_counted(backend: RewriteBackend, films: MemoryGraph) -> None:
    assert calls(backend, films, "How many inhabitants does Port Sella have?") == [
        "get_information(head_entity='Port Sella', relation='inhabitants')"
    ]


def test_the_article_before_a_name_belongs_to_it(backend: RewriteBackend) -> None:
    graph = MemoryGraph([*FACTS, ("Bo Ek", "member of sports team", "Rovers", "1990", "1991")])
    found = calls(backend, graph, "did bo ek play for the rovers in 1990")
    assert "tail_entity='Rovers', key='time', value='1990'" in found[0]


def test_limits_of_time_are_parted_from_the_question(graph: MemoryGraph) -> None:
    question = "Did Pia Sand play for A.C. Terrano before Nadia Orlov did?"
    found = marked(question, graph.mentions(question))
    (limit,) = part_limits(found)
    assert (limit.sign, limit.name.name if limit.name else "") == ("<", "Nadia Orlov")
    assert found.restored(found.text) == "Did Pia Sand play for A.C. Terrano"


def test_notes_go_with_the_answer_that_needs_them() -> None:
    def run(program: str, evaluate: Evaluator | None = None) -> Attempt:
        values = {"yes": ("yes",), "no": ("no",)}.get(program, ())
        return Attempt(program, Answer(answer=values, program=program))

    proposals = {
        program: Proposal(program, 1.0, "", ("taken so",), "not said", "unknown") for program in ("yes", "no", "")
    }
    notes = [first_that_answers([each], run).warnings for each in proposals.values()]
    assert notes == [("taken so",), ("taken so", "not said"), ("unknown",)]


def test_no_other_program_stands_in_for_one_that_ran_out_of_time() -> None:
    def run(program: str, evaluate: Evaluator | None = None) -> Attempt:
        late = Attempt(program, error=f"{OUT_OF_TIME} Give more with `timeout` SECONDS.")
        return late if program == "days" else Attempt(program, Answer(answer=("9",), program=program))

    found = first_that_answers([Proposal("days", 1.0, "", if_nothing="unknown"), Proposal("years", 0.9, "")], run)
    assert found.chosen is None and [each.program for each in found.attempts] == ["days"] and not found.warnings
