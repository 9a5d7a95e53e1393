"""The description of a table in a prompt: its columns with their values, and as many rows as have room."""

from __future__ import annotations

from collections.abc import Sequence

from cgstore.llm.graph_view import Relation
from cgstore.llm.prompts.content import Content, Shown, Size
from cgstore.llm.prompts.quoting import LONGEST_CELL, quoted, quoted_row
from cgstore.llm.table_view import ColumnValues, TableRows, column_values
from cgstore.text.roles import Role

LONGEST_EXAMPLE = 40
"""Characters of a value that stands beside its column."""

MAX_REPEATED = 3
"""Values shown of a column of which some repeat, if there are too many to list all."""

_TELLING = (Role.IDENTIFIER, Role.YES_NO)
"""The roles that tell more than the kind."""

MIXED = 0.2
"""Share of the values of a column of texts that have figures in them, from which it counts as mixed."""


def table_text(one: Shown, content: Content, size: Size) -> str:
    """A table in words: a line for each column, then the rows that are shown."""
    outline = one.outline
    read = content.tables.get(outline.name)
    numbers = read.chosen(size.rows, content.names) if read and not content.private else []
    all_shown = len(numbers) == outline.rows
    title = f"{one.title}, {outline.rows:,} row{'' if outline.rows == 1 else 's'}."
    lines = [f"{title} {_columns_title(one)}"]
    places = [outline.relations.index(relation) for relation in one.relations]
    for relation, place in zip(one.relations, places, strict=True):
        about = [_what(relation)]
        if read and read.rows and not content.private:
            about = _about(read, place, relation, size.examples > 0 and not all_shown)
        lines.append(f"- {quoted(relation.name)}: {'; '.join(about)}")
    if numbers and read:
        lines.append(_rows_title(numbers, outline.rows))
        lines += [f"[line_{number}] {quoted_row([read.rows[number][n] for n in places])}" for number in numbers]
    return "\n".join(lines)


def _columns_title(one: Shown) -> str:
    shown, every = len(one.relations), len(one.outline.relations)
    if shown < every:
        return f"Columns, the {shown:,} of {every:,} that are most relevant to the question:"
    return "Columns:"


def _what(relation: Relation, text: str = "text") -> str:
    """The kind of a column, with its role where this tells more."""
    kind = relation.kind or text
    return f"{kind}, {relation.role}" if relation.role in _TELLING else kind


def _about(read: TableRows, place: int, relation: Relation, examples: bool) -> list[str]:
    """What is said of a column: kind and role, how many different values, missing ones, the few values, formats."""
    values = column_values(read.column(place))
    parts = [_what(relation, "mixed" if _is_mixed(read.column(place)) else "text")]
    where = "" if read.whole else f" in the {len(read.rows):,} rows read"
    parts[0] += f", {values.different:,} different{where}"
    if values.missing:
        parts.append(_missing(values))
    if examples and values.few:
        parts.append(f"all of them: {_listed(values.few)}")
    elif examples and values.repeated:
        top = values.repeated[:MAX_REPEATED]
        parts.append(f"often {', '.join(f'{_short(value)} ({count:,})' for value, count in top)}")
    if examples and values.formats and not values.few:
        parts.append(f"such as {_listed(values.formats)}")
    return parts


def _is_mixed(cells: Sequence[str]) -> bool:
    """Whether a column of texts has many values with figures in them, and so numbers to extract."""
    values = set(cells)
    return sum(any(map(str.isdigit, value)) for value in values) >= MIXED * max(1, len(values))


def _missing(values: ColumnValues) -> str:
    """How many cells are empty, or have a placeholder."""
    if not values.placeholders:
        return f"{values.missing:,} empty"
    return f"{values.missing:,} empty or {_listed(values.placeholders[:MAX_REPEATED])}"


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(map(_short, texts))


def _short(text: str) -> str:
    return quoted(text, min(LONGEST_EXAMPLE, LONGEST_CELL))


def _rows_title(numbers: Sequence[int], count: int) -> str:
    """Which rows are shown: `Rows 1 to 5, 17 and 212 of 212:`."""
    if len(numbers) == count:
        return "All rows:"
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [str(n) for run in runs for n in (run if len(run) < 3 else [f"{run[0]:,} to {run[-1]:,}"])]
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
    return f"Row{'s' * (len(numbers) > 1)} {listed} of {count:,}:"
