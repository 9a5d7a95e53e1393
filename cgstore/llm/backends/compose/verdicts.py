"""Questions for yes or no over a table: what is claimed of which rows, and what their cells say.

The model learns little of these from questions that ask for cells, so that they are judged by rules. There is an answer
only if each word is explained, and if all ways to read the question agree. Else the reason says what the cells hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cgstore.llm.backends.compose.beaten import beaten, beating
from cgstore.llm.backends.compose.choices import choices
from cgstore.llm.backends.compose.claims import claims_of_columns, in_stock, objects_of_flags
from cgstore.llm.backends.compose.column import Column
from cgstore.llm.backends.compose.comparisons import LESS, MORE
from cgstore.llm.backends.compose.conditions import Condition, Stretch
from cgstore.llm.backends.compose.denotations import denotation
from cgstore.llm.backends.compose.features import explained_words
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.readings import Reading, condition_sets, reading_of
from cgstore.llm.backends.compose.row_nouns import row_words
from cgstore.llm.backends.compose.table import rows_in
from cgstore.llm.backends.compose.things import may_mean_rows
from cgstore.llm.backends.compose.words import LIGHT_VERBS, word_set
from cgstore.text.columns import is_missing
from cgstore.text.names import normal_form, some_of

_EVERY = word_set("all every each")
_EXISTENCE = word_set("there any some anyone anybody anything someone somebody something exist exists")
_ASKED_OF = word_set("we you they i")
_BINDING = word_set("only always never not no none neither nor both without except out nobody nothing t or entirely")
"""Words that turn a claim into another one."""

_BE = word_set("is are was were")
_PREPOSITIONS = word_set("by in at from to for of on with under")
_SHOWN = 3
"""Cells, or rows, that a note names."""

_CHOICE = "between what is to be chosen ('or') is not understood"


_BEATEN = "which rows are to be compared, to say who was better, is not understood"


@dataclass(frozen=True)
class Verdict:
    """A reading that gives yes or no, what it gives in the rows that were read, and notes that say what cells hold."""

    reading: Reading
    is_so: bool
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Option:
    """A way to read a question: of the rows of some conditions (none: all) something is claimed."""

    rest: tuple[Condition, ...]
    claim: Condition
    rows: int
    is_singled_out: bool

    @property
    def hits(self) -> int:
        return self.rows & self.claim.rows


def judged(context: Context, stretches: Sequence[Stretch]) -> Verdict | str:
    """The answer to a question for yes or no, or why there is none."""
    text, forms = context.text, context.text.forms
    explained = words_of_claims(context) | sum(1 << n for n, form in enumerate(forms) if form in LIGHT_VERBS)
    options: list[_Option] = []
    binding = [word for word in text.words(text.content | ~text.content) if normal_form(word) in _BINDING]
    found = list(_options(context, stretches, explained))
    options = [each for each in found if each.rows or _exists(forms)]
    if "or" in forms:
        chosen = list(choices(context, stretches))
        chosen = [each for each in chosen if _is_singled_out(each.conditions, context)] or chosen
        answers = {denotation(each, context.table) for each in chosen}
        return Verdict(chosen[0], True) if len(answers) == 1 and context.table.whole else _CHOICE
    if words := beating(text):
        compared = list(beaten(context, stretches, words))
        answers = {denotation(each, context.table) for each in compared}
        return Verdict(compared[0], True) if len(answers) == 1 and context.table.whole and not binding else _BEATEN
    if not options:
        return _why_not(context, stretches, explained)
    if binding:
        return f"yes or no with '{binding[0]}' is not understood"
    if any(form in _EVERY for form in forms):
        return _together([_of_every(each, context) for each in options], options, context)
    if _exists(forms):
        return _together([_of_any(each, context) for each in options], options, context)
    return _together([_of_some(each, context) for each in options], options, context)


def words_of_claims(context: Context) -> int:
    """The words that only ask whether there are any such rows, or whether all are so, and what was `paid`."""
    forms = context.text.forms
    existence = sum(1 << place for place, form in enumerate(forms) if form in _EVERY or form in _EXISTENCE)
    return existence | objects_of_flags(context)


def _exists(forms: Sequence[str]) -> bool:
    """Whether it is asked if there are such rows."""
    if any(form in _EXISTENCE for form in forms):
        return True
    return len(forms) > 2 and forms[0] in ("do", "have", "did", "had") and forms[1] in _ASKED_OF


def _options(context: Context, stretches: Sequence[Stretch], explained: int) -> Iterator[_Option]:
    text, table = context.text, context.table
    own = explained | _words_of_rows(context)
    for conditions, _ in condition_sets(stretches):
        base = reading_of(table, conditions, operation="exists")
        if len({each.column for each in conditions}) < len(conditions):
            continue  # "are A and B ...": each of them, or one
        unused = text.content & ~(explained_words(base, context) | own)
        if not unused and conditions:
            yield from _by_values(context, conditions, base)
        for claim in claims_of_columns(context, base, unused):
            yield _Option(conditions, claim, base.rows, _is_singled_out(conditions, context))


def _by_values(context: Context, conditions: tuple[Condition, ...], base: Reading) -> Iterator[_Option]:
    """One of several conditions is what is claimed: the last one that says more than which row is meant."""
    table, forms = context.table, context.text.forms
    order = sorted(
        conditions, key=lambda each: (each.how != "rank", table.columns[each.column].is_distinct, -each.first)
    )
    claim = order[0]
    rest = tuple(each for each in conditions if each != claim)
    if not rest and not (_exists(forms) or any(form in _EVERY for form in forms) or _is_named_so(context, claim)):
        return
    rows = reading_of(table, rest).rows
    yield _Option(rest, claim, rows, _is_singled_out(rest, context))


def _is_named_so(context: Context, condition: Condition) -> bool:
    """Whether a value is asked to be what its column has: `is Ann a customer`."""
    forms = context.text.forms
    return any(
        run.share == 1
        and not run.inflected
        and run.first == condition.last + 1
        and run.last == len(forms)
        and forms[condition.last] in ("a", "an")
        for run in context.runs[condition.column]
    )


def _is_singled_out(conditions: Sequence[Condition], context: Context) -> bool:
    return any(each.op == "=" and context.table.columns[each.column].is_distinct for each in conditions)


def _words_of_rows(context: Context) -> int:
    """The words that say what the rows are: the table's name, and that of its subject if each row has another one."""
    table = context.table
    mask, forms = row_words(context.text, table), context.text.forms
    for place in [n for n, form in enumerate(forms) if form in _EVERY]:
        while forms[place + 1 : place + 2] in (("of",), ("the",), ("our",)):
            place += 1
        if place + 1 < len(forms) and may_mean_rows(context.text.tokens[place + 1], table, table.every):
            mask |= 2 << place  # "did all of the parcels arrive"
    for column, runs in zip(table.columns, context.runs, strict=True):
        for run in runs:
            if run.share == 1 and not run.meant and not run.inflected:
                is_subject = column.place == table.subject and column.is_distinct
                mask = mask | run.mask if is_subject else mask & ~run.mask
    return mask


