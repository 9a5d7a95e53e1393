"""Backends that turn a question into programs. `get_backend` makes one.

- `backends`: what a backend is. `write` has an LLM write programs, which vote; `explore` lets it look first; `replay`
  gives recorded replies; `judged` puts what users said before another backend. `languages` are what programs are
  written in, `feedback` is what an LLM is told of its programs.
- `small`: a small language model in this process writes, and a check apart from it decides; it needs no service.
- `trained`: a model of `cgstore finetune` writes; it is called `hf:FOLDER`.
- `prompts`: what the LLM reads.
- `demonstrations`: the shipped ones and a user's; `stored` keeps those of the graph, `build` makes them from training
  questions, `shot_selection` chooses those of a prompt.
- `chat`: requests to an LLM and its replies, through an endpoint (`openai`), files (`batch`) or a cache
  (`reply_cache`).
- `graph_view`: what a backend sees of the graph; `look_ups`: what the tools of an LLM that explores look up.

A new backend takes a module in `backends`, its name in `BACKENDS` with a branch of `get_backend`, and, if it has
settings of its own, fields of `BackendOptions`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from cgstore import arguments
from cgstore.errors import BadOption, setting
from cgstore.llm.options import BACKENDS, BackendKeywords, BackendOptions, UnnamedKeywords

if TYPE_CHECKING:
    from cgstore.cypher.connection import Database
    from cgstore.llm.backends import Backend
    from cgstore.llm.chat import Chat

__all__ = ("BACKENDS", "BackendKeywords", "BackendOptions", "default_backend_name", "get_backend")


def get_backend(name: str | None = None, *, db: Database | None = None, **options: Unpack[UnnamedKeywords]) -> Backend:
    """The backend of that name; without a name, the one that the options and the environment call for.

    That is `batch` or `replay` if their files are given, `openai` if there is a key or an endpoint, else `small`.

    Args:
        name: one of `BACKENDS`.
        db: where demonstrations are stored; None: only those in files are used.
        options: see `BackendOptions`.

    Raises:
        BadInput: there is no such backend, something that it needs is not given, or a file cannot be used.
        NoModel: OpenAI would be asked without a key.
    """
    given = arguments.options(BackendOptions, "get_backend", options, "name", "db")
    name = name or default_backend_name(given.base_url, given.batch, given.replies)
    if name.startswith("hf:"):
        from cgstore.llm.trained.backend import TrainedBackend

        return TrainedBackend(Path(name.removeprefix("hf:")).expanduser())
    if name not in BACKENDS:
        raise BadOption(f"There is no backend '{name}'.", f"Choose one of: {', '.join(BACKENDS)}.")
    if name in ("small", "demos"):
        if given.lang != "llm":
            raise BadOption(
                f"The backend {name} writes programs in the LLM query language only.", f"Leave out {setting('lang')}."
            )
        return _small(given, db)
    if name == "replay":
        from cgstore.llm.backends.languages import language_named
        from cgstore.llm.backends.replay import ReplayBackend

        return ReplayBackend(given.replies, language_named(given.lang), given.decide or "first")
    return _of_llm(name, given, db)


def _of_llm(name: str, given: BackendOptions, db: Database | None) -> Backend:
    """A backend whose programs an LLM writes."""
    from cgstore.embedding.encoder import SharedEncoder
    from cgstore.llm.backends.languages import language_named
    from cgstore.llm.backends.write import WriteBackend
    from cgstore.llm.demonstrations import SHOTS, load_demonstrations
    from cgstore.llm.demonstrations.shot_selection import Shots
    from cgstore.llm.prompts import BUDGET, Prompt, PromptTexts

    is_usual = given.lang == "llm"
    if given.prompt == "compact" and (given.explore or given.constrain or not is_usual):
        raise BadOption(
            "The compact prompt has no room for that.",
            f"Leave out {setting('explore', True)}, {setting('constrain', True)} and {setting('lang')}.",
        )
    if not is_usual and (given.explore or given.constrain):
        problem = "An LLM that explores, or is constrained, writes the LLM query language only."
        raise BadOption(
            problem, f"Leave out {setting('lang')} or {setting('explore' if given.explore else 'constrain', True)}."
        )
    chat = _batch_chat(given) if name == "batch" else _openai_chat(given)
    texts = PromptTexts(given.prompts)
    if given.prompt == "compact":
        from cgstore.llm.small.over_chat import CompactBackend

        return CompactBackend(chat, texts, given.samples, name)
    language, shared = language_named(given.lang), SharedEncoder(given.encoder)
    known = load_demonstrations(given.demonstrations or ())
    chosen = Shots(known, shared, SHOTS if given.shots is None else given.shots, db=db, spell=language.spell)
    full = Prompt(texts, given.prompt_tokens or BUDGET, shared, rows=given.rows)
    return WriteBackend(chat, full, chosen, given, name, shared)


def _small(given: BackendOptions, db: Database | None) -> Backend:
    from cgstore.llm.backends.judged import JudgedBackend
    from cgstore.llm.small.backend import SmallBackend
    from cgstore.llm.small.confidence import RISK

    if given.adapter is not None and not given.adapter.is_file():
        raise BadOption(f"There is no adapter {given.adapter}.", "Give the GGUF file of an adapter.")
    risk = RISK if given.risk is None else given.risk
    backend = SmallBackend(adapter=given.adapter, risk=risk, reading=given.reading)
    return backend if db is None else JudgedBackend(backend, db, corrections=given.corrections)


def default_backend_name(base_url: str | None = None, batch: Path | None = None, replies: Sequence[Path] = ()) -> str:
    """The name of the backend that some arguments of `get_backend` and the environment call for."""
    if batch:
        return "batch"
    if replies:
        return "replay"
    return "openai" if base_url or os.environ.get("OPENAI_API_KEY") or os.environ.get("OPENAI_BASE_URL") else "small"


def _batch_chat(given: BackendOptions) -> Chat:
    from cgstore.llm.chat.batch import BatchChat

    model = given.model or os.environ.get("CGSTORE_MODEL")
    if given.batch is None or model is None:
        problem = "The backend batch needs a folder for its files and the name of the LLM."
        raise BadOption(problem, f"Give both: {setting('batch')} and {setting('model')}.")
    return BatchChat(given.batch, model)


def _openai_chat(given: BackendOptions) -> Chat:
    from cgstore.llm.chat.openai import TIMEOUT, OpenAIChat
    from cgstore.llm.chat.reply_cache import CachedChat

    timeout = TIMEOUT if given.timeout is None else arguments.positive("timeout", given.timeout)
    chat = OpenAIChat(given.base_url, given.model, timeout=timeout)
    chat.check_key()  # before anything that takes long, such as the encoder
    return CachedChat(chat, chat.address) if given.cache else chat
