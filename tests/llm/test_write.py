"""An LLM writes programs: they vote, it is told what came of them, and functions that nobody defined go to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cgstore.cypher.connection import OUT_OF_TIME
from cgstore.errors import BadInput, QueryFailed
from cgstore.llm import BackendOptions
from cgstore.llm.backends import Attempt, Decision
from cgstore.llm.backends.feedback import CUT_OFF, TOOK_TOO_LONG, outcome
from cgstore.llm.backends.languages import declined_in
from cgstore.llm.backends.write import ASKS_FOR_LESS, NAMELESS, WriteBackend, ignored_grammar, values_of
from cgstore.llm.chat import Message, key_of
from cgstore.llm.chat.batch import ID_LENGTH, BatchChat, NotYet
from cgstore.llm.demonstrations import Demonstration
from cgstore.llm.demonstrations.shot_selection import Shots
from cgstore.llm.graph_view import GraphView
from cgstore.llm.prompts import Prompt, PromptTexts
from cgstore.model import Answer, Mapping
from cgstore.query.external_functions import Evaluator
from cgstore.query.gbnf import gbnf
from tests.llm.memory_graph import MemoryGraph
from tests.llm.scripted_chat import ScriptedChat

QUESTION = "Which team did Nadia Orlov play for in 1991?"


class NoShots(Shots):
    def __init__(self) -> None:
        super().__init__([])

    def nearest(self, question: str, graph: GraphView) -> list[Demonstration]:
        return []


class Runner:
    """Runs programs that are texts: `empty` gives nothing, `wrong` cannot be run, all others give themselves."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def __call__(self, program: str, evaluate: Evaluator | None = None) -> Attempt:
        self.ran.append(program)
        if program.startswith("wrong"):
            return Attempt(program, error="There is no function 'fly'.\nDid you mean 'first'?")
        if program.startswith("call"):
            assert evaluate is not None
            return Attempt(program, Answer(tuple(evaluate("longest", [("set", ("Ulm", "Bern"))])), program))
        values = () if program.startswith("empty") else (program,)
        mapped = (Mapping("Nadia", "entity", "Nadia Orlov", 0.9, "nearest"),)
        return Attempt(program, Answer(values, program, mappings=mapped, queries=("Query1 gave nothing",)))


def backend(chat: ScriptedChat, samples: int = 5, retries: int = 3, functions: bool = True) -> WriteBackend:
    return WriteBackend(
        chat,
        Prompt(PromptTexts()),
        NoShots(),
        BackendOptions(samples=samples, retries=retries, functions=functions, corrections=False),
    )


def decided(chat: ScriptedChat, run: Runner | None = None, samples: int = 1, retries: int = 3) -> Decision:
    return backend(chat, samples, retries).decide(QUESTION, MemoryGraph(), run or Runner())


DOUBTED = "Doubtful: only {} of {} programs gave this answer."
NO_PRICES = "the table has no (ticket) prices"
SAID = 'scripted{} says that the data do not have the answer: "{}"'


