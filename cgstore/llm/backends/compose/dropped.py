"""Words of a question that a reading over a table may not drop, since the answer would be that of another question.

A yes for any row that has a name, the number of such rows, all rows of a table, and a name given back for itself are
answers that nearly every question has: `has Ann left`, `how many children does Ann have`, `which customers complained`,
`who is the boss of Ann`.
"""

from __future__ import annotations

from collections.abc import Iterator

from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.table import Table
from cgstore.llm.backends.compose.words import QuestionText, stem
from cgstore.text.names import normal_form


def dropped_words(reading: Reading, context: Context, unused: int) -> int:
    """The unused words, if the reading gives such an answer without them.

    Args:
        reading: what the question may ask.
        context: the question and the table.
        unused: the words that carry meaning and are not explained by the reading.
    """
    unused &= ~row_words(context.text, context.table)
    if reading.operation == "exists":
        return unused
    plain = reading.operation == "list" and not reading.superlative
    given_back = plain and any(each.op == "=" and each.column == reading.target for each in reading.conditions)
    return unused if given_back or (plain and not reading.conditions) else 0


def miscounted(reading: Reading, context: Context) -> Iterator[str]:
    """Why rows are not what a question counts, as reasons for no answer."""
    if reading.operation != "count":
        return
    columns, text = context.table.columns, context.text
    for condition in reading.conditions:
        column = columns[condition.column]
        if condition.op == "=" and column.is_distinct and context.table.rows > 1 and len(condition.values) == 1:
            yield f"'{text.between(condition.first, condition.last)}' is one row, and what is counted is not understood"
    amounts = {normal_form(column.name): column.name for column in columns if column.is_amount}
    for signal in context.signals.of("count"):
        for token in text.tokens[signal.first : signal.last]:
            if name := amounts.get(token.form):
                yield f"'{token.text}' may mean the column '{name}' or how many rows"


def counted_noun(reading: Reading, context: Context) -> str:
    """What a question counts (`how many sailors`), if rows are counted and neither table nor column has this name."""
    text = context.text
    own = row_words(text, context.table)
    for runs in context.runs:
        for run in runs:
            own |= run.mask
    for signal in context.signals.of("count") if reading.operation == "count" and reading.target is None else ():
        if signal.last < len(text.tokens) and (text.content & ~own) >> signal.last & 1:
            return text.tokens[signal.last].text
    return ""


def row_words(text: QuestionText, table: Table) -> int:
    """The words that say what the table has: those of its name."""
    own = {stem(word) for word in normal_form(table.name).split()}
    return sum(1 << place for place, token in enumerate(text.tokens) if token.stem in own)
