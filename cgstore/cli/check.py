"""`cgstore check`: what contradicts itself in a source."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import click

from cgstore.catalog.kinds import kind_named
from cgstore.cli.common import NO_ANSWER, Output, connected, printing, source_argument
from cgstore.text.names import many

if TYPE_CHECKING:
    from cgstore.checks.report import CheckReport, Finding
    from cgstore.store import Store

FOUND = NO_ANSWER
"""Exit code where something was found: as of linters."""

RULES = 5
"""Relations that are listed as having one at a time; JSON has all."""

LONGEST_FACT = 160
"""Characters of a fact in a line."""


@click.command()
@source_argument
@click.option("--relation", "-r", "relations", multiple=True, metavar="NAME", help="Check this one; may be repeated.")
@click.option(
    "--one-tail", multiple=True, metavar="NAME", help="A head has one tail of this relation at a time; may be repeated."
)
@click.option(
    "--one-head", multiple=True, metavar="NAME", help="A tail has one head of this relation at a time; may be repeated."
)
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="Most findings listed of a kind.")
@printing
@connected
def check(
    store: Store,
    source: str,
    relations: tuple[str, ...],
    one_tail: tuple[str, ...],
    one_head: tuple[str, ...],
    limit: int,
) -> Output:
    """List what contradicts itself in a SOURCE, for a person to decide. Nothing is changed.

    Of facts: several at a time of what one can hold, facts that end before they start, gaps. Of tables: equal rows,
    repeated keys. Of both: names in several spellings, values of another kind. Whether one can hold is taken from the
    facts, which the report says, or from --one-tail and --one-head.

    \b
    Examples:
      cgstore check world
      cgstore check world --relation spouse --one-tail spouse
      cgstore check cities --json

    Exit codes: 0 nothing found, 1 something found.
    """
    report = store.check(
        source, relations=relations or None, one_tail=one_tail, one_head=one_head, limit=limit, progress=True
    )
    return Output(report, report_lines(report), FOUND if report.count else 0)


def report_lines(report: CheckReport) -> Iterator[str]:
    """A report as lines for a terminal."""
    found = many(report.count, "finding") if report.count else "nothing found"
    read = many(report.facts, "fact")
    yield f"{click.style(report.source, bold=True)}: {kind_named(report.kind).phrase}, {read}; {found}"
    for kind, findings in groupby(report.findings, lambda finding: finding.kind):
        some = list(findings)
        number = report.counts[kind]
        listed = f" ({len(some):,} of them here)" if len(some) < number else ""
        yield ""
        yield click.style(f"{kind.capitalize()}: {number:,}{listed}", bold=True)
        shared = {finding.next for finding in some}
        for finding in some:
            yield from _finding_lines(finding)
            yield from _next_lines(finding.next if len(shared) > 1 else ())
        yield from _next_lines(shared.pop()) if len(shared) == 1 else ()
    if report.rules:
        yield ""
        yield "One at a time"
        yield from (f"  {rule}" for rule in report.rules[:RULES])
        if len(report.rules) > RULES:
            yield f"  ... and {len(report.rules) - RULES:,} more"
    yield from ("", *report.notes) if report.notes else ()


def _finding_lines(finding: Finding) -> Iterator[str]:
    yield f"  {finding.text}"
    yield from (f"    {textwrap.shorten(fact, LONGEST_FACT, placeholder=' ...')}" for fact in finding.facts)
    if finding.more:
        yield f"    ... and {finding.more:,} more"
    if finding.because:
        yield f"    Why: {finding.because}"


def _next_lines(ways: Sequence[str]) -> Iterator[str]:
    yield from (f"    {'Or' if place else 'Next'}: {way}" for place, way in enumerate(ways))
