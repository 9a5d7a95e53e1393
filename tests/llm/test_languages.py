"""Questions answered by S-expressions: from an LLM, whose replies are mended, and from files of candidates."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.llm import BackendOptions, get_backend
from cgstore.llm.backends.languages import SEXPR, language_named
from cgstore.llm.backends.write import WriteBackend
from cgstore.llm.demonstrations import load_demonstrations
from cgstore.llm.demonstrations.shot_selection import Shots
from cgstore.llm.graph_view import GraphView
from cgstore.llm.prompts import Prompt, PromptTexts
from cgstore.model import Answer
from cgstore.query.sexpr.read import read_sexpr
from cgstore.store import Store
from tests.conftest import ROOT, wipe
from tests.embedding.test_vectors import Trigrams
from tests.known import Known
from tests.llm.scripted_chat import ScriptedChat

QUESTION = "Who directed Metropolis?"
RIGHT = '(JOIN (R "directed by") "Metropolis")'
EMPTY = '(JOIN (R "directed by") "Fritz Lang")'
WROTE = '(JOIN (R "release year") "Metropolis")'


@pytest.fixture(scope="module")
def store(shared_db: Database) -> Store:
    wipe(shared_db)
    store = Store(shared_db)
    store.load_kg(ROOT / "examples" / "films.txt", name="films")
    return store


def asked(store: Store, chat: ScriptedChat, **settings: Any) -> Answer:
    shots = Shots([], count=0)
    backend = WriteBackend(
        chat, Prompt(PromptTexts()), shots, BackendOptions(lang="sexpr", retries=0, corrections=False, **settings)
    )
    return store.ask(QUESTION, backend, lang="sexpr")


def replayed(store: Store, folder: Path, *lines: dict[str, Any], **settings: Any) -> Answer:
    path = folder / "replies.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return store.ask(QUESTION, get_backend("replay", replies=[path], lang="sexpr", **settings))


def test_an_llm_writes_an_s_expression(store: Store) -> None:
    chat = ScriptedChat(f"```\n{RIGHT}\n```")
    answer = asked(store, chat, samples=1)
    assert (answer.answer, answer.program) == (("Fritz Lang",), RIGHT)
    system = chat.requests[0].messages[0].content
    assert "(ARGMAX x relation)" in system and '"directed by"' in system and "get_information" not in system


@pytest.mark.parametrize(
    ("reply", "found", "note"),
    [(RIGHT[:-1], ("Fritz Lang",), "A missing parenthesis was added."), ("I do not know.", (), "no S-expression")],
)
def test_a_reply_is_mended_or_an_error_of_that_program(
    store: Store, reply: str, found: tuple[str, ...], note: str
) -> None:
    answer = asked(store, ScriptedChat(reply), samples=1)
    assert answer.answer == found
    assert any(note in warning for warning in answer.warnings)


def test_samples_vote_or_the_first_that_answers_decides(store: Store) -> None:
    replies = [EMPTY, WROTE, RIGHT, RIGHT]
    assert asked(store, ScriptedChat(replies), samples=4).program == RIGHT
    assert asked(store, ScriptedChat(replies), samples=4, decide="first").program == WROTE


def test_the_candidates_of_a_beam_run_in_order_until_one_answers(store: Store, tmp_path: Path) -> None:
    beam = {"question": QUESTION, "replies": ["(JOIN", EMPTY, WROTE, RIGHT, RIGHT]}
    assert replayed(store, tmp_path, beam).program == WROTE
    assert replayed(store, tmp_path, beam, decide="vote").program == RIGHT
    assert replayed(store, tmp_path, {"question": QUESTION, "reply": f"1. {EMPTY}\n2. {RIGHT}"}).answer == (
        "Fritz Lang",
    )


def test_a_demonstration_is_shown_without_the_step_lines_of_a_recorded_program() -> None:
    first, second = "Query1: \"get_information(head_entity='X')\"", "Query2: \"count(set='output_of_query1')\""
    recorded = f"{{team}}\nStep1: Find the teams\n{first}\nStep2: Count them\n{second}"
    assert language_named("llm").spell(recorded) == f"{{team}}\n{first}\n{second}"


def test_demonstrations_are_spelt_as_s_expressions_and_those_without_a_counterpart_are_left_out(store: Store) -> None:
    shipped = [replace(each, source="") for each in load_demonstrations()]
    shots = Shots(shipped, Trigrams(), len(shipped), spell=SEXPR.spell)
    spelt = shots.nearest(QUESTION, GraphView(store.db, []))
    assert 0 < len(spelt) < len(shipped)
    for shot in spelt:
        read_sexpr(shot.program)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("small", {}),
        ("openai", {"explore": True, "base_url": "http://localhost:1", "model": "m"}),
        ("openai", {"constrain": True, "base_url": "http://localhost:1", "model": "m"}),
    ],
)
def test_a_backend_that_does_not_write_s_expressions_says_so(name: str, settings: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="LLM query language only"):
        get_backend(name, lang="sexpr", **settings)


def test_asking_a_backend_for_another_language_than_it_writes_is_refused(store: Store) -> None:
    with pytest.raises(BadInput, match="does not write sexpr"):
        store.ask(QUESTION, Known(), lang="sexpr")


@pytest.mark.parametrize("replies", [["missing.jsonl"], "missing.jsonl", Path("missing.jsonl"), [3]])
def test_replies_are_a_path_or_several(replies: Any) -> None:
    with pytest.raises(
        BadInput, match=r"`replies` is of the type list" if replies == [3] else r"There is no file missing\.jsonl"
    ):
        get_backend("replay", replies=replies)
