"""Plays the part of an LLM for docs/asking.md: it gives the replies of by_hand.jsonl, which were written by hand.

    python examples/asking/by_hand.py serve [PORT]     an endpoint that speaks chat completions
    python examples/asking/by_hand.py batch FOLDER     replies to the requests in a folder of `--llm batch`
    python examples/asking/by_hand.py show FOLDER      the data as the first request of that folder has them

A question's turns are replied to in order: a list has the texts of several samples, an object calls a tool.
"""

from __future__ import annotations

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

PORT = 8765
ASKED, FUNCTION = re.compile(r"Question: (.*)"), re.compile(r'^Function: "(.*)"$', re.MULTILINE)
LINES = [json.loads(line) for line in Path(__file__).with_name("by_hand.jsonl").read_text("utf-8").splitlines()]
TURNS = {line.get("question") or line["function"]: line["replies"] for line in LINES}


def completion(body: dict[str, Any]) -> dict[str, Any]:
    """The chat completion for a request."""
    asked, turn = asked_in(body["messages"])
    turns = TURNS.get(asked, [["No reply to this question was written."]])
    reply = turns[min(turn, len(turns) - 1)]
    if isinstance(reply, dict):
        messages = [calling(reply, turn)]
    else:
        messages = [{"role": "assistant", "content": reply[n % len(reply)]} for n in range(body.get("n", 1))]
    choices = [{"index": n, "finish_reason": "stop", "message": message} for n, message in enumerate(messages)]
    usage = {"prompt_tokens": len(json.dumps(body["messages"])) // 4, "completion_tokens": 50 * len(messages)}
    return {"id": "by-hand", "object": "chat.completion", "model": body["model"], "choices": choices, "usage": usage}


def asked_in(messages: list[dict[str, Any]]) -> tuple[str, int]:
    """The question, or the function's name, and how many replies to it there were."""
    if function := FUNCTION.search(messages[-1]["content"]):
        return function[1], 0
    place = max(n for n, message in enumerate(messages) if ASKED.match(message["content"] or ""))
    asked = ASKED.match(messages[place]["content"])
    return asked[1] if asked else "", sum(message["role"] == "assistant" for message in messages[place:])


def calling(tools: dict[str, Any], turn: int) -> dict[str, Any]:
    """A message that calls tools."""
    calls = [
        {"id": f"call-{turn}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for name, arguments in tools.items()
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


class Handler(BaseHTTPRequestHandler):
    """Answers each POST."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        content = json.dumps(completion(body)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


def serve(port: int) -> None:
    """Listens on this machine only, until it is stopped."""
    server = HTTPServer(("127.0.0.1", port), Handler)
    print(f"Listening at http://127.0.0.1:{server.server_port}/v1", flush=True)
    server.serve_forever()


def requests(folder: Path) -> list[dict[str, Any]]:
    """The lines of all files of requests."""
    files = sorted(folder.glob("requests-*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def batch(folder: Path) -> None:
    """Replies to every request, as OpenAI's Batch API would."""
    lines = [
        {"custom_id": one["custom_id"], "response": {"status_code": 200, "body": completion(one["body"])}}
        for one in requests(folder)
    ]
    (folder / "replies.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    print(f"{len(lines)} repl{'y' if len(lines) == 1 else 'ies'} in {folder / 'replies.jsonl'}")


def show(folder: Path) -> None:
    """Prints what the first request says of the data, and the question."""
    messages = requests(folder)[0]["body"]["messages"]
    print(messages[0]["content"].split("\nThe data\n")[1])
    print(messages[-1]["content"])


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve", *port]:
            serve(int(port[0]) if port else PORT)
        case ["batch", where]:
            batch(Path(where))
        case ["show", where]:
            show(Path(where))
        case _:
            sys.exit(__doc__)
