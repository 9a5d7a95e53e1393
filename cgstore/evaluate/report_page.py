"""A run as one HTML page that needs nothing else: figures, bars by type, and each question that failed.

All that comes from data, an LLM or a database is escaped; the page has no script.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any

from cgstore.errors import BadInput
from cgstore.evaluate.asked import CLASSES, RIGHT, Asked
from cgstore.evaluate.intervals import Interval
from cgstore.evaluate.report import METRICS
from cgstore.evaluate.svg import Bar, bars

PAGE, FIGURES = "index.html", "report.json"

MAX_FAILED = 500
"""Most failed questions shown of one class: a browser shows no hundred thousand well. The file of outcomes has all."""

MAX_VALUES = 50
"""Most values of an answer shown."""

MEASURES = {
    "accepted": "the reference's own score",
    "accuracy": "denotation accuracy",
    "hits_at_1": "Hits@1",
    "f1": "F1",
    "exact_match": "exact match",
}


def write_report(folder: Path, headline: dict[str, Any], outcomes: Sequence[Asked]) -> Path:
    """Writes the page, and the figures as JSON beside it; gives the page's path.

    Args:
        folder: is made if need be.
        headline: `cgstore.evaluate.summary.Run.headline`.
        outcomes: those that it sums up.

    Raises:
        BadInput: the folder cannot be written to.
    """
    page = folder / PAGE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        page.write_text(render(headline, outcomes), encoding="utf-8", errors="backslashreplace")
        (folder / FIGURES).write_text(json.dumps(headline, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"The report cannot be written to {folder}: {error.strerror or error}.") from error
    return page


def render(headline: dict[str, Any], outcomes: Sequence[Asked]) -> str:
    """The page's text."""
    title = f"{headline['benchmark']}: {headline['set']}"
    style = resources.files("cgstore.evaluate").joinpath("report_page.css").read_text(encoding="utf-8")
    body = [
        f"<h1>{escape(title)}</h1>",
        _about(headline),
        "<h2>Measures</h2>",
        _measures(headline),
        "<h2>By type</h2>",
        *_by_type(headline),
        "<h2>Why answers are right or not</h2>",
        _classes(headline),
        "<h2>Questions that failed</h2>",
        *_failed(outcomes),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{style}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _about(headline: dict[str, Any]) -> str:
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
    return f"<p>{escape('; '.join(facts))}.</p>"


def _measures(headline: dict[str, Any]) -> str:
    if not headline["n"]:
        return "<p>No question has an outcome yet.</p>"
    share = f"{headline['level']:.0%}"
    rows = [
        f"<tr><td>{escape(name)} <small>{escape(MEASURES[name])}</small></td><td>{headline['metrics'][name]:.3f}</td>"
        f"<td>{low:.3f} to {high:.3f}</td></tr>"
        for name, (low, high) in headline["intervals"].items()
    ]
    note = f"{share} percentile bootstrap intervals, {headline['resamples']:,} resamples of the questions."
    head = f"<tr><th>measure</th><th>mean</th><th>{share} interval</th></tr>"
    return f"<table>{head}{''.join(rows)}</table><p><small>{note}</small></p>"


def _by_type(headline: dict[str, Any]) -> Iterator[str]:
    groups = headline["by_type"]
    for measure in ("accuracy", "hits_at_1", "f1") if groups else ():
        rows = [
            Bar(name, group["metrics"][measure], Interval(*group["intervals"][measure]), group["n"])
            for name, group in groups.items()
        ]
        title = f"{measure}: {MEASURES[measure]}"
        yield f"<figure><figcaption>{escape(title)}</figcaption>{bars(title, rows)}</figure>"
    head = "".join(f"<th>{escape(name)}</th>" for name in METRICS)
    rows_of = "".join(
        f"<tr><td>{escape(name)}</td><td>{group['n']:,}</td>"
        + "".join(f"<td>{mean:.3f}</td>" for mean in group["metrics"].values())
        + "</tr>"
        for name, group in groups.items()
    )
    yield f"<table><tr><th>type</th><th>n</th>{head}</tr>{rows_of}</table>"


def _classes(headline: dict[str, Any]) -> str:
    count = headline["n"] or 1
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{number:,}</td><td>{number / count:.1%}</td></tr>"
        for name, number in headline["reasons"].items()
    )
    return f"<table><tr><th>class</th><th>n</th><th>share</th></tr>{rows}</table>"


def _failed(outcomes: Sequence[Asked]) -> Iterator[str]:
    wrong = [one for one in outcomes if not one.correct]
    order = [*CLASSES, *sorted({one.reason_class for one in wrong} - set(CLASSES))]
    for name in order:
        group = [one for one in wrong if one.reason_class == name and name != RIGHT]
        if group:
            yield f"<h3>{escape(name)} ({len(group):,})</h3>"
            yield from map(_question, group[:MAX_FAILED])
            if len(group) > MAX_FAILED:
                yield f"<p><small>{len(group) - MAX_FAILED:,} more in the file of outcomes.</small></p>"
    if not wrong:
        yield "<p>None.</p>"


def _question(one: Asked) -> str:
    parts = [
        _item("gold", _values(one.gold)),
        _item("answer", _values(one.answer)),
        _item("reason", escape(one.reason)),
        _item("program", f"<pre>{escape(one.program.strip())}</pre>") if one.program else "",
        *(_tried(number, tried) for number, tried in enumerate(one.tried, 1) if len(one.tried) > 1),
        _item("names", "<br>".join(map(_mapping, one.mappings))) if one.mappings else "",
        _item("notes", "<br>".join(map(escape, one.warnings))) if one.warnings else "",
        _item("why this program", escape(one.because)) if one.because else "",
        _item("evidence", _link(one.browser)) if one.browser else "",
    ]
    title = f"<summary>{escape(one.id)}: {escape(one.question)} <small>{escape(one.type)}</small></summary>"
    return f"<details>{title}<dl>{''.join(parts)}</dl></details>"


def _item(name: str, content: str) -> str:
    return f"<dt>{name}</dt><dd>{content}</dd>"


def _values(values: Sequence[object]) -> str:
    shown = ", ".join(escape(str(value)) for value in values[:MAX_VALUES]) or "<small>none</small>"
    return f"{shown} <small>and {len(values) - MAX_VALUES:,} more</small>" if len(values) > MAX_VALUES else shown


def _tried(number: int, tried: dict[str, Any]) -> str:
    came = escape(str(tried["error"])) if "error" in tried else _values(tried.get("answer", []))
    return _item(
        f"program {number} of those tried", f"<pre>{escape(str(tried.get('program', '')).strip())}</pre>{came}"
    )


def _mapping(mapping: dict[str, Any]) -> str:
    return escape(f"{mapping.get('role')} '{mapping.get('name')}' -> '{mapping.get('node')}' ({mapping.get('how')})")


def _link(address: str) -> str:
    if not address.startswith(("http://", "https://")):
        return escape(address)
    return f'<a href="{escape(address)}" rel="noreferrer">See it in Neo4j Browser</a>'
