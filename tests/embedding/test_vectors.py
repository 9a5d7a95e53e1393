"""Embeddings: who gets a vector, once and by one encoder only, and that the indexes find it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy
import pytest

from cgstore.cypher.connection import Database
from cgstore.embedding import vectors
from cgstore.embedding.encoder import load_encoder
from cgstore.embedding.vectors import VectorOrigin, as_words, check_encoder, drop_indexes, vector_origin
from cgstore.errors import BadInput, CgstoreError, QueryFailed
from cgstore.store import Store
from tests.moments import before_statement, raising

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors

FACTS = "Ann,position_held,mayor\nBob,positionHeld,clerk\nCleo,age,41\nCleo,born,1970-05-01\n"


class Trigrams:
    """An encoder without weights: a text is the counts of its hashed trigrams."""

    def __init__(self, name: str = "trigrams", dimensions: int = 16) -> None:
        self.name, self.dimensions = name, dimensions
        self.fingerprint = f"{name} {dimensions}"
        self.encoded: list[str] = []
        self.before: Callable[[int], None] = lambda batch: None
        self._batches = 0

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Calls `before` with the number of the batch, from 1; shape (len(texts), dimensions), unit length."""
        self._batches += 1
        self.before(self._batches)
        self.encoded += texts
        counts = numpy.full((len(texts), self.dimensions), 0.01, dtype=numpy.float32)
        for row, text in zip(counts, texts, strict=True):
            padded = f"  {text.casefold()} "
            for start in range(len(padded) - 2):
                row[zlib.crc32(padded[start : start + 3].encode()) % self.dimensions] += 1
        return counts / numpy.linalg.norm(counts, axis=1, keepdims=True)


class Stopped(Exception):
    """What stops an encoder in these tests."""


def stop_at(batch: int, error: BaseException) -> Callable[[int], None]:
    """For `Trigrams.before`: raises the error at that batch."""

    def before(number: int) -> None:
        if number == batch:
            raise error

    return before


@pytest.fixture
def store(db: Database) -> Iterator[Store]:
    yield Store(db)
    drop_indexes(db)


@pytest.fixture
def facts(store: Store, tmp_path: Path) -> Store:
    load(store, tmp_path, "facts", FACTS)
    return store


