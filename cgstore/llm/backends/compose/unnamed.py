"""Why a column that no word of the question names is not what is asked for: `which school` is no head teacher.

A table may lack what is asked for, and the column that fits best is then another one. These reasons were found by
asking questions of their tables without the column that they need.
"""

from __future__ import annotations

from collections.abc import Iterator

from cgstore.llm.backends.compose.column import OF_NAMES, Column
from cgstore.llm.backends.compose.comparisons import LESS, MORE
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.parties import is_party, names_party
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.row_nouns import row_words
from cgstore.llm.backends.compose.words import LIGHT_VERBS, word_set
from cgstore.text.thesaurus import IRREGULAR

_THINGS = ("which", "what")


def is_only_compared(column: Column, context: Context) -> bool:
    """Whether a column is named by comparatives alone: `which lamp is cheaper` does not ask for prices."""
    said = sum({run.mask for run in context.runs[column.place]})
    forms = [form for n, form in enumerate(context.text.forms) if said >> n & 1]
    is_thing = context.signals.wh in ("which", "what", "who") and bool(forms)
    return is_thing and all(form in MORE or form in LESS for form in forms)


def part_of_a_value(reading: Reading, context: Context) -> Iterator[str]:
    """Why the noun that is asked for is no value that has more words: `which machine` is no `Coffee machine` alone."""
    noun = context.asked_noun
    for condition in reading.conditions if noun is not None else ():
        is_part = condition.how == "part" and condition.op == "=" and len(condition.values) == 1
        if is_part and condition.first <= (noun or 0) < condition.last:
            said = context.text.between(condition.first, condition.last)
            if said.islower():
                yield f"which rows are meant by '{said}' is not understood: '{condition.values[0]}' is one kind of it"


def another_amount(reading: Reading, context: Context, unused: int) -> Iterator[str]:
    """Why an amount is not the one that is asked for, which has a further noun: `repair cost`, `salary increase`."""
    text, table = context.text, context.table
    unused &= ~row_words(text, table)
    adjectives = {extreme.mask for extreme in context.signals.extremes}
    for column in (each for each in table.columns if each.is_amount and each.place in _places(reading)):
        for run in context.runs[column.place]:
            noun = text.forms[run.last - 1]
            is_noun = not (_is_verb(noun) or noun in MORE or noun in LESS) and run.mask & text.content
            if not is_noun or run.mask & unused or any(run.mask & each for each in adjectives):
                continue
            before, behind = text.forms[max(0, run.first - 1)], "".join(text.forms[run.last : run.last + 1])
            is_of_it = before not in _EMPTY and (before.endswith("ing") or not _is_verb(before))  # "running costs"
            first = run.first - (unused >> max(0, run.first - 1) & is_of_it)
            goes_on = not (noun.endswith("s") or _is_verb(behind) or behind in _EMPTY | MORE | LESS)
            last = run.last + (unused >> run.last & goes_on)
            if last - first > run.last - run.first:
                yield f"'{text.between(first, last)}' may be something else than '{column.name}'"


def another_bound(reading: Reading, context: Context, unused: int) -> Iterator[str]:
    """Why a bound is not on a column that no word names, where a noun before it says on what: `a bonus over 1000`."""
    for condition in reading.conditions:
        before = (condition.mask & -condition.mask).bit_length() - 2
        is_bound = condition.how == "number" and condition.op not in ("=", "month")
        is_noun = before >= 0 and unused >> before & 1 and not _is_verb(context.text.forms[before])
        if is_bound and is_noun and not context.runs[condition.column]:
            name = context.table.columns[condition.column].name
            yield f"'{context.text.between(before, condition.last)}' may be of something else than '{name}'"


def _places(reading: Reading) -> set[int | None]:
    """The columns whose numbers are given, ordered or compared."""
    compared = {each.column for each in reading.conditions if each.how == "number"}
    return {reading.target, reading.by, reading.superlative.column if reading.superlative else None, *compared}


def _is_verb(form: str) -> bool:
    """Whether a word is, or may be, a form of a verb: `working`, `paid`."""
    return form.endswith(("ed", "ing")) or form in IRREGULAR or form in LIGHT_VERBS


_EMPTY = word_set("current exact actual individual own listed period time value amount figure level tag")
"""Words beside the name of an amount that make it no other one."""


def _are_other_people(noun: str, column: Column) -> bool:
    """Whether a noun is one for people or firms, and the cells of a column are of things."""
    return names_party(noun) and column.form != "names" and not is_party(column)


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
    elif left >> context.head & 1 and (not is_subject or _are_other_people(noun.stem, column)):
        yield f"'{noun.text}' may be something else than '{column.name}'"
