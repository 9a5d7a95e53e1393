"""Programs for WikiSQL: what a question's SQL says, in the LLM query language.

Names and values stand in them as annotated: to map them to a column's cells, exactly or else without case, is the
engine's part. SQL selects and computes over rows; the language over sets. So the conditions find the rows, COUNT counts
these, and SUM and AVG run over the cells of the rows, equal ones as often as they stand there.
"""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.evaluate.wikisql import Condition, Query
from cgstore.llm.prompts.quoting import quote
from cgstore.loaders.readers.rows import column_names
from cgstore.loaders.table import relations
from cgstore.model import ROW_NUMBER

MOST_SETS = 4
"""So many sets does `set_intersection` take."""

_FUNCTIONS = {"MAX": "max", "MIN": "min", "AVG": "mean", "SUM": "sum"}


def program_of(query: Query, header: Sequence[str]) -> str:
    """The program that asks a table with this header what the query asks, one `QueryN: "..."` a line.

    Raises:
        BadInput: a column's name is none that the loader takes.
    """
    columns = [quote(name) for name in relations(column_names(header, "The header"))]
    steps = _Steps()
    rows = _rows(query.conditions, columns, steps)
    if query.aggregate == "COUNT":
        counted = rows or steps.add(f"get_information(relation='{ROW_NUMBER}')")
        steps.add(f"count(set={counted})")
        return str(steps)
    head = f", head_entity={rows}" if rows else ""
    cells = steps.add(f"get_information(relation={columns[query.select]}{head})")
    if query.aggregate:
        result = steps.add(f"{_FUNCTIONS[query.aggregate]}(set={cells})")
        if query.aggregate == "SUM" and rows:  # the sum of no row is NULL in SQL, in the language 0
            found = steps.add(f"count(set={rows})")
            steps.add(f"if(value1={found}, operator='>', value2='0', then={result})")
    return str(steps)


def _rows(conditions: Sequence[Condition], columns: Sequence[str], steps: _Steps) -> str:
    """The rows for which all conditions hold; empty where there is none."""
    sets = [
        steps.add(f"get_information(relation={columns[c.column]}, tail_entity{c.op}{quote(c.value)})")
        for c in conditions
    ]
    while len(sets) > 1:
        together, sets = sets[:MOST_SETS], sets[MOST_SETS:]
        given = ", ".join(f"set{number}={output}" for number, output in enumerate(together, 1))
        sets.insert(0, steps.add(f"set_intersection({given})"))
    return sets[0] if sets else ""


class _Steps:
    """The queries of a program while it is written."""

    def __init__(self) -> None:
        self._calls: list[str] = []

    def add(self, call: str) -> str:
        """Adds a query and returns the reference to its output, quoted."""
        self._calls.append(call)
        return f"'output_of_query{len(self._calls)}'"

    def __str__(self) -> str:
        return "\n".join(f'Query{number}: "{call}"' for number, call in enumerate(self._calls, 1))
