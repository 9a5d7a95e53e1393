"""The rows of tables that stand beside each other. Rows that were removed leave gaps between the numbers."""

from __future__ import annotations

from cgstore.cypher.compile.context import SEEK_NODE, CompileContext, call_lines
from cgstore.cypher.compile.seeks import seek
from cgstore.model import ROW_NUMBER
from cgstore.query import operators as ops
from cgstore.text.names import SEPARATOR

_NUMBER_OF_ROW = "(r)-[f:CG_VALUE {node1: relation}]->(t)"
"""The pattern of the number of a row, whose relation is bound."""


def rows_beside(step: ops.RowsBeside, context: CompileContext) -> list[str]:
    """Rows (x, f): a row, and the fact of the number of the row before or after it, in the same table."""
    context.values["separator"] = SEPARATOR
    order, than = ("", ">") if step.step > 0 else (" DESC", "<")
    end = f"ORDER BY f.node1{order}, f.num{order} LIMIT 1"
    nearest = seek(_NUMBER_OF_ROW, "node1, num", context, f"f.num {than} number", "size(f.condition) = 1", end=end)
    return [
        f"UNWIND {context.list_of(step.operand)} AS x",
        SEEK_NODE,
        f"WITH *, n.source + $separator + {context.parameter(step, 'relation', ROW_NUMBER)} AS relation, "
        "n.num AS number",
        *call_lines(["relation", "number"], [*nearest, f"RETURN f {end}"]),
    ]


def rows_between(step: ops.Aggregate, context: CompileContext) -> list[str]:
    """Rows (f): the number of one row that lies between two of the rows of a set, and is not one of them."""
    return [*_in_places(step, context), *_rows_between(step, context)]


def _in_places(step: ops.Aggregate, context: CompileContext) -> list[str]:
    """Rows (source, xs, places): the rows of each table in their order, and their numbers."""
    return [
        f"UNWIND {context.list_of(step.operand)} AS x",
        SEEK_NODE,
        "WITH x, n.source AS source, n.num AS place ORDER BY source, place",
        "WITH source, collect(x) AS xs, collect(place) AS places",
    ]


def _rows_between(step: ops.Aggregate, context: CompileContext) -> list[str]:
    """Rows (rank, f): where a row lies between two of the places, the rank of the latter, and the number of one."""
    context.values["separator"] = SEPARATOR
    tests = "f.num > before", "f.num < after", "size(f.condition) = 1"
    return [
        "UNWIND range(1, size(places) - 1) AS rank",
        f"WITH rank, source + $separator + {context.parameter(step, 'relation', ROW_NUMBER)} AS relation, "
        "places[rank - 1] AS before, places[rank] AS after",
        *call_lines(
            ["relation", "before", "after"], [*seek(_NUMBER_OF_ROW, "node1, num", context, *tests), "RETURN f LIMIT 1"]
        ),
    ]


def longest_run_lines(number: int, step: ops.Aggregate, context: CompileContext) -> list[str]:
    """Binds the rows of the longest run, and how many others are as long.

    A run ends where the table has a row between one of the rows and the next.
    """
    starts = "WITH rank ORDER BY rank", "RETURN [0] + collect(rank) AS starts"
    return [
        *_in_places(step, context),
        *call_lines(["source", "places"], [*_rows_between(step, context), *starts]),
        "UNWIND range(0, size(starts) - 1) AS i",
        "WITH source, starts[i] AS run, xs[starts[i]..coalesce(starts[i + 1], size(xs))] AS xs ORDER BY source, run",
        "WITH collect(xs) AS runs, max(size(xs)) AS longest",
        "WITH [xs IN runs WHERE size(xs) = longest] AS longest",
        f"WITH coalesce(longest[0], []) AS q{number + 1}, size(longest[1..]) AS tied{number + 1}",
    ]
