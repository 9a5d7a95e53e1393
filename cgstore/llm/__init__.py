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
settings of its own, their options in `cgstore.cli.llm_options`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cgstore import arguments
from cgstore.errors import BadInput

if TYPE_CHECKING:
    from cgstore.cypher.connection import Database
    from cgstore.embedding.encoder import Encoder
    from cgstore.llm.backends import Backend
    from cgstore.llm.chat import Chat

BACKENDS = ("small", "demos", "openai", "batch", "replay", "hf:FOLDER")
"""The names of the backends, as `get_backend` and `--llm` take them: `demos` is another one for `small`, and FOLDER is
that of a trained model."""

PROMPTS = ("full", "compact")
"""The prompts of an LLM at an endpoint."""

DECISIONS = ("vote", "first")
"""The ways to choose among the answers of several programs."""


BackendKeywords = dict[str, Any]
"""Arguments of `get_backend`, except `db`, by their names."""


def get_backend(
    name: str | None = None,
    *,
    base_url: str | None = None,
    model: str | None = None,
    timeout: float | None = None,
    constrain: bool = False,
    samples: int = 5,
    retries: int = 3,
    functions: bool = True,
    explore: bool = False,
    lang: str = "llm",
    decide: str | None = None,
    demonstrations: Sequence[Path] | None = None,
    shots: int | None = None,
    masked: bool = False,
    prompt: str = "full",
    prompts: Path | None = None,
    prompt_tokens: int | None = None,
    rows: int | None = None,
    batch: Path | None = None,
    replies: Sequence[Path] = (),
    cache: bool = True,
    encoder: Encoder | None = None,
    corrections: bool = True,
    risk: float | None = None,
    reading: int | None = None,
    adapter: Path | None = None,
    db: Database | None = None,
) -> Backend:
    """The backend of that name; without a name, the one that the other arguments and the environment call for.

    That is `batch` or `replay` if their files are given, `openai` if there is a key or an endpoint, else `small`.

    Args:
        name: one of `BACKENDS`.
        base_url: endpoint of `openai`; default: OPENAI_BASE_URL.
        model: name of the LLM; default: CGSTORE_MODEL.
        timeout: seconds that `openai` waits for a reply; None: `chat.openai.TIMEOUT`.
        constrain: whether the endpoint is given the grammar of programs, so that the LLM can write nothing else.
        samples: programs requested at a time, which vote; 1 turns self-consistency off.
        retries: how often the LLM is asked again if no program gives an answer.
        functions: whether the LLM evaluates functions that the language lacks.
        explore: whether the LLM may look at the graph before it writes.
        lang: the language of the programs: `llm`, the LLM query language, or `sexpr`, S-expressions.
        decide: which of several answers stands: `vote`, that of most programs, or `first`, that of the first program
            that answers. None: `first` for `replay`, else `vote`.
        demonstrations: files of the user's own, used beside the shipped ones in prompts.
        shots: demonstrations in a prompt; default: `demonstrations.SHOTS`.
        masked: whether demonstrations are chosen by questions whose names are masked.
        prompt: `full`, or `compact`: the small model's, some hundred tokens, for endpoints with small contexts.
        prompts: folder of prompt texts that replace shipped ones.
        prompt_tokens: estimated tokens that a prompt may have.
        rows: most rows of each table in a prompt; None: as many as have room; 0: no cell and no fact.
        batch: folder of `batch`.
        replies: files of `replay`.
        cache: whether `openai` keeps replies on disk.
        encoder: chooses the nearest demonstrations; loaded when needed if None.
        corrections: whether the LLM sees the corrections of users that are stored in `db`; without an LLM, whether
            answers that they called wrong are refused.
        risk: the share of all questions that `small` may answer wrongly, from 0 to 1; default: 0.02.
        reading: the number of the reading of the question that `small` answers, however sure it is of it.
        adapter: the adapter of `small`, a GGUF file; default: the shipped one.
        db: where demonstrations are stored; None: only those in files are used.

    Raises:
        BadInput: there is no such backend, something that it needs is not given, or a file cannot be used.
        NoModel: OpenAI would be asked without a key.
    """
    replies, demonstrations = _paths("replies", replies), _paths("demonstrations", demonstrations)
    name = name or default_backend_name(base_url, batch, replies)
    if name.startswith("hf:"):
        from cgstore.llm.trained.backend import TrainedBackend

        return TrainedBackend(Path(name.removeprefix("hf:")).expanduser())
    if name not in BACKENDS:
        raise BadInput(f"There is no backend '{name}'.", f"Choose one of: {', '.join(BACKENDS)}.")
    if decide not in (None, *DECISIONS):
        raise BadInput(f"'{decide}' is not a way to decide.", f"Give one of {', '.join(DECISIONS)}.")
    if name in ("small", "demos"):
        if lang != "llm":
            raise BadInput(f"The backend {name} writes programs in the LLM query language only.", "Leave out --lang.")
        return _small(risk, reading, adapter, db, corrections)
    from cgstore.llm.backends.languages import language_named

    language = language_named(lang)
    if name == "replay":
        from cgstore.llm.backends.replay import ReplayBackend

        return ReplayBackend(replies, language, decide or "first")
    if prompt not in PROMPTS:
        raise BadInput(f"'{prompt}' is not a prompt.", f"Give one of {', '.join(PROMPTS)}.")
    if prompt == "compact" and (explore or constrain or lang != "llm"):
        raise BadInput("The compact prompt has no room for that.", "Leave out --explore, --constrain and --lang.")
    if lang != "llm" and (explore or constrain):
        problem = "An LLM that explores, or is constrained, writes the LLM query language only."
        raise BadInput(problem, f"Leave out --lang or {'--explore' if explore else '--constrain'}.")
    from cgstore.embedding.encoder import SharedEncoder
    from cgstore.llm.backends.write import Settings, WriteBackend
    from cgstore.llm.demonstrations import SHOTS, load_demonstrations
    from cgstore.llm.demonstrations.shot_selection import Shots
    from cgstore.llm.prompts import BUDGET, Prompt, PromptTexts

    shared = SharedEncoder(encoder)

    chat = _batch_chat(batch, model) if name == "batch" else _openai_chat(base_url, model, timeout, cache)
    if prompt == "compact":
        from cgstore.llm.small.over_chat import CompactBackend

        return CompactBackend(chat, PromptTexts(prompts), samples, name)
    full = Prompt(PromptTexts(prompts), prompt_tokens or BUDGET, shared, rows=rows)
    known = load_demonstrations(demonstrations)
    chosen = Shots(known, shared, SHOTS if shots is None else shots, db=db, masked=masked, spell=language.spell)
    settings = Settings(
        samples,
        retries,
        functions=functions and lang == "llm",
        explore=explore,
        decide=decide or "vote",
        language=language,
        constrain=constrain,
        corrections=corrections and lang == "llm",
    )
    return WriteBackend(chat, full, chosen, settings, name, shared)


