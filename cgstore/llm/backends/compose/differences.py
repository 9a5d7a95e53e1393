"""Questions for a difference: `how much heavier is A than B`, `by how many euros`, `the difference between A and B`.

The two are rows of one column; the number is that of the column that the question names, that its unit measures, or
that the comparative means. A duration is given in the unit that is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from cgstore.llm.backends.compose.column import DATES, Column
from cgstore.llm.backends.compose.compared import means_less, of_age
from cgstore.llm.backends.compose.comparisons import LESS, MORE, OF_STRETCHES, OLDER
from cgstore.llm.backends.compose.conditions import Condition, Stretch
from cgstore.llm.backends.compose.denotations import denotation
from cgstore.llm.backends.compose.features import explained_words
from cgstore.llm.backends.compose.meanings import means
from cgstore.llm.backends.compose.measures import SPELT_UNITS, UNITS_OF
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.readings import Reading, condition_sets, reading_of
from cgstore.llm.backends.compose.row_nouns import row_words
from cgstore.llm.backends.compose.table import rows_in
from cgstore.llm.backends.compose.words import LIGHT_VERBS, QuestionText, word_set

_ANY = word_set("more less fewer higher lower larger smaller bigger greater better worse")
_FILLING = word_set(
    "difference gap by how much many than between and of that compared to in exactly come go take years months days"
)
_OF_TIME = word_set("before after earlier later")
_NO = word_set("not no never or nor neither both")
_UNITS = ("years", "months", "days")


def asks_difference(text: QuestionText) -> bool:
    """Whether a question asks by how much two things differ."""
    forms = text.forms
    how = any(pair in (("how", "much"), ("how", "many")) for pair in pairwise(forms))
    compared = any(form in MORE or form in LESS for form in forms)
    return (how and compared) or ("difference" in forms and ("between" in forms or "in" in forms))


def differences(context: Context, stretches: Sequence[Stretch], is_truth: bool = False) -> Iterator[Reading]:
    """The readings that explain all words of such a question; `is_truth`: of one whether the first has more."""
    for conditions, _ in condition_sets(stretches):
        base = reading_of(context.table, conditions, operation="difference")
        pairs = [group for group in base.groups if len(group) == 2 and all(each.op == "=" for each in group)]
        if len(pairs) == 1 and all(len(group) == 1 for group in base.groups if group != pairs[0]):
            yield from _of_pair(base, pairs[0], context, is_truth)


def names_two_rows(context: Context, stretches: Sequence[Stretch]) -> bool:
    """Whether a question names two rows, so that no other reading may drop what is asked of both."""
    named = [
        option.column
        for stretch in stretches
        for option in stretch.options
        if option.op == "=" and option.how != "number" and option.rows.bit_count() == 1
    ]
    return any(named.count(column) > 1 for column in named)


def _of_pair(base: Reading, pair: tuple[Condition, ...], context: Context, is_truth: bool) -> Iterator[Reading]:
    text, table = context.text, context.table
    words = [form for form in text.forms if form in MORE or form in LESS]
    if is_truth and (
        len(words) != 1 or not {"than", "before", "after"} & {*text.forms} or not _NO.isdisjoint(text.forms)
    ):
        return
    others = [each for each in base.conditions if each not in pair]
    first, second = sorted(pair, key=lambda each: each.first)
    is_turned = _reference_at(text) < first.first  # "how many years after A was B released"
    columns = list(_columns(context, words, base))
    own = row_words(text, table)
    for place, form in enumerate(text.forms):
        own |= (form in _FILLING or form in LIGHT_VERBS or form in MORE or form in LESS or form in SPELT_UNITS) << place
    for column in columns if len(columns) == 1 else ():
        mask = own
        for run in context.runs[column.place]:
            mask |= run.mask
        reading = replace(base, target=column.place, by=pair[0].column, mask=mask)
        reading = replace(reading, unit=unit_asked(reading, context))
        if is_truth:
            is_less = means_less(words[0], column) is not is_turned
            reading = replace(reading, operation="less" if is_less else "greater", unit="")
        elif column.form == "clock" and not reading.unit:
            continue  # of seconds nobody knows that they are
        is_left = text.content & ~(explained_words(reading, context) | mask | _verb_before_than(text))
        if column.form == "date" and sum(each.form == "date" for each in table.columns) == 1:
            is_left &= ~sum(1 << n for n, form in enumerate(text.forms) if form.endswith(("ed", "en", "rn")))
        sides = [second, first] if is_turned else [first, second]
        if not is_left and denotation(reading, table) and _is_so(sides, others, column, words, is_truth):
            yield reading


def _verb_before_than(text: QuestionText) -> int:
    """The verb of what is compared, which says no more than the column does: `did Ann write` of `pages`."""
    forms = text.forms
    place = forms.index("than") - 1 if "than" in forms else 0
    return 1 << place if place > 0 and not _DO.isdisjoint(forms[:place]) else 0


_DO = word_set("do does did")


def _reference_at(text: QuestionText) -> int:
    """Where the word stands behind which is what something is compared with: `than`, or `after` and `before`."""
    forms = text.forms
    return next((n for n, form in enumerate(forms) if form in ("than", "after", "before")), len(forms))


def _columns(context: Context, words: Sequence[str], base: Reading) -> Iterator[Column]:
    """The columns whose numbers may be meant: by their names, by a unit, or by the comparative."""
    rows, used = row_words(context.text, context.table), 0
    for condition in base.conditions:
        used |= condition.mask
    amounts = [each for each in context.table.columns if each.is_ordered and not (each.is_key or each.numbered)]
    if stays := [each for each in amounts if each.ends is not None]:
        yield from stays
        return
    if not OF_STRETCHES.isdisjoint(words):
        amounts = [each for each in amounts if each.form != "date"]
    named = [
        each
        for each in amounts
        if any(not run.mask & used and (run.share == 1 or run.mask & ~rows) for run in context.runs[each.place])
    ]
    if any(form in _UNITS for form in context.text.forms):
        times = [each for each in amounts if each.form == "date"]
        yield from [each for each in times if each in named] or times
        return
    whole = [
        each
        for each in named
        if any(run.share == 1 and not run.meant and not run.mask & used for run in context.runs[each.place])
    ]
    meant = [each for each in amounts if any(means(word, each) for word in words if word not in _ANY - {"bigger"})]
    meant = meant or [each for word in words if word in OLDER for each in of_age(word, context.table)]
    said = any(not run.meant for each in meant for run in context.runs[each.place])
    if any(each.is_of_one for each in meant) and not said:
        yield from meant  # what is cheaper for one may be dearer in total
        return
    if named:
        yield from whole or [each for each in named if each in meant] or named
        return
    if words and _OF_TIME.issuperset(words):
        yield from [each for each in amounts if each.kind in DATES and not each.is_of_birth]
        return
    units = {UNITS_OF[form].measure for form in context.text.forms if form in SPELT_UNITS}
    measured = [each for each in amounts if each.measure in units]
    sizes = [each for each in amounts if each.is_amount]
    yield from measured or meant or (sizes if words and _ANY.issuperset(words) else [])


def _is_so(
    pair: Sequence[Condition], others: Sequence[Condition], column: Column, words: Sequence[str], is_truth: bool
) -> bool:
    """Whether each of the two is one row, and the first has more, if the question says so and does not ask."""
    sides = []
    for condition in pair:
        rows = condition.rows
        for other in others:
            rows &= other.rows
        numbers = {column.numbers[row] for row in rows_in(rows)}
        if len(numbers) != 1 or (number := numbers.pop()) is None:
            return False
        sides.append(number)
    if not words:
        return True
    if len(words) > 1:
        return False
    return is_truth or (sides[0] != sides[1] and (sides[0] < sides[1]) is means_less(words[0], column))


def unit_asked(reading: Reading, context: Context) -> str:
    """The unit in which a difference is asked: of dates years, months or days, of durations as it is said."""
    column = context.table.columns[reading.target] if reading.target is not None else None
    forms = context.text.forms
    if column is None:
        return ""
    if column.form == "date":
        return next((form for form in forms if form in _UNITS), "")
    return next((form for form in forms if form in SPELT_UNITS and UNITS_OF[form].measure == column.measure), "")