# Answers --------------------------------------------------------------------------------------------------------------


def _together(given: list[Verdict | str], options: list[_Option], context: Context) -> Verdict | str:
    """What all ways to read a question say; a way that singles a row out comes before others, unless it denies."""
    pairs = list(zip(given, options, strict=True))
    best = [one for one, option in pairs if option.is_singled_out] or given
    answers = {one.is_so if isinstance(one, Verdict) else None for one in best}
    if len(answers) > 1 or (answers == {False} and any(isinstance(one, Verdict) and one.is_so for one in given)):
        columns = dict.fromkeys(context.table.columns[each.claim.column].name for each in options)
        return f"it is not clear which cells say it: those of {some_of(list(columns))}"
    return best[0]


def _of_some(option: _Option, context: Context) -> Verdict | str:
    """Whether a claim holds of the rows that are meant."""
    column = context.table.columns[option.claim.column]
    reading = reading_of(context.table, (*option.rest, option.claim), operation="exists")
    if option.hits == option.rows:
        by_value = option.claim.how not in ("flag", "column") and option.claim.op in ("=", "contains")
        return Verdict(reading, True, () if by_value else (_holds(column, option.rows),))
    if not option.hits:
        return _denied(option, context, reading)
    of_each = option.claim.how in ("flag", "column")
    forms = context.text.forms
    before = forms[option.claim.first - 1] if option.claim.first else ""
    if "ever" not in forms and (of_each or (forms[0] in _BE and before not in _PREPOSITIONS)):
        return f"{_share(option)}, and it is not said whether all are meant"
    return Verdict(reading, True)


def _share(option: _Option) -> str:
    return f"{option.hits.bit_count()} of {option.rows.bit_count()} rows are so"


