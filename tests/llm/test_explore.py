"""An LLM that looks at the graph with tools before it writes."""

from __future__ import annotations

import json

import pytest

from cgstore.llm import BackendOptions
from cgstore.llm.backends import LONGEST_REASON, Attempt, Decision
from cgstore.llm.backends.explore import MAX_CALLS, MAX_STEPS, MAX_TEXTS, no_calls, tools_for
from cgstore.llm.backends.feedback import CUT_OFF
from cgstore.llm.backends.write import WriteBackend
from cgstore.llm.chat import Message, ToolCall
from cgstore.llm.prompts import Prompt, PromptTexts
from cgstore.model import Answer
from cgstore.query.external_functions import Evaluator
from tests.llm.memory_graph import MemoryGraph
from tests.llm.scripted_chat import ScriptedChat, calls
from tests.llm.test_write import NoShots

QUESTION = "Which team did Nadia Orlov play for?"
LOOK = calls(("run_program", "program", "empty"))
ULM = calls(("answer", "program", "Ulm"))


def run(program: str, evaluate: Evaluator | None = None) -> Attempt:
    values = () if program.startswith("empty") else (program,)
    return Attempt(program, Answer(values, program, queries=(f'Query1 gave 1: "{program}"',)))


def explored(chat: ScriptedChat) -> Decision:
    backend = WriteBackend(chat, Prompt(PromptTexts()), NoShots(), BackendOptions(explore=True, corrections=False))
    return backend.decide(QUESTION, MemoryGraph(), run)


def told(chat: ScriptedChat, request: int) -> str:
    """What the tools gave before a request."""
    return chat.requests[request].messages[-1].content


def test_the_program_that_it_ends_with_is_executed() -> None:
    decision = explored(ScriptedChat(ULM))
    assert decision.chosen
    assert decision.chosen.program == "Ulm"
    assert decision.because == "written by scripted after 1 step"


@pytest.mark.parametrize(("program", "told_of_it"), [("empty", "gave nothing"), ("_:b1", "nodes without a name")])
def test_a_last_program_without_an_answer_is_told_and_it_goes_on(program: str, told_of_it: str) -> None:
    chat = ScriptedChat(calls(("answer", "program", program)), ULM)
    decision = explored(chat)
    assert told_of_it in told(chat, 1)
    assert decision.chosen == run("Ulm")
    assert [one.program for one in decision.attempts] == [program, "Ulm"]


def test_a_program_without_a_call_is_taken_for_the_last_one_and_told_in_a_turn_of_its_own() -> None:
    chat = ScriptedChat("empty", "Ulm")
    assert explored(chat).chosen == run("Ulm")
    written, result = chat.requests[1].messages[-2:]
    assert (written.role, written.content, written.tool_calls) == ("assistant", "empty", ())
    assert (result.role, result.content.splitlines()[0]) == ("user", "-> gave nothing")


def test_an_llm_that_calls_no_tool_is_asked_thrice_and_the_note_says_why() -> None:
    chat = ScriptedChat(*["empty"] * MAX_STEPS)
    decision = explored(chat)
    assert (decision.chosen, len(chat.requests)) == (None, MAX_TEXTS)
    assert decision.warnings == (no_calls("scripted"),)


def test_a_reply_that_was_cut_off_is_told_and_not_run() -> None:
    cut = Message("assistant", "Ulm Ulm", cut_off=True)
    chat = ScriptedChat(cut, ULM)
    decision = explored(chat)
    assert told(chat, 1).startswith(CUT_OFF)
    assert [attempt.program for attempt in decision.attempts] == ["Ulm"]


def test_each_call_gets_its_result() -> None:
    chat = ScriptedChat(calls(("run_program", "program", "Pia"), ("run_program", "program", "Kim")), ULM)
    explored(chat)
    results = [message for message in chat.requests[1].messages if message.role == "tool"]
    assert [(result.tool_call_id, "Pia" in result.content) for result in results] == [
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
    chat = ScriptedChat(Message("assistant", "", wrong), ULM)
    assert explored(chat).chosen
    assert [message.content.split(".")[0] for message in chat.requests[1].messages[-4:]] == [
        "There is no tool 'delete_all'",
        "The arguments of find_names must be a JSON object with: text (string)",
        "'text' must be a text",
        "The arguments of relations_of must be a JSON object with: entity (string), contains (string)",
    ]


def test_steps_are_bounded_and_the_last_program_with_an_answer_stands() -> None:
    script = [calls(("run_program", "program", "Ulm")), *[LOOK] * MAX_STEPS]
    chat = ScriptedChat(*script)
    decision = explored(chat)
    assert len(chat.requests) == MAX_STEPS
    assert decision.chosen
    assert decision.chosen.program == "Ulm"
    assert "did not end" in decision.warnings[0]


def test_each_result_says_what_may_still_be_done() -> None:
    chat = ScriptedChat(*[LOOK] * MAX_STEPS)
    assert explored(chat).chosen is None
    rests = [told(chat, request).splitlines()[-1] for request in range(1, MAX_STEPS)]
    assert rests[0] == f"(At most {MAX_STEPS - 1} steps left, with up to {MAX_CALLS} calls each.)"
    assert rests[-1] == "(The next step is the last one: only answer or give_up is possible now.)"
    assert [tool.name for tool in chat.requests[-1].tools] == ["answer", "give_up"]


def test_a_call_beyond_those_allowed_is_answered_and_not_run() -> None:
    several = calls(*[("run_program", "program", f"empty {n}") for n in range(MAX_CALLS + 2)])
    chat = ScriptedChat(several, ULM)
    decision = explored(chat)
    results = [message.content for message in chat.requests[1].messages if message.role == "tool"]
    assert len(results) == MAX_CALLS + 2
    assert [result.startswith("Not run: at most 4 calls a step. Call it again.") for result in results[-3:]] == [
        False,
        True,
        True,
    ]
    assert len(decision.attempts) == MAX_CALLS + 1


def test_an_llm_that_gives_up_ends_without_an_answer_and_its_words_are_shown() -> None:
    chat = ScriptedChat(
        calls(("run_program", "program", "Ulm")), calls(("give_up", "reason", 'There are "no"\nteams.'))
    )
    decision = explored(chat)
    assert decision.chosen is None
    assert decision.declined == 'There are "no" teams.'
    assert decision.warnings == (r'scripted says that the data do not have the answer: "There are \"no\" teams."',)
    assert explored(ScriptedChat('None: "There are no teams."')).declined == "There are no teams."
    assert len(explored(ScriptedChat(calls(("give_up", "reason", "x" * 5_000)))).declined) == LONGEST_REASON + 3


def test_the_limit_of_tokens_makes_the_next_step_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cgstore.llm.backends.explore.MAX_TOKENS", 1)
    chat = ScriptedChat(*[LOOK] * 2)
    assert "within 2 steps" in explored(chat).warnings[0]
    assert [tool.name for tool in chat.requests[1].tools] == ["answer", "give_up"]


def test_only_tools_that_suit_the_sources_are_offered_with_every_argument_described() -> None:
    assert "rows" in {tool.name for tool in tools_for(["table"])}
    assert "facts_of" not in {tool.name for tool in tools_for(["table"])}
    assert "rows" not in {tool.name for tool in tools_for(["kg", "tkg"])}
    assert {"rows", "facts_of"} < {tool.name for tool in tools_for(["kg", "table"])}
    for tool in tools_for(["kg", "table"]):
        assert all(each["description"] for each in tool.parameters["properties"].values())
