"""Backends that turn a question into programs: an LLM, or what needs none. `get_backend` makes one.

- `backend`: what a backend is, and what it sees of the graph.
- `writer`: an LLM writes programs, which `vote`; it is told what came of them (`tried`), may look first (`explore`),
  and gives the values of functions that nobody defined (`function`).
- `chat`: what an LLM is asked, and replies. It is reached by `openai_chat`, with `openai_faults`, or by files
  (`batch`); `kept` replies cost nothing, and an `account` adds up what a question takes.
- `prompt`: what it reads, from `templates`, `schema_text`, by `relevance`, and names as data (`quoted`).
- `demonstrations`: the shipped ones and a user's; `demonstration_store` keeps those of the graph, `nearest` chooses.
  `demonstration_build` makes them from the questions of `training`. `masking` takes the names out of questions.
- `demos`: no LLM. A demonstration as a `template`, the `reading` of a question with its temporal `signals`, `filling`
  one by the other; the `lexicon`, `unknown` names, `refusals`, and `why` there is no program.
- `recorded`: replies that were recorded, given again. `in_order`: programs run until one answers.
- `quote` writes a name into a program; `vector_cache` keeps sentence vectors.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cgstore.errors import BadInput
from cgstore.llm.backend import Attempt, Backend, CannotPropose, Decision, Graph, Proposal, Run
from cgstore.llm.demonstrations import SHOTS

if TYPE_CHECKING:
    from cgstore.cypher.connection import Database
    from cgstore.embedding.encoder import Encoder
    from cgstore.llm.chat import Chat
    from cgstore.llm.demonstrations.shot_selection import Shots

BACKENDS = ("demos", "openai", "batch", "replay")

__all__ = [
    "BACKENDS",
    "Attempt",
    "Backend",
    "CannotPropose",
    "Decision",
    "Graph",
    "Proposal",
    "Run",
    "get_backend",
]


def get_backend(
    name: str | None = None,
    *,
    base_url: str | None = None,
    model: str | None = None,
    samples: int = 5,
    retries: int = 3,
    functions: bool = True,
    explore: bool = False,
    demonstrations: Sequence[Path] | None = None,
    shots: int = SHOTS,
    masked: bool = False,
    prompts: Path | None = None,
    prompt_tokens: int | None = None,
    batch: Path | None = None,
    replies: Sequence[Path] = (),
    cache: bool = True,
    encoder: Encoder | None = None,
    db: Database | None = None,
) -> Backend:
    """The backend of that name.

    Without one: `batch` or `replay` where their files are given, `openai` where there is a key or an endpoint, else
    `demos`.

    Args:
        name: one of `BACKENDS`.
        base_url: endpoint of `openai`; else OPENAI_BASE_URL.
        model: the LLM's name; else CGSTORE_MODEL.
        samples: programs asked for at a time, which vote; 1: no self-consistency.
        retries: times that the LLM is asked again without an answer.
        functions: whether functions that nobody defined go to the LLM.
        explore: whether the LLM may look at the graph before it writes.
        demonstrations: files of the user's own, used beside the shipped ones.
        shots: demonstrations in a prompt.
        masked: whether questions are compared with the names taken out, to choose demonstrations.
        prompts: folder of prompt templates that take the place of shipped ones.
        prompt_tokens: most tokens of a prompt, as estimated.
        batch: folder of `batch`.
        replies: files of `replay`.
        cache: whether `openai` keeps replies on disk.
        encoder: for finding the nearest demonstrations; loaded when needed if None.
        db: where demonstrations are stored; None: only those of files are used.

    Raises:
        BadInput: there is no such backend, what it needs is not given, or a file cannot be used.
    """
    chosen = name or _default(base_url, batch, replies)
    if chosen == "replay":
        from cgstore.llm.chat.replay import ReplayBackend

        return ReplayBackend(replies)
    from cgstore.embedding.encoder import SharedEncoder

    shared = SharedEncoder(encoder)
    if chosen == "demos":
        from cgstore.llm.backends.rewrite import RewriteBackend
        from cgstore.llm.demonstrations import load_demonstrations

        return RewriteBackend(load_demonstrations(demonstrations), shared)
    if chosen not in BACKENDS:
        raise BadInput(f"There is no backend '{chosen}'.", f"Choose one of: {', '.join(BACKENDS)}.")

    from cgstore.llm.backends.write import Settings, WriteBackend
    from cgstore.llm.prompts import BUDGET, Prompt
    from cgstore.llm.prompts.texts import Templates

    chat = _chat(chosen, base_url, model, batch, cache)
    templates = Templates(prompts)
    prompt = Prompt(templates, prompt_tokens or BUDGET, shared)
    chooser = _shots(demonstrations, shots, masked, shared, db)
    return WriteBackend(chat, prompt, chooser, Settings(samples, retries, functions, explore), chosen, shared)


def _default(base_url: str | None, batch: Path | None, replies: Sequence[Path]) -> str:
    if batch:
        return "batch"
    if replies:
        return "replay"
    return "openai" if base_url or _has_endpoint() else "demos"


def _chat(name: str, base_url: str | None, model: str | None, batch: Path | None, cache: bool) -> Chat:
    from cgstore.llm.chat.openai import OpenAIChat

    if name == "batch":
        from cgstore.llm.chat.batch import BatchChat

        model = model or os.environ.get("CGSTORE_MODEL")
        if batch is None or model is None:
            raise BadInput(
                "The backend batch needs a folder for its files, and the LLM's name.",
                "Give --batch FOLDER and --model NAME.",
            )
        return BatchChat(batch, model)
    chat = OpenAIChat(base_url, model)
    if not cache:
        return chat
    from cgstore.llm.chat.reply_cache import CachedChat

    return CachedChat(chat, chat.address)


def _shots(
    demonstrations: Sequence[Path] | None, count: int, masked: bool, encoder: Encoder, db: Database | None
) -> Shots:
    from cgstore.llm.demonstrations import load_demonstrations
    from cgstore.llm.demonstrations.shot_selection import ShippedShots, StoredShots

    initial = ShippedShots(load_demonstrations(demonstrations, None), encoder, count)
    return initial if db is None else StoredShots(db, encoder, initial, k=count, masked=masked)


def _has_endpoint() -> bool:
    return bool(os.environ.get("OPENAI_API_KEY") or os.environ.get("OPENAI_BASE_URL"))
