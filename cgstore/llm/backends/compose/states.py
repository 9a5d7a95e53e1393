"""Conditions that the name of a column states alone: `works remotely`, `has no order number`, `out of stock`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from cgstore.llm.backends.compose.column import FLAGS, Column
from cgstore.llm.backends.compose.comparisons import LACKING, negation_at
from cgstore.llm.backends.compose.conditions import Condition, Stretch, compared_rows
from cgstore.llm.backends.compose.lateness import lateness
from cgstore.llm.backends.compose.meanings import mask_from
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.parties import has_people, is_party
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.runs import Run
from cgstore.llm.backends.compose.stays import ends_of
from cgstore.llm.backends.compose.table import Table, rows_in
from cgstore.llm.backends.compose.words import QuestionText, is_content, mask_of, stem, word_set
from cgstore.text.columns import is_missing
from cgstore.text.names import normal_form
from cgstore.text.thesaurus import IRREGULAR, lemma, other_values


def states(text: QuestionText, table: Table) -> Iterator[Condition]:
    """The conditions that the names of columns state."""
    yield from _flags(text, table)
    yield from _filled(text, table)
    yield from _sold_out(text, table)
    yield from _for_free(text, table)
    yield from _not_ended(text, table)


def _flags(text: QuestionText, table: Table) -> Iterator[Condition]:
    """Columns that say yes or no of each row, where the question has all words of their names."""
    stems = [token.stem for token in text.tokens]
    for column in table.columns:
        if not column.is_flag or not set(column.stems) <= set(stems) or not _are_of_state(text, column):
            continue
        places = [stems.index(each) for each in column.stems]
        first, last = min(places), max(places) + 1
        if last - first <= len(places) + 2:
            yield from _flag(text, column, first, last, mask_of(first, last))


def _flag(
    text: QuestionText, column: Column, first: int, last: int, mask: int, is_no: bool = False
) -> Iterator[Condition]:
    """The condition that a column of yes and no states by some words, or its opposite if a word before denies it."""
    if not _COMPARING.isdisjoint(text.forms[last : last + 2]):
        return  # "who paid the most"
    values = {cell: FLAGS[cell.strip().lower()] for cell in column.rows_of if not is_missing(cell)}
    words = negation_at(text, first, also=LACKING) or _refused(text, last)
    named = [cell for cell, value in values.items() if value is not (bool(words) is not is_no)]
    rows = sum(column.rows_of[cell] for cell in named)
    if named:
        yield Condition(column.place, "=", tuple(named), rows, first, last, mask | words, "flag")


def _refused(text: QuestionText, last: int) -> int:
    """The verb behind the name of a column of yes and no by which it is no: `consent was refused`."""
    behind = [n for n in range(last, min(len(text), last + 3)) if is_content(text.forms[n])][:1]
    return sum(1 << n for n in behind if text.forms[n] in _REFUSED)


_REFUSED = word_set("refused denied declined rejected withheld withdrawn cancelled")
_COMPARING = word_set("most least more less fewer highest lowest")


def _are_of_state(text: QuestionText, column: Column) -> bool:
    """Whether the participles of a name are said as such: who `pays` much need not have `paid`."""
    said = {token.stem: token.form for token in text.tokens}
    states = [word for word in column.words if word == "paid" or word.endswith("ed")]
    return all((form := said.get(stem(word), "")) == word or form.endswith("ed") for word in states)


def _filled(text: QuestionText, table: Table) -> Iterator[Condition]:
    """Rows that have a cell in a column, or none: `with a return date`, `has no order number`."""
    stems = tuple(token.stem for token in text.tokens)
    for column in table.columns:
        empty = tuple(cell for cell in column.rows_of if is_missing(cell))
        size = len(column.stems)
        if not empty or column.is_flag:
            continue
        for first in [place for place in range(1, len(stems)) if stems[place : place + size] == column.stems]:
            mask = mask_of(first, first + size)
            before = text.forms[:first][-2:]
            if _is_before_cell(text, first + size, column):
                continue  # "not closed on Monday" is not without a day
            if words := _lack_of(text, first, first + size):
                rows = sum(column.rows_of[cell] for cell in empty)
                yield Condition(column.place, "empty", empty, rows, first, first + size, mask | words, "flag")
            elif before[-1] in ("a", "an", "any") and before[0] in ("with", "have", "has", "had"):
                rows = table.every & ~sum(column.rows_of[cell] for cell in empty)
                yield Condition(column.place, "filled", empty, rows, first, first + size, mask, "flag")


def _is_before_cell(text: QuestionText, last: int, column: Column) -> bool:
    """Whether a value stands behind the name of its column, with at most one small word between."""
    starts = [last] if text.content >> last & 1 else [last, last + 1]
    cells = [tuple(normal_form(cell).split()) for cell in column.rows_of if not is_missing(cell)]
    return any(text.forms[start : start + len(cell)] == cell for cell in cells for start in starts)


STOCK = frozenset(map(stem, ["stock", "inventory", "available", "remaining", "left", "hand"]))
"""Words of columns that say how many are left, by their stems."""


def _sold_out(text: QuestionText, table: Table) -> Iterator[Condition]:
    """Rows of which none is left, where one column says how many there are: `out of stock`."""
    columns = [each for each in table.columns if each.is_amount and not STOCK.isdisjoint(each.stems)]
    for phrase in (("out", "of", "stock"), ("sold", "out")) if len(columns) == 1 else ():
        for first in range(len(text) - len(phrase) + 1):
            last = first + len(phrase)
            rows = compared_rows(columns[0], "=", 0, 0)
            if text.forms[first:last] == phrase and rows:
                yield Condition(columns[0].place, "=", ("0",), rows, first, last, mask_of(first, last), "flag")


PRICES = frozenset(map(stem, ["price", "cost", "fee", "fare", "admission", "charge"]))
"""Words of columns that say what has to be paid, by their stems."""

_FREE = ("for free", "free of charge", "is free", "are free", "for nothing", "cost nothing", "costs nothing")


def _for_free(text: QuestionText, table: Table) -> Iterator[Condition]:
    """Rows for which nothing is paid, where one column says how much, and 0 of some."""
    columns = [each for each in table.columns if each.is_amount and not PRICES.isdisjoint(each.stems)]
    cells = [cell for cell, n in zip(columns[0].cells, columns[0].numbers, strict=True) if n == 0] if columns else []
    for phrase in map(str.split, _FREE if len(columns) == 1 and cells else ()):
        for first in range(len(text) - len(phrase) + 1):
            last = first + len(phrase)
            if list(text.forms[first:last]) == phrase:
                rows, mask = compared_rows(columns[0], "=", 0, 0), mask_of(first, last)
                yield Condition(columns[0].place, "=", ("0",), rows, first, last, mask, "flag")


def _lack_of(text: QuestionText, first: int, last: int) -> int:
    """The words that say that something is not there: before it, or behind it as in `whose date is missing`."""
    behind = text.forms[last : last + 2]
    if behind[:1] in (("is",), ("are",)) and behind[1:] and behind[1] in _GONE:
        return mask_of(last, last + 2)
    return negation_at(text, first, also=LACKING)


_HERE = word_set("here there out away gone staying")


def _not_ended(text: QuestionText, table: Table) -> Iterator[Condition]:
    """Rows of what has not ended, by the empty date of its end: `which dogs are still here`."""
    ends = list(ends_of(table))
    for place in [n for n, form in enumerate(text.forms) if form == "still"] if len(ends) == 1 else ():
        behind = text.forms[place + 1 : place + 2]
        end = ends[0][1]
        if behind and behind[0] in _HERE and behind not in table.cells_by_words and end.filled != table.every:
            empty = tuple(cell for cell in end.rows_of if is_missing(cell))
            rows = table.every & ~end.filled
            yield Condition(end.place, "empty", empty, rows, place, place + 2, mask_of(place, place + 2), "flag")


def with_states(found: Sequence[Stretch], context: Context) -> list[Stretch]:
    """Stretches that state conditions, with those of the namings of columns, which go before parts of themselves."""
    every = [*states_in(context), *lateness(context)]
    stated = [each for each in every if not any(each.mask != o.mask and not each.mask & ~o.mask for o in every)]
    kept = [each for each in found if not any(_is_within(each, state) for state in stated)]
    kept = [each for each in kept if not _is_of_name(each, context)]
    by_place: dict[tuple[int, int], list[Condition]] = {}
    for state in stated:
        by_place.setdefault((state.first, state.last), []).append(state)
    return sorted([*kept, *(Stretch(*place, tuple(states)) for place, states in by_place.items())])


def _is_of_name(stretch: Stretch, context: Context) -> bool:
    """Whether a number belongs to the whole name of a column: `the fee for 2024` of `Fee 2024`."""
    mask, forms = mask_of(stretch.first, stretch.last), context.text.forms[stretch.first : stretch.last]
    whole = [run.mask for _, run in context.every_run if run.share == 1 and not run.meant]
    return all(map(str.isdigit, forms)) and any(mask != each and not mask & ~each for each in whole)


def _is_within(stretch: Stretch, state: Condition) -> bool:
    return (
        state.first <= stretch.first
        and stretch.last <= state.last
        and all(option.how in ("flag", "part") or option.column == state.column for option in stretch.options)
    )


# By the namings of columns --------------------------------------------------------------------------------------------


def unstated(reading: Reading, context: Context, unused: int) -> Iterator[str]:
    """Why the name of a column of yes and no is not what is said of it, as reasons: `consent was discussed`."""
    text = context.text
    for condition in reading.conditions if unused else ():
        if context.table.columns[condition.column].is_flag and condition.how == "flag":
            behind = range(condition.last, min(len(text), condition.last + 3))
            place = next((n for n in behind if is_content(text.forms[n])), len(text))
            if unused >> place & 1 and (text.forms[place].endswith("ed") or text.forms[place] in IRREGULAR):
                said = text.between(condition.first, place + 1)
                yield f"what '{said}' says about the rows is not understood"
    yield from _not_so(reading, context)
    for held in _unheld(context):
        for condition in [each for each in reading.conditions if each.mask & held.mask]:
            column, name = context.table.columns[condition.column], context.table.columns[held.column].name
            is_remark = 2 * column.filled.bit_count() < context.table.rows
            if is_remark and condition.rows not in (held.rows, context.table.every & ~held.rows):
                said = text.between(condition.first, condition.last)
                yield f"'{said}' may be all rows whose '{name}' is empty, or those with '{condition.values[0]}'"


def _not_so(reading: Reading, context: Context) -> Iterator[str]:
    """Why rows are not meant that a column says no of, where its name is said of an amount: `who paid over 40`."""
    used = {each.column for each in reading.conditions} | {reading.target}
    target = context.table.columns[reading.target] if reading.target is not None else None
    is_of_rows = context.signals.wh in ("which", "who") and reading.rows.bit_count() > 1
    if target is not None and is_of_rows and {"yes", "no"} <= {*map(str.lower, target.rows_of)}:
        yield f"which rows have a yes under '{target.name}' is asked, and not its cells"
    for place, run in context.every_run:
        flag, is_whole = context.table.columns[place], run.share == 1 and not run.meant
        is_done = _is_participle(context.text, run) or "did" in context.text.forms
        if flag.is_flag and place not in used and is_whole and is_done:
            said = {FLAGS.get(flag.cells[row].strip().lower()) for row in rows_in(reading.rows)}
            if False in said:
                yield f"'{flag.name}' is not said of all of these rows"


def _unheld(context: Context) -> Iterator[Condition]:
    """Rows that nobody has, where one column alone has people and none in them: `vacant`, `have nobody on them`."""
    forms = context.text.forms
    people = [each for each in context.table.columns if is_party(each) and has_people(each)]
    if len(people) != 1 or people[0].filled == context.table.every:
        return
    empty = tuple(cell for cell in people[0].rows_of if is_missing(cell))
    for first, form in enumerate(forms):
        last = first + 1 + (forms[first : first + 2] == ("no", "one"))
        is_vacant = form in _VACANT
        if not is_vacant and (forms[first:last] not in _NOBODY or forms[last : last + 1] not in _WHERE):
            continue
        last += 0 if is_vacant else 1 + (forms[last + 1 : last + 2] in _THEM)
        rows = context.table.every & ~people[0].filled
        yield Condition(people[0].place, "empty", empty, rows, first, last, mask_of(first, last), "flag")


_VACANT = word_set("vacant unoccupied untenanted unassigned")
_NOBODY = (("nobody",), ("no", "one"), ("noone",))
_WHERE = (("on",), ("in",), ("at",), ("there",))
_THEM = (("them",), ("it",), ("there",))


def states_in(context: Context) -> Iterator[Condition]:
    """The conditions that columns state by whatever words name them: that a cell is empty, or that it says yes."""
    for each in _unheld(context):
        said = context.text.forms[max(0, each.first - 1) : each.first + 1]
        if said[-1] not in _VACANT or not ("not" in said or said[-1:] in context.table.cells_by_words):
            yield each
    for column, runs in zip(context.table.columns, context.runs, strict=True):
        empty = tuple(cell for cell in column.rows_of if is_missing(cell))
        for run in runs if empty else ():
            is_said = (run.share >= _ENOUGH and not run.inflected) or run.meant
            is_fit = not run.inverse and not _is_before_cell(context.text, run.last, column)
            words = _lack(context.text, run) if is_said and is_fit else 0
            if is_fit and run.share >= _ENOUGH and (column.form in ("date", "clock") or not run.meant):
                words = words or _never(context.text, run)
            if column.is_flag and not any(words >> n & 1 for n, form in enumerate(context.text.forms) if form in _GONE):
                continue  # what is not so has a cell that says so
            if words:
                rows = sum(column.rows_of[cell] for cell in empty)
                mask = run.mask | words
                first, last = (mask & -mask).bit_length() - 1, mask.bit_length()
                yield Condition(column.place, "empty", empty, rows, first, last, mask, "flag")
        for run in runs:
            if run.share >= _ENOUGH and not run.inverse and _done_at_all(context, column, run):
                rows = context.table.every & ~sum(column.rows_of[cell] for cell in empty)
                first, last = (run.mask & -run.mask).bit_length() - 1, run.mask.bit_length()
                yield Condition(column.place, "filled", empty, rows, first, last, run.mask, "flag")
        zeros = tuple(cell for cell, n in zip(column.cells, column.numbers, strict=True) if n == 0)
        for run in runs if zeros and not empty and column.is_amount and not column.is_key else ():
            if run.share == 1 and not run.inflected and (words := _lack(context.text, run)):
                rows = compared_rows(column, "=", 0, 0)
                yield Condition(column.place, "=", ("0",), rows, run.first, run.last, run.mask | words, "flag")
        for other in other_values(column.meaning) if column.is_flag else ():
            yield from _flag_in_other_words(context.text, column, other)
        for other in other_values(f"un{column.meaning}") if column.is_flag else ():
            yield from _flag_in_other_words(context.text, column, other, is_no=True)


def _flag_in_other_words(text: QuestionText, column: Column, other: str, is_no: bool = False) -> Iterator[Condition]:
    """The condition that other words for the name of a column of yes and no state: `settled the bill` for `Paid`.

    `is_no`: they say that it is not so, as `owes us money` does.
    """
    wanted = tuple(lemma(word) for word in other.split() if word not in ("the", "a"))
    if any(pair in _OF_AMOUNTS for pair in pairwise(text.forms)):
        return  # "how much did Ann pay" is not whether she has
    for first in [place for place, each in enumerate(text.lemmas) if each == wanted[0]]:
        is_other = is_no and (
            text.forms[first - 1] in ("we", "i") or negation_at(text, first) or "nothing" in text.forms
        )
        if not is_other and (mask := mask_from(first, wanted, text.lemmas)):
            yield from _flag(text, column, first, mask.bit_length(), mask, is_no)


_OF_AMOUNTS = {("how", "much"), ("what", "do"), ("what", "does"), ("what", "did")}


def _never(text: QuestionText, run: Run) -> int:
    """The words that say that something has not been done on any day: `has never been serviced`."""
    return (negation_at(text, run.first) or _still_to_be(text, run)) if _is_participle(text, run) else 0


def _is_participle(text: QuestionText, run: Run) -> bool:
    """Whether a naming is a verb in the past, of one word or more: `returned`, `brought their film back`."""
    said = [form for n, form in enumerate(text.forms) if run.mask >> n & 1]
    return any(form.endswith("ed") or form in IRREGULAR for form in said)


def _done_at_all(context: Context, column: Column, run: Run) -> bool:
    """Whether something is only said to have been done, at whatever time: `how many films have been returned`."""
    text = context.text
    before, behind = text.forms[max(0, run.first - 2) : run.first], text.forms[run.last :]
    is_by_somebody = run.inflected and column.form in ("text", "names")
    is_clause = context.signals.wh == "how many" or not _HAVE.isdisjoint(before)
    is_past = is_clause and _is_participle(text, run) and all(form in _SO_FAR for form in behind)
    is_asked = context.signals.wh in ("who", "which", "how many", "list") and not negation_at(text, run.first)
    return is_asked and is_past and (column.form == "date" or is_by_somebody)


def _still_to_be(text: QuestionText, run: Run) -> int:
    """The words by which something has to be done: `have still to be collected`, `are yet to be paid`."""
    forms = text.forms
    start = max(0, run.first - _NEAR)
    places = [n for n in range(start, run.first) if forms[n] in _YET]
    return mask_of(places[0], run.first) if places and forms[run.first - 2 : run.first] == ("to", "be") else 0


_YET = word_set("still yet remain remains remaining waiting left needs need")


_ENOUGH = 0.5
"""Share of a name that says enough, so that its lack may be meant."""


def _lack(text: QuestionText, run: Run) -> int:
    """The words that say that what a column has is not there, before its name or behind it; 0 if none do.

    With them go those that only say that it might be: `no general manager listed`, `has been left blank`.
    """
    forms, found = text.forms, 0
    place = run.first - 1
    while place >= 0 and (forms[place] in _BETWEEN or not is_content(forms[place])) and forms[place] not in _NO:
        place -= 1
    is_no = place >= 0 and forms[place] in _NO and run.first - place <= _NEAR
    if not is_no and (denied := _not_had(text, run)):
        return denied
    is_no = is_no and forms[place + 1] != "longer"
    last = run.last
    while last < len(forms) and (forms[last] in _BETWEEN or not is_content(forms[last])) and forms[last] not in _GONE:
        last += 1
    behind = last < len(forms) and forms[last] in _GONE and last - run.last <= _NEAR
    is_denied = not is_no and any(form in ("not", "t") for form in forms[run.last : last])
    if is_no:
        found = mask_of(place, run.first)
    elif behind and not is_denied:
        found = mask_of(run.last, last + 1)
    elif is_denied and any(form in _BETWEEN or form == "have" for form in forms[run.last : last]):
        found = mask_of(run.last, last)
    if found:
        found |= sum(1 << n for n, form in enumerate(forms) if form in _BETWEEN and not run.mask >> n & 1)
    return found


_HAVE = word_set("has have had been is are was were")
_SO_FAR = word_set("yet already so far at all to for in on")


def _not_had(text: QuestionText, run: Run) -> int:
    """The words by which a row does not have what a column says: `has not been given a`, `has not got any`."""
    forms = text.forms
    start = max(0, run.first - _NEAR)
    places = [n for n in range(start, run.first) if forms[n] == "not"]
    between = forms[places[-1] + 1 : run.first] if places else ()
    is_had = any(form in _HAD for form in between) and not any(
        is_content(form) and form not in _HAD for form in between
    )
    last = run.last + (forms[run.last : run.last + 1] == ("yet",))
    return mask_of(places[-1], run.first) | mask_of(run.last, last) if is_had else 0


_HAD = word_set("have had has got gotten get given received assigned")
_NO = word_set("no without lack lacks lacking lacked nobody noone none")
_GONE = word_set("missing empty blank unknown absent")
_BETWEEN = word_set(
    """
    given listed recorded known stated entered filled specified set currently yet left noted registered assigned
    mentioned provided field cell box column entry
    """
)
"""Words that say no more than that a cell is there."""

_NEAR = 5
"""Words between the name of a column and what denies it."""
