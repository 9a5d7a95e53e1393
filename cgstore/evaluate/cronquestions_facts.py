"""CronQuestions' real facts and events, and the source that they are loaded as."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from cgstore.evaluate import cronquestions
from cgstore.evaluate.loaded import load_changed
from cgstore.store import Store

SOURCE = "eval/cronquestions"
"""The source that the facts are loaded as; kept for the next run."""

FACTS = ("ari_facts.tsv", "event2time.tsv")
HEADER = "head\trelation\ttail\tstart\tend\n"

Fact = tuple[str, str, str, str, str]


def read_labels(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """The labels of entities and of relations, by id.

    Raises:
        BadInput: a file is missing or malformed.
    """
    return (
        cronquestions.read_labels(folder / "wd_id2entity_text.txt"),
        cronquestions.read_labels(folder / "wd_id2relation_text.txt"),
    )


def read_facts(folder: Path) -> list[Fact]:
    """The facts and the events, in names.

    Raises:
        BadInput: a file is missing or malformed.
    """
    labels = read_labels(folder)
    return [fact for name in FACTS for fact in cronquestions.read_facts(folder / name, *labels)]


def load_facts(store: Store, folder: Path) -> None:
    """Loads the facts and the events as one source, unless they are loaded already.

    Args:
        store: where to.
        folder: the folder `cronquestions` of the benchmark data.

    Raises:
        BadInput: a file is missing or malformed.
    """
    with TemporaryDirectory() as temporary:
        path = Path(temporary) / "cronquestions.tsv"
        path.write_text(HEADER + "".join("\t".join(fact) + "\n" for fact in read_facts(folder)), encoding="utf-8")

        def load(_: list[str]) -> None:
            store.load_tkg(path, name=SOURCE, replace=True, progress=True)

        load_changed(store, {SOURCE: path}, load)
