"""An LLM reached by files: requests out, replies in, in any order and in several rounds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cgstore.errors import BadInput
from cgstore.llm.chat import Message, Request
from cgstore.llm.chat.batch import BatchChat, NotYet

MODEL = "some-model"


def request(text: str, n: int = 1) -> Request:
    return Request((Message("user", text),), n)


def ask(folder: Path, *texts: str) -> BatchChat:
    """A session that asks these and finds no reply."""
    chat = BatchChat(folder, MODEL)
    for text in texts:
        with pytest.raises(NotYet):
            chat.complete(request(text))
    return chat


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def reply_line(id_: str, *texts: str) -> str:
    choices = [{"index": n, "message": {"role": "assistant", "content": text}} for n, text in enumerate(texts)]
    body = {"choices": choices, "usage": {"prompt_tokens": 10, "completion_tokens": 2}}
    return json.dumps({"custom_id": id_, "response": {"status_code": 200, "body": body}, "error": None}) + "\n"


def test_requests_are_lines_of_a_batch_file(tmp_path: Path) -> None:
    ask(tmp_path, "Who?", "Where?")
    first, second = lines(tmp_path / "requests-1.jsonl")
    assert first["method"] == "POST"
    assert first["url"] == "/v1/chat/completions"
    assert first["body"]["messages"] == [{"role": "user", "content": "Who?"}]
    assert first["body"]["model"] == MODEL
    assert first["custom_id"] != second["custom_id"]


def replied(folder: Path, *places: int) -> list[str]:
    """Replies to the first round's requests of these places; the ids of all requests."""
    ids = [line["custom_id"] for line in lines(folder / "requests-1.jsonl")]
    (folder / "output.jsonl").write_text("".join(reply_line(ids[place], f"Reply {place}.", "?") for place in places))
    return ids


def test_replies_are_read_in_any_order_and_their_tokens_counted(tmp_path: Path) -> None:
    ask(tmp_path, "Who?", "Where?")
    replied(tmp_path, 1, 0)
    chat = BatchChat(tmp_path, MODEL)
    reply = chat.complete(request("Who?"))
    assert [choice.content for choice in reply.choices] == ["Reply 0.", "?"]
    assert (reply.usage.requests, reply.usage.prompt_tokens, reply.usage.completion_tokens) == (1, 10, 2)
    assert chat.complete(request("Where?")).choices[0].content == "Reply 1."


def test_a_request_is_written_once_and_what_is_asked_later_is_the_next_round(tmp_path: Path) -> None:
    ask(tmp_path, "Who?", "Who?")
    ask(tmp_path, "Who?")
    assert len(lines(tmp_path / "requests-1.jsonl")) == 1
    assert not (tmp_path / "requests-2.jsonl").exists()
    chat = ask(tmp_path, "Who?", "And then?")
    with pytest.raises(NotYet):
        chat.complete(request("Who?", 5))  # another number of samples
    asked = [line["body"]["messages"][0]["content"] for line in lines(tmp_path / "requests-2.jsonl")]
    assert asked == ["And then?", "Who?"]


def test_the_same_requests_make_the_same_file_in_whatever_order_they_were_asked(tmp_path: Path) -> None:
    files = []
    for questions in (("Who?", "Where?", "When?"), ("When?", "Who?", "Where?")):
        folder = tmp_path / questions[0][:-1]
        chat = ask(folder, *questions)
        chat.sort_requests()
        files.append((folder / "requests-1.jsonl").read_bytes())
    assert files[0] == files[1]


def test_malformed_replies_are_told_and_the_rest_is_read(tmp_path: Path) -> None:
    ask(tmp_path, "a", "b", "c", "d", "e")
    ids = [line["custom_id"] for line in lines(tmp_path / "requests-1.jsonl")]
    failed = json.dumps({"custom_id": ids[1], "response": {"status_code": 429, "body": {"error": {"message": "slow"}}}})
    empty = json.dumps({"custom_id": ids[2], "response": {"status_code": 200, "body": {"choices": []}}})
    endless = json.dumps(
        {"custom_id": ids[3], "response": {"body": {"choices": [], "usage": {"prompt_tokens": 9e999}}}}
    )
    bad = "".join(line + "\n" for line in (failed, empty, "no JSON", endless))
    text = reply_line(ids[0], "A.") + bad + reply_line("of-nobody", "?")
    (tmp_path / "output.jsonl").write_text(text)
    state = BatchChat(tmp_path, MODEL).state
    assert (state.requests, state.replied, state.waiting, state.malformed, state.strange) == (5, 1, 4, 4, 1)
    assert "output.jsonl, line 2: the request failed (slow)." in state.problems
    assert "output.jsonl, line 4: not a line of a Batch API's output." in state.problems


def test_what_was_sent_and_has_no_reply_is_written_again_for_sending(tmp_path: Path) -> None:
    ask(tmp_path, "a", "b")
    assert BatchChat(tmp_path, MODEL).write_missing() is None  # no reply has come
    ids = replied(tmp_path, 0)
    missing = BatchChat(tmp_path, MODEL).write_missing()
    assert missing is not None
    assert [line["custom_id"] for line in lines(missing)] == [ids[1]]


def test_a_round_that_was_not_sent_yet_is_not_missing(tmp_path: Path) -> None:
    ask(tmp_path, "a")
    replied(tmp_path, 0)
    ask(tmp_path, "b", "c")
    assert BatchChat(tmp_path, MODEL).write_missing() is None


@pytest.mark.parametrize("text", ["one\u2028two", "one\x85two", "lone \ud83d half", "one\ntwo"])
def test_any_text_can_be_asked_and_read_back(tmp_path: Path, text: str) -> None:
    ask(tmp_path, text)
    ask(tmp_path, text)
    assert BatchChat(tmp_path, MODEL).state.requests == 1


def test_a_damaged_file_of_requests_is_refused_with_its_line(tmp_path: Path) -> None:
    ask(tmp_path, "a")
    with (tmp_path / "requests-1.jsonl").open("a") as stream:
        stream.write('{"custom_id": "x", "bo')
    with pytest.raises(BadInput, match="line 2"):
        BatchChat(tmp_path, MODEL)
