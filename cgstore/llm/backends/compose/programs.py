"""A reading as a program of the query language."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cgstore.llm.backends.compose.column import DATES
from cgstore.llm.backends.compose.conditions import Condition
from cgstore.llm.backends.compose.denotations import empty_cells, extreme_rows
from cgstore.llm.backends.compose.lateness import COMPARED
from cgstore.llm.backends.compose.measures import UNITS_OF
from cgstore.llm.backends.compose.readings import Reading, Superlative
from cgstore.llm.backends.compose.table import Table
from cgstore.model import ROW_NUMBER
from cgstore.query import build as q
from cgstore.query.ast import Call

_AGGREGATES = {"max": q.greatest, "min": q.least, "sum": q.total, "mean": q.mean}


MAX_SETS = 20
"""Sets of one union."""


class Writer:
    """Writes the programs of readings over one table; `source` is its name if several sources are asked."""

    def __init__(self, table: Table, source: str | None = None) -> None:
        self._table, self._source = table, source

    def program(self, reading: Reading) -> str:
        """The program of a reading."""
        return q.text_of(self._in_unit(reading, self._call(reading)))

    def _in_unit(self, reading: Reading, call: Call) -> Call:
        """A number of durations, which are seconds, in the unit that is asked for."""
        column = self._table.columns[reading.target] if reading.target is not None else None
        if column is None or column.form != "clock" or not reading.unit:
            return call
        factor = UNITS_OF[reading.unit].factor
        return call if factor == 1 else q.calculate(call, "/", f"{factor:g}")

    def _call(self, reading: Reading) -> Call:
        operation = reading.operation
        if operation == "duration":
            return self._duration(reading)
        if operation in ("greater", "less", "difference"):
            return self._pair(reading)
        rows = self._rows(reading)
        if operation == "count":
            return q.count(rows or self._every_row())
        if operation == "exists":
            return q.call("exists", set=rows or self._every_row())
        if operation == "every":
            assert reading.claim is not None
            some = q.set_intersection(rows or self._every_row(), self._of(reading.claim))
            return q.equals(q.count(rows or self._every_row()), q.count(some))
        assert reading.target is not None, "every other operation is on a column"
        name = self._name(reading.target)
        if operation in ("next", "previous"):
            beside = q.next_row(rows or "") if operation == "next" else q.previous_row(rows or "")
            return self._cells(reading.target, beside)
        if reading.also:
            return self._of_several(reading, rows or self._every_row())
        if empty_cells(reading, self._table):
            blank = [cell for cell in self._table.columns[reading.target].rows_of if not cell.strip()]
            return self._cells(reading.target, self._without(blank, reading.target, rows))
        if operation == "list" or (operation == "sum" and not reading.rows and self._table.whole):
            return self._cells(reading.target, rows)  # the sum of nothing is 0, which nobody asks for
        if operation in _AGGREGATES:
            return _AGGREGATES[operation](self._cells(reading.target, rows))
        if operation == "distinct":
            return q.count(self._cells(reading.target, self._filled(reading.target, rows)))
        return self._groups(reading, name, rows)

    def _of_several(self, reading: Reading, rows: Call) -> Call:
        """The cells of several columns; those of several rows beside each other."""
        places = [place for place in (reading.target, *reading.also) if place is not None]
        given = reading.rows if reading.superlative is None else extreme_rows(reading, reading.rows, self._table)
        if given.bit_count() > 1 or not self._table.whole:
            return q.select(rows, *map(self._name, places))
        return q.set_union(*(self._cells(place, rows) for place in places))

    def _groups(self, reading: Reading, name: str, rows: Call | None) -> Call:
        operation = reading.operation
        heads = rows if rows is not None or self._source is None else self._every_row()
        assert reading.target is not None
        if operation in ("group max", "group min") and reading.by is not None:
            filled = self._filled(reading.target, heads)
            sums = q.group(name, heads=filled, of=self._name(reading.by), function=reading.function)
            return (q.argmax if operation == "group max" else q.argmin)(sums)
        if operation == "group max":
            return q.call("mode", set=self._cells(reading.target, self._filled(reading.target, rows)))
        if operation == "group min":
            return q.argmin(q.group(name, heads=self._filled(reading.target, heads)))
        if operation == "having":
            assert reading.bound is not None
            op, number = reading.bound
            return q.keep(q.group(name, heads=self._filled(reading.target, heads)), q.Bound(op, str(number)))
        if operation == "per count":
            return q.group(name, heads=heads)
        assert reading.by is not None
        return q.group(name, heads=heads, of=self._name(reading.by), function=operation.removeprefix("per "))

    def _pair(self, reading: Reading) -> Call:
        """Two rows, compared by a column."""
        assert reading.target is not None
        others = [[each] for each in reading.conditions if each.column != reading.by]
        sides = [
            self._number(reading.target, self._together([[each], *others]))
            for each in reading.conditions
            if each.column == reading.by
        ]
        if reading.operation == "difference":
            is_date = self._table.columns[reading.target].kind in DATES
            return q.difference(sides[0], sides[1], reading.unit or "years" if is_date else None)
        return (q.greater_than if reading.operation == "greater" else q.less_than)(sides[0], sides[1])

    def _duration(self, reading: Reading) -> Call:
        """The time from a date of a row to another one."""
        assert reading.target is not None and reading.by is not None
        rows = self._rows(reading)
        return self._between(reading.by, reading.target, rows, reading.unit)

    def _between(self, start: int, end: int, rows: Call | None, unit: str) -> Call:
        return q.difference(self._cells(end, rows), self._cells(start, rows), unit)

    def _number(self, place: int, rows: Call | None) -> Call:
        """The number of one row under a column."""
        ends = self._table.columns[place].ends
        return self._cells(place, rows) if ends is None else self._between(*ends, rows, "days")

    def _rows(self, reading: Reading) -> Call | None:
        """The rows of a reading; None for all."""
        rows = self._together(reading.groups)
        return rows if reading.superlative is None else self._extreme(reading.superlative, rows)

    def _together(self, groups: Sequence[Sequence[Condition]]) -> Call | None:
        sets = [_joined(q.set_union, [self._of(each) for each in group]) for group in groups]
        return _joined(q.set_intersection, sets) if sets else None

    def _extreme(self, superlative: Superlative, some: Call | None) -> Call:
        """The rows with the greatest or least value, or one or several of those at that end of the order."""
        place, several = superlative.extreme.place, superlative.extreme.several
        is_last = superlative.end == "max"
        rows = some or self._every_row()
        if superlative.column is None:
            if several:
                return (q.last if is_last else q.first)(rows, place)
            return q.nth(rows, -place if is_last else place)
        name = self._name(superlative.column)
        if place == 1 and not several:
            best = q.argmax if is_last else q.argmin
            if self._table.columns[superlative.column].ends is not None:
                return best(self._cells(superlative.column, some))
            return best(self._cells(superlative.column, None)) if some is None else best(some, name)
        numbers = q.for_each(rows, name)
        if self._table.columns[superlative.column].ends is not None:
            numbers = self._cells(superlative.column, some)
        ordered = q.sort(numbers, "descending" if is_last else "ascending")
        return q.first(ordered, place) if several else q.nth(ordered, place)

    def _of(self, condition: Condition) -> Call:
        """The rows for which a condition holds."""
        name = self._name(condition.column)
        if condition.op == "contains":
            texts = q.keep(self._cells(condition.column, None), contains=condition.values[0])
            return q.get_information(relation=name, tail_entity=texts, source=self._source)
        if condition.op == "month":
            months = q.for_each(self._every_row(), q.extract_month(name))
            return q.keep(months, q.Bound("=", condition.values[0]))
        if self._table.columns[condition.column].ends is not None:
            return q.keep(self._cells(condition.column, None), q.Bound(condition.op, condition.values[0]))
        if condition.op in COMPARED:
            later = q.for_each(self._every_row(), q.subtract(name, condition.values[0]))
            return q.keep(later, q.Bound(COMPARED[condition.op], "0"))
        if condition.op == "between":
            bounds = [q.at_least(condition.values[0]), q.at_most(condition.values[1])]
            return q.get_information(relation=name, tail_entity=bounds, source=self._source)
        if condition.op == "filled" and not condition.values:
            return self._every_row()
        is_without = condition.op in ("!=", "filled")
        op = "=" if is_without or condition.op == "empty" else condition.op
        found = _joined(
            q.set_union,
            [
                q.get_information(relation=name, tail_entity=q.Bound(op, value), source=self._source)
                for value in condition.values
            ],
        )
        return q.set_difference(self._every_row(), found) if is_without else found

    def _filled(self, place: int, rows: Call | None) -> Call | None:
        """Some rows (None: all) without those whose cell of a column is empty."""
        column = self._table.columns[place]
        return self._without([cell for cell, some in column.rows_of.items() if some & ~column.filled], place, rows)

    def _without(self, cells: Sequence[str], place: int, rows: Call | None) -> Call | None:
        """Some rows (None: all) without those that have certain cells of a column."""
        if not cells:
            return rows
        having = [
            q.get_information(relation=self._name(place), tail_entity=q.Bound("=", cell), source=self._source)
            for cell in cells
        ]
        return q.set_difference(rows or self._every_row(), _joined(q.set_union, having))

    def _cells(self, place: int, rows: Call | None) -> Call:
        column = self._table.columns[place]
        if column.ends is None:
            return q.get_information(head_entity=rows, relation=column.name, source=self._source)
        start, end = (
            q.get_information(head_entity=q.each, relation=self._name(at), source=self._source) for at in column.ends
        )
        return q.for_each(rows or self._every_row(), q.difference(end, start, "days"))

    def _every_row(self) -> Call:
        return q.heads(ROW_NUMBER, source=self._source)

    def _name(self, place: int) -> str:
        return self._table.columns[place].name


def _joined(function: Callable[..., Call], sets: Sequence[Call]) -> Call:
    """One set, or several by a function, which takes up to `MAX_SETS` of them."""
    while len(sets) > MAX_SETS:
        parts = [sets[first : first + MAX_SETS] for first in range(0, len(sets), MAX_SETS)]
        sets = [_joined(function, part) for part in parts]
    return sets[0] if len(sets) == 1 else function(*sets)
