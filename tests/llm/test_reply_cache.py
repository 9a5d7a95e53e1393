"""Replies kept on disk."""

from __future__ import annotations

import logging
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from cgstore.errors import NoModel
from cgstore.llm.chat import Chat, Message, Reply, Request, Tool, ToolCall, Usage
from cgstore.llm.chat.openai import OpenAIChat
from cgstore.llm.chat.reply_cache import FILE, CachedChat
from tests.llm.fault_server import completion, failure, fault_server

ADDRESS = "http://127.0.0.1:8000/v1"
SPENT = Usage(1, 10, 5)


class Counting(Chat):
    """A `Chat` that says how often it was asked."""

    def __init__(self, model: str = "m", reply: Callable[[int], Message] | None = None) -> None:
        self.model = model
        self.asked = 0
        self._reply = reply or (lambda n: Message("assistant", f"reply {n}"))
        self._lock = threading.Lock()

    def complete(self, request: Request) -> Reply:
        with self._lock:
            self.asked += 1
            return Reply((self._reply(self.asked),) * request.n, SPENT)


def asking(text: str = "Who?", **fields: object) -> Request:
    return Request((Message("user", text),), **fields)  # type: ignore[arg-type]


@pytest.fixture
def chat() -> Counting:
    return Counting()


@pytest.fixture
def kept(chat: Counting, tmp_path: Path) -> CachedChat:
    return CachedChat(chat, ADDRESS, tmp_path)


def test_a_request_is_made_once(kept: CachedChat, chat: Counting) -> None:
    first, second = kept.complete(asking(n=2)), kept.complete(asking(n=2))
    assert first.choices == second.choices == (Message("assistant", "reply 1"),) * 2
    assert (first.usage, second.usage) == (SPENT, Usage(kept=1))
    assert (chat.asked, kept.model) == (1, "m")


def test_the_file_is_in_the_cache_folder(chat: Counting, own_home: Path) -> None:
    CachedChat(chat, ADDRESS).complete(asking())
    assert (own_home / "cache" / FILE).is_file()


TOOL = Tool("look", "Looks.", {"type": "object"})


def test_another_body_another_model_and_another_address_are_other_requests(kept: CachedChat, tmp_path: Path) -> None:
    kept.complete(asking())
    others = (asking("Whose?"), asking(n=2), asking(temperature=0.7), asking(max_tokens=9), asking(tools=(TOOL,)))
    for other in (*others, Request((Message("system", "Who?"),))):
        assert kept.complete(other).usage == SPENT
    assert CachedChat(Counting("m2"), ADDRESS, tmp_path).complete(asking()).usage == SPENT
    assert CachedChat(Counting("m"), "https://api.example.org/v1", tmp_path).complete(asking()).usage == SPENT


def test_every_part_of_a_reply_is_kept(tmp_path: Path) -> None:
    calls = (ToolCall("call_1", "look", '{"name": "\u4e2d"}'), ToolCall("call_2", "look", "no JSON"))
    message = Message("assistant", "text \u00e9 \U0001f600 \ud800 \0", calls)
    chat = Counting(reply=lambda n: message)
    CachedChat(chat, ADDRESS, tmp_path).complete(asking())
    assert CachedChat(chat, ADDRESS, tmp_path).complete(asking()).choices == (message,)
    assert chat.asked == 1


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    with fault_server() as server:
        server.script = [failure(404), completion("right")]
        kept = CachedChat(OpenAIChat(server.url, "m"), server.url, tmp_path)
        with pytest.raises(NoModel):
            kept.complete(asking())
        assert kept.complete(asking()).choices[0].content == "right"


@pytest.mark.parametrize(
    "reply", [Message("assistant", "Query1: Query1:", cut_off=True), Message("assistant", "x" * 100_000)]
)
def test_a_reply_that_was_cut_off_or_is_larger_than_the_file_may_be_is_not_kept(tmp_path: Path, reply: Message) -> None:
    chat = Counting(reply=lambda n: reply)
    for _ in range(2):
        assert CachedChat(chat, ADDRESS, tmp_path, most_bytes=50_000).complete(asking()).choices == (reply,)
    assert chat.asked == 2


