"""Rows of totals among those of an answer: they count like other rows, and a note says so."""

from __future__ import annotations

from collections.abc import Iterator

from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.table import Table
from cgstore.loaders.totals import totals


def notes_of_totals(reading: Reading, table: Table) -> Iterator[str]:
    """A note for each row of the answer that looks like a total of others; none of a table that was not read whole."""
    if not table.whole or not reading.rows:
        return
    columns = [(each, each.is_ordered and each.is_amount) for each in table.columns]
    cells = (
        (row + 1, each.name, each.cells[row], each.numbers[row] if is_amount else None)
        for row in range(table.rows)
        for each, is_amount in columns
    )
    for total in totals(cells, table.rows):
        if reading.rows >> (total.row - 1) & 1:
            named = f" ('{total.word}')" if total.word else ""
            yield f"Row {total.row}{named} looks like a total of other rows, and was taken like any row."
