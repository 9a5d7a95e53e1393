"""Why a column that no word of the question names is not what is asked for: `which school` is no head teacher.

A table may lack what is asked for, and the column that fits best is then another one. These reasons were found by
asking questions of their tables without the column that they need.
"""

from __future__ import annotations

from collections.abc import Iterator

from cgstore.llm.backends.compose.comparisons import LESS, MORE
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.parties import is_party, names_party
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.row_nouns import row_words
from cgstore.llm.backends.compose.table import OF_NAMES, Column

_THINGS = ("which", "what")


def is_only_compared(column: Column, context: Context) -> bool:
    """Whether a column is named by comparatives alone: `which lamp is cheaper` does not ask for prices."""
    said = sum({run.mask for run in context.runs[column.place]})
    forms = [form for n, form in enumerate(context.text.forms) if said >> n & 1]
    is_thing = context.signals.wh in ("which", "what", "who") and bool(forms)
    return is_thing and all(form in MORE or form in LESS for form in forms)


def another_column(reading: Reading, context: Context, unused: int) -> Iterator[str]:
    """Why the cells that a reading gives are not those asked for, as reasons for no answer.

    Args:
        reading: what the question may ask.
        context: the question and the table.
        unused: the words that carry meaning and are not explained by the reading.
    """
    if reading.target is not None and reading.operation == "list":
        column = context.table.columns[reading.target]
        if is_only_compared(column, context):
            yield f"which has more or less under '{column.name}' is asked, and not the cells of it"
    if reading.target is None or reading.operation != "list" or context.best_run(reading.target, 0) is not None:
        return
    column, wh = context.table.columns[reading.target], context.signals.wh
    is_subject = column.place == context.table.subject
    if wh == "who" and not is_subject and column.form == "text" and not is_party(column):
        yield f"who is asked for, and '{column.name}' has no people"
    said = sum({condition.mask for condition in reading.conditions})
    if wh not in _THINGS or context.head is None or said >> context.head & 1:
        return
    noun = context.text.tokens[context.head]
    if noun.form in MORE or noun.form in LESS:
        return
    left = unused & ~row_words(context.text, context.table)
    is_own_name = is_subject and (column.words[-1].endswith("name") or column.words[-1] in OF_NAMES)
    is_of_people = is_party(column) and not (is_own_name or names_party(noun.stem))
    if column.form == "date" or is_of_people:
        yield f"no column is known to say which '{noun.text}' is meant: '{column.name}' may be something else"
    elif left >> context.head & 1 and not is_subject:
        yield f"'{noun.text}' may be something else than '{column.name}'"
