"""Why a superlative is not answered: what is asked for is something else, or by what it orders is not said."""

from __future__ import annotations

from collections.abc import Iterator

from cgstore.llm.backends.compose.meanings import means
from cgstore.llm.backends.compose.naming import Context, is_right_before
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.row_nouns import row_words
from cgstore.llm.backends.compose.table import DATES, rows_in
from cgstore.llm.backends.compose.words import word_set
from cgstore.text.names import some_of

_IN_ALL = word_set("total most least fewest overall")


def unnamed_extreme(reading: Reading, context: Context) -> Iterator[str]:
    """Why a number is no answer to who or which has the most of it: `which dog is the lightest`, as reasons."""
    text = context.text
    if (
        text.forms[:1] not in (("which",), ("who",))
        or reading.operation not in ("max", "min")
        or reading.target is None
    ):
        return
    column = context.table.columns[reading.target]
    if not {token.stem for token in text.tokens[1:3]}.intersection(column.stems):
        yield f"which row has it is asked, and '{column.name}' is not its name"


def misordered(reading: Reading, context: Context, unused: int) -> Iterator[str]:
    """Why rows are not ordered by what a question says, as reasons: `highest mileage` is no capacity."""
    superlative = reading.superlative
    if superlative is not None and superlative.column is None and unused & ~row_words(context.text, context.table):
        times = [each.name for each in context.table.columns if each.kind in DATES and not each.is_of_birth]
        if times:
            yield f"'{superlative.extreme.word}' may go by {some_of(times)} or by the order of the rows"
    if superlative is None or superlative.column is None:
        return
    column, extreme = context.table.columns[superlative.column], superlative.extreme
    runs = context.runs[column.place]
    is_named = any(not run.inflected and run.last > extreme.first for run in runs)
    is_named = is_named or any(is_right_before(run, extreme, context) for run in runs)
    own = sum({run.mask for run in runs})
    ordered = [
        context.table.columns[n].name
        for n, run in context.every_run
        if not is_named and context.table.columns[n].is_ordered and run.mask & unused and not run.mask & own
    ]
    if ordered:
        yield f"'{extreme.word}' may go by {some_of(ordered)} or by '{column.name}'"
    if is_named or means(extreme.word, column):
        return
    around = [*range(max(0, extreme.first - 2), min(len(context.text), extreme.last + 4))]
    around += [context.head] if context.head is not None else []
    others = [n for n in around if (unused & ~row_words(context.text, context.table)) >> n & 1]
    if others and extreme.word not in ("latest", "newest", "earliest", "first", "last"):
        said = context.text.between(min(extreme.first, *others), max(extreme.last, max(others) + 1))
        yield f"by which column '{said}' orders the rows is not understood"


def unsummed(reading: Reading, context: Context) -> Iterator[str]:
    """Why single rows may not be meant where the most in total is asked for, as reasons for no answer."""
    superlative, target, columns = reading.superlative, reading.target, context.table.columns
    if superlative is None or superlative.column is None or target is None or columns[target].is_distinct:
        return
    said = context.text.forms[superlative.extreme.first : superlative.extreme.last + 2]
    if _IN_ALL.isdisjoint(said) or superlative.extreme.place > 1 or not columns[superlative.column].is_amount:
        return
    sums: dict[str, float] = {}
    best: dict[str, float] = {}
    sign = 1 if superlative.end == "max" else -1
    for row in rows_in(reading.rows):
        cell, number = columns[target].cells[row], columns[superlative.column].numbers[row]
        if number is not None:
            sums[cell] = sums.get(cell, 0) + sign * number
            best[cell] = max(best.get(cell, sign * number), sign * number)
    if sums and max(sums, key=lambda cell: sums[cell]) != max(best, key=lambda cell: best[cell]):
        yield f"single rows and sums of '{columns[superlative.column].name}' give different answers"
