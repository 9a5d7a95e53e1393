"""An answer as text for a terminal."""

from __future__ import annotations

import json
import textwrap
from typing import Literal

import click

from cgstore.model import Answer, Evidence, field_text
from cgstore.text.names import many
from cgstore.text.tables import table_lines

SHOWN_EVIDENCE = 12
"""Triples printed; --explain and --json give all."""


def render_part(answer: Answer, part: Literal["answer", "evidence"]) -> str:
    """A part of the answer as text: the values with their notes, or all of the evidence; empty if there is none."""
    if part == "evidence":
        return _evidence(answer, explain=True) if answer.evidence else ""
    return "\n".join([_values(answer), *(f"Note: {note}" for note in answer.warnings), *answer.choices])


def render(answer: Answer, explain: bool = False, times: Literal["periods", "each"] = "periods") -> str:
    """The answer as text for a terminal."""
    parts = [_values(answer, times)]
    if explain and answer.sentence:
        parts.append(_block("In a sentence", answer.sentence))
    if answer.program:
        parts.append(_block("Program", answer.program.strip()))
    if explain:
        parts += _explained(answer)
    if answer.evidence:
        parts.append(_evidence(answer, explain))
    if explain and answer.seconds:
        spent = ", ".join(f"{stage} {seconds * 1000:.0f} ms" for stage, seconds in answer.seconds.items())
        parts.append(_block("Time", spent))
    notes = [*answer.warnings, *(answer.details if explain else ())]
    parts += ["\n".join(f"Note: {note}" for note in notes)] if notes else []
    parts += ["\n".join(answer.choices)] if answer.choices else []
    return "\n\n".join(parts)


def _values(answer: Answer, times: Literal["periods", "each"] = "periods") -> str:
    if answer.abstained:
        return click.style("No answer.", bold=True)
    lines = _table(answer) if answer.columns else list(map(str, answer.answer if times == "each" else answer.shown))
    return "\n".join(click.style(line, bold=True) for line in lines)


def _table(answer: Answer) -> list[str]:
    """The lines of an answer with several columns, with their names above."""
    return table_lines(answer.columns, ([field_text(field) for field in row] for row in answer.rows), ruled=True)


def _block(title: str, text: str) -> str:
    return f"{title}\n{textwrap.indent(text, '  ')}"


def _explained(answer: Answer) -> list[str]:
    parts = []
    if answer.because:
        parts.append(_block("Why this program", answer.because))
    if answer.mappings:
        lines = [f"{m.role} '{m.name}' -> '{m.node}' ({m.how}, {m.score:.2f})" for m in answer.mappings]
        parts.append(_block("Names", "\n".join(lines)))
    if answer.steps:
        parts.append(_block("Execution query", "\n".join(answer.steps)))
    if answer.cypher:
        parts.append(_block("Cypher", answer.cypher[-1]))
        parameters = "\n".join(f"${k} = {_shortened(v)}" for k, v in answer.parameters[-1].items())
        parts.append(_block("Parameters", parameters))
    return parts


def _shortened(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]}... ({len(text):,} characters)"


def _evidence(answer: Answer, explain: bool) -> str:
    found = answer.evidence_shown
    shown = found if explain else found[:SHOWN_EVIDENCE]
    lines = [_triple(triple) for triple in shown]
    if len(shown) < len(found):
        lines.append(f"... {len(found) - len(shown):,} more (--explain prints all)")
    as_one = ", with the times of a period as one" if answer.evidence_periods else ""
    return _block(f"Evidence: {many(len(found), 'condition triple')}{as_one}", "\n".join(lines))


def _triple(triple: Evidence) -> str:
    condition = ", ".join(triple.condition)
    return f"({triple.node1}, {triple.node2}, [{condition}])  {triple.source}"
