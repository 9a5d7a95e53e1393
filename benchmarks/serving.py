"""A load test of `cgstore serve`, what it does with hostile requests, and the time from Enter to an answer.

    python benchmarks/serving.py load --seconds 120 --clients 16     # mixed questions, programs, names and sources
    python benchmarks/serving.py hostile                             # 1,000 at once, too large, other origins ...
    python benchmarks/serving.py enter                               # the page, `ask` with and without a server

Each command loads examples/world.tsv into the database of CGSTORE_NEO4J_URI, or the managed one, and starts a server of
its own with `--llm small`.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import click
import httpx

WORLD = Path(__file__).parents[1] / "examples" / "world.tsv"
CGSTORE = [sys.executable, "-m", "cgstore"]
QUESTIONS = [
    *(f"Who was Chancellor of Germany in {year}?" for year in range(1950, 2020, 5)),
    *(f"Who was President of the United States in {year}?" for year in range(1935, 2020, 5)),
    "Who was Chancellor of Germany after Willy Brandt?",
    "When did Bill Clinton become President of the United States?",
    "Where is Atlantis?",
]
PROGRAMS = [
    "get_information(head_entity='Bill Clinton', relation='spouse')",
    "count(set=get_information(relation='position held', tail_entity='Chancellor of Germany'))",
    "get_information(relation='position held', tail_entity='Chancelor of Germany', key='time', value='1990')",
]


@contextmanager
def server(*options: str) -> Iterator[tuple[str, int]]:
    """The address of a warm server over the example, and its process id."""
    subprocess.run([*CGSTORE, "load", "tkg", str(WORLD)], check=True, capture_output=True)
    with TemporaryFile("w+") as said:
        process = subprocess.Popen([*CGSTORE, "serve", "--llm", "small", "--port", "0", *options], stderr=said)
        try:
            address = ""
            while not address:
                time.sleep(0.2)
                said.seek(0)
                address = next(iter(re.findall(r"http://[\w.:]+", said.read())), "")
            while not httpx.get(f"{address}/api/v1/health").json()["ready"]:
                time.sleep(0.2)
            yield address, process.pid
        finally:
            process.terminate()
            process.wait(20)


def memory(process: int) -> float:
    """Resident memory of a process in megabytes."""
    import psutil

    return float(psutil.Process(process).memory_info().rss / 1e6)


@click.group()
def main() -> None:
    """Measure `cgstore serve`."""


@main.command()
@click.option("--seconds", default=120.0)
@click.option("--clients", default=16)
def load(seconds: float, clients: int) -> None:
    """Many clients, each of which sends a mixed request as soon as the last one is answered."""
    with server() as (address, process):
        asyncio.run(_load(address, 3.0, clients))  # the server plans each statement once
        took, statuses, sizes = asyncio.run(_load(address, seconds, clients, process))
    took.sort()
    count = len(took)
    click.echo(f"{count:,} requests in {seconds:.0f} s by {clients} clients: {count / seconds:.1f} a second")
    click.echo(f"p50 {took[count // 2]:.3f} s, p95 {took[int(count * 0.95)]:.3f} s, most {took[-1]:.3f} s")
    click.echo(f"statuses: {dict(statuses)}")
    click.echo(f"memory in MB, ten times: {', '.join(f'{size:.0f}' for size in sizes)}")


async def _load(
    address: str, seconds: float, clients: int, process: int = 0
) -> tuple[list[float], Counter[str], list[float]]:
    took: list[float] = []
    statuses: Counter[str] = Counter()
    sizes: list[float] = []
    end = time.monotonic() + seconds

    async def one(client: httpx.AsyncClient, drawn: random.Random) -> None:
        while time.monotonic() < end:
            began = time.monotonic()
            statuses[await _request(client, drawn)] += 1
            took.append(time.monotonic() - began)

    async def watch() -> None:
        while time.monotonic() < end:
            sizes.append(memory(process))
            await asyncio.sleep(seconds / 10)

    async with httpx.AsyncClient(base_url=f"{address}/api/v1", timeout=120) as client:
        work = [one(client, random.Random(seed)) for seed in range(clients)]
        await asyncio.gather(*work, *([watch()] if process else []))
    return took, statuses, sizes


async def _request(client: httpx.AsyncClient, drawn: random.Random) -> str:
    """Sends one request, and says how it ended: the status, or the last event of a stream."""
    kind = drawn.choices(("ask", "query", "names", "sources"), (6, 3, 1, 1))[0]
    if kind == "ask":
        response = await client.post("/ask", json={"question": drawn.choice(QUESTIONS)})
        events = [json.loads(line)["event"] for line in response.text.splitlines()]
        return f"{response.status_code} ask {events[-1] if events else 'nothing'}"
    if kind == "query":
        response = await client.post("/query", json={"program": drawn.choice(PROGRAMS)})
    elif kind == "names":
        response = await client.post("/names", json={"names": ["Helmut Kol"]})
    else:
        response = await client.get("/sources")
    return f"{response.status_code} {kind}"


@main.command()
def hostile() -> None:
    """What is refused, with which status; then whether the server still answers."""
    with server() as (address, process):
        before = memory(process)
        asyncio.run(_hostile(address))
        click.echo(f"memory: {before:.0f} MB before, {memory(process):.0f} MB after")


async def _hostile(address: str) -> None:
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=f"{address}/api/v1", timeout=180, limits=limits) as client:

        async def status(headers: dict[str, str] | None = None, **sent: Any) -> str:
            try:
                response = await client.post("/query", headers=headers, **sent)
                return str(response.status_code)
            except httpx.TransportError as error:
                return type(error).__name__

        program = {"program": PROGRAMS[0]}
        began = time.monotonic()
        statuses = Counter(await asyncio.gather(*(status(json=program) for _ in range(1_000))))
        click.echo(f"1,000 at once: {dict(statuses)} in {time.monotonic() - began:.1f} s")
        click.echo(f"20 MB: {await status(content=b'x' * 20_000_000)}")
        click.echo(f"not JSON: {await status(content=b'{', headers={'content-type': 'application/json'})}")
        click.echo(f"deep JSON: {await status(content=b'[' * 500_000, headers={'content-type': 'application/json'})}")
        click.echo(f"another origin: {await status(json=program, headers={'origin': 'http://evil.example'})}")
        click.echo(f"another host: {await status(json=program, headers={'host': 'evil.example'})}")
        click.echo(f"Cypher: {await status(json={'program': 'MATCH (n) DETACH DELETE n'})}")
        click.echo(f"then a good one: {await status(json=program)}")


@main.command()
@click.option("--times", default=10)
def enter(times: int) -> None:
    """Seconds from Enter to the answer."""
    questions = [QUESTIONS[number % len(QUESTIONS)] for number in range(times)]
    with server() as (address, _):
        _report("the API, first question", [_asked(address, questions[0])])
        _report("the API, other questions", [_asked(address, question) for question in questions[1:]])
        _report("the page", _page(address, questions))
        _report("ask, with a server", [_ask(question) for question in questions])
        _report("ask, without", [_ask(question, "--no-serve") for question in questions[:3]])


def _asked(address: str, question: str) -> float:
    began = time.monotonic()
    with httpx.stream("POST", f"{address}/api/v1/ask", json={"question": question}, timeout=120) as response:
        for line in response.iter_lines():
            if json.loads(line)["event"] == "answer":
                break
    return time.monotonic() - began


def _page(address: str, questions: Sequence[str]) -> list[float]:
    from tests.web.browser import browser

    with browser() as chromium:
        page = chromium.new_page()
        page.goto(address)
        page.wait_for_selector(".state.ready")
        took = []
        for question in questions:
            page.fill("#question", question)
            page.evaluate(
                """() => { window.began = performance.now(); window.took = null;
                const seen = new MutationObserver(() => { if (document.querySelector('#answer .card')) {
                  window.took = performance.now() - window.began; seen.disconnect(); } });
                document.querySelector('#answer').replaceChildren();
                seen.observe(document.querySelector('#answer'), {childList: true}); }"""
            )
            page.keyboard.press("Enter")
            page.wait_for_function("() => window.took !== null", timeout=120_000)
            took.append(page.evaluate("window.took") / 1000)
        return took


def _ask(question: str, *options: str) -> float:
    began = time.monotonic()
    subprocess.run([*CGSTORE, "ask", "--llm", "small", *options, question], capture_output=True, env=os.environ)
    return time.monotonic() - began


def _report(what: str, took: Sequence[float]) -> None:
    click.echo(f"{what}: median {statistics.median(took):.2f} s, most {max(took):.2f} s, of {len(took)}")


if __name__ == "__main__":
    main()
