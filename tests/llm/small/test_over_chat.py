"""The compact prompt for an LLM at an endpoint: the notation in, the programs of its replies run, a vote."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from cgstore.errors import BadInput
from cgstore.llm import get_backend
from cgstore.llm.backends import Attempt
from cgstore.llm.prompts import PromptTexts, tokens
from cgstore.llm.small.over_chat import CompactBackend
from cgstore.model import Answer
from tests.llm.memory_graph import MemoryGraph
from tests.llm.scripted_chat import ScriptedChat

QUESTION = "Who was Governor of Veria in 1982?"
RIGHT = '* : position held = "governor of veria" @ time = 1982'


def run(program: str, evaluate: object = None) -> Attempt:
    found = ("Kim O'Dell",) if "'Governor of Veria'" in program and "1982" in program else ()
    return Attempt(program, Answer(found, program))


@pytest.mark.parametrize(
    ("replies", "answer", "note"),
    [
        ([RIGHT, RIGHT, "nothing"], ("Kim O'Dell",), "2 of 3 programs"),
        ([f"```\n> {RIGHT}\n```"] * 3, ("Kim O'Dell",), "3 of 3 programs"),
        (["nothing", "Nothing.", RIGHT], (), "do not say what is asked"),
        (["I do not know", "position held |", "* :"], (), ""),
    ],
)
def test_replies_vote(replies: Sequence[str], answer: tuple[str, ...], note: str, graph: MemoryGraph) -> None:
    chat = ScriptedChat(list(replies))
    decision = CompactBackend(chat, PromptTexts(), samples=3).decide(QUESTION, graph, run)
    given = decision.chosen.answer.answer if decision.chosen and decision.chosen.answer else ()
    assert given == answer
    assert note in decision.because + "".join(decision.warnings)


def test_the_prompt_is_small_and_names_what_the_question_does(graph: MemoryGraph) -> None:
    chat = ScriptedChat(["nothing"] * 5)
    CompactBackend(chat, PromptTexts()).decide(QUESTION, graph, run)
    (request,) = chat.requests
    assert sum(tokens(message.content) for message in request.messages) < 1_300
    assert "governor of veria < position held" in request.messages[1].content


def test_what_it_has_no_room_for_is_an_error() -> None:
    with pytest.raises(BadInput, match="no room"):
        get_backend("openai", base_url="http://127.0.0.1:9/v1", model="m", prompt="compact", explore=True)
    with pytest.raises(BadInput, match="`prompt` is 'tiny'"):
        get_backend("openai", base_url="http://127.0.0.1:9/v1", model="m", prompt="tiny")
