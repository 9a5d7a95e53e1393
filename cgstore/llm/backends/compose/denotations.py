"""What a reading gives in a table that is in memory: readings with equal answers are one, and those with none go.

The answer itself comes from the graph. These are compared with each other only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date

from cgstore.llm.backends.compose.column import Column
from cgstore.llm.backends.compose.measures import UNITS_OF
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.table import Table, rows_in
from cgstore.text.columns import is_missing
from cgstore.text.dates import day_at
from cgstore.text.numbers import comparable

Denotation = frozenset[str | float]


def denotation(reading: Reading, table: Table) -> Denotation:
    """The values that a reading gives, numbers by their value; empty for none."""
    values = frozenset(map(comparable, _values(reading, table)))
    if reading.also:
        return values | denotation(replace(reading, target=reading.also[0], also=reading.also[1:]), table)
    column = table.columns[reading.target] if reading.target is not None else None
    if column is None or column.form != "clock" or not reading.unit:
        return values
    factor = UNITS_OF[reading.unit].factor
    return frozenset(round(value / factor, 6) if isinstance(value, float) else value for value in values)


def by_numbers(reading: Reading, table: Table, gives: Denotation) -> Denotation:
    """An answer with the numbers of its cells, so that a single cell and its sum are the same: `€860.00` is 860."""
    if reading.operation != "list" or reading.target is None or not table.columns[reading.target].is_amount:
        return gives
    column = table.columns[reading.target]
    numbers = {cell.strip().casefold(): column.numbers[rows_in(rows)[0]] for cell, rows in column.rows_of.items()}
    return frozenset(
        value if isinstance(value, float) or (number := numbers.get(value)) is None else round(number, 6)
        for value in gives
    )


def _values(reading: Reading, table: Table) -> Denotation:
    rows = reading.rows
    operation = reading.operation
    if operation == "exists":
        return frozenset(("yes" if rows else "no",))
    if operation == "every":
        assert reading.claim is not None
        return frozenset(("no" if rows & ~reading.claim.rows else "yes",))
    if operation in ("greater", "less", "difference"):
        return _of_pair(reading, table)
    if operation == "duration":
        return _of_row(reading, table)
    if not rows:
        return frozenset((0.0,)) if operation in ("count", "distinct") else frozenset()
    if reading.superlative is not None:
        rows = extreme_rows(reading, rows, table)
    if operation == "count":
        return frozenset((float(rows.bit_count()),))
    assert reading.target is not None
    column = table.columns[reading.target]
    if operation in ("next", "previous"):
        rows = (rows << 1 if operation == "next" else rows >> 1) & table.every
        return _cells(column, rows)
    if operation == "list":
        return _cells(column, rows)
    if operation == "distinct":
        return frozenset((float(len({column.cells[row] for row in rows_in(rows & column.filled)})),))
    if operation in _AGGREGATES:
        return _aggregate(operation, column, rows)
    return _of_groups(reading, column, rows, table)


def _cells(column: Column, rows: int) -> Denotation:
    return frozenset(cell.strip().casefold() for row in rows_in(rows) if (cell := column.cells[row]).strip())


def empty_cells(reading: Reading, table: Table) -> int:
    """The rows of a list whose cell is empty, beside others; none if all are, or if columns stand beside each other."""
    if reading.operation != "list" or reading.target is None or reading.also:
        return 0
    rows = reading.rows if reading.superlative is None else extreme_rows(reading, reading.rows, table)
    empty = sum(some for cell, some in table.columns[reading.target].rows_of.items() if not cell.strip()) & rows
    return empty if empty != rows else 0


def _numbers(column: Column, rows: int) -> list[tuple[float, int]]:
    return [(number, row) for row in rows_in(rows) if (number := column.numbers[row]) is not None]


_AGGREGATES: dict[str, Callable[[list[float]], float]] = {
    "max": max,
    "min": min,
    "sum": sum,
    "mean": lambda numbers: sum(numbers) / len(numbers),
}


def _aggregate(operation: str, column: Column, rows: int) -> Denotation:
    numbers = _numbers(column, rows)
    if not numbers:
        return frozenset()
    value = _AGGREGATES[operation]([number for number, _ in numbers])
    if operation in ("max", "min"):
        return frozenset((column.cells[next(row for number, row in numbers if number == value)].strip().casefold(),))
    return frozenset((round(value, 6),))


def extreme_rows(reading: Reading, rows: int, table: Table) -> int:
    """The rows with the greatest or least number; or the one at a place from that end, or all up to there."""
    superlative = reading.superlative
    assert superlative is not None
    extreme = superlative.extreme
    if superlative.column is None:
        order = rows_in(rows)[:: -1 if superlative.end == "max" else 1]
    else:
        numbers = _numbers(table.columns[superlative.column], rows)
        if not numbers:
            return 0
        if extreme.place == 1:
            best = (max if superlative.end == "max" else min)(number for number, _ in numbers)
            return sum(1 << row for number, row in numbers if number == best)
        sign = -1 if superlative.end == "max" else 1
        order = [row for _, row in sorted(numbers, key=lambda each: (sign * each[0], each[1]))]
    chosen = order[: extreme.place] if extreme.several else order[extreme.place - 1 : extreme.place]
    return sum(1 << row for row in chosen)


def _of_pair(reading: Reading, table: Table) -> Denotation:
    assert reading.target is not None
    column = table.columns[reading.target]
    sides: list[float] = []
    others = [condition for condition in reading.conditions if condition.column != reading.by]
    for condition in reading.conditions:
        if condition.column == reading.by:
            rows = condition.rows
            for other in others:
                rows &= other.rows
            numbers = {number for number, _ in _numbers(column, rows)}
            if len(numbers) != 1:
                return frozenset()
            sides.append(numbers.pop())
    if len(sides) != 2:
        return frozenset()
    if reading.operation == "difference":
        return frozenset((round(abs(sides[0] - sides[1]), 6),))
    is_so = sides[0] > sides[1] if reading.operation == "greater" else sides[0] < sides[1]
    return frozenset(("yes" if is_so else "no",))


def _of_row(reading: Reading, table: Table) -> Denotation:
    """The time between two dates of a row, in years."""
    assert reading.target is not None and reading.by is not None
    ends = [
        table.columns[place].numbers[row] for row in rows_in(reading.rows) for place in (reading.target, reading.by)
    ]
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        return frozenset()
    if reading.unit == "days":
        return frozenset((float(_day(ends[0]) - _day(ends[1])),))
    return frozenset((round(ends[0] - ends[1], 6),))


def _day(number: float) -> int:
    day = day_at(number)
    return date(day.year, day.month, day.day).toordinal()


def _of_groups(reading: Reading, column: Column, rows: int, table: Table) -> Denotation:
    groups = Counter(cell for row in rows_in(rows) if not is_missing(cell := column.cells[row]))
    if not groups:
        return frozenset()
    match reading.operation:
        case "group max" | "group min" if reading.by is not None:
            return _greatest_sum(reading, column, rows & column.filled, table.columns[reading.by])
        case "group max" | "group min":
            best = (max if reading.operation == "group max" else min)(groups.values())
            return frozenset(cell.strip().casefold() for cell, count in groups.items() if count == best)
        case "having":
            assert reading.bound is not None
            op, number = reading.bound
            kept = [
                c
                for c, n in groups.items()
                if (n > number if op == ">" else n >= number if op == ">=" else n == number)
            ]
            return frozenset(cell.strip().casefold() for cell in kept)
        case "per count":
            return frozenset(f"{cell.strip().casefold()} | {count}" for cell, count in groups.items())
        case _:
            return _per_number(reading, column, rows, table)


def _greatest_sum(reading: Reading, column: Column, rows: int, of: Column) -> Denotation:
    found: dict[str, list[float]] = {}
    for number, row in _numbers(of, rows):
        found.setdefault(column.cells[row].strip().casefold(), []).append(number)
    sums = {cell: round(_AGGREGATES[reading.function](numbers), 6) for cell, numbers in found.items()}
    best = (max if reading.operation == "group max" else min)(sums.values(), default=0)
    return frozenset(cell for cell, number in sums.items() if number == best)


def _per_number(reading: Reading, column: Column, rows: int, table: Table) -> Denotation:
    assert reading.by is not None
    sums: dict[str, list[float]] = {}
    for number, row in _numbers(table.columns[reading.by], rows):
        sums.setdefault(column.cells[row].strip().casefold(), []).append(number)
    work = _AGGREGATES[reading.operation.removeprefix("per ")]
    return frozenset(f"{cell} | {round(work(numbers), 6)}" for cell, numbers in sums.items())
