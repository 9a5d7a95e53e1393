"""The limits of `cgstore serve`."""

from __future__ import annotations

from dataclasses import dataclass

from cgstore.options import Options, option


@dataclass(frozen=True)
class Limits(Options):
    """Limits of the server."""

    most_upload: float = option(100, "Megabytes of an uploaded file.")
    seconds: float = option(120, "Seconds of one request.", flag="limit")
    at_once: int = option(64, "Requests at a time; more are refused.", within=(1, None))
    threads: int = option(16, "Requests that are worked on at a time; others wait.", within=(1, None))
    body: int = option(1_000_000, "Bytes of a request.", within=(1, None))
