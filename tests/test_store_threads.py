"""One Store in several threads: one connection, one encoder, and a close while others ask."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cgstore import AsyncStore
from cgstore.cypher.connection import Database
from cgstore.embedding import encoder as encoders
from cgstore.embedding.encoder import SharedEncoder
from cgstore.embedding.vectors import drop_indexes
from cgstore.errors import BadInput, NoDatabase, NoModel
from cgstore.model import Answer
from cgstore.store import Store
from tests.conftest import connected, wipe
from tests.embedding.test_vectors import Trigrams
from tests.moments import Together, wait_until

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Vectors

THREADS = 8
KNOWN = "get_information(head_entity='Ann', relation='wed')"
UNKNOWN = "get_information(head_entity='Ann', relation='weds')"


class Slow(Trigrams):
    """Says how many it serves at once, and fails while `down`."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name or "trigrams")
        self.at_work = Together(moment=0.01)
        self.down = False

    def encode(self, texts: Sequence[str]) -> Vectors:
        with self.at_work:
            if self.down:
                raise NoModel("The encoder is down.", "Start it.")
            return super().encode(texts)


@pytest.fixture(scope="module")
def graph(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A graph with vectors by `Trigrams`."""
    wipe(shared_db)
    path: Path = tmp_path_factory.mktemp("store") / "facts.tsv"
    path.write_text("Ann\twed\tBo\nAnn\tborn in\tRome\n", encoding="utf-8")
    store = Store(shared_db)
    store.load_kg(path, header=False)
    store.embed(encoder=Trigrams())
    yield shared_db
    drop_indexes(shared_db)
    wipe(shared_db)


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[Slow]:
    """The encoders that were loaded."""
    made: list[Slow] = []
    at_work = Together(moment=0.05)

    def load(name: str | None = None) -> Slow:
        with at_work:
            made.append(Slow(name))
            return made[-1]

    monkeypatch.setattr(encoders, "load_encoder", load)
    return made


def at_once(work: Callable[[], object]) -> list[object]:
    """What as many threads get that begin together; an error where it is one."""
    together = threading.Barrier(THREADS)

    def one(_: int) -> object:
        together.wait()
        try:
            return work()
        except Exception as error:
            return error

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(one, range(THREADS)))


def test_one_connection_is_opened(neo4j_settings: dict[str, str], graph: Database) -> None:
    opened: list[Database] = []
    at_work = Together(moment=0.05)

    def opens() -> tuple[Database, None]:
        with at_work:
            opened.append(connected(neo4j_settings))
            return opened[-1], None

    with Store(opens) as store:
        assert all(isinstance(answer, Answer) for answer in at_once(lambda: store.query(KNOWN)))
    assert len(opened) == 1


def test_a_connection_that_failed_is_opened_at_the_next_use(graph: Database) -> None:
    there: list[Database] = []

    def opens() -> tuple[Database, None]:
        if not there:
            raise NoDatabase("Nothing answers.")
        return there[0], None

    store = Store(opens)
    with pytest.raises(NoDatabase):
        store.query(KNOWN)
    there.append(graph)
    assert store.query(KNOWN).answer == ("Bo",)


def test_one_encoder_is_loaded_and_serves_one_thread_at_a_time(graph: Database, loaded: list[Slow]) -> None:
    store = Store(graph)
    answers = at_once(lambda: store.query(UNKNOWN))
    assert [answer.answer for answer in answers if isinstance(answer, Answer)] == [("Bo",)] * THREADS
    assert (len(loaded), loaded[0].at_work.most) == (1, 1)


def test_an_encoder_that_fails_is_told_of_each_answer_and_tried_again(
    graph: Database, loaded: list[Slow], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(graph)
    assert not store.query(UNKNOWN).warnings[1:]
    loaded[0].down = True
    other = UNKNOWN.replace("weds", "wedd")  # whose vector is not kept from before
    for _ in range(2):
        assert "Names are mapped by their spelling only. The encoder is down." in store.query(other).warnings
    loaded[0].down = False
    assert any("by their spelling only" in warning for warning in store.query(other).warnings), "for a minute"
    monkeypatch.setattr(encoders, "TRY_AGAIN", 0.0)
    assert not any("by their spelling only" in warning for warning in store.query(other).warnings)


def test_a_failure_is_remembered_without_growing(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[str | None] = []

    def absent(name: str | None = None) -> None:
        tries.append(name)
        raise NoModel("No encoder here.", "Get one.")

    monkeypatch.setattr(encoders, "load_encoder", absent)
    encoder = SharedEncoder(name="x")
    errors = []
    for _ in range(3):
        with pytest.raises(NoModel, match=r"No encoder here\.") as caught:
            encoder.encode(["a"])
        errors.append(caught.value)
    assert tries == ["x"]
    assert errors[1] is not errors[2]


# Closing.


def test_a_store_that_was_closed_after_its_use_says_so(neo4j_settings: dict[str, str], graph: Database) -> None:
    store = Store(lambda: (connected(neo4j_settings), None))
    store.query(KNOWN)
    store.close()
    store.close()
    for ask in (lambda: store.query(KNOWN), store.sources, lambda: list(store.execute_many([KNOWN]))):
        with pytest.raises(NoDatabase, match=r"This Store is closed; call connect\(\) again\."):
            ask()


def test_a_close_while_others_ask_gives_answers_or_says_so(
    neo4j_settings: dict[str, str], graph: Database, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(lambda: (connected(neo4j_settings), None))
    store.query(KNOWN)
    came: list[str] = []

    def asks() -> None:
        refused = 0
        while refused < 3 and len(came) < 10_000:
            try:
                came.append(str(store.query(KNOWN).answer))
            except Exception as error:
                came.append(f"{type(error).__name__}: {error}")
                refused += 1

    with ThreadPoolExecutor(THREADS) as pool:
        asking = [pool.submit(asks) for _ in range(THREADS)]
        wait_until(lambda: len(came) >= 3 * THREADS)
        store.close()
    assert [one.result() for one in asking] == [None] * THREADS
    assert set(came) == {"('Bo',)", "NoDatabase: This Store is closed; call connect() again."}
    assert not caplog.records


def test_a_statement_under_way_is_waited_for(neo4j_settings: dict[str, str], graph: Database) -> None:
    db = connected(neo4j_settings)
    statement = "UNWIND range(1, 10000000) AS n WITH n WHERE n % 7 = 3 RETURN count(n) AS count"
    running = "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery = $statement RETURN currentQuery"
    assert not graph.read(running, {"statement": statement})
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(db.read, statement)
        wait_until(lambda: graph.read(running, {"statement": statement}))
        db.close()
        assert asked.result() == [{"count": 1_428_572}]


# What Python callers give.

WRONG: dict[str, tuple[Callable[[Store], object], str]] = {
    "no program": (lambda s: s.query(None), "`program` is None"),  # type: ignore[arg-type]
    "a number as a program": (lambda s: s.query(5), "`program` is 5"),  # type: ignore[arg-type]
    "a number as a backend": (lambda s: s.ask("who?", 5), "`backend` is 5"),  # type: ignore[arg-type]
    "no question": (lambda s: s.ask(None), "`question` is None"),  # type: ignore[arg-type]
    "a number as sources": (lambda s: s.query(KNOWN, 5), "`sources` is 5"),  # type: ignore[arg-type]
    "a number among sources": (lambda s: s.query(KNOWN, ["a", 5]), r"`sources\[1\]` is 5"),  # type: ignore[list-item]
    "no sources": (lambda s: s.query(KNOWN, []), "`sources` is empty"),
    "a negative limit": (lambda s: s.query(KNOWN, limit=-1), "`limit` is -1"),
    "a limit in words": (lambda s: s.query(KNOWN, limit="ten"), "`limit` is 'ten'"),
    "true as a limit": (lambda s: s.query(KNOWN, evidence_limit=True), "`evidence_limit` is True"),
    "a threshold over 1": (lambda s: s.query(KNOWN, threshold=7), "`threshold` is 7"),
    "no number as a threshold": (lambda s: s.query(KNOWN, threshold=float("nan")), "`threshold` is nan"),
    "no combinations": (lambda s: s.query(KNOWN, combinations=0), "`combinations` is 0"),
    "none in flight": (lambda s: list(s.execute_many([KNOWN], in_flight=0)), "`in_flight` is 0"),
    "one program for many": (lambda s: list(s.execute_many(KNOWN)), "`programs` is not several"),
    "one name for many": (lambda s: s.map("Ann"), "`names` is 'Ann'"),
    "no candidates": (lambda s: s.map(["Ann"], top=0), "`top` is 0"),
    "another role": (lambda s: s.map(["Ann"], "verb"), "no role 'verb'"),
    "no node": (lambda s: s.search_node(None), "`node1` is None"),  # type: ignore[arg-type]
    "no path": (lambda s: s.load_kg(None), "`path` is None"),  # type: ignore[arg-type]
    "a number as a source's name": (lambda s: s.load_kg("a.tsv", name=5), "`name` is 5"),
    "no source to drop": (lambda s: s.drop(None), "`name` is None"),  # type: ignore[arg-type]
    "nowhere to export to": (lambda s: s.export("facts", None), "`to` is None"),  # type: ignore[arg-type]
    "a number as an encoder": (lambda s: s.embed(encoder=5), "`encoder` is 5"),  # type: ignore[arg-type]
    "no time": (lambda s: Store(s.db, timeout=0), "`timeout` is 0"),
    "no threads": (lambda s: AsyncStore(s, 0), "`in_flight` is 0"),
}


@pytest.mark.parametrize("given, said", WRONG.values(), ids=WRONG.keys())
def test_what_cannot_be_meant_is_told_by_its_name(given: Callable[[Store], object], said: str, graph: Database) -> None:
    with pytest.raises(BadInput, match=said):
        given(Store(graph))


def test_numbers_of_numpy_are_numbers(graph: Database) -> None:
    numpy = pytest.importorskip("numpy")
    assert Store(graph).query(KNOWN, limit=numpy.int64(5), threshold=numpy.float32(0.5)).answer == ("Bo",)
