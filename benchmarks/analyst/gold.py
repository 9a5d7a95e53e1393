"""The list of questions and their gold answers, one small pandas function each in `over_groups` and `over_cells`.

An answer is a list of values, or of rows where the question asks for several columns. Dates are written as ISO dates,
amounts as numbers without a currency.
"""

import importlib
from collections.abc import Callable
from typing import Any

import pandas as pd

from benchmarks.analyst.tables import shops, staff

QUESTIONS: list[tuple[str, list[str], Callable[[], Any]]] = []


def ask(question: str, *sources: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Register the function below as the gold answer of `question` over `sources`."""

    def register(answer: Callable[[], Any]) -> Callable[[], Any]:
        QUESTIONS.append((question, list(sources), answer))
        return answer

    return register


def largest(groups: pd.Series) -> list[Any]:
    """All groups with the greatest value."""
    return list(groups[groups == groups.max()].index)


def above(groups: pd.Series, bound: float) -> list[Any]:
    return list(groups[groups > bound].index)


def managers() -> pd.DataFrame:
    """The people who manage a shop, with the shop that they manage."""
    return shops()[["Shop", "Manager"]].merge(staff().drop(columns="Shop"), left_on="Manager", right_on="Staff no.")


def offering(service: str) -> pd.DataFrame:
    return shops()[shops()["services"].map(lambda items: service in items)]


def answers() -> list[dict[str, Any]]:
    """One record a question: id, question, answer (a list of texts, or of lists of texts) and sources."""
    importlib.import_module("benchmarks.analyst.over_groups")
    importlib.import_module("benchmarks.analyst.over_cells")
    return [
        {"id": f"a{place:02}", "question": question, "answer": _plain(answer()), "source": sources}
        for place, (question, sources, answer) in enumerate(QUESTIONS, start=1)
    ]


def _plain(answer: Any) -> list[Any]:
    """The answer as a list of texts, or of rows of texts for several columns and for groups."""
    if isinstance(answer, pd.DataFrame):
        return [[_value(cell) for cell in row] for row in answer.itertuples(index=False)]
    if isinstance(answer, pd.Series) and not isinstance(answer.index, pd.RangeIndex) and answer.index.name is not None:
        return [[_value(group), _value(value)] for group, value in answer.items()]
    if isinstance(answer, list) or getattr(answer, "ndim", 0) > 0:
        return [_value(value) for value in answer]
    return [_value(answer)]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, pd.Timestamp):
        return value.date().isoformat()
    if isinstance(value, str):
        return value
    return f"{float(value):.10g}"
