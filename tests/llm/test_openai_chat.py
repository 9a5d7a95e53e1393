"""The official client as a `Chat`, against a real local server with faults."""

from __future__ import annotations

import email.utils
import logging
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from typing import Any

import pytest

from cgstore.errors import BadInput, NoModel, RequestRefused
from cgstore.llm import get_backend
from cgstore.llm.chat import Message, Reply, Request, Tool, Usage
from cgstore.llm.chat import openai as openai_faults
from cgstore.llm.chat.openai import DEFAULT_MODEL, OpenAIChat
from tests.llm import fault_server as faults
from tests.llm.fault_server import Answer, FaultServer, completion, failure, rate_limit, refusal, tool_call

SECRET = "sk-proj-0123456789abcdef"
QUESTION = (Message("system", "Write a program."), Message("user", "Who is it? \u00e9\u4e2d"))
REQUEST = Request(QUESTION)


class Pauses(list[float]):
    """Instead of waiting: the seconds that would have been waited."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with faults.fault_server() as server:
        yield server


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


@pytest.fixture
def chat(server: FaultServer, pauses: Pauses) -> OpenAIChat:
    return OpenAIChat(server.url, "m", timeout=20, pause=pauses)


def said(reply: Reply) -> list[str]:
    return [choice.content for choice in reply.choices]


def refused(chat: OpenAIChat, request: Request = REQUEST) -> NoModel:
    with pytest.raises(NoModel) as caught:
        chat.complete(request)
    return caught.value


# What is sent, and what comes.


def test_the_endpoint_gets_the_request_s_body(chat: OpenAIChat, server: FaultServer) -> None:
    request = Request(QUESTION, 1, 0.5, 77, (Tool("look", "Looks.", {"type": "object"}),))
    assert said(chat.complete(request)) == ["a reply"]
    assert server.requests == [request.body("m")]


def test_half_a_surrogate_pair_is_sent_as_a_question_mark(chat: OpenAIChat, server: FaultServer) -> None:
    chat.complete(Request((Message("user", "a\ud800b"),)))
    assert server.requests[0]["messages"][0]["content"] == "a?b"


def test_a_tool_call_is_a_reply(chat: OpenAIChat, server: FaultServer) -> None:
    server.script = [tool_call("look", '{"name": "x"}')]
    (call,) = chat.complete(REQUEST).choices[0].tool_calls
    assert (call.id, call.name, call.arguments) == ("call_1", "look", '{"name": "x"}')


@pytest.mark.parametrize(
    ("script", "replies", "asked"),
    [
        ([completion("a", "b", "c")], ["a", "b", "c"], [3]),
        ([completion("a"), completion("b"), completion("c")], ["a", "b", "c"], [3, 2, 1]),
        ([completion("a", None, "c"), completion("b", "too many")], ["a", "c", "b"], [3, 1]),
    ],
    ids=["one request", "an endpoint that ignores n", "an empty choice"],
)
def test_as_many_choices_come_as_are_wanted(
    script: list[Answer], replies: list[str], asked: list[int], chat: OpenAIChat, server: FaultServer
) -> None:
    server.script = script
    reply = chat.complete(Request(QUESTION, n=3))
    assert said(reply) == replies
    assert [request.get("n", 1) for request in server.requests] == asked
    assert reply.usage == Usage(len(asked), 10 * len(asked), 5 * len(asked))


def test_a_reply_that_was_cut_off_is_a_reply_and_not_asked_for_again(chat: OpenAIChat, server: FaultServer) -> None:
    server.refuses = {"n": refusal("n")}
    server.script = [completion("a"), completion("Query1: Query1:", ends="length"), completion("c")]
    reply = chat.complete(Request(QUESTION, n=3))
    assert [(choice.content, choice.cut_off) for choice in reply.choices] == [
        ("a", False),
        ("Query1: Query1:", True),
        ("c", False),
    ]
    assert [request.get("n") for request in server.requests] == [3, None, None, None]
    half = tool_call("look", '{"te')
    half.body["choices"][0]["finish_reason"] = "length"
    server.script = [half]
    (choice,) = chat.complete(REQUEST).choices
    assert (choice.cut_off, choice.tool_calls) == (True, ())


def test_a_grammar_is_sent_under_the_names_of_servers(chat: OpenAIChat, server: FaultServer) -> None:
    chat.complete(Request(QUESTION, grammar='root ::= "a"'))
    sent = server.requests[0]
    assert (sent["grammar"], sent["structured_outputs"]) == ('root ::= "a"', {"grammar": 'root ::= "a"'})
    chat.complete(REQUEST)
    assert not {"grammar", "structured_outputs"} & set(server.requests[1])


@pytest.mark.parametrize(
    ("text", "read"),
    [
        *((f"Query1: x{end}\nQuery2: y{end}", "Query1: x") for end in ("<|im_end|>", "<|eot_id|>", "</s>")),
        ("<think>Query1: draft</think>\nQuery1: final", "\nQuery1: final"),
        ("Sure! Here it is:\n\n```python\nQuery1: x\n```", "Sure! Here it is:\n\n```python\nQuery1: x\n```"),
        ("a <b> c | d", "a <b> c | d"),
    ],
)
def test_a_reply_is_what_stands_behind_thoughts_and_before_an_end_of_text(
    text: str, read: str, chat: OpenAIChat, server: FaultServer
) -> None:
    server.script = [completion(text)]
    assert said(chat.complete(REQUEST)) == [read]


# Faults that pass.

PASSING = {
    "429": rate_limit(),
    "429, wait": rate_limit("1"),
    "500": failure(500, "boom"),
    "503, wait": failure(503, "loading", {"Retry-After": "1"}),
    "408": failure(408),
    "lost": faults.LOST,
    "cut body": faults.CUT_BODY,
    "cut stream": faults.CUT_STREAM,
    "not JSON": faults.NOT_JSON,
    "half JSON": faults.HALF_JSON,
    "not zipped": faults.NOT_ZIPPED,
    "deep JSON": faults.DEEP_JSON,
    "not UTF-8": Answer(b'{"choices": "\xff\xfe"}'),
    "another form": faults.OTHER_FORM,
    "odd choices": faults.ODD_CHOICES,
    "infinite usage": Answer(b'{"choices": [], "usage": {"prompt_tokens": 1e999}}'),
    "null": Answer(b"null"),
    "nothing": Answer(b""),
    "an error with status 200": faults.ERROR_WITH_200,
    "empty choices": faults.EMPTY_CHOICES,
    "null content": faults.NULL_CONTENT,
    "blank": faults.BLANK,
    "nothing but an end of text": completion("<|im_end|>"),
}


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING.keys())
def test_a_fault_that_passes_ends_in_the_reply_and_one_that_lasts_in_an_error_with_what_to_do(
    fault: Answer, chat: OpenAIChat, server: FaultServer, pauses: Pauses
) -> None:
    server.script = [fault, fault, completion("right")]
    reply = chat.complete(REQUEST)
    assert said(reply) == ["right"]
    assert len(server.requests) == reply.usage.requests == 3
    assert len(pauses) == 2
    server.script = [fault]
    error = refused(chat)
    assert len(server.requests) - 3 == len(pauses) - 2 + 1 <= 7
    assert ("127.0.0.1" in error.message) and error.hint
    assert "\n" not in error.message


def test_a_late_reply_is_asked_for_once_more_and_then_told(server: FaultServer, pauses: Pauses) -> None:
    server.script = [completion("late", delay=5), completion("in time"), completion("late", delay=5)]
    chat = OpenAIChat(server.url, "m", timeout=0.2, pause=pauses)
    assert said(chat.complete(REQUEST)) == ["in time"]
    error = refused(chat)
    assert "did not reply within 0.2 s" in error.message
    assert error.hint == "Give a larger `timeout=`."
    assert len(server.requests) == 4


@pytest.mark.parametrize("timeout", [0, -1, float("inf"), "soon"])
def test_the_time_to_wait_is_a_number_above_0(timeout: Any) -> None:
    with pytest.raises(BadInput, match="`timeout` is"):
        get_backend("openai", base_url="http://127.0.0.1:1", model="m", timeout=timeout)


def test_pauses_grow(chat: OpenAIChat, server: FaultServer, pauses: Pauses) -> None:
    server.script = [rate_limit()]
    refused(chat)
    assert len(pauses) == openai_faults.RATE_RETRIES
    assert all(2**n <= pause <= 1.25 * 2**n for n, pause in enumerate(pauses))


def test_a_pause_is_at_least_what_the_endpoint_asks_for(chat: OpenAIChat, server: FaultServer, pauses: Pauses) -> None:
    soon = email.utils.formatdate(time.time() + 40, usegmt=True)
    milliseconds = failure(429, "", {"Retry-After-Ms": "9000"})
    server.script = [rate_limit("7"), failure(503, "", {"Retry-After": "11"}), milliseconds, rate_limit(soon)]
    server.script += [completion("right")]
    chat.complete(REQUEST)
    for pause, (least, most) in zip(pauses, [(7, 9), (11, 14), (9, 12), (30, 50)], strict=True):
        assert least <= pause <= most


@pytest.mark.parametrize("value", ["soon", "nan", "inf", "-5", "Mon, 99 Foo 2026", "0"])
def test_an_odd_retry_after_is_as_none(value: str, chat: OpenAIChat, server: FaultServer, pauses: Pauses) -> None:
    server.script = [rate_limit(value), completion("right")]
    assert said(chat.complete(REQUEST)) == ["right"]
    assert 1 <= pauses[0] <= 1.25


# Faults that stay.

STAYING = {
    "a long wait": (rate_limit("3600"), "accepts no requests for 3,600 s", "Try again after that."),
    "a key is wanted": (failure(401, "No key"), "/v1 asks for a key.", "Set OPENAI_API_KEY."),
    "quota": (failure(429, "You exceeded", code="insufficient_quota"), "no quota left", "plan"),
    "402": (failure(402, "Pay"), "no quota left", "plan"),
    "model": (failure(404, "The model `m` does not exist", code="model_not_found"), "has no model 'm'", "`model=`"),
    "context": (failure(400, "maximum context length is 4096"), "context length", "Give a smaller `prompt_tokens=`."),
    **{
        f"grammar {number}": (answer, "answered with HTTP 4", "Leave out `constrain=True`.")
        for number, answer in enumerate(
            (
                failure(400, "Unrecognized request arguments supplied: grammar, structured_outputs"),
                failure(400, "Failed to initialize samplers: failed to parse grammar"),
                Answer({"detail": [{"loc": ["body", "structured_outputs"], "msg": "extra fields not permitted"}]}, 422),
            )
        )
    },
}


@pytest.mark.parametrize("name", STAYING)
def test_a_fault_that_stays_is_told_at_once_with_what_to_do(
    name: str, chat: OpenAIChat, server: FaultServer, pauses: Pauses
) -> None:
    answer, message, hint = STAYING[name]
    server.script = [answer]
    error = refused(chat, Request(QUESTION, grammar='root ::= "a"'))
    assert message in error.message and hint in str(error.hint)
    assert (len(server.requests), len(pauses)) == (1, 0)
    assert isinstance(error, RequestRefused) == (name.split()[0] in ("context", "grammar"))


def test_a_refused_key_is_told_at_once(chat: OpenAIChat, server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f" {SECRET}\n")
    server.script = [failure(401, f"Incorrect API key provided: {SECRET}")]
    error = refused(chat)
    assert (error.message, error.hint) == (f"{server.url} refuses the key.", "Check OPENAI_API_KEY.")
    assert server.keys == [f"Bearer {SECRET}"]


@pytest.mark.parametrize(
    ("answer", "told", "hidden"),
    [
        (failure(500, "out\x1b[31m of\n memory"), "answered with HTTP 500: out [31m of memory", "\x1b"),
        (Answer(b"<html>Bad gateway</html>", 502), "HTTP 502", "<html>"),
        (faults.ERROR_WITH_200, "upstream is overloaded", "\n"),
    ],
)
def test_an_error_is_told_in_the_endpoint_s_words(
    answer: Answer, told: str, hidden: str, chat: OpenAIChat, server: FaultServer
) -> None:
    server.script = [answer]
    message = refused(chat).message
    assert told in message and hidden not in message


def test_no_server_is_told_and_one_that_was_there_is_waited_for_longer(pauses: Pauses) -> None:
    with faults.fault_server() as server:
        chat = OpenAIChat(server.url, "m", pause=pauses)
        chat.complete(REQUEST)
    assert refused(chat).message == f"No connection to {server.url}."
    assert len(pauses) == openai_faults.SERVER_RETRIES
    pauses.clear()
    refused(OpenAIChat("http://127.0.0.1:1/v1", "m", pause=pauses))
    assert len(pauses) == openai_faults.CONNECT_RETRIES < openai_faults.SERVER_RETRIES


def test_no_key_for_openai_is_told_before_any_request_and_before_the_encoder_is_loaded() -> None:
    error = refused(OpenAIChat())
    assert "no key" in error.message
    assert "OPENAI_API_KEY" in str(error.hint)
    with pytest.raises(NoModel, match="There is no key for OpenAI"):
        get_backend("openai")


@pytest.mark.parametrize("key", ["sk-\u00e9-secret", "sk-two\nlines", "sk-two words"])
def test_a_key_that_cannot_be_one_is_told(key: str, chat: OpenAIChat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    error = refused(chat)
    assert "OPENAI_API_KEY" in error.message
    assert key not in str(error)


def test_an_absent_package_is_told(chat: OpenAIChat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    assert "cgstore[llm]" in str(refused(chat).hint)


def test_a_proxy_that_cannot_be_used_is_told_without_its_password(
    chat: OpenAIChat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "gopher://me:hidden@nowhere")
    error = refused(chat)
    assert "proxy" in str(error.hint)
    assert "hidden" not in str(error)


# Settings.


def test_settings_come_from_the_environment(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/")
    monkeypatch.setenv("CGSTORE_MODEL", "named")
    chat = OpenAIChat()
    chat.complete(REQUEST)
    assert (chat.address, chat.model, server.requests[0]["model"]) == (server.url, "named", "named")
    assert "no chat endpoint" in refused(OpenAIChat(server.url.removesuffix("/v1"), "m")).message


def test_openai_itself_has_a_default_model_and_another_endpoint_has_none() -> None:
    assert OpenAIChat().model == DEFAULT_MODEL
    with pytest.raises(NoModel, match="`model=`"):
        OpenAIChat("http://127.0.0.1:1/v1")


@pytest.mark.parametrize(
    "address",
    [
        *("nowhere", "ftp://x/v1", "http://", "http://[::1/v1", "http://h:99999/v1"),
        *("http://me:hidden@h/v1", "http://h/v1?api-key=hidden"),
    ],
)
def test_a_bad_address_is_told_without_a_secret(address: str) -> None:
    with pytest.raises(BadInput) as caught:
        OpenAIChat(address, "m")
    assert "hidden" not in str(caught.value)


def test_no_more_requests_are_in_flight_than_allowed(server: FaultServer) -> None:
    server.script = [completion("a reply", delay=0.1)]
    chat = OpenAIChat(server.url, "m", in_flight=3)
    replies: list[Reply] = []
    threads = [threading.Thread(target=lambda: replies.append(chat.complete(REQUEST))) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(replies) == 12
    assert 2 <= server.most_at_once <= 3
    assert sum((reply.usage for reply in replies), Usage()) == Usage(12, 120, 60)


# Parameters that an endpoint refuses.


@pytest.mark.parametrize("name", ["n", "temperature"])
def test_a_refused_parameter_is_left_out_from_then_on(
    name: str, chat: OpenAIChat, server: FaultServer, pauses: Pauses
) -> None:
    server.refuses = {name: refusal(name)}
    for _ in range(2):
        assert said(chat.complete(Request(QUESTION, n=2))) == ["a reply", "a reply"]
    assert [name in request for request in server.requests] == [True] + [False] * 4
    assert not pauses


def test_max_tokens_has_another_name_where_it_is_refused_or_none(chat: OpenAIChat, server: FaultServer) -> None:
    server.refuses = {"max_tokens": refusal("max_tokens")}
    for _ in range(2):
        chat.complete(Request(QUESTION, max_tokens=77))
    limits = [(body.get("max_tokens"), body.get("max_completion_tokens")) for body in server.requests]
    assert limits == [(77, None), (None, 77), (None, 77)]
    server.refuses = {name: refusal(name) for name in ("max_tokens", "max_completion_tokens", "temperature")}
    assert said(chat.complete(REQUEST)) == ["a reply"]
    assert set(server.requests[-1]) == {"model", "messages"}


OTHER_WORDS = {
    "n": failure(400, "'n' : number must be at most 1"),
    "temperature": Answer({"detail": [{"loc": ["body", "temperature"], "msg": "extra fields not permitted"}]}, 422),
    "max_tokens": Answer({"object": "error", "message": "max_tokens is unknown, use max_completion_tokens"}, 400),
}


@pytest.mark.parametrize("name", OTHER_WORDS)
def test_a_refusal_in_other_words_is_understood(name: str, chat: OpenAIChat, server: FaultServer) -> None:
    server.refuses = {name: OTHER_WORDS[name]}
    assert said(chat.complete(Request(QUESTION, n=2))) == ["a reply", "a reply"]


def test_a_prompt_too_long_is_told_and_nothing_is_left_out(chat: OpenAIChat, server: FaultServer) -> None:
    message = "'max_tokens' is too large: 1000. This model's maximum context length is 2048 tokens."
    server.script = [failure(400, message), completion("a reply")]
    assert "context length is 2048" in refused(chat).message
    chat.complete(REQUEST)
    assert [body["max_tokens"] for body in server.requests] == [1_000, 1_000]


def test_an_error_that_names_parameters_in_vain_changes_later_requests_in_nothing(
    chat: OpenAIChat, server: FaultServer
) -> None:
    server.script = [failure(400, "bad request: {'temperature': 0, 'n': 2}")] * 3 + [completion("a", "b")]
    assert "bad request" in refused(chat, Request(QUESTION, n=2)).message
    chat.complete(Request(QUESTION, n=2))
    assert {"temperature", "n"} <= set(server.requests[-1])


# Accounts.


def test_usage_is_the_sum_over_all_requests_that_a_reply_took(chat: OpenAIChat, server: FaultServer) -> None:
    server.script = [completion(None, tokens=(7, 1)), failure(500), completion("a", tokens=(7, 2))]
    assert chat.complete(REQUEST).usage == Usage(3, 14, 3)


# The key.

REPEATING = {
    "401": failure(401, f"Incorrect API key provided: {SECRET}"),
    "400": failure(400, f"Bad header: Bearer {SECRET}"),
    "400, masked": failure(400, "Bad key sk-proj-0***********cdef."),
    "429": failure(429, f"{SECRET} is over its limit", {"X-Key": "x"}),
    "500": Answer(f"Traceback: key={SECRET}".encode(), 500),
    "200 with an error": Answer({"error": {"message": f"bad key {SECRET}"}}),
    "404": failure(404, SECRET),
    "cut": completion(SECRET, sent=40),
}


@pytest.mark.parametrize("answer", REPEATING.values(), ids=REPEATING.keys())
def test_the_key_is_in_no_error_log_traceback_or_repr(
    answer: Answer,
    chat: OpenAIChat,
    server: FaultServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    server.script = [answer]
    with caplog.at_level(logging.DEBUG):
        for name in ("openai", "httpx", "httpx2", "httpcore", "httpcore2"):
            caplog.set_level(logging.DEBUG, name)
        error = refused(chat)
    assert set(server.keys) == {f"Bearer {SECRET}"}
    shown = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
    assert error.__context__ is None
    assert error.__cause__ is None
    assert any(record.name.startswith("openai") for record in caplog.records)
    for text in (str(error), repr(error), shown, caplog.text, repr(chat), repr(vars(chat))):
        assert SECRET not in text
        assert "0123456789" not in text
        assert "sk-proj" not in text


def test_a_reply_that_repeats_the_key_comes_without_it(
    chat: OpenAIChat, server: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    server.script = [completion(f"Your key is {SECRET}."), tool_call("look", f'{{"name": "{SECRET}"}}')]
    assert said(chat.complete(REQUEST)) == ["Your key is [key]."]
    assert chat.complete(REQUEST).choices[0].tool_calls[0].arguments == '{"name": "[key]"}'
    monkeypatch.setenv("OPENAI_API_KEY", "ollama")  # too short for a secret
    server.script = [completion("Who made ollama?")]
    assert said(chat.complete(REQUEST)) == ["Who made ollama?"]
