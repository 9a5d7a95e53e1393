"""A run as one HTML page: figures, bars by type, and each question that failed.

The page needs no other file and has no script. The template escapes everything that comes from data, an LLM or a
database.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from cgstore.errors import BadInput
from cgstore.evaluate.outcome import CLASSES, Outcome

PAGE, FIGURES = "index.html", "report.json"

MAX_FAILED = 500
"""The number of failed questions shown of one class; the file of outcomes has all."""

MAX_VALUES = 50
"""The number of values shown of an answer."""

TITLES = {
    "accepted": "the reference's own score",
    "accuracy": "denotation accuracy",
    "hits_at_1": "Hits@1",
    "f1": "F1",
    "exact_match": "exact match",
}
"""What the metrics are called."""


def write_report(folder: Path, headline: dict[str, Any], outcomes: Sequence[Outcome]) -> Path:
    """Writes the page of a `Run.headline`, and the figures as JSON beside it; returns the path of the page."""
    page = folder / PAGE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        page.write_text(render(headline, outcomes), encoding="utf-8", errors="backslashreplace")
        (folder / FIGURES).write_text(json.dumps(headline, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"The report cannot be written to {folder}: {error.strerror or error}.") from error
    return page


def render(headline: dict[str, Any], outcomes: Sequence[Outcome]) -> str:
    """Returns the text of the page."""
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    return environment.from_string(_resource("report_page.html")).render(
        run=headline,
        facts=_facts(headline),
        failed=_failed(outcomes),
        titles=TITLES,
        style=_resource("report_page.css"),
        max_failed=MAX_FAILED,
        max_values=MAX_VALUES,
    )


def _resource(name: str) -> str:
    return resources.files("cgstore.evaluate").joinpath(name).read_text(encoding="utf-8")


def _facts(headline: dict[str, Any]) -> list[str]:
    """What is said of the run above its figures."""
    facts = [f"{headline['n']:,} of {headline['drawn']:,} questions"]
    if headline["llm"]:
        facts.append(f"by {headline['llm']}")
    if headline["waiting"]:
        facts.append(f"{headline['waiting']:,} wait for a reply")
    if headline["ceiling"] is not None:
        facts.append(f"{headline['ceiling']:.1%} can be right: of the others a gold answer is nowhere in the data")
    facts.append(f"{headline['statements']:,} Cypher statements")
    facts += [f"{name.replace('_', ' ')}: {count:,}" for name, count in headline["tokens"].items()]
    if headline["cost"] is not None:
        facts.append(f"cost {headline['cost']:g}")
    if headline["questions_per_second"]:
        facts.append(f"{headline['questions_per_second']:g} questions/s")
    return facts


def _failed(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """The outcomes that are not right by class, in the order of `CLASSES`."""
    wrong = [one for one in outcomes if not one.correct]
    classes = dict.fromkeys((*CLASSES, *sorted({one.reason_class for one in wrong})))
    groups = {name: [one for one in wrong if one.reason_class == name] for name in classes}
    return {name: group for name, group in groups.items() if group}
