"""Loads the sources of benchmarks, `eval/...`, unless they are loaded already.

A load of unchanged content changes nothing, but it takes time. A file in the cache folder therefore keeps the
fingerprint that the loader gave to a source for its content. A ready source with that fingerprint is not loaded again,
unless the code of the loaders has changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from cgstore.embedding.encoder import cache_folder
from cgstore.model import SourceState
from cgstore.observe.progress import counted
from cgstore.store import Store

FILE = "eval-sources.json"

Fact = tuple[str, ...]
"""Head, relation and tail; a temporal fact also has its first and its last year, or its day."""


def load_changed(store: Store, contents: Mapping[str, bytes], load: Callable[[list[str]], object]) -> None:
    """Loads, by `load`, the sources that are not ready or whose content has changed."""
    register = cache_folder() / FILE
    known, ready = _read(register), _fingerprints(store)
    keys = {source: _key(source, content) for source, content in contents.items()}
    changed = [source for source, key in keys.items() if source not in ready or known.get(key) != ready[source]]
    if changed:
        load(changed)
        ready = _fingerprints(store)
        _write(register, known | {keys[source]: ready[source] for source in changed if source in ready})


def load_graphs(store: Store, graphs: Mapping[str, Sequence[Fact]]) -> None:
    """Loads each graph that has changed as the source of its name: as `tkg` if its facts have times, else as `kg`."""
    contents = {s: "".join("\t".join(fact) + "\n" for fact in facts).encode() for s, facts in graphs.items()}

    def load(sources: list[str]) -> None:
        alone = len(sources) == 1
        with TemporaryDirectory() as folder:
            path = Path(folder) / "facts.tsv"
            for source in counted(sources, "load", "graphs", len(sources), show=not alone):
                path.write_bytes(contents[source])
                if len(graphs[source][0]) > 3:
                    store.load_tkg(path, name=source, header=False, replace=True, progress=alone)
                else:
                    store.load_kg(path, name=source, header=False, replace=True, progress=alone)

    load_changed(store, contents, load)


def clean(facts: Iterable[Sequence[object]], width: int) -> list[Fact]:
    """Returns the distinct facts as texts of `width` columns, without those that have an empty column."""
    texts = [tuple(" ".join(str(part).split()) for part in fact) for fact in facts]
    if any(len(fact) != width for fact in texts):
        raise ValueError(f"a fact does not have {width} parts")
    return [fact for fact in dict.fromkeys(texts) if all(fact)]


def united(graphs: Iterable[Sequence[Fact]]) -> list[Fact]:
    """Returns the distinct facts of all graphs."""
    return list(dict.fromkeys(fact for graph in graphs for fact in graph))


def names_in(facts: Iterable[Sequence[str]]) -> set[str]:
    """Returns what can be an answer: heads and tails, and the years in which a temporal fact holds."""
    names, spans = set(), set()
    for head, _, tail, *years in facts:
        names |= {head, tail, *years}
        spans.add(tuple(years))
    for start, end in filter(None, spans):
        if start.isdecimal() and end.isdecimal():
            names |= {str(year) for year in range(int(start), int(end) + 1)}
    return names


def _fingerprints(store: Store) -> dict[str, str]:
    """The ready sources with the fingerprints of their content."""
    sources = (source for source in store.sources() if source.state is SourceState.READY)
    return {source.name: source.fingerprint for source in sources if source.fingerprint}


def _key(source: str, content: bytes) -> str:
    return hashlib.sha256(b"\0".join((loader_code(), source.encode(), content))).hexdigest()[:32]


@cache
def loader_code() -> bytes:
    """A hash of the modules that make a source of a file."""
    package = Path(__file__).parents[2]
    modules = [*sorted(package.glob("loaders/**/*.py")), *sorted(package.glob("*.py"))]
    return hashlib.sha256(b"\0".join(module.read_bytes() for module in modules)).digest()


def _read(file: Path) -> dict[str, str]:
    """The fingerprints of earlier loads; none if the file is missing or damaged, which only costs time."""
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _write(file: Path, known: Mapping[str, str]) -> None:
    with contextlib.suppress(OSError):  # without the file the next run loads again
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary = file.with_suffix(".new")
        temporary.write_text(json.dumps(known), encoding="utf-8")
        temporary.replace(file)