@pytest.mark.parametrize(
    ("replies", "samples", "chosen", "warnings", "requests"),
    [
        pytest.param([["Ulm", "Bern", "Bern", "empty", "wrong"]], 5, "Bern", [DOUBTED.format(2, 5)], 1, id="most"),
        pytest.param([["Ulm", "Bern", "ulm"]], 3, "Ulm", [], 1, id="values are the same without case"),
        pytest.param([["Ulm", "Bern", "Graz", "Bonn", "Trier"]], 5, "Ulm", [DOUBTED.format(1, 5)], 1, id="few"),
        pytest.param(["empty", "Ulm"], 1, "Ulm", [ASKS_FOR_LESS], 2, id="written again"),
        pytest.param(["empty"] * 4, 1, None, [], 4, id="after the retries"),
        pytest.param([["m.04j5sk4", "m.04j5sk4", "Ulm"]], 3, "Ulm", [DOUBTED.format(1, 3)], 1, id="no nameless node"),
        pytest.param(["m.04j5sk4", "Ulm"], 1, "Ulm", [ASKS_FOR_LESS], 2, id="a name in the next reply"),
        pytest.param(["_:b1", *["empty"] * 3], 1, "_:b1", [NAMELESS], 4, id="a nameless node where all else is empty"),
        pytest.param([f'None: "{NO_PRICES}"'], 1, None, [SAID.format("", NO_PRICES)], 1, id="the data lack it"),
        pytest.param(
            [["Ulm", "None: a", "None: b", "empty", "Bern"]], 5, None, [SAID.format(" (2 of 5 replies)", "a")], 1,
            id="most say that the data lack it",
        ),
        pytest.param([["Ulm", "None: a", "Ulm", "empty", "Bern"]], 5, "Ulm", [DOUBTED.format(2, 5)], 1, id="few do"),
        pytest.param(["empty", "None: no teams"], 1, None, [SAID.format("", "no teams")], 2, id="the next says so"),
    ],
)  # fmt: skip
def test_programs_vote_and_the_llm_is_asked_again_where_none_answers(
    replies: list[Any], samples: int, chosen: str | None, warnings: list[str], requests: int
) -> None:
    chat = ScriptedChat(*replies)
    decision = decided(chat, samples=samples)
    assert (decision.chosen.program if decision.chosen else None) == chosen
    assert list(decision.warnings) == warnings
    assert [(each.n, each.temperature > 0) for each in chat.requests] == [(samples, samples > 1)] * requests


def test_the_same_program_runs_once_and_what_the_data_lack_is_no_program() -> None:
    run = Runner()
    decision = decided(ScriptedChat(["Ulm", "Ulm", "None: a", "empty", "Bern"]), run, 5)
    assert run.ran == ["Ulm", "empty", "Bern"]
    assert (decision.declined, decision.because) == ("", "2 of 5 programs of scripted agree")
    assert decided(ScriptedChat("None: a")).declined == "a"


def test_the_llm_is_told_what_came_of_its_programs_and_asked_again() -> None:
    chat = ScriptedChat(["empty", "wrong", "m.04j5sk4"], ["Ulm"] * 3)
    decided(chat, samples=3)
    told = chat.requests[1].messages[-1].content
    assert "There is no function 'fly'. Did you mean 'first'?" in told
    assert "'Nadia' was taken for 'Nadia Orlov'" in told
    assert "Query1 gave nothing" in told
    assert "nodes without a name (m.04j5sk4)" in told
    assert chat.requests[1].messages[-2].content == "empty"


def test_an_llm_is_told_of_a_lack_of_time_in_words_of_its_own() -> None:
    error = str(QueryFailed(OUT_OF_TIME, "Give it more seconds with `timeout=`."))
    assert outcome(Attempt("p", error=error)) == f"-> could not be run: {TOOK_TOO_LONG}"


def test_a_reply_that_was_cut_off_is_a_failed_program_that_is_told() -> None:
    run, cut = Runner(), Message("assistant", "Ulm Ulm", cut_off=True)
    chat = ScriptedChat([cut, cut, "empty"], ["Bern"] * 2 + [cut])
    decision = decided(chat, run, 3)
    assert run.ran == ["empty", "Bern"]
    assert CUT_OFF in chat.requests[1].messages[-1].content
    assert decision.because == "2 of 3 programs of scripted agree, at attempt 2"
    assert [attempt.error for attempt in decision.attempts] == [CUT_OFF, "", "", CUT_OFF]


def test_programs_are_constrained_by_the_grammar_where_that_is_asked_for() -> None:
    chat = ScriptedChat('Query1: "Ulm"')
    decided(chat)
    assert chat.requests[0].grammar == ""
    for reply, notes in (('Query1: "Ulm"', ()), ("Ulm", (ignored_grammar(),))):
        chat = ScriptedChat(reply)
        writer = WriteBackend(
            chat, Prompt(PromptTexts()), NoShots(), BackendOptions(samples=1, constrain=True, corrections=False)
        )
        assert writer.decide(QUESTION, MemoryGraph(), Runner()).warnings == notes
        assert chat.requests[0].grammar == gbnf()


def test_without_retries_it_is_asked_once() -> None:
    assert decided(ScriptedChat("empty"), retries=0).chosen is None


