"""An answer as one HTML page: values, sentence, notes, evidence as a graph and a table, program, steps, Cypher.

The page needs no other file or host, has no script, and forbids itself to load anything. The template escapes every
value; the drawing escapes its own.
"""

from __future__ import annotations

import json
from importlib import metadata, resources
from pathlib import Path

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from cgstore.errors import BadInput
from cgstore.model import Answer, field_text

MAX_VALUES = 10_000
"""Values and rows of the answer that a page has."""

MAX_EVIDENCE = 2_000
"""Condition triples that a page lists."""

LONGEST_PARAMETER = 2_000
"""Characters of a parameter's value."""


def answer_page(answer: Answer) -> str:
    """The text of the page."""
    source = resources.files("cgstore.show").joinpath("page.html").read_text(encoding="utf-8")
    # The template's name has no ending that autoescape could be chosen by, so it is on for all.
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["field"] = field_text
    return environment.from_string(source).render(
        answer=answer,
        drawing=Markup(answer.evidence_svg()),
        parameters=[
            (name, _text(value)) for name, value in (answer.parameters[-1] if answer.parameters else {}).items()
        ],
        most_values=MAX_VALUES,
        most_evidence=MAX_EVIDENCE,
        version=metadata.version("cgstore"),
    )


def write_answer_page(answer: Answer, file: Path) -> None:
    """Writes the page to a file.

    Raises:
        BadInput: the file cannot be written.
    """
    try:
        file.write_text(answer_page(answer), encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise BadInput(f"The page cannot be written to {file}: {error.strerror or error}.") from error


def _text(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_PARAMETER else f"{text[:LONGEST_PARAMETER]}... ({len(text):,} characters)"