def _small(
    risk: float | None, reading: int | None, adapter: Path | None, db: Database | None, corrections: bool
) -> Backend:
    from cgstore.llm.backends.judged import JudgedBackend
    from cgstore.llm.small.backend import SmallBackend
    from cgstore.llm.small.confidence import RISK

    if risk is not None and not 0 <= risk <= 1:
        raise BadInput(f"The risk {risk:g} is not a share.", "Give a number from 0 to 1, such as 0.02.")
    if reading is not None and reading < 1:
        raise BadInput("Readings are counted from 1.")
    if adapter is not None and not adapter.is_file():
        raise BadInput(f"There is no adapter {adapter}.", "Give the GGUF file of an adapter.")
    backend = SmallBackend(adapter=adapter, risk=RISK if risk is None else risk, reading=reading)
    return backend if db is None else JudgedBackend(backend, db, corrections=corrections)


def _paths(name: str, given: Any) -> list[Path]:
    """The paths of an argument that takes one or several."""
    several = arguments.paths(name, () if given is None else given)
    return [Path(each) for each in ([several] if isinstance(several, str | Path) else several)]


def default_backend_name(base_url: str | None = None, batch: Path | None = None, replies: Sequence[Path] = ()) -> str:
    """The name of the backend that some arguments of `get_backend` and the environment call for."""
    if batch:
        return "batch"
    if replies:
        return "replay"
    return "openai" if base_url or os.environ.get("OPENAI_API_KEY") or os.environ.get("OPENAI_BASE_URL") else "small"


def _batch_chat(batch: Path | None, model: str | None) -> Chat:
    from cgstore.llm.chat.batch import BatchChat

    model = model or os.environ.get("CGSTORE_MODEL")
    if batch is None or model is None:
        problem = "The backend batch needs a folder for its files and the name of the LLM."
        raise BadInput(problem, "Give --batch FOLDER and --model NAME.")
    return BatchChat(batch, model)


def _openai_chat(base_url: str | None, model: str | None, timeout: float | None, cache: bool) -> Chat:
    from cgstore.llm.chat.openai import OpenAIChat
    from cgstore.llm.chat.reply_cache import CachedChat

    if timeout is None:
        chat = OpenAIChat(base_url, model)
    else:
        chat = OpenAIChat(base_url, model, timeout=arguments.positive("timeout", timeout))
    chat.check_key()  # before anything that takes long, such as the encoder
    return CachedChat(chat, chat.address) if cache else chat