@pytest.fixture
def trigrams(monkeypatch: pytest.MonkeyPatch) -> Trigrams:
    """The encoder that a graph's name of an encoder stands for."""
    encoder = Trigrams()
    monkeypatch.setattr("cgstore.ask.run.GraphEncoder.named", lambda self, name: encoder)
    return encoder


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages and batches of two."""
    for name in ("PAGE", "BATCH", "WRITTEN"):
        monkeypatch.setattr(vectors, name, 2)


def load(store: Store, folder: Path, name: str, text: str, **options: Any) -> None:
    path = folder / f"{name}.csv"
    path.write_text(text, encoding="utf-8")
    store.load_kg(path, header=False, **options)


def with_vector(store: Store) -> dict[str, int]:
    """The names of the nodes that have a vector, each with its length."""
    rows = store.db.read("MATCH (n) WHERE n.vector IS NOT NULL RETURN n.name AS name, size(n.vector) AS size")
    return {row["name"]: row["size"] for row in rows}


WORDS = {"Ann", "Bob", "Cleo", "mayor", "clerk", "position_held", "positionHeld", "age", "born"}


def test_names_get_a_vector_of_float32_and_numbers_dates_lines_and_bookkeeping_do_not(
    facts: Store, tmp_path: Path
) -> None:
    (tmp_path / "towns.csv").write_text("Town,Mayor,People\nGraz,Ann,291000\nLinz,,210000\n", encoding="utf-8")
    facts.load_table(tmp_path / "towns.csv")
    (tmp_path / "terms.tsv").write_text("Ann\theld\tmayor\t1990\t1992\n", encoding="utf-8")
    facts.load_tkg(tmp_path / "terms.tsv")
    columns = {"Town", "Mayor", "People", "row_number", "Graz", "Linz", ""}
    expected = WORDS | columns | {"held", "time", "start time", "end time"}
    encoder = Trigrams()
    report = facts.embed(encoder=encoder)
    assert with_vector(facts) == dict.fromkeys(expected, 16)
    assert (report.encoder, report.dimensions, report.nodes, report.there) == ("trigrams", 16, len(expected), 0)
    assert report.seconds > 0
    kept = facts.db.read("MATCH (n:CgNode {key: 'Ann'}) RETURN n.vector AS vector")[0]["vector"]
    assert (numpy.array(kept, dtype=numpy.float32) == encoder.encode(["Ann"])[0]).all()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("position_held", "position held"),
        ("positionHeld", "position Held"),
        ("PositionHeld", "Position Held"),
        ("__a__b_", "a b"),
        ("GDP", "GDP"),
        ("_", "_"),
        ("", ""),
    ],
)
def test_relations_are_encoded_as_words(name: str, words: str) -> None:
    assert as_words(name) == words


def test_a_relation_of_two_sources_is_encoded_once_and_both_get_the_vector(store: Store, tmp_path: Path) -> None:
    load(store, tmp_path, "one", "Ann,works_for,Acme\n")
    load(store, tmp_path, "two", "Bob,works_for,Acme\n")
    encoder = Trigrams()
    report = store.embed(encoder=encoder)
    assert sorted(encoder.encoded) == ["Acme", "Ann", "Bob", "works for"]
    assert (report.nodes, report.names) == (5, 4)
    assert store.db.read("MATCH (n:CgRelation) RETURN count(n.vector) AS count") == [{"count": 2}]


@pytest.mark.parametrize("size", [2, 7])
def test_every_name_is_found_whatever_the_size_of_pages_and_batches(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    for name in ("PAGE", "BATCH", "WRITTEN", "SOURCES"):
        monkeypatch.setattr(vectors, name, size)
    texts = ["", "\U0001f600", "\uffff", "é", "e\u0301", *"abcdefg", "x" * 3000]
    path = tmp_path / "odd.csv"
    path.write_text("r,s\n" + "".join(f'"{text}",z\n' for text in texts), encoding="utf-8")
    store.load_table(path)
    encoder = Trigrams()
    report = store.embed(encoder=encoder)
    assert sorted(encoder.encoded) == sorted([*texts, "z", "r", "s", "row number"])
    assert report.nodes == report.names == len(encoder.encoded) == len(with_vector(store))


def test_what_has_a_vector_is_not_encoded_again(facts: Store, tmp_path: Path) -> None:
    facts.embed(encoder=Trigrams())
    encoder = Trigrams()
    report = facts.embed(encoder=encoder)
    assert encoder.encoded == []
    assert (report.nodes, report.names, report.there) == (0, 0, 9)
    load(facts, tmp_path, "more", "Ann,likes,tea\n")
    report = facts.embed(encoder=encoder)
    assert sorted(encoder.encoded) == ["likes", "tea"]
    assert (report.nodes, report.names, report.there) == (2, 2, 9)
    assert set(with_vector(facts)) == WORDS | {"likes", "tea"}


def test_only_the_sources_that_are_named_get_vectors(facts: Store, tmp_path: Path) -> None:
    load(facts, tmp_path, "more", "Ann,likes,tea\n")
    report = facts.embed(["more"], encoder=Trigrams())
    assert set(with_vector(facts)) == {"Ann", "likes", "tea"}
    assert (report.nodes, report.there) == (3, 0)
    assert facts.embed("facts", encoder=Trigrams()).there == 1
    facts.embed(["more"], encoder=Trigrams("other", 8), again=True)  # leaves no old ones in others
    assert with_vector(facts) == {"Ann": 8, "likes": 8, "tea": 8}


def test_what_an_error_stopped_is_completed_and_nothing_is_encoded_twice(facts: Store, small: None) -> None:
    first, second = Trigrams(), Trigrams()
    first.before = stop_at(4, Stopped())
    with pytest.raises(Stopped):
        facts.embed(encoder=first)
    assert len(with_vector(facts)) == len(first.encoded) == 6
    report = facts.embed(encoder=second)
    assert set(with_vector(facts)) == WORDS
    assert not set(first.encoded) & set(second.encoded)
    assert (report.nodes, report.there) == (3, 6)


def test_ctrl_c_keeps_what_is_written_and_says_how_to_go_on(facts: Store, small: None) -> None:
    encoder = Trigrams()
    encoder.before = stop_at(2, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt) as caught:
        facts.embed(encoder=encoder)
    assert "give the command again, and it goes on" in caught.value.__notes__[0]
    assert len(with_vector(facts)) == 2
    with pytest.raises(KeyboardInterrupt) as caught:
        encoder = Trigrams()
        encoder.before = stop_at(2, KeyboardInterrupt())
        facts.embed(encoder=encoder, again=True)
    assert "give the command again without `again=True`" in caught.value.__notes__[0]


def test_another_encoder_than_theirs_is_refused_by_name_with_the_command_that_helps(facts: Store) -> None:
    assert vector_origin(facts.db) is None
    check_encoder(vector_origin(facts.db), Trigrams())
    facts.embed(encoder=Trigrams())
    origin = vector_origin(facts.db)
    assert origin == VectorOrigin("trigrams", 16, "trigrams 16")
    check_encoder(origin, Trigrams())
    for refuse in (lambda other: check_encoder(origin, other), lambda other: facts.embed(encoder=other)):
        with pytest.raises(BadInput, match=r"'trigrams'.*'other'") as caught:
            refuse(Trigrams("other", 8))
        assert "cgstore embed --again" in str(caught.value.hint)
    assert set(with_vector(facts).values()) == {16}


def test_again_makes_all_vectors_and_indexes_anew(facts: Store, tmp_path: Path, small: None) -> None:
    facts.embed(encoder=Trigrams())
    report = facts.embed(encoder=Trigrams("other", 8), again=True)
    assert with_vector(facts) == dict.fromkeys(WORDS, 8)
    assert (report.nodes, report.there) == (9, 0)
    assert vector_origin(facts.db) == VectorOrigin("other", 8, "other 8")
    assert dimensions(facts.db) == {8}


@pytest.mark.parametrize("again", [False, True])
def test_a_removal_that_was_cut_short_is_completed(
    facts: Store, small: None, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    facts.embed(encoder=Trigrams())
    with monkeypatch.context() as patch:
        before_statement(patch, "REMOVE n.vector", raising(Stopped, after=2))
        with pytest.raises(Stopped):
            facts.embed(encoder=Trigrams("other", 8), again=True)
    assert 0 < len(with_vector(facts)) < 9
    assert vector_origin(facts.db) is None
    with pytest.raises(BadInput, match="other"):
        facts.embed(encoder=Trigrams())
    facts.embed(encoder=Trigrams("other", 8), again=again)
    assert with_vector(facts) == dict.fromkeys(WORDS, 8)


def test_an_embed_whose_vectors_are_made_anew_meanwhile_stops(facts: Store, small: None) -> None:
    first = Trigrams()

    def take_over(batch: int) -> None:
        if batch == 3:
            facts.embed(encoder=Trigrams("other", 8), again=True)

    first.before = take_over
    with pytest.raises(BadInput, match=r"'other'.*'trigrams'"):
        facts.embed(encoder=first)
    assert with_vector(facts) == dict.fromkeys(WORDS, 8)


def test_nobody_writes_while_vectors_are_removed(facts: Store, small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Trigrams()

    def begin_anew(batch: int) -> None:
        if batch == 3:
            with monkeypatch.context() as patch, pytest.raises(Stopped):
                before_statement(patch, "REMOVE n.vector", raising(Stopped))
                facts.embed(encoder=Trigrams(), again=True)

    first.before = begin_anew
    with pytest.raises(CgstoreError, match="removes the vectors"):
        facts.embed(encoder=first)
    facts.embed(encoder=Trigrams())
    assert with_vector(facts) == dict.fromkeys(WORDS, 16)


def test_two_embeds_side_by_side_give_each_name_one_vector(facts: Store, small: None) -> None:
    first, second = Trigrams(), Trigrams()
    reports = []

    def overtake(batch: int) -> None:
        if batch == 2:
            reports.append(facts.embed(encoder=second))

    first.before = overtake
    reports.append(facts.embed(encoder=first))
    assert with_vector(facts) == dict.fromkeys(WORDS, 16)
    assert sum(report.nodes for report in reports) == 9


def indexes(db: Database) -> list[dict[str, Any]]:
    return db.read(
        "SHOW VECTOR INDEXES YIELD name, state, labelsOrTypes, properties, options "
        "RETURN name, state, labelsOrTypes AS labels, properties, options.indexConfig AS config ORDER BY name"
    )


def dimensions(db: Database) -> set[int]:
    return {row["config"]["vector.dimensions"] for row in indexes(db)}


def test_an_index_for_vectors_of_another_length_is_made_anew(facts: Store) -> None:
    vectors.make_indexes(facts.db, 8)
    facts.embed(encoder=Trigrams())
    assert dimensions(facts.db) == {16}
    assert nearest(facts, "cg_entity_vector", Trigrams().encode(["Bob"])[0])[0] == "Bob"


def test_an_index_that_is_dropped_meanwhile_is_an_error_with_a_hint(
    facts: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    before_statement(monkeypatch, "SHOW VECTOR INDEXES", lambda: drop_indexes(facts.db))
    with pytest.raises(QueryFailed, match="Give the command again"):
        facts.embed(encoder=Trigrams())


def nearest(store: Store, index: str, vector: Any) -> list[str]:
    rows = store.db.read(
        "CALL db.index.vector.queryNodes($index, 5, $vector) YIELD node, score RETURN node.name AS name",
        {"index": index, "vector": vector.tolist()},
    )
    return [row["name"] for row in rows]


NEAREST = {
    "cg_entity_vector": ("Cleo", "Cleo"),
    "cg_key_vector": ("start times", "start time"),
    "cg_relation_vector": ("position held", "position_held"),
    "cg_value_vector": ("mayors", "mayor"),
}


def test_there_is_an_index_for_each_role_that_finds_the_nearest(store: Store, tmp_path: Path) -> None:
    load(store, tmp_path, "facts", "Ann,position_held,x\nBob,age,30\nCleo,born,y\n")
    (tmp_path / "towns.csv").write_text("Town,Office\nGraz,mayor\nLinz,clerk\n", encoding="utf-8")
    store.load_table(tmp_path / "towns.csv")
    (tmp_path / "terms.tsv").write_text("Ann\tspouse\tBob\t1990\t1992\n", encoding="utf-8")
    store.load_tkg(tmp_path / "terms.tsv")
    encoder = Trigrams(dimensions=64)
    store.embed(encoder=encoder)
    found = {index: nearest(store, index, encoder.encode([text])[0])[0] for index, (text, _) in NEAREST.items()}
    assert found == {index: name for index, (_, name) in NEAREST.items()}
    for row, label in zip(indexes(store.db), ("Entity", "Key", "Relation", "Value"), strict=True):
        assert (row["name"], row["labels"]) == (f"cg_{label.lower()}_vector", [f"Cg{label}"])
        assert (row["state"], row["properties"]) == ("ONLINE", ["vector"])
        config = row["config"]
        assert config["vector.similarity_function"].lower() == "cosine"
        sizes = [config[f"vector.{name}"] for name in ("dimensions", "hnsw.m", "hnsw.ef_construction")]
        assert sizes == [64, 32, 200]
        # 2026.x shows the option by another name
        assert (config.get("vector.quantization.enabled"), config.get("vector.quantization.type")) in [
            (False, None),
            (None, "NONE"),
        ]


def test_vectors_that_neo4j_cannot_index_are_refused_before_anything_is_written(facts: Store) -> None:
    with pytest.raises(BadInput, match="4,097 dimensions"):
        facts.embed(encoder=Trigrams(dimensions=4097))
    assert vector_origin(facts.db) is None


def test_without_sources_there_is_nothing_to_embed(store: Store) -> None:
    with pytest.raises(BadInput, match="Nothing is loaded"):
        store.embed(encoder=Trigrams())


def test_minilm_finds_a_relation_by_its_meaning(store: Store, tmp_path: Path) -> None:
    load(store, tmp_path, "people", "Ann,employer,Acme\nAnn,place_of_birth,Graz\nBob,spouse,Cleo\n")
    report = store.embed(encoder="all-MiniLM-L6-v2")
    assert report.dimensions == 384
    asked = load_encoder("all-MiniLM-L6-v2").encode(["the company that she works for"])[0]
    assert nearest(store, "cg_relation_vector", asked)[0] == "employer"


def test_new_names_of_a_change_get_vectors_when_names_are_next_looked_for_by_meaning(
    facts: Store, trigrams: Trigrams
) -> None:
    facts.embed(["facts"], encoder=trigrams)
    before = set(with_vector(facts))
    facts.append("facts", [("Dora", "knows well", "Emil"), ("Dora", "age", "33")])
    assert set(with_vector(facts)) == before
    found = facts.query("get_information(head_entity='Dora', relation='knows good')", ["facts"])
    assert found.answer == ("Emil",)
    assert set(with_vector(facts)) == before | {"Dora", "Emil", "knows well"}
    trigrams.encoded.clear()
    facts.graph_encoder()
    assert trigrams.encoded == []


def test_a_change_of_a_source_without_vectors_leaves_none_to_be_made(
    facts: Store, trigrams: Trigrams, tmp_path: Path
) -> None:
    load(facts, tmp_path, "other", "Fay,plays,chess\n")
    facts.embed(["facts"], encoder=trigrams)
    before = set(with_vector(facts))
    facts.append("other", [("Gus", "plays", "go")])
    facts.graph_encoder()
    assert set(with_vector(facts)) == before
