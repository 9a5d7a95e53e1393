"""Which files are loaded already, so that benchmarks do not read a thousand unchanged tables at each run.

Loading what is unchanged changes nothing, but reads it all to find that out. So it is kept, in a file beside the other
caches, which fingerprint the loader gave a source for which bytes. A source that is ready with that fingerprint is what
a load of these bytes would make; where anything differs, the loaders' own code too, it is loaded in the ordinary way.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from cgstore.embedding.cache import cache_folder
from cgstore.errors import BadInput
from cgstore.model import SourceState
from cgstore.store import Store

FILE = "eval-sources.json"


def load_changed(store: Store, files: Mapping[str, Path], load: Callable[[list[str]], None]) -> None:
    """Has those sources loaded that are not ready, or whose files are others than when they were loaded.

    Args:
        store: where the sources are.
        files: source -> the one file that it is made from.
        load: loads the sources with these names.

    Raises:
        BadInput: a file is missing or cannot be read.
    """
    kept = cache_folder() / FILE
    known, ready = _read(kept), _ready(store)
    keys = {source: _key(source, path) for source, path in files.items()}
    changed = [source for source, key in keys.items() if source not in ready or known.get(key) != ready[source]]
    if changed:
        load(changed)
        ready = _ready(store)
        _write(kept, known | {keys[source]: ready[source] for source in changed if source in ready})


def _ready(store: Store) -> dict[str, str]:
    """The sources that are answered from, with the fingerprints of their content."""
    sources = (source for source in store.sources() if source.state is SourceState.READY)
    return {source.name: source.fingerprint for source in sources if source.fingerprint}


def _key(source: str, path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from error
    return hashlib.sha256(b"\0".join((_code(), source.encode(), content))).hexdigest()[:32]


@cache
def _code() -> bytes:
    """A hash of the modules that turn a file into a source: others may make another source of the same file."""
    package = Path(__file__).parents[1]
    modules = [*sorted(package.glob("loaders/**/*.py")), *sorted(package.glob("*.py"))]
    return hashlib.sha256(b"\0".join(module.read_bytes() for module in modules)).digest()


def _read(file: Path) -> dict[str, str]:
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # absent or damaged: it only saves time
        return {}
    return known if isinstance(known, dict) else {}


def _write(file: Path, known: Mapping[str, str]) -> None:
    """A folder that cannot be written to costs time and nothing else."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary = file.with_suffix(".new")
        temporary.write_text(json.dumps(known), encoding="utf-8")
        temporary.replace(file)
