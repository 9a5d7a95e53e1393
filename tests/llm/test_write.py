"""An LLM writes programs: they vote, it is told what came of them, and functions that nobody defined go to it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from cgstore.errors import BadInput
from cgstore.llm import BackendOptions
from cgstore.llm.backends import Attempt, Decision
from cgstore.llm.backends.feedback import CUT_OFF
from cgstore.llm.backends.languages import declined_in
from cgstore.llm.backends.write import ASKS_FOR_LESS, WriteBackend, ignored_grammar
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


def decided(chat: ScriptedChat, run: Runner, **settings: int) -> tuple[str | None, Sequence[str]]:
    decision = backend(chat, **settings).decide(QUESTION, MemoryGraph(), run)
    return decision.chosen.program if decision.chosen else None, decision.warnings


def test_the_answer_of_most_programs_stands() -> None:
    run = Runner()
    assert decided(ScriptedChat(["Ulm", "Bern", "Bern", "empty", "wrong"]), run)[0] == "Bern"
    assert run.ran == ["Ulm", "Bern", "empty", "wrong"]


def test_several_samples_are_asked_for_in_one_request_and_warmly() -> None:
    chat = ScriptedChat("Ulm")
    decided(chat, Runner())
    assert [(request.n, request.temperature > 0) for request in chat.requests] == [(5, True)]


def test_one_sample_is_asked_for_at_temperature_0() -> None:
    chat = ScriptedChat("Ulm")
    decided(chat, Runner(), samples=1)
    assert [(request.n, request.temperature) for request in chat.requests] == [(1, 0.0)]


def test_an_answer_that_few_give_is_doubtful() -> None:
    assert decided(ScriptedChat(["Ulm", "Bern", "Graz", "Bonn", "Trier"]), Runner())[1] == (
        "Doubtful: only 1 of 5 programs gave this answer.",
    )


def test_the_llm_is_told_what_came_of_its_programs_and_asked_again() -> None:
    chat = ScriptedChat(["empty", "wrong"], ["Ulm", "Ulm"])
    assert decided(chat, Runner(), samples=2)[0] == "Ulm"
    told = chat.requests[1].messages[-1].content
    assert "There is no function 'fly'. Did you mean 'first'?" in told
    assert "'Nadia' was taken for 'Nadia Orlov'" in told
    assert "Query1 gave nothing" in told
    assert chat.requests[1].messages[-2].content == "empty"


def test_a_reply_that_was_cut_off_is_a_failed_program_that_is_told() -> None:
    run, cut = Runner(), Message("assistant", "Ulm Ulm", cut_off=True)
    chat = ScriptedChat([cut, cut, "empty"], ["Bern"] * 2 + [cut])
    decision = backend(chat, samples=3).decide(QUESTION, MemoryGraph(), run)
    assert run.ran == ["empty", "Bern"]
    assert CUT_OFF in chat.requests[1].messages[-1].content
    assert decision.because == "2 of 3 programs of scripted agree, at attempt 2"
    assert [attempt.error for attempt in decision.attempts] == [CUT_OFF, "", "", CUT_OFF]


def test_half_of_a_function_s_values_is_an_error() -> None:
    cut = Message("assistant", "Bern\nUl", cut_off=True)
    with pytest.raises(BadInput, match="cut off"):
        backend(ScriptedChat("call", cut), samples=1).decide(QUESTION, MemoryGraph(), Runner())


def test_programs_are_constrained_by_the_grammar_where_that_is_asked_for() -> None:
    chat = ScriptedChat("empty", 'Query1: "Ulm"')
    WriteBackend(chat, Prompt(PromptTexts()), NoShots(), BackendOptions(samples=1, corrections=False)).decide(
        QUESTION, MemoryGraph(), Runner()
    )
    assert [request.grammar for request in chat.requests] == ["", ""]
    for reply, notes in (('Query1: "Ulm"', ()), ("Ulm", (ignored_grammar(),))):
        chat = ScriptedChat(reply)
        writer = WriteBackend(
            chat, Prompt(PromptTexts()), NoShots(), BackendOptions(samples=1, constrain=True, corrections=False)
        )
        assert writer.decide(QUESTION, MemoryGraph(), Runner()).warnings == notes
        assert chat.requests[0].grammar == gbnf()


def test_an_answer_of_a_program_written_again_says_so() -> None:
    assert decided(ScriptedChat("empty", "Ulm"), Runner(), samples=1)[1] == (ASKS_FOR_LESS,)
    assert decided(ScriptedChat("Ulm"), Runner(), samples=1)[1] == ()


def test_values_without_a_name_are_no_answer_and_the_llm_is_told() -> None:
    chat = ScriptedChat(["m.04j5sk4", "m.04j5sk4", "Ulm"], ["m.04j5sk8"] * 2, ["Bern", "Bern"])
    assert decided(chat, Runner(), samples=2)[0] == "Ulm"
    chat = ScriptedChat("m.04j5sk4", "Ulm")
    assert decided(chat, Runner(), samples=1)[0] == "Ulm"
    assert "nodes without a name (m.04j5sk4)" in chat.requests[1].messages[-1].content


def test_where_it_finds_nothing_else_they_stand_with_a_warning() -> None:
    chosen, warnings = decided(ScriptedChat("_:b1", "empty"), Runner(), samples=1, retries=1)
    assert chosen == "_:b1"
    assert "have no names" in warnings[0]


def test_after_the_retries_there_is_no_answer() -> None:
    chat = ScriptedChat("empty 1", "empty 2", "empty 3")
    decision = backend(chat, samples=1, retries=2).decide(QUESTION, MemoryGraph(), Runner())
    assert decision.chosen is None
    assert [one.program for one in decision.attempts] == ["empty 1", "empty 2", "empty 3"]


def test_without_retries_it_is_asked_once() -> None:
    chat = ScriptedChat("empty")
    assert decided(chat, Runner(), retries=0)[0] is None


def test_a_function_that_nobody_defined_is_left_to_the_llm() -> None:
    chat = ScriptedChat("call", "- 'Bern'")
    decision = backend(chat, samples=1).decide(QUESTION, MemoryGraph(), Runner())
    assert decision.chosen
    assert decision.chosen.answer
    assert decision.chosen.answer.answer == ("Bern",)
    asked = chat.requests[1].messages[0].content
    assert '"longest"' in asked
    assert 'set = ["Ulm", "Bern"]' in asked


def test_functions_can_be_switched_off() -> None:
    def run(program: str, evaluate: Evaluator | None = None) -> Attempt:
        assert evaluate is None
        return Attempt(program, Answer(("Ulm",), program))

    assert backend(ScriptedChat("Ulm"), functions=False).decide(QUESTION, MemoryGraph(), run).chosen


def test_all_tokens_are_counted() -> None:
    chat = ScriptedChat("empty", "call", "Bern")
    usage = backend(chat, samples=1).decide(QUESTION, MemoryGraph(), Runner()).usage
    assert (usage.requests, usage.prompt_tokens, usage.completion_tokens) == (3, 300, 30)


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
    from cgstore.llm.backends.write import values_of

    assert values_of(reply) == values


def test_a_reply_that_the_data_do_not_have_it_ends_without_an_answer() -> None:
    chat = ScriptedChat('None: "the table has no (ticket) prices"')
    decision = backend(chat, samples=1).decide(QUESTION, MemoryGraph(), Runner())
    assert (decision.chosen, decision.declined, decision.attempts) == (None, "the table has no (ticket) prices", ())
    assert len(chat.requests) == 1


def test_such_a_reply_votes_for_no_answer() -> None:
    run = Runner()
    decision = backend(ScriptedChat(["Ulm", "None: a", "None: b", "empty", "Bern"])).decide(
        QUESTION, MemoryGraph(), run
    )
    assert decision.declined == "a"
    assert decision.warnings == ('scripted (2 of 5 replies) says that the data do not have the answer: "a"',)
    assert run.ran == ["Ulm", "empty", "Bern"]
    assert decided(ScriptedChat(["Ulm", "None: a", "Ulm", "empty", "Bern"]), Runner())[0] == "Ulm"


def test_a_retry_does_not_override_it_and_may_end_with_it() -> None:
    chat = ScriptedChat("empty", "None: no teams")
    assert backend(chat, samples=1).decide(QUESTION, MemoryGraph(), Runner()).declined == "no teams"


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


def test_a_reply_after_a_failure_stands_though_the_first_program_answers_now(tmp_path: Path) -> None:
    """The replies of an LLM by files come hours later, when a program that ran out of time may answer."""
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
