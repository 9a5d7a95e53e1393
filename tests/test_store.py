"""Many programs at a time, for asyncio, and answers as DataFrames."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cgstore import AsyncStore, connect, q
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, NoDatabase, NoModel
from cgstore.model import Answer
from cgstore.store import Store
from tests.conftest import wipe
from tests.known import teach


@pytest.fixture(scope="module")
def store(shared_db: Database, tmp_path_factory: pytest.TempPathFactory) -> Store:
    wipe(shared_db)
    path: Path = tmp_path_factory.mktemp("store") / "facts.tsv"
    path.write_text("".join(f"h{n}\tr\tt{n % 7}\n" for n in range(50)), encoding="utf-8")
    store = Store(shared_db)
    store.load_kg(path, header=False)
    return store


def tail_of(number: int) -> str:
    return f"get_information(head_entity='h{number}', relation='r')"


def test_many_programs_are_answered_in_order_and_errors_stand_in_their_places(store: Store) -> None:
    programs = [tail_of(n) if n != 13 else "nonsense(" for n in range(50)]
    found = list(store.execute_many(programs, ["facts"], in_flight=8))
    assert isinstance(found[13], BadInput)
    tails = [answer.answer if isinstance(answer, Answer) else None for answer in found]
    assert tails == [(f"t{n % 7}",) if n != 13 else None for n in range(50)]


def test_programs_are_taken_as_answers_are(store: Store) -> None:
    taken = 0

    def endless() -> object:
        nonlocal taken
        while True:
            taken += 1
            yield tail_of(taken % 50)

    answers = store.execute_many(endless(), ["facts"], in_flight=2)  # type: ignore[arg-type]
    assert isinstance(next(answers), Answer)
    answers.close()  # type: ignore[attr-defined]
    assert taken <= 5


def test_a_built_program_is_answered_as_its_text(store: Store) -> None:
    built = q.get_information(head_entity="h3", relation="r")
    answer = store.query(built, ["facts"])
    assert answer.answer == ("t3",)
    assert answer.program == "get_information(head_entity='h3', relation='r')"


def test_the_async_store_gives_the_same_answers_and_errors_in_their_places(store: Store) -> None:
    async def ask() -> tuple[list[str], Answer, list[object]]:
        asynchronous = AsyncStore(store, in_flight=4)
        names = [source.name for source in await asynchronous.sources()]
        one = await asynchronous.query(tail_of(3), ["facts"])
        programs = [tail_of(n) if n != 13 else "nonsense(" for n in range(20)]
        many = [answer async for answer in asynchronous.execute_many(programs, ["facts"], in_flight=2, limit=5)]
        with pytest.raises(BadInput, match="`limit` is 0"):
            await anext(asynchronous.execute_many(programs, limit=0))
        return names, one, list(many)

    names, one, many = asyncio.run(ask())
    assert (names, one.answer) == (["facts"], ("t3",))
    assert isinstance(many[13], BadInput)
    tails = [answer.answer for answer in many if isinstance(answer, Answer)]
    assert tails == [(f"t{n % 7}",) for n in range(20) if n != 13]


def test_an_answer_and_its_evidence_are_frames(store: Store) -> None:
    answer = store.query(tail_of(3), ["facts"])
    assert answer.to_frame()["answer"].tolist() == ["t3"]
    row = answer.evidence_frame().iloc[0]
    assert (row["node1"], row["node2"], tuple(row["condition"]), row["source"]) == ("r", "t3", ("h3",), "facts")


def test_a_question_without_a_backend_is_answered_as_by_the_command(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    teach(store.db, {"What is the r of h3?": tail_of(3)})
    answer = store.ask("What is the r of h3?", sources=["facts"])
    assert (answer.question, answer.answer, answer.usage) == ("What is the r of h3?", ("t3",), {})
    assert store.ask("What is the r of h3?", "demos", ["facts"]).answer == answer.answer
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("CGSTORE_MODEL", "m")
    with pytest.raises(NoModel, match="No connection"):
        store.ask("What is the r of h4?")
    with pytest.raises(BadInput, match="There is no backend 'x'"):
        store.ask("What is the r of h4?", "x")


@pytest.mark.parametrize("question", ["", " \n"])
def test_an_empty_question_is_refused(store: Store, question: str) -> None:
    with pytest.raises(BadInput, match="The question is empty"):
        store.ask(question)


CALLS: dict[str, tuple[object, ...]] = {
    "load_kg": ("x.tsv",), "load_tkg": ("x.tsv",), "load_table": ("x.csv",), "load_rdf": ("x.ttl",),
    "load_statements": ("x.jsonl",), "load_aliases": ("x.tsv",), "sources": (), "ready": (), "drop": ("x",),
    "upgrade": (), "embed": (), "export": ("x", "y.tsv"), "map": (["x"],),
    "graph_encoder": (), "search_node": ("x",), "search_condition": ("x", "y"), "compile": ("count(set='x')",),
    "query": ("count(set='x')",), "ask": ("Who?",), "demonstrations": (), "remove_demonstrations": (),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_a_closed_store_says_so(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for ending in ("tsv", "csv", "ttl", "jsonl"):
        (tmp_path / f"x.{ending}").write_text("a\tb\tc\n", encoding="utf-8")
    closed = connect("bolt://127.0.0.1:1", "neo4j", "x")
    closed.close()
    with pytest.raises(NoDatabase, match="This Store is closed"):
        getattr(closed, name)(*CALLS[name])

    async def call() -> None:
        asynchronous = AsyncStore(closed)
        await asynchronous.close()
        await getattr(asynchronous, name)(*CALLS[name])

    with pytest.raises(NoDatabase, match="This Store is closed"):
        asyncio.run(call())
