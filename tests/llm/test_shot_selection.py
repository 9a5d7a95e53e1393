"""Which demonstrations are chosen for a question: from a fixed set, and from the graph."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from cgstore.cypher.connection import Database
from cgstore.embedding import encoder as encoders
from cgstore.embedding.encoder import SharedEncoder
from cgstore.errors import NoModel
from cgstore.llm.demonstrations import Demonstration
from cgstore.llm.demonstrations.shot_selection import Shots
from cgstore.llm.demonstrations.stored import State, StoredDemonstration, add, add_untried, mark, put
from tests.embedding.test_vectors import Trigrams
from tests.llm.memory_graph import MemoryGraph
from tests.moments import Together

ASKED = "Which team did Nadia Orlov play for in 1992?"


def shot(question: str, source: str = "tkg") -> Demonstration:
    return Demonstration(question, "get_information(head_entity='Ada Brandt', key='time')", "", source)


NEAR = shot("Which team did Ada Brandt play for?")
FAR = shot("How long was Ada Brandt a minister?")
FARTHEST = shot("Name all awards that Ada Brandt got")


def no_encoder(name: str | None = None) -> Trigrams:
    raise NoModel("There is none.")


def test_the_nearest_stands_last(graph: MemoryGraph) -> None:
    shots = Shots([NEAR, FARTHEST, FAR], Trigrams(), 2)
    assert shots.nearest(ASKED, graph) == [FAR, NEAR]


def test_names_and_times_are_masked_in_what_is_compared(graph: MemoryGraph) -> None:
    encoder = Trigrams()
    Shots([NEAR], encoder).nearest(ASKED, graph)
    assert set(encoder.encoded) == {
        "Which team did {entity} play for in {time}?",
        "Which team did {entity} play for?",
    }


@pytest.mark.parametrize(("asked", "source"), [("tkg", "tkg"), ("table", "table"), ("rdf", "kg")])
def test_only_demonstrations_about_the_kind_of_source_asked_or_any_are_chosen(asked: str, source: str) -> None:
    graph = MemoryGraph(kind=asked)
    shots = [shot(f"About {kind or 'any'}?", kind) for kind in ("table", "kg", "tkg", "statements", "")]
    assert {d.source for d in Shots(shots, Trigrams()).nearest(ASKED, graph)} == {source, ""}


def test_the_question_itself_is_left_out(graph: MemoryGraph) -> None:
    itself = shot("which team did NADIA ORLOV play for, in 1992")
    assert Shots([itself, NEAR], Trigrams()).nearest(ASKED, graph) == [NEAR]


def test_of_equally_near_ones_the_first_of_the_set_is_the_nearest(graph: MemoryGraph) -> None:
    same = [shot("Who was {entity}?"), shot("Who was {entity} ?"), shot("Who was  {entity}?")]

    class Constant(Trigrams):
        def encode(self, texts: Sequence[str]):  # type: ignore[no-untyped-def]
            return super().encode(["same"] * len(texts))

    assert Shots(same, Constant(), 2).nearest(ASKED, graph) == [same[1], same[0]]


@pytest.mark.parametrize("has_numpy", [True, False])
def test_without_an_encoder_words_in_common_decide(
    graph: MemoryGraph, monkeypatch: pytest.MonkeyPatch, has_numpy: bool
) -> None:
    monkeypatch.setattr(encoders, "load_encoder", no_encoder)
    if not has_numpy:
        monkeypatch.setitem(sys.modules, "numpy", None)
    assert Shots([FARTHEST, NEAR], None, 1).nearest(ASKED, graph) == [NEAR]


def test_no_demonstrations_at_all_are_none_chosen(graph: MemoryGraph) -> None:
    assert Shots([], Trigrams()).nearest(ASKED, graph) == []
    assert Shots([NEAR], Trigrams(), 0).nearest(ASKED, graph) == []


def test_an_encoder_that_several_threads_share_is_used_by_one_at_a_time(graph: MemoryGraph) -> None:
    encoder = Trigrams()
    at_work = Together(moment=0.001)

    def before(batch: int) -> None:
        with at_work:
            pass

    encoder.before = before
    shots = Shots([NEAR, FAR], SharedEncoder(encoder))
    with ThreadPoolExecutor(8) as pool:
        assert len(list(pool.map(lambda _: shots.nearest(ASKED, graph), range(40)))) == 40
    assert at_work.most == 1


def stored(db: Database, *tried: tuple[str, State]) -> None:
    """Training questions of which that came."""
    rows = [StoredDemonstration(q, source_kind="tkg", state=State.UNTRIED, gold=("x",)) for q, _ in tried]
    add_untried(db, rows)
    for row, (_, state) in zip(rows, tried, strict=True):
        mark(db, row.key, state, "get_information(head_entity='Ada Brandt')")


def questions(chosen: Sequence[Demonstration]) -> list[str]:
    return [d.question for d in chosen]


ALIKE = [f"Which team did Nadia Orlov play for in 1992{'!' * n} {n}" for n in range(4)]


def test_right_ones_of_the_graph_come_before_the_initial_ones(db: Database, graph: MemoryGraph) -> None:
    stored(db, (ALIKE[0], State.RIGHT), ("Who is it?", State.RIGHT))
    shots = Shots([FARTHEST, FAR, NEAR], Trigrams(), db=db, count=4)
    assert questions(shots.nearest(ASKED, graph)) == [FAR.question, NEAR.question, "Who is it?", ALIKE[0]]


def test_k_right_ones_leave_no_place_for_initial_ones(db: Database, graph: MemoryGraph) -> None:
    stored(db, *((q, State.RIGHT) for q in ALIKE))
    shots = Shots([NEAR], Trigrams(), db=db, count=3)
    assert set(questions(shots.nearest(ASKED, graph))) < set(ALIKE)


@pytest.mark.parametrize(
    ("relation", "source", "chosen"),
    [("directed by", "films", False), ("member of sports team", "films", True), ("directed by", "memory", True)],
)
def test_one_of_another_graph_is_chosen_if_the_graph_asked_has_its_relations(
    db: Database, graph: MemoryGraph, relation: str, source: str, chosen: bool
) -> None:
    program = f"get_information(head_entity='X', relation='{relation}')"
    put(db, StoredDemonstration(ALIKE[0], program, source_kind="tkg", sources=(source,)))
    shots = Shots([NEAR], Trigrams(), db=db, count=2)
    assert (ALIKE[0] in questions(shots.nearest(ASKED, graph))) == chosen


def test_wrong_ones_are_not_chosen_but_count_among_the_m_nearest(db: Database, graph: MemoryGraph) -> None:
    stored(db, *((q, State.WRONG) for q in ALIKE), ("Who is it?", State.RIGHT))
    assert questions(Shots([NEAR], Trigrams(), 2, db=db, m=4).nearest(ASKED, graph)) == [NEAR.question]
    assert questions(Shots([NEAR], Trigrams(), 2, db=db, m=5).nearest(ASKED, graph))[-1] == "Who is it?"


def test_a_stored_question_that_is_the_one_asked_is_left_out(db: Database, graph: MemoryGraph) -> None:
    stored(db, ("which team did nadia orlov play for in 1992", State.RIGHT))
    assert Shots([shot(ASKED.upper()), NEAR], Trigrams(), db=db).nearest(ASKED, graph) == [NEAR]


def test_what_is_stored_and_initial_is_chosen_once(db: Database, graph: MemoryGraph) -> None:
    add(db, [NEAR], Trigrams())
    assert Shots([NEAR], Trigrams(), db=db).nearest(ASKED, graph) == [NEAR]


def test_stored_demonstrations_without_an_encoder_are_an_error_and_none_need_one(
    db: Database, graph: MemoryGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoders, "load_encoder", no_encoder)
    assert Shots([NEAR], None, db=db).nearest(ASKED, graph) == [NEAR]
    stored(db, (ALIKE[0], State.RIGHT))
    with pytest.raises(NoModel):
        Shots([NEAR], None, db=db).nearest(ASKED, graph)
