"""The options of a backend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from cgstore.options import LANGUAGES, Options, option

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder

BACKENDS = ("small", "demos", "openai", "batch", "replay", "hf:FOLDER")
"""The names of the backends, as `get_backend` and `--llm` take them: `demos` is another one for `small`, and FOLDER is
that of a trained model."""

PROMPTS = ("full", "compact")
"""The prompts of an LLM at an endpoint."""

DECISIONS = ("vote", "first")
"""The ways to choose among the answers of several programs."""


def _load_encoder(name: str) -> Encoder:
    from cgstore.embedding.encoder import load_encoder

    return load_encoder(name)


@dataclass(frozen=True)
class BackendOptions(Options):
    """The options of a backend."""

    name: str | None = option(
        None,
        "What writes the program.",
        unset="openai with an OPENAI_API_KEY or OPENAI_BASE_URL, else small",
        flag="llm",
        metavar=f"[{'|'.join(BACKENDS)}]",
    )
    base_url: str | None = option(None, "Any OpenAI-compatible endpoint.", envvar="OPENAI_BASE_URL")
    model: str | None = option(None, "The name of the LLM there.", envvar="CGSTORE_MODEL")
    timeout: float | None = option(
        None, "Seconds to wait for a reply of the endpoint.", unset=300, within=(0, 86_400), flag="llm-timeout"
    )
    constrain: bool = option(False, "The endpoint holds the LLM to the grammar of programs (llama.cpp, vLLM).")
    samples: int = option(5, "Programs that vote for an answer.", within=(1, 50))
    retries: int = option(3, "Times to ask again without an answer.", within=(0, 20))
    functions: bool = option(True, "Functions that the language lacks go to the LLM; without, they are errors.")
    explore: bool = option(False, "The LLM may look at the graph before it writes.")
    lang: str = option("llm", "What programs are written in.", choices=LANGUAGES)
    decide: str | None = option(
        None,
        "Several programs vote, or the first one that answers decides.",
        unset="vote; first for --llm replay",
        choices=DECISIONS,
    )
    shots: int | None = option(None, "Demonstrations in a prompt.", unset=8, within=(0, 50))
    demonstrations: Sequence[Path] | None = option(
        None,
        "More demonstrations for prompts, as JSON Lines {question, program, kind}; may be repeated.",
        several=True,
        path="file",
    )
    prompt: str = option("full", "compact: some hundred tokens, for endpoints with small contexts.", choices=PROMPTS)
    prompts: Path | None = option(None, "Your own prompt files.", envvar="CGSTORE_PROMPTS", path="new folder")
    prompt_tokens: int | None = option(None, "Most tokens of a prompt.", unset=8000, within=(500, None))
    rows: int | None = option(
        None, "Most rows of each table in a prompt; 0: no cell and no fact.", unset="as many as have room"
    )
    batch: Path | None = option(None, "For --llm batch: the folder of requests and replies.", path="new folder")
    replies: Sequence[Path] = option(
        (), "For --llm replay: recorded replies; may be repeated.", several=True, path="file"
    )
    corrections: bool = option(True, "The LLM sees what users corrected with `cgstore wrong`.")
    cache: bool = option(True, "A request that was sent before is answered from the cache.")
    risk: float | None = option(
        None,
        "For --llm small: the share of all questions that it may answer wrongly.",
        unset=0.02,
        within=(0, 1),
    )
    reading: int | None = option(None, "For --llm small: answer this reading of the question.", within=(1, None))
    adapter: Path | None = option(None, "For --llm small: another adapter, a GGUF file.", path="file")
    encoder: Encoder | None = option(
        None, "Sentence encoder: a name or ./FOLDER.", envvar="CGSTORE_ENCODER", read=_load_encoder
    )


class UnnamedKeywords(TypedDict, total=False):
    """The fields of `BackendOptions` except the name."""

    base_url: str | None
    model: str | None
    timeout: float | None
    constrain: bool
    samples: int
    retries: int
    functions: bool
    explore: bool
    lang: str
    decide: str | None
    shots: int | None
    demonstrations: Sequence[Path] | None
    prompt: str
    prompts: Path | None
    prompt_tokens: int | None
    rows: int | None
    batch: Path | None
    replies: Sequence[Path]
    corrections: bool
    cache: bool
    risk: float | None
    reading: int | None
    adapter: Path | None
    encoder: Encoder | None


class BackendKeywords(UnnamedKeywords, total=False):
    """The fields of `BackendOptions`, as keywords."""

    name: str | None
