"""The printed answer: the values, the program, the evidence, and on demand everything in between."""

from __future__ import annotations

import json
import textwrap

import click

from cgstore.cli.common import NO_ANSWER, counted, print_json
from cgstore.model import Answer, Evidence

SHOWN_EVIDENCE = 12
"""Triples printed; --explain and --json give all."""


def finish(answer: Answer, as_json: bool, explain: bool) -> None:
    """Prints an answer and ends the command with exit code 0, or 1 if there is none."""
    if as_json:
        print_json(answer.to_json())
    else:
        click.echo(render(answer, explain))
    click.get_current_context().exit(NO_ANSWER if answer.abstained else 0)


def render(answer: Answer, explain: bool = False) -> str:
    """The answer as text for a terminal."""
    parts = [_values(answer)]
    if answer.program:
        parts.append(_block("Program", answer.program.strip()))
    if explain:
        parts += _explained(answer)
    if answer.evidence:
        parts.append(_evidence(answer, explain))
    if explain and answer.seconds:
        times = ", ".join(f"{stage} {seconds * 1000:.0f} ms" for stage, seconds in answer.seconds.items())
        parts.append(_block("Time", times))
    parts += [f"Note: {warning}" for warning in answer.warnings]
    if answer.browser:
        parts.append(f"See it in Neo4j Browser:\n  {answer.browser}")
    return "\n\n".join(parts)


def _values(answer: Answer) -> str:
    if answer.abstained:
        return click.style("No answer.", bold=True)
    return "\n".join(click.style(str(value), bold=True) for value in answer.answer)


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
    shown = answer.evidence if explain else answer.evidence[:SHOWN_EVIDENCE]
    lines = [_triple(triple) for triple in shown]
    if len(shown) < len(answer.evidence):
        lines.append(f"... {len(answer.evidence) - len(shown):,} more (--explain prints all)")
    return _block(f"Evidence: {counted(len(answer.evidence), 'condition triple')}", "\n".join(lines))


def _triple(triple: Evidence) -> str:
    condition = ", ".join(triple.condition)
    return f"({triple.node1}, {triple.node2}, [{condition}])  {triple.source}"
