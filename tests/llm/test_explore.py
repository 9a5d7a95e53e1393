"""An LLM that looks at the graph with tools before it writes."""

from __future__ import annotations

import json

from cgstore.llm.backends import Attempt, Decision
from cgstore.llm.backends.explore import MAX_STEPS
from cgstore.llm.backends.write import Settings, WriteBackend
from cgstore.llm.chat import Message, ToolCall
from cgstore.llm.prompts import Prompt, PromptTexts
from cgstore.model import Answer
from cgstore.query.external_functions import Evaluator
from tests.llm.memory_graph import MemoryGraph
from tests.llm.scripted_chat import ScriptedChat, calls
from tests.llm.test_write import NoShots

QUESTION = "Which team did Nadia Orlov play for?"


def run(program: str, evaluate: Evaluator | None = None) -> Attempt:
    values = () if program.startswith("empty") else (program,)
    return Attempt(program, Answer(values, program, steps=(f"1. {program}",)))


def explored(chat: ScriptedChat) -> Decision:
    backend = WriteBackend(chat, Prompt(PromptTexts()), NoShots(), Settings(explore=True))
    return backend.decide(QUESTION, MemoryGraph(), run)


def told(chat: ScriptedChat, request: int) -> str:
    """What the tools gave before a request."""
    return chat.requests[request].messages[-1].content


def test_the_program_that_it_ends_with_is_executed() -> None:
    decision = explored(ScriptedChat(calls(("answer", "program", "Ulm"))))
    assert decision.chosen
    assert decision.chosen.program == "Ulm"
    assert decision.because == "written by scripted after 1 step"


def test_it_can_find_names() -> None:
    chat = ScriptedChat(calls(("find_names", "text", "Nadia")), calls(("answer", "program", "Ulm")))
    explored(chat)
    assert 'entities: ["Nadia Orlov"]' in told(chat, 1)


def test_it_can_see_how_an_entity_is_linked() -> None:
    chat = ScriptedChat(calls(("relations_of", "entity", "A.C. Terrano")), calls(("answer", "program", "Ulm")))
    explored(chat)
    assert told(chat, 1) == 'tail of "member of sports team": ["Nadia Orlov", "Pia Sand"]'


def test_it_sees_what_a_program_gives() -> None:
    chat = ScriptedChat(calls(("run_program", "program", "Ulm")), calls(("answer", "program", "Ulm")))
    explored(chat)
    assert told(chat, 1) == '1. Ulm\nanswer: ["Ulm"]'


def test_a_last_program_without_an_answer_is_told_and_it_goes_on() -> None:
    chat = ScriptedChat(calls(("answer", "program", "empty")), calls(("answer", "program", "Ulm")))
    decision = explored(chat)
    assert "gave nothing" in told(chat, 1)
    assert decision.chosen
    assert [one.program for one in decision.attempts] == ["empty", "Ulm"]


def test_nodes_without_a_name_are_no_last_answer() -> None:
    chat = ScriptedChat(calls(("answer", "program", "_:b1")), calls(("answer", "program", "Ulm")))
    assert explored(chat).chosen == run("Ulm")
    assert "nodes without a name" in told(chat, 1)


def test_a_program_without_a_call_is_taken_for_the_last_one() -> None:
    assert explored(ScriptedChat("Ulm")).chosen


def test_each_call_gets_its_result() -> None:
    chat = ScriptedChat(
        calls(("find_names", "text", "Pia"), ("find_names", "text", "Kim")), calls(("answer", "program", "Ulm"))
    )
    explored(chat)
    results = [message for message in chat.requests[1].messages if message.role == "tool"]
    assert [(result.tool_call_id, "Pia Sand" in result.content) for result in results] == [
        ("call-0", True),
        ("call-1", False),
    ]


def test_wrong_calls_are_told_and_not_raised() -> None:
    wrong = (
        ToolCall("a", "delete_all", "{}"),
        ToolCall("b", "find_names", "no JSON"),
        ToolCall("c", "find_names", json.dumps({"text": 5})),
        ToolCall("d", "relations_of", json.dumps(["x"])),
    )
    chat = ScriptedChat(Message("assistant", "", wrong), calls(("answer", "program", "Ulm")))
    assert explored(chat).chosen
    assert [message.content.split(".")[0] for message in chat.requests[1].messages[-4:]] == [
        "There is no tool 'delete_all'",
        "The arguments must be a JSON object with the text 'text'",
        "'text' must be a text",
        "The arguments must be a JSON object with the text 'entity'",
    ]


def test_steps_are_bounded_and_the_last_program_with_an_answer_stands() -> None:
    script = [calls(("run_program", "program", "Ulm")), *[calls(("find_names", "text", "Pia"))] * MAX_STEPS]
    chat = ScriptedChat(*script)
    decision = explored(chat)
    assert len(chat.requests) == MAX_STEPS
    assert decision.chosen
    assert decision.chosen.program == "Ulm"
    assert "did not end" in decision.warnings[0]


def test_without_any_program_there_is_no_answer() -> None:
    decision = explored(ScriptedChat(*[calls(("find_names", "text", "Pia"))] * MAX_STEPS))
    assert decision.chosen is None
