"""Words of a question that a reading over a table may not drop, since the answer would be that of another question.

A yes for any row that has a name, the number of such rows, all rows of a table, and a name given back for itself are
answers that nearly every question has: `has Ann left`, `how many children does Ann have`, `which customers complained`,
`who is the boss of Ann`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from cgstore.llm.backends.compose.column import PARTIES, Column
from cgstore.llm.backends.compose.comparisons import LESS, MORE
from cgstore.llm.backends.compose.counted import (
    counted_columns,
    may_count_rows,
    people_miscounted,
    quantity_of,
    words_of_kinds,
)
from cgstore.llm.backends.compose.directions import doing
from cgstore.llm.backends.compose.naming import Context
from cgstore.llm.backends.compose.parties import asked_parties, is_party
from cgstore.llm.backends.compose.readings import Reading
from cgstore.llm.backends.compose.row_nouns import row_words
from cgstore.llm.backends.compose.runs import Run
from cgstore.llm.backends.compose.table import rows_in
from cgstore.llm.backends.compose.words import LIGHT_VERBS, mask_of, stem, word_list, word_set
from cgstore.text.names import normal_form


def dropped_words(reading: Reading, context: Context, unused: int) -> int:
    """The unused words, if the reading gives such an answer without them.

    Args:
        reading: what the question may ask.
        context: the question and the table.
        unused: the words that carry meaning and are not explained by the reading.
    """
    is_passive = context.text.forms[-1:] == ("by",)  # "by whom was it harvested", in a table of harvests
    unused &= ~(context.of_rows if is_passive else row_words(context.text, context.table))
    if reading.operation == "exists":
        is_of_all_time = context.text.forms[0] in ("do", "does")
        return unused & ~sum(1 << n for n, form in enumerate(context.text.forms) if is_of_all_time and form in _WITH)
    if context.signals.wh in _HOW:  # "how long did Ann study" is not how long her essay is
        return unused & ~sum(1 << n for n, form in enumerate(context.text.forms) if form in LIGHT_VERBS | _MEASURING)
    if any(each.how == "rank" for each in reading.conditions) and unused:
        return unused  # "who won silver" is not who won
    if reading.target is not None and context.table.columns[reading.target] is quantity_of(reading.conditions, context):
        return unused & ~sum(1 << n for n, form in enumerate(context.text.forms) if form in LIGHT_VERBS)
    measures = sum(1 << n for n, token in enumerate(context.text.tokens) if token.stem in _MEASURES)
    measures &= ~context.named_mask
    if measured := (_measured(reading, context) | measures) & unused:
        return measured
    if reading.operation in ("next", "previous") and not any(map(is_in_order, context.table.columns)):
        return unused  # "promoted after Ann" is not the row after hers, where the rows are in no order
    if reading.operation in ("next", "previous"):
        starts = [signal.first for signal in context.signals.of(reading.operation) if signal.first]
        verbs = [start - 1 for start in starts if context.text.tokens[start - 1].stem not in _IN_TURN]
        return unused & sum(1 << place for place in set(verbs))
    if reading.operation == "having":
        return unused & reading.mask << 1  # "more than one child" are not more rows than one
    is_of_all = reading.operation == "distinct" and not context.signals.has("distinct")
    if (reading.operation == "count" or is_of_all) and not reading.conditions:
        return unused  # the number of all rows
    if reading.operation in ("sum", "mean") and not reading.conditions and unused & ~context.of_subject:
        return unused  # `the mean price of returned films` is not that of all
    plain = reading.operation == "list" and not reading.superlative
    unused_nouns = _attributes(reading, context) & unused if plain else 0
    if context.signals.wh == "who" and plain and _is_of_others(reading, context):
        return unused
    if context.signals.wh == "where":
        unused_nouns |= unused & sum(1 << n for n, form in enumerate(context.text.forms) if form in _KEPT)
    if plain and context.signals.wh == "what" and _is_deed(reading, context):
        return unused  # "what does the saw weigh"
    if plain:
        unused_nouns |= unused & _done_to_values(reading, context)
    given_back = plain and any(each.op == "=" and each.column == reading.target for each in reading.conditions)
    return unused if given_back or (plain and not reading.conditions) else unused_nouns


_WITH = word_set("come take allow accept include offer provide")
"""Verbs of what something has: `does it come furnished`, `does it take pets`."""

_HOW = ("how long", "how old", "how often")

_MEASURING = word_set("last lasts lasted run runs ran stay stayed reach reaches measure measures stretch stretches")
_KEPT = word_set("kept keep keeps stored store put stand stands")
"""Verbs that say where a thing is, which need not be where it comes from."""

_IN_TURN = frozenset(
    map(stem, word_list("come finish rank list place play appear race release issue air show year month day season"))
)
"""Words of what comes one after the other, as rows do."""

_MEASURES = frozenset(
    map(stem, word_list("cost price weigh weight cheap expensive old young tall heavy wide deep age salary rent email"))
)
"""Words that ask for a number or a text which another column does not have."""


_ACQUIRING = word_set(
    """
    buy buys bought order orders ordered get gets got have has had take takes took use uses used choose chose win wins
    won own owns receive received book books booked rent rents rented make makes made
    """
)
"""Verbs that say of what is asked for that it has what follows, as its row does."""


def _done_to_values(reading: Reading, context: Context) -> int:
    """The verb between `who` or a noun and a value, which is done to this: `who coaches Endgame`."""
    forms, mask = context.text.forms, 0
    subjects = context.of_rows | context.of_subject
    for condition in reading.conditions if reading.target == context.table.subject else ():
        place = condition.first - 1
        while place > 0 and forms[place] in ("the", "a", "an"):
            place -= 1
        is_value = condition.op == "=" and condition.how != "number" and condition.column != reading.target
        is_verb = place > 0 and (forms[place - 1] in ("who", "which") or subjects >> place - 1 & 1)
        if is_value and is_verb and forms[place] not in _ACQUIRING:
            mask |= 1 << place
    return mask


def _is_of_others(reading: Reading, context: Context) -> bool:
    """Whether somebody is named who only stands in a row, and not by what he or she does: `who crashed the Ford`."""
    target = reading.target
    return target is not None and target != context.table.subject and context.best_run(target, 0) is None


def _measured(reading: Reading, context: Context) -> int:
    """The noun whose number is asked for: `how much rent` is not how much of anything else."""
    asked = [*context.signals.of("much"), *context.signals.of("count")] if reading.operation != "count" else []
    verb = context.text.forms[context.signals.wh_at + 2 :][:1] if context.signals.wh == "how much" else ()
    if verb and verb[0] in ("do", "does", "did") and reading.operation != "count":
        return context.text.content  # "how much does it weigh" is not what it costs
    is_named = reading.target is not None and any(
        run.share == 1 and not run.meant for run in context.runs[reading.target]
    )
    places = {signal.last for signal in asked if signal.last < len(context.text)}
    people = is_named and any(context.text.forms[place] in ("people", "persons") for place in places)
    return 0 if people else sum(1 << place for place in places)


def _is_deed(reading: Reading, context: Context) -> bool:
    """Whether what somebody does is asked for by a verb, and the column that is given is not named by it."""
    start = context.signals.wh_at + 1
    is_done = context.text.forms[start : start + 1] in (("do",), ("does",), ("did",))
    return is_done and reading.target is not None and context.best_run(reading.target, 0) is None


def _attributes(reading: Reading, context: Context) -> int:
    """The nouns for what is asked of a name: `the captain of Bela`, `Bela's captain`; none if a column is named.

    `How much` alone names none: `how much is the bonus of Ann`.
    """
    run = context.best_run(reading.target, 0) if reading.target is not None else None
    if reading.target is None or (run is not None and run.mask & context.text.content):
        return 0
    forms, mask = context.text.forms, 0
    for condition in reading.conditions:
        of = [place for place in range(max(0, condition.first - _REACH), condition.first) if forms[place] == "of"]
        mask |= 1 << max(0, of[-1] - 1) if of else 0
        if forms[condition.last : condition.last + 1] == ("s",):
            mask |= mask_of(condition.last + 1, min(len(forms), condition.last + 3))
    return mask


_REACH = 4
"""Words between `of` and the name behind it."""


def dropped_names(reading: Reading, context: Context, unused: int) -> int:
    """The unused words that name a column, where the answer is that of all rows, or where one name is within another.

    `The average salary in IT` is not that of all; `Ann's manager's manager` is not hers.
    """
    text = context.text
    of_all = not reading.conditions and (reading.operation in _OF_ROWS or reading.operation.startswith("group"))
    left, rows = 0, row_words(text, context.table)
    for place, runs in enumerate(context.runs):
        for run in runs:
            content = run.mask & text.content
            if not content or content & ~unused or (run.inflected and not content & ~rows):
                continue
            is_subject = place == context.table.subject
            is_left = run.inverse or (of_all and not is_subject and (run.share == 1 or run.meant))
            is_other = reading.operation in ("sum", "mean") and context.table.columns[place].is_amount
            is_left = is_left or (is_other and run.share == 1 and not run.meant)
            if is_left or (place == reading.target and _is_nested(run.first, run.last, text.forms)):
                left |= content
    return left


_OF_ROWS = word_set("mean sum count distinct having max min")


def _is_nested(first: int, last: int, forms: Sequence[str]) -> bool:
    """Whether a noun belongs to a name, or has one: `Ann's boss`, `the boss of Ann`."""
    return forms[last : last + 1] == ("of",) or (first > 0 and forms[first - 1] == "s")


def misdirected(reading: Reading, context: Context) -> Iterator[str]:
    """Why nobody is named who does something to what a condition says, as reasons for no answer.

    Who manages Ann is in her row. Who manages Finance is not in each row of Finance.
    """
    for condition in reading.conditions:
        done = {column for column, _ in doing(condition, context)}
        if done and condition.column not in done and condition.op == "=":
            name = context.table.columns[min(done)].name
            yield f"no row has '{context.text.between(condition.first, condition.last)}' under '{name}'"
    if reading.target is None:
        return
    run = context.best_run(reading.target, 0)
    if run is not None and context.signals.wh == "who" and _is_of_things(run, reading, context):
        yield f"who did it is asked, and '{context.table.columns[reading.target].name}' has no people"
    subject = context.table.columns[context.table.subject]
    if context.signals.wh == "who" and run is None and reading.operation == "list" and reading.target != subject.place:
        is_other = is_party(subject) and asked_parties(context) is None
        if is_other and not any(each.column == subject.place for each in reading.conditions):
            name = context.table.columns[reading.target].name
            yield f"two columns may be meant by 'who': '{subject.name}', '{name}'"
    if (
        run is not None
        and run.inflected
        and "to" in context.text.forms[run.last : run.last + 1] + context.text.forms[-1:]
    ):
        name = context.table.columns[reading.target].name
        yield f"whom something is done to is asked, and '{name}' is who does it"
    if run is not None and run.inverse and reading.target != context.table.subject:
        cells = {context.table.columns[reading.target].cells[row] for row in rows_in(reading.rows)}
        for condition in reading.conditions if len(cells) > 1 else ():
            is_of_rows = condition.column == subject.place or context.table.columns[condition.column].is_distinct
            if 0 <= condition.first - run.last <= 3 and not is_of_rows:
                said = context.text.between(run.first, condition.last)
                yield f"who is meant by '{said}' is not understood: there are several such rows"


def _is_of_things(run: Run, reading: Reading, context: Context) -> bool:
    """Whether a verb right behind `who` names a column of things, or is done with them: `who has the oldest item`."""
    column, forms = context.table.columns[reading.target or 0], context.text.forms
    place = context.signals.wh_at + 1
    is_of_people = is_party(column) or not PARTIES.isdisjoint(column.stems)
    is_verb = run.meant and not run.inverse and run.first == place
    is_object = run.first > place and forms[place] in ("has", "have", "had", "owns", "got") and not run.meant
    return column.form == "text" and not is_of_people and (is_verb or is_object)


def unasked(reading: Reading, context: Context) -> Iterator[str]:
    """Why nothing is said of who somebody is, where no column is asked for: `who is Ann`, as reasons for no answer."""
    text, columns = context.text, context.table.columns
    if text.forms[:1] != ("who",) or text.forms[1:2] not in (("is",), ("was",), ("are",)) or reading.target is None:
        return
    for condition in reading.conditions if len(reading.conditions) == 1 else ():
        column = columns[condition.column]
        is_person = column.place == context.table.subject or (
            column.form == "names" and _TITLES.isdisjoint(column.stems)
        )
        if (condition.first, condition.last) == (2, len(text)) and is_person and not context.runs[reading.target]:
            yield f"what is asked about '{text.between(2, len(text))}' is not said: name a column"


_ENDS = frozenset(["max", "min"])
_TITLES = frozenset(map(stem, word_list("title job position role post function office rank")))
"""Words of columns whose cells say what somebody is: `who is Head of Sales`."""


def is_in_order(column: Column) -> bool:
    """Whether the rows go by the numbers or times of a column."""
    numbers = [number for number in column.numbers if number is not None] if column.is_ordered else []
    return len(set(numbers)) > 1 and (numbers == sorted(numbers) or numbers == sorted(numbers, reverse=True))


def miscounted(reading: Reading, context: Context) -> Iterator[str]:
    """Why rows are not what a question counts, as reasons for no answer."""
    if reading.operation in ("count", "distinct"):
        yield from _unfinished(reading, context)
    if reading.operation != "count":
        return
    columns, text = context.table.columns, context.text
    if not may_count_rows(context):
        yield "what is counted by 'different' is not understood: it names no column"
    if people := people_miscounted(reading.rows, context):
        yield f"how many '{people}' is asked, and the rows are not people"
    starts = context.counted_at
    known = row_words(text, context.table) | context.named_mask
    for stretch in reading.skipped:
        if stretch.first in starts and not known >> stretch.first & 1:
            yield f"how many '{text.between(stretch.first, stretch.last)}' is asked, and these are in no such row"
    for condition in reading.conditions:
        column = columns[condition.column]
        if condition.op == "=" and column.is_distinct and context.table.rows > 1 and condition.rows.bit_count() <= 1:
            yield f"'{text.between(condition.first, condition.last)}' is one row, and what is counted is not understood"
    if (said := counted_noun(reading, context)) and any(columns[c.column].form == "names" for c in reading.conditions):
        yield f"no column is known to say how many '{said}'"
    for signal in context.signals.of("count"):
        noun = text.tokens[signal.last] if signal.last < len(text) else None
        if noun and (noun.stem in _UNITS or _is_part_of(noun.text, signal.last, reading, context)):
            yield f"no column is known to say how many '{noun.text}'"
    yield from _of_quantities(reading, context)
    amounts = {stem: column.name for column in columns if column.is_amount for stem in column.stems}
    for signal in context.signals.of("count"):
        for token in text.tokens[signal.first : signal.last]:
            if token.form != "number" and (name := amounts.get(token.stem)):
                yield f"'{token.text}' may mean the column '{name}' or how many rows"


def _unfinished(reading: Reading, context: Context) -> Iterator[str]:
    """Why not all rows count where some have no place, and those that finished are meant."""
    text, columns = context.text, context.table.columns
    if any(column.is_rank and any(column.numbers[row] is None for row in rows_in(reading.rows)) for column in columns):
        explained = {text.forms[n] for c in reading.conditions for n in range(len(text)) if c.mask >> n & 1}
        for form in sorted(_FINISHED.intersection(text.forms) - explained):
            yield f"who '{form}' is not understood: not all rows have a place"


def _of_quantities(reading: Reading, context: Context) -> Iterator[str]:
    """Why rows are not what is counted where a value is (`how many P-300`), and a column says how many of it."""
    starts = context.counted_at
    amounts = [each for each in context.table.columns if each.is_amount and not each.is_of_numbers]
    columns = [each for each in amounts if not _QUANTITIES.isdisjoint(map(stem, each.words))]
    for condition in reading.conditions if columns else ():
        behind = context.text.forms[condition.last : condition.last + 1]
        is_counted = condition.first in starts and (not behind or behind[0] in _VERBS)
        if is_counted and condition.op == "=" and condition.how != "number":
            said = context.text.between(condition.first, condition.last)
            yield f"how many '{said}' may be rows, or what '{columns[0].name}' says"


def _is_part_of(noun: str, place: int, reading: Reading, context: Context) -> bool:
    """Whether what is counted is a part of what a row is about (`bottles of oil`), and a column may have its number."""
    forms = context.text.forms
    of = forms[place + 1 : place + 2] == ("of",) and counted_noun(reading, context) == noun
    starts = {condition.first for condition in reading.conditions if condition.op == "="}
    amounts = any(column.is_amount and not column.is_key and not column.is_rank for column in context.table.columns)
    return of and amounts and place + 2 in starts


def unjoined(reading: Reading, context: Context) -> Iterator[str]:
    """Why rows with either of two values are not meant where nothing joins them, as reasons: `away from home`."""
    if reading.operation in ("difference", "greater", "less"):
        return
    text = context.text
    for group in reading.groups:
        for one, other in pairwise(sorted(group, key=lambda each: each.first)):
            between = text.text[text.tokens[one.last - 1].end : text.tokens[other.first].start].lower()
            column = context.table.columns[one.column]
            of_header = any(normal_form(column.name) == normal_form(each.values[0]) for each in (one, other))
            is_apart = one.rows != other.rows and column.form != "names" and not of_header
            if column.is_distinct and _OR.search(between) and (words := _comparatives(reading, context)):
                yield f"by which column '{words[0]}' compares '{text.between(one.first, other.last)}' is not understood"
            if is_apart and _JOINS.search(between) is None:
                yield f"whether '{text.between(one.first, other.last)}' means both is not understood"


_JOINS = re.compile(r"[,;/&+]|\b(?:and|or|nor|versus|vs|v|plus|as well as)\b")

_OR = re.compile(r"\bor\b")


def _comparatives(reading: Reading, context: Context) -> list[str]:
    """The words that compare two values to choose from, where a reading gives what both have."""
    if reading.superlative is not None or reading.operation == "exists":
        return []
    said = 0
    for condition in reading.conditions:
        said |= condition.mask
    return [form for n, form in enumerate(context.text.forms) if not said >> n & 1 and (form in MORE or form in LESS)]


_FINISHED = word_set("finish finished finishes complete completed completes")


_UNITS = frozenset(
    map(
        stem,
        word_list(
            """
            kilo kilogram kg gram tonne ton pound ounce litre liter gallon pint metre meter km kilometre kilometer mile
            inch foot feet hour minute second day week euro dollar cent money
            """
        ),
    )
)
"""Words of what is measured, and never the rows of a table unless its columns or its name say so."""

_FORMS = {
    "not": "what is excluded by {} is not understood",
    "mean": "of which numbers {} is asked is not understood",
    "sum": "what is added up by {} is not understood",
    "each": "what is asked for each group, by {}, is not understood",
    "more": "what is compared by {} is not understood",
    "difference": "between which two values {} is asked is not understood",
    "half": "shares and multiples, such as {}, are not understood",
    "rank": "by which order {} is meant is not understood",
}


def forms_left(context: Context, dropped: int) -> Iterator[str]:
    """Why a question in known words is not understood: what they are said of is not."""
    named = context.named_mask
    for signal in context.signals.found:
        left = dropped & ~signal.mask
        left &= ~named if signal.kind == "more" else -1  # "does anyone earn more than Ann"
        if signal.mask & dropped and not left and signal.kind in _FORMS:
            yield _FORMS[signal.kind].format(f"'{context.text.between(signal.first, signal.last)}'")
            return
    for extreme in context.signals.extremes:
        if extreme.mask & dropped and not dropped & ~extreme.mask:
            yield f"by which column '{extreme.word}' orders the rows is not understood"
            return


_VERBS = word_set("is are was were did do does have has")
_QUANTITIES = frozenset(map(stem, word_list("quantity copies pieces units number count amount ordered")))
"""Words of columns that may say how many of a thing a row has, by their stems."""


def counted_noun(reading: Reading, context: Context) -> str:
    """What a question counts (`how many sailors`), if rows are counted and neither table nor column has this name."""
    text = context.text
    own = row_words(text, context.table)
    if counted_columns(context):
        own |= words_of_kinds(context)  # "how many different kinds of" its noun
    for runs in context.runs:
        for run in runs:
            own |= run.mask
    has_quantity = any(not _QUANTITIES.isdisjoint(column.stems) for column in context.table.columns)
    for condition in () if has_quantity else reading.conditions:
        own |= condition.mask  # "how many cats"
    for signal in context.signals.of("count") if reading.operation == "count" and reading.target is None else ():
        if signal.last < len(text.tokens) and (text.content & ~own) >> signal.last & 1:
            return text.tokens[signal.last].text
    return ""
