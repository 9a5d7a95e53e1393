"""`--llm openai` and `--llm batch` against llama.cpp's own server, with a model so small that its programs are poor.

What is held fast is the protocol: what the server refuses, leaves out or cuts off ends in an answer, or in words that
say why there is none.
"""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cgstore.cli import main
from cgstore.cypher.connection import Database
from cgstore.errors import BadInput, NoModel
from cgstore.llm.backends.languages import declined_in
from cgstore.llm.backends.write import ignored_grammar
from cgstore.llm.chat import Message, Request
from cgstore.llm.chat.openai import OpenAIChat
from cgstore.llm.small.weights import base_weights
from cgstore.query.gbnf import OPENINGS, gbnf
from cgstore.query.parse import parse
from cgstore.store import Store
from tests.conftest import ROOT, wipe
from tests.query.test_gbnf import LEFT_TO_PARSE

SERVER = """
import sys
import xllamacpp

given = xllamacpp.CommonParams()
given.model.path, given.hostnames, given.port = sys.argv[1], ["127.0.0.1"], 0
given.n_ctx, given.n_parallel, given.n_gpu_layers, given.warmup = 1024, 1, 0, False
given.cpuparams.n_threads = given.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(given)
print(server.listening_address, flush=True)
sys.stdin.read()
"""
"""It ends with the tests, also where these are killed."""

PROMPTS = {
    "system": "Write a program for these data, such as\n"
    "Query1: \"get_information(key='City', value='Ulm', relation='Beds')\"\n{schema}",
    "explore": "Look at the data by the tools. Then hand in a program.\n{schema}",
}
"""Short ones: without a GPU the shipped ones take a minute to read."""

QUESTION = "How many beds has Haus Anna?"


@pytest.fixture(scope="module")
def weights() -> Path:
    """The weights of the small model that are there; they are not fetched."""
    pytest.importorskip("xllamacpp", reason="llama.cpp is not installed")
    try:
        return base_weights(fetch=False)
    except NoModel as error:
        pytest.skip(f"no weights: {error}")


@pytest.fixture(scope="module")
def address(weights: Path) -> Iterator[str]:
    """Where the server is."""
    started = [sys.executable, "-c", SERVER, str(weights)]
    with subprocess.Popen(
        started, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout
        try:
            yield f"{server.stdout.readline().strip()}/v1"
        finally:
            server.kill()


@pytest.fixture(scope="module")
def store(shared_db: Database) -> Store:
    wipe(shared_db)
    store = Store(shared_db)
    store.load_table(ROOT / "examples" / "asking" / "guesthouses.csv")
    return store


@pytest.fixture(autouse=True)
def in_short(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Short replies to short prompts, and no encoder."""

    def none(*_: Any) -> None:
        raise NoModel("No encoder here.", "")

    monkeypatch.setattr("cgstore.embedding.encoder.load_encoder", none)
    monkeypatch.setattr("cgstore.llm.backends.write.PROGRAM_TOKENS", 48)
    monkeypatch.setattr("cgstore.llm.backends.explore.REPLY_TOKENS", 48)
    for name, text in PROMPTS.items():
        (tmp_path / f"{name}.txt").write_text(text)
    monkeypatch.setenv("CGSTORE_PROMPTS", str(tmp_path))


def ask(settings: dict[str, str], *arguments: str) -> Result:
    """The result of `cgstore ask --json` with these arguments."""
    given = ("ask", QUESTION, "--model", "small", "--shots", "0", "--retries", "0", "--no-serve", "--json", *arguments)
    return CliRunner(env=settings).invoke(main, given)


def answered(result: Result) -> dict[str, Any]:
    """The answer, which has values or says why there are none."""
    assert result.exit_code in (0, 1), result.output
    answer: dict[str, Any] = json.loads(result.stdout)
    assert answer["answer"] or answer["declined"] or answer["warnings"]
    return answer


def told(result: Result) -> dict[str, str]:
    """The error, and what to do."""
    assert result.exit_code == 4, result.output
    error: dict[str, str] = json.loads(result.stdout)
    return error


def test_samples_come_one_by_one(store: Store, neo4j_settings: dict[str, str], address: str) -> None:
    answer = answered(ask(neo4j_settings, "--base-url", address, "--samples", "2"))
    assert answer["usage"]["requests"] == 3  # the first one, for both at once, is refused


def test_tools_that_the_template_leaves_out_are_noticed(
    store: Store, neo4j_settings: dict[str, str], address: str
) -> None:
    answer = answered(ask(neo4j_settings, "--base-url", address, "--explore"))
    assert answer["answer"] or answer["declined"] or "small called none of the tools" in " ".join(answer["warnings"])


def test_a_prompt_beyond_the_context_is_told(
    store: Store, neo4j_settings: dict[str, str], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CGSTORE_PROMPTS")
    error = told(ask(neo4j_settings, "--base-url", address))
    assert "exceeds the available context size" in error["error"]
    assert error["hint"] == "Give a smaller --prompt-tokens."


def test_constrained_it_writes_programs_or_says_what_is_lacking(
    store: Store, neo4j_settings: dict[str, str], address: str
) -> None:
    asked = Message("system", PROMPTS["system"].format(schema="A table: City, Beds")), Message("user", QUESTION)
    reply = OpenAIChat(address, "small").complete(Request(asked, 3, 1.0, 64, grammar=gbnf()))
    for text in (choice.content for choice in reply.choices if not choice.cut_off):
        assert text.startswith(OPENINGS)
        try:
            assert declined_in(text) or parse(text)
        except BadInput as error:
            assert any(known in error.message for known in LEFT_TO_PARSE), text
    answer = answered(ask(neo4j_settings, "--base-url", address, "--constrain", "--samples", "1"))
    assert ignored_grammar() not in answer["warnings"]


def test_a_batch_is_replied_to(store: Store, neo4j_settings: dict[str, str], address: str, tmp_path: Path) -> None:
    batch = partial(ask, neo4j_settings, "--llm", "batch", "--batch", str(tmp_path / "batch"))
    for samples, problem in (("2", "the request failed (Field 'n'"), ("1", "")):
        told(batch("--samples", samples))
        for number, file in enumerate((tmp_path / "batch").glob("requests-*.jsonl")):
            sent = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
            replies = [{"custom_id": each["custom_id"], "response": posted(address, each["body"])} for each in sent]
            (tmp_path / "batch" / f"{number}.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in replies))
        again = batch("--samples", samples)
        assert problem in again.stderr
    assert answered(again)["usage"]["requests"] == 1


def posted(address: str, body: dict[str, Any]) -> dict[str, Any]:
    """The response to a request, as it stands in a file of replies."""
    sent = urllib.request.Request(f"{address}/chat/completions", json.dumps(body).encode())
    sent.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(sent, timeout=60) as response:
            return {"status_code": response.status, "body": json.load(response)}
    except urllib.error.HTTPError as error:
        return {"status_code": error.code, "body": json.load(error)}
