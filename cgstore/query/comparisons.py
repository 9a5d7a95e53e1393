"""What a program compares with -> comparisons: literals read as the values of the relation are, earlier outputs."""

from __future__ import annotations

from dataclasses import dataclass

from cgstore.kinds import Kind as ValueKind
from cgstore.kinds import read_as
from cgstore.query.execution import Against, Among, Comparison, Frequent, Kind, Names, Output, Range, Same
from cgstore.values import Span, read_span, read_time_span

FREQUENT = {"most": Frequent(), "least": Frequent(least=True)}
"""Words that stand for the values that are there most often and least often (language page, 3.2)."""

_DATES = (ValueKind.DATE, ValueKind.DAY_FIRST_DATE)


@dataclass(frozen=True)
class Reading:
    """How the values of a relation or key read: the kinds of its values, and of a built-in key the time step."""

    kinds: tuple[ValueKind, ...] = ()
    time: bool = False
    step: str | None = None

    def span(self, text: str) -> Span | None:
        """The stretch of numbers that a literal means here, or None where it reads as none."""
        if self.time:
            return read_time_span(text, self.step)
        for kind in self.kinds:
            if kind in _DATES and (span := read_time_span(text)) is not None:
                return span
            if kind is not ValueKind.TEXT and (number := read_as(kind, text)) is not None:
                return Span(number, number)
        return read_span(text)

    @property
    def by_number(self) -> bool:
        """Whether equal numbers make values equal: those of a score do not, 6-4 and 5-3."""
        return not {ValueKind.SCORE, ValueKind.TEXT}.issuperset(self.kinds)

    def output(self, op: str, operand: Output, kind: Kind) -> Comparison:
        """The comparison with an earlier output that holds elements of that kind."""
        if op != "=":
            return Against(op, operand)
        if kind is Kind.NUMBERS or (kind is Kind.NODES and self.by_number and not self.time):
            return Same(operand)
        return Among(operand)


def compared(op: str, text: str, reading: Reading, names: Names | None) -> Comparison | None:
    """The comparison with a literal, or None where it can be compared with nothing.

    Args:
        op: one of = < > <= >=.
        text: the literal.
        reading: how the values read that it is compared with.
        names: the nodes that it was mapped to, if any.
    """
    if op == "=" and names is not None and not names.exact:
        return Among(names)  # it was taken for them: what it reads as itself counts no more
    if op == "=" and ValueKind.SCORE in reading.kinds and names is not None:
        return Among(names)
    if (span := reading.span(text)) is not None:
        return _range(op, span, text)
    if op == "=" and names is not None:
        return Among(names)
    return FREQUENT.get(text.strip().lower())


def is_frequent(text: str) -> bool:
    """Whether a literal may stand for the values that are there most or least often."""
    return text.strip().lower() in FREQUENT


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
