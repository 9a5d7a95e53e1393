"""Facts that are published for each question, loaded as a source for each or as one source of all of them.

Facts have three columns, or five with the first and last year in which they hold. Published subgraphs have odd ones: a
fact that lacks a name is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from cgstore.evaluate.loaded import load_changed
from cgstore.progress import counted
from cgstore.store import Store

Fact = tuple[str, ...]
"""Head, relation, tail, and of temporal facts the first and the last year."""


def clean(facts: Sequence[Sequence[object]], width: int) -> list[Fact]:
    """The facts as texts of `width` columns, each once; those with an empty column are left out.

    Raises:
        ValueError: a fact has another number of columns.
    """
    texts = [tuple(" ".join(str(part).split()) for part in fact) for fact in facts]
    if any(len(fact) != width for fact in texts):
        raise ValueError(f"a fact has not {width} parts")
    return [fact for fact in dict.fromkeys(texts) if all(fact)]


def names_in(facts: Sequence[Fact]) -> set[str]:
    """All that an answer over these facts may be: heads, tails and years."""
    return {part for fact in facts for place, part in enumerate(fact) if place != 1}


def load_graphs(store: Store, graphs: Mapping[str, Sequence[Fact]]) -> None:
    """Loads the graphs that are not loaded, each as the source of its name: `tkg` where facts have years, else `kg`.

    Args:
        store: where to.
        graphs: source -> facts, never none.
    """
    with TemporaryDirectory() as folder:
        files = {}
        for number, (source, facts) in enumerate(graphs.items()):
            files[source] = path = Path(folder) / f"{number}.tsv"
            path.write_text("".join("\t".join(fact) + "\n" for fact in facts), encoding="utf-8")
        load_changed(store, files, lambda sources: _load(store, {source: files[source] for source in sources}, graphs))


def _load(store: Store, files: Mapping[str, Path], graphs: Mapping[str, Sequence[Fact]]) -> None:
    one = len(files) == 1
    for source, path in counted(files.items(), "load", "graphs", len(files), show=not one):
        temporal = len(graphs[source][0]) == 5
        load: Callable[..., object] = store.load_tkg if temporal else store.load_kg
        load(path, name=source, header=False, replace=True, progress=one)