def _denied(option: _Option, context: Context, reading: Reading) -> Verdict | str:
    """A no; none if a cell that would have to say it is empty, or has the claim among other words."""
    column = context.table.columns[option.claim.column]
    cells = [column.cells[row] for row in rows_in(option.rows)]
    if any(map(is_missing, cells)):
        return f"the cell of '{column.name}' is empty"
    claimed = {normal_form(value) for value in option.claim.values if option.claim.op in ("=", "contains")}
    if any(value in normal_form(cell) for value in claimed for cell in cells if value):
        return _holds(column, option.rows).rstrip(".")
    said = context.text.between(option.claim.first, option.claim.last)
    if option.claim.how in ("stems", "short", "part") and not _is_plural(said, option.claim.values):
        return f"it is not clear that '{said}' means '{option.claim.values[0]}'"
    if not context.table.whole:
        return f"no such row was found, and {_holds(column, option.rows).rstrip('.')}"
    return Verdict(reading, False, (_holds(column, option.rows),))


def _is_plural(said: str, values: Sequence[str]) -> bool:
    """Whether words are a value in another number."""
    return normal_form(said).rstrip("s") in {normal_form(value).rstrip("s") for value in values}


def _of_any(option: _Option, context: Context) -> Verdict | str:
    """Whether there are such rows, and of what is in stock, whether any is left."""
    conditions = (*option.rest, option.claim)
    reading = reading_of(context.table, conditions, operation="exists")
    if not reading.rows:
        return Verdict(reading, False) if context.table.whole else "no such row was found among those that were read"
    is_of_us = context.text.forms[1] in _ASKED_OF
    stock = in_stock(context, reading) if is_of_us or _is_singled_out(conditions, context) else None
    if stock is None:
        return Verdict(reading, True)
    note = (_holds(context.table.columns[stock.column], reading.rows),)
    if reading.rows & stock.rows:
        return Verdict(reading, True, note)
    return Verdict(reading_of(context.table, (*conditions, stock), operation="exists"), False, note)


def _of_every(option: _Option, context: Context) -> Verdict | str:
    """Whether a claim holds of all rows that are meant; a note names rows of which it does not."""
    table, forms = context.table, context.text.forms
    column = table.columns[option.claim.column]
    places = [n for n, form in enumerate(forms) if form in _EVERY]
    starts = [each.first for each in option.rest]
    if not table.whole or len(places) > 1 or (starts and places[0] > min(starts) and forms[0] not in _BE):
        return f"what '{context.text.tokens[places[0]].text}' is said of is not understood"
    if option.claim.first < places[0] or forms[option.claim.first - 1] == "of":
        return f"what '{context.text.tokens[places[0]].text}' is said of is not understood"
    base = reading_of(table, option.rest, operation="every")
    reading = replace(base, claim=option.claim, mask=1 << places[0])
    others = option.rows & ~option.claim.rows
    if not others:
        return Verdict(reading, True, (f"Rows that were looked at: {option.rows.bit_count()}.",))
    against = [row for row in rows_in(others) if not is_missing(column.cells[row])]
    if not against:
        return f"{_share(option)}; the other cells of '{column.name}' are empty"
    subject = table.columns[table.subject]
    names = [f"'{subject.cells[row]}' ('{column.name}': '{column.cells[row]}')" for row in against[:_SHOWN]]
    more = f" and {len(against) - _SHOWN} more" if len(against) > _SHOWN else ""
    return Verdict(reading, False, (f"{_share(option)}, not: {', '.join(names)}{more}.",))


def _holds(column: Column, rows: int) -> str:
    """What the cells of some rows hold, as a note."""
    cells = list(dict.fromkeys(column.cells[row] for row in rows_in(rows)))
    shown = ", ".join(f"'{cell}'" if cell.strip() else "(empty)" for cell in cells[:_SHOWN])
    more = f" and {len(cells) - _SHOWN} others" if len(cells) > _SHOWN else ""
    return f"'{column.name}' is {shown}{more}."


def _why_not(context: Context, stretches: Sequence[Stretch], explained: int) -> str:
    """Why no way to read a question explains all of its words."""
    text, table = context.text, context.table
    own = explained | _words_of_rows(context)
    least: tuple[int, str] | None = None
    for conditions, _ in condition_sets(stretches):
        base = reading_of(table, conditions, operation="exists")
        unused = text.content & ~(explained_words(base, context) | own)
        if conditions and not unused:
            names = [text.between(each.first, each.last) for each in conditions]
            reason = f"it is not understood what is asked about '{names[0]}'"
        elif compared := [n for n, form in enumerate(text.forms) if unused >> n & 1 and (form in MORE or form in LESS)]:
            said = text.between(compared[0], max(compared[0] + 1, *(each.last for each in conditions), 0))
            reason = f"what is compared by '{said}' is not understood"
        else:
            words = text.words(unused)
            reason = f"{some_of(words)} {'is' if len(words) == 1 else 'are'} not understood without an LLM"
        if least is None or unused.bit_count() < least[0]:
            least = (unused.bit_count(), reason)
    return least[1] if least and least[0] + bool(stretches) else "the question is not understood"
