"""Demonstrations in the graph: kept once, by one encoder's vectors, and seen by nothing but their own functions."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy
import pytest

from cgstore.cypher.connection import Database
from cgstore.embedding.vectors import drop_indexes
from cgstore.errors import BadInput, NoModel
from cgstore.llm.demonstrations import Demonstration
from cgstore.llm.demonstrations import stored as demonstration_store
from cgstore.llm.demonstrations.stored import (
    State,
    StoredDemonstration,
    add,
    add_untried,
    all_stored,
    embed,
    mark,
    nearest_stored,
    remove,
)
from cgstore.store import Store
from tests.embedding.test_vectors import Trigrams, stop_at

PROGRAM = "get_information(head_entity='Ann', relation='spouse')"


def demonstration(question: str, source: str = "kg") -> Demonstration:
    return Demonstration(question, PROGRAM, "one hop", source)


def untried(question: str, gold: Sequence[str] = ("Bob",)) -> StoredDemonstration:
    return StoredDemonstration(question, source_kind="kg", state=State.UNTRIED, gold=tuple(gold))


def questions(found: Sequence[StoredDemonstration]) -> list[str]:
    return [one.question for one in found]


def cosine(encoder: Trigrams, one: str, other: str) -> float:
    vectors = encoder.encode([one, other])
    return float(numpy.dot(vectors[0], vectors[1]))


def test_what_is_added_is_there_as_it_was(db: Database) -> None:
    add(db, [demonstration("Who wed Ann?")], Trigrams())
    (one,) = all_stored(db)
    assert one == StoredDemonstration("Who wed Ann?", PROGRAM, "one hop", "kg", State.RIGHT)
    assert one.demonstration == demonstration("Who wed Ann?")


def test_a_question_is_there_once_a_kind_of_source(db: Database) -> None:
    add(db, [demonstration("Who wed Ann?"), demonstration("Who wed Ann?", "tkg")], Trigrams())
    add(db, [Demonstration("Who wed Ann?", "count(set='Ann')", "", "kg")], Trigrams())
    assert [(one.source_kind, one.program) for one in all_stored(db)] == [("kg", "count(set='Ann')"), ("tkg", PROGRAM)]


def test_any_question_can_be_added(db: Database) -> None:
    odd = ["Who?\x1f", "\N{PILE OF POO}" * 3_000, "'; MATCH (n) DETACH DELETE n", "`", "ł" * 40_000]
    add(db, [demonstration(question) for question in odd], Trigrams())
    assert set(questions(all_stored(db))) == set(odd)
    assert set(questions(nearest_stored(db, Trigrams(), odd[1], ["kg"], 10))) == {odd[0], *odd[2:]}


def test_what_has_no_program_is_refused_by_its_question(db: Database) -> None:
    for program in ("", "get_information(", "Query1: I do not know"):
        with pytest.raises(BadInput, match="Who wed Ann"):
            add(db, [demonstration("fine"), Demonstration("Who wed Ann?", program)], Trigrams())
    assert all_stored(db) == []


def test_the_nearest_come_in_the_order_of_their_exact_cosine(db: Database) -> None:
    texts = [
        f"{word} {n} {other}" for n, word in enumerate(["who", "wed", "ann", "or", "bob"]) for other in ("in Ulm", "?")
    ]
    encoder = Trigrams()
    add(db, [demonstration(text) for text in texts], encoder)
    exact = sorted(texts, key=lambda text: -cosine(encoder, text, "who wed bob in Ulm"))
    assert questions(nearest_stored(db, encoder, "who wed bob in Ulm", ["kg"], 6)) == exact[:6]


def test_equally_near_ones_come_by_question_and_then_by_kind(db: Database) -> None:
    same = ["WHO wed Ann", "Who wed Ann", "who wed Ann"]
    add(db, [demonstration(q, kind) for kind in ("tkg", "kg") for q in reversed(same)], Trigrams())
    found = nearest_stored(db, Trigrams(), "who wed Bob", ["kg", "tkg"], 10)
    assert [(one.question, one.source_kind) for one in found] == [(q, kind) for q in same for kind in ("kg", "tkg")]


def test_untried_ones_are_not_found(db: Database) -> None:
    add_untried(db, [untried("Who wed Ann?")])
    assert nearest_stored(db, Trigrams(), "Who", ["kg"], 10) == []


def test_another_gold_answer_makes_a_question_untried(db: Database) -> None:
    add_untried(db, [untried("Who wed Ann?")])
    mark(db, untried("Who wed Ann?").key, State.RIGHT, PROGRAM)
    add_untried(db, [untried("Who wed Ann?", ["Cleo"])])
    (one,) = all_stored(db)
    assert (one.state, one.program, one.gold) == (State.UNTRIED, "", ("Cleo",))


def test_a_training_question_does_not_replace_what_a_user_added(db: Database) -> None:
    add(db, [demonstration("Who wed Ann?")], Trigrams())
    add_untried(db, [untried("Who wed Ann?")], again=True)
    assert all_stored(db)[0].state == State.RIGHT


def test_one_is_removed_by_its_question_and_all_without_one(db: Database) -> None:
    add(db, [demonstration("Who wed Ann?"), demonstration("Who wed Ann?", "tkg"), demonstration("Who?")], Trigrams())
    assert remove(db, "who wed ann") == 2
    assert questions(all_stored(db)) == ["Who?"]
    assert (remove(db, "Who else?"), remove(db), remove(db)) == (0, 1, 0)


def test_vectors_are_made_once(db: Database) -> None:
    encoder = Trigrams()
    add(db, [demonstration("Who wed Ann?")], encoder)
    add(db, [demonstration("Who wed Ann?"), demonstration("Who?")], encoder)
    assert sorted(encoder.encoded) == ["Who wed Ann?", "Who?"]


def test_vectors_of_another_encoder_are_made_anew_and_never_compared(db: Database) -> None:
    add(db, [demonstration("Who wed Ann?"), demonstration("Who wed Bob?")], Trigrams("first", 16))
    other = Trigrams("other", 32)
    assert questions(nearest_stored(db, other, "who wed Bobby", ["kg"], 1)) == ["Who wed Bob?"]
    rows = db.read("MATCH (d:CgDemonstration) RETURN size(d.vector) AS size, d.fingerprint AS fingerprint")
    assert [(row["size"], row["fingerprint"]) for row in rows] == [(32, "other 32")] * 2


def test_encoding_that_is_cut_short_goes_on(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demonstration_store, "BATCH", 2)
    stopped = Trigrams()
    stopped.before = stop_at(2, NoModel("gone"))
    with pytest.raises(NoModel):
        add(db, [demonstration(f"Who is {n}?") for n in range(5)], stopped)
    assert embed(db, Trigrams()) == 3
    assert len(nearest_stored(db, Trigrams(), "Who", ["kg"], 10)) == 5


@pytest.fixture
def films(db: Database, tmp_path: Path) -> Iterator[Store]:
    """A source, and a demonstration that names what is in it."""
    path = tmp_path / "films.csv"
    path.write_text("Ann,spouse,Bob\n", encoding="utf-8")
    store = Store(db)
    store.load_kg(path, header=False)
    yield store
    drop_indexes(db)


def seen(store: Store) -> list[object]:
    """What other functions see of the graph."""
    to = io.BytesIO()
    store.export("films", to)
    count = "MATCH (n:CgNode) WITH count(n) AS nodes MATCH ()-[r]->() RETURN nodes, count(r) AS relationships"
    return [
        store.sources(),
        to.getvalue(),
        store.query(PROGRAM).answer,
        store.db.read(count),
        store.map(["Who wed Ann?"], encoder=store.graph_encoder()),
        store.map(["Ann"], encoder=store.graph_encoder()),
    ]


def test_demonstrations_are_no_part_of_any_source_answer_export_or_search(
    films: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cgstore.embedding.encoder.load_encoder", Trigrams)
    films.embed(encoder=Trigrams())
    before = seen(films)
    add(films.db, [demonstration("Who wed Ann?"), demonstration("Ann")], Trigrams())
    assert seen(films) == before
    assert films.embed(encoder=Trigrams("other"), again=True).nodes == 3
    assert len(nearest_stored(films.db, Trigrams(), "Who", ["kg"], 10)) == 2


def test_demonstrations_stay_when_sources_are_dropped(films: Store) -> None:
    add(films.db, [demonstration("Who wed Ann?")], Trigrams())
    films.drop("films")
    assert questions(all_stored(films.db)) == ["Who wed Ann?"]
