"""Whether one command writes the same requests to an LLM each time: two processes, compared byte by byte.

The second process has another PYTHONHASHSEED, another number of threads for the encoder, another number of questions
at a time, and a cache of its own, which is empty. In the second round both get the same made-up replies: one that
explores asks for the relations of the first name in the question and for names like it, any other repeats the last
demonstration. So the second round has what the database gives: feedback on programs, and results of tools.

    python benchmarks/requests.py --data .data --count 334 webqsp wtq "metaqa --hop 2"
    python benchmarks/requests.py --data .data --count 100 --explore webqsp
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

SETTINGS: tuple[tuple[dict[str, str], list[str]], ...] = (
    ({"PYTHONHASHSEED": "1", "OMP_NUM_THREADS": "1"}, ["--in-flight", "8"]),
    ({"PYTHONHASHSEED": "2", "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"}, ["--in-flight", "3"]),
)
"""The environment and the options of each process."""

_NAME = re.compile(r'^("(?:[^"\\]|\\.)*"):', re.MULTILINE)


def write(arguments: list[str], folder: Path, which: int) -> None:
    """Writes the requests of one round in a process of its own."""
    environment, options = SETTINGS[which]
    home = {"CGSTORE_HOME": str(folder.parent / "home")} if which else {}
    command = [sys.executable, "-m", "cgstore", "eval", *arguments, *options]
    command += ["--llm", "batch", "--model", "made-up", "--batch", str(folder), "--json"]
    subprocess.run(command, env=os.environ | environment | home, check=False, capture_output=True, timeout=7_200)


def reply(body: dict[str, Any]) -> dict[str, Any]:
    """A made-up reply to a request, which depends on the request only."""
    if "tools" in body:
        name = next((json.loads(each) for each in _NAME.findall(body["messages"][-1]["content"])), "nothing")
        calls = [("relations_of", {"entity": name}), ("find_names", {"text": name[:-1]})]
        return {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {"id": tool, "type": "function", "function": {"name": tool, "arguments": json.dumps(given)}}
                for tool, given in calls
            ],
        }
    shots = [message["content"] for message in body["messages"] if message["role"] == "assistant"]
    return {"role": "assistant", "content": shots[-1] if shots else "nothing"}


def replies(requests: Path) -> Iterator[str]:
    """The lines of a Batch API's output for a file of requests."""
    for line in requests.read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        message = {"index": 0, "finish_reason": "stop", "message": reply(fields["body"])}
        body = {"choices": [message], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}
        yield json.dumps({"custom_id": fields["custom_id"], "response": {"status_code": 200, "body": body}}) + "\n"


def compare(first: Path, second: Path) -> dict[str, Any]:
    """How many requests two files have, and how many of the first are in the second, byte for byte."""
    one, other = (file.read_text(encoding="utf-8").splitlines() if file.is_file() else [] for file in (first, second))
    return {"requests": len(one), "same": len(set(one) & set(other)), "same file": one == other}


def measure(arguments: list[str], folder: Path, rounds: int) -> Iterator[dict[str, Any]]:
    """The comparison of each round."""
    folders = [folder / str(which) / "batch" for which in range(len(SETTINGS))]
    for number in range(1, rounds + 1):
        for which, each in enumerate(folders):
            each.mkdir(parents=True, exist_ok=True)
            write(arguments, each, which)
        files = [each / f"requests-{number}.jsonl" for each in folders]
        yield {"round": number} | compare(files[0], files[1])
        if number < rounds and files[0].is_file():
            for each in folders:
                (each / f"replies-{number}.jsonl").write_text("".join(replies(files[0])), encoding="utf-8")


@click.command()
@click.argument("benchmarks", nargs=-1, required=True)
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), default=Path(".data"))
@click.option("--count", type=click.IntRange(min=1), default=334, show_default=True, help="Questions of each.")
@click.option("--rounds", type=click.IntRange(min=1), default=2, show_default=True)
@click.option("--explore", is_flag=True, help="The LLM may look at the graph before it writes.")
def main(benchmarks: Sequence[str], data: Path, count: int, rounds: int, explore: bool) -> None:
    """Compares the requests of BENCHMARKS, each the arguments of `cgstore eval`, such as "metaqa --hop 2"."""
    for benchmark in benchmarks:
        arguments = [*shlex.split(benchmark), "--data", str(data), "--limit", str(count), *["--explore"] * explore]
        with TemporaryDirectory() as folder:
            for found in measure(arguments, Path(folder), rounds):
                click.echo(json.dumps({"benchmark": benchmark, "explore": explore} | found))


if __name__ == "__main__":
    main()
