"""Chat completions read as replies, whoever sent them."""

from __future__ import annotations

from typing import Any

import pytest

from cgstore.llm.chat import BadReply, Message, Request, key_of, reply_of


def completion(*choices: tuple[str, str]) -> dict[str, Any]:
    """Choices by text and finish reason."""
    return {"choices": [{"message": {"content": text}, "finish_reason": reason} for text, reason in choices]}


def texts(given: dict[str, Any]) -> list[str]:
    return [choice.content for choice in reply_of(given).choices]


def test_what_a_model_thought_first_is_no_part_of_its_reply() -> None:
    assert texts(completion(("<think>Query1: draft</think>\nQuery1: final", "stop"))) == ["\nQuery1: final"]


def test_what_stands_behind_the_end_of_text_is_no_part_of_it() -> None:
    assert texts(completion(("Query1: final<|im_end|>\nuser: more", "stop"))) == ["Query1: final"]


def test_a_reply_that_was_cut_off_says_so_and_has_no_calls() -> None:
    given = completion(("Query1: half", "length"), ("Query1: whole", "stop"), ("", "length"))
    given["choices"][2]["message"]["tool_calls"] = [{"id": "a", "function": {"name": "look", "arguments": '{"te'}}]
    read = [(choice.content, choice.cut_off, choice.tool_calls) for choice in reply_of(given).choices]
    assert read == [("Query1: half", True, ()), ("Query1: whole", False, ()), ("", True, ())]


def test_a_reply_without_words_is_none() -> None:
    with pytest.raises(BadReply, match="empty"):
        reply_of(completion(("", "stop")))


def test_requests_that_differ_have_different_keys() -> None:
    one = Request((Message("user", "Who?"),))
    bodies = [one.body("a"), one.body("b"), Request(one.messages, 5).body("a"), Request(one.messages, 1, 0.7).body("a")]
    assert len({key_of(body) for body in bodies}) == len(bodies)
