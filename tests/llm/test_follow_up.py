"""What an LLM reads of earlier questions of a conversation, and of corrections by users."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.embedding.encoder import Encoder
from cgstore.errors import BadInput
from cgstore.llm import BackendOptions
from cgstore.llm.backends.write import WriteBackend
from cgstore.llm.demonstrations.shot_selection import Shots
from cgstore.llm.prompts import BUDGET, Prompt, PromptTexts, tokens_of
from cgstore.llm.prompts.context import conversation_text, corrections_text
from cgstore.model import Answer
from cgstore.store import Store
from tests.conftest import wipe
from tests.embedding.test_vectors import Trigrams
from tests.llm.scripted_chat import ScriptedChat

WED = "get_information(head_entity='{}', relation='spouse')"
BOB = Answer(("Bob",), WED.format("Ann"), question="Who wed Ann?")


@pytest.fixture
def people(db: Database, tmp_path: Path) -> Iterator[Store]:
    wipe(db)
    (tmp_path / "people.csv").write_text("Ann,spouse,Bob\nCleo,spouse,Dan\n", encoding="utf-8")
    store = Store(db)
    store.load_kg(tmp_path / "people.csv")
    yield store


def writing(store: Store, chat: ScriptedChat, encoder: Encoder | None = None) -> WriteBackend:
    """A backend whose encoder compares letters, unless another one is given."""
    encoder = encoder or Trigrams("trigrams")
    prompt = Prompt(PromptTexts(), BUDGET, encoder)
    return WriteBackend(chat, prompt, Shots([], encoder, db=store.db), BackendOptions(samples=1, retries=0))


def last_turn(chat: ScriptedChat) -> str:
    return chat.requests[-1].messages[-1].content


def test_an_llm_sees_the_question_before_with_its_program_and_answer(people: Store) -> None:
    chat = ScriptedChat(WED.format("Cleo"), WED.format("Ann"))
    backend = writing(people, chat)
    answer = people.ask("And Cleo?", backend, after=BOB)
    assert answer.answer == ("Dan",)
    assert last_turn(chat).startswith(
        "The question below follows others in one conversation, and may leave out what they say. Write a program that "
        "stands alone: it cannot use their outputs.\n\n"
        'Earlier question: "Who wed Ann?"\nIts program:\n'
        "get_information(head_entity='Ann', relation='spouse')\n"
        'It gave "Bob".\n\n'
        "Question: And Cleo?\n"
    )
    people.ask("Who wed Ann?", backend)
    assert last_turn(chat).startswith("Question: Who wed Ann?")


def test_of_a_long_conversation_the_last_three_questions_are_shown_in_short() -> None:
    long = Answer(tuple(f"{n:0200}" for n in range(50)), "count(set='x')" * 1_000, question="What?" * 1_000)
    text = conversation_text([BOB, long, long, long])
    assert "Who wed Ann?" not in text
    assert text.count("Earlier question") == 3
    assert "and 40 more." in text
    assert len(text) < 12_000


def test_no_values_are_shown_where_no_data_may_be(people: Store) -> None:
    people.wrong(BOB, ["Dan"])
    chat, encoder = ScriptedChat(WED.format("Cleo")), Trigrams("trigrams")
    prompt = Prompt(PromptTexts(), BUDGET, encoder, rows=0)
    backend = WriteBackend(chat, prompt, Shots([], encoder, db=people.db), BackendOptions(samples=1, retries=0))
    people.ask("And Cleo?", backend, after=BOB)
    assert "It gave 1 value." in last_turn(chat)
    assert "Bob" not in last_turn(chat)


def test_a_conversation_counts_for_the_budget_of_a_prompt(people: Store) -> None:
    chat = ScriptedChat(WED.format("Cleo"))
    long = Answer(("x" * 500,) * 10, "y" * 5_000, question="z" * 5_000)
    people.ask("And Cleo?", writing(people, chat), after=[long] * 3)
    assert tokens_of(chat.requests[-1].messages) <= BUDGET


def test_what_is_no_answer_of_a_question_cannot_be_followed(people: Store) -> None:
    with pytest.raises(BadInput, match="`after` is not an answer to a question"):
        people.ask("And Cleo?", writing(people, ScriptedChat("x")), after=Answer(("Bob",), "x"))


def test_a_wrong_program_is_shown_with_its_correction_to_a_near_question(people: Store) -> None:
    people.wrong(BOB, ["Dan"])
    chat = ScriptedChat(WED.format("Cleo"), WED.format("Ann"))
    people.ask("Who wed Cleo?", writing(people, chat))
    assert last_turn(chat).startswith(
        'A program that was wrong for "Who wed Ann?":\n'
        "get_information(head_entity='Ann', relation='spouse')\n"
        'It gave "Bob"; right is "Dan".\n\nQuestion: Who wed Cleo?'
    )
    people.ask("who wed Ann", writing(people, chat))
    assert last_turn(chat).startswith("A program that was wrong here:\n")


def test_a_question_that_is_not_near_has_no_correction(people: Store, encoder: Encoder) -> None:
    people.wrong(BOB, ["Dan"])
    chat = ScriptedChat(WED.format("Cleo"), WED.format("Cleo"))
    backend = writing(people, chat, encoder)
    people.ask("How many rivers flow through Austria?", backend)
    assert last_turn(chat).startswith("Question:")
    people.ask("Who wed Cleo?", backend)
    assert last_turn(chat).startswith("A program that was wrong")


def test_a_right_program_is_a_demonstration_for_near_questions_and_shown_for_its_own(people: Store) -> None:
    right = "get_information(relation='spouse', tail_entity='Dan')"
    kept = people.wrong(BOB, program=right)
    assert kept.gold == ("Cleo",)
    chat = ScriptedChat(WED.format("Cleo"))
    people.ask("Who wed Cleo?", writing(people, chat))
    assert right in [message.content for message in chat.requests[-1].messages]
    assert f"A right program:\n{right}" in corrections_text("Who wed Ann?", [kept])


def test_a_correction_is_no_reason_to_try_the_question_of_a_build_again(people: Store, tmp_path: Path) -> None:
    people.wrong(BOB, ["Dan"])
    train = tmp_path / "train.jsonl"
    train.write_text('{"question": "Who wed Ann?", "answer": ["Bob"]}\n', encoding="utf-8")
    people.build_demonstrations(train, writing(people, ScriptedChat()), encoder=Trigrams("trigrams"), again=True)
    (one,) = people.demonstrations()
    assert one.gold == ("Dan",)


def test_demonstrations_of_the_source_come_first(people: Store, tmp_path: Path) -> None:
    (tmp_path / "pets.csv").write_text("Rex,spouse,Fifi\n", encoding="utf-8")
    people.load_kg(tmp_path / "pets.csv")
    for name, gave in (("Ann", "Bob"), ("Rex", "Fifi")):
        people.right(Answer((gave,), WED.format(name), question=f"Who wed {name}?"))
    chat = ScriptedChat(WED.format("Cleo"), WED.format("Rex"))
    backend = writing(people, chat)
    for source, nearest in (("people", "Ann"), ("pets", "Rex")):
        people.ask("Who wed X then?", backend, [source])
        assert chat.requests[-1].messages[-2].content == WED.format(nearest)
