"""Which columns a question can ask for at all, by its question word and by the columns that it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import tee

from cgstore.llm.backends.compose.column import Column
from cgstore.llm.backends.compose.condition_features import condition_features
from cgstore.llm.backends.compose.conditions import Condition, Stretch
from cgstore.llm.backends.compose.counted import (
    are_rows_counted,
    counted_columns,
    is_named_apart,
    is_unnamed_number,
    may_count_rows,
    people_miscounted,
    quantity_of,
)
from cgstore.llm.backends.compose.directions import doing
from cgstore.llm.backends.compose.extremes import is_of_groups
from cgstore.llm.backends.compose.measures import measures_asked
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.parties import asked_parties, is_doer_unasked, is_party, may_be_who
from cgstore.llm.backends.compose.prices import is_paid_together, takes_one_for_all
from cgstore.llm.backends.compose.readings import Reading, Superlative
from cgstore.llm.backends.compose.runs import is_place, whole_sums
from cgstore.llm.backends.compose.signals import Extreme
from cgstore.llm.backends.compose.unnamed import is_only_compared
from cgstore.llm.backends.compose.words import is_content, mask_of, stem, word_list, word_set

_YEAR = re.compile(r"[12]\d{3}")
_CELLS = ("list", "next", "previous")
_TIMES = ("date", "clock")
_DAYS = word_set("day date month year")
_TEXTS = ("text", "names")


def asked_for(readings: Iterable[Reading], context: Context) -> Iterator[Reading]:
    """The readings that give what is asked for; all of them if none does."""
    every, kept = tee(readings)
    found = False
    for reading in kept:
        if may_be_asked(reading, context):
            found = True
            yield reading
    if not found:
        yield from every


def may_be_asked(reading: Reading, context: Context) -> bool:
    """Whether the column of a reading may be what a question asks for."""
    if any(_must_be_used(each, reading, context) for each in reading.skipped):
        return False
    if (by := _grouped_by(context)) is not None and not (reading.target == by and _is_per(reading, context)):
        return False
    if reading.operation == "count" and (not may_count_rows(context) or people_miscounted(reading.rows, context)):
        return False
    if reading.operation == "count" and any(_is_one(each, context) for each in reading.conditions):
        return not _names_an_amount(reading, context) and quantity_of(reading.conditions, context) is None
    if is_of_groups(reading, context):
        return False
    if takes_one_for_all(reading, context) and whole_sums(context.table):
        return False
    if reading.target is None:
        return True
    asked = asked_parties(context) if reading.operation in ("group max", "group min", "having") else None
    if asked is not None and context.table.columns[reading.target] not in asked:
        return False
    if _is_of_another_measure(context.table.columns[reading.target], reading, context):
        return False
    column = context.table.columns[reading.target]
    if reading.ordered_by is not None and _is_time_unasked(column, context):
        return False
    if is_doer_unasked(column, reading, context):
        return False
    if reading.operation == "list" and column.place in (counted_columns(context) or ()):
        return False
    if reading.superlative is not None and _is_most_rows(reading.superlative.extreme, context):
        return False
    if reading.operation == "sum" and column.place not in (_how_many(context) or (column.place,)):
        return False
    if (
        reading.operation in ("sum", "list", "distinct")
        and are_rows_counted(context)
        and is_unnamed_number(column, context)
    ):
        return False
    if reading.operation == "distinct":
        if (counted := counted_columns(context)) is not None:
            return column.place in counted
        is_named = any(not run.inverse for run in context.runs[column.place])
        return is_named and (not column.is_amount or context.signals.has("distinct"))
    if reading.operation.startswith("group") and reading.extreme is not None:
        if reading.by is not None:
            is_total = any(
                not any(run.mask & each.mask and not each.mask & ~run.mask for _, run in context.every_run)
                for each in context.signals.of(reading.function)
            )
            # "The most orders in total" are not the `Total`.
            is_total = is_total and is_named_apart(reading.by, context)
            return is_total and (not context.heads or column.place in context.heads)
        behind = reading.extreme.last
        return not any(run.first == behind and n in _amounts(context) for n, run in context.every_run)
    if reading.operation in ("max", "min"):
        return reading.extreme is None or _is_greatest_itself(column, reading.extreme, context)
    if reading.operation in _CELLS:
        if reading.operation == "list" and _is_to_be_added(column, reading, context):
            return False
        if reading.superlative is not None and _is_extreme_asked(reading.superlative, column, context):
            return False
        if reading.superlative is not None and _is_what_is_ordered(column, reading.superlative, context):
            return False
        return _may_be_given(column, reading, context) and not _is_only_compared(column, reading, context)
    return True


def _how_many(context: Context) -> list[int]:
    """The columns that `how many` names with the noun behind it: `how many units` of `Qty`."""
    start = context.signals.wh_at
    return [
        n for n, run in context.every_run if run.first == start and run.share == 1 and context.signals.wh[:3] == "how"
    ]


_HAVING = word_set("have has had got get there are is were was")
"""Words that may stand behind what rows are counted for: `how many players does each team have`."""


_DO = (("do",), ("does",), ("did",))
_COST = (("cost",), ("costs",))
_COSTING = word_set("cost costs pay pays paid spend spent charge charged")


def _is_of_another_measure(column: Column, reading: Reading, context: Context) -> bool:
    """Whether `how much does a bottle cost` asks for money, and a column has other numbers: of bottles."""
    forms, columns = context.text.forms, context.table.columns
    place = context.signals.wh_at
    is_cost = forms[place : place + 1] == ("what",) and forms[place + 1 : place + 2] in _DO and forms[-1:] in _COST
    if is_cost and context.signals.extremes and not column.is_amount:
        return any(each.measure == "money" for each in columns)  # "what did the most expensive item cost"
    if not column.is_amount or column.measure == "money":
        return False
    is_much = context.signals.has("much") or context.signals.wh == "how much"
    asks_much = is_much and any(measures_asked(form) == {"money"} for form in forms)
    asks_cost = context.signals.wh == "what" and not _COSTING.isdisjoint(forms)
    is_compared = any(columns[each.column].measure == "money" for each in reading.conditions)
    is_ordered = reading.ordered_by is not None
    is_asked = (asks_much or asks_cost) and not (is_compared or is_ordered)
    return is_asked and any(each.measure == "money" for each in columns)


def _grouped_by(context: Context) -> int | None:
    """The column whose name stands behind `per` or `for each` at the end, where something is asked for each value."""
    text, table = context.text, context.table
    is_worked_out = any(map(context.signals.has, ("count", "sum", "mean")))
    for signal in context.signals.of("each") if is_worked_out else ():
        for place, run in context.every_run:
            is_end = _HAVING.issuperset(text.forms[run.last :])
            is_whole = run.share == 1 and not run.inflected and run.first == signal.last and is_end
            if is_whole and not table.columns[place].is_distinct and not table.columns[place].is_amount:
                return place
    return None


def _is_per(reading: Reading, context: Context) -> bool:
    """Whether a reading has for each value what is to be worked out: `average price per city` counts no rows."""
    kinds = [kind for kind in ("sum", "mean") if context.signals.has(kind) and not context.signals.has("count")]
    if not kinds:
        return reading.operation[:3] == "per"
    named = {place for place, _ in context.every_run if context.table.columns[place].is_amount}
    is_named = reading.by in named or not named
    return is_named and reading.operation in [f"per {kind}" for kind in kinds]


def _must_be_used(stretch: Stretch, reading: Reading, context: Context) -> bool:
    """Whether no reading may leave out a stretch: a cell of several words, a name, a column of yes and no."""
    is_flag = any(each.how in ("flag", "rank") and each.column != reading.target for each in stretch.options)
    mask = mask_of(stretch.first, stretch.last)
    is_free = not any(each.mask & mask for each in reading.conditions)
    if is_free and _is_said_otherwise(stretch, context):
        return True
    return (is_flag and is_free) or _is_whole_cell(stretch, context) or _is_name(stretch, reading, context)


def _is_said_otherwise(stretch: Stretch, context: Context) -> bool:
    """Whether a word is a cell and nothing else that is asked (`secondary` in `the secondary schools`), or a year."""
    mask = mask_of(stretch.first, stretch.last)
    others = context.of_rows | context.signal_mask | context.named_mask
    columns = [context.table.columns[option.column] for option in stretch.options]
    said = context.text.between(stretch.first, stretch.last)
    is_cell = len(stretch.options) == 1 and stretch.options[0].how in ("exact", "stems", "short")
    is_word = all(form.isalpha() for form in context.text.forms[stretch.first : stretch.last])
    is_year = all(each.form == "date" and not each.is_year for each in columns) and _YEAR.fullmatch(said) is not None
    return ((is_cell and is_word) or is_year) and bool(context.text.content & mask) and not mask & others


def _names_an_amount(reading: Reading, context: Context) -> bool:
    """Whether a column of numbers is named beside the conditions, which may say how many: `are enrolled in Choir`."""
    used = {each.column for each in reading.conditions}
    whole = {n for n, run in context.every_run if run.share == 1 and not run.meant}
    return any(context.table.columns[n].is_amount for n in whole - used)


def _is_one(condition: Condition, context: Context) -> bool:
    """Whether a condition is the name of one row, of which there are none to be counted."""
    is_name = condition.op == "=" and condition.rows.bit_count() <= 1
    return is_name and context.table.rows > 1 and context.table.columns[condition.column].is_distinct


def _is_name(stretch: Stretch, reading: Reading, context: Context) -> bool:
    """Whether a stretch is a name in capitals, and neither a condition of the reading nor the name of a column."""
    tokens = context.text.tokens[stretch.first : stretch.last]
    if stretch.first == 0 or not all(token.text[0].isupper() for token in tokens):
        return False
    mask = mask_of(stretch.first, stretch.last)
    used = any(each.mask & mask for each in reading.conditions)
    return not used and not any(run.mask & mask for _, run in context.every_run)


def _is_to_be_added(column: Column, reading: Reading, context: Context) -> bool:
    """Whether a total of several numbers is asked for, or one number: `how many units` is no list of them."""
    signals = (*context.signals.of("count"), *context.signals.of("sum"))
    phrases = [context.text.forms[signal.first : signal.last + 1] for signal in signals]
    is_total = any(phrase[0] == "total" and "of" in phrase for phrase in phrases)
    if reading.superlative or reading.rows.bit_count() < 2:
        return False
    is_one = context.signals.wh == "how many" and all(len(group) == 1 for group in reading.groups)
    is_one = is_one and not context.signals.has("each") and not column.is_rank
    is_money = context.text.forms[context.signals.wh_at :][:3] == ("how", "much", "money") and column.is_amount
    is_one = is_one or is_paid_together(column, reading, context) or (is_money and not context.signals.has("each"))
    return (is_total and column.is_amount) or is_one


def _is_whole_cell(stretch: Stretch, context: Context) -> bool:
    """Whether several words are a cell as it stands, and not the name of a column, which no reading may leave out."""
    named = any(run.first <= stretch.first and stretch.last <= run.last for runs in context.runs for run in runs)
    return (
        not named
        and stretch.last - stretch.first > 1
        and any(each.how in ("exact", "short") for each in stretch.options)
    )


def _is_extreme_asked(superlative: Superlative, column: Column, context: Context) -> bool:
    """Whether the greatest value itself is asked for, and not its row by another column: `what is the highest rate`."""
    extreme, place = superlative.extreme, superlative.column
    is_named = any(
        not run.inflected and not (run.first == extreme.last and context.of_rows >> run.first & 1)
        for run in context.runs[column.place]
    )
    if place is None or context.signals.wh not in ("what", "list", "") or extreme.several:
        return False
    between = context.text.forms[context.signals.wh_at + bool(context.signals.wh) : extreme.first]
    start = extreme.last
    while start < len(context.text) and (context.of_rows >> start & 1 or context.text.forms[start] in _NUMBER_OF):
        start += 1  # "the smallest number of medals"
    own = [run for run in context.runs[place] if not (run.meant or run.inflected)]
    is_own = any(extreme.last <= run.first <= start for run in own)
    is_named = is_named and "number" not in context.text.forms[extreme.last : start]
    return is_own and not is_named and not any(map(is_content, between)) and column.place != place


_NUMBER_OF = word_set("number amount of")


def _is_only_compared(column: Column, reading: Reading, context: Context) -> bool:
    """Whether a column is named only where its values are compared: `items that cost more than 100`."""
    own = [each for each in reading.conditions if each.column == column.place]
    if not own:
        return False
    mask = 0
    for condition in own:
        mask |= condition_features(context, condition)[1]
    first, last = min((each.mask & -each.mask).bit_length() - 1 for each in own), max(each.last for each in own)
    runs = [r for r in context.runs[column.place] if not (0 <= r.first - last <= 1 or 0 <= first - r.last <= 1)]
    return all(run.mask & mask for run in runs) and column.place != context.table.subject


def _is_what_is_ordered(column: Column, superlative: Superlative, context: Context) -> bool:
    """Whether numbers are named only as what a superlative orders: `the most expensive bottle` is no number of them."""
    extreme = superlative.extreme
    runs = [run for run in context.runs[column.place] if not run.meant]
    is_behind = bool(runs) and all(0 <= run.first - extreme.last <= 1 and not run.mask & 1 for run in runs)
    return column.is_amount and is_behind and column.place != superlative.column


def _amounts(context: Context) -> list[int]:
    """The columns of which something has the most: those with times too, and none that only numbers the rows."""
    columns = context.table.columns
    return [c.place for c in columns if (c.is_amount or c.form == "clock" or c.is_year) and not c.is_numbering]


def _is_most_rows(extreme: Extreme, context: Context) -> bool:
    """Whether the most rows are meant, by their noun alone: `handles the most shipments`."""
    place = extreme.last
    is_noun = place < len(context.text) and context.of_rows >> place & 1
    amounts = _amounts(context)
    named = any(run.mask >> place & 1 and not run.inflected for n, run in context.every_run if n in amounts)
    return extreme.word in ("most", "fewest", "least") and bool(is_noun) and not named


def _is_greatest_itself(column: Column, extreme: Extreme, context: Context) -> bool:
    """Whether the greatest value is asked for, and not what has it: `the longest book` is not a number of pages."""
    forms, head = context.text.forms, context.head
    if context.signals.wh == "who" or (
        context.signals.wh == "which" and head is not None and context.of_rows >> head & 1
    ):
        return False
    if context.asks_what_has(extreme, column.place):
        return False  # "what equipment has the longest warranty"
    meant = [run for run in context.runs[column.place] if run.meant and run.last > extreme.last]
    adjective = next((run for run in meant if run.first in (extreme.first, extreme.last)), None)
    start = adjective.last if adjective and extreme.word in ("most", "least") else extreme.last
    noun = next((n for n in range(start, min(len(forms), start + 2)) if is_content(forms[n])), None)
    named = [run.mask for run in context.runs[column.place] if run.mask & ~extreme.mask and run is not adjective]
    is_of_row = noun is not None and context.of_rows >> noun & 1  # "when was the first visit"
    return noun is None or bool(named) or bool(is_of_row and context.signals.wh == "when" and column.form == "date")


def _is_time_unasked(column: Column, context: Context) -> bool:
    """Whether `what` or `which` asks for a thing, and no noun for a time: `what was ordered last` is no date."""
    forms = context.text.forms
    if column.form not in _TIMES or context.signals.wh not in ("what", "which") or not _TIME_NOUNS.isdisjoint(forms):
        return False
    nouns = [run for run in context.runs[column.place] if not (run.meant or run.inflected)]
    return all(forms[max(0, run.first - 1)] in _BEING for run in nouns)


_TIME_NOUNS = _DAYS | word_set("time times dates days years months when hour hours")
_BEING = word_set("is are was were be been has have had gets get got")
"""Verbs behind which the word of a column says what is done, and is no noun."""


def _may_be_given(column: Column, reading: Reading, context: Context) -> bool:
    """Whether the cells of a column may be the answer."""
    wh, runs, table = context.signals.wh, context.runs[column.place], context.table
    if is_only_compared(column, context):
        return False
    if column.form == "flag" and not runs:
        return False
    if context.heads and column.place not in context.heads:
        return False
    if wh == "who" and not may_be_who(column, context):
        return False
    if wh == "who" and asked_parties(context) is not None:
        return True
    if wh in ("who", "where") and column.form not in _TEXTS and any(each.form in _TEXTS for each in table.columns):
        return False
    if wh == "who" and (column.is_key or column.is_code):
        return False
    if wh == "who" and not runs and column.form == "text" and any(each.form == "names" for each in table.columns):
        return False
    if wh == "who" and column.form == "text" and any(table.columns[n].form == "names" for n, _ in context.every_run):
        return False
    subject = table.columns[table.subject]
    is_named = is_party(subject) if any(map(is_party, table.columns)) else subject.form == "names"
    is_of_people = is_named and (table.has_names or not _is_of_things(subject, context))
    if wh == "who" and not runs and is_of_people and column is not subject:
        return any(each.column == subject.place for each in reading.conditions)
    is_unasked = not runs or any(each.how == "rank" for each in reading.conditions)
    if wh == "who" and is_unasked and not table.has_names and _is_of_things(column, context):
        return False
    if wh == "where" and not runs and any(map(is_place, table.columns)):
        return False
    if wh == "how long" and _is_of_time_spent(context) and not _lasts(column):
        return False
    if wh == "how many" and column.form in _TEXTS and not any(map(str.isdigit, "".join(column.rows_of))):
        return False
    if wh in ("how much", "how many") and not runs and column.form in ("text", "names", "flag", "date"):
        return not any(each.is_amount and not each.is_key for each in table.columns)
    if wh == "what" and not runs and any(any(doing(each, context)) for each in reading.conditions):
        return column.place == table.subject
    if wh == "how often" and not runs and not column.is_amount:
        return False
    if wh == "when" and any(each.form in _TIMES for each in table.columns):
        by_day = not _DAYS.isdisjoint(context.text.forms[context.signals.wh_at : context.signals.wh_at + 2])
        is_time = column.form in _TIMES and not (by_day and column.form == "clock")
        return is_time or (any(not run.inflected for run in runs) and column is not subject)
    return _fits_head(column, reading, context)


def _is_of_time_spent(context: Context) -> bool:
    """Whether `how long has`, or `did`, asks for a time, and for no length or number of pages."""
    behind = context.text.forms[context.signals.wh_at + 2 : context.signals.wh_at + 3]
    return behind in (("has",), ("have",), ("had",), ("did",))


def _lasts(column: Column) -> bool:
    """Whether the values of a column are times, or how long something lasts."""
    return column.form in _TIMES or column.measure == "time" or not TIME_WORDS.isdisjoint(column.stems)


TIME_WORDS = frozenset(map(stem, word_list("day night week month year hour minute second time duration term stay")))


def _is_of_things(column: Column, context: Context) -> bool:
    """Whether another column has people by its name, and this one does not: `who won`, of races and their runners."""
    texts = [each for each in context.table.columns if each.form in _TEXTS and not each.is_numbering]
    people = [each for each in texts if is_party(each) or "name" in each.words]
    return bool(people) and column not in people


def _fits_head(column: Column, reading: Reading, context: Context) -> bool:
    """Whether a column is asked for where the noun behind the question word is what the rows are: `the open orders`."""
    values = 0
    for condition in reading.conditions:
        values |= condition.mask
    head, table = context.head_without(values), context.table
    if reading.superlative is not None and reading.superlative.column == column.place:
        return True  # "the second highest booking total"
    if head is None or not context.of_rows >> head & 1 or context.signals.wh not in ("which", "what", "list", ""):
        return True
    if (numbers := table.numbered_by(context.text.tokens[head].stem)) is not None:
        return column.place == numbers
    return column.place == table.subject or any(run.mask >> head & 1 for run in context.runs[column.place])


def half_asked(reading: Reading, context: Context, unused: int) -> Iterator[str]:
    """Why the cells of a column are half an answer: `the price and the colour` names a column and something else."""
    run = context.best_run(reading.target, 0) if reading.target is not None else None
    if run is None or reading.operation != "list":
        return
    forms = context.text.forms
    behind, before = run.last, run.first - 1
    if forms[behind : behind + 1] == ("and",):
        behind += 1
        while behind < len(forms) and forms[behind] in ARTICLES:
            behind += 1
    while before > 0 and forms[before] in ARTICLES:
        before -= 1
    before -= forms[before] == "and"
    others = [behind] if behind > run.last else []
    others += [before] if before >= 0 and forms[before + 1] == "and" else []
    for place in others:
        if unused >> place & 1:
            yield f"'{context.text.tokens[place].text}' is asked for too, and names no column"


ARTICLES = word_set("the a an its their his her also")
"""Words that may stand between `and` and what is asked for with something else."""
