"""The backend `demos`: the nearest demonstration's program with the question's names, or silence and why."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import pytest

from cgstore.embedding.encoder import Encoder, encode_cached
from cgstore.errors import BadInput, NoModel, in_session, naming_options
from cgstore.llm import get_backend
from cgstore.llm.backends import Attempt, CannotPropose
from cgstore.llm.backends.rewrite import RewriteBackend
from cgstore.llm.backends.rewrite.filling import Relations
from cgstore.llm.demonstrations import Demonstration, forms, load_demonstrations
from cgstore.model import Answer
from cgstore.query.external_functions import Evaluator
from cgstore.query.parse import parse
from cgstore.text.questions import heads_question, tails_question
from tests.llm.memory_graph import MemoryGraph, table

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors


@pytest.fixture(scope="module")
def backend(encoder: Encoder) -> RewriteBackend:
    return RewriteBackend(load_demonstrations(), encoder)


def best(backend: RewriteBackend, graph: MemoryGraph, question: str) -> list[str]:
    """The calls of the first proposal, as text."""
    program = next(backend.propose(question, graph)).program
    parse(program)
    return [line.split('"', 1)[1].rstrip('"') for line in program.splitlines()]


def why_not(backend: RewriteBackend, graph: MemoryGraph, question: str) -> CannotPropose:
    with pytest.raises(CannotPropose) as caught:
        next(backend.propose(question, graph))
    return caught.value


def test_names_and_times_of_the_question_take_the_slots(backend: RewriteBackend, graph: MemoryGraph) -> None:
    assert best(backend, graph, "Which club was Nadia Orlov playing for in 1995?") == [
        "get_information(head_entity='Nadia Orlov', relation='member of sports team', key='time', value='1995')"
    ]


def test_an_apostrophe_in_a_name_is_escaped(backend: RewriteBackend, graph: MemoryGraph) -> None:
    (call,) = best(backend, graph, "When was Kim O'Dell Governor of Veria?")
    assert call.startswith(r"get_information(head_entity='Kim O\'Dell', relation='position held', ")


def test_roles_decide_where_the_order_of_names_does_not(backend: RewriteBackend, graph: MemoryGraph) -> None:
    (call,) = best(backend, graph, "When was the Governor of Veria post held by Kim O'Dell?")
    assert r"head_entity='Kim O\'Dell'" in call
    assert "tail_entity='Governor of Veria'" in call


@pytest.mark.parametrize(("word", "function"), [("first", "min"), ("last", "max"), ("final", "max")])
def test_first_and_last_are_told_apart(word: str, function: str, backend: RewriteBackend, graph: MemoryGraph) -> None:
    calls = best(backend, graph, f"What was the {word} team of Nadia Orlov?")
    assert calls[1] == f"{function}(set='output_of_query1')"


@pytest.mark.parametrize(("word", "comparison"), [("before", "<"), ("after", ">")])
def test_before_and_after_are_told_apart(
    word: str, comparison: str, backend: RewriteBackend, graph: MemoryGraph
) -> None:
    calls = best(backend, graph, f"Who was Governor of Veria {word} Rosa Winkler?")
    assert calls[3] == f"keep(set='output_of_query3', value{comparison}'output_of_query2')"


def test_an_event_is_asked_for_its_own_time(backend: RewriteBackend, graph: MemoryGraph) -> None:
    calls = best(backend, graph, "Who was Governor of Veria before the Verian Flood?")
    assert calls[0] == "get_information(head_entity='Verian Flood', key='time')"


def test_an_office_holder_is_not_taken_for_an_event(backend: RewriteBackend, graph: MemoryGraph) -> None:
    calls = best(backend, graph, "Who was Governor of Veria before Rosa Winkler?")
    assert "tail_entity='Governor of Veria'" in calls[0]


def test_another_relation_of_the_entity_takes_the_place_of_one_it_lacks(
    backend: RewriteBackend, graph: MemoryGraph
) -> None:
    graph.facts = [f for f in graph.facts if f[0] != "Rosa Winkler" or f[1] == "member of political party"]
    proposal = next(backend.propose("Of which party was Rosa Winkler a member in 1980?", graph))
    assert "relation='member of political party'" in proposal.program
    assert "'member' is taken for the relation 'member of political party'" in proposal.because


def test_a_program_of_another_meaning_is_no_second_choice(backend: RewriteBackend, graph: MemoryGraph) -> None:
    """She has no successor there; what she was before or after that is another question."""
    proposals = list(backend.propose("Who was Governor of Veria after Rosa Winkler?", graph))
    heads = "get_information(relation='position held', tail_entity='Governor of Veria', key='time', value="
    assert all(heads in p.program.splitlines()[-1] for p in proposals)


def test_both_bounds_of_a_period_are_filled_in_order(backend: RewriteBackend, graph: MemoryGraph) -> None:
    (call,) = best(backend, graph, "Who was Governor of Veria between 1982 and 1986?")
    assert "value>='1982', value<='1986'" in call


def test_all_names_are_used_or_nothing_is_proposed(backend: RewriteBackend, graph: MemoryGraph) -> None:
    question = "Which award did Pia Sand win in 1992 with Nadia Orlov and Kim O'Dell and Rosa Winkler?"
    assert "5 names" not in (reason := why_not(backend, graph, question).reason)
    assert "4 names" in reason


def test_a_name_that_stands_twice_is_used_twice_or_nothing_is_proposed(
    backend: RewriteBackend, graph: MemoryGraph
) -> None:
    question = "Who was Governor of Veria when Kim O'Dell stopped being Governor of Veria?"
    assert "'Governor of Veria' stands 2 times" in why_not(backend, graph, question).reason
    calls = best(backend, graph, "Who was Governor of Veria after Kim O'Dell was Governor of Veria?")
    assert "tail_entity='Governor of Veria'" in calls[0]


@pytest.mark.parametrize(
    ("question", "side"),
    [
        ("Who was taught by Anna Lind?", "tail"),
        ("Who was Anna Lind taught by?", "head"),
        ("Who taught Anna Lind?", "head"),
    ],
)
def test_a_relation_that_ends_in_by_keeps_its_direction(question: str, side: str, backend: RewriteBackend) -> None:
    lessons = [("Katri Salo", "taught by", "Anna Lind"), ("Anna Lind", "taught by", "Olav Brekke")]
    programs = [p.program for p in backend.propose(question, MemoryGraph(lessons, "kg"))]
    assert programs
    assert all(f"{side}_entity='Anna Lind'" in program for program in programs)


def test_a_direction_that_the_graph_lacks_is_refused(backend: RewriteBackend) -> None:
    graph = MemoryGraph([("Katri Salo", "taught by", "Anna Lind")], "kg")
    assert "direction" in why_not(backend, graph, "Who was Anna Lind taught by?").reason


def test_an_unknown_name_is_told_with_the_closest(backend: RewriteBackend, graph: MemoryGraph) -> None:
    told = why_not(backend, graph, "Which team did Nadia Orlova play for in 1995?")
    assert (told.reason, told.closest) == ("the graph has no node named 'Nadia Orlova'", ("Nadia Orlov",))


@pytest.mark.parametrize(
    "question",
    [
        "what is the weather tomorrow?",
        "what colour is the shirt of A.C. Terrano?",
        "who is Governor of Veria now?",
        "who was the deputy of the Governor of Veria in 1986?",
        "who was the father of the first Governor of Veria?",
        "who founded A.C. Terrano in 1990?",
        "when was Nadia Orlov born?",
        "which film did Nadia Orlov direct in 1994?",
        "for how much time was Rosa Winkler Governor of Veria?",
        "what was the duration of the Verian Flood?",
        "why?",
    ],
)
def test_what_no_demonstration_shows_is_not_guessed(question: str, backend: RewriteBackend, graph: MemoryGraph) -> None:
    assert why_not(backend, graph, question).reason


@pytest.mark.parametrize(
    ("question", "call"),
    [
        (
            "Who became Governor of Veria in 1985?",
            "relation='position held', tail_entity='Governor of Veria', key='start_time', value='1985'",
        ),
        (
            "Who left office as Governor of Veria in 1984?",
            "relation='position held', tail_entity='Governor of Veria', key='end_time', value='1984'",
        ),
        (
            "Who was Governor of Veria until 1984?",
            "relation='position held', tail_entity='Governor of Veria', key='end_time', value='1984'",
        ),
        (
            "Since when was Rosa Winkler Governor of Veria?",
            "head_entity='Rosa Winkler', relation='position held', tail_entity='Governor of Veria', key='start_time'",
        ),
        (
            "Which team did Nadia Orlov join in 1994?",
            "head_entity='Nadia Orlov', relation='member of sports team', key='start_time', value='1994'",
        ),
        (
            "Who was Governor of Veria in May 1985?",
            "relation='position held', tail_entity='Governor of Veria', key='time', value='1985-05'",
        ),
    ],
)
def test_a_word_of_time_is_expressed_by_the_program(
    question: str, call: str, backend: RewriteBackend, graph: MemoryGraph
) -> None:
    graph.step = "day"
    assert best(backend, graph, question) == [f"get_information({call})"]


def test_one_year_or_another_is_their_union_and_no_period(backend: RewriteBackend, graph: MemoryGraph) -> None:
    calls = best(backend, graph, "Who was Governor of Veria in 1982 or 1986?")
    assert ["value='1982'" in calls[0], "value='1986'" in calls[1]] == [True, True]
    assert calls[2].startswith("set_union(")


def test_a_moment_in_a_clause_with_when_is_the_other_fact_s(backend: RewriteBackend, graph: MemoryGraph) -> None:
    graph.facts.append(("Ulla Berg", "position held", "Queen of Veria", "1980", "1990"))
    became = best(backend, graph, "Who was Queen of Veria when Rosa Winkler became Governor of Veria?")
    was = best(backend, graph, "Who was Queen of Veria when Rosa Winkler was Governor of Veria?")
    assert ["key='start_time'" in became[0], "key='time'" in was[0]] == [True, True]
    became_while = best(backend, graph, "Who became Queen of Veria when Rosa Winkler was Governor of Veria?")
    assert "key='time'" in became_while[0]
    assert "key='start_time'" in became_while[1]


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Which team other than Port Vell did Nadia Orlov play for?", "other"),
        ("Who was only Governor of Veria in 1986?", "only"),
        ("Who was Governor of Veria by 1986?", "by"),
        ("Who was Governor of Veria in 1982 and 1986?", "and"),
        ("Who could become Governor of Veria in 1986?", "could"),
        ("Why was Rosa Winkler Governor of Veria?", "why"),
        ("Which woman was Governor of Veria in 1986?", "woman"),
        ("Who is Governor of Veria?", "is"),
        ("Who was Governor of Veria at the beginning of 1986?", "beginning of"),
    ],
)
def test_a_word_that_no_program_expresses_is_named(
    question: str, word: str, backend: RewriteBackend, graph: MemoryGraph
) -> None:
    assert f"'{word}'" in why_not(backend, graph, question).reason


class NoEncoder:
    """An encoder that must not be asked."""

    name = fingerprint = "none"
    dimensions = 1

    def encode(self, texts: Sequence[str]) -> Vectors:
        raise AssertionError("nothing needs vectors here")


@pytest.mark.parametrize(
    "question",
    [
        "Who is Governor of Veria?",
        "Who was the deputy of the Governor of Veria in 1986?",
        "Who was Governor of Veria on 31 June 1986?",
    ],
)
def test_what_is_refused_by_its_words_needs_no_encoder(question: str, graph: MemoryGraph) -> None:
    assert why_not(RewriteBackend(load_demonstrations(), NoEncoder()), graph, question).reason


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("Which city has the most inhabitants?", "get_information(relation='City')"),
        ("How large is Ulm?", "get_information(relation='Population', key='City', value='Ulm')"),
        (
            "Who is the mayor of Ulm?",
            "get_information(relation='Mayor', key='City', value='Ulm')",
        ),
        ("How many are there?", None),
    ],
)
def test_a_table_is_refused_at_once_with_a_program_about_what_the_question_names(
    question: str, program: str | None
) -> None:
    cities = table(("City", "Population", "Mayor"), [("Ulm", "126,405", "Ada Roe")])
    backend = RewriteBackend(load_demonstrations(), NoEncoder())
    told = why_not(backend, cities, question)
    assert "'memory' is a table" in told.reason
    assert "OPENAI_API_KEY" in told.then[0]
    assert told.then[1:] == ((f"Without one, write a program; a start: {program}",) if program else ())
    with naming_options():
        command = (f'Without one, write a program; a start: cgstore query "{program}" --source memory',)
        assert why_not(backend, cities, question).then[1:] == (command if program else ())
        with in_session():
            assert why_not(backend, cities, question).then[1:] == told.then[1:]


def test_a_graph_without_times_is_asked_what_needs_none(backend: RewriteBackend) -> None:
    films = MemoryGraph([("Glass Hill", "directed by", "Vera Lund")], kind="kg")
    assert best(backend, films, "Who is Glass Hill directed by?") == [
        "get_information(head_entity='Glass Hill', relation='directed by')"
    ]
    told = why_not(backend, films, "When was Glass Hill directed?")
    assert "head_entity='Glass Hill'" in told.then[-1]


def test_a_time_finer_than_those_of_the_sources_is_refused(backend: RewriteBackend, graph: MemoryGraph) -> None:
    told = why_not(backend, graph, "Who was Governor of Veria on 5 May 1986?")
    assert told.reason.startswith("'5 May 1986' is a day, and the times of the sources asked are years: ask for '1986'")


def test_a_day_that_is_not_in_the_calendar_is_refused(backend: RewriteBackend, graph: MemoryGraph) -> None:
    assert "'31 June 1986' is not a day" in why_not(backend, graph, "Who was Governor of Veria on 31 June 1986?").reason


def test_an_end_that_is_the_start_too_is_doubtful(backend: RewriteBackend, graph: MemoryGraph) -> None:
    def run(program: str, evaluate: Evaluator | None = None) -> Attempt:
        return Attempt(program, Answer(("1985",), program=program))

    decision = backend.decide("When did Rosa Winkler stop being Governor of Veria?", graph, run)
    assert "'1985' is also the answer for the start" in decision.warnings[0]


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("In which year did Nadia Orlov join Port Vell?", "start_time"),
        ("When did Nadia Orlov move to Port Vell?", "start_time"),
        ("What year did Rosa Winkler become Governor of Veria?", "start_time"),
        ("When did Rosa Winkler take office as Governor of Veria?", "start_time"),
        ("In which year did Ulla Berg marry Per Holm?", "start_time"),
        ("When did Ulla Berg and Per Holm divorce?", "end_time"),
        ("In which year did Nadia Orlov leave Port Vell?", "end_time"),
        ("When did Rosa Winkler step down as Governor of Veria?", "end_time"),
        ("When was Ulla Berg married to Per Holm?", "time"),
    ],
)
def test_a_verb_of_a_moment_asks_for_the_start_or_the_end(
    question: str, key: str, backend: RewriteBackend, graph: MemoryGraph
) -> None:
    graph.facts.append(("Ulla Berg", "spouse", "Per Holm", "1970", "1988"))
    (call,) = best(backend, graph, question)
    assert call.endswith(f"key='{key}')")


def test_a_demonstration_that_asks_yes_or_no_in_the_same_words_decides(encoder: Encoder, graph: MemoryGraph) -> None:
    call = "get_information(head_entity='Ada Brandt', relation='award received', tail_entity='Corvin Medal')"
    mine = Demonstration("Did Ada Brandt receive the Corvin Medal?", call)
    taught = RewriteBackend([*load_demonstrations(), mine], encoder)
    because = next(taught.propose("Did Pia Sand receive the Golden Boot?", graph)).because
    assert because.startswith(f"as in '{mine.question}' (similarity ")


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("who was the deputy of the Governor of Veria in 1986?", "the word 'deputy' is not understood"),
    ],
)
def test_a_refusal_says_in_plain_words_what_is_not_understood(
    question: str, reason: str, backend: RewriteBackend, graph: MemoryGraph
) -> None:
    told = why_not(backend, graph, question)
    assert told.reason.startswith(reason)
    (closest,) = told.closest
    assert "<name>" in closest
    assert closest[-1] not in "?."
    assert "Halden" not in closest


def test_a_question_without_a_name_is_told_the_names_closest_to_its_words(
    backend: RewriteBackend, graph: MemoryGraph
) -> None:
    told = why_not(backend, graph, "which were the clubs of nadia in 1994?")
    assert (told.reason, told.closest) == ("the question holds no name of the graph", ("Nadia Orlov",))


def test_proposals_are_distinct_and_best_first(backend: RewriteBackend, graph: MemoryGraph) -> None:
    proposals = list(backend.propose("Which team did Nadia Orlov play for before Port Vell?", graph))
    scores = [p.score for p in proposals]
    assert scores == sorted(scores, reverse=True)
    assert len({p.program for p in proposals}) == len(proposals)


_masked_once = cache(forms._masked)


def masked_again(demonstration: Demonstration) -> tuple[str, str, forms.Form]:
    """As `_masked`, whose form is the same object each time: only one backend at a time may use it."""
    masked, program, form = _masked_once(demonstration)
    form.votes, form.stored = 1, False
    return masked, program, form


@pytest.mark.parametrize("by", ["vectors", "words"])
def test_most_demonstrations_come_out_right_from_the_others(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    """Leave one out: 'When did Ada Brandt play for ...?' must come out as 'What years was Ada Brandt on ...?' does."""
    encoder = request.getfixturevalue("encoder") if by == "vectors" else AbsentEncoder()
    monkeypatch.setattr(forms, "_masked", masked_again)  # hundreds of backends of nearly the same demonstrations
    shots = load_demonstrations()
    several = [d for d in shots if sum(o.program == d.program for o in shots) > 1]
    right = wrong = 0
    for left_out in several:
        others = RewriteBackend([d for d in shots if d != left_out], encoder)
        try:
            same = next(others.propose(left_out.question, invented_graph())).program == left_out.program
        except CannotPropose:
            continue
        right, wrong = right + same, wrong + (not same)
    assert right / len(several) >= 0.7
    assert wrong / len(several) <= 0.1


def invented_graph() -> MemoryGraph:
    """Facts for the people and places of the shipped demonstrations."""
    heads = {
        "Ada Brandt": ("member of sports team", "Lindholm United"),
        "Jonas Feld": ("position held", "Mayor of Halden"),
        "Petra Voss": ("position held", "Chancellor of Lorvia"),
        "Mira Solberg": ("award received", "Corvin Medal"),
        "Tomas Rehn": ("spouse", "Vera Lund"),
        "Ines Carvo": ("employer", "Halden Observatory"),
        "Otto Marn": ("residence", "Port Sella"),
        "Lorvia": ("head of government", "Jonas Feld"),
        "Lorvian Civil War": ("significant event", "occurrence"),
    }
    more = [("Ines Carvo", "educated at", "Halden College", "1960", "1964")]
    more += [("Someone", "member of sports team", "Sella Rovers", "1960", "1964")]
    more += [("Someone", "award received", "Aurel Prize", "1960", "1960")]
    return MemoryGraph([(h, r, t, "1990", "1995") for h, (r, t) in heads.items()] + more)


class Counting:
    """An encoder that counts what it encodes."""

    name, fingerprint = "counting", "f" * 64

    def __init__(self, encoder: Encoder) -> None:
        self._encoder, self.dimensions, self.texts = encoder, encoder.dimensions, 0

    def encode(self, texts: list[str]) -> object:
        self.texts += len(texts)
        return self._encoder.encode(texts)


def test_demonstrations_are_encoded_once_for_all_runs(encoder: Encoder, graph: MemoryGraph) -> None:
    first, second = Counting(encoder), Counting(encoder)
    for counting in (first, second):
        asked = "When was it that Kim O'Dell was Governor of Veria?"  # no demonstration has these words
        next(RewriteBackend(load_demonstrations(), counting).propose(asked, graph))
    assert first.texts > 100
    assert second.texts <= 2


def test_a_damaged_cache_is_made_anew(encoder: Encoder) -> None:
    from cgstore.embedding.encoder import cache_folder

    encode_cached(encoder, ["a", "b"])
    (file,) = cache_folder().iterdir()
    file.write_bytes(b"damaged")
    assert encode_cached(encoder, ["b", "a"]).shape == (2, encoder.dimensions)


def test_the_default_backend_is_demos_without_a_key_and_openai_with_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert get_backend().name == "demos"
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    assert get_backend().name == "openai"


def test_an_unknown_backend_is_refused_with_the_list() -> None:
    with pytest.raises(BadInput, match="demos, small, openai"):
        get_backend("gpt")


def test_a_relation_is_known_by_the_first_name_of_its_form() -> None:
    relations = Relations({"place of birth": 0.1, "PlaceOfBirth": 0.2, "spouse": 0.3}, frozenset())
    assert relations.known_as("PlaceOfBirth") == "PlaceOfBirth"
    assert relations.known_as("place_of_birth") == "place of birth"
    assert relations.known_as("child") == "child"


class AbsentEncoder:
    """An encoder that is not there."""

    name = fingerprint = "none"
    dimensions = 2

    def encode(self, texts: Sequence[str]) -> Vectors:
        raise NoModel("No encoder here.", "Install it.")


def test_without_an_encoder_words_choose_the_demonstration_and_a_note_says_so(graph: MemoryGraph) -> None:
    def run(program: str, evaluate: Evaluator | None = None) -> Attempt:
        return Attempt(program, Answer(("Rivertown FC",), program))

    decision = RewriteBackend(load_demonstrations(), AbsentEncoder()).decide(
        "When was it that Kim O'Dell was Governor of Veria?", graph, run
    )
    assert decision.chosen and "tail_entity='Governor of Veria', key='time')" in decision.chosen.program
    assert decision.warnings[-1] == "Demonstrations were compared by their words only: No encoder here. Install it."


@pytest.mark.parametrize(
    ("question", "lacks"),
    [
        ("Where was Nils Arden educated?", "'Nils Arden' has no 'educated at' in the graph; it has 'spouse'"),
        ("Who was Nils Arden taught by?", "'Nils Arden' has no 'taught by' in the graph; it has 'spouse'"),
    ],
)
def test_a_name_that_lacks_the_relation_is_told_what_it_has(question: str, lacks: str, backend: RewriteBackend) -> None:
    facts = [
        ("Vera Lund", "educated at", "MIT"),
        ("Nils Arden", "spouse", "Ida Dahl"),
        ("Vera Lund", "taught by", "Bo"),
    ]
    told = why_not(backend, MemoryGraph(facts, kind="kg"), question)
    assert (told.reason, told.closest) == (lacks, ())


@pytest.mark.parametrize(
    "relation", ["directed by", "has genre", "flows into", "award received", "place of birth", "bornIn", "directedBy"]
)
def test_example_questions_of_a_graph_are_answered_by_their_own_program_or_not_at_all(
    relation: str, backend: RewriteBackend
) -> None:
    graph = MemoryGraph([("Glass Hill", relation, "Vera Lund"), ("Glass Hill", "starred", "Nils Arden")], kind="kg")
    tails = best(backend, graph, tails_question(relation, "Glass Hill"))
    assert tails == [f"get_information(head_entity='Glass Hill', relation='{relation}')"]
    heads = best(backend, graph, heads_question(relation, "Vera Lund"))
    assert heads == [f"get_information(relation='{relation}', tail_entity='Vera Lund')"]
