"""What a program compares with -> comparisons: literals read as the values of the relation are, earlier outputs."""

from __future__ import annotations

from dataclasses import dataclass

from cgstore.query.operands import Against, Among, Comparison, Extreme, Frequent, Names, Output, OutputKind, Range, Same
from cgstore.text.kinds import Kind as ValueKind
from cgstore.text.kinds import is_padded, literal_as, reads_otherwise, span_as
from cgstore.text.values import Span, cut_to_step, read_number, read_span, read_time_span

SUPERLATIVES: dict[str, Frequent | Extreme] = {
    "most": Frequent(),
    "least": Frequent(least=True),
    **dict.fromkeys(("max", "maximum", "highest", "largest", "greatest", "biggest", "latest"), Extreme()),
    **dict.fromkeys(("min", "minimum", "lowest", "smallest", "fewest", "earliest"), Extreme(least=True)),
}
"""Words for the values that are there most often and least often (language page, 3.2), and for the extreme ones."""

_WITH_UNITS = (ValueKind.MEASURE, ValueKind.PERCENT, ValueKind.CURRENCY, ValueKind.ORDINAL)
"""How a literal may be written that is compared with plain numbers: `10 km` in a column of kilometres."""

_PLAIN_NUMBERS = frozenset((ValueKind.NUMBER, ValueKind.SCALED))
_DATES = (ValueKind.DATE, ValueKind.DAY_FIRST_DATE)


@dataclass(frozen=True)
class ValueReading:
    """How the values of a relation or key read: the kinds of its values, and of a built-in key the time step.

    `sources`: the names of those that have it.
    """

    kinds: tuple[ValueKind, ...] = ()
    time: bool = False
    step: str | None = None
    sources: tuple[str, ...] = ()

    def span(self, text: str) -> Span | None:
        """The stretch of numbers that a literal means here, or None where it reads as none."""
        if self.time:
            return read_time_span(text, self.step)
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
        """Whether a literal is another number than a cell of the same text: `1.250`, where decimals have commas."""
        return any(reads_otherwise(kind, text) for kind in self.kinds)

    def coarsened(self, text: str) -> str | None:
        """What is to be told of a time that is more exact than those that it is compared with."""
        cut = cut_to_step(text, self.step) if self.time else None
        if cut is None:
            return None
        return f"In {', '.join(map(repr, self.sources))}, whose times are {self.step}s, '{text}' was read as {cut}."

    def left_aside(self, text: str) -> str | None:
        """What is to be told of a literal whose unit, or whose lack of a percent sign, does not count."""
        kinds = {kind.plain for kind in self.kinds}
        number = read_number(text)
        if ValueKind.PERCENT in kinds and number is not None and "%" not in text and 0 < abs(number) < 1:
            return f"'{text}' was read as {text}%: of a half, write '50%'."
        what = "unit" if ValueKind.MEASURE in kinds else "currency" if ValueKind.CURRENCY in kinds else None
        if what and number is None and any(c.isalpha() or c in "$€£¥" for c in text):
            return f"The {what} of '{text}' does not count: numbers are compared as they stand in the column."
        return None

    @property
    def by_number(self) -> bool:
        """Whether equal numbers make values equal: those of a score do not, 6-4 and 5-3."""
        return not {ValueKind.SCORE, ValueKind.TEXT}.issuperset(self.kinds)

    def output(self, op: str, operand: Output, kind: OutputKind) -> Comparison:
        """The comparison with an earlier output that holds elements of that kind."""
        if op != "=":
            return Against(op, operand)
        if kind is OutputKind.NUMBERS or (kind is OutputKind.NODES and self.by_number and not self.time):
            return Same(operand)
        return Among(operand)


def compared(op: str, text: str, reading: ValueReading, names: Names | None) -> Comparison | None:
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
    if op == "=" and names is not None and text in names.names and reading.otherwise(text):
        return Among(names)  # a cell is meant that is written so
    if op == "=" and names is not None and text in names.names and is_padded(text):
        return Among(names)  # a code such as 007 is another one than 7
    if (span := reading.span(text)) is not None:
        return _range(op, span, text)
    if op == "=" and names is not None:
        return Among(names)
    return SUPERLATIVES.get(text.strip().lower())


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
