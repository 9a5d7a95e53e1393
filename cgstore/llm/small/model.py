"""The runtime of the small model: llama.cpp in this process, through the package `xllamacpp`."""

from __future__ import annotations

import os
import secrets
import socket
import tempfile
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput, NoModel, optional

_MOST_THREADS = 8  # matrices of 576 columns are not worth more
_PROMPT_CACHE = 64  # MiB for the states of earlier prompts: 23 KB a token
_BATCH = 512  # tokens read at once
_CONTEXT = 2048  # tokens that a prompt and what is written may have together
_SOCKET_PATH = 100  # characters that every system takes as the path of a socket
_STOP = "\n"
_LIMIT = Path("/sys/fs/cgroup/cpu.max")  # of a container on Linux


@dataclass(frozen=True)
class Token:
    """A token of what the model wrote.

    Attributes:
        text: its characters; the end token has none, and half a character is U+FFFD.
        logprob: its natural log-probability, as the model gave it: a grammar takes nothing from it.
        alternatives: the most probable tokens at this place with their log-probabilities, best first. The token itself
            is among them, last where a grammar made it stand in for likelier ones.
    """

    text: str
    logprob: float
    alternatives: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Written:
    """What the model wrote for a prompt.

    Attributes:
        text: up to the newline or the end token, without either.
        tokens: the text's tokens, and the end token if that ended it. A newline is not among them.
        ended: whether the model ended by itself, with an end token or a newline, and not at the limit.
    """

    text: str
    tokens: tuple[Token, ...]
    ended: bool


class LocalModel:
    """A model in GGUF, with an adapter over it. The files are loaded at the first `write`, and then stay in memory.

    Threads may share it: one prompt is answered at a time.

    Args:
        base: the weights, a GGUF file.
        adapter: a LoRA adapter for them, a GGUF file.
        threads: how many compute; None: one for each core that is idle when the model is loaded, see `idle_cores`.
    """

    def __init__(self, base: Path, adapter: Path | None = None, *, threads: int | None = None) -> None:
        self._base, self._adapter, self._threads = base, adapter, threads
        self._lock = threading.Lock()
        self._server: Any = None
        # At exit: llama.cpp crashes if the process ends while another thread is inside it.
        weakref.finalize(self, self._lock.acquire)

    def write(self, prompt: str, *, grammar: str | None = None, most: int = 128, alternatives: int = 5) -> Written:
        """Continues a prompt with what is most probable at each place, up to the end of a line.

        The prompt is read as it stands, without a chat template or tokens around it; the names of special tokens in
        it, such as `<|im_end|>`, are read as these. A prompt that begins like an earlier one is read only from where
        it differs.

        Args:
            grammar: what may be written, in llama.cpp's GBNF; its root may end with a newline or without.
            most: tokens to write at most.
            alternatives: alternatives of each token.

        Raises:
            BadInput: llama.cpp refuses the grammar (and says on standard error why), or the prompt is too long.
            NoModel: a package of `cgstore[small]` is not installed, or a file is not there or is none that
                llama.cpp reads.
        """
        request = {
            "prompt": prompt,
            "max_tokens": most,
            "temperature": 0,
            "samplers": ["top_k"],
            "top_k": 1,
            "stop": [_STOP],
            "logprobs": max(1, alternatives),
            "cache_prompt": True,
        }
        if grammar is not None:
            request["grammar"] = grammar
        with self._lock:
            if self._server is None:
                self._server = _load(self._base, self._adapter, self._threads or idle_cores())
            reply = self._server.handle_completions(request)
        if "error" in reply:
            raise _refused(reply["error"])
        return _written(reply["choices"][0])


def idle_cores() -> int:
    """The physical cores that this process may use and that have nothing to do, at least one and at most eight.

    The threads of llama.cpp wait for each other by spinning: with fewer cores than threads they are ten times slower
    than one alone.
    """
    try:
        allowed = float(len(os.sched_getaffinity(0)))
    except AttributeError:  # not on Linux
        allowed = float(os.cpu_count() or 1)
    physical = optional("psutil", "small").cpu_count(logical=False) or allowed
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return max(1, round(min(physical, allowed - busy, _quota(), _MOST_THREADS)))


def _quota() -> float:
    """The cores that a container's limit leaves, such as that of `docker run --cpus`."""
    try:
        share, period = _LIMIT.read_text(encoding="ascii").split()
        return float("inf") if share == "max" else int(share) / int(period)
    except (OSError, ValueError):
        return float("inf")


def _load(base: Path, adapter: Path | None, threads: int) -> Any:
    for file in (base, adapter):
        if file is not None and not file.is_file():
            raise NoModel(f"There is no file {file}.", "Fetch the small model again: cgstore model fetch")
    runtime = optional("xllamacpp", "small")
    settings = runtime.CommonParams()
    settings.model.path = str(base)
    if adapter is not None:
        settings.lora_adapters = [runtime.CommonAdapterLoraInfo(str(adapter), 1.0)]
    settings.n_ctx, settings.n_batch, settings.n_ubatch = _CONTEXT, _BATCH, _BATCH
    settings.n_parallel, settings.cache_ram_mib = 1, _PROMPT_CACHE
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = threads
    settings.fit_params = settings.warmup = settings.ui = settings.endpoint_slots = False
    settings.n_threads_http, settings.verbosity = 1, -1
    try:
        with _unreachable(settings):
            return runtime.Server(settings)
    except RuntimeError as error:
        files = f"{base} with {adapter}" if adapter else str(base)
        raise NoModel(f"llama.cpp cannot load {files}.", "Fetch it again: cgstore model fetch") from error


@contextmanager
def _unreachable(settings: Any) -> Iterator[None]:
    """Has nobody ask the HTTP server that llama.cpp cannot do without: it listens at a socket that is then removed.

    Where there are no such sockets it listens at a port of this machine, and answers to a key that nobody knows.
    """
    settings.api_keys = [secrets.token_urlsafe(32)]
    with tempfile.TemporaryDirectory(prefix="cgstore-", ignore_cleanup_errors=True) as folder:
        path = str(Path(folder) / "model.sock")
        if hasattr(socket, "AF_UNIX") and len(os.fsencode(path)) <= _SOCKET_PATH:
            settings.hostnames = [path]
        yield


def _refused(error: dict[str, Any]) -> BadInput:
    if error.get("type") == "exceed_context_size_error":
        return BadInput(f"The prompt has {error['n_prompt_tokens']} tokens; the model reads {error['n_ctx']} at most.")
    return BadInput(f"llama.cpp refuses the request: {error.get('message')}.")


def _written(choice: dict[str, Any]) -> Written:
    listed = (choice.get("logprobs") or {}).get("content", ())
    return Written(choice["text"], tuple(map(_token, listed)), choice["finish_reason"] == "stop")


def _token(entry: dict[str, Any]) -> Token:
    text = _text(entry)
    others = [(_text(other), other["logprob"]) for other in entry["top_logprobs"]]
    if all(other["id"] != entry["id"] for other in entry["top_logprobs"]):
        others.append((text, entry["logprob"]))
    return Token(text, entry["logprob"], tuple(others))


def _text(entry: dict[str, Any]) -> str:
    return bytes(entry["bytes"]).decode("utf-8", errors="replace")