def test_kept_replies_need_no_key_and_no_network(tmp_path: Path) -> None:
    with fault_server() as server:
        chat = OpenAIChat(server.url, "m")
        first = CachedChat(chat, chat.address, tmp_path).complete(asking())
    again = OpenAIChat(server.url, "m", pause=lambda seconds: pytest.fail("it was asked"))
    assert CachedChat(again, again.address, tmp_path).complete(asking()).choices == first.choices


# Damage.


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "no database": lambda content: b"no database at all " * 100,
    "half of it": lambda content: content[: len(content) // 2],
    "pages": lambda content: content[:4096] + b"\xff" * (len(content) - 4096),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_file_costs_time_only(
    damage: Callable[[bytes], bytes], kept: CachedChat, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for n in range(50):
        kept.complete(asking(f"{n}" * 100))
    (tmp_path / FILE).write_bytes(damage((tmp_path / FILE).read_bytes()))
    after = CachedChat(Counting(), ADDRESS, tmp_path)
    for n in range(50):
        assert after.complete(asking(f"{n}" * 100)).choices[0].content.startswith("reply")
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert f"{tmp_path / FILE} cannot be used" in caplog.text


@pytest.mark.parametrize(
    "old, new", [("reply 1", "reply 2"), ("reply", "\x80\x80"), ("[", "{"), ("content", "contend")]
)
def test_a_changed_reply_is_asked_for_again(
    old: str, new: str, kept: CachedChat, chat: Counting, tmp_path: Path
) -> None:
    kept.complete(asking())
    with sqlite3.connect(tmp_path / FILE) as database:
        (text,) = database.execute("SELECT choices FROM replies").fetchone()
        changed = text.replace(old, new, 1).encode("latin-1")
        database.execute("UPDATE replies SET choices = CAST(? AS TEXT)", (changed,))
    database.close()
    assert [kept.complete(asking()).usage for _ in range(2)] == [SPENT, Usage(kept=1)]
    assert chat.asked == 2


def test_a_folder_that_cannot_be_used_costs_time_only(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("no folder")
    kept = CachedChat(Counting(), ADDRESS, tmp_path / "file")
    assert [kept.complete(asking()).usage for _ in range(3)] == [SPENT] * 3
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "are not cached" in caplog.text


def test_a_file_of_another_form_is_left_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("CREATE TABLE replies (precious TEXT)")
    database.close()
    kept = CachedChat(Counting(), ADDRESS, tmp_path)
    assert [kept.complete(asking()).usage for _ in range(2)] == [SPENT] * 2
    assert "are not cached" in caplog.text
    assert (tmp_path / FILE).is_file()


# Size.


def test_the_oldest_replies_go_where_the_file_is_full(tmp_path: Path) -> None:
    chat = Counting(reply=lambda n: Message("assistant", "x" * 10_000))
    kept = CachedChat(chat, ADDRESS, tmp_path, most_bytes=400_000)
    for n in range(200):
        kept.complete(asking(str(n)))
    assert (tmp_path / FILE).stat().st_size <= 450_000
    again = CachedChat(chat, ADDRESS, tmp_path, most_bytes=400_000)
    there = [again.complete(asking(str(n))).usage.kept for n in reversed(range(175, 200))]
    assert there == [1] * 25
    assert again.complete(asking("0")).usage.kept == 0


# Several at once.


def test_threads_share_a_file(kept: CachedChat, chat: Counting) -> None:
    spent: list[Usage] = []

    def ask() -> None:
        for n in range(40):
            spent.append(kept.complete(asking(str(n))).usage)

    ask()
    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert chat.asked == 40
    assert sum(spent, Usage()) == Usage(40, 400, 200, 8 * 40)


PROCESS = """
import sys
from pathlib import Path
from tests.llm.test_reply_cache import ADDRESS, Counting, asking
from cgstore.llm.chat.reply_cache import CachedChat

kept = CachedChat(Counting(), ADDRESS, Path(sys.argv[1]))
for n in range(40):
    kept.complete(asking(f"{sys.argv[2]} {n}"))
"""


def test_processes_share_a_file(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", PROCESS, str(tmp_path)]
    running = [subprocess.Popen([*command, name], cwd=root, stderr=subprocess.PIPE) for name in ("a", "b", "c")]
    assert [process.communicate()[1] for process in running] == [b""] * 3
    kept = CachedChat(Counting(), ADDRESS, tmp_path)
    assert sum(kept.complete(asking(f"{name} {n}")).usage.kept for name in ("a", "b", "c") for n in range(40)) == 120
