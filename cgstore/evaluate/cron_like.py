"""cron_like: CronQuestions' questions over a temporal graph of its size whose facts are drawn at random.

Its questions have CronQuestions' form, in names (`cgstore.evaluate.cronquestions`), and its annotations become programs
as theirs do; `before` and `after` ask for the nearest year before or after.
"""

from __future__ import annotations

from pathlib import Path

from cgstore.store import Store

SOURCE = "eval/cron_like"
"""The source that the facts are loaded as; kept for the next run."""

QUESTIONS = "questions_dev.jsonl.gz"

FACTS = "kg.tsv.gz"


def load(store: Store, data: Path) -> None:
    """Loads the facts, unless they are loaded already.

    Args:
        store: where to.
        data: the folder `cron_like` of the benchmark data.

    Raises:
        BadInput: the file is missing or malformed.
    """
    store.load_tkg(data / FACTS, name=SOURCE, replace=True, progress=True)