# Functions.


def test_a_function_that_nobody_defined_is_left_to_the_llm_and_all_tokens_are_counted() -> None:
    chat = ScriptedChat("empty", "call", "- 'Bern'")
    decision = decided(chat)
    assert decision.chosen and decision.chosen.answer
    assert decision.chosen.answer.answer == ("Bern",)
    asked = chat.requests[2].messages[0].content
    assert '"longest"' in asked
    assert 'set = ["Ulm", "Bern"]' in asked
    usage = decision.usage
    assert (usage.requests, usage.prompt_tokens, usage.completion_tokens) == (3, 300, 30)


def test_functions_can_be_switched_off() -> None:
    def run(program: str, evaluate: Evaluator | None = None) -> Attempt:
        assert evaluate is None
        return Attempt(program, Answer(("Ulm",), program))

    assert backend(ScriptedChat("Ulm"), functions=False).decide(QUESTION, MemoryGraph(), run).chosen


def test_half_of_a_function_s_values_is_an_error() -> None:
    with pytest.raises(BadInput, match="cut off"):
        decided(ScriptedChat("call", Message("assistant", "Bern\nUl", cut_off=True)))


@pytest.mark.parametrize(
    ("reply", "values"),
    [
        ("Ulm", ["Ulm"]),
        ("- Ulm\n- 'Bern'\n", ["Ulm", "Bern"]),
        ("-12\n- -3", ["-12", "-3"]),
        ("**Bern**", ["Bern"]),
        ("'68", ["'68"]),
        ("nothing", []),
        ("Nothing.", []),
        ("```json\n5\n```", ["5"]),
    ],
)
def test_the_values_of_a_function_are_read_line_by_line(reply: str, values: list[str]) -> None:
    assert values_of(reply) == values


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ('None: "x"', "x"),
        ("```\nNone: x (of y)\n```", "x (of y)"),
        ("The table lacks it.\nNone: 'x'", "x"),
        ("none", "no reason given"),
        ("Query1: \"get_information(relation='None')\"", ""),
        ("None of these", ""),
        ('None: "x"\nQuery1: "count(set=\'y\')"', ""),
    ],
)
def test_a_reply_that_gives_a_reason_is_told_from_a_program(reply: str, reason: str) -> None:
    assert declined_in(reply) == reason


# Replies by files, which come hours later, when a program that ran out of time may answer.


def test_a_reply_after_a_failure_stands_though_the_first_program_answers_now(tmp_path: Path) -> None:
    for failing, reply in (({"first"}, "first"), ({"first"}, "second"), (set(), "")):
        decision = of_files(tmp_path, failing, reply)
    assert [each.program for each in decision.attempts] == ["first", "second"]
    assert decision.chosen is not None
    assert decision.chosen.program == "second"
    assert decision.warnings == (ASKS_FOR_LESS,)


def test_where_that_reply_fails_now_the_first_program_stands(tmp_path: Path) -> None:
    for failing, reply in (({"first"}, "first"), ({"first"}, "empty")):
        of_files(tmp_path, failing, reply)
    decision = of_files(tmp_path, set(), "")
    assert decision.chosen is not None
    assert decision.chosen.program == "first"


def of_files(folder: Path, failing: set[str], reply: str) -> Decision:
    """One run over a batch folder, where some programs run out of time; its request, if any, then gets a reply."""

    class Slow(Runner):
        def __call__(self, program: str, evaluate: Evaluator | None = None) -> Attempt:
            return Attempt(program, error="It took too long.") if program in failing else super().__call__(program)

    chat = BatchChat(folder, "by-hand")
    writer = WriteBackend(chat, Prompt(PromptTexts()), NoShots(), BackendOptions(samples=1, corrections=False))
    try:
        return writer.decide(QUESTION, MemoryGraph(), Slow())
    except NotYet as waiting:
        id_ = key_of(waiting.requests[0].body("by-hand"))[:ID_LENGTH]
    message = {"choices": [{"message": {"content": reply}}]}
    line = json.dumps({"custom_id": id_, "response": {"status_code": 200, "body": message}})
    with (folder / "replies.jsonl").open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    return Decision(None)
