"""The sample of all benchmarks, invented and in their formats, and files like those of benchmarks."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def write_sample(folder: Path) -> Path:
    """Copies the sample into a new folder, which is returned."""
    shutil.copytree(Path(__file__).parent / "sample", folder)
    for path in list((folder / "cron_like").iterdir()):
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
    return folder


def write_lines(path: Path, records: Iterable[Any]) -> Path:
    """A JSON Lines file."""
    return write_text(path, "".join(json.dumps(record) + "\n" for record in records))


def write_text(path: Path, text: str) -> Path:
    """A file, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
