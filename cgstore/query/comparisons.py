"""Comparisons with the literals of a program, which are read as the values of a relation are, and with outputs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cgstore.query.operands import (
    Comparison,
    Names,
    NodeEquality,
    NumberEquality,
    OrderComparison,
    Output,
    OutputKind,
    Range,
    Superlative,
)
from cgstore.text.dates import (
    Span,
    cut_to_step,
    read_as_time,
    read_moment,
    read_span,
    read_span_of_time,
    read_time_span,
    span_of,
    today,
)
from cgstore.text.kinds import ValueKind, literal_as, reads_otherwise, span_as
from cgstore.text.numbers import is_padded, read_number

SUPERLATIVES: dict[str, Superlative] = {"most": Superlative(), "least": Superlative(least=True)}
for _word in ("max", "maximum", "highest", "largest", "greatest", "biggest", "latest"):
    SUPERLATIVES[_word] = Superlative(of_numbers=True)
for _word in ("min", "minimum", "lowest", "smallest", "fewest", "earliest"):
    SUPERLATIVES[_word] = Superlative(of_numbers=True, least=True)
"""Words for the most and the least frequent values (language page, 3.2), and for the extreme ones."""

_WITH_UNITS = (ValueKind.MEASURE, ValueKind.PERCENT, ValueKind.CURRENCY, ValueKind.ORDINAL)
"""How a literal may be written that is compared with plain numbers: `10 km` in a column of kilometres."""

_LIKE_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}")
_WITH_THOUSANDS = frozenset((ValueKind.NUMBER, ValueKind.SCALED, ValueKind.CURRENCY, ValueKind.MEASURE))
_PLAIN_NUMBERS = frozenset((ValueKind.NUMBER, ValueKind.SCALED))
_EXACT = 1e-6  # years by which the number of a date may be inexact
_DATES = (ValueKind.DATE, ValueKind.DAY_FIRST_DATE)


@dataclass(frozen=True)
class ValueReading:
    """How the values of a relation or key are read: their kinds, and for a built-in key the time step.

    `sources`: the names of the sources that have it. `nows`: those with open facts, each with the time until which
    these hold.
    """

    kinds: tuple[ValueKind, ...] = ()
    time: bool = False
    step: str | None = None
    sources: tuple[str, ...] = ()
    nows: tuple[tuple[str, str], ...] = ()

    def span(self, text: str) -> Span | None:
        """The stretch of numbers that a literal means here, or None where it is not a number or time."""
        if self.time:
            return read_span_of_time(text, self.step)
        for kind in self.kinds:
            if kind in _DATES and (span := read_time_span(text)) is not None:
                return span
            if (span := span_as(kind, text)) is not None:
                return span
        if (span := read_span(text)) is None and _PLAIN_NUMBERS.intersection(kind.plain for kind in self.kinds):
            numbers = (literal_as(kind, text) for kind in _WITH_UNITS)
            return next((Span(n, n) for n in numbers if n is not None), None)
        return span

    def otherwise(self, text: str) -> bool:
        """Whether a literal is another number than a cell with the same text: `1.250`, where decimals have commas."""
        return any(reads_otherwise(kind, text) for kind in self.kinds)

    def notes(self, text: str) -> Iterator[str]:
        """What the answer tells of a literal that was read as a number or time in a way that may surprise."""
        if self.otherwise(text) and (span := self.span(text)):
            yield f"'{text}' was read as {span.lo:.10g}, as programs write numbers; its column has decimal commas."
        if self.time and (cut := cut_to_step(text, self.step)) is not None:
            yield f"In {', '.join(map(repr, self.sources))}, whose times are {self.step}s, '{text}' was read as {cut}."
        if self.time and (shown := read_as_time(text)) is not None:
            yield f"'{text}' was read as {shown}."
        kinds = {kind.plain for kind in self.kinds}
        number = read_number(text)
        if _LIKE_THOUSANDS.fullmatch(text) and not self.otherwise(text) and kinds & _WITH_THOUSANDS:
            whole = text.replace(".", "")
            yield f"'{text}' was read as {number:.10g}: a point stands before decimals. Write {whole} if that is meant."
        what = "unit" if ValueKind.MEASURE in kinds else "currency" if ValueKind.CURRENCY in kinds else None
        if ValueKind.PERCENT in kinds and number is not None and "%" not in text and 0 < abs(number) < 1:
            yield f"'{text}' was read as {text}%: write '{100 * number:g}%' if that is meant."
        elif what and number is None and any(c.isalpha() or c in "$€£¥" for c in text):
            yield f"The {what} of '{text}' does not count: numbers are compared as they stand in the column."

    def later_times(self, op: str, text: str) -> Iterator[str]:
        """That open facts are not known to hold at a time, where it lies after the day until which they do."""
        span = self.span(text)
        for source, now in self.nows if op in ("=", ">", ">=") and span else ():
            moment = read_moment(now)
            last = span_of(moment).hi if moment else 0
            if span and moment and (span.hi > last - _EXACT if op == ">" else span.lo > last + _EXACT):
                until = f"The open facts of '{source}' hold until {now}: nothing is known of later times."
                is_old = moment.last_day < today()
                yield f"{until} `cgstore facts now {source}` brings that date up to today." if is_old else until

    @property
    def by_number(self) -> bool:
        """Whether values are equal where their numbers are. Scores are not: 6-4 and 5-3."""
        return not {ValueKind.SCORE, ValueKind.TEXT}.issuperset(self.kinds)

    def output(self, op: str, operand: Output, kind: OutputKind) -> Comparison:
        """The comparison with an earlier output that holds elements of that kind."""
        if op != "=":
            return OrderComparison(op, operand)
        if kind is OutputKind.NUMBERS or (kind is OutputKind.NODES and self.by_number and not self.time):
            return NumberEquality(operand)
        return NodeEquality(operand)


def comparison_with(op: str, text: str, reading: ValueReading, names: Names | None) -> Comparison | None:
    """The comparison with a literal, or None where nothing can be compared with it.

    Args:
        op: one of = < > <= >=.
        text: the literal.
        reading: how the values that it is compared with are read.
        names: the nodes that it was mapped to, if any.
    """
    named = NodeEquality(names) if op == "=" and names is not None else None
    if named and names:
        # The number of the text does not count for scores and for nodes that a name was taken for. A cell that
        # is written so is meant where `1.250` is another number there, and a code such as 007 is not 7.
        as_name = not names.exact or ValueKind.SCORE in reading.kinds
        if as_name or (text in names.names and (reading.otherwise(text) or is_padded(text))):
            return named
    if (span := reading.span(text)) is not None:
        return _range(op, span, text)
    return named or SUPERLATIVES.get(text.strip().lower())


def is_superlative(text: str) -> bool:
    """Whether a literal may stand for the most frequent or the extreme values."""
    return text.strip().lower() in SUPERLATIVES


def _range(op: str, span: Span, text: str) -> Range:
    """The stretch that a comparison with a literal allows; `>` begins after the literal's last moment."""
    shown = f"{op} {text}"
    match op:
        case "=":
            return Range(low=span.lo, high=span.hi, shown=shown)
        case ">":
            return Range(low=span.hi, low_open=True, shown=shown)
        case ">=":
            return Range(low=span.lo, shown=shown)
        case "<":
            return Range(high=span.lo, high_open=True, shown=shown)
        case _:
            return Range(high=span.hi, shown=shown)
